//! Mechanisms: what deserves a look because of the structure of a plan, whatever the types of its resources.
//!
//! Rules know types and properties. A mechanism knows how the changes of a plan fit together: an object that stays and refers to
//! one that goes, a list that loses its last element, a value that looks like another environment's. Each mechanism is a file here.
//! It finds something in every changed resource, and at the end makes [`Notice`]s of all that it found; a few keep a state instead of a
//! list. Those that need no changed leaf keep nothing: at the end they ask the [`Reader`] for resources by type, and read these.
//! [`Mechanisms`] hands the resources to all of them, and [`Mechanisms::finish`] gives the notices.
//!
//! # Laws
//!
//! 1. The notices do not depend on the order in which resources are added, nor on how they are divided before a
//!    [merge](Mechanisms::append).
//! 2. A state keeps hashes, counts and short names of every resource. It keeps values only of the properties that it reports, each with
//!    its mask. All other texts of a notice are read again at the end.
//! 3. A notice never has the text of a masked value.

mod arguments;
mod bindings;
mod claims;
mod clear;
mod conditions;
mod covered;
mod documents;
mod drift;
mod guards;
mod itself;
mod last;
mod leftovers;
mod lookalikes;
mod marks;
mod neighbors;
mod off;
mod order;
mod parts;
mod passing;
mod places;
mod pods;
mod providers;
mod quorum;
mod redelivery;
mod repeats;
mod secrets;
mod selectors;
mod settings;
mod shared;
mod stops;
mod stream;
mod swaps;
mod tables;
mod ties;
mod twins;
mod unknown;
mod unlike;
mod wholes;
mod words;
mod zones;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::change::causes::Origin;
use crate::change::groups::grouped;
use crate::change::kinds::Components;
use crate::change::leaves::Leaf;
use crate::change::rules::{Finding, Level, Rules};
use crate::path::{Path, Segment};
use crate::stack::{Action, Mode, PathId, PropertySet, Resource, ResourceId, Section, Stack, When};
use crate::value::Value;

pub use arguments::repeat_in_words;
pub use documents::Documents;
pub use unknown::is_asked;

/// The name of the mechanisms that find one cause behind many changes.
const ONE_CAUSE: &str = "one-cause-for-many";

/// A changed resource, and what is known of its change.
#[derive(Clone, Copy)]
pub struct Seen<'s> {
    /// The stack.
    pub stack: &'s Stack,
    /// The resource.
    pub id: ResourceId,
    /// The action on it.
    pub action: Action,
    /// The resource.
    pub resource: &'s Resource,
    /// Its changed leaves.
    pub leaves: &'s [Leaf],
    /// The changed resources that its properties may take values from.
    pub origins: &'s dyn Fn() -> &'s [Origin],
    /// The rules.
    pub rules: &'s Rules,
    /// Their findings.
    pub found: &'s [Finding],
    /// Reads a resource as a whole; `None` if it cannot be read.
    pub read: &'s dyn Fn(ResourceId) -> Option<Resource>,
    /// The documents in its strings.
    pub documents: &'s Documents,
}

impl<'s> Seen<'s> {
    /// The changed leaves of its properties, without those of its options.
    fn properties(&self) -> impl Iterator<Item = &'s Leaf> + use<'s> {
        let leaves = self.leaves.iter();
        leaves.filter(|leaf| leaf.section != Section::Options)
    }

    /// True for a managed resource.
    fn is_managed(&self) -> bool {
        self.resource.mode == Mode::Managed
    }

    /// The value at a place, which may lead into the document in a string. `None` for a masked one.
    fn value_at(&self, when: When, section: Section, steps: &[Segment]) -> Option<Value> {
        let set = PropertySet { when, section };
        self.documents.value_at(self.resource, set, steps)
    }

    /// True if the plan gives a resource values.
    fn sets_values(&self) -> bool {
        matches!(
            self.action,
            Action::Create | Action::Update | Action::Replace
        )
    }

    /// True if the plan gives an object that is there other values.
    fn changes_values(&self) -> bool {
        matches!(self.action, Action::Update | Action::Replace)
    }
}

/// A finding of a mechanism.
#[derive(Clone, PartialEq, Debug)]
pub struct Notice {
    /// The weight.
    pub level: Level,
    /// The name of the mechanism.
    pub mechanism: &'static str,
    /// The resources that it speaks of, sorted by name.
    pub ids: Vec<ResourceId>,
    /// The sentence. It may hold names of the file.
    pub says: String,
    /// The places that it means.
    pub facts: Vec<Fact>,
    /// True if a rule that speaks of the same places says it all.
    pub yields: bool,
    /// True if it answers what rules say of its places, so that nothing is left of that.
    pub answers: bool,
    /// The changed resource of whose story it is a part, if that is none of those it speaks of.
    pub root: Option<ResourceId>,
}

