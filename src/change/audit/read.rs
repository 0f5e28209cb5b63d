//! Reads during apply: no provider plans them, so core alone decides their planned values.
//!
//! # Source
//!
//! opentofu/opentofu, `internal/terraform/node_resource_abstract_instance.go`, `planDataSource`.

use super::places::{Places, Visitor, visit};
use super::{AuditError, Finding, Severity, Subject, configured, is_secret_at};
use crate::terraform::cty::{Path, Typed, View, is_wholly_known};
use crate::terraform::objchange::{assert_value_compatible, planned_data_resource_object};
use crate::terraform::schema::Attribute;
use crate::value::Value;

/// Findings where the plan of a data source differs from core's plan for a read during apply: configured values as configured,
/// and computed values unknown.
///
/// Arguments as for [`audit_plan`](super::audit_plan).
///
/// # Errors
///
/// If a value does not fit the schema, or there is no proposal.
pub fn audit_read(
    subject: Subject<'_>,
    expressions: Option<&Value>,
    planned: &Value,
) -> Result<Vec<Finding>, AuditError> {
    let Some(expressions) = expressions.filter(|_| !planned.is_null()) else {
        return Ok(Vec::new());
    };
    let marked = subject.decode("planned value", planned)?;
    let planned = marked.unmarked();
    let config = configured(subject.schema, expressions);
    let expected = planned_data_resource_object(subject.schema, &config, subject.semantics)?;
    let mut walk = ReadAudit {
        subject,
        marked: &marked,
        findings: Vec::new(),
    };
    let places = Places([planned.view(), config.view(), expected.view()]);
    visit(&mut walk, subject.schema, places, &mut Path::default());
    Ok(walk.findings)
}

struct ReadAudit<'a> {
    subject: Subject<'a>,
    marked: &'a Typed,
    findings: Vec<Finding>,
}

impl Visitor<3> for ReadAudit<'_> {
    fn attribute(&mut self, attribute: &Attribute, places: Places<'_, 3>, path: &mut Path) {
        let [planned, config, expected] = places.0;
        // The configuration in a plan has constants only.
        if !is_wholly_known(config.value) {
            return;
        }
        let is_early = !expected.is_known() && planned.is_known();
        let keeps = || {
            let [expected, planned] = [expected, planned].map(View::to_typed);
            assert_value_compatible(&expected, &planned, self.subject.semantics).is_empty()
        };
        if !is_early && keeps() {
            return;
        }
        let is_hidden = attribute.flags.sensitive || is_secret_at(path, self.marked);
        let sentence = match (is_early, is_hidden) {
            (true, true) => "it is read during apply, but already has a secret".to_owned(),
            (true, false) => format!("it is read during apply, but is already {}", planned.value),
            (false, true) => "the planned sensitive value is not the configured one".to_owned(),
            (false, false) => format!(
                "{} is planned, the configuration says {}",
                planned.value, expected.value
            ),
        };
        let kind = "read_not_as_configured";
        let found = self.subject.found(path, Severity::Warning, kind, sentence);
        self.findings.push(found);
    }
}
