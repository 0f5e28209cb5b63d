//! Schema-free checks: the values of a change must fit its action.

use super::Finding;
use super::resource::{attributes, is_promised};
use crate::stack::{Action, Resource};
use crate::terraform::cty::{Typed, is_wholly_known};
use crate::terraform::objchange::{BasicAction, action_for_change};
use crate::types::Type;
use crate::value::Value;

/// Findings in a planned change that contradict the plan itself. These are a created resource with values before, a deleted one
/// with values after, an unchanged one with other values after, or an existing value that is unknown.
pub fn audit_own(resource: &Resource) -> Vec<Finding> {
    let (Some(address), Some(change)) = (&resource.address, &resource.change) else {
        return Vec::new();
    };
    if !is_promised(resource) {
        return Vec::new();
    }
    let before = attributes(resource.before.as_ref());
    let after = attributes(resource.after.as_ref());
    let mut sentences = Vec::new();
    let (needs_before, needs_after) = match change.action {
        Action::Create => (Some(false), Some(true)),
        Action::Delete | Action::Forget => (Some(true), Some(false)),
        Action::Update | Action::Replace => (Some(true), Some(true)),
        // One side is enough for other actions. A read may have none.
        _ => (None, None),
    };
    let action = change.action.name();
    for (needed, value, side) in [
        (needs_before, before, "before"),
        (needs_after, after, "after"),
    ] {
        if needed == Some(value.is_null()) {
            let no = if value.is_null() { "no " } else { "" };
            sentences.push(format!(
                "its action is {action}, but it has {no}values {side}"
            ));
        }
    }
    let claims_nothing = matches!(change.action, Action::Noop | Action::Move);
    if claims_nothing && action_of_values(before, after) == BasicAction::Update {
        sentences.push(format!("its action is {action}, but its values change"));
    }
    if !is_wholly_known(before) {
        sentences.push("a value before the change is unknown".to_owned());
    }
    let finding = |sentence: String| Finding::of_whole(address, "contradiction", sentence);
    sentences.into_iter().map(finding).collect()
}

/// The action that leads from one value to the other. A mask on only one side is not a change.
fn action_of_values(before: &Value, after: &Value) -> BasicAction {
    let [before, after] =
        [before, after].map(|value| Typed::trusted(Type::Dynamic, value.clone()).unmarked());
    action_for_change(before.view(), after.view())
}
