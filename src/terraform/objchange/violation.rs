//! Violations of the planning rules.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::terraform::cty::{Path, PathFrame};
use crate::terraform::schema::Nesting;
use crate::text::escape_into;
use crate::value::Value;

/// A place where a planned or an actual value breaks a rule.
///
/// Its text never shows a sensitive value. Values that the schema or a mark hides are left out, and marked values inside other
/// values print as `[secret]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// The path below the resource's object.
    pub path: Path,
    /// The broken rule.
    pub kind: ViolationKind,
    /// True if the schema marks the value as sensitive.
    pub is_sensitive: bool,
}

/// The kind of violation.
#[derive(Clone, PartialEq, Debug)]
pub enum ViolationKind {
    /// The configuration has an object and the plan does not.
    PlannedAbsentConfigPresent,
    /// The plan has an object and the configuration does not.
    PlannedPresentConfigAbsent,
    /// Absent blocks are planned as null instead of as an empty collection.
    NullBlockCollection(Nesting),
    /// The number of blocks is unknown, yet the plan gives it.
    ValueForUnknownDynamicBlock,
    /// Blocks that only the configuration sets are planned as unknown.
    UnknownForNonComputedBlock,
    /// Configured blocks are planned as unknown.
    UnknownForConfiguredBlock,
    /// A block is unknown as a whole (0.13).
    UnknownBlock,
    /// One of several blocks is unknown as a whole.
    UnknownBlockElement,
    /// The numbers of blocks differ.
    BlockCountMismatch {
        /// Number of planned blocks.
        planned: usize,
        /// Number of configured blocks.
        config: usize,
    },
    /// A block is planned under a key that is not configured.
    BlockKeyNotInConfig(Arc<str>),
    /// A block is configured under a key that is not planned.
    BlockKeyNotInPlan(Arc<str>),
    /// The numbers of elements of a nested type differ. A set with unknown elements may turn out to have fewer. An unknown
    /// collection may have any number, up to `usize::MAX`.
    CountMismatch {
        /// Range of the number of planned elements.
        planned: RangeInclusive<usize>,
        /// Range of the number of configured elements.
        config: RangeInclusive<usize>,
    },
    /// An element of a nested type is planned under a key that is not configured.
    MapKeyNotInConfig(Arc<str>),
    /// An element of a nested type is configured under a key that is not planned.
    MapKeyNotInPlan(Arc<str>),
    /// A value that the configuration sets is planned as unknown.
    UnknownForConfiguredValue,
    /// A write-only attribute has a value in the plan.
    WriteOnlyNotNull,
    /// A value is planned for an attribute that only the configuration sets, and the configuration does not set it.
    ValueForNonComputed(Option<Value>),
    /// The planned value is not the configured one.
    MismatchConfig(Option<Box<Mismatched>>),
    /// The planned value is neither the configured nor the prior one.
    MismatchConfigAndPrior(Option<Box<Mismatched>>),
    /// An object exists that was not planned.
    WasAbsentNowPresent,
    /// A planned object is missing.
    WasPresentNowAbsent,
    /// Something below a sensitive attribute is not as planned.
    SensitiveInconsistent,
    /// Computed blocks are null after the apply.
    NullBlockAfterApply,
    /// The number of blocks is not the planned one.
    BlockCountChanged(Counts),
    /// A planned block is missing.
    BlockKeyVanished(Arc<str>),
    /// A block exists that was not planned.
    BlockKeyAppeared(Arc<str>),
    /// A set has more blocks than were planned.
    BlockSetGrew(Counts),
    /// The value has another type than planned.
    WrongType {
        /// The planned type, in plain English.
        planned: String,
        /// The actual type, in plain English.
        actual: String,
    },
    /// The value is not one that the plan allowed.
    PlaceholderViolated,
    /// Null was planned, but there is a value.
    WasNullNowValue(Value),
    /// A value was planned, but there is null.
    WasValueNowNull(Value),
    /// A known value was planned, but it is still unknown.
    WasKnownNowUnknown,
    /// Another value was planned.
    ValueChanged {
        /// The planned value.
        planned: Value,
        /// The actual value.
        actual: Value,
    },
    /// A planned element is missing: its index, or its key in quotes.
    ElementVanished(String),
    /// An element exists that was not planned: its index, or its key in quotes.
    ElementAppeared(String),
    /// A set has more elements than were planned.
    SetGrew(Counts),
    /// An element of the planned set has no match in the actual set.
    PlannedSetElementUncorrelated,
    /// An element of the actual set has no match in the planned set.
    ActualSetElementUncorrelated,
}

/// The values of a mismatch.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatched {
    /// The planned value.
    pub planned: Value,
    /// The configured value.
    pub config: Value,
    /// The prior value.
    pub prior: Value,
}

/// The planned and the actual number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Number that was planned.
    pub planned: usize,
    /// Actual number.
    pub actual: usize,
}

