//! Whether a provider may plan what it plans.
//!
//! A provider may fill in computed attributes that the configuration leaves null, and it may keep a prior value which means the same
//! as the configured one. Everything else has to be as configured:
//!
//! - What the configuration has is planned, what it has not is not.
//! - An attribute is as configured; or it is the prior value, if both that and the configuration are not null; or it is computed
//!   only; or it is computed and the configuration leaves it null. A write-only attribute is null in every plan that differs from both.
//! - Nested types are checked attribute by attribute, in lists by position and in maps by key. Of a set only the number of elements
//!   is checked, because they have no names to meet by.
//! - Nested blocks are as many as configured, under the same keys, and each is checked in turn; blocks in sets only for being
//!   known. A computed block that is not configured may be anything.
//!
//! In 0.13 a prior value was always allowed, and a computed attribute that the configuration sets had to be as configured. It
//! crashed where a list or map of blocks is planned of which the configuration has no number yet: what is planned there is checked
//! by the rules of today.
//!
//! # Source
//!
//! hashicorp/terraform 883c7221 and v0.13.0, `objchange.AssertPlanValid`.

mod blocks;
mod nested;

use super::violation::{Mismatched, Violation, ViolationKind as Kind};
use super::{Error, Semantics, require_object};
use crate::terraform::cty::{Place, Typed, View};
use crate::terraform::schema::{Attribute, Block};

/// What is wrong with a planned value, in the order of the schema; empty if the provider may plan it.
///
/// # Errors
///
/// If a value is no object with the attributes and blocks of the schema.
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

/// The three values that meet at a place.
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
    /// 0.13 would not have got to an end.
    has_crashed: bool,
}

impl Check {
    fn of(schema: &Block, stage: Stage<'_>, semantics: Semantics) -> Self {
        let mut check = Self {
            semantics,
            violations: Vec::new(),
            has_crashed: false,
        };
        check.object(schema, stage, &Place::TOP);
        check
    }

    fn report(&mut self, place: &Place<'_>, kind: Kind) {
        self.violations.push(Violation::new(place, kind));
    }

    /// Whether both sides are there, so that there is more to check.
    fn both_present(&mut self, stage: Stage<'_>, place: &Place<'_>) -> bool {
        match (stage.planned.is_null(), stage.config.is_null()) {
            (true, false) => self.report(place, Kind::PlannedAbsentConfigPresent),
            (false, true) => self.report(place, Kind::PlannedPresentConfigAbsent),
            (both_null, _) => return !both_null,
        }
        false
    }

    fn object(&mut self, block: &Block, stage: Stage<'_>, place: &Place<'_>) {
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

    fn attribute(&mut self, attribute: &Attribute, stage: Stage<'_>, place: &Place<'_>) {
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

    /// Takes out the values of what was found since `first`, because an attribute around them is sensitive.
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
