//! Checks that an actual value keeps what was planned.
//!
//! - Planned objects exist, and others do not.
//! - A known value is the planned one. An unknown may become any value of its type that its refinements allow.
//! - Lists, maps and tuples have the same elements by position or key; objects are compared attribute by attribute.
//! - Elements of sets have no key, so each planned one must match some actual one, and the other way round. The set may have
//!   shrunk, since unknowns may have turned out to be equal, but it may not have grown.
//! - There are as many blocks of a list or map as planned, and at most as many of a set. If their number was unknown, nothing
//!   is checked.
//! - Everything wrong below a sensitive attribute is one violation without details. An attribute is sensitive if the schema or a
//!   mark says so, on the attribute or on the object that contains it. A mark on a block itself only hides the values.
//!
//! In 0.13 a block with only unknown and null attributes could be the placeholder for any number of blocks. Next to such a block,
//! a list of blocks was not checked at all, a map not for its keys and a set not for its size. The planned type also had to
//! conform to the actual one. 0.13 had no marks: values with marks are checked by the current rules.
//!
//! # Source
//!
//! hashicorp/terraform 883c7221 and v0.13.0, `objchange.AssertObjectCompatible`.

mod blocks;
mod placeholder;
mod sets;

use std::collections::BTreeSet;

use super::violation::{Counts, Violation, ViolationKind as Kind};
use super::{Error, Semantics, require_object};
use crate::terraform::cty::{PathFrame, Typed, View, distinct_marks, includes};
use crate::terraform::schema::Block;
use crate::text::quoted;
use crate::types::Type;
use crate::types::cty::{conforms, friendly_name};
use crate::value::Markers;

/// The violations of an actual value against the planned one, in schema order; empty if it keeps the plan.
///
/// # Errors
///
/// If a value is not an object with the attributes and blocks of the schema.
pub fn assert_object_compatible(
    schema: &Block,
    planned: &Typed,
    actual: &Typed,
    semantics: Semantics,
) -> Result<Vec<Violation>, Error> {
    require_object(schema, planned, "planned value")?;
    require_object(schema, actual, "actual value")?;
    let is_marked = |of: &Typed| of.view().deep_markers() != Markers::default();
    let semantics = if is_marked(planned) || is_marked(actual) {
        Semantics::Current
    } else {
        semantics
    };
    let sides = Sides::of(planned, actual);
    Ok(Check { semantics }.object(schema, sides, &PathFrame::TOP))
}

/// The violations of an actual attribute value against the planned one. Marks are ignored.
pub fn assert_value_compatible(
    planned: &Typed,
    actual: &Typed,
    semantics: Semantics,
) -> Vec<Violation> {
    let (planned, actual) = (planned.unmarked(), actual.unmarked());
    Check { semantics }.value(Sides::of(&planned, &actual), &PathFrame::TOP)
}

#[derive(Clone, Copy)]
struct Check {
    semantics: Semantics,
}

/// The planned and the actual value of a place.
#[derive(Clone, Copy)]
struct Sides<'v> {
    planned: View<'v>,
    actual: View<'v>,
}

impl<'v> Sides<'v> {
    fn of(planned: &'v Typed, actual: &'v Typed) -> Self {
        Self {
            planned: planned.view(),
            actual: actual.view(),
        }
    }

    fn attribute(self, name: &str) -> Self {
        Self {
            planned: self.planned.attribute(name),
            actual: self.actual.attribute(name),
        }
    }

    /// True if the value itself is sensitive on a side.
    fn is_sensitive(self) -> bool {
        self.planned.value.is_secret() || self.actual.value.is_secret()
    }

    fn counts(self) -> Counts {
        Counts {
            planned: self.planned.len().unwrap_or(0),
            actual: self.actual.len().unwrap_or(0),
        }
    }
}

fn one(place: &PathFrame<'_>, kind: Kind) -> Vec<Violation> {
    vec![Violation::new(place, kind)]
}

