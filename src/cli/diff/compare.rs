//! Two states, or two plans: what differs from one to the other.

use super::{Entry, OutputChange, Report, output_change};
use crate::cli::{Failure, get};
use crate::load::Document;
use crate::load::compare::{has_same_bytes, other_differences, pairs};
use crate::objchange::review::between;
use crate::stack::{Action, Resource, ResourceId, Stack};
use crate::value::Value;

<<<<<<< HEAD
/// What has to be the same for two resources to be one: what the person calls it, and whether it is an old copy.
///
/// The address for Terraform, since a URN made from it has the name of the file in it.
type Key = (String, bool);

fn key(stack: &Stack, id: ResourceId) -> Key {
    let flags = stack.record(id).flags;
    (stack.identity(id), flags.contains(Flags::PENDING_DELETE))
}

fn ids(stack: &Stack) -> impl Iterator<Item = ResourceId> + '_ {
    stack
        .ids()
        .filter(|id| !stack.record(*id).flags.contains(Flags::DRIFT_ENTRY))
}

/// A resource before and after; at least one of the two is there.
pub(super) type Pair = (Option<ResourceId>, Option<ResourceId>);

/// Which resources of `old` and `new` are one: in the order of `new`, then what is gone in the order of `old`.
pub(super) fn pairs(old: &Stack, new: &Stack) -> Result<Vec<Pair>, Failure> {
    let (one, other) = (old.header.kind, new.header.kind);
=======
/// The differences from `old` to `new`: in the order of `new`, then what is gone in the order of `old`.
pub(super) fn report(old: &Document, new: &Document) -> Result<Report, Failure> {
    let (one, other) = (old.stack.header.kind, new.stack.header.kind);
>>>>>>> 7094094 (Two files as one: their difference is reviewed like a plan)
    if one.is_pulumi() != other.is_pulumi() {
        return Err(Failure::usage(format!(
            "{one} and {other} cannot be compared, expected two files of one tool"
        )));
    }
<<<<<<< HEAD
    // Resources with one key are paired in the order of the file.
    let mut waiting: HashMap<Key, Vec<ResourceId>> = HashMap::new();
    for id in ids(old) {
        waiting.entry(key(old, id)).or_default().push(id);
    }
    for ids in waiting.values_mut() {
        ids.reverse();
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for id in ids(new) {
        let before = waiting.get_mut(&key(new, id)).and_then(Vec::pop);
        pairs.push((before, Some(id)));
    }
    let mut gone: Vec<_> = waiting.into_values().flatten().collect();
    gone.sort_unstable();
    pairs.extend(gone.into_iter().map(|id| (Some(id), None)));
    Ok(pairs)
}

/// The differences from `old` to `new`.
pub(super) fn report(old: &Document, new: &Document) -> Result<Report, Failure> {
    let entries = pairs(&old.stack, &new.stack)?
        .into_iter()
        .filter_map(|(before, after)| pair(old, before, new, after))
=======
    let entries = pairs(&old.stack, &new.stack)
        .into_iter()
        .filter_map(|it| pair(old, it.before, new, it.after))
>>>>>>> 7094094 (Two files as one: their difference is reviewed like a plan)
        .collect();
    Ok(Report {
        entries,
        outputs: outputs(&old.stack, &new.stack),
        n_drifted: 0,
    })
}

/// What happens to one resource; `None` if it is the same.
fn pair(
    old: &Document,
    before: Option<ResourceId>,
    new: &Document,
    after: Option<ResourceId>,
) -> Option<Entry> {
    if let (Some(before), Some(after)) = (before, after)
        && has_same_bytes(old, before, new, after)
    {
        return None;
    }
    let (document, id) = match (before, after) {
        (_, Some(after)) => (new, after),
        (Some(before), None) => (old, before),
        (None, None) => return None,
    };
    let stack = &document.stack;
    let mut entry = Entry {
        urn: stack.urn(id),
        address: stack.address(id).map(str::to_owned),
        ty: stack.ty(id).to_owned(),
        action: match (before, after) {
            (Some(_), Some(_)) => Action::Update,
            (None, _) => Action::Create,
            (_, None) => Action::Delete,
        },
        reasons: Vec::new(),
        parts: Vec::new(),
        error: None,
    };
    let read = |document: &Document, id: Option<ResourceId>| {
        id.map(|id| get::read(document, id)).transpose()
    };
    let (before, after) = match (read(old, before), read(new, after)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(error), _) | (_, Err(error)) => {
            entry.error = Some(error.to_string());
            return Some(entry);
        }
    };
    entry.parts = between(
        before.as_ref().and_then(Resource::current),
        after.as_ref().and_then(Resource::current),
    );
    if let (Some(before), Some(after)) = (&before, &after) {
        entry.reasons = other_differences(before, after);
        if entry.parts.is_empty() && entry.reasons.is_empty() {
            return None;
        }
    }
    Some(entry)
}

<<<<<<< HEAD
/// Whether two resources of one format are written alike, so that nothing needs to be read.
pub(super) fn has_same_bytes(
    old: &Document,
    before: ResourceId,
    new: &Document,
    after: ResourceId,
) -> bool {
    let (one, other) = (old.stack.record(before), new.stack.record(after));
    let (old_header, new_header) = (&old.stack.header, &new.stack.header);
    one.span.len == other.span.len
        && old_header.kind == new_header.kind
        && old_header.format_version == new_header.format_version
        && one.action == other.action
        && one.flags == other.flags
        && matches!(
            (old.source.read(one.span), new.source.read(other.span)),
            (Ok(one), Ok(other)) if one == other
        )
}

/// What differs beside the properties.
fn other_differences(before: &Resource, after: &Resource) -> Vec<String> {
    let mut reasons = Vec::new();
    let action = |resource: &Resource| {
        resource
            .change
            .as_ref()
            .map_or("", |change| change.action.name())
            .to_owned()
    };
    let shown = |id: &Option<Value>| {
        id.as_ref()
            .map_or_else(|| "none".to_owned(), Value::to_string)
    };
    let flags = |resource: &Resource| {
        let told = resource.flags.names().filter(|word| {
            // Whether there are secrets or unknowns, the properties tell.
            !matches!(*word, "secret" | "unknown")
        });
        told.collect::<Vec<_>>().join(", ")
    };
    let mut tell = |what: &str, before: String, after: String| {
        if before != after {
            reasons.push(format!("{what}: {before} → {after}"));
        }
    };
    tell("action", action(before), action(after));
    tell("id", shown(&before.id), shown(&after.id));
    tell("flags", flags(before), flags(after));
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    tell("parent", text(&before.parent), text(&after.parent));
    tell("provider", text(&before.provider), text(&after.provider));
    reasons
}

pub(super) fn outputs(old: &Stack, new: &Stack) -> Vec<OutputChange> {
=======
fn outputs(old: &Stack, new: &Stack) -> Vec<OutputChange> {
>>>>>>> 7094094 (Two files as one: their difference is reviewed like a plan)
    let find = |stack: &Stack, name: &str| {
        let mut outputs = stack.outputs.iter();
        outputs
            .find(|output| &*output.name == name)
            .map(|output| output.value.clone())
    };
    let mut changes = Vec::new();
    for output in new.outputs.iter() {
        let change = match find(old, &output.name) {
            None => output_change(&output.name, Action::Create, &Value::NULL, &output.value),
            Some(before) => output_change(&output.name, Action::Update, &before, &output.value),
        };
        changes.extend(change);
    }
    for output in old.outputs.iter() {
        if find(new, &output.name).is_none() {
            let change = output_change(&output.name, Action::Delete, &output.value, &Value::NULL);
            changes.extend(change);
        }
    }
    changes
}
