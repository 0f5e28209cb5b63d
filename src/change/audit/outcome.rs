//! A comparison of the plan with a later state.

use super::{AuditError, Finding, Severity, Subject, is_secret_at, tell};
use crate::terraform::cty::{Path, Segment, Typed, View};
use crate::terraform::objchange::assert_object_compatible;
use crate::terraform::schema::{Attribute, Block};
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
    let mut findings: Vec<Finding> = violations
        .into_iter()
        .map(|violation| {
            let hidden = [&planned, &actual]
                .iter()
                .any(|value| is_secret_at(&violation.path, value));
            tell(subject, violation, hidden, Severity::Error)
        })
        .collect();
    let mut became = Became {
        subject,
        actual: &actual,
        findings: &mut findings,
    };
    became.block(
        subject.schema,
        planned.view(),
        actual.view(),
        &mut Path::default(),
    );
    Ok(findings)
}

/// Walks the schema for values that were unknown and are known now.
struct Became<'a> {
    subject: Subject<'a>,
    actual: &'a Typed,
    findings: &'a mut Vec<Finding>,
}

impl Became<'_> {
    fn block(&mut self, block: &Block, planned: View<'_>, actual: View<'_>, path: &mut Path) {
        if !planned.has_elements() || !actual.has_elements() {
            return;
        }
        for (name, attribute) in block.attributes() {
            path.0.push(Segment::Attribute(name.clone()));
            self.attribute(
                attribute,
                planned.attribute(name),
                actual.attribute(name),
                path,
            );
            path.0.pop();
        }
        for (name, nested) in block.blocks() {
            let (planned, actual) = (planned.attribute(name), actual.attribute(name));
            path.0.push(Segment::Attribute(name.clone()));
            if nested.nesting.is_collection() {
                for (step, planned, actual) in pairs(planned, actual) {
                    path.0.push(step);
                    self.block(&nested.block, planned, actual, path);
                    path.0.pop();
                }
            } else {
                self.block(&nested.block, planned, actual, path);
            }
            path.0.pop();
        }
    }

    fn attribute(
        &mut self,
        attribute: &Attribute,
        planned: View<'_>,
        actual: View<'_>,
        path: &mut Path,
    ) {
        if planned.is_known() {
            for (step, planned, actual) in pairs(planned, actual) {
                path.0.push(step);
                self.attribute(attribute, planned, actual, path);
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
        let finding = self
            .subject
            .finding(path.clone(), Severity::Info, "became_known", sentence);
        self.findings.push(finding);
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

/// The values at the same place in both. Elements of sets have no place.
fn pairs<'v>(planned: View<'v>, actual: View<'v>) -> Vec<(Segment, View<'v>, View<'v>)> {
    if matches!(planned.ty, crate::types::Type::Set(_)) {
        return Vec::new();
    }
    let items = planned
        .items()
        .zip(actual.items())
        .enumerate()
        .map(|(index, (planned, actual))| (Segment::Index(index), planned, actual));
    let entries = planned
        .entries()
        .filter_map(|(key, planned)| Some((Segment::Key(key.clone()), planned, actual.key(key)?)));
    items.chain(entries).collect()
}
