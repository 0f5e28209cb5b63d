//! Identity shifts: a deletion and a creation that are one thing under another name.
//!
//! A resource that was renamed, moved to another module or parent, or whose key was respelled is deleted and created anew, unless the
//! program says that it is the same. [`Pairs`] takes the changed resources one by one and keeps names and hashes, never values.
//! [`Pairs::finish`] finds:
//!
//! - deletions and creations of one type with the same name at the provider, or nearly the same properties;
//! - the modules and components whose resources all moved to another one, or that come with nearly the same name and the same parts;
//! - instances of one `count` that each become what their neighbor was, because an element left or joined the list;
//! - two resources that swap places.
//!
//! # Laws
//!
//! 1. A resource is in at most one shift.
//! 2. Both sides of a pair have one type.
//! 3. The result does not depend on the order in which resources are added.
//! 4. Cost is near linear: a property that many resources share pairs none of them.

mod group;
mod lists;
mod sketch;
mod slide;
mod whole;

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};

use crate::change::groups::counted;
use crate::change::rules::Level;
use crate::stack::{Action, Mode, Resource, ResourceId, State};
use crate::terraform::address::{ObjectName, module_of, parent_module};
pub use lists::joined;
use sketch::Sketch;
use slide::Form;
pub use slide::Slide;

/// Minimum share of properties that both sides have, in percent, for a pair without a common name at the provider.
const MIN_LIKE: u32 = 80;

/// Minimum share for a pair with a common name.
const MIN_LIKE_WITH_NAME: u32 = 30;

/// Maximum number of resources on one side with a property by which they are paired.
const MAX_SHARED: usize = 3;

/// Minimum number of properties of a pair without a common name.
const MIN_PROPERTIES: usize = 2;

/// Maximum number of resources of one type on either side that are all compared with each other.
const FEW: usize = 32;

/// A thing that changes its identity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shift {
    /// The difference between the two names.
    pub kind: ShiftKind,
    /// The resources, sorted by name: for each the one that goes and the one that comes.
    pub pairs: Vec<Pair>,
    /// The moves that make it one thing again, as `from` and `to`: addresses, or URNs.
    pub moves: Vec<(String, String)>,
    /// The weight and the sentence of a shift that deserves a look before everything else.
    pub alarm: Option<(Level, String)>,
}

impl Shift {
    /// A shift that no sentence is said about.
    fn quiet(kind: ShiftKind, pairs: Vec<Pair>, moves: Vec<(String, String)>) -> Self {
        Self {
            kind,
            pairs,
            moves,
            alarm: None,
        }
    }
}

/// A deletion and a creation that are one thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pair {
    /// The resource that goes.
    pub gone: ResourceId,
    /// The resource that comes.
    pub new: ResourceId,
    /// The reason to take them for one thing.
    pub evidence: Evidence,
}

/// The reason to take two resources for one thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Evidence {
    /// The same id, name or ARN at the provider.
    Name,
    /// The share of properties that are the same, in percent.
    Properties(u32),
    /// The same place in a module or component of which all parts have the same types and names.
    Place,
}

/// The difference between the names of two resources that are one thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ShiftKind {
    /// Another name.
    Renamed,
    /// Another key of `count` or `for_each`.
    Key,
    /// Another module or parent.
    Parent,
    /// A module or component as a whole has another name.
    Container,
    /// The instances of a `count` slid by some places.
    Slide(Slide),
    /// Two resources swap places.
    Swap,
}

impl ShiftKind {
    /// The name of the mechanism that finds it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Renamed | Self::Key | Self::Parent | Self::Container => "identity-shift",
            Self::Slide(_) => "list-slides",
            Self::Swap => "names-swapped",
        }
    }

    /// The words beside a shift.
    pub fn words(self) -> &'static str {
        match self {
            Self::Renamed => "another name",
            Self::Key => "another key",
            Self::Parent => "another module or parent",
            Self::Container => "a module or component with another name",
            Self::Slide(Slide::Out(_)) => "the list slides, because an element left it",
            Self::Slide(Slide::In(_)) => "the list slides, because an element joined it",
            Self::Swap => "two that swap places",
        }
    }
}

/// One side of a possible pair.
#[derive(Clone, Debug)]
struct Side {
    id: ResourceId,
    name: Box<str>,
    ty: Box<str>,
    /// The URN of the parent. Pulumi only.
    parent: Option<Box<str>>,
    sketch: Sketch,
}

