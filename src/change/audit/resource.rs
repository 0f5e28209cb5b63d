//! Resources as files have them, audited.

use super::{
    AuditError, Finding, Severity, Subject, audit_outcome, audit_plan, audit_read,
    provider_changes, schemaless, static_address,
};
use crate::stack::{Action, Flags, Mode, Resource, Stack, State};
use crate::terraform::objchange::Semantics;
use crate::terraform::schema::{Kind, Schema, Schemas};
use crate::value::Value;

/// The schema of a managed resource or a data source; `None` if it is neither, or the schemas have none that can be read.
pub fn schema_of(resource: &Resource, schemas: &Schemas) -> Option<Schema> {
    let kind = match resource.mode {
        Mode::Managed => Kind::Managed,
        Mode::Data => Kind::Data,
        _ => return None,
    };
    schemas
        .find(resource.provider.as_deref()?, kind, &resource.ty)?
        .ok()
}

/// What the audit says of a planned change: whether it is valid, and what of it comes from the provider. `stack` is the plan, which
/// holds what the configuration says.
///
/// # Errors
///
/// If a value does not fit the schema.
pub fn audit_change(
    stack: &Stack,
    resource: &Resource,
    schema: &Schema,
    semantics: Semantics,
) -> Result<Vec<Finding>, AuditError> {
    let (Some(address), Some(change)) = (&resource.address, &resource.change) else {
        return Ok(Vec::new());
    };
    let [before, after] =
        [&resource.before, &resource.after].map(|state| attributes(state.as_ref()));
    let subject = Subject {
        resource: address,
        schema: &schema.block,
        semantics,
    };
    let expressions = stack.expressions.get(&*static_address(address));
    let is_planned_anew = matches!(change.action, Action::Replace | Action::Create);
    // What goes has no configuration to be held against.
    if !is_promised(resource) || matches!(change.action, Action::Delete | Action::Forget) {
        return Ok(Vec::new());
    }
    if resource.mode == Mode::Data {
        let is_read = change.action == Action::Read;
        return if is_read {
            audit_read(subject, expressions, after)
        } else {
            Ok(Vec::new())
        };
    }
    if is_planned_anew {
        return audit_plan(subject, &Value::NULL, Some(before), expressions, after);
    }
    // Where nothing changes there is one side only.
    let before = if resource.before.is_some() {
        before
    } else {
        after
    };
    let mut findings = audit_plan(subject, before, None, expressions, after)?;
    findings.extend(provider_changes(subject, before, expressions, after)?);
    Ok(findings)
}

/// What the audit says of a resource of a plan beside the same resource of a later state, `None` where it is not there.
/// Without a schema it goes by what the JSON shows, where lists and sets cannot be told apart.
///
/// # Errors
///
/// If a value does not fit the schema.
pub fn audit_result(
    planned: &Resource,
    actual: Option<&Resource>,
    schema: Option<&Schema>,
    semantics: Semantics,
) -> Result<Vec<Finding>, AuditError> {
    let Some(address) = &planned.address else {
        return Ok(Vec::new());
    };
    if !is_promised(planned) {
        return Ok(Vec::new());
    }
    let promised = attributes(planned.after.as_ref());
    let found = attributes(actual.and_then(|actual| actual.current()));
    let missing = |kind, sentence: &str| {
        let path = crate::terraform::cty::Path::default();
        vec![Finding {
            resource: address.clone(),
            path,
            severity: Severity::Error,
            kind,
            sentence: sentence.to_owned(),
        }]
    };
    match (promised.is_null(), found.is_null()) {
        (true, true) => Ok(Vec::new()),
        // Something that is only forgotten may live on elsewhere, but not in this state.
        (true, false) => Ok(missing(
            "was_absent_now_present",
            "it was to go, and it is in the state",
        )),
        (false, true) => Ok(missing(
            "was_present_now_absent",
            "it was to be there, and it is not in the state",
        )),
        (false, false) => match schema {
            Some(schema) => {
                let subject = Subject {
                    resource: address,
                    schema: &schema.block,
                    semantics,
                };
                audit_outcome(subject, promised, found)
            }
            None => Ok(schemaless::audit(address, promised, found)),
        },
    }
}

/// Whether the plan says what will be: drift is what was found, and what is put off or deposed has no promise.
pub(super) fn is_promised(resource: &Resource) -> bool {
    ![Flags::DRIFT_ENTRY, Flags::DEPOSED, Flags::DEFERRED]
        .iter()
        .any(|flag| resource.flags.contains(*flag))
}

pub(super) fn attributes(state: Option<&State>) -> &Value {
    static NULL: Value = Value::NULL;
    state
        .and_then(|state| state.outputs.as_ref())
        .unwrap_or(&NULL)
}
