//! Swapped values: two objects of one type, or two places of one object, of which each gets the value that the other had.
//!
//! Each change alone looks like any other. Together they say that the two take each other's place.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Fact, Notice, Reader, Seen, by_name};
use crate::change::difference::name_of;
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, Resource, ResourceId, Section, State};
use crate::text::has_word;
use crate::value::{Payload, Value};

/// Words of properties that decide about access.
const ACCESS: [&str; 10] = [
    "security",
    "role",
    "policy",
    "key",
    "principal",
    "identity",
    "certificate",
    "acl",
    "account",
    "permission",
];

/// Minimum number of bytes of a text that two objects hardly share by chance.
const MIN_TEXT: usize = 5;

/// Maximum number of properties of one type, or of one object, that change: more are no swap but a rollout.
const MAX_CHANGES: usize = 200;

/// Maximum number of objects within which places swap their values.
const MAX_INSIDE: usize = 1_000;

/// Maximum number of bytes of a name that stands for an element.
const MAX_NAME: usize = 60;

/// A property that changes: the hashes of its values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Moved {
    before: u64,
    after: u64,
    id: ResourceId,
}

/// The properties that change, by type and name.
#[derive(Clone, Default, Debug)]
pub(super) struct Swaps {
    moved: BTreeMap<(Box<str>, Box<str>), Vec<Moved>>,
    /// By object: two places that swap their values.
    inside: BTreeMap<ResourceId, [Place; 2]>,
}

/// A place of an object, with its two values.
#[derive(Clone, Debug)]
struct Place {
    section: Section,
    path: Path,
    before: Value,
    after: Value,
}

impl Swaps {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        if seen.action != Action::Update {
            return;
        }
        let of = |state: &Option<State>, section| {
            let value = state.as_ref()?.section(section)?;
            (!value.is_secret()).then(|| value.clone())
        };
        if let Some(places) = swapped_inside(seen.leaves) {
            self.inside.insert(seen.id, places);
            self.bound();
        }
        let mut done = BTreeSet::new();
        for leaf in seen.leaves {
            let Some(Segment::Key(key)) = leaf.path.0.first() else {
                continue;
            };
            if leaf.section == Section::Options || !done.insert(key.clone()) {
                continue;
            }
            let sides =
                [&seen.resource.before, &seen.resource.after].map(|it| of(it, leaf.section));
            let values = sides.each_ref().map(|side| side.as_ref()?.get(key));
            let [Some(before), Some(after)] = values else {
                continue;
            };
            if !is_telling(before) || !is_telling(after) || before == after {
                continue;
            }
            let moved = Moved {
                before: hash(before),
                after: hash(after),
                id: seen.id,
            };
            let key = (seen.stack.ty(seen.id).into(), (&**key).into());
            self.moved.entry(key).or_default().push(moved);
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (key, moved) in other.moved {
            self.moved.entry(key).or_default().extend(moved);
        }
        self.inside.extend(other.inside);
        self.bound();
    }

    /// Keeps the first objects in the order of the file.
    fn bound(&mut self) {
        while self.inside.len() > MAX_INSIDE {
            self.inside.pop_last();
        }
    }

    pub(super) fn finish(self, reader: &Reader<'_>) -> Vec<Notice> {
        let inside = self.inside.into_iter();
        let mut notices: Vec<Notice> = inside
            .map(|(id, places)| notice_inside(reader, id, places))
            .collect();
        for ((_, key), mut moved) in self.moved {
            moved.sort_unstable();
            moved.dedup();
            if moved.len() > MAX_CHANGES {
                continue;
            }
            for one in &moved {
                let is_same = |it: &&Moved| (it.before, it.after) == (one.before, one.after);
                let is_back = |it: &&Moved| (it.before, it.after) == (one.after, one.before);
                let backs: Vec<&Moved> = moved.iter().filter(is_back).collect();
                // Of two, the pair is told once; of more nobody knows who takes whose place.
                if let [other] = backs.as_slice()
                    && one.id < other.id
                    && moved.iter().filter(is_same).count() == 1
                {
                    notices.push(notice(reader, &key, [one.id, other.id]));
                }
            }
        }
        notices
    }
}

