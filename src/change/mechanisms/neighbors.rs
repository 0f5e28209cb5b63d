//! Neighbors: of several resources that change a property alike, the one with another value in an unchanged property beside it.
//!
//! The host of a database changes in three configurations, and only one of them writes to it. The change is the same in all, so the values
//! that belong to it decide if it is right: those in the same map whose names begin with the same word, as `DB_MODE` beside `DB_HOST`.

use std::collections::BTreeMap;

use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen};
use crate::change::decode::at;
use crate::change::kinds::{Tag, hash_of};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::path::Path;
use crate::stack::{ResourceId, Section, State};
use crate::text::{has_word, pieces, with_name};
use crate::value::{Payload, Value};

/// Minimum number of resources that change a property alike.
const MIN_ALIKE: usize = 3;

/// Maximum number of characters of a value that is told.
const MAX_VALUE: usize = 40;

/// Maximum number of entries of a map whose values are compared.
const MAX_ENTRIES: usize = 200;

/// Maximum number of changed properties of one resource that are looked at.
const MAX_CHANGES: usize = 64;

/// Maximum number of those in documents, which are read for each.
const MAX_IN_DOCUMENTS: usize = 8;

/// Maximum number of resources that change a property alike.
const MAX_ALIKE: usize = 1_000;

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
    let states = [&seen.resource.before, &seen.resource.after];
    let ([Some(before), Some(after)], true) = (states.map(Option::as_ref), seen.changes_values())
    else {
        return Vec::new();
    };
    let is_plain = |value: &Value| !value.is_secret() && !value.is_computed();
    let is_told = |leaf: &&Leaf| {
        let is_property = leaf.section != Section::Options && Tag::of(leaf) == Tag::No;
        is_property && !leaf.is_without_effect() && is_plain(&leaf.before) && is_plain(&leaf.after)
    };
    let leaves = seen.leaves.iter().filter(is_told);
    let (inside, outside): (Vec<&Leaf>, Vec<&Leaf>) =
        leaves.partition(|leaf| leaf.document.is_some());
    let inside = inside.into_iter().take(MAX_IN_DOCUMENTS);
    let leaves = outside.into_iter().take(MAX_CHANGES).chain(inside);
    let changed = leaves.filter_map(|leaf| {
        let place = Place {
            section: leaf.section,
            path: leaf.path.clone(),
            name: leaf.name()?.into(),
            list: leaf.pair.as_ref().map(|(at, _)| *at),
        };
        let [old, new] = [before, after].map(|state| beside(state, &place));
        let (old, new) = (old?, new?);
        let same = new.into_iter().filter(|(key, it)| old.get(key) == Some(it));
        let same = same.map(|(key, value)| (hash_of(&key), hash_of(&value.to_string())));
        let property = (seen.stack.ty(seen.id), leaf.pattern().to_string());
        let values = [&leaf.before, &leaf.after].map(ToString::to_string);
        let changed = Changed {
            change: hash_of(&(property, values)),
            id: seen.id,
            place,
            beside: same.collect(),
        };
        (!changed.beside.is_empty()).then_some(changed)
    });
    changed.collect()
}

