//! Two states, or two plans: what differs from one to the other.

use super::{Entry, OutputChange, Report, output_change};
use crate::cli::{Failure, get};
use crate::load::Document;
use crate::load::compare::{has_same_bytes, other_differences, pairs};
use crate::objchange::review::between;
use crate::render::lines::Options;
use crate::stack::{Action, Resource, ResourceId, Stack};
use crate::value::Value;

/// The differences from `old` to `new`: in the order of `new`, then what is gone in the order of `old`.
pub(super) fn report(old: &Document, new: &Document) -> Result<Report, Failure> {
    let (one, other) = (old.stack.header.kind, new.stack.header.kind);
    if one.is_pulumi() != other.is_pulumi() {
        return Err(Failure::usage(format!(
            "{one} and {other} cannot be compared, expected two files of one tool"
        )));
    }
    let entries = pairs(&old.stack, &new.stack)
        .into_iter()
        .filter_map(|it| pair(old, it.before, new, it.after))
        .collect();
    Ok(Report {
        entries,
        outputs: outputs(&old.stack, &new.stack),
        n_drifted: 0,
        options: Options {
            unknown: other.unknown(),
            ..Options::default()
        },
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
        origins: Vec::new(),
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

fn outputs(old: &Stack, new: &Stack) -> Vec<OutputChange> {
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
