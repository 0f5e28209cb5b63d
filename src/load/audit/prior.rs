//! A state from before the plan, given in place of the state after the apply.

use std::collections::HashMap;

use super::{Document, read};
use crate::change::audit::Finding;
use crate::change::difference::same;
use crate::format::ReadError;
use crate::stack::{Action, Flags, Resource, ResourceId, Severity, State};
use crate::value::Value;

/// The finding for a state from before the plan.
pub(super) fn finding() -> Finding {
    Finding {
        resource: "the state".to_owned(),
        path: crate::terraform::cty::Path::default(),
        severity: Severity::Warning,
        kind: "prior_state",
        sentence: "this state is from before the plan, so the outcome is not checked".to_owned(),
    }
}

/// True if the state has every change of the plan still ahead: it has the old values, has what the plan deletes, and lacks what
/// the plan creates. False for a plan without changes, and for a state that is not whole.
///
/// # Errors
///
/// If a file changed or was removed meanwhile.
pub(super) fn is_prior(
    plan: &Document,
    after: &Document,
    actual: &HashMap<String, ResourceId>,
) -> Result<bool, ReadError> {
    let stack = &plan.stack;
    if after.stack.damage.is_some() || after.stack.header.kind.has_changes() {
        return Ok(false);
    }
    // The audit reports what cannot be read.
    let silent = &mut |_| {};
    let mut has_change = false;
    for id in stack.ids() {
        let record = stack.record(id);
        if record.flags.contains(Flags::DRIFT_ENTRY) {
            continue;
        }
        let there = actual.get(&stack.identity(id));
        match record.action {
            Some(Action::Create) if there.is_some() => return Ok(false),
            Some(Action::Delete) if there.is_none() => return Ok(false),
            Some(Action::Create | Action::Delete) => has_change = true,
            Some(Action::Update | Action::Replace) => {
                let Some(planned) = read(plan, id, silent)? else {
                    continue;
                };
                // A state from before a move has the old address.
                let change = planned.change.as_ref();
                let previous = change.and_then(|change| change.previous_address.as_ref());
                let before = previous.and_then(|address| actual.get(address));
                let Some(there) = there.or(before) else {
                    return Ok(false);
                };
                let Some(found) = read(after, *there, silent)? else {
                    continue;
                };
                match is_ahead(&planned, &found) {
                    Some(false) => return Ok(false),
                    Some(true) => has_change = true,
                    None => {}
                }
            }
            // They change no value of a state.
            Some(
                Action::Read
                | Action::Import
                | Action::Move
                | Action::Forget
                | Action::Defer
                | Action::Noop,
            )
            | None => {}
        }
    }
    Ok(has_change)
}

/// True if an object still has the values from before a planned change, false if it has another value for one of them. `None` if
/// the plan does not say which values change.
fn is_ahead(planned: &Resource, found: &Resource) -> Option<bool> {
    let values = |state: Option<&State>| state?.outputs.as_ref()?.as_map().cloned();
    let before = values(planned.before.as_ref())?;
    let after = values(planned.after.as_ref())?;
    let found = values(found.current())?;
    let mut is_ahead = None;
    for (key, old) in &before {
        let new = after.get(key);
        if new.is_some_and(|new| same(new, old)) {
            continue;
        }
        let here = found.get(key).unwrap_or(&Value::NULL);
        if !same(here, old) {
            return Some(false);
        }
        is_ahead = Some(true);
    }
    is_ahead
}