impl Notice {
    /// A notice of a mechanism that says nothing yet.
    pub fn new(level: Level, mechanism: &'static str) -> Self {
        Self {
            level,
            mechanism,
            ids: Vec::new(),
            says: String::new(),
            facts: Vec::new(),
            yields: false,
            answers: false,
            root: None,
        }
    }

    /// A notice of a resource.
    fn about(
        id: ResourceId,
        level: Level,
        mechanism: &'static str,
        says: impl Into<String>,
    ) -> Self {
        Self {
            ids: vec![id],
            says: says.into(),
            ..Self::new(level, mechanism)
        }
    }

    /// A notice of a place.
    fn at(fact: Fact, level: Level, mechanism: &'static str, says: impl Into<String>) -> Self {
        Self::about(fact.id, level, mechanism, says).with([fact])
    }

    /// A notice of several resources.
    fn of_all(
        stack: &Stack,
        ids: impl IntoIterator<Item = ResourceId>,
        level: Level,
        mechanism: &'static str,
        says: impl Into<String>,
    ) -> Self {
        Self {
            ids: stack.by_name(ids),
            says: says.into(),
            ..Self::new(level, mechanism)
        }
    }

    /// A notice that answers what rules say of a place.
    fn answer(fact: Fact, level: Level, mechanism: &'static str, says: String) -> Self {
        Self {
            answers: true,
            ..Self::at(fact, level, mechanism, says)
        }
    }

    /// A notice of places, and so of their resources.
    fn of(
        stack: &Stack,
        facts: Vec<Fact>,
        level: Level,
        mechanism: &'static str,
        says: impl Into<String>,
    ) -> Self {
        let ids = facts.iter().map(|fact| fact.id);
        Self::of_all(stack, ids, level, mechanism, says).with(facts)
    }

    /// The notice with the places that it means.
    fn with(self, facts: impl IntoIterator<Item = Fact>) -> Self {
        Self {
            facts: facts.into_iter().collect(),
            ..self
        }
    }

    /// True for one cause behind many changes.
    pub fn is_cause(&self) -> bool {
        let is_own = [stream::LEFT_BEHIND, secrets::NAME].contains(&self.mechanism);
        self.level == Level::Note && self.ids.len() > 1 && !is_own
    }

    /// True for a notice about a value that is not known before the apply.
    pub fn is_about_unknown(&self) -> bool {
        self.mechanism == unknown::NAME
    }
}

/// A place that a notice means.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// The resource.
    pub id: ResourceId,
    /// The property; the root for the resource itself.
    pub path: Path,
    /// The value before, masked where it is secret; `None` if it says nothing.
    pub before: Option<Value>,
    /// The value after, masked where it is secret; `None` if it says nothing.
    pub after: Option<Value>,
    /// More about it, "" if there is nothing.
    pub note: String,
}

impl Fact {
    /// A place, of whose values nothing is said.
    pub fn at(id: ResourceId, path: Path) -> Self {
        Self {
            id,
            path,
            before: None,
            after: None,
            note: String::new(),
        }
    }

    /// A place with the value after the plan.
    fn now(id: ResourceId, path: Path, after: Value) -> Self {
        Self {
            after: Some(after),
            ..Self::at(id, path)
        }
    }

    /// A change of values.
    pub fn change(id: ResourceId, path: Path, before: &Value, after: &Value) -> Self {
        Self {
            before: Some(before.clone()),
            ..Self::now(id, path, after.clone())
        }
    }

    /// The change of a leaf.
    fn of(id: ResourceId, leaf: &Leaf) -> Self {
        Self::change(id, leaf.path.clone(), &leaf.before, &leaf.after)
    }

    /// The new value of a leaf, beside the one before if there was one.
    fn new_value(id: ResourceId, leaf: &Leaf) -> Self {
        Self {
            before: Some(leaf.before.clone()).filter(|it| !it.is_null()),
            ..Self::now(id, leaf.path.clone(), leaf.after.clone())
        }
    }

    fn with_note(self, note: String) -> Self {
        Self { note, ..self }
    }
}

/// Maximum number of resources of one type and id that are looked at.
const MAX_SAME: usize = 64;

