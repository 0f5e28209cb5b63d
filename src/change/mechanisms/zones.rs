//! Zones: a copy that moves into the zone of the object that it stands in for.

use std::collections::HashMap;

use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen};
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Resource, ResourceId, State};
use crate::text::has_word;
use crate::value::Value;

/// A copy in a new zone.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    fact: Fact,
    /// The names of the objects of which it may be a copy.
    of: Vec<Box<str>>,
}

/// The resource as a copy in a new zone.
pub(super) fn find(seen: &Seen<'_>) -> Option<Copy> {
    if !seen.sets_values() {
        return None;
    }
    let is_zone =
        |path: &Path| matches!(path.0.as_slice(), [Segment::Key(key)] if WORDS.zones.has(key));
    let leaf = seen
        .properties()
        .find(|it| is_zone(&it.path) && it.after.as_str().is_some())?;
    let of = copied(seen.resource);
    let fact = Fact::new_value(seen.id, leaf);
    (!of.is_empty() && !leaf.after.is_secret()).then_some(Copy { fact, of })
}

/// A notice about each copy that comes into the zone of its original.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the notices of all lists are made alike"
)]
pub(super) fn notices(copies: Vec<Copy>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let mut notices = Vec::new();
    let keys = copies.iter().flat_map(|copy| {
        let ty = stack.ty(copy.fact.id);
        copy.of.iter().map(move |name| (ty, &**name))
    });
    let named = reader.with_ids(keys, |id| !stack.record(id).flags.is_drift());
    let mut zones: HashMap<ResourceId, Option<Value>> = HashMap::new();
    for Copy { fact, of } in &copies {
        let ty = stack.ty(fact.id);
        let originals = of.iter().filter_map(|name| {
            let mut all = named.get(&(ty, &**name))?.iter().copied();
            all.find(|id| *id != fact.id)
        });
        let Some(original) = originals.min() else {
            continue;
        };
        let known = zones.entry(original);
        let zone = known.or_insert_with(|| zone(&(reader.read)(original)?));
        let own = fact.after.as_ref().and_then(Value::as_str);
        if zone.is_some() && zone.as_ref().and_then(Value::as_str) == own {
            let original = stack.identity(original);
            let says = format!("is in the zone of {original}, of which it is a copy");
            let fact = fact.clone();
            notices.push(Notice::at(fact, Level::Warning, "same-zone", says));
        }
    }
    notices
}

/// The names of the objects of which a resource may be a copy. The last part of an ARN is a name too.
fn copied(resource: &Resource) -> Vec<Box<str>> {
    let sets = resource.after.iter().flat_map(State::sets);
    let entries = sets.filter_map(Value::as_map).flatten();
    let named = entries.filter(|(key, value)| !value.is_secret() && has_word(key, &WORDS.copy_of));
    let texts = named
        .filter_map(|(_, value)| value.as_str())
        .filter(|text| !text.is_empty());
    texts
        .flat_map(|text| [text, text.rsplit([':', '/']).next().unwrap_or(text)])
        .map(Into::into)
        .collect()
}

/// The zone of a resource after the plan.
fn zone(resource: &Resource) -> Option<Value> {
    let sets = resource.current().into_iter().flat_map(State::sets);
    let mut zones = sets.flat_map(|set| WORDS.zones.iter().filter_map(|key| set.get(key)));
    let zone = zones.find(|zone| !zone.is_secret() && zone.as_str().is_some());
    zone.cloned()
}
