//! Kinds of change: the changed resources of a plan in groups that can be read as one.
//!
//! A plan of 300 changes is often five: a new tag everywhere, a new image in one component, and three things of which each is
//! different. [`Kinds`] takes the changed resources one by one, in any order, and keeps hashes of their [leaves](super::leaves),
//! never values. [`Kinds::finish`] divides them:
//!
//! 1. Leaves without effect (formatting, the order of a policy) are set apart. So are values that become unknown because the
//!    resource is replaced. A resource with nothing else is in a group [`Shape::NoEffect`].
//! 2. A leaf change that [`MIN_COMMON`] resources share is common: place, old and new value, with indices generalised. A resource
//!    whose changes are all common, or all the same as those of another resource, is in a group [`Shape::Same`].
//! 3. The rest is grouped by type and changed places, even where values differ ([`Shape::Places`]). Only the changes that are not
//!    common count.
//! 4. A resource that comes, goes, is read or is moved is grouped by type ([`Shape::Whole`]). The deletions of a [retired](Retired)
//!    component are one group.
//! 5. A resource that is left is [alone](Kind::alone), with its own changes and the common ones.
//!
//! A kind names places by [`LeafPrint`]. The texts are read from a member: [`Kind::members`] are sorted by name, and the leaves
//! of the first one have the prints of the kind.
//!
//! # Laws
//!
//! 1. The kinds are a partition of the resources that were added as changed.
//! 2. The action, the places and the changes of a kind are those of each member.
//! 3. The own, common and set-apart leaves of a member together are all of its leaves.
//! 4. The result does not depend on the order in which resources are added.

mod odd;
mod print;
mod retired;
pub mod siblings;

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

pub use odd::{Difference, Odd};
pub use print::{Edit, LeafPrint, Print, pattern};
pub use retired::Retired;

use super::leaves::Leaf;
use crate::stack::{Action, ResourceId};

/// Number of resources that share a leaf change from which on it is common.
pub const MIN_COMMON: usize = 3;

/// Maximum number of leaves of one resource that are kept apart. The rest counts as one.
const MAX_LEAVES: usize = 4096;

/// A resource of a plan, as kinds see it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The resource.
    pub id: ResourceId,
    /// Its URN or address. It orders members.
    pub name: &'a str,
    /// Its type.
    pub ty: &'a str,
    /// The name that its siblings share: see [`siblings::family`].
    pub family: &'a str,
    /// The action on it.
    pub action: Action,
}

/// A group of changed resources, or one on its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Kind {
    /// The thing that the members share.
    pub shape: Shape,
    /// The action on each member.
    pub action: Action,
    /// The members, sorted by name.
    pub members: Vec<ResourceId>,
    /// The types of the members with the number of each, most frequent first.
    pub types: Vec<(Box<str>, usize)>,
    /// The changes that each member has.
    pub changes: Vec<Shared>,
    /// The common changes that some members have besides, with the number of members, most frequent first.
    pub also: Vec<(LeafPrint, usize)>,
    /// A measure of how rare the changes are in this plan. The oddest has the highest.
    pub rarity: u32,
    /// The retired component that the members are, in words.
    pub retired: Option<Arc<str>>,
}

/// The thing that the members of a kind share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// Exactly the same changes.
    Same,
    /// The type and the changed places.
    Places,
    /// The type and the action on the resource as a whole.
    Whole,
    /// Changes that have no effect.
    NoEffect,
}

/// A change that all members of a kind have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shared {
    /// The print in the first member.
    pub leaf: LeafPrint,
    /// True if the values are the same in all members.
    pub same_values: bool,
    /// True if the words that differ are the same in all members.
    pub same_edit: bool,
}

impl Kind {
    /// True if the kind is one resource that is not fully described by common changes.
    pub fn alone(&self) -> bool {
        self.members.len() == 1 && matches!(self.shape, Shape::Places | Shape::Whole)
    }
}

/// The kinds of change of a plan.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Partition {
    /// All kinds: groups first, largest first, then single resources, oddest first. Kinds without effect come last.
    pub kinds: Vec<Kind>,
    /// The siblings that do not change as all others of their kind, by name.
    pub odd: Vec<Odd>,
}

