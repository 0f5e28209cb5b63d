//! Rules for every type: they look at the names of properties, by their words.
//!
//! # Laws
//!
//! 1. A rule of the type wins: nothing is said of a property that such a rule looks at, whether it fires or not.
//! 2. Nothing is said of a value that is masked or unknown, nor of names that people choose, such as those of tags.
//! 3. A value that only moves to another element of a list is neither new nor gone.

use std::sync::Arc;

use super::condition::{Answer, Condition, Sides, is_open};
use super::pattern::{Pattern, is_in_reach};
use super::walk::{Container, guarded_below};
use super::{Changed, Finding, Rule};
use crate::change::leaves::Leaf;
use crate::change::vocabulary::WORDS;
use crate::path::{Path, Segment, children};
use crate::stack::{Action, Section};
use crate::text::words;

/// Maximum number of elements that a new or a removed value is compared with.
const MAX_PEERS: usize = 64;

/// The findings of `rules`, which are for every type, where none of `own` looks.
pub(super) fn findings(
    rules: &[Arc<Rule>],
    own: &[&Arc<Rule>],
    changed: &Changed<'_>,
    holder: Option<&str>,
) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    let leaves = changed.leaves.iter().filter(|_| changed.may_differ());
    for leaf in leaves.filter(|leaf| is_judged(leaf)) {
        let mut names = None;
        for rule in rules {
            let is_silent = changed.action == Action::Create && !rule.is_for_created;
            let mut conditions = rule.conditions.iter();
            let may_hold = |it: &Condition| !leaf.before.is_null() || !it.needs_before();
            if is_silent || !conditions.any(may_hold) {
                continue;
            }
            // Few names fit, so the values come last.
            let names = names.get_or_insert_with(|| Names::of(&leaf.path));
            if names.fit(rule)
                && rule
                    .conditions
                    .iter()
                    .any(|it| holds(it, leaf, changed.leaves))
                && guards(rule, changed, leaf) == Answer::Yes
                && !is_covered(own, &leaf.path, holder)
                && !found
                    .iter()
                    .any(|it| it.rule.id == rule.id && it.path == leaf.path)
            {
                found.push(Finding {
                    rule: Arc::clone(rule),
                    is_open: false,
                    section: leaf.section,
                    path: leaf.path.clone(),
                    before: leaf.before.clone(),
                    after: leaf.after.clone(),
                    details: Vec::new(),
                });
            }
        }
    }
    found
}

/// True for a value of a property of which something can be said.
fn is_judged(leaf: &Leaf) -> bool {
    let sides = [&leaf.before, &leaf.after];
    let is_container = sides.iter().any(|it| children(it).next().is_some());
    leaf.section != Section::Options
        && leaf.reason.is_none()
        && !is_container
        && !sides.into_iter().any(is_open)
}

/// True if the condition holds for a leaf, and for each element that its element may have been.
fn holds(condition: &Condition, leaf: &Leaf, leaves: &[Leaf]) -> bool {
    let is_lone = |it: &Leaf| it.before.is_null() != it.after.is_null();
    let is_peer = |it: &&Leaf| {
        is_lone(it)
            && it.before.is_null() != leaf.before.is_null()
            && is_alike(&it.path, &leaf.path)
    };
    let peers = leaves.iter().filter(is_peer).take(MAX_PEERS);
    let peers = peers.map(|peer| {
        if leaf.before.is_null() {
            &peer.before
        } else {
            &peer.after
        }
    });
    let sides = Sides::of(&leaf.before, &leaf.after);
    let peers = is_lone(leaf).then_some(peers).into_iter().flatten();
    condition.answer_beside(&sides, peers) == Answer::Yes
}

/// True if two paths differ at most in their indices.
fn is_alike(one: &Path, other: &Path) -> bool {
    let is_step = |(one, other): (&Segment, &Segment)| match (one, other) {
        (Segment::Index(_), Segment::Index(_)) => true,
        (one, other) => one == other,
    };
    one.0.len() == other.0.len() && one.0.iter().zip(&other.0).all(is_step)
}

/// The keys on the way to a value, and the words of the last one.
struct Names<'p> {
    keys: Vec<&'p str>,
    last: Vec<String>,
}

impl<'p> Names<'p> {
    fn of(path: &'p Path) -> Self {
        let keys: Vec<&str> = path.keys().map(|key| &**key).collect();
        let last = keys.last().map(|last| words(last));
        Self {
            last: last.unwrap_or_default(),
            keys,
        }
    }

    /// True if the last key has a name that the rule wants, and no key one that silences it.
    fn fit(&self, rule: &Rule) -> bool {
        let is_in = || rule.named.iter().any(|it| it.is_in(&self.last));
        let is_out = |key: &&str| {
            let names = words(key);
            WORDS.free.has(&names.join(" ")) || rule.unnamed.iter().any(|it| it.is_in(&names))
        };
        is_in() && !self.keys.iter().any(is_out)
    }
}

/// The answer of the guards of a rule at a leaf.
fn guards(rule: &Rule, changed: &Changed<'_>, leaf: &Leaf) -> Answer {
    let mut parts = changed.parts.iter();
    let Some(part) = parts.find(|part| part.section == leaf.section) else {
        return Answer::No;
    };
    let (before, after) = (&part.diff.before, &part.diff.after);
    let around = leaf
        .path
        .0
        .split_last()
        .map_or(&[][..], |(_, around)| around);
    guarded_below(
        rule,
        &Container::of(before, after, None),
        (before, after),
        around,
    )
}

/// True if a rule of the type looks at the value, or at a container of it.
fn is_covered(own: &[&Arc<Rule>], path: &Path, holder: Option<&str>) -> bool {
    let patterns: Vec<&Pattern> = own.iter().flat_map(|rule| &rule.properties).collect();
    let steps = match path.0.split_first() {
        Some((Segment::Key(first), below)) if holder == Some(&**first) => below,
        _ => &path.0,
    };
    is_in_reach(&patterns, steps)
}
