//! Checks that a provider may plan its planned value.
//!
//! A provider may fill in computed attributes that are null in the configuration. It may also keep a prior value that means the
//! same as the configured one. Everything else has to be as configured:
//!
//! - Configured objects are planned, and others are not.
//! - An attribute is valid in four cases. It is as configured. It is the prior value, and neither that nor the configuration is
//!   null. It is computed only. It is computed and null in the configuration. A write-only attribute that is neither as
//!   configured nor the prior value must be null.
//! - Nested types are checked attribute by attribute, in lists by position and in maps by key. For a set only the number of
//!   elements is checked, because its elements have no keys.
//! - There are as many nested blocks as configured, under the same keys, and each is checked in turn. Blocks in sets only have to
//!   be known. A computed block that is not configured may be anything.
//!
//! In 0.13 a prior value was always allowed, and a configured computed attribute had to be as configured. It crashed on a planned
//! list or map of blocks whose number is unknown in the configuration. Such blocks are checked by the current rules. The number of
//! blocks in an unknown tuple or object is not unknown: the type has it.
//!
//! OpenTofu f831fa1a differs from the current rules where a block is computed, or planned as unknown or null. It knows no
//! computed blocks, and reports unknown blocks and null collections as in 0.13. A write-only attribute that is planned as
//! something other than null is treated like any other attribute.
//!
//! # Source
//!
//! hashicorp/terraform 883c7221 and v0.13.0, `objchange.AssertPlanValid`.

mod blocks;
mod nested;

use super::violation::{Mismatched, Violation, ViolationKind as Kind};
use super::{Error, Semantics, require_object};
use crate::terraform::cty::{PathFrame, Typed, View};
use crate::terraform::schema::{Attribute, Block};

/// The violations of a planned value, in schema order; empty if the provider may plan it.
///
/// # Errors
///
/// If a value is not an object with the attributes and blocks of the schema.
pub fn assert_plan_valid(
    schema: &Block,
    prior: &Typed,
    config: &Typed,
    planned: &Typed,
    semantics: Semantics,
) -> Result<Vec<Violation>, Error> {
    require_object(schema, prior, "prior value")?;
    require_object(schema, config, "configuration")?;
    require_object(schema, planned, "planned value")?;
    let stage = Stage {
        prior: prior.view(),
        config: config.view(),
        planned: planned.view(),
    };
    let check = Check::of(schema, stage, semantics);
    if check.has_crashed {
        return Ok(Check::of(schema, stage, Semantics::Current).violations);
    }
    Ok(check.violations)
}

/// The three values of one place.
#[derive(Clone, Copy)]
struct Stage<'a> {
    prior: View<'a>,
    config: View<'a>,
    planned: View<'a>,
}

impl Stage<'_> {
    fn attribute(self, name: &str) -> Self {
        Self {
            prior: self.prior.attribute(name),
            config: self.config.attribute(name),
            planned: self.planned.attribute(name),
        }
    }
}

struct Check {
    semantics: Semantics,
    violations: Vec<Violation>,
    /// True if 0.13 would have crashed.
    has_crashed: bool,
}

impl Check {
    fn of(schema: &Block, stage: Stage<'_>, semantics: Semantics) -> Self {
        let mut check = Self {
            semantics,
            violations: Vec::new(),
            has_crashed: false,
        };
        check.object(schema, stage, &PathFrame::TOP);
        check
    }

    fn report(&mut self, place: &PathFrame<'_>, kind: Kind) {
        self.violations.push(Violation::new(place, kind));
    }

    /// True if both sides are present, so that there is more to check. Reports a violation if only one side is.
    fn both_present(&mut self, stage: Stage<'_>, place: &PathFrame<'_>) -> bool {
        match (stage.planned.is_null(), stage.config.is_null()) {
            (true, false) => self.report(place, Kind::PlannedAbsentConfigPresent),
            (false, true) => self.report(place, Kind::PlannedPresentConfigAbsent),
            (both_null, _) => return !both_null,
        }
        false
    }

    fn object(&mut self, block: &Block, stage: Stage<'_>, place: &PathFrame<'_>) {
        if !self.both_present(stage, place) {
            return;
        }
        for (name, attribute) in block.attributes() {
            self.attribute(attribute, stage.attribute(name), &place.attribute(name));
        }
        for (name, nested) in block.blocks() {
            self.nested_block(nested, stage.attribute(name), &place.attribute(name));
        }
    }

    fn attribute(&mut self, attribute: &Attribute, stage: Stage<'_>, place: &PathFrame<'_>) {
        let flags = attribute.flags;
        let Stage {
            prior,
            config,
            planned,
        } = stage;
        let is_current = self.semantics == Semantics::Current;
        let may_keep_prior = !prior.is_null() && (!is_current || !config.is_null());
        let is_prior = may_keep_prior && planned.raw_equals_unrefined(prior);
        if planned.raw_equals_unrefined(config) || is_prior {
            return;
        }
        if flags.write_only && is_current {
            if !planned.is_null() {
                self.report(place, Kind::WriteOnlyNotNull);
            }
            return;
        }
        if flags.computed && (config.is_null() || (is_current && !flags.optional)) {
            return;
        }
        let hidden = flags.sensitive;
        let shown = |view: View<'_>| view.value.clone();
        let kind = if is_current && config.is_null() && !planned.is_null() {
            Kind::ValueForNonComputed((!hidden).then(|| shown(planned)))
        } else if let Some(nested) = &attribute.nested {
            let first = self.violations.len();
            self.nested_type(nested, stage, place);
            if hidden {
                self.hide_values(first);
            }
            return;
        } else {
            let values = (!hidden).then(|| {
                Box::new(Mismatched {
                    planned: shown(planned),
                    config: shown(config),
                    prior: shown(prior),
                })
            });
            if prior.is_null() {
                Kind::MismatchConfig(values)
            } else {
                Kind::MismatchConfigAndPrior(values)
            }
        };
        let violation = Violation::new(place, kind);
        self.violations.push(Violation {
            is_sensitive: hidden,
            ..violation
        });
    }

    /// Removes the values from the violations since `first`, because an attribute around them is sensitive.
    fn hide_values(&mut self, first: usize) {
        for violation in &mut self.violations[first..] {
            if let Kind::ValueForNonComputed(planned) = &mut violation.kind {
                *planned = None;
            }
            if let Kind::MismatchConfig(values) | Kind::MismatchConfigAndPrior(values) =
                &mut violation.kind
            {
                *values = None;
            }
        }
    }
}