impl Check {
    /// Checks an object. The marks of both objects count for their attributes.
    fn object(self, block: &Block, sides: Sides<'_>, place: &PathFrame<'_>) -> Vec<Violation> {
        self.object_of(block, sides, sides.is_sensitive(), place)
    }

    /// Checks a block that is not in a collection. Its marks do not count for its attributes, but the values that they hide stay
    /// hidden.
    fn only_block(self, block: &Block, sides: Sides<'_>, place: &PathFrame<'_>) -> Vec<Violation> {
        let violations = self.object_of(block, sides, false, place);
        if sides.is_sensitive() {
            let hidden = violations.into_iter().map(Violation::with_secret_values);
            return hidden.collect();
        }
        violations
    }

    fn object_of(
        self,
        block: &Block,
        sides: Sides<'_>,
        is_sensitive: bool,
        place: &PathFrame<'_>,
    ) -> Vec<Violation> {
        match (sides.planned.is_null(), sides.actual.is_null()) {
            (true, false) => return one(place, Kind::WasAbsentNowPresent),
            (false, true) => return one(place, Kind::WasPresentNowAbsent),
            (true, true) => return Vec::new(),
            (false, false) => {}
        }
        let mut violations = Vec::new();
        for (name, attribute) in block.attributes() {
            let is_sensitive = is_sensitive || attribute.flags.sensitive;
            let (sides, inner) = (sides.attribute(name), place.attribute(name));
            violations.extend(self.attribute(sides, is_sensitive, &inner));
        }
        for (name, nested) in block.blocks() {
            let (sides, inner) = (sides.attribute(name), place.attribute(name));
            if nested.block.is_computed() && self.semantics == Semantics::Current {
                if sides.actual.is_null() && nested.nesting.is_collection() {
                    // The original reports the parent of the block.
                    violations.push(Violation::new(place, Kind::NullBlockAfterApply));
                    return violations;
                }
                if !sides.planned.is_known() {
                    // As in the original, earlier violations are dropped and the path is lost.
                    return self.value(sides, &PathFrame::TOP);
                }
            }
            violations.extend(self.nested_block(nested, sides, &inner));
        }
        violations
    }

    fn attribute(
        self,
        sides: Sides<'_>,
        is_sensitive: bool,
        place: &PathFrame<'_>,
    ) -> Vec<Violation> {
        let both = [sides.planned, sides.actual];
        let marks = both.map(distinct_marks);
        let violations = if marks.iter().all(BTreeSet::is_empty) {
            self.value(sides, place)
        } else {
            let [planned, actual] = both.map(|view| view.to_typed().unmarked());
            self.value(Sides::of(&planned, &actual), place)
        };
        let is_sensitive = is_sensitive || marks.iter().any(|marks| marks.contains("sensitive"));
        if is_sensitive && !violations.is_empty() {
            return one(place, Kind::SensitiveInconsistent);
        }
        violations
    }

    fn value(self, sides: Sides<'_>, place: &PathFrame<'_>) -> Vec<Violation> {
        let Sides { planned, actual } = sides;
        if *planned.ty == Type::Dynamic {
            return Vec::new();
        }
        let fits = match self.semantics {
            Semantics::Current => conforms(actual.ty, planned.ty),
            Semantics::V0_13 => conforms(planned.ty, actual.ty),
        };
        if !fits {
            let kind = Kind::WrongType {
                planned: friendly_name(planned.ty),
                actual: friendly_name(actual.ty),
            };
            return one(place, kind);
        }
        if !planned.is_known() {
            let is_outside =
                self.semantics == Semantics::Current && includes(planned, actual) == Some(false);
            return if is_outside {
                one(place, Kind::PlaceholderViolated)
            } else {
                Vec::new()
            };
        }
        match (planned.is_null(), actual.is_null()) {
            (true, true) => Vec::new(),
            (false, true) => one(place, Kind::WasValueNowNull(planned.value.clone())),
            (true, false) => one(place, Kind::WasNullNowValue(actual.value.clone())),
            (false, false) if !actual.is_known() => one(place, Kind::WasKnownNowUnknown),
            (false, false) => self.contents(sides, place),
        }
    }