/// A resource with the hashes of its leaves.
#[derive(Clone, Debug)]
struct Member {
    id: ResourceId,
    name: Box<str>,
    ty: u32,
    family: Print,
    action: Action,
    /// Leaves with an effect, sorted, without repetition.
    leaves: Box<[LeafPrint]>,
    /// Leaves without effect, and those that follow from the replacement, sorted, without repetition.
    noise: Box<[LeafPrint]>,
}

/// Siblings that do not change.
#[derive(Clone, Default, Debug)]
struct Unchanged {
    count: usize,
    /// The first ones by name.
    first: Vec<(Box<str>, ResourceId)>,
}

/// The changed resources seen so far.
#[derive(Clone, Default, Debug)]
pub struct Kinds {
    members: Vec<Member>,
    /// By type and family.
    unchanged: BTreeMap<(u32, Print), Unchanged>,
    types: Vec<Box<str>>,
    type_numbers: HashMap<Box<str>, u32>,
}

impl Kinds {
    /// Adds a changed resource with all of its changed leaves.
    pub fn add(&mut self, subject: Subject<'_>, leaves: &[Leaf]) {
        let is_whole = is_whole(subject.action);
        let (mut own, mut noise) = (Vec::new(), Vec::new());
        // The values of a resource that comes or goes are no changes.
        let leaves = if is_whole { &[] } else { leaves };
        for leaf in leaves {
            let print = LeafPrint::of(leaf, &subject.name);
            if has_effect(subject.action, leaf) {
                own.push(print);
            } else {
                noise.push(print);
            }
        }
        if own.is_empty() && subject.action == Action::Replace {
            // A replacement has an effect, even if the file shows no cause.
            own.append(&mut noise);
        }
        let member = Member {
            id: subject.id,
            name: subject.name.into(),
            ty: self.type_number(subject.ty),
            family: Print::of(&subject.family),
            action: subject.action,
            leaves: sorted(own),
            noise: sorted(noise),
        };
        self.members.push(member);
    }

    /// Adds a resource that does not change, so that it can be found odd among siblings that do. Its action does not matter.
    pub fn add_unchanged(&mut self, subject: Subject<'_>) {
        let key = (self.type_number(subject.ty), Print::of(&subject.family));
        let unchanged = self.unchanged.entry(key).or_default();
        unchanged.count += 1;
        let place = unchanged
            .first
            .partition_point(|(name, id)| (&**name, *id) < (subject.name, subject.id));
        if place < odd::MAX_UNCHANGED {
            unchanged
                .first
                .insert(place, (subject.name.into(), subject.id));
            unchanged.first.truncate(odd::MAX_UNCHANGED);
        }
    }

    /// Adds all resources of another part of the file.
    pub fn append(&mut self, other: Self) {
        let numbers = other.types.iter().map(|ty| self.type_number(ty));
        let numbers: Vec<u32> = numbers.collect();
        let number = |ty: u32| numbers.get(ty as usize).copied().unwrap_or(ty);
        let members = other.members.into_iter().map(|member| Member {
            ty: number(member.ty),
            ..member
        });
        self.members.extend(members);
        for ((ty, family), unchanged) in other.unchanged {
            let own = self.unchanged.entry((number(ty), family)).or_default();
            own.count += unchanged.count;
            own.first.extend(unchanged.first);
            own.first.sort_unstable();
            own.first.truncate(odd::MAX_UNCHANGED);
        }
    }

    fn type_number(&mut self, ty: &str) -> u32 {
        if let Some(number) = self.type_numbers.get(ty) {
            return *number;
        }
        let number = u32::try_from(self.types.len()).unwrap_or(u32::MAX);
        self.types.push(ty.into());
        self.type_numbers.insert(ty.into(), number);
        number
    }

    /// Divides the resources into kinds.
    pub fn finish(mut self, retired: &Retired) -> Partition {
        self.members
            .sort_by(|one, other| one.name.cmp(&other.name).then(one.id.cmp(&other.id)));
        let changed: Vec<&Member> = self.members.iter().collect();
        let counts = Counts::of(&changed);
        let mut groups: BTreeMap<Key, Vec<&Member>> = BTreeMap::new();
        for member in &changed {
            groups
                .entry(self.key(member, &counts, retired))
                .or_default()
                .push(member);
        }
        let mut kinds: Vec<Kind> = groups
            .into_iter()
            .map(|(key, members)| self.kind(key, &members, &counts))
            .collect();
        let place: HashMap<ResourceId, usize> = changed.iter().map(|it| it.id).zip(0..).collect();
        kinds.sort_by_key(|kind| {
            let is_group = kind.members.len() > 1;
            let size = if is_group {
                kind.members.len()
            } else {
                kind.rarity as usize
            };
            let first = kind.members.first().and_then(|id| place.get(id)).copied();
            (
                kind.shape == Shape::NoEffect,
                !is_group,
                std::cmp::Reverse(size),
                first,
            )
        });
        let odd = odd::find(&changed, &self.unchanged);
        Partition { kinds, odd }
    }

