//! Ties: objects that stay and refer to one that goes, by its literal id, ARN or name.
//!
//! A program that no longer knows an object does not say who uses it: the reference is a text. [`Ties`] keeps the names of what
//! the plan deletes or replaces. At the end the bytes of the others are searched for these names, and only those that have one are
//! read.
//!
//! A name counts only if it means the object: not if a resource that stays, or that comes, has it too, and not if the object
//! itself has it from another one (the id of a bucket's policy is the name of the bucket).

use std::collections::{BTreeMap, HashSet};

use aho_corasick::AhoCorasick;

use super::{Fact, Notice, Reader, Seen, by_name, stays, words};
use crate::change::decode::document;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, Flags, Mode, Resource, ResourceId, State};
use crate::terraform::address::config_address;
use crate::value::{Payload, Value};

/// Maximum number of names that are searched for.
const MAX_NAMES: usize = 2_000;

/// Maximum number of resources that are read to look for names.
const MAX_READ: usize = 2_000;

/// Maximum nesting of values that are searched.
const MAX_DEPTH: usize = 16;

/// Minimum length of an id that may be a part of a longer text.
const MIN_PART: usize = 12;

/// Properties that identify an object wherever they occur.
const IDS: [&str; 6] = ["id", "arn", "self_link", "selfLink", "url", "uri"];

/// Properties that name an object of a known type.
const NAMES: [&str; 3] = ["name", "identifier", "bucket"];

/// A name of an object that goes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Name {
    text: Box<str>,
    owner: ResourceId,
    /// True if the text means the object wherever it occurs.
    is_id: bool,
}

/// The names of the objects that go, and of those that come.
#[derive(Clone, Default, Debug)]
pub(super) struct Ties {
    gone: Vec<Name>,
    /// The names of objects that come or stay.
    taken: HashSet<Box<str>>,
}

impl Ties {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        let resource = seen.resource;
        if !matches!(resource.mode, Mode::Managed | Mode::Component) {
            return;
        }
        // An old copy shares its name with the new one, and only its id is its own.
        let is_copy = resource
            .flags
            .intersects(Flags::DEPOSED | Flags::PENDING_DELETE);
        if matches!(seen.action, Action::Delete | Action::Replace) {
            let mut own = names(resource, resource.before.as_ref());
            own.retain(|(_, is_id)| *is_id || !is_copy);
            self.gone.extend(own.into_iter().map(|(text, is_id)| Name {
                text,
                owner: seen.id,
                is_id,
            }));
        }
        if seen.action != Action::Delete {
            let after = names(resource, resource.after.as_ref());
            self.taken.extend(after.into_iter().map(|(text, _)| text));
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.gone.extend(other.gone);
        self.taken.extend(other.taken);
    }

    pub(super) fn finish(mut self, reader: &Reader<'_>) -> Vec<Notice> {
        let stack = reader.stack;
        self.gone.retain(|name| !self.taken.contains(&name.text));
        self.gone.sort_unstable();
        // A name of two objects means neither.
        let mut names: Vec<Name> = Vec::new();
        for same in self.gone.chunk_by(|one, other| one.text == other.text) {
            if same.iter().all(|name| name.owner == same[0].owner) {
                names.push(same[0].clone());
            }
        }
        if names.is_empty() {
            return Vec::new();
        }
        let texts: HashSet<&str> = names.iter().map(|name| &*name.text).collect();
        let others = || stack.ids().filter(|id| stays(stack, *id));
        let kept: HashSet<&str> = others()
            .map(|id| stack.provider_id(id))
            .filter(|id| texts.contains(id))
            .collect();
        let kept: HashSet<Box<str>> = kept.into_iter().map(Into::into).collect();
        names.retain(|name| !kept.contains(&name.text));
        names.truncate(MAX_NAMES);
        let Ok(finder) = AhoCorasick::new(names.iter().map(|name| name.text.as_bytes())) else {
            return Vec::new();
        };
        let mut found: BTreeMap<ResourceId, Vec<Fact>> = BTreeMap::new();
        let (mut bytes, mut n_read) = (Vec::new(), 0);
        for id in others() {
            if (reader.is_cancelled)() || n_read >= MAX_READ {
                break;
            }
            let is_object = !stack
                .record(id)
                .flags
                .intersects(Flags::DATA | Flags::PROVIDER | Flags::STACK);
            if !is_object || !(reader.bytes)(id, &mut bytes) || !finder.is_match(&bytes) {
                continue;
            }
            n_read += 1;
            if let Some(resource) = (reader.read)(id) {
                let search = Search {
                    reader,
                    names: &names,
                    resource: &resource,
                    id,
                };
                search.run(&mut found);
            }
        }
        found
            .into_iter()
            .map(|(owner, facts)| notice(reader, owner, facts))
            .collect()
    }
}

fn notice(reader: &Reader<'_>, owner: ResourceId, facts: Vec<Fact>) -> Notice {
    let stack = reader.stack;
    let name = stack.address(owner).unwrap_or(stack.short_name(owner));
    let (level, verb) = match stack.record(owner).action {
        Some(Action::Replace) => (Level::Warning, "replaces"),
        _ => (Level::Danger, "deletes"),
    };
    Notice {
        level,
        mechanism: "dangling-reference",
        yields: false,
        ids: by_name(stack, facts.iter().map(|fact| fact.id).collect()),
        says: format!("stays and refers to {name}, which this plan {verb}"),
        facts,
    }
}

