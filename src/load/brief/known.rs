//! The values that a plan did not know, and that the state after the apply has.
//!
//! Most of them are what every new object gets. Two sorts are worth a look: a value that differs from the one before the apply, and
//! one that differs from those of all siblings.

use std::collections::{BTreeMap, HashMap};

use crate::change::groups::most_frequent;
use crate::change::kinds::{hash_of, pattern, siblings};
use crate::load::Document;
use crate::path::{Path, children};
use crate::stack::{Flags, ResourceId, Section, State};
use crate::value::Value;

/// Maximum number of values that are kept of a resource.
const MAX_VALUES: usize = 16;

/// Minimum number of siblings with one value that make another value odd.
const MIN_SIBLINGS: usize = 3;

/// The values of a resource that became known.
#[derive(Clone, PartialEq, Debug)]
pub struct Known {
    /// The resource.
    pub id: ResourceId,
    /// Number of values that became known.
    pub n_values: usize,
    /// The values that differ from those before the apply, or from those of the siblings; the first ones.
    pub striking: Vec<Striking>,
}

/// A value that became known and deserves a look.
#[derive(Clone, PartialEq, Debug)]
pub struct Striking {
    /// The property.
    pub path: Path,
    /// The value before the apply, masked where it is secret; `None` if only the siblings differ.
    pub before: Option<Value>,
    /// The value after, masked where it is secret.
    pub after: Value,
}

/// The values that became known at one place of siblings: the hash of each, with its owner among the resources and itself.
type Family = Vec<(u64, usize, Striking)>;

/// The resources with values that became known, those with striking ones first, then by name. None if `document` is not a plan beside
/// a state of its outcome.
pub(super) fn known(document: &Document, is_cancelled: &dyn Fn() -> bool) -> Vec<Known> {
    let stack = &document.stack;
    let compared = document.compared.as_ref();
    let Some(compared) = compared.filter(|_| stack.is_outcome()) else {
        return Vec::new();
    };
    let [plan, _] = compared.sides();
    let waiting = plan.stack.ids().filter(|id| {
        let flags = plan.stack.record(*id).flags;
        flags.contains(Flags::UNKNOWN)
    });
    let waiting: HashMap<String, ResourceId> =
        waiting.map(|id| (plan.stack.identity(id), id)).collect();
    let mut all: Vec<Known> = Vec::new();
    let mut families: BTreeMap<(String, String), Family> = BTreeMap::new();
    for id in stack.ids() {
        if is_cancelled() {
            return Vec::new();
        }
        let Some(planned) = waiting.get(&stack.identity(id)) else {
            continue;
        };
        let (Ok(pair), Ok(planned)) = (document.resource(id), plan.resource(*planned)) else {
            continue;
        };
        let leaves = leaves(
            pair.before.as_ref(),
            pair.after.as_ref(),
            planned.before.as_ref(),
        );
        if leaves.is_empty() {
            continue;
        }
        let mut own = Known {
            id,
            n_values: leaves.len(),
            striking: Vec::new(),
        };
        let family = siblings::family(stack, id);
        for leaf in leaves {
            if leaf.before.as_ref().is_some_and(|it| *it != leaf.after) {
                own.strike(leaf);
                continue;
            }
            let place = (family.clone(), pattern(&leaf.path).to_string());
            let hash = hash_of(&leaf.after.to_string());
            let values = families.entry(place).or_default();
            values.push((hash, all.len(), leaf));
        }
        all.push(own);
    }
    for mut family in families.into_values() {
        if let Some(at) = odd(&family) {
            let (_, owner, leaf) = family.swap_remove(at);
            let before = None;
            all[owner].strike(Striking { before, ..leaf });
        }
    }
    all.sort_by_cached_key(|it| (it.striking.is_empty(), stack.identity(it.id), it.id));
    all
}

/// The place of the only value that differs from all others, which are the same.
fn odd(family: &Family) -> Option<usize> {
    let counts = most_frequent(family.iter().map(|(hash, ..)| *hash));
    let (usual, n) = *counts.first()?;
    let mut places = family.iter();
    let odd = places.position(|(hash, ..)| *hash != usual);
    odd.filter(|_| family.len() > MIN_SIBLINGS && n == family.len() - 1)
}

impl Known {
    fn strike(&mut self, value: Striking) {
        if self.striking.len() < MAX_VALUES {
            self.striking.push(value);
        }
    }
}

/// The values that are unknown in `planned` and known in `actual`.
fn leaves(planned: Option<&State>, actual: Option<&State>, prior: Option<&State>) -> Vec<Striking> {
    let mut found = Vec::new();
    let (Some(planned), Some(actual)) = (planned, actual) else {
        return found;
    };
    for section in [Section::Inputs, Section::Outputs] {
        if let (Some(planned), Some(actual)) = (planned.section(section), actual.section(section)) {
            let prior = prior.and_then(|prior| prior.section(section));
            walk(
                planned,
                actual,
                prior,
                false,
                &mut Path::default(),
                &mut found,
            );
        }
    }
    found
}

fn walk(
    planned: &Value,
    actual: &Value,
    prior: Option<&Value>,
    is_secret: bool,
    path: &mut Path,
    found: &mut Vec<Striking>,
) {
    let is_secret = is_secret
        || planned.is_secret()
        || actual.is_secret()
        || prior.is_some_and(Value::is_secret);
    if planned.is_computed() {
        if !actual.is_computed() && !actual.is_null() {
            let masked = |value: &Value| value.clone().with_secret(is_secret || value.is_secret());
            found.push(Striking {
                path: path.clone(),
                before: prior.filter(|prior| !prior.is_null()).map(masked),
                after: masked(actual),
            });
        }
        return;
    }
    for (step, below) in children(planned) {
        if let Ok(actual) = step.step(actual) {
            let prior = prior.and_then(|prior| step.step(prior).ok());
            path.0.push(step);
            walk(below, actual, prior, is_secret, path, found);
            path.0.pop();
        }
    }
}
