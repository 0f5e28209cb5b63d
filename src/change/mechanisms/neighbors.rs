//! Neighbors: of several resources that change a property alike, the one with another value in an unchanged property beside it.
//!
//! The host of a database changes in three configurations, and only one of them writes to it. The change is the same in all, so the values
//! that belong to it decide if it is right: those in the same map whose names begin with the same word, as `DB_MODE` beside `DB_HOST`.

use std::collections::{BTreeMap, HashMap};

use super::tables::WORDS;
use super::{Documents, Fact, Notice, Reader, Seen};
use crate::change::groups::odd_one;
use crate::change::kinds::{Tag, hash_of};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::change::texts::plain_text;
use crate::path::{Path, Segment};
use crate::stack::{PropertySet, ResourceId, Section, When};
use crate::text::{has_word, pieces, with_name};
use crate::value::Value;

/// Minimum number of resources that change a property alike.
const MIN_ALIKE: usize = 3;

/// Maximum number of characters of a value that is told.
const MAX_VALUE: usize = 40;

/// Maximum number of entries of a map whose values are compared.
const MAX_ENTRIES: usize = 200;

/// Maximum number of changed properties of one resource that are looked at.
const MAX_CHANGES: usize = 64;

/// Maximum number of resources that change a property alike.
const MAX_ALIKE: usize = 1_000;

/// Maximum number of groups of them of which one resource is read again.
const MAX_GROUPS: usize = 500;

/// A changed property, with hashes of the unchanged values beside it.
#[derive(Clone, Debug)]
pub(super) struct Changed {
    /// The hash of type, property and both values.
    change: u64,
    id: ResourceId,
    place: Place,
    /// By hash of the name, the hash of the value.
    beside: BTreeMap<u64, u64>,
}

/// The place of a changed property.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    section: Section,
    path: Path,
    /// The name of the property.
    name: Box<str>,
    /// Number of steps to the list of pairs that it is in.
    list: Option<usize>,
}

/// The changed properties of a resource that have neighbors.
pub(super) fn find(seen: &Seen<'_>) -> Vec<Changed> {
    if !seen.changes_values() {
        return Vec::new();
    }
    let is_plain = |value: &Value| !value.is_secret() && !value.is_computed();
    let is_told = |leaf: &&Leaf| {
        Tag::of(leaf) == Tag::No
            && !leaf.is_without_effect()
            && is_plain(&leaf.before)
            && is_plain(&leaf.after)
    };
    let leaves = seen.properties().filter(is_told).take(MAX_CHANGES);
    let changed = leaves.filter_map(|leaf| {
        let place = Place {
            section: leaf.section,
            path: leaf.path.clone(),
            name: leaf.name()?.into(),
            list: leaf.pair.as_ref().map(|(at, _)| *at),
        };
        let beside = |when: When| beside(&place, |steps| seen.value_at(when, leaf.section, steps));
        let (old, new) = (beside(When::Before)?, beside(When::After)?);
        let same = new.into_iter().filter(|(key, it)| old.get(key) == Some(it));
        let same = same.map(|(key, value)| (hash_of(&key), hash_of(&value.to_string())));
        let property = (seen.stack.ty(seen.id), leaf.pattern().to_string());
        let values = [&leaf.before, &leaf.after].map(ToString::to_string);
        let changed = Changed {
            change: hash_of(&(property, values)),
            id: seen.id,
            beside: same.collect(),
            place,
        };
        (!changed.beside.is_empty()).then_some(changed)
    });
    changed.collect()
}

/// Short values by name.
type Values = BTreeMap<String, Value>;

/// The short values beside a place, in the same map or list of pairs: those that belong to it. `value_at` gives the value at steps.
fn beside(place: &Place, value_at: impl Fn(&[Segment]) -> Option<Value>) -> Option<Values> {
    let name = &*place.name;
    let first = pieces(name)
        .next()
        .filter(|it| !has_word(it, &WORDS.loose))?;
    let steps = &place.path.0;
    let around = match place.list {
        Some(n_steps) => steps.get(..n_steps)?,
        None => steps.split_last()?.1,
    };
    let around = value_at(around)?;
    let entries: Vec<(&str, &Value)> = if place.list.is_some() {
        let pairs = around.as_array()?.iter().take(MAX_ENTRIES);
        let plain = pairs.filter(|pair| !pair.is_secret());
        let named = plain.filter_map(|pair| {
            let name = pair.get("name").filter(|it| !it.is_secret())?;
            Some((name.as_str()?, pair.get("value")?))
        });
        named.collect()
    } else {
        let map = around.as_map().filter(|it| it.len() <= MAX_ENTRIES)?;
        map.iter().map(|(key, value)| (&**key, value)).collect()
    };
    let begins_so = |key: &str| pieces(key).next() == Some(first);
    let own: Vec<&(&str, &Value)> = entries.iter().filter(|(key, _)| begins_so(key)).collect();
    // A word with which all names begin says nothing.
    let is_telling = own.len() < entries.len();
    let own = own
        .into_iter()
        .filter(|(key, it)| is_telling && *key != name && is_short(it));
    Some(
        own.map(|(key, it)| ((*key).to_owned(), (*it).clone()))
            .collect(),
    )
}

