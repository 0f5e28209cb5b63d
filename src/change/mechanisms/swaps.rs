//! Swapped values: two objects of one type, or two places of one object, of which each gets the value that the other had.
//!
//! Each change alone looks like any other. Together they say that the two take each other's place.

use std::collections::BTreeSet;

use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen};
use crate::change::difference::name_of;
use crate::change::kinds::hash_of;
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, Resource, ResourceId, State};
use crate::text::has_word;
use crate::value::{Payload, Value};

/// Minimum number of bytes of a text that two objects hardly share by chance.
const MIN_TEXT: usize = 5;

/// Maximum number of properties of one type, or of one object, that change: more are no swap but a rollout.
const MAX_CHANGES: usize = 200;

/// Maximum number of bytes of a name that stands for an element.
const MAX_NAME: usize = 60;

/// A property that changes: its type and name, and the hashes of its values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Moved {
    ty: Box<str>,
    key: Box<str>,
    before: u64,
    after: u64,
    id: ResourceId,
}

/// The properties of a resource that change.
pub(super) fn find(seen: &Seen<'_>) -> Vec<Moved> {
    let mut done = BTreeSet::new();
    let mut all = Vec::new();
    let is_update = seen.action == Action::Update;
    for leaf in seen.properties().filter(|_| is_update) {
        let Some(key) = leaf.path.first_key().filter(|it| done.insert(*it)) else {
            continue;
        };
        let sides = seen.resource.sides(leaf.section);
        let sides = sides.map(|set| set.filter(|it| !it.is_secret())?.get(key));
        if let [Some(before), Some(after)] = sides
            && is_telling(before)
            && is_telling(after)
            && before != after
        {
            all.push(Moved {
                ty: seen.stack.ty(seen.id).into(),
                key: (&**key).into(),
                before: hash(before),
                after: hash(after),
                id: seen.id,
            });
        }
    }
    all
}

/// A notice about each two objects that swap values.
pub(super) fn notices(mut moved: Vec<Moved>, reader: &Reader<'_>) -> Vec<Notice> {
    moved.sort_unstable();
    moved.dedup();
    let mut notices = Vec::new();
    let properties = moved.chunk_by(|one, other| (&one.ty, &one.key) == (&other.ty, &other.key));
    for moved in properties.filter(|it| it.len() <= MAX_CHANGES) {
        for one in moved {
            let is_same = |it: &&Moved| (it.before, it.after) == (one.before, one.after);
            let is_back = |it: &&Moved| (it.before, it.after) == (one.after, one.before);
            let backs: Vec<&Moved> = moved.iter().filter(is_back).collect();
            // Of two, the pair is told once; of more nobody knows who takes whose place.
            if let [other] = backs.as_slice()
                && one.id < other.id
                && moved.iter().filter(is_same).count() == 1
            {
                notices.push(notice(reader, &one.key, [one.id, other.id]));
            }
        }
    }
    notices
}

/// A notice if two places of an object swap their values.
pub(super) fn inside(seen: &Seen<'_>) -> Vec<Notice> {
    let update = Some(seen).filter(|_| seen.action == Action::Update);
    let Some([one, other]) = update.and_then(swapped_inside) else {
        return Vec::new();
    };
    let [first, second] =
        [(one, other), (other, one)].map(|(own, other)| told(own, other, seen.resource));
    let level = level(one.path.last_key().unwrap_or_default());
    let says = format!("{first} and {second} swap their values");
    let facts = [one, other].map(|leaf| Fact::of(seen.id, leaf));
    vec![Notice::about(seen.id, level, "swapped-values", says).with(facts)]
}

/// The first two places of an object that swap their values: their paths differ in one step.
fn swapped_inside<'s>(seen: &Seen<'s>) -> Option<[&'s Leaf; 2]> {
    let is_text = |value: &Value| value.as_str().is_some() && is_telling(value);
    let texts = seen.properties();
    let texts = texts.filter(|leaf| is_text(&leaf.before) && is_text(&leaf.after));
    let texts: Vec<&Leaf> = texts.collect();
    if texts.len() > MAX_CHANGES {
        return None;
    }
    let differ_in_one = |one: &Leaf, other: &Leaf| {
        let steps = one.path.0.iter().zip(&other.path.0);
        one.section == other.section
            && one.path.0.len() == other.path.0.len()
            && steps.filter(|(one, other)| one != other).count() == 1
    };
    texts.iter().enumerate().find_map(|(at, one)| {
        let is_back = |other: &&&Leaf| {
            one.before == other.after && one.after == other.before && differ_in_one(one, other)
        };
        let other = texts[at + 1..].iter().find(is_back)?;
        Some([*one, *other])
    })
}

/// The text of a path: `certificates[api].secret_id`. The element in which it differs from the other path has its name, if elements
/// of its list have names.
fn told(own: &Leaf, other: &Leaf, resource: &Resource) -> String {
    let steps = &own.path.0;
    let at = steps.iter().zip(&other.path.0).position(|(a, b)| a != b);
    let name = at.and_then(|at| match &steps[at] {
        Segment::Index(index) => {
            let section = resource.after.as_ref()?.section(own.section)?;
            let list = Path(steps[..at].to_vec()).get(section)?.as_array()?;
            name_of(list.as_slice(), *index).filter(|name| name.len() <= MAX_NAME)
        }
        Segment::Key(_) => None,
    });
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        match name.filter(|_| Some(index) == at) {
            Some(name) => text.extend(["[", name, "]"]),
            None => step.push_onto(&mut text),
        }
    }
    text
}

/// The weight of a swap of properties with this name.
fn level(key: &str) -> Level {
    if has_word(key, &WORDS.access) {
        Level::Danger
    } else {
        Level::Warning
    }
}

fn notice(reader: &Reader<'_>, key: &str, ids: [ResourceId; 2]) -> Notice {
    let ids = reader.stack.by_name(ids);
    let fact = |id: &ResourceId| {
        let resource = (reader.read)(*id);
        let value = |state: &Option<State>| {
            let mut sets = state.iter().flat_map(State::sets);
            sets.find_map(|set| set.get(key)).cloned()
        };
        let resource = resource.as_ref();
        Fact {
            before: resource.and_then(|it| value(&it.before)),
            after: resource.and_then(|it| value(&it.after)),
            ..Fact::at(*id, Path(vec![Segment::from(key)]))
        }
    };
    let says = format!("two resources of one type swap their {key}");
    let facts = ids.iter().map(fact).collect();
    Notice::of(reader.stack, facts, level(key), "swapped-values", says)
}

/// True for a value that names something: a text that is no word of a switch, or a list of such texts.
fn is_telling(value: &Value) -> bool {
    if value.is_secret() {
        return false;
    }
    match value.payload() {
        Payload::String(text) => {
            let text = text.to_str_lossy();
            let is_number = text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
            text.len() >= MIN_TEXT && !is_number && !text.eq_ignore_ascii_case("false")
        }
        Payload::Array(items) => {
            !items.is_empty()
                && items
                    .iter()
                    .all(|it| it.as_array().is_none() && is_telling(it))
        }
        _ => false,
    }
}

fn hash(value: &Value) -> u64 {
    match value.payload() {
        Payload::String(text) => hash_of(text),
        _ => hash_of(&value.to_string()),
    }
}