/// The changed resources seen so far.
#[derive(Clone, Default, Debug)]
pub struct Pairs {
    gone: Vec<Side>,
    new: Vec<Side>,
    /// By the name without its number: instances with a number, before and after the change.
    instances: HashMap<(Box<str>, Form), BTreeMap<u64, slide::Member>>,
    /// The modules that hold something before and after the change.
    kept_modules: HashSet<Box<str>>,
    /// The addresses without their last key of which an instance is there before and after the change.
    kept_stems: HashSet<Box<str>>,
    /// The resources that a program moved, with the names before.
    moved: Vec<(ResourceId, Box<str>, Box<str>)>,
}

impl Pairs {
    /// Adds a changed resource; `name` is its address or URN.
    pub fn add(&mut self, id: ResourceId, name: &str, resource: &Resource) {
        let Some(change) = &resource.change else {
            return;
        };
        let is_object = matches!(resource.mode, Mode::Managed | Mode::Component);
        if !is_object || ObjectName::parse(name).deposed.is_some() && resource.address.is_some() {
            return;
        }
        if let Some(previous) = change.previous_address.as_deref().filter(|it| *it != name) {
            self.moved.push((id, name.into(), previous.into()));
            return;
        }
        let side = |state: &Option<State>| Side {
            id,
            name: name.into(),
            ty: resource.ty.as_str().into(),
            parent: resource
                .parent
                .as_deref()
                .filter(|_| resource.address.is_none())
                .map(Into::into),
            sketch: Sketch::of(resource, state.as_ref()),
        };
        if resource.before.is_some() && resource.after.is_some() && resource.address.is_some() {
            self.keep(name);
        }
        match change.action {
            Action::Delete | Action::Forget => self.gone.push(side(&resource.before)),
            Action::Create => self.new.push(side(&resource.after)),
            Action::Update
            | Action::Replace
            | Action::Read
            | Action::Import
            | Action::Move
            | Action::Defer
            | Action::Noop => {}
        }
        if let Some((stem, form, number)) = instance(name, resource) {
            let member = slide::Member::of(id, change.action, resource);
            self.add_instance((stem.into(), form), number, member);
        }
    }

    /// Adds the name of a resource that stays, changed or not: its modules keep their names.
    pub fn keep(&mut self, name: &str) {
        if let Some((stem, _)) = group::keyed(name)
            && !self.kept_stems.contains(stem)
        {
            self.kept_stems.insert(stem.into());
        }
        let mut module = module_of(name);
        while !module.is_empty() && self.kept_modules.insert(module.into()) {
            module = parent_module(module).unwrap_or_default();
        }
    }

    /// Adds all resources of another part of the file.
    pub fn append(&mut self, other: Self) {
        self.gone.extend(other.gone);
        self.new.extend(other.new);
        self.moved.extend(other.moved);
        self.kept_modules.extend(other.kept_modules);
        self.kept_stems.extend(other.kept_stems);
        for (list, instances) in other.instances {
            for (number, instance) in instances {
                self.add_instance(list.clone(), number, instance);
            }
        }
    }

    /// Of two instances with one name, the one with the smaller id counts.
    fn add_instance(&mut self, list: (Box<str>, Form), number: u64, member: slide::Member) {
        let members = self.instances.entry(list).or_default();
        match members.get_mut(&number) {
            Some(known) if known.id <= member.id => {}
            Some(known) => *known = member,
            None => _ = members.insert(number, member),
        }
    }

    /// The shifts, sorted by kind and name. `read` reads the instances of a list that may have slid; `None` if one cannot be read.
    pub fn finish(mut self, read: &dyn Fn(ResourceId) -> Option<Resource>) -> Vec<Shift> {
        let by_name =
            |one: &Side, other: &Side| one.name.cmp(&other.name).then(one.id.cmp(&other.id));
        self.gone.sort_by(by_name);
        self.new.sort_by(by_name);
        self.moved
            .sort_by(|one, other| (&one.1, one.0).cmp(&(&other.1, other.0)));
        let mut taken: HashSet<ResourceId> = HashSet::new();
        let mut shifts = swaps(&self.moved);
        for ((stem, form), members) in &self.instances {
            if let Some(shift) = slide::find((stem, *form), members, read) {
                taken.extend(members.values().map(|member| member.id));
                shifts.push(shift);
            }
        }
        self.gone.retain(|side| !taken.contains(&side.id));
        self.new.retain(|side| !taken.contains(&side.id));
        shifts.extend(group::shifts(&self));
        shifts.sort_by(|one, other| (one.kind, &one.moves).cmp(&(other.kind, &other.moves)));
        shifts
    }