    /// Compares two values that are known and not null.
    fn contents(self, sides: Sides<'_>, place: &PathFrame<'_>) -> Vec<Violation> {
        let Sides { planned, actual } = sides;
        match planned.ty {
            Type::Bool | Type::Number | Type::String => {
                if planned.known_equals(actual) {
                    Vec::new()
                } else {
                    let kind = Kind::ValueChanged {
                        planned: planned.value.clone(),
                        actual: actual.value.clone(),
                    };
                    one(place, kind)
                }
            }
            Type::Array(_) | Type::Tuple(_) => self.by_position(sides, place),
            Type::Map(_) => self.by_key(sides, place),
            Type::Object(object) => {
                let names = object.attributes.keys();
                names
                    .flat_map(|name| self.value(sides.attribute(name), &place.attribute(name)))
                    .collect()
            }
            Type::Set(_) => {
                let mut violations = sets::correlate(planned, actual, place, |planned, actual| {
                    self.value(Sides { planned, actual }, &PathFrame::TOP)
                        .is_empty()
                });
                let counts = sides.counts();
                if counts.planned < counts.actual {
                    violations.push(Violation::new(place, Kind::SetGrew(counts)));
                }
                violations
            }
            _ => Vec::new(),
        }
    }

    fn by_position(self, sides: Sides<'_>, place: &PathFrame<'_>) -> Vec<Violation> {
        let mut violations = Vec::new();
        for (index, planned) in sides.planned.items().enumerate() {
            if let Some(actual) = sides.actual.index(index) {
                violations.extend(self.value(Sides { planned, actual }, &place.index(index)));
            } else {
                let kind = Kind::ElementVanished(index.to_string());
                violations.push(Violation::new(place, kind));
            }
        }
        let counts = sides.counts();
        for index in counts.planned..counts.actual {
            let kind = Kind::ElementAppeared(index.to_string());
            violations.push(Violation::new(place, kind));
        }
        violations
    }

    fn by_key(self, sides: Sides<'_>, place: &PathFrame<'_>) -> Vec<Violation> {
        let mut violations = Vec::new();
        for (key, planned) in sides.planned.entries() {
            if let Some(actual) = sides.actual.key(key) {
                violations.extend(self.value(Sides { planned, actual }, &place.key(key)));
            } else {
                let kind = Kind::ElementVanished(quoted(key.as_bytes()));
                violations.push(Violation::new(place, kind));
            }
        }
        for (key, _) in sides.actual.entries() {
            if sides.planned.key(key).is_none() {
                let kind = Kind::ElementAppeared(quoted(key.as_bytes()));
                violations.push(Violation::new(place, kind));
            }
        }
        violations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};
    use crate::value::{Map, Value};

    #[test]
    fn a_marked_block_hides_what_changed_in_it() {
        let schema = r#"{"block_types": {"login": {"nesting_mode": "single", "block":
            {"attributes": {"name": {"type": "string", "optional": true}}}}}}"#;
        let schema = parse(schema.as_bytes(), Numbers::Exact).expect("JSON");
        let schema = Block::read(&schema.value).expect("a schema");
        let with = |name: &str| {
            let login = Value::from(Map::from_iter([("name", Value::from(name))]));
            let whole = Map::from_iter([("login", login.with_secret(true))]);
            Typed::new(schema.implied_type().clone(), whole.into()).expect("a value")
        };
        let found =
            assert_object_compatible(&schema, &with("anna"), &with("berta"), Semantics::Current);
        let found: Vec<String> = found
            .expect("objects")
            .iter()
            .map(Violation::to_string)
            .collect();
        assert_eq!(
            found,
            ["at login.name: [secret] was planned, there is [secret]"]
        );
    }
}
