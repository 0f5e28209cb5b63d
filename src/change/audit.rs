//! The audit of a plan: broken rules, outcomes that differ from the plan, and changes that core did not ask for.
//!
//! Everything is computed from the files, so a finding covers only what they decide. The configuration in a plan file has
//! constants and, for everything else, references. Referenced values are unknown here, and a finding that an unknown part could
//! reverse is left out. A finding is also left out if the plan keeps the prior value against the configuration, because a
//! resource may ignore changes.
//!
//! - [`audit_own`]: checks the consistency of the plan, without a schema.
//! - [`audit_plan`]: checks that the provider may plan the values that it plans.
//! - [`audit_outcome`]: compares the plan with a later state.
//! - [`provider_changes`]: finds attributes whose change core did not propose, so that it comes from the provider.
//! - [`audit_read`]: checks that a read during apply is planned as core plans it.
//! - [`audit_outputs`]: compares the outputs of the plan with those of a later state.
//!
//! [`audit_saved`] compares a saved plan of Pulumi with a later preview or state.
//!
//! [`audit_change`] and [`audit_result`] run these checks on a resource as it is in the files.

mod config;
mod outcome;
mod outputs;
mod own;
mod places;
mod provider;
mod read;
mod resource;
mod saved;
mod schemaless;

use crate::stack::Severity;
use crate::terraform::cty::{Dynamic, Mismatch, Path, Segment, Typed, View};
use crate::terraform::objchange::{
    Error, Semantics, Violation, ViolationKind, assert_plan_valid,
    normalize_object_from_legacy_sdk, prepare_computed_blocks,
};
use crate::terraform::schema::{Block, NestedBlock};
use crate::value::Value;

pub use config::configured;
pub use outcome::audit_outcome;
pub use outputs::audit_outputs;
pub use own::audit_own;
pub use provider::provider_changes;
pub use read::audit_read;
pub use resource::{audit_change, audit_result, schema_of};
pub use saved::audit_saved;

/// A resource under audit.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The address of the resource.
    pub resource: &'a str,
    /// The schema of the resource.
    pub schema: &'a Block,
    /// The rules by which the file was made; see [`Semantics::of_version`].
    pub semantics: Semantics,
}

/// A result of the audit of a resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The address of the resource.
    pub resource: String,
    /// The path of the value in the resource.
    pub path: Path,
    /// The severity: an error is a broken promise; a warning is a broken rule, from which providers made with the first SDK are
    /// excused, or a resource that could not be checked.
    pub severity: Severity,
    /// The kind of finding, for programs.
    pub kind: &'static str,
    /// One sentence in plain words. Never contains a sensitive value.
    pub sentence: String,
}

/// The reason why a resource cannot be audited.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum AuditError {
    /// A value in the file does not fit the schema.
    #[error("the {which} does not fit the schema: {source}")]
    Value {
        /// The name of the value.
        which: &'static str,
        /// The place and the reason.
        #[source]
        source: Mismatch,
    },
    /// The rules give no answer.
    #[error(transparent)]
    Rule(#[from] Error),
}

impl Subject<'_> {
    /// A finding about the resource.
    fn found(
        self,
        path: &Path,
        severity: Severity,
        kind: &'static str,
        sentence: String,
    ) -> Finding {
        let finding = Finding::new(self.resource, path.clone(), kind, sentence);
        finding.with_severity(severity)
    }

    fn decode(&self, which: &'static str, json: &Value) -> Result<Typed, AuditError> {
        self.schema
            .decode(json, Dynamic::Bare)
            .map_err(|source| AuditError::Value { which, source })
    }

    /// A value in the form that the rules expect. A value written by a provider of the first SDK is normalized, as core does on
    /// refresh. In such a value a null block counts as an empty one and is not a change.
    fn decode_settled(&self, which: &'static str, json: &Value) -> Result<Typed, AuditError> {
        let value = self.decode(which, json)?;
        if !may_be_of_first_sdk(self.schema, value.view()) {
            return Ok(value);
        }
        Ok(normalize_object_from_legacy_sdk(
            self.schema,
            &value,
            self.semantics,
        )?)
    }

    /// The configuration as core shows it to a provider: computed blocks that are absent are null.
    fn configuration(&self, expressions: &Value) -> Result<Typed, AuditError> {
        let config = configured(self.schema, expressions);
        Ok(prepare_computed_blocks(self.schema, &config)?)
    }

    /// The two sides of a planned change.
    fn sides(&self, prior: &Value, planned: &Value) -> Result<[Typed; 2], AuditError> {
        let prior = self.decode_settled("prior value", prior)?;
        Ok([prior, self.decode_settled("planned value", planned)?])
    }
}

impl Finding {
    /// A finding, of the severity of an error.
    fn new(resource: &str, path: Path, kind: &'static str, sentence: impl Into<String>) -> Self {
        Self {
            resource: resource.to_owned(),
            path,
            severity: Severity::Error,
            kind,
            sentence: sentence.into(),
        }
    }

    /// A finding for an object or an output as a whole.
    fn of_whole(resource: &str, kind: &'static str, sentence: impl Into<String>) -> Self {
        Self::new(resource, Path::default(), kind, sentence)
    }

    /// The finding for an object or an output that is there although the plan deletes it.
    fn still_there(resource: &str) -> Self {
        let sentence = "it was to be deleted, but is in the state";
        Self::of_whole(resource, "was_absent_now_present", sentence)
    }

