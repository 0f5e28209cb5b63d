//! Whole components: everything of a component goes, or comes.
//!
//! A component is a module, a parent, the instances of one key in a module (`["legacy"]`), or the resources beside each other whose
//! names begin with the same words: `legacy-queue`, `legacy-role`. The plan takes or brings it whole if it deletes or creates all of it. These changes are one kind, whatever their types.
//!
//! # Laws
//!
//! 1. A resource is in at most one whole component: the outermost that holds it.
//! 2. The plan does one thing to all of a whole component. Data sources and providers do not count. Only of the instances of a key, a few
//!    may be there already or may stay, such as the repository that is made before the service and outlives it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use hashbrown::HashMap;

use super::Print;
use crate::change::vocabulary::WORDS;
use crate::stack::{Action, Flags, ResourceId, Stack};
use crate::terraform::address::{ObjectName, config_address, module_of, outer_modules};

/// Minimum number of resources of a component that is worth a group of its own.
const MIN_MEMBERS: usize = 3;

/// That of the instances of one key, which begin and end together.
const MIN_INSTANCES: usize = 2;

/// Maximum number of words in which names have to agree.
const MAX_WORDS: usize = 4;

/// Maximum number of parents around a resource.
const MAX_PARENTS: usize = 64;

/// The whole components of a plan.
#[derive(Clone, Default, Debug)]
pub struct Components {
    /// By resource: its component, in words.
    of: HashMap<ResourceId, Arc<str>>,
}

/// A thing that resources have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Component<'c> {
    /// A module with its key, or all instances of it.
    Module(Cow<'c, str>),
    /// A parent.
    Parent(ResourceId),
    /// The instances of a key in a module, with both brackets.
    Instances(&'c str, &'c str),
    /// The first words of names that count in a module or below a parent.
    Names(Place<'c>, &'c str),
}

/// The place where a name counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place<'c> {
    Module(&'c str),
    Parent(Option<ResourceId>),
}

/// The deleted or created resources of a component.
#[derive(Default)]
struct Members<'s> {
    n: usize,
    types: BTreeSet<&'s str>,
    /// Number of its resources to which something else is done, or nothing.
    n_kept: usize,
}

impl Components {
    /// The components of which `action` is done to everything.
    pub fn of(stack: &Stack, action: Action) -> Self {
        let is_gone = |id: &ResourceId| stack.record(*id).action == Some(action);
        let (gone, kept): (Vec<ResourceId>, Vec<ResourceId>) =
            objects(stack).partition(|id| is_gone(id));
        if gone.len() < MIN_INSTANCES {
            return Self::default();
        }
        let mut all: HashMap<Print, Members<'_>> = HashMap::new();
        for id in &gone {
            for component in components(stack, *id) {
                let members = all.entry(Print::of(&component)).or_default();
                members.n += 1;
                members.types.insert(stack.ty(*id));
            }
        }
        for component in kept.iter().flat_map(|id| components(stack, *id)) {
            if let Some(members) = all.get_mut(&Print::of(&component)) {
                members.n_kept += 1;
            }
        }
        let is_whole = |component: &Component<'_>| {
            all.get(&Print::of(component)).is_some_and(|members| {
                let is_most = members.n >= MIN_MEMBERS.max(members.n_kept + 1);
                let may_keep = is_most && matches!(component, Component::Instances(..));
                let is_enough = members.n >= component.least() && members.types.len() > 1;
                is_enough && (members.n_kept == 0 || may_keep)
            })
        };
        let mut names: HashMap<Print, Arc<str>> = HashMap::new();
        let mut whole = Self::default();
        for id in gone {
            if let Some(component) = components(stack, id).into_iter().find(is_whole) {
                let name = names.entry(Print::of(&component));
                let name = name.or_insert_with(|| {
                    let words = component.in_words(stack);
                    let kept = match (all[&Print::of(&component)].n_kept, action) {
                        (0, _) => return words.into(),
                        (n, Action::Create) => format!("{n} there already"),
                        (1, _) => "1 stays".to_owned(),
                        (n, _) => format!("{n} stay"),
                    };
                    format!("{}, {kept}", words.trim_start_matches("all ")).into()
                });
                whole.of.insert(id, Arc::clone(name));
            }
        }
        whole
    }

    /// The resources, each with its component: `all of module.payments`.
    pub fn iter(&self) -> impl Iterator<Item = (ResourceId, &Arc<str>)> {
        self.of.iter().map(|(id, component)| (*id, component))
    }
}