/// Access to all resources of the file, changed or not.
pub struct Reader<'r> {
    /// The stack.
    pub stack: &'r Stack,
    /// The rules.
    pub rules: &'r Rules,
    /// Reads a resource; `None` if it cannot be read.
    pub read: &'r (dyn Fn(ResourceId) -> Option<Resource> + Sync),
    /// Passes the bytes of resources on, of those that can be read.
    pub each_bytes: &'r EachBytes<'r>,
    /// Divides resources into pieces and does the work on them on all cores, in any order, until nobody waits for the answer.
    pub on_workers: &'r dyn Fn(&[ResourceId], &Work<'_>),
    /// True as soon as nobody waits for the answer.
    pub is_cancelled: &'r dyn Fn() -> bool,
    /// The components that the plan deletes whole.
    pub gone: &'r Components,
    /// The resources by type, without those that are listed for their drift; found when a mechanism first asks.
    pub by_type: OnceLock<BTreeMap<&'r str, Vec<ResourceId>>>,
}

impl<'r> Reader<'r> {
    /// The resources by type, in the order of the file.
    fn by_type(&self) -> &BTreeMap<&'r str, Vec<ResourceId>> {
        self.by_type.get_or_init(|| {
            let stack = self.stack;
            let ids = stack.ids().filter(|id| !stack.record(*id).flags.is_drift());
            grouped(ids.map(|id| (stack.ty(id), id)))
        })
    }

    /// The resources of a type that stay as they are, in the order of the file.
    fn unchanged(&self, ty: &str) -> impl Iterator<Item = ResourceId> {
        let ids = self.by_type().get(ty).into_iter().flatten().copied();
        ids.filter(|id| is_unchanged(self.stack, *id))
    }

    /// The resources that are meant, of types that are, in the order of the file.
    fn of_types(
        &self,
        is_type: impl Fn(&str) -> bool,
        is_meant: impl Fn(ResourceId) -> bool,
    ) -> Vec<ResourceId> {
        let types = self.by_type().iter().filter(|(ty, _)| is_type(ty));
        let ids = types.flat_map(|(_, ids)| ids).copied();
        let mut ids: Vec<ResourceId> = ids.filter(|id| is_meant(*id)).collect();
        ids.sort_unstable();
        ids
    }

    /// The managed resources of some types to which the plan does one of these, in the order of the file.
    fn changed(&self, actions: &[Action], is_type: impl Fn(&str) -> bool) -> Vec<ResourceId> {
        let stack = self.stack;
        self.of_types(is_type, |id| {
            let action = stack.effect(id);
            action.is_some_and(|it| actions.contains(&it)) && stack.mode(id) == Mode::Managed
        })
    }

    /// The shapes of resources that have a property with a name that is meant.
    fn shapes(&self, is_meant: impl Fn(&str) -> bool) -> HashSet<u32> {
        let tables = &self.stack.tables;
        let is_meant = |segment: &Option<Segment>| match segment {
            Some(Segment::Key(key)) => is_meant(key),
            Some(Segment::Index(_)) | None => false,
        };
        let paths: Vec<bool> = tables
            .paths
            .iter()
            .map(|it| is_meant(&it.segment))
            .collect();
        let is_on = |path: PathId| paths.get(path.0 as usize).copied().unwrap_or_default();
        let shapes = tables.shapes.iter().zip(0_u32..);
        let meant = shapes.filter(|(shape, _)| shape.clone().any(is_on));
        meant.map(|(_, number)| number).collect()
    }

    /// The resources of these types and ids that are meant, by both, the first ones in the order of the file.
    fn with_ids<'t>(
        &self,
        keys: impl IntoIterator<Item = (&'t str, &'t str)>,
        is_meant: impl Fn(ResourceId) -> bool,
    ) -> HashMap<(&'t str, &'t str), Vec<ResourceId>>
    where
        'r: 't,
    {
        let keys = keys.into_iter().filter(|(_, text)| !text.is_empty());
        let mut found: HashMap<(&str, &str), Vec<ResourceId>> =
            keys.map(|key| (key, Vec::new())).collect();
        if found.is_empty() {
            return found;
        }
        for id in self.stack.ids() {
            let key = (self.stack.ty(id), self.stack.compared_id(id));
            if let Some(ids) = found.get_mut(&key)
                && ids.len() < MAX_SAME
                && is_meant(id)
            {
                ids.push(id);
            }
        }
        found
    }

    /// The resources of these that can be read, until nobody waits for the answer.
    fn each(
        &self,
        ids: impl IntoIterator<Item = ResourceId>,
    ) -> impl Iterator<Item = (ResourceId, Resource)> {
        let ids = ids.into_iter().take_while(|_| !(self.is_cancelled)());
        ids.filter_map(|id| Some((id, (self.read)(id)?)))
    }

    /// At most `max` of the resources of some types that can be read: those that the plan leaves as `are` says.
    fn some(
        &self,
        max: usize,
        are: fn(&Stack, ResourceId) -> bool,
        is_type: impl Fn(&str) -> bool,
    ) -> Vec<(ResourceId, Resource)> {
        let ids = self.of_types(is_type, |id| are(self.stack, id));
        self.each(ids.into_iter().take(max)).collect()
    }

    /// The things that `find` finds in resources, on all cores. Those of one resource stay in their order.
    fn gather<T: Send>(
        &self,
        ids: &[ResourceId],
        find: impl Fn(&[ResourceId]) -> Vec<T> + Sync,
    ) -> Vec<T> {
        let all = Mutex::new(Vec::new());
        (self.on_workers)(ids, &|ids| {
            let own = find(ids);
            all.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend(own);
        });
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The resources of these whose bytes are meant, in the order of the file.
    fn with_bytes(
        &self,
        ids: &[ResourceId],
        is_meant: impl Fn(ResourceId, &[u8]) -> bool + Sync,
    ) -> Vec<ResourceId> {
        let each_bytes = self.each_bytes;
        let mut all = self.gather(ids, |ids| {
            let mut own = Vec::new();
            each_bytes(ids, &mut |id, bytes| {
                own.extend(is_meant(id, bytes).then_some(id));
            });
            own
        });
        all.sort_unstable();
        all
    }
}