/// The short values beside a place, in the same map or list of pairs, by name: those that belong to it.
fn beside(state: &State, place: &Place) -> Option<BTreeMap<String, Value>> {
    let set = state.section(place.section)?;
    let name = &*place.name;
    let first = pieces(name)
        .next()
        .filter(|it| !has_word(it, &WORDS.loose))?;
    let entries: Vec<(String, Value)> = if let Some(n_steps) = place.list {
        let list = at(set, place.path.0.get(..n_steps)?)?;
        let pairs = list.as_array()?.iter().take(MAX_ENTRIES);
        let plain = pairs.filter(|pair| !pair.is_secret());
        let named = plain.filter_map(|pair| {
            let name = pair.get("name")?.as_str()?;
            Some((name.to_owned(), pair.get("value")?.clone()))
        });
        named.collect()
    } else {
        let (_, around) = place.path.0.split_last()?;
        let map = at(set, around)?;
        let map = map.as_map().filter(|it| it.len() <= MAX_ENTRIES)?;
        let entries = map.iter();
        let entries = entries.map(|(key, value)| ((**key).to_owned(), value.clone()));
        entries.collect()
    };
    let begins_so = |(key, _): &(String, Value)| pieces(key).next() == Some(first);
    // A word with which all names begin says nothing.
    let n_own = entries.iter().filter(|it| begins_so(it)).count();
    let is_telling = n_own < entries.len();
    let own = entries
        .into_iter()
        .filter(|it| begins_so(it) && it.0 != name);
    Some(own.filter(|(_, it)| is_telling && is_short(it)).collect())
}

/// True for a value that fits on a line and says something.
fn is_short(value: &Value) -> bool {
    match value.payload() {
        _ if value.is_secret() => false,
        Payload::String(_) => value
            .as_str()
            .is_some_and(|it| !it.is_empty() && it.chars().count() <= MAX_VALUE),
        Payload::Number(_) | Payload::Bool(_) => true,
        _ => false,
    }
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
    let mut notices: Vec<Notice> = groups.flat_map(|group| of_group(group, reader)).collect();
    // A property that stands beside two changed ones is told once.
    notices.sort_by(|one, other| (&one.ids, &one.says).cmp(&(&other.ids, &other.says)));
    notices.dedup_by(|one, other| {
        let neighbor = |notice: &Notice| notice.says.split(" is ").next().map(str::to_owned);
        one.ids == other.ids && neighbor(one) == neighbor(other)
    });
    notices
}

/// The notes about a group that changes one property alike.
fn of_group(group: &[Changed], reader: &Reader<'_>) -> Vec<Notice> {
    let [first, others @ ..] = group else {
        return Vec::new();
    };
    let names = first.beside.keys().copied();
    let shared = names.filter(|name| others.iter().all(|it| it.beside.contains_key(name)));
    let odd = shared.filter_map(|name| odd(group, name).map(|(odd, usual)| (name, odd, usual)));
    let notices = odd.filter_map(|(name, odd, usual)| {
        let (key, own) = neighbor(odd, name, reader)?;
        let (_, theirs) = neighbor(usual, name, reader)?;
        let stack = reader.stack;
        let has_name = [(odd, &own), (usual, &theirs)].iter().any(|(it, value)| {
            let text = value.as_str();
            text.is_some_and(|text| with_name(text, &stack.identity(it.id)).is_some())
        });
        let says = format!(
            "{key} is {own} here, and {theirs} in the {} others that change {}",
            others.len(),
            odd.place.name
        );
        (!has_name).then(|| Notice {
            ids: vec![odd.id],
            says,
            facts: vec![Fact::at(odd.id, odd.place.path.clone())],
            ..Notice::new(Level::Note, "odd-beside")
        })
    });
    notices.collect()
}

/// The only one of a group with another value than all others in the neighbor of this name, and one of the others.
fn odd(group: &[Changed], name: u64) -> Option<(&Changed, &Changed)> {
    let value = |it: &Changed| it.beside.get(&name).copied();
    let [one, two, three, ..] = group else {
        return None;
    };
    // Two of any three have the usual value.
    let usual = if value(one) == value(two) { one } else { three };
    let mut odd = group.iter().filter(|it| value(it) != value(usual));
    let only = odd.next().filter(|_| odd.next().is_none());
    only.map(|only| (only, usual))
}

/// The name and the value of a neighbor, read again.
fn neighbor(changed: &Changed, name: u64, reader: &Reader<'_>) -> Option<(String, Value)> {
    let resource = (reader.read)(changed.id)?;
    let entries = beside(resource.current()?, &changed.place)?;
    entries.into_iter().find(|(key, _)| hash_of(key) == name)
}
