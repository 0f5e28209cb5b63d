//! Secrets that change with no visible cause: neither another resource nor a variable gives them, and perhaps siblings keep theirs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{Fact, Notice, Reader, Seen, is_there, root_of_change};
use crate::change::groups::grouped;
use crate::change::kinds::siblings::family;
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::path::Path;
use crate::stack::{Action, ResourceId, Section};
use crate::value::{Payload, Value};

/// The name of the mechanism.
pub(super) const NAME: &str = "secret-changes";

/// Maximum number of siblings that are named.
const MAX_NAMES: usize = 3;

/// A secret that changes.
#[derive(Clone, Debug)]
pub(super) struct Changed {
    id: ResourceId,
    path: Path,
    /// The variables and locals that the configuration names, if it names any.
    from: Option<Box<str>>,
    /// True if the configuration shows where it is from.
    has_root: bool,
}

/// The secrets of a resource that change.
pub(super) fn find(seen: &Seen<'_>) -> Vec<Changed> {
    if !seen.changes_values() {
        return Vec::new();
    }
    let mut changed = Vec::new();
    for leaf in seen.properties().filter(|leaf| is_another_secret(leaf)) {
        let is_from_other = (seen.origins)().iter().any(|origin| {
            origin.property.contains(&leaf.path) || leaf.path.contains(&origin.property)
        });
        let Some(from) = source(seen, leaf).filter(|_| !is_from_other) else {
            continue;
        };
        let from = Some(from).filter(|from| !from.is_empty());
        // The instances of a block get it by `each.value`.
        let root = || root_of_change(seen.stack, seen.id, leaf);
        changed.push(Changed {
            id: seen.id,
            path: leaf.path.clone(),
            has_root: from.is_some() || root().is_some_and(|it| it.starts_with("from ")),
            from,
        });
    }
    changed
}

/// The notices about secrets that change.
pub(super) fn notices(mut all: Vec<Changed>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    all.sort_by(|one, other| (one.id, &one.path).cmp(&(other.id, &other.path)));
    // By type and family: the resources whose secrets change.
    let family = |id: ResourceId| (stack.ty(id), family(stack, id));
    let families = grouped(all.into_iter().map(|it| (family(it.id), it)));
    let types: BTreeSet<&str> = families.keys().map(|(ty, _)| *ty).collect();
    let may_stay = |id| is_there(stack, id) && stack.record(id).action != Some(Action::Create);
    let others = reader.of_types(|ty| types.contains(ty), may_stay);
    let siblings = grouped(others.into_iter().map(|id| (family(id), id)));
    let notice = |(key, changed): ((&str, String), Vec<Changed>)| {
        let others = siblings.get(&key).into_iter().flatten().copied();
        // They are sorted by resource.
        let stays = |id: &ResourceId| changed.binary_search_by_key(id, |it| it.id).is_err();
        of_family(reader, &changed, others.filter(stays).collect())
    };
    families.into_iter().map(notice).collect()
}

fn of_family(reader: &Reader<'_>, changed: &[Changed], others: Vec<ResourceId>) -> Notice {
    let stack = reader.stack;
    let has_cause = changed.iter().all(|it| it.from.is_some());
    let others = stack.by_name(others);
    let names = others
        .iter()
        .take(MAX_NAMES)
        .map(|id| stack.spoken_name(*id));
    let names: Vec<&str> = names.collect();
    let mut says = "a secret changes".to_owned();
    if !changed.iter().all(|it| it.has_root) {
        says.push_str(" with no visible cause");
    }
    if !names.is_empty() {
        // Writing to a string cannot fail.
        _ = write!(says, ", and not in {}", names.join(", "));
        if others.len() > names.len() {
            _ = write!(says, " and {} more siblings", others.len() - names.len());
        }
    }
    let is_odd = !others.is_empty() && !has_cause;
    let facts = changed.iter().map(|it| {
        let from = it.from.as_ref().map(|from| format!("from {from}"));
        Fact::at(it.id, it.path.clone()).with_note(from.unwrap_or_default())
    });
    let level = if is_odd { Level::Warning } else { Level::Note };
    Notice {
        yields: others.is_empty(),
        ..Notice::of(stack, facts.collect(), level, NAME, says)
    }
}

/// True if a secret that the file has on both sides gets another value. Two ciphertexts may be of one secret.
fn is_another_secret(leaf: &Leaf) -> bool {
    let is_known = |value: &Value| {
        let is_text = !matches!(
            value.payload(),
            Payload::Sealed(_) | Payload::Computed(_) | Payload::Null
        );
        value.is_secret() && is_text
    };
    leaf.reason.is_none() && is_known(&leaf.before) && is_known(&leaf.after)
}

/// The variables and locals that the program sets the property to, "" if it names none; `None` if it does not set it.
fn source(seen: &Seen<'_>, leaf: &Leaf) -> Option<Box<str>> {
    let Some(address) = seen.resource.address.as_deref() else {
        return (leaf.section == Section::Inputs).then(|| "".into());
    };
    let Some(expressions) = seen.stack.expressions.of_resource(address) else {
        return Some("".into());
    };
    let expression = expressions.get(leaf.path.first_key()?)?;
    let references = expression.get("references").and_then(Value::as_array);
    let texts = references.into_iter().flatten().filter_map(Value::as_str);
    let texts: Vec<&str> = texts
        .filter(|text| text.starts_with("var.") || text.starts_with("local."))
        .collect();
    Some(texts.join(", ").into())
}