/// Passes the bytes of some resources on, one after the other.
pub type EachBytes<'e> = dyn Fn(&[ResourceId], &mut dyn FnMut(ResourceId, &[u8])) + Sync + 'e;

/// Work on a piece of the resources.
pub type Work<'w> = dyn Fn(&[ResourceId]) + Sync + 'w;

/// The mechanisms to which one resource shows all.
const OF_ONE: [fn(&Seen<'_>) -> Vec<Notice>; 10] = [
    conditions::notices,
    guards::notices,
    itself::notices,
    last::emptied,
    order::notices,
    quorum::notices,
    settings::notices,
    shared::of_provider,
    stops::of_one,
    swaps::inside,
];

/// The mechanisms that ask for changed resources and their neighbors at the end.
const QUERIES: [fn(&Reader<'_>) -> Vec<Notice>; 5] = [
    bindings::notices,
    claims::notices,
    leftovers::notices,
    pods::notices,
    unlike::notices,
];

/// Declares the states of all mechanisms, and what is done with each of them. The state of a list is what it finds in each
/// resource. Any other state has a life of its own.
macro_rules! mechanisms {
    (lists { $($list:ident: $Item:ident,)+ } states { $($name:ident: $State:ident,)+ }) => {
        /// The states of all mechanisms.
        #[derive(Clone, Default, Debug)]
        pub struct Mechanisms {
            wholes: Vec<wholes::Gone>,
            twins: twins::Twins,
            off: Vec<off::Idle>,
            /// The notices about what a resource shows alone.
            of_one: Vec<Notice>,
            $($list: Vec<$list::$Item>,)+
            $($name: $name::$State,)+
        }

        impl Mechanisms {
            /// Adds a changed resource. The differences between two files are no plan, and have no notices.
            pub fn add(&mut self, seen: &Seen<'_>) {
                if seen.stack.is_comparison {
                    return;
                }
                self.wholes.extend(wholes::find(seen));
                self.twins.add(seen);
                self.off.extend(off::find(seen));
                self.of_one.extend(OF_ONE.iter().flat_map(|notices| notices(seen)));
                $(self.$list.extend($list::find(seen));)+
                $(self.$name.add(seen);)+
            }

            /// Adds the resources that `other` has seen.
            pub fn append(&mut self, other: Self) {
                self.wholes.extend(other.wholes);
                self.twins.merge(other.twins);
                self.off.extend(other.off);
                self.of_one.extend(other.of_one);
                $(self.$list.extend(other.$list);)+
                $(self.$name.merge(other.$name);)+
            }

            /// Ends the pass over the changed resources, and reads others where a mechanism needs them.
            pub fn finish(self, reader: &Reader<'_>) -> Outcome {
                if reader.stack.is_comparison {
                    return Outcome::default();
                }
                let (mut unimportant, mut notices) = self.twins.finish(reader);
                unimportant.extend(wholes::parts(&self.wholes));
                // The note that something is off already is for a resource of which nothing else is known yet.
                let mut off = off::notices(self.off, reader);
                off.retain(|notice| !unimportant.contains(&notice.ids[0]));
                let idle: BTreeSet<ResourceId> = off.iter().map(|notice| notice.ids[0]).collect();
                let along = wholes::companions(reader.stack, reader.gone, &idle);
                // A resource that goes with all of a component has nobody left whose traffic is refused.
                notices.retain(|it| it.level == Level::Note || !along.contains(&it.ids[0]));
                unimportant.extend(along);
                notices.extend(wholes::unneeded(reader, &self.wholes, &unimportant, &idle));
                unimportant.extend(idle);
                notices.extend(off);
                notices.extend(self.of_one);
                notices.extend(QUERIES.iter().flat_map(|notices| notices(reader)));
                $(notices.extend($list::notices(self.$list, reader));)+
                $(notices.extend(self.$name.finish(reader));)+
                Outcome::new(reader.stack, notices, unimportant)
            }
        }
    };
}

mechanisms! {
    lists {
        unknown: Open,
        secrets: Changed,
        clear: Found,
        zones: Copy,
        last: Part,
        covered: Gone,
        stops: Claim,
        swaps: Moved,
        drift: Drifted,
        lookalikes: Alike,
        providers: Moved,
        passing: Moved,
        redelivery: Timed,
        stream: Step,
        neighbors: Changed,
    }
    states {
        ties: Ties,
        repeats: Repeats,
        marks: Marks,
        shared: Shared,
        selectors: Selectors,
    }
}

/// The findings of the mechanisms.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Outcome {
    /// The notices, the heaviest first, then by resource.
    pub notices: Vec<Notice>,
    /// The resources whose loss means little: parts of other deleted ones, permissions with an equal one that stays, and resources
    /// that go or are replaced and are off already. An alarm about one of them as a whole is dropped.
    pub unimportant: BTreeSet<ResourceId>,
}

impl Outcome {
    /// The findings in their order, which does not depend on that of the file.
    fn new(stack: &Stack, mut notices: Vec<Notice>, unimportant: BTreeSet<ResourceId>) -> Self {
        notices.sort_by_cached_key(|it| {
            let first = it.ids.first().map(|id| (stack.identity(*id), *id));
            let place = it.facts.first().map(|fact| fact.path.clone());
            (it.level, first, it.mechanism, it.says.clone(), place)
        });
        Self {
            notices,
            unimportant,
        }
    }
}

/// The last place that the configuration shows for a change of a resource: an argument of Terraform, or a setting of Pulumi.
pub fn root_of_change(stack: &Stack, id: ResourceId, leaf: &Leaf) -> Option<String> {
    match stack.address(id) {
        Some(address) => arguments::root_in_words(stack, address, &leaf.path, Some(&leaf.after)),
        None => settings::in_words(stack, id, leaf),
    }
}

/// The notices of one resource, each place once: Pulumi has a property among the inputs and among the outputs.
fn once(notices: impl Iterator<Item = Notice>) -> Vec<Notice> {
    let mut all: Vec<Notice> = Vec::new();
    for notice in notices {
        let path = |it: &Notice| it.facts.first().map(|fact| fact.path.clone());
        let is_known = |it: &Notice| it.says == notice.says && path(it) == path(&notice);
        if !all.iter().any(is_known) {
            all.push(notice);
        }
    }
    all
}

/// True if the plan leaves the object of a record in place, perhaps with another name or other values.
fn stays(stack: &Stack, id: ResourceId) -> bool {
    let record = stack.record(id);
    let goes = matches!(
        record.action,
        Some(Action::Delete | Action::Forget | Action::Replace)
    );
    !goes && !record.flags.is_drift()
}

/// True if an object is there after the plan, whether it stays or comes.
fn is_there(stack: &Stack, id: ResourceId) -> bool {
    let record = stack.record(id);
    let goes = matches!(record.action, Some(Action::Delete | Action::Forget));
    !goes && !record.flags.is_drift()
}

/// True if the plan leaves a resource as it is.
fn is_unchanged(stack: &Stack, id: ResourceId) -> bool {
    let record = stack.record(id);
    matches!(record.action, None | Some(Action::Noop)) && !record.flags.is_drift()
}
