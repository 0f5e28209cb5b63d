//! A comparison of a saved plan of Pulumi with a later preview or state of the same resource.
//!
//! # Laws
//!
//! 1. A step may be weaker than planned, never stronger: nothing instead of an update or a replacement, an update instead of a
//!    replacement.
//! 2. Inputs that the plan adds or changes have their planned values, as far as these were known. Inputs that it removes stay
//!    away.
//! 3. A value that is secret on either side has no finding: two ciphertexts of one text differ.
//!
//! # Source
//!
//! pulumi/pulumi `pkg/resource/deploy/plan.go`.

use std::sync::Arc;

use super::Finding;
use crate::pulumi::equality::Equality;
use crate::stack::{Action, Resource};
use crate::terraform::cty::{Path, Segment};
use crate::value::Value;

/// The findings on one resource. `planned` is from the saved plan (`None` if the plan does not know it), `actual` from a later
/// preview or state (`None` if it is not there).
pub fn audit_saved(planned: Option<&Resource>, actual: Option<&Resource>) -> Vec<Finding> {
    match (planned, actual) {
        (Some(planned), Some(actual)) => {
            let mut findings: Vec<_> = step(planned, actual).into_iter().collect();
            goals(planned, actual, &mut findings);
            findings
        }
        (Some(planned), None) => {
            let action = planned.change.as_ref().map(|change| change.action);
            let may_be_gone = matches!(action, None | Some(Action::Delete | Action::Noop));
            let sentence = "it was planned, but is missing".to_owned();
            let found = finding(planned, None, "was_present_now_absent", sentence);
            if may_be_gone { Vec::new() } else { vec![found] }
        }
        (None, Some(actual)) => {
            let action = actual.change.as_ref().map(|change| change.action);
            let acts = action.is_some_and(|action| action != Action::Noop);
            let sentence = "it changes, but is not in the plan".to_owned();
            let found = finding(actual, None, "not_planned", sentence);
            if acts { vec![found] } else { Vec::new() }
        }
        (None, None) => Vec::new(),
    }
}

/// The finding on the step; `None` if the plan allows it.
fn step(planned: &Resource, actual: &Resource) -> Option<Finding> {
    let allowed = planned.change.as_ref()?.action;
    let Some(change) = &actual.change else {
        let sentence = "it was to be deleted, but still exists".to_owned();
        return (allowed == Action::Delete)
            .then(|| finding(planned, None, "was_absent_now_present", sentence));
    };
    let strength = |action| match action {
        Action::Noop => Some(0),
        Action::Update => Some(1),
        Action::Replace => Some(2),
        _ => None,
    };
    let is_weaker = match (strength(change.action), strength(allowed)) {
        (Some(actual), Some(allowed)) => actual <= allowed,
        // A resource that already exists needs no step.
        (Some(0), None) => true,
        _ => change.action == allowed,
    };
    (!is_weaker).then(|| {
        let sentence = format!(
            "the plan allows {}, but the action is {}",
            allowed.name(),
            change.action.name()
        );
        finding(planned, None, "step_not_allowed", sentence)
    })
}

/// Adds a finding for each input that differs from the plan.
fn goals(planned: &Resource, actual: &Resource, findings: &mut Vec<Finding>) {
    let Some(inputs) = actual
        .after
        .as_ref()
        .and_then(|state| state.inputs.as_ref())
        .and_then(Value::as_map)
    else {
        return;
    };
    let goals = planned
        .after
        .as_ref()
        .and_then(|state| state.inputs.as_ref());
    for (key, goal) in goals.and_then(Value::as_map).into_iter().flatten() {
        let Some(value) = inputs.get(key) else {
            let sentence = "it was planned, but is missing".to_owned();
            findings.push(finding(planned, Some(key), "goal_missed", sentence));
            continue;
        };
        let is_hidden = goal.has_secrets() || value.has_secrets();
        if !is_hidden && !value.equals(goal, Equality::RelaxComputed) {
            let sentence = format!("{goal} was planned, and it is {value}");
            findings.push(finding(planned, Some(key), "goal_missed", sentence));
        }
    }
    let difference = planned.fields.iter().find(|(key, _)| &**key == "inputDiff");
    let deletes = difference.and_then(|(_, difference)| difference.get("deletes"));
    for key in deletes.and_then(Value::as_array).into_iter().flatten() {
        if let Some(key) = key.as_str()
            && inputs.contains_key(key)
        {
            let sentence = "it was to be deleted, but still exists".to_owned();
            findings.push(finding(planned, Some(&key.into()), "goal_missed", sentence));
        }
    }
}

fn finding(
    resource: &Resource,
    key: Option<&Arc<str>>,
    kind: &'static str,
    sentence: String,
) -> Finding {
    let path = Path(key.into_iter().cloned().map(Segment::Attribute).collect());
    Finding::new(&resource.urn, path, kind, sentence)
}