    fn key(&self, member: &Member, counts: &Counts, retired: &Retired) -> Key {
        let type_name = |number: u32| self.types.get(number as usize).map_or("", |it| it);
        let retired = retired.component(member.id).cloned();
        let (shape, ty, print) = if retired.is_some() {
            (Shape::Whole, "", Print::of(&()))
        } else if is_whole(member.action) || member.is_bare() {
            (Shape::Whole, type_name(member.ty), Print::of(&()))
        } else if member.leaves.is_empty() {
            let places: Vec<Print> = member.noise.iter().map(|leaf| leaf.place).collect();
            (Shape::NoEffect, "", Print::of(&deduplicated(places)))
        } else if counts.is_shared(member) {
            (Shape::Same, "", member.changes())
        } else {
            let own = member.leaves.iter().filter(|leaf| !counts.is_common(leaf));
            let places: Vec<Print> = own.map(|leaf| leaf.place).collect();
            (
                Shape::Places,
                type_name(member.ty),
                Print::of(&deduplicated(places)),
            )
        };
        Key {
            shape,
            action: member.action,
            ty: ty.into(),
            print,
            retired,
        }
    }

    fn kind(&self, key: Key, members: &[&Member], counts: &Counts) -> Kind {
        let (shape, first) = (key.shape, members[0]);
        let leaves = first.leaves_of(shape);
        let edits_of = |member: &Member| -> HashSet<Print> {
            let leaves = member.leaves_of(shape).iter();
            leaves.map(|leaf| leaf.edit).collect()
        };
        let mut edits = edits_of(first);
        for member in &members[1..] {
            let own = edits_of(member);
            edits.retain(|edit| own.contains(edit));
        }
        let is_own = |leaf: &&LeafPrint| shape != Shape::Places || !counts.is_common(leaf);
        let changes = leaves.iter().filter(is_own).map(|leaf| Shared {
            leaf: *leaf,
            same_values: members
                .iter()
                .all(|member| member.leaves_of(shape).binary_search(leaf).is_ok()),
            same_edit: edits.contains(&leaf.edit),
        });
        let mut also: BTreeMap<LeafPrint, usize> = BTreeMap::new();
        let besides = members.iter().filter(|_| shape == Shape::Places);
        for leaf in besides.flat_map(|member| member.leaves.iter()) {
            if counts.is_common(leaf) {
                *also.entry(*leaf).or_default() += 1;
            }
        }
        let mut also: Vec<(LeafPrint, usize)> = also.into_iter().collect();
        also.sort_by_key(|(leaf, count)| (std::cmp::Reverse(*count), *leaf));
        let mut types: BTreeMap<&str, usize> = BTreeMap::new();
        for member in members {
            let ty = self.types.get(member.ty as usize).map_or("", |it| it);
            *types.entry(ty).or_default() += 1;
        }
        let mut types: Vec<(Box<str>, usize)> = types
            .into_iter()
            .map(|(ty, count)| (ty.into(), count))
            .collect();
        types.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Kind {
            shape,
            action: first.action,
            members: members.iter().map(|member| member.id).collect(),
            types,
            changes: changes.collect(),
            also,
            rarity: members
                .iter()
                .map(|member| counts.rarity(member))
                .max()
                .unwrap_or(0),
            retired: key.retired,
        }
    }
}

/// The facts that the members of one kind share.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    shape: Shape,
    action: Action,
    ty: Box<str>,
    print: Print,
    retired: Option<Arc<str>>,
}

impl Member {
    /// True if no leaf shows the change.
    fn is_bare(&self) -> bool {
        self.leaves.is_empty() && self.noise.is_empty()
    }

    /// The leaves that a kind of this shape speaks of.
    fn leaves_of(&self, shape: Shape) -> &[LeafPrint] {
        match shape {
            Shape::NoEffect => &self.noise,
            Shape::Same | Shape::Places | Shape::Whole => &self.leaves,
        }
    }