    /// The pairs, as indices into both sides.
    fn matches(&self) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        let shared = shared(&self.gone, &self.new);
        for (new, side) in self.new.iter().enumerate() {
            let mut tried: HashSet<usize> = HashSet::new();
            for feature in side.sketch.all() {
                let Some(gone) = shared.get(&(&*side.ty, feature)) else {
                    continue;
                };
                for gone in gone {
                    if tried.insert(*gone) {
                        found.extend(self.judge(*gone, new));
                    }
                }
            }
        }
        found.extend(self.few());
        found.extend(whole::matches(self));
        // The best ones first. A resource is in one pair only.
        found.sort_by_key(|it| (std::cmp::Reverse(it.rank()), it.gone, it.new));
        let (mut gone, mut new) = (HashSet::new(), HashSet::new());
        found.retain(|it| {
            let is_open = !gone.contains(&it.gone) && !new.contains(&it.new);
            if is_open {
                gone.insert(it.gone);
                new.insert(it.new);
            }
            is_open
        });
        found.sort_by_key(|it| (it.gone, it.new));
        self.without_strangers(found)
    }

    /// The pairs without those that only look alike: if a component or module goes and another one comes, their parts are pairs only if
    /// at least half of the parts are. A service that retires and a new one have a policy alike.
    fn without_strangers(&self, mut found: Vec<Match>) -> Vec<Match> {
        let (going, coming) = (self.wholes(&self.gone), self.wholes(&self.new));
        let n_parts = counted(going.iter().flatten().copied());
        let between = |it: &Match| Some((going[it.gone]?, coming[it.new]?));
        let n_pairs = counted(found.iter().filter_map(between));
        found.retain(|it| {
            let Some(wholes) = between(it) else {
                return true;
            };
            let n_parts = n_parts.get(wholes.0).copied().unwrap_or_default();
            let is_named = it.evidence == Evidence::Name && it.like >= MIN_LIKE;
            is_named || n_pairs[&wholes] * 2 >= n_parts
        });
        found
    }

    /// For each resource of one side the component or module around it, if that is on the same side alone.
    fn wholes<'s>(&self, sides: &'s [Side]) -> Vec<Option<&'s str>> {
        let names: HashSet<&str> = sides.iter().map(|side| &*side.name).collect();
        let of = |side: &'s Side| match side.parent.as_deref() {
            Some(parent) => Some(parent).filter(|parent| names.contains(parent)),
            None => Some(module_of(&side.name))
                .filter(|module| !module.is_empty() && !self.kept_modules.contains(*module)),
        };
        sides.iter().map(of).collect()
    }

    /// All pairs of the types of which there are few resources.
    fn few(&self) -> Vec<Match> {
        let mut types: BTreeMap<&str, [Vec<usize>; 2]> = BTreeMap::new();
        for (side, list) in [&self.gone, &self.new].into_iter().enumerate() {
            for (place, it) in list.iter().enumerate() {
                types.entry(&it.ty).or_default()[side].push(place);
            }
        }
        let is_few = |[gone, new]: &[Vec<usize>; 2]| gone.len() <= FEW && new.len() <= FEW;
        let few = types.into_values().filter(is_few);
        let pairs = few.flat_map(|[gone, new]| {
            let of = move |one: usize| new.clone().into_iter().map(move |other| (one, other));
            gone.into_iter().flat_map(of)
        });
        pairs
            .filter_map(|(gone, new)| self.judge(gone, new))
            .collect()
    }

    fn judge(&self, gone: usize, new: usize) -> Option<Match> {
        let (old, side) = (&self.gone[gone], &self.new[new]);
        let like = old.sketch.like(&side.sketch);
        // Two things that are known to be called differently are two, however alike they are.
        if !old.sketch.shares_id(&side.sketch) && old.sketch.contradicts(&side.sketch) {
            return None;
        }
        let has_name = old.sketch.shares_name(&side.sketch);
        let is_like = like >= MIN_LIKE && old.sketch.shares_text(&side.sketch);
        let evidence = if has_name && like >= MIN_LIKE_WITH_NAME {
            Evidence::Name
        } else if is_like && side.sketch.len() >= MIN_PROPERTIES {
            Evidence::Properties(like)
        } else {
            return None;
        };
        Some(self.matched(gone, new, like, evidence))
    }

    fn matched(&self, gone: usize, new: usize, like: u32, evidence: Evidence) -> Match {
        let (old, side) = (&self.gone[gone].name, &self.new[new].name);
        Match {
            gone,
            new,
            like,
            likeness: common_prefix(old, side) + common_suffix(old, side),
            evidence,
        }
    }
}

