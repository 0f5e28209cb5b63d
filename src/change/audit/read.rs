//! Reads during apply: no provider plans them, so core alone decides their planned values.
//!
//! # Source
//!
//! opentofu/opentofu, `internal/terraform/node_resource_abstract_instance.go`, `planDataSource`.

use super::{AuditError, Finding, Severity, Subject, configured, is_secret_at};
use crate::terraform::cty::{Path, Segment, Typed, View, is_wholly_known};
use crate::terraform::objchange::{assert_value_compatible, planned_data_resource_object};
use crate::terraform::schema::{Attribute, Block, Nesting};
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
    let stage = Stage {
        config: config.view(),
        expected: expected.view(),
        planned: planned.view(),
    };
    walk.block(subject.schema, stage, &mut Path::default());
    Ok(walk.findings)
}

#[derive(Clone, Copy)]
struct Stage<'v> {
    config: View<'v>,
    expected: View<'v>,
    planned: View<'v>,
}

impl<'v> Stage<'v> {
    fn attribute(self, name: &str) -> Self {
        Self {
            config: self.config.attribute(name),
            expected: self.expected.attribute(name),
            planned: self.planned.attribute(name),
        }
    }

    /// The blocks at the same place in all three. Blocks of a set have no place.
    fn blocks(self, nesting: Nesting) -> Vec<(Option<Segment>, Self)> {
        let together = |planned, config: Option<View<'v>>, expected: Option<View<'v>>| {
            Some(Self {
                config: config?,
                expected: expected?,
                planned,
            })
        };
        match nesting {
            Nesting::Single | Nesting::Group => vec![(None, self)],
            Nesting::Set => Vec::new(),
            Nesting::List => {
                let blocks = self.planned.items().enumerate();
                let blocks = blocks.filter_map(|(index, planned)| {
                    let (config, expected) = (self.config.index(index), self.expected.index(index));
                    let stage = together(planned, config, expected)?;
                    Some((Some(Segment::Index(index)), stage))
                });
                blocks.collect()
            }
            Nesting::Map => {
                let blocks = self.planned.entries().filter_map(|(key, planned)| {
                    let stage = together(planned, self.config.key(key), self.expected.key(key))?;
                    Some((Some(Segment::Key(key.clone())), stage))
                });
                blocks.collect()
            }
        }
    }
}

struct ReadAudit<'a> {
    subject: Subject<'a>,
    marked: &'a Typed,
    findings: Vec<Finding>,
}

impl ReadAudit<'_> {
    fn block(&mut self, block: &Block, stage: Stage<'_>, path: &mut Path) {
        let all = [stage.config, stage.expected, stage.planned];
        if !all.iter().all(|view| view.has_elements()) {
            return;
        }
        for (name, attribute) in block.attributes() {
            path.0.push(Segment::Attribute(name.clone()));
            self.attribute(attribute, stage.attribute(name), path);
            path.0.pop();
        }
        for (name, nested) in block.blocks() {
            path.0.push(Segment::Attribute(name.clone()));
            for (step, stage) in stage.attribute(name).blocks(nested.nesting) {
                let depth = path.0.len();
                path.0.extend(step);
                self.block(&nested.block, stage, path);
                path.0.truncate(depth);
            }
            path.0.pop();
        }
    }

    fn attribute(&mut self, attribute: &Attribute, stage: Stage<'_>, path: &Path) {
        let Stage {
            config,
            expected,
            planned,
        } = stage;
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
        let finding = self.subject.finding(
            path.clone(),
            Severity::Warning,
            "read_not_as_configured",
            sentence,
        );
        self.findings.push(finding);
    }
}
