//! Terms about changed values: `path:`, `old:` and `new:`.
//!
//! # Laws
//!
//! 1. All such terms of an alternative hold for the same changed value. A negated one holds for a resource of which no changed
//!    value is meant.
//! 2. A masked value has a path and nothing else. A value that is masked on one side is masked on both.

use std::collections::BTreeMap;

use super::walk::{is_text, leaf};
use crate::change::audit::schema_of;
use crate::change::difference::{Action, Context, describe};
use crate::change::leaves::{Leaf, Strings, leaves, of_section};
use crate::change::review::{SectionDiff, review};
use crate::path::{Path, Segment, walk};
use crate::search::field::{Aspect, Test, Wanted};
use crate::search::query::Term;
use crate::search::{Facts, TermKind, Wild};
use crate::stack::{self, Output, Resource, Section};
use crate::value::{Payload, Shown, Value};

/// A value that changes: one without parts, or a container that is in another order.
pub(in crate::modules::search) struct ChangedValue {
    /// The set of properties.
    pub(super) section: Section,
    /// The path. It may lead into the JSON or YAML of a string.
    pub(super) path: Path,
    /// The property: the path, or the one of the string with the document.
    pub(super) property: Path,
    /// True if there is no value at the path after the change.
    is_gone: bool,
    /// The values before and after; `None` where there is none, and where it is masked.
    sides: [Option<Value>; 2],
}

impl ChangedValue {
    /// The changed values of a resource.
    pub(in crate::modules::search) fn of(resource: &Resource, facts: &Facts) -> Vec<Self> {
        let schemas = facts.schemas.as_ref();
        let schema = schemas.and_then(|schemas| schema_of(resource, schemas));
        let parts = review(resource, schema.as_ref().map(|schema| &schema.block));
        let mut values = Vec::new();
        for leaf in leaves(&parts) {
            add(&leaf, &mut values);
        }
        values
    }

    /// The changed values of an output. Their paths begin with its name.
    pub(in crate::modules::search) fn of_output(output: &Output) -> Vec<Self> {
        let mut values = Vec::new();
        if output
            .action
            .is_none_or(|action| action == stack::Action::Noop)
        {
            return values;
        }
        let before = output.before.clone().unwrap_or_default();
        let part = SectionDiff {
            section: Section::Outputs,
            diff: describe(&before, &output.value, Context::default()),
        };
        for mut leaf in of_section(&part, Strings::Documents) {
            let name = Segment::Key(output.name.clone());
            leaf.path.0.insert(0, name);
            leaf.document = leaf.document.map(|n| n + 1);
            add(&leaf, &mut values);
        }
        values
    }

    /// The values before and after, as far as they may be shown.
    pub(in crate::modules::search) fn payloads(&self) -> impl Iterator<Item = &Payload> {
        let sides = self.sides.iter().flatten();
        sides.filter_map(|side| match side.shown() {
            Shown::Plain(payload) => Some(payload),
            Shown::Secret(_) => None,
        })
    }
}

impl Aspect {
    /// True if a changed value is as wanted.
    fn holds(self, value: &ChangedValue, wanted: &Wanted) -> bool {
        match self {
            Self::Path => {
                let mut globs = wanted.globs().iter();
                globs.any(|glob| glob.matches(&value.path))
            }
            Self::Old => has(value.sides[0].as_ref(), wanted.texts()),
            Self::New => has(value.sides[1].as_ref(), wanted.texts()),
        }
    }
}

/// True if one of the texts matches a value. Numbers and words match as a whole: `old:1` does not mean every number with a 1 in it.
fn has(value: Option<&Value>, wanted: &[Wild]) -> bool {
    let Some(Shown::Plain(payload)) = value.map(Value::shown) else {
        return false;
    };
    let Some(text) = leaf(payload) else {
        return false;
    };
    wanted.iter().any(|wild| {
        if is_text(payload) {
            wild.matches(&text)
        } else {
            wild.matches_whole(&text)
        }
    })
}

/// The terms of an alternative about changed values.
pub(in crate::modules::search) struct ChangeTerms<'q> {
    wanted: Vec<(Aspect, &'q Wanted)>,
    unwanted: Vec<(Aspect, &'q Wanted)>,
}

impl<'q> ChangeTerms<'q> {
    /// Those among `terms`.
    pub(in crate::modules::search) fn of(terms: &'q [Term]) -> Self {
        let of_sign = |is_negated: bool| {
            let own = terms.iter().filter(|term| term.negated == is_negated);
            let own = own.filter_map(|term| match &term.kind {
                TermKind::Fact(field, wanted) => match field.test {
                    Test::Change(aspect) => Some((aspect, wanted)),
                    Test::Resource { .. } | Test::Section => None,
                },
                _ => None,
            });
            own.collect()
        };
        Self {
            wanted: of_sign(false),
            unwanted: of_sign(true),
        }
    }

    /// True if there are none.
    pub(in crate::modules::search) fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty()
    }

    /// True if a changed value has to be as wanted.
    pub(in crate::modules::search) fn asks(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// True if the changed value is as wanted.
    pub(in crate::modules::search) fn hold(&self, value: &ChangedValue) -> bool {
        let mut wanted = self.wanted.iter();
        wanted.all(|(aspect, wanted)| aspect.holds(value, wanted))
    }

    /// True if one of the changed values is as a negated term says.
    pub(in crate::modules::search) fn forbid(&self, values: &[ChangedValue]) -> bool {
        self.unwanted
            .iter()
            .any(|(aspect, wanted)| values.iter().any(|value| aspect.holds(value, wanted)))
    }

    /// True if a hit at a changed value means the value before the change.
    pub(in crate::modules::search) fn means_old(&self, value: &ChangedValue) -> bool {
        let asks = |side: Aspect| self.wanted.iter().any(|(aspect, _)| *aspect == side);
        value.is_gone || asks(Aspect::Old) && !asks(Aspect::New)
    }
}

/// Adds the changed values of a leaf.
fn add(leaf: &Leaf, values: &mut Vec<ChangedValue>) {
    let before = leaf.before.masked_like(&leaf.after);
    let after = leaf.after.masked_like(&leaf.before);
    let is_gone = leaf.action == Action::Delete;
    let mut found: BTreeMap<Path, [Option<Value>; 2]> = BTreeMap::new();
    if has_parts(&before) && has_parts(&after) {
        found.insert(leaf.path.clone(), [None, None]);
    } else {
        let there = [leaf.action != Action::Create, !is_gone];
        for (side, value) in [&before, &after].into_iter().enumerate() {
            if there[side] {
                walk(value, &mut leaf.path.clone(), &mut |path, value| {
                    let goes_on = has_parts(value);
                    if !goes_on {
                        let sides = found.entry(path.clone()).or_default();
                        sides[side] = (!value.is_secret()).then(|| value.clone());
                    }
                    goes_on
                });
            }
        }
    }
    values.extend(found.into_iter().map(|(path, sides)| {
        let property = match leaf.document {
            Some(n) => Path(path.0[..n].to_vec()),
            None => path.clone(),
        };
        ChangedValue {
            section: leaf.section,
            path,
            property,
            is_gone,
            sides,
        }
    }));
}

fn has_parts(value: &Value) -> bool {
    !value.is_secret() && value.n_parts().is_some_and(|n| n > 0)
}

#[cfg(test)]
mod tests;