impl Violation {
    pub(super) fn new(place: &PathFrame<'_>, kind: ViolationKind) -> Self {
        Self {
            path: place.path(),
            kind,
            is_sensitive: false,
        }
    }
}

impl ViolationKind {
    /// The name of the kind, for machine-readable output: `block_count_changed`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::PlannedAbsentConfigPresent => "planned_absent_config_present",
            Self::PlannedPresentConfigAbsent => "planned_present_config_absent",
            Self::NullBlockCollection(_) => "null_block_collection",
            Self::ValueForUnknownDynamicBlock => "value_for_unknown_dynamic_block",
            Self::UnknownForNonComputedBlock => "unknown_for_non_computed_block",
            Self::UnknownForConfiguredBlock => "unknown_for_configured_block",
            Self::UnknownBlock => "unknown_block",
            Self::UnknownBlockElement => "unknown_block_element",
            Self::BlockCountMismatch { .. } => "block_count_mismatch",
            Self::BlockKeyNotInConfig(_) => "block_key_not_in_config",
            Self::BlockKeyNotInPlan(_) => "block_key_not_in_plan",
            Self::CountMismatch { .. } => "count_mismatch",
            Self::MapKeyNotInConfig(_) => "map_key_not_in_config",
            Self::MapKeyNotInPlan(_) => "map_key_not_in_plan",
            Self::UnknownForConfiguredValue => "unknown_for_configured_value",
            Self::WriteOnlyNotNull => "write_only_not_null",
            Self::ValueForNonComputed(_) => "value_for_non_computed",
            Self::MismatchConfig(_) => "mismatch_config",
            Self::MismatchConfigAndPrior(_) => "mismatch_config_and_prior",
            Self::WasAbsentNowPresent => "was_absent_now_present",
            Self::WasPresentNowAbsent => "was_present_now_absent",
            Self::SensitiveInconsistent => "sensitive_inconsistent",
            Self::NullBlockAfterApply => "null_block_after_apply",
            Self::BlockCountChanged(_) => "block_count_changed",
            Self::BlockKeyVanished(_) => "block_key_vanished",
            Self::BlockKeyAppeared(_) => "block_key_appeared",
            Self::BlockSetGrew(_) => "block_set_grew",
            Self::WrongType { .. } => "wrong_type",
            Self::PlaceholderViolated => "placeholder_violated",
            Self::WasNullNowValue(_) => "was_null_now_value",
            Self::WasValueNowNull(_) => "was_value_now_null",
            Self::WasKnownNowUnknown => "was_known_now_unknown",
            Self::ValueChanged { .. } => "value_changed",
            Self::ElementVanished(_) => "element_vanished",
            Self::ElementAppeared(_) => "element_appeared",
            Self::SetGrew(_) => "set_grew",
            Self::PlannedSetElementUncorrelated => "planned_set_element_uncorrelated",
            Self::ActualSetElementUncorrelated => "actual_set_element_uncorrelated",
        }
    }
}

impl ViolationKind {
    /// The same kind without the values in it.
    #[must_use]
    pub fn without_values(self) -> Self {
        match self {
            Self::ValueForNonComputed(_) => Self::ValueForNonComputed(None),
            Self::MismatchConfig(_) => Self::MismatchConfig(None),
            Self::MismatchConfigAndPrior(_) => Self::MismatchConfigAndPrior(None),
            Self::WasNullNowValue(_) | Self::WasValueNowNull(_) | Self::ValueChanged { .. } => {
                Self::SensitiveInconsistent
            }
            other => other,
        }
    }
}

impl Violation {
    /// Marks every value in the violation as secret: a mark around it hides it too.
    #[must_use]
    pub(super) fn with_secret_values(mut self) -> Self {
        let hide = |value: &mut Value| *value = std::mem::take(value).with_secret(true);
        match &mut self.kind {
            ViolationKind::WasNullNowValue(value) | ViolationKind::WasValueNowNull(value) => {
                hide(value);
            }
            ViolationKind::ValueChanged { planned, actual } => {
                hide(planned);
                hide(actual);
            }
            _ => {}
        }
        self
    }
}

impl std::error::Error for Violation {}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}: {}", self.path, self.kind)
    }
}