    /// The print of all changes with an effect.
    fn changes(&self) -> Print {
        let changes: Vec<Print> = self.leaves.iter().map(|leaf| leaf.change).collect();
        Print::of(&(self.action, deduplicated(changes)))
    }
}

/// True for an action that is about the resource as a whole.
fn is_whole(action: Action) -> bool {
    match action {
        Action::Create
        | Action::Delete
        | Action::Read
        | Action::Import
        | Action::Move
        | Action::Forget
        | Action::Defer => true,
        Action::Update | Action::Replace | Action::Noop => false,
    }
}

/// True for a change that means something to the provider, and is not a value that is unknown only because the resource is created
/// anew.
pub fn has_effect(action: Action, leaf: &Leaf) -> bool {
    let is_anew = action == Action::Replace && !leaf.replaces && leaf.after.is_computed();
    !leaf.is_without_effect() && !is_anew
}

fn sorted(mut leaves: Vec<LeafPrint>) -> Box<[LeafPrint]> {
    leaves.sort_unstable();
    leaves.dedup();
    if leaves.len() > MAX_LEAVES {
        let rest = leaves.split_off(MAX_LEAVES);
        let places: Vec<Print> = rest.iter().map(|leaf| leaf.place).collect();
        leaves.push(LeafPrint {
            place: Print::of(&places),
            change: Print::of(&rest),
            edit: Print::of(&rest),
        });
        leaves.sort_unstable();
    }
    leaves.into()
}

fn deduplicated(mut prints: Vec<Print>) -> Vec<Print> {
    prints.sort_unstable();
    prints.dedup();
    prints
}

/// Number of resources with each thing.
struct Counts {
    n_resources: usize,
    changes: HashMap<Print, usize>,
    places: HashMap<Print, usize>,
    /// By the print of all changes of a resource.
    wholes: HashMap<Print, usize>,
    types: HashMap<u32, usize>,
    actions: HashMap<Action, usize>,
}

impl Counts {
    fn of(members: &[&Member]) -> Self {
        let mut counts = Self {
            n_resources: members.len(),
            changes: HashMap::new(),
            places: HashMap::new(),
            wholes: HashMap::new(),
            types: HashMap::new(),
            actions: HashMap::new(),
        };
        for member in members {
            for leaf in &member.leaves {
                *counts.changes.entry(leaf.change).or_default() += 1;
            }
            // Leaves are sorted by place.
            for places in member
                .leaves
                .chunk_by(|one, other| one.place == other.place)
            {
                *counts.places.entry(places[0].place).or_default() += 1;
            }
            *counts.wholes.entry(member.changes()).or_default() += 1;
            *counts.types.entry(member.ty).or_default() += 1;
            *counts.actions.entry(member.action).or_default() += 1;
        }
        counts
    }

    fn is_common(&self, leaf: &LeafPrint) -> bool {
        self.changes
            .get(&leaf.change)
            .is_some_and(|count| *count >= MIN_COMMON)
    }

    /// True if the changes of a resource are all common, or exactly those of another resource.
    fn is_shared(&self, member: &Member) -> bool {
        member.leaves.iter().all(|leaf| self.is_common(leaf))
            || self
                .wholes
                .get(&member.changes())
                .is_some_and(|count| *count > 1)
    }

    /// The rarity of a change: the surprise of its rarest place, of its action and, by half, of its type.
    fn rarity(&self, member: &Member) -> u32 {
        let surprise =
            |count: Option<&usize>| surprise(count.copied().unwrap_or(1), self.n_resources);
        let places = member
            .leaves
            .iter()
            .map(|leaf| surprise(self.places.get(&leaf.place)));
        let (action, ty) = (self.actions.get(&member.action), self.types.get(&member.ty));
        places.max().unwrap_or(0) + surprise(action) + surprise(ty) / 2
    }
}

/// The surprise of a thing that `count` of `total` resources have, in quarters of a bit.
fn surprise(count: usize, total: usize) -> u32 {
    let to_the_fourth = |number: usize| {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        u128::from(number.max(1)).pow(4)
    };
    let ratio = to_the_fourth(total) / to_the_fourth(count);
    ratio.checked_ilog2().unwrap_or(0)
}

#[cfg(test)]
mod tests;
