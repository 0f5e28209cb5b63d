//! The resources that change only because another one changes.
//!
//! The other one is in the file too and is read anyway, so nothing is read twice: each resource leaves the hashes of the attributes
//! that keep their values, and of its own changes the resources that may have caused them.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use hashbrown::{HashMap, HashSet};

use crate::change::causes::{deciding_attribute, kept_attributes, possible_sources};
use crate::change::leaves::Leaf;
use crate::stack::{EdgeKind, Resource, ResourceId, Stack};

/// Maximum number of possible causes of one change that are remembered.
const MAX_GIVERS: usize = 64;

/// The resources seen so far.
#[derive(Default, Debug)]
pub(super) struct Followers {
    /// The resources whose changes may all come from others, with the possible causes of each change.
    open: Vec<(ResourceId, Vec<Vec<Giver>>)>,
    /// The attributes that keep their values, of the resources that others depend on: sorted hashes of names.
    kept: HashMap<ResourceId, Box<[u64]>>,
}

/// A resource that a changed value may come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Giver {
    id: ResourceId,
    /// The hash of the attribute there; `None` if the value comes from there in any case.
    attribute: Option<u64>,
}

impl Followers {
    /// Adds a changed resource.
    pub(super) fn add_giver(&mut self, stack: &Stack, id: ResourceId, resource: &Resource) {
        let mut links = stack.graph.used_by(id).iter();
        if links.any(|link| link.kind == EdgeKind::Property) {
            let mut kept: Vec<u64> = kept_attributes(resource).map(hash).collect();
            kept.sort_unstable();
            self.kept.insert(id, kept.into());
        }
    }

    /// Adds a resource that stays, with its changes that have an effect.
    pub(super) fn add(
        &mut self,
        stack: &Stack,
        id: ResourceId,
        resource: &Resource,
        own: &[&Leaf],
    ) {
        if own.is_empty() {
            return;
        }
        let sources = possible_sources(stack, id, resource);
        let givers = |leaf: &&Leaf| -> Option<Vec<Giver>> {
            let of_leaf = sources
                .iter()
                .filter(|origin| origin.property.contains(&leaf.path));
            let givers = of_leaf.map(|origin| Giver {
                id: origin.id,
                attribute: deciding_attribute(stack, origin).map(hash),
            });
            let mut givers: Vec<Giver> = givers.take(MAX_GIVERS).collect();
            givers.dedup();
            (!givers.is_empty()).then_some(givers)
        };
        if let Some(givers) = own.iter().map(givers).collect() {
            self.open.push((id, givers));
        }
    }

    /// Adds all resources of another part of the file.
    pub(super) fn append(&mut self, other: Self) {
        self.open.extend(other.open);
        self.kept.extend(other.kept);
    }

    /// Each resource with the first cause of its chain. Of a circle, the first resource by name follows from none.
    pub(super) fn finish(self, stack: &Stack) -> BTreeMap<ResourceId, ResourceId> {
        let Self { open, kept } = self;
        let gives = |giver: &&Giver| {
            let kept = giver.attribute.zip(kept.get(&giver.id));
            kept.is_none_or(|(attribute, kept)| kept.binary_search(&attribute).is_err())
        };
        let cause = |givers: &Vec<Giver>| {
            let ids = givers.iter().filter(gives).map(|giver| giver.id);
            first_by_name(stack, ids)
        };
        let direct = open.iter().filter_map(|(id, changes)| {
            let causes: Option<BTreeSet<ResourceId>> = changes.iter().map(cause).collect();
            Some((*id, first_by_name(stack, causes?)?))
        });
        settled(stack, &direct.collect())
    }
}

/// Leads each resource to the first cause of its chain.
pub(super) fn settled(
    stack: &Stack,
    direct: &BTreeMap<ResourceId, ResourceId>,
) -> BTreeMap<ResourceId, ResourceId> {
    let mut roots: HashMap<ResourceId, ResourceId> = HashMap::new();
    for id in direct.keys() {
        let (mut at, mut way, mut seen) = (*id, Vec::new(), HashSet::new());
        while !roots.contains_key(&at)
            && let Some(next) = direct.get(&at)
            && seen.insert(at)
        {
            way.push(at);
            at = *next;
        }
        let is_circle = seen.contains(&at);
        let circle = way.iter().copied().skip_while(|it| is_circle && *it != at);
        let root = match roots.get(&at) {
            Some(root) => *root,
            None if is_circle => first_by_name(stack, circle).unwrap_or(at),
            None => at,
        };
        roots.extend(way.into_iter().map(|it| (it, root)));
    }
    roots.into_iter().filter(|(id, root)| id != root).collect()
}

fn first_by_name(stack: &Stack, ids: impl IntoIterator<Item = ResourceId>) -> Option<ResourceId> {
    let mut ids = ids.into_iter();
    let first = ids.next()?;
    let Some(second) = ids.find(|id| *id != first) else {
        return Some(first);
    };
    [first, second]
        .into_iter()
        .chain(ids)
        .min_by_key(|id| (stack.identity(*id), *id))
}

fn hash(name: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::new().hash_one(name)
}