/// The records that are objects, and not what the engine keeps beside them.
fn objects(stack: &Stack) -> impl Iterator<Item = ResourceId> + '_ {
    stack.ids().filter(|id| {
        let flags = stack.record(*id).flags;
        !flags.is_drift() && !flags.intersects(Flags::DATA | Flags::PROVIDER | Flags::STACK)
    })
}

impl Component<'_> {
    /// The number of resources from which on it is worth a group.
    fn least(&self) -> usize {
        match self {
            Self::Instances(..) => MIN_INSTANCES,
            Self::Module(_) | Self::Parent(_) | Self::Names(..) => MIN_MEMBERS,
        }
    }

    fn in_words(&self, stack: &Stack) -> String {
        let parent = |id: ResourceId| stack.short_name(id);
        match self {
            Self::Module(module) => format!("all of {module}"),
            Self::Parent(id) => format!("all of {}", parent(*id)),
            Self::Instances("", key) => format!("all instances {key}"),
            Self::Instances(module, key) => format!("all instances {key} in {module}"),
            Self::Names(Place::Module("") | Place::Parent(None), words) => {
                format!("everything named {words}…")
            }
            Self::Names(Place::Module(module), words) => {
                format!("everything named {words}… in {module}")
            }
            Self::Names(Place::Parent(Some(id)), words) => {
                format!("everything named {words}… in {}", parent(*id))
            }
        }
    }
}

/// The components that hold a resource, the outermost first.
fn components(stack: &Stack, id: ResourceId) -> Vec<Component<'_>> {
    let mut all = Vec::new();
    let (place, name) = match stack.address(id) {
        Some(address) => in_terraform(address, &mut all),
        None => in_pulumi(stack, id, &mut all),
    };
    let is_between = |(at, char): &(usize, char)| *at > 0 && matches!(char, '-' | '_');
    let ends = name.char_indices().filter(is_between).map(|(at, _)| at);
    let beginnings = ends.take(MAX_WORDS).map(|end| &name[..end]);
    let telling = beginnings.filter(|text| !WORDS.generic.has(text));
    all.extend(telling.map(|text| Component::Names(place, text)));
    all
}

/// Adds the modules of an address. Returns where the name in it counts, and the name.
fn in_terraform<'c>(address: &'c str, all: &mut Vec<Component<'c>>) -> (Place<'c>, &'c str) {
    let address = ObjectName::parse(address).address;
    let module = module_of(address);
    let mut outer = "";
    for n_outer in 1.. {
        if outer.len() == module.len() {
            break;
        }
        outer = outer_modules(module, n_outer);
        all.push(Component::Module(config_address(outer)));
        all.push(Component::Module(outer.into()));
    }
    all.dedup();
    let own = address[module.len()..].trim_start_matches('.');
    let name = own.split_once('.').map_or(own, |(_, name)| name);
    let (name, key) = name.split_at(name.find('[').unwrap_or(name.len()));
    if key.starts_with("[\"") {
        all.push(Component::Instances(module, key));
    }
    (Place::Module(module), name)
}

/// Adds the parents of a resource and itself. Returns where its name counts, and the name.
fn in_pulumi<'c>(
    stack: &'c Stack,
    id: ResourceId,
    all: &mut Vec<Component<'c>>,
) -> (Place<'c>, &'c str) {
    let is_stack = |id: &ResourceId| stack.record(*id).flags.contains(Flags::STACK);
    let parent = |id: &ResourceId| stack.record(*id).parent.filter(|id| !is_stack(id));
    let parents = std::iter::successors(Some(id), parent);
    all.extend(parents.take(MAX_PARENTS).map(Component::Parent));
    all.reverse();
    (Place::Parent(parent(&id)), stack.short_name(id))
}
