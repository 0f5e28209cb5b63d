//! The order of rules: of a list that is gone through until a rule fits, one that lets requests through and comes before others that
//! block them from now on. These never apply to the requests that it lets through.
//!
//! The elements of such a list say what they do. They are in the order of their numbers, if each has one of its own, and otherwise in that of
//! the list.

use std::collections::BTreeSet;

use super::off::is_idle;
use super::tables::WORDS;
use super::{Fact, Notice, Seen, once};
use crate::change::difference::{name_by, name_key};
use crate::change::leaves::Leaf;
use crate::change::rules::{Level, single};
use crate::change::vocabulary::{says_what_it_does, says_when_it_comes};
use crate::path::{Path, Segment};
use crate::stack::{Section, When};
use crate::text::{count, has_word};
use crate::value::content::Numbers;
use crate::value::{Array, Value};

/// Maximum number of rules of a list that are compared.
const MAX_RULES: usize = 500;

/// Maximum number of rules that a notice names.
const MAX_NAMED: usize = 3;

/// A rule of a list.
struct Rule<'v> {
    /// Its place in the list.
    at: usize,
    /// The name, if it has one.
    name: Option<&'v str>,
    value: &'v Value,
    /// The number by which rules are gone through.
    number: Option<f64>,
    /// The text that says what it does.
    effect: String,
    /// True if it lets nothing through.
    blocks: bool,
    /// A number that it shares with rules of the same content.
    content: u32,
}

/// The rules of the resource that let through what others blocked, or that come after those.
pub(super) fn notices(seen: &Seen<'_>) -> Vec<Notice> {
    if !seen.changes_values() {
        return Vec::new();
    }
    let lists: BTreeSet<(Section, Path)> = seen.properties().flat_map(lists).collect();
    once(lists.into_iter().flat_map(|(section, path)| {
        let list = |when: When| seen.value_at(when, section, &path.0).unwrap_or_default();
        let [before, after] = [When::Before, When::After].map(list);
        let found = compared(&before, &after).into_iter();
        let told = found.map(|(level, says)| {
            let fact = Fact::at(seen.id, Path::root());
            Notice::at(fact, level, "order-of-rules", says)
        });
        told.collect::<Vec<_>>()
    }))
}

/// The lists that a changed place is in, and the one that it is.
fn lists(leaf: &Leaf) -> impl Iterator<Item = (Section, Path)> {
    let steps = &leaf.path.0;
    let is_index = |at: &usize| matches!(steps[*at], Segment::Index(_));
    let inner = (0..steps.len()).filter(is_index);
    let own = leaf.after.as_array().map(|_| steps.len());
    let ends = inner.chain(own);
    ends.map(|end| (leaf.section, Path(steps[..end].to_vec())))
}

/// Sentences about the rules of a list, with their weights.
fn compared(before: &Value, after: &Value) -> Vec<(Level, String)> {
    let mut contents = Numbers::default();
    let mut rules = |list| rules(list, &mut contents);
    let (Some(old), Some(new)) = (rules(before), rules(after)) else {
        return Vec::new();
    };
    let before_of = |rule: &Rule<'_>| old.iter().position(|it| is_one(it, rule));
    let places: Vec<Option<usize>> = new.iter().map(before_of).collect();
    let mut found = Vec::new();
    for (at, rule) in new.iter().enumerate().filter(|(_, it)| !it.blocks) {
        let own = places[at];
        let is_passed = |(other, it): &(usize, &Rule<'_>)| {
            let was_after = || {
                own.zip(places[*other])
                    .is_some_and(|(own, other)| own < other)
            };
            let was_as_it_is = || places[*other].is_some_and(|other| old[other].blocks);
            it.blocks && was_as_it_is() && !was_after()
        };
        let passed: Vec<&Rule<'_>> = (at + 1..)
            .zip(&new[at + 1..])
            .filter(is_passed)
            .map(|(_, it)| it)
            .collect();
        let word = match own {
            _ if passed.is_empty() => continue,
            Some(_) => "now comes",
            None => "comes",
        };
        let says = format!("{} {word} before {}", rule.in_words(), named(&passed));
        found.push((Level::Warning, says));
    }
    let last_block = new.iter().rposition(|it| it.blocks);
    let is_new = |at: &usize| places[*at].is_none() && !new[*at].blocks;
    let is_last = |at: &usize| last_block.is_some_and(|last| last < *at);
    if let Some(at) = (0..new.len()).filter(is_new).find(is_last) {
        let says = format!("{} comes after all that block", new[at].in_words());
        found.push((Level::Note, says));
    }
    found
}

