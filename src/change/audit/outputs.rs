//! A comparison of the outputs of a plan with those of a later state.

use std::collections::HashMap;

use super::Finding;
use crate::stack::{Action, Output, Stack};
use crate::terraform::cty::{Dynamic, Typed, from_json};
use crate::terraform::objchange::{Semantics, assert_value_compatible};
use crate::types::{Type, cty};
use crate::value::Value;

/// The outputs of a later state that differ from the plan. Null outputs are not in a state. An output whose type was unknown in
/// the plan may be of any type.
pub fn audit_outputs(plan: &Stack, after: &Stack, semantics: Semantics) -> Vec<Finding> {
    let is_whole = after.damage.is_none();
    let actual = after.outputs.iter().rev();
    let actual: HashMap<&str, &Output> = actual.map(|it| (&*it.name, it)).collect();
    let mut findings = Vec::new();
    for planned in plan.outputs.iter() {
        let actual = actual.get(&*planned.name).copied();
        let is_promised = !planned.value.is_null() && !planned.value.is_computed();
        match (planned.action == Some(Action::Delete), actual) {
            (true, Some(_)) => findings.push(Finding::still_there(&name(planned))),
            (false, None) if is_promised && is_whole => {
                findings.push(Finding::missing(&name(planned)));
            }
            (false, Some(actual)) => compare(planned, actual, semantics, &mut findings),
            _ => {}
        }
    }
    findings
}

fn compare(planned: &Output, actual: &Output, semantics: Semantics, findings: &mut Vec<Finding>) {
    // Files made in different ways write the same value in different forms, unless they declare its type.
    let ty = [actual, planned]
        .iter()
        .find_map(|output| cty::parse(output.declared_type.as_bytes()).ok())
        .unwrap_or(Type::Dynamic);
    let typed = |value: &Value| -> Option<Typed> { from_json(&ty, value, Dynamic::Bare).ok() };
    let (Some(promised), Some(found)) = (typed(&planned.value), typed(&actual.value)) else {
        return;
    };
    let is_secret = planned.value.has_secrets() || actual.value.has_secrets();
    let violations = assert_value_compatible(&promised, &found, semantics);
    let name = name(planned);
    findings.extend(
        violations
            .into_iter()
            .map(|violation| Finding::of_violation(&name, violation, is_secret)),
    );
}

fn name(output: &Output) -> String {
    format!("output.{}", output.name)
}