/// The names of an object in one state. True beside an id, false beside a name that other types may have too.
fn names(resource: &Resource, state: Option<&State>) -> Vec<(Box<str>, bool)> {
    let Some(state) = state else {
        return Vec::new();
    };
    let last_word = words::of_type(&resource.ty).pop().unwrap_or_default();
    let is_own_key = |key: &str| {
        IDS.contains(&key) || NAMES.contains(&key) || words::of_name(key).last() == Some(&last_word)
    };
    let sides: Vec<&Value> = [&state.outputs, &state.inputs]
        .into_iter()
        .flatten()
        .collect();
    let entries = || {
        let maps = sides.iter().filter_map(|value| value.as_map());
        maps.flat_map(|map| map.iter())
    };
    // The id of a part is often that of the whole, which the program gives.
    let is_of_another =
        |text: &str| entries().any(|(key, value)| value.as_str() == Some(text) && !is_own_key(key));
    let mut found = Vec::new();
    let id = resource.id.as_ref().map(|id| ("id", id));
    let own = entries().map(|(key, value)| (&**key, value)).chain(id);
    for (key, value) in own {
        let is_id = IDS.contains(&key);
        let Some(text) = value.as_str().filter(|_| !value.is_secret()) else {
            continue;
        };
        if is_id && is_telling(text) && !is_of_another(text) {
            found.push((text.into(), true));
        } else if (is_id || NAMES.contains(&key)) && text.len() > 2 && !is_of_another(text) {
            found.push((text.into(), false));
        }
    }
    found.sort_unstable();
    found.dedup_by(|one, other| {
        one.0 == other.0 && {
            other.1 |= one.1;
            true
        }
    });
    found
}

/// True if a text is no word that two objects may share.
fn is_telling(text: &str) -> bool {
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let has_mark = text
        .bytes()
        .any(|byte| matches!(byte, b'-' | b':' | b'/' | b'.'));
    text.len() >= 8 && has_digit && has_mark || text.len() >= 40
}

/// The search of one resource that stays.
struct Search<'s> {
    reader: &'s Reader<'s>,
    names: &'s [Name],
    resource: &'s Resource,
    id: ResourceId,
}

impl Search<'_> {
    fn run(&self, found: &mut BTreeMap<ResourceId, Vec<Fact>>) {
        let Some(state) = self.resource.current() else {
            return;
        };
        let asked = self.resource.address.is_none().then_some(&state.inputs);
        let Some(value) = asked.unwrap_or(&state.outputs) else {
            return;
        };
        let stack = self.reader.stack;
        let config = self.resource.address.as_deref().map(config_address);
        let expressions = config.and_then(|address| stack.expressions.get(&*address));
        for (key, value) in value.as_map().into_iter().flatten() {
            // A value that the provider reports is no reference that somebody wrote.
            let is_set = expressions.is_none_or(|it| it.get(key).is_some());
            if is_set && !IDS.contains(&&**key) {
                let path = Path(vec![Segment::Key(key.clone())]);
                self.walk(value, path, key, found);
            }
        }
    }

    fn walk(
        &self,
        value: &Value,
        path: Path,
        key: &str,
        found: &mut BTreeMap<ResourceId, Vec<Fact>>,
    ) {
        if value.is_secret() || path.0.len() > MAX_DEPTH {
            return;
        }
        match value.payload() {
            Payload::Map(map) => {
                for (key, value) in map {
                    self.walk(value, path.child(Segment::Key(key.clone())), key, found);
                }
            }
            Payload::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    self.walk(value, path.child(Segment::Index(index)), key, found);
                }
            }
            Payload::String(text) => {
                let Some(text) = text.as_str() else { return };
                if let Some((_, document)) = document(value) {
                    self.walk(&document, path, key, found);
                    return;
                }
                for name in self
                    .names
                    .iter()
                    .filter(|name| self.is_meant(name, text, key))
                {
                    let facts = found.entry(name.owner).or_default();
                    facts.push(Fact {
                        id: self.id,
                        path: path.clone(),
                        before: None,
                        after: Some(value.clone()),
                        note: String::new(),
                    });
                }
            }
            _ => {}
        }
    }

    /// True if the text at this key means the object with the name.
    fn is_meant(&self, name: &Name, text: &str, key: &str) -> bool {
        if name.owner == self.id {
            return false;
        }
        if name.is_id {
            return text == &*name.text
                || name.text.len() >= MIN_PART && has_part(text, &name.text);
        }
        // A name means an object only where a property asks for one of its type.
        let ty = words::of_type(self.reader.stack.ty(name.owner));
        let key = words::of_name(key);
        let asks = key.iter().any(|word| ty.contains(&words::singular(word)));
        text == &*name.text && asks && key != ["name"]
    }
}

/// True if `part` is in `text` with nothing that goes on at its ends.
fn has_part(text: &str, part: &str) -> bool {
    let goes_on =
        |char: Option<char>| char.is_some_and(|it| it.is_alphanumeric() || it == '-' || it == '_');
    text.match_indices(part).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + part.len()..]);
        !goes_on(before.chars().next_back()) && !goes_on(after.chars().next())
    })
}
