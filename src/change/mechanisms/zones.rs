//! Zones: a copy that moves into the zone of the object that it stands in for.

use std::collections::HashMap;

use super::{Fact, Notice, Reader, Seen};
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, Resource, ResourceId, Section};
use crate::text::has_word;
use crate::value::Value;

/// Properties with the zone of an object.
const ZONES: [&str; 5] = [
    "availability_zone",
    "availabilityZone",
    "zone",
    "zones",
    "secondary_zone",
];

/// Words of properties that name the object of which this one is a copy.
const COPY_OF: [&str; 5] = ["replicate", "replica", "primary", "master", "source"];

/// A copy in a new zone.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    id: ResourceId,
    path: Path,
    before: Value,
    after: Value,
    /// The names of the objects of which it may be a copy.
    of: Vec<Box<str>>,
}

/// The resource as a copy in a new zone.
pub(super) fn find(seen: &Seen<'_>) -> Option<Copy> {
    if !matches!(
        seen.action,
        Action::Create | Action::Update | Action::Replace
    ) {
        return None;
    }
    let is_zone =
        |path: &Path| matches!(path.0.as_slice(), [Segment::Key(key)] if ZONES.contains(&&**key));
    let mut leaves = seen
        .leaves
        .iter()
        .filter(|leaf| leaf.section != Section::Options);
    let leaf = leaves.find(|it| is_zone(&it.path) && it.after.as_str().is_some())?;
    let of = copied(seen.resource);
    (!of.is_empty() && !leaf.after.is_secret()).then(|| Copy {
        id: seen.id,
        path: leaf.path.clone(),
        before: leaf.before.clone(),
        after: leaf.after.clone(),
        of,
    })
}

/// A notice about each copy that comes into the zone of its original.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the notices of all lists are made alike"
)]
pub(super) fn notices(copies: Vec<Copy>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let mut notices = Vec::new();
    // By name and type: the first two objects, so that there is one beside any copy.
    let mut named: HashMap<(&str, &str), Vec<ResourceId>> = HashMap::new();
    let keys = copies.iter().flat_map(|copy| {
        let ty = stack.ty(copy.id);
        copy.of.iter().map(move |name| (&**name, ty))
    });
    named.extend(keys.map(|key| (key, Vec::new())));
    for id in stack.ids().filter(|_| !copies.is_empty()) {
        let key = (stack.compared_id(id), stack.ty(id));
        if let Some(ids) = named.get_mut(&key).filter(|ids| ids.len() < 2) {
            ids.push(id);
        }
    }
    let mut zones: HashMap<ResourceId, Option<Value>> = HashMap::new();
    for copy in &copies {
        let ty = stack.ty(copy.id);
        let originals = copy.of.iter().flat_map(|name| &named[&(&**name, ty)]);
        let original = originals.copied().filter(|id| *id != copy.id).min();
        let mut zone_of = |id: ResourceId| {
            let known = zones.entry(id);
            known.or_insert_with(|| zone((reader.read)(id)?)).clone()
        };
        let (Some(original), Some(zone)) = (original, original.and_then(&mut zone_of)) else {
            continue;
        };
        if zone.as_str() != copy.after.as_str() {
            continue;
        }
        notices.push(Notice {
            ids: vec![copy.id],
            says: format!(
                "is in the zone of {}, of which it is a copy",
                stack.identity(original)
            ),
            facts: vec![Fact {
                id: copy.id,
                path: copy.path.clone(),
                before: Some(copy.before.clone()).filter(|it| !it.is_null()),
                after: Some(copy.after.clone()),
                note: String::new(),
            }],
            ..Notice::new(Level::Warning, "same-zone")
        });
    }
    notices
}

/// The names of the objects of which a resource may be a copy. The last part of an ARN is a name too.
fn copied(resource: &Resource) -> Vec<Box<str>> {
    let state = resource.after.as_ref();
    let sets = state
        .into_iter()
        .flat_map(|state| [&state.outputs, &state.inputs])
        .flatten();
    let entries = sets.filter_map(Value::as_map).flatten();
    let named = entries.filter(|(key, value)| !value.is_secret() && has_word(key, &COPY_OF));
    let texts = named
        .filter_map(|(_, value)| value.as_str())
        .filter(|text| !text.is_empty());
    texts
        .flat_map(|text| [text, text.rsplit([':', '/']).next().unwrap_or(text)])
        .map(Into::into)
        .collect()
}

/// The zone of a resource after the plan.
fn zone(resource: Resource) -> Option<Value> {
    let state = resource.after.or(resource.before)?;
    let sets = [state.outputs, state.inputs].into_iter().flatten();
    let mut zones = sets
        .flat_map(|set| ZONES.map(|key| set.get(key).cloned()))
        .flatten();
    zones.find(|zone| !zone.is_secret() && zone.as_str().is_some())
}
