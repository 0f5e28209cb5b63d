//! Steps of a Pulumi update, as previews and event logs write them.

use super::pulumi_resource as resource;
use super::stored;
use crate::stack::{Action, DetailedKind, PropertyChange, Resource};
use crate::value::{Map, Value};

/// What an operation means here.
///
/// # Source
///
/// pulumi/pulumi `pkg/resource/deploy/step.go`, the operations.
pub(super) fn action(op: &str) -> Action {
    match op {
        "same" | "" => Action::Noop,
        "create" => Action::Create,
        "delete" => Action::Delete,
        "replace" | "create-replacement" | "delete-replaced" | "import-replacement" => {
            Action::Replace
        }
        "read" | "read-replacement" | "refresh" => Action::Read,
        "discard" | "discard-replaced" => Action::Forget,
        "import" => Action::Import,
        // Rare ones (`remove-pending-replace`, `diff`) and ones to come change something in the state.
        _ => Action::Update,
    }
}

/// The resource that a step takes from one state to another.
pub(super) fn between(urn: &str, old: Option<&Map>, new: Option<&Map>) -> Resource {
    let nothing = Map::default();
    let mut shown = new.or(old).unwrap_or(&nothing).clone();
    if !shown.contains_key("urn") {
        shown = shown.set("urn", Value::from(urn));
    }
    let mut resource = resource::read(&shown);
    if let Some(old) = old
        && resource.id.as_ref().is_none_or(Value::is_computed)
        && let Some(id) = old.get("id")
    {
        resource.id = Some(stored::decode(id));
    }
    resource.before = old.map(resource::state);
    resource.after = new.map(resource::state);
    resource
}

/// A provider's detailed difference, whose kinds stand under `kind_key`; `None` if it gave none.
pub(super) fn detailed(difference: Option<&Value>, kind_key: &str) -> Option<Vec<PropertyChange>> {
    let entries = difference?.as_map()?;
    let changes = entries.iter().filter_map(|(path, entry)| {
        let kind = match entry.get(kind_key)?.as_str()? {
            "add" => DetailedKind::Add,
            "add-replace" => DetailedKind::AddReplace,
            "delete" => DetailedKind::Delete,
            "delete-replace" => DetailedKind::DeleteReplace,
            "update" => DetailedKind::Update,
            "update-replace" => DetailedKind::UpdateReplace,
            _ => return None,
        };
        let input_diff = entry.get("inputDiff").and_then(Value::as_bool);
        Some(PropertyChange {
            path: path.to_string(),
            kind,
            input_diff: input_diff.unwrap_or_default(),
        })
    });
    Some(changes.collect())
}
