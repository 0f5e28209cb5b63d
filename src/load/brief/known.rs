//! The values that a plan did not know, and that the state after the apply has.
//!
//! Most of them are what every new object gets. Two sorts are worth a look: a value that differs from the one before the apply, and
//! one that differs from those of all siblings.

use std::collections::{BTreeMap, HashMap};

use crate::change::groups::odd_one;
use crate::change::kinds::{hash_of, pattern, siblings};
use crate::load::Document;
use crate::path::{Path, walk};
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
    for mut family in families.into_values().filter(|it| it.len() > MIN_SIBLINGS) {
        if let Some(at) = odd_one(family.iter().map(|(hash, ..)| *hash)) {
            let (_, owner, leaf) = family.swap_remove(at);
            let before = None;
            all[owner].strike(Striking { before, ..leaf });
        }
    }
    all.sort_by_cached_key(|it| (it.striking.is_empty(), stack.identity(it.id), it.id));
    all
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
    for section in [Section::Inputs, Section::Outputs] {
        let sides = [planned, actual, prior].map(|state| state?.section(section));
        let [Some(planned), Some(actual), prior] = sides else {
            continue;
        };
        walk(planned, &mut Path::root(), &mut |path, value| {
            let after = value.is_computed().then(|| path.get(actual)).flatten();
            let after = after.filter(|it| !it.is_computed() && !it.is_null());
            found.extend(after.map(|after| {
                let mut sets = sides.into_iter().flatten();
                let is_secret = sets.any(|set| path.crosses_secret(set));
                let masked = |it: &Value| it.clone().with_secret(is_secret || it.is_secret());
                let before = prior.and_then(|it| path.get(it)).filter(|it| !it.is_null());
                Striking {
                    path: path.clone(),
                    before: before.map(masked),
                    after: masked(after),
                }
            }));
            !value.is_computed()
        });
    }
    found
}