    /// The finding for an object or an output that is planned and not there.
    fn missing(resource: &str) -> Self {
        let sentence = "it was planned, but is not in the state";
        Self::of_whole(resource, "was_present_now_absent", sentence)
    }

    /// The finding for a violation. `hidden` leaves values out of the sentence, for a place that a mark hides.
    fn of_violation(resource: &str, violation: Violation, hidden: bool) -> Self {
        let kind = violation.kind.name();
        let sentence = if hidden {
            violation.kind.without_values()
        } else {
            violation.kind
        };
        Self::new(resource, violation.path, kind, sentence.to_string())
    }

    fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }
}

/// The faults of a planned change of a managed resource, as far as the file decides them.
///
/// `prior` and `planned` are the sides of the change with its masks folded in (null for none). `expressions` is the
/// configuration of the resource in the plan ([`configured`] reads it), `None` if the file has none for it. A replacement is
/// planned as a creation: pass a null `prior`, and the replaced object as `replaced`.
///
/// # Errors
///
/// If a value does not fit the schema.
pub fn audit_plan(
    subject: Subject<'_>,
    prior: &Value,
    replaced: Option<&Value>,
    expressions: Option<&Value>,
    planned: &Value,
) -> Result<Vec<Finding>, AuditError> {
    let Some(expressions) = expressions.filter(|_| !planned.is_null()) else {
        return Ok(Vec::new());
    };
    let marked = subject.sides(prior, planned)?;
    let [prior, planned] = [&marked[0], &marked[1]].map(Typed::unmarked);
    let config = subject.configuration(expressions)?;
    let kept = match replaced {
        Some(replaced) => subject.decode_settled("prior value", replaced)?.unmarked(),
        None => prior.clone(),
    };
    let violations =
        assert_plan_valid(subject.schema, &prior, &config, &planned, subject.semantics)?;
    let findings = violations
        .into_iter()
        .filter(|violation| {
            is_decided(violation, &config) && !is_kept(&violation.path, &kept, &planned)
        })
        .map(|violation| {
            let hidden = is_secret_in(&marked, &violation.path);
            let finding = Finding::of_violation(subject.resource, violation, hidden);
            finding.with_severity(Severity::Warning)
        });
    Ok(findings.collect())
}

/// True if a provider of the first SDK may have made a value of this schema. That SDK has no computed blocks. A value with an
/// unknown block is not normalized either, since the block may be any number of blocks.
fn may_be_of_first_sdk(block: &Block, value: View<'_>) -> bool {
    let may_be = |nested: &NestedBlock, part: View<'_>| {
        let below = |part: View<'_>| may_be_of_first_sdk(&nested.block, part);
        let is_plain = !nested.block.is_computed() && part.is_known();
        is_plain
            && if nested.nesting.is_collection() {
                part.items().all(below) && part.entries().all(|(_, part)| below(part))
            } else {
                below(part)
            }
    };
    let mut blocks = block.blocks().iter();
    !value.has_elements() || blocks.all(|(name, nested)| may_be(nested, value.attribute(name)))
}

/// True if the configuration is known well enough to confirm a violation. A `dynamic` block may make blocks too, and the
/// configuration in a plan leaves those out. So there may be more blocks than the configuration has.
fn is_decided(violation: &Violation, config: &Typed) -> bool {
    match &violation.kind {
        ViolationKind::BlockCountMismatch { planned, config } => planned < config,
        ViolationKind::UnknownForNonComputedBlock
        | ViolationKind::UnknownForConfiguredBlock
        | ViolationKind::UnknownBlock
        | ViolationKind::ValueForUnknownDynamicBlock
        | ViolationKind::BlockKeyNotInConfig(_) => false,
        ViolationKind::NullBlockCollection(_)
        | ViolationKind::WriteOnlyNotNull
        | ViolationKind::UnknownBlockElement => true,
        _ => at(&violation.path, config.view())
            .is_some_and(|config| crate::terraform::cty::is_wholly_known(config.value)),
    }
}

/// True if the plan keeps the prior value.
fn is_kept(path: &Path, prior: &Typed, planned: &Typed) -> bool {
    match (at(path, prior.view()), at(path, planned.view())) {
        (Some(prior), Some(planned)) => prior.raw_equals_unrefined(planned),
        _ => false,
    }
}

/// The value at a path; unknown below an unknown. `None` if there is no such place.
fn at<'v>(path: &Path, value: View<'v>) -> Option<View<'v>> {
    path.0.iter().try_fold(value, |value, step| {
        if value.is_known() {
            below(value, step)
        } else {
            Some(value)
        }
    })
}

/// The part of a value at a step. Elements of a set have no place.
fn below<'v>(value: View<'v>, step: &Segment) -> Option<View<'v>> {
    match step {
        Segment::Attribute(name) | Segment::Key(name) => value.key(name),
        Segment::Index(index) => value.index(*index),
        Segment::Element(_) => None,
    }
}

/// True if a mark on the way to the path, at it or below it makes it secret.
fn is_secret_at(path: &Path, value: &Typed) -> bool {
    let mut here = value.view();
    for step in &path.0 {
        if here.value.is_secret() {
            return true;
        }
        match below(here, step) {
            Some(next) => here = next,
            None => return false,
        }
    }
    here.deep_markers().secret()
}

/// True if one of the values is secret at the path, or around it.
fn is_secret_in<'v>(values: impl IntoIterator<Item = &'v Typed>, path: &Path) -> bool {
    values.into_iter().any(|value| is_secret_at(path, value))
}

#[cfg(test)]
mod tests;