/// A pair that may be one thing.
struct Match {
    gone: usize,
    new: usize,
    like: u32,
    /// Number of bytes at both ends of the names that are the same.
    likeness: usize,
    evidence: Evidence,
}

impl Match {
    fn rank(&self) -> (bool, u32, usize) {
        (self.evidence == Evidence::Name, self.like, self.likeness)
    }
}

/// The resources that go, by their type and each property that few resources have.
fn shared<'s>(gone: &'s [Side], new: &'s [Side]) -> HashMap<(&'s str, u64), Vec<usize>> {
    let features = |side: &'s Side| side.sketch.all().map(|feature| (&*side.ty, feature));
    let counts = counted(new.iter().flat_map(features));
    let mut shared: HashMap<(&str, u64), Vec<usize>> = HashMap::new();
    for (place, side) in gone.iter().enumerate() {
        for key in features(side) {
            if counts.get(&key).is_some_and(|count| *count <= MAX_SHARED) {
                let places = shared.entry(key).or_default();
                // One more than allowed marks a property that many have.
                if places.len() <= MAX_SHARED {
                    places.push(place);
                }
            }
        }
    }
    shared.retain(|_, places| places.len() <= MAX_SHARED);
    shared
}

fn common_prefix(one: &str, other: &str) -> usize {
    one.bytes()
        .zip(other.bytes())
        .take_while(|(one, other)| one == other)
        .count()
}

fn common_suffix(one: &str, other: &str) -> usize {
    let pairs = one.bytes().rev().zip(other.bytes().rev());
    pairs.take_while(|(one, other)| one == other).count()
}

/// The name of an instance without its number, the place of the number, and the number.
fn instance<'n>(name: &'n str, resource: &Resource) -> Option<(&'n str, Form, u64)> {
    if resource.address.is_none() {
        let stem = name.trim_end_matches(|char: char| char.is_ascii_digit());
        return Some((stem, Form::Suffix, plain_number(&name[stem.len()..])?));
    }
    let (stem, key) = group::keyed(ObjectName::parse(name).address)?;
    let key = &key[1..key.len() - 1];
    let text = key.strip_prefix('"').and_then(|key| key.strip_suffix('"'));
    let form = if text.is_some() {
        Form::Key
    } else {
        Form::Index
    };
    Some((stem, form, plain_number(text.unwrap_or(key))?))
}

/// A number without zeros in front of it, which a list would not write.
fn plain_number(text: &str) -> Option<u64> {
    let is_plain = text == "0" || !text.starts_with('0');
    text.parse().ok().filter(|_| is_plain)
}

/// The pairs of resources of which each has the former name of the other.
fn swaps(moved: &[(ResourceId, Box<str>, Box<str>)]) -> Vec<Shift> {
    let by_name: BTreeMap<&str, (ResourceId, &str)> = moved
        .iter()
        .map(|(id, name, previous)| (&**name, (*id, &**previous)))
        .collect();
    let swap = |(name, (id, previous)): (&&str, &(ResourceId, &str))| {
        let (other, back) = by_name.get(previous)?;
        // Each pair is found from both sides.
        (back == name && name < previous).then(|| Shift {
            kind: ShiftKind::Swap,
            pairs: vec![Pair {
                gone: *id,
                new: *other,
                evidence: Evidence::Name,
            }],
            moves: vec![
                ((*previous).to_owned(), (*name).to_owned()),
                ((*name).to_owned(), (*previous).to_owned()),
            ],
            alarm: Some((
                Level::Warning,
                "two resources swap their names: each becomes what the program says of the other"
                    .to_owned(),
            )),
        })
    };
    by_name.iter().filter_map(swap).collect()
}

#[cfg(test)]
mod tests;
