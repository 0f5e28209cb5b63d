//! Audits resources as they are in files.

use super::{
    AuditError, Finding, Subject, audit_outcome, audit_plan, audit_read, provider_changes,
    schemaless,
};
use crate::stack::{Action, Flags, Mode, Resource, Stack, State};
use crate::terraform::address::ObjectName;
use crate::terraform::objchange::Semantics;
use crate::terraform::schema::{Schema, SchemaKind, Schemas};
use crate::value::Value;

/// The schema of a managed resource or a data source. `None` if it is neither, or if the schemas have no readable one.
pub fn schema_of(resource: &Resource, schemas: &Schemas) -> Option<Schema> {
    let kind = match resource.mode {
        Mode::Managed => SchemaKind::Managed,
        Mode::Data => SchemaKind::Data,
        _ => return None,
    };
    schemas
        .find(resource.provider.as_deref()?, kind, &resource.ty)?
        .ok()
}

/// The findings on a planned change: broken rules, and changes that come from the provider. `stack` is the plan, which holds
/// the configuration.
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
    let expressions = stack
        .expressions
        .get(&*ObjectName::parse(address).config_address());
    let is_planned_anew = matches!(change.action, Action::Replace | Action::Create);
    // A resource that is deleted or forgotten has no configuration to compare with.
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
    // A no-op has one side only.
    let before = if resource.before.is_some() {
        before
    } else {
        after
    };
    let mut findings = audit_plan(subject, before, None, expressions, after)?;
    findings.extend(provider_changes(subject, before, expressions, after)?);
    Ok(findings)
}

/// The findings on a planned resource compared with the same resource of a later state. `actual` is `None` if it is not in that
/// state. Without a schema the comparison follows the JSON, where lists and sets look alike.
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
    match (promised.is_null(), found.is_null()) {
        (true, true) => Ok(Vec::new()),
        // A forgotten object may live on elsewhere, but not in this state.
        (true, false) => Ok(vec![Finding::still_there(address)]),
        (false, true) => Ok(vec![Finding::missing(address)]),
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

/// True if the plan makes a promise. Drift is what was found, and deferred or deposed objects have no promise.
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
