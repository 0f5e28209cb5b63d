//! Conditions: an expression that gains an alternative for which the other conditions do not hold, `a && b` that becomes `a && b || c`, and one
//! whose brackets change, so that the same conditions hold together in another way: `a && (b || c)` and `a && b || c`.

use super::order::effect;
use super::tables::WORDS;
use super::{Fact, Notice, Seen, once};
use crate::change::expression::{Expression, joined};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::stack::When;
use crate::text::{cut, has_word};
use crate::value::Value;

/// Maximum length of a condition that a notice names, in characters.
const MAX_NAMED: usize = 120;

/// Maximum length of an expression that a notice shows whole, in characters.
const MAX_REGROUPED: usize = 240;

/// The changed conditions of the resource that say less than before, or that hold together in another way.
pub(super) fn notices(seen: &Seen<'_>) -> Vec<Notice> {
    let changed = seen.leaves.iter().filter(|leaf| is_condition(leaf));
    let changed = changed.filter(|_| seen.changes_values());
    once(changed.filter_map(|leaf| {
        let read = |it: &Value| Expression::read(it.as_str()?);
        let (old, new) = (read(&leaf.before)?, read(&leaf.after)?);
        let says = regrouped(&old, &new)
            .or_else(|| alternative(old, new).filter(|_| !blocks(seen, leaf)))?;
        let fact = Fact::at(seen.id, leaf.path.clone());
        let level = Level::Warning;
        Some(Notice::at(fact, level, "alternative-condition", says))
    }))
}

/// True for a plain expression that says when something holds.
fn is_condition(leaf: &Leaf) -> bool {
    let is_plain = !leaf.before.is_secret() && !leaf.after.is_secret();
    let name = leaf.name().unwrap_or_default();
    is_plain && has_word(name, &WORDS.conditions)
}

/// True for a condition of a rule that blocks: an alternative blocks more.
fn blocks(seen: &Seen<'_>, leaf: &Leaf) -> bool {
    let around = leaf.path.0.split_last();
    let rule = around.and_then(|(_, around)| seen.value_at(When::After, leaf.section, around));
    let effect = rule.and_then(|it| effect(&it));
    effect.is_some_and(|it| has_word(&it, &WORDS.blocking))
}

/// A sentence about the same conditions in another structure.
fn regrouped(old: &Expression, new: &Expression) -> Option<String> {
    let ones = |it: &Expression| {
        let mut ones = it.ones();
        ones.sort_unstable();
        ones.join("\n")
    };
    let is_regrouped = ones(old) == ones(new) && old.clone().sorted() != new.clone().sorted();
    let now = cut(&new.to_string(), MAX_REGROUPED);
    is_regrouped.then(|| format!("the same conditions hold together in another way: {now}"))
}

/// A sentence about an alternative for which a condition does not hold that held before.
fn alternative(old: Expression, new: Expression) -> Option<String> {
    let (old, new) = (old.alternatives(), new.alternatives());
    let has_all =
        |one: &[Expression], other: &[Expression]| other.iter().all(|it| one.contains(it));
    let is_one =
        |one: &[Expression], other: &[Expression]| has_all(one, other) && has_all(other, one);
    let is_in =
        |all: &[Vec<Expression>], it: &[Expression]| all.iter().any(|other| is_one(other, it));
    let (first, rest) = old.split_first()?;
    let always = |it: &&Expression| rest.iter().all(|other| other.contains(it));
    let always: Vec<&Expression> = first.iter().filter(always).collect();
    let is_kept = old.iter().all(|it| it.len() > 1 && is_in(&new, it));
    let mut added = new.iter().filter(|it| is_kept && !is_in(&old, it));
    let (alone, lost) = added.find_map(|it| {
        let lost: Vec<&&Expression> = always.iter().filter(|own| !it.contains(own)).collect();
        (!lost.is_empty()).then(|| (joined(it, " && "), joined(lost, " && ")))
    })?;
    let [alone, lost] = [alone, lost].map(|it| cut(&it, MAX_NAMED));
    Some(format!("{alone} is enough from now on, without {lost}"))
}