/// The first two places of an object that swap their values: their paths differ in one step.
fn swapped_inside(leaves: &[Leaf]) -> Option<[Place; 2]> {
    let is_text = |value: &Value| value.as_str().is_some() && is_telling(value);
    let texts = leaves.iter().filter(|leaf| {
        leaf.section != Section::Options && is_text(&leaf.before) && is_text(&leaf.after)
    });
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
    let place = |leaf: &Leaf| Place {
        section: leaf.section,
        path: leaf.path.clone(),
        before: leaf.before.clone(),
        after: leaf.after.clone(),
    };
    texts.iter().enumerate().find_map(|(at, one)| {
        let is_back = |other: &&&Leaf| {
            one.before == other.after && one.after == other.before && differ_in_one(one, other)
        };
        let other = texts[at + 1..].iter().find(is_back)?;
        Some([place(one), place(other)])
    })
}

fn notice_inside(reader: &Reader<'_>, id: ResourceId, places: [Place; 2]) -> Notice {
    let resource = (reader.read)(id);
    let [one, other] = &places;
    let [first, second] =
        [(one, other), (other, one)].map(|(own, other)| told(own, other, resource.as_ref()));
    let mut keys = places[0].path.0.iter().rev();
    let key = keys.find_map(|step| match step {
        Segment::Key(key) => Some(&**key),
        Segment::Index(_) => None,
    });
    let level = level(key.unwrap_or_default());
    Notice {
        ids: vec![id],
        says: format!("{first} and {second} swap their values"),
        facts: places
            .into_iter()
            .map(|place| Fact {
                id,
                path: place.path,
                before: Some(place.before),
                after: Some(place.after),
                note: String::new(),
            })
            .collect(),
        ..Notice::new(level, "swapped-values")
    }
}

/// The text of a path: `certificates[api].secret_id`. The element in which it differs from the other path has its name, if elements
/// of its list have names.
fn told(own: &Place, other: &Place, resource: Option<&Resource>) -> String {
    let steps = &own.path.0;
    let at = steps.iter().zip(&other.path.0).position(|(a, b)| a != b);
    let name = at.and_then(|at| match &steps[at] {
        Segment::Index(index) => {
            let section = resource?.after.as_ref()?.section(own.section)?;
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
    if has_word(key, &ACCESS) {
        Level::Danger
    } else {
        Level::Warning
    }
}

fn notice(reader: &Reader<'_>, key: &str, ids: [ResourceId; 2]) -> Notice {
    let ids = by_name(reader.stack, ids.to_vec());
    let fact = |id: &ResourceId| {
        let resource = (reader.read)(*id);
        let value = |state: Option<&State>| {
            let sets = state.map(|state| [&state.outputs, &state.inputs]);
            let mut sets = sets.into_iter().flatten().flatten();
            sets.find_map(|set| set.get(key)).cloned()
        };
        let sides = resource
            .as_ref()
            .map(|it| (value(it.before.as_ref()), value(it.after.as_ref())));
        let (before, after) = sides.unwrap_or_default();
        Fact {
            id: *id,
            path: Path(vec![Segment::from(key)]),
            before,
            after,
            note: String::new(),
        }
    };
    Notice {
        says: format!("two resources of one type swap their {key}"),
        facts: ids.iter().map(fact).collect(),
        ids,
        ..Notice::new(level(key), "swapped-values")
    }
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

/// The hash of a value. It does not depend on the run, so that parts of a plan can be merged.
fn hash(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    match value.payload() {
        Payload::String(text) => text.hash(&mut hasher),
        _ => value.to_string().hash(&mut hasher),
    }
    hasher.finish()
}
