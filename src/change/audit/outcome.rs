//! A comparison of the plan with a later state.

use super::places::{Places, Visitor, visit};
use super::{AuditError, Finding, Severity, Subject, is_secret_at, is_secret_in};
use crate::terraform::cty::{Path, Typed};
use crate::terraform::objchange::{Violation, assert_object_compatible};
use crate::terraform::schema::Attribute;
use crate::value::Value;

/// The outcome of a planned value: broken promises, and the values that unknown ones became. For a secret the finding does not
/// show the value.
///
/// `planned` has the masks of the plan folded in, `actual` those of the state; null for no object.
///
/// # Errors
///
/// If a value does not fit the schema.
pub fn audit_outcome(
    subject: Subject<'_>,
    planned: &Value,
    actual: &Value,
) -> Result<Vec<Finding>, AuditError> {
    let planned = subject.decode_settled("planned value", planned)?;
    let actual = subject.decode_settled("actual value", actual)?;
    let violations =
        assert_object_compatible(subject.schema, &planned, &actual, subject.semantics)?;
    let of_violation = |violation: Violation| {
        let hidden = is_secret_in([&planned, &actual], &violation.path);
        Finding::of_violation(subject.resource, violation, hidden)
    };
    let mut findings: Vec<Finding> = violations.into_iter().map(of_violation).collect();
    let mut became = Became {
        subject,
        actual: &actual,
        findings: &mut findings,
    };
    let places = Places([planned.view(), actual.view()]);
    visit(&mut became, subject.schema, places, &mut Path::default());
    Ok(findings)
}

/// Walks the schema for values that were unknown and are known now.
struct Became<'a> {
    subject: Subject<'a>,
    actual: &'a Typed,
    findings: &'a mut Vec<Finding>,
}

impl Visitor<2> for Became<'_> {
    fn attribute(&mut self, attribute: &Attribute, places: Places<'_, 2>, path: &mut Path) {
        let [planned, actual] = places.0;
        if planned.is_known() {
            for (segment, places) in places.elements() {
                path.0.push(segment);
                self.attribute(attribute, places, path);
                path.0.pop();
            }
            return;
        }
        if !actual.is_known() {
            return;
        }
        let hidden = attribute.flags.sensitive
            || attribute.flags.write_only
            || planned.value.is_secret()
            || is_secret_at(path, self.actual)
            || holds_sensitive(attribute);
        let sentence = if hidden {
            "it was unknown in the plan, and is now a secret".to_owned()
        } else {
            format!("it was unknown in the plan, and is now {}", actual.value)
        };
        let found = self
            .subject
            .found(path, Severity::Info, "became_known", sentence);
        self.findings.push(found);
    }
}

/// True if an attribute in a nested type is sensitive, at any depth.
fn holds_sensitive(attribute: &Attribute) -> bool {
    attribute.nested.as_ref().is_some_and(|nested| {
        nested
            .attributes()
            .values()
            .any(|attribute| attribute.flags.sensitive || holds_sensitive(attribute))
    })
}