/// The rules of a list in the order in which they are gone through, without those that are off. `None` for another list.
fn rules<'v>(list: &'v Value, contents: &mut Numbers<'v>) -> Option<Vec<Rule<'v>>> {
    let items = list.as_array().map_or(&[][..], |it| it.as_slice());
    let is_plain = |it: &Value| {
        let is_known = |number: &Value| !number.is_secret() && !number.is_computed();
        it.as_map().is_some() && !it.is_secret() && priority(it).is_none_or(is_known)
    };
    if list.is_secret() || items.len() > MAX_RULES || !items.iter().all(is_plain) {
        return None;
    }
    let effects: Vec<String> = items.iter().map(effect).collect::<Option<_>>()?;
    let key = name_key(items);
    let rules = items.iter().zip(effects).enumerate();
    let rules = rules.map(|(at, (value, effect))| Rule {
        at,
        name: key.and_then(|key| name_by(key, value)),
        value,
        number: priority(value).and_then(|it| Some(it.as_number()?.to_f64())),
        blocks: has_word(&effect, &WORDS.blocking),
        effect,
        content: contents.number(value),
    });
    let mut rules: Vec<Rule<'_>> = rules.collect();
    let mut numbers: Vec<f64> = rules.iter().filter_map(|it| it.number).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    if numbers.len() == rules.len() {
        rules.sort_by(|one, other| {
            let numbers = one.number.zip(other.number);
            numbers.map_or(one.at.cmp(&other.at), |(one, other)| one.total_cmp(&other))
        });
    } else if !numbers.is_empty() {
        // Nobody knows the order of rules of which some share a number.
        return None;
    }
    rules.retain(|it| !is_idle(it.value));
    Some(rules)
}

/// True for a rule before and after: of one name, else of one number, else with the same content.
fn is_one(old: &Rule<'_>, new: &Rule<'_>) -> bool {
    match (old.name.zip(new.name), old.number.zip(new.number)) {
        (Some((old, new)), _) => old == new,
        (None, Some((old, new))) => old.total_cmp(&new).is_eq(),
        (None, None) => old.content == new.content,
    }
}

/// The value of a rule by which rules are gone through.
fn priority(rule: &Value) -> Option<&Value> {
    let mut entries = rule.as_map()?.iter();
    entries.find_map(|(key, value)| says_when_it_comes(key).then_some(value))
}

/// The text that says what a rule does, or the only block that does: `{"block": {}}`.
pub(super) fn effect(rule: &Value) -> Option<String> {
    let mut entries = rule.as_map()?.iter();
    let (_, value) = entries.find(|(key, _)| says_what_it_does(key))?;
    if value.is_secret() {
        return None;
    }
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let block = single(value);
    let is_set = |value: &Value| {
        let is_empty_list = value.as_array().is_some_and(Array::is_empty);
        !value.is_null() && !is_empty_list
    };
    let mut set = block.as_map()?.iter().filter(|(_, value)| is_set(value));
    let (key, _) = set.next()?;
    set.next().is_none().then(|| key.to_string())
}

/// The names of some rules, which block.
fn named(rules: &[&Rule<'_>]) -> String {
    let names = rules.iter().take(MAX_NAMED).map(|it| it.in_words());
    let names = names.collect::<Vec<_>>().join(", ");
    match rules.len().saturating_sub(MAX_NAMED) {
        0 => names,
        n => format!("{names} and {} more that block", count(n as u64)),
    }
}

impl Rule<'_> {
    /// The name with what it does: `api-clients (skip)`, `rule 800 (throttle)`.
    fn in_words(&self) -> String {
        let effect = &self.effect;
        match (self.name, self.number) {
            (Some(name), _) => format!("{name} ({effect})"),
            (None, Some(number)) => format!("rule {number} ({effect})"),
            (None, None) => format!("rule {} ({effect})", self.at + 1),
        }
    }
}
