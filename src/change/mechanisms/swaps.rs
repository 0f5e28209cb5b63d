//! Swapped values: two objects of one type of which each gets the value that the other had.
//!
//! Each change alone looks like any other. Together they say that two objects take each other's place.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Fact, Notice, Reader, Seen, by_name, words};
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, ResourceId, Section, State};
use crate::value::{Payload, Value};

/// Words of properties that decide about access.
const ACCESS: [&str; 11] = [
    "security",
    "role",
    "policy",
    "policies",
    "key",
    "principal",
    "identity",
    "certificate",
    "acl",
    "account",
    "permissions",
];

/// Minimum number of bytes of a text that two objects hardly share by chance.
const MIN_TEXT: usize = 5;

/// Maximum number of properties of one type that change: more are no swap but a rollout.
const MAX_CHANGES: usize = 200;

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
    }

    pub(super) fn finish(self, reader: &Reader<'_>) -> Vec<Notice> {
        let mut notices = Vec::new();
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

fn notice(reader: &Reader<'_>, key: &str, ids: [ResourceId; 2]) -> Notice {
    let words = words::of_name(key);
    let is_access = words.iter().any(|word| ACCESS.contains(&word.as_str()));
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
        level: if is_access {
            Level::Danger
        } else {
            Level::Warning
        },
        mechanism: "swapped-values",
        yields: false,
        says: format!("two resources of one type swap their {key}"),
        facts: ids.iter().map(fact).collect(),
        ids,
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