/// True for a value that fits on a line and says something.
fn is_short(value: &Value) -> bool {
    plain_text(value).is_some_and(|it| !it.is_empty() && it.chars().count() <= MAX_VALUE)
}

/// A note about each resource of which only a neighbor differs.
pub(super) fn notices(mut changed: Vec<Changed>, reader: &Reader<'_>) -> Vec<Notice> {
    changed.sort_by(|one, other| {
        (one.change, one.id, &one.place).cmp(&(other.change, other.id, &other.place))
    });
    // A place in two sections, inputs and outputs, is one.
    changed.dedup_by(|one, other| (one.change, one.id) == (other.change, other.id));
    let groups = changed.chunk_by(|one, other| one.change == other.change);
    let groups = groups.filter(|it| (MIN_ALIKE..=MAX_ALIKE).contains(&it.len()));
    let odd = groups.map(|group| (group, odd_of(group)));
    let odd = odd.filter(|(_, odd)| !odd.is_empty()).take(MAX_GROUPS);
    let told = odd.flat_map(|(group, odd)| of_group(group, odd, reader));
    let mut told: Vec<(String, Notice)> = told.collect();
    // A property that stands beside two changed ones is told once.
    told.sort_by(|(key, one), (other_key, other)| {
        (&one.ids, key, &one.says).cmp(&(&other.ids, other_key, &other.says))
    });
    told.dedup_by(|one, other| (&one.1.ids, &one.0) == (&other.1.ids, &other.0));
    told.into_iter().map(|(_, notice)| notice).collect()
}

/// A neighbor in which one of a group is unlike all others: the hash of its name, that one, and one of the others.
type Odd<'g> = (u64, &'g Changed, &'g Changed);

/// The neighbors that all of a group have, and in which one of them is unlike the others.
fn odd_of(group: &[Changed]) -> Vec<Odd<'_>> {
    let [first, others @ ..] = group else {
        return Vec::new();
    };
    let names = first.beside.keys().copied();
    let shared = names.filter(|name| others.iter().all(|it| it.beside.contains_key(name)));
    let odd = shared.filter_map(|name| odd(group, name).map(|(odd, usual)| (name, odd, usual)));
    odd.collect()
}

/// The notices about a group that changes one property alike, each with the name of the neighbor.
fn of_group(group: &[Changed], odd: Vec<Odd<'_>>, reader: &Reader<'_>) -> Vec<(String, Notice)> {
    let stack = reader.stack;
    let mut known: HashMap<ResourceId, Values> = HashMap::new();
    let mut neighbor = |changed: &Changed, name: u64| {
        let values = known
            .entry(changed.id)
            .or_insert_with(|| read(changed, reader));
        let mut values = values.iter().filter(|(key, _)| hash_of(key) == name);
        values
            .next()
            .map(|(key, value)| (key.clone(), value.clone()))
    };
    let notices = odd.into_iter().filter_map(|(name, odd, usual)| {
        let ((key, own), (_, theirs)) = (neighbor(odd, name)?, neighbor(usual, name)?);
        let has_name = [(odd, &own), (usual, &theirs)].iter().any(|(it, value)| {
            let text = value.as_str();
            text.is_some_and(|text| with_name(text, &stack.identity(it.id)).is_some())
        });
        let says = format!(
            "{key} is {own} here, and {theirs} in the {} others that change {}",
            group.len() - 1,
            odd.place.name
        );
        let fact = Fact::at(odd.id, odd.place.path.clone());
        (!has_name).then(|| (key, Notice::at(fact, Level::Note, "odd-beside", says)))
    });
    notices.collect()
}

/// The values beside a changed property, read again.
fn read(changed: &Changed, reader: &Reader<'_>) -> Values {
    let Some(resource) = (reader.read)(changed.id) else {
        return Values::new();
    };
    let set = PropertySet {
        when: When::After,
        section: changed.place.section,
    };
    let documents = Documents::default();
    let value_at = |steps: &[Segment]| documents.value_at(&resource, set, steps);
    beside(&changed.place, value_at).unwrap_or_default()
}

/// The only one of a group with another value than all others in the neighbor of this name, and one of the others.
fn odd(group: &[Changed], name: u64) -> Option<(&Changed, &Changed)> {
    let at = odd_one(group.iter().map(|it| it.beside.get(&name)))?;
    Some((&group[at], &group[usize::from(at == 0)]))
}