/// One sentence in plain words, without the path.
impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BlockCountMismatch { planned, config } => {
                write!(
                    f,
                    "{planned} blocks are planned, the configuration has {config}"
                )
            }
            Self::CountMismatch { planned, config } => {
                write!(
                    f,
                    "{} elements are planned, the configuration has {}",
                    range(planned),
                    range(config)
                )
            }
            Self::BlockCountChanged(counts) => write!(
                f,
                "{} blocks were planned, there are {}",
                counts.planned, counts.actual
            ),
            Self::BlockSetGrew(counts) => write!(
                f,
                "{} blocks were planned at most, there are {}",
                counts.planned, counts.actual
            ),
            Self::SetGrew(counts) => write!(
                f,
                "{} elements were planned at most, there are {}",
                counts.planned, counts.actual
            ),
            Self::WrongType { planned, actual } => {
                write!(f, "{planned} was planned, there is {actual}")
            }
            Self::BlockKeyNotInConfig(key) | Self::MapKeyNotInConfig(key) => {
                with_key(f, "the planned key", key, "is not in the configuration")
            }
            Self::BlockKeyNotInPlan(key) | Self::MapKeyNotInPlan(key) => {
                with_key(f, "the configured key", key, "is not in the plan")
            }
            Self::BlockKeyVanished(key) => with_key(f, "the planned key", key, "is not there"),
            Self::BlockKeyAppeared(key) => with_key(f, "the key", key, "was not planned"),
            Self::ElementVanished(index) => write!(f, "the planned element {index} is not there"),
            Self::ElementAppeared(index) => write!(f, "the element {index} was not planned"),
            Self::ValueForNonComputed(Some(planned)) => write!(
                f,
                "{planned} is planned, but only the configuration sets this attribute, and it does not"
            ),
            Self::MismatchConfig(Some(values)) => write!(
                f,
                "{} is planned, the configuration says {}",
                values.planned, values.config
            ),
            Self::MismatchConfigAndPrior(Some(values)) => write!(
                f,
                "{} is planned, the configuration says {} and it was {}",
                values.planned, values.config, values.prior
            ),
            Self::WasNullNowValue(actual) => write!(f, "null was planned, there is {actual}"),
            Self::WasValueNowNull(planned) => write!(f, "{planned} was planned, there is null"),
            Self::ValueChanged { planned, actual } => {
                write!(f, "{planned} was planned, there is {actual}")
            }
            other => f.write_str(other.plain_sentence()),
        }
    }
}

impl ViolationKind {
    /// The sentence of a kind that has no values to fill in, or must not show them.
    fn plain_sentence(&self) -> &'static str {
        match self {
            Self::PlannedAbsentConfigPresent => "it is configured, but not planned",
            Self::PlannedPresentConfigAbsent => "it is planned, but not configured",
            Self::NullBlockCollection(_) => {
                "null is planned where no blocks are an empty collection"
            }
            Self::ValueForUnknownDynamicBlock => {
                "blocks are planned, but it is not known yet how many there will be"
            }
            Self::UnknownForNonComputedBlock => {
                "the blocks are planned as unknown, but only the configuration makes them"
            }
            Self::UnknownForConfiguredBlock => {
                "the blocks are planned as unknown, but the configuration makes them"
            }
            Self::UnknownBlock | Self::UnknownBlockElement => {
                "a block is planned as unknown; only attributes in it may be"
            }
            Self::UnknownForConfiguredValue => {
                "it is planned as unknown, but the configuration sets it"
            }
            Self::WriteOnlyNotNull => "a write-only attribute has a value in the plan",
            Self::ValueForNonComputed(_) => {
                "a sensitive value is planned, but only the configuration sets this attribute, and it does not"
            }
            Self::MismatchConfig(_) => "the planned sensitive value is not the configured one",
            Self::MismatchConfigAndPrior(_) => {
                "the planned sensitive value is neither the configured nor the prior one"
            }
            Self::WasAbsentNowPresent => "it exists, but was not planned",
            Self::WasPresentNowAbsent => "it was planned, but does not exist",
            Self::SensitiveInconsistent => "a sensitive value is not the planned one",
            Self::NullBlockAfterApply => "the blocks are null after apply",
            Self::PlaceholderViolated => "the value is not one that the plan allows",
            Self::WasKnownNowUnknown => "a value was planned, and it is still unknown",
            Self::PlannedSetElementUncorrelated => {
                "a planned set element has no match in the actual set"
            }
            Self::ActualSetElementUncorrelated => {
                "an actual set element has no match in the planned set"
            }
            _ => "it is not as planned",
        }
    }
}

/// A number that is known up to a range: `3`, `1 to 3`, `2 or more`.
fn range(of: &RangeInclusive<usize>) -> String {
    match (*of.start(), *of.end()) {
        (least, most) if least == most => least.to_string(),
        (0, usize::MAX) => "an unknown number".to_owned(),
        (least, usize::MAX) => format!("{least} or more"),
        (least, most) => format!("{least} to {most}"),
    }
}

fn with_key(f: &mut fmt::Formatter<'_>, what: &str, key: &str, says: &str) -> fmt::Result {
    write!(f, "{what} \"")?;
    escape_into(f, key)?;
    write!(f, "\" {says}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_number_is_shown_as_a_range() {
        let kind = |planned, config| ViolationKind::CountMismatch { planned, config }.to_string();
        assert_eq!(
            kind(1..=3, 0..=0),
            "1 to 3 elements are planned, the configuration has 0"
        );
        assert_eq!(
            kind(2..=2, 0..=usize::MAX),
            "2 elements are planned, the configuration has an unknown number"
        );
        assert_eq!(
            kind(2..=2, 3..=usize::MAX),
            "2 elements are planned, the configuration has 3 or more"
        );
    }
}
