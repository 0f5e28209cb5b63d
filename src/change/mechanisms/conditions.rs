//! Conditions: an expression that gains an alternative for which the other conditions do not hold, `a && b` that becomes `a && b || c`, and one
//! that is only written in another order.

use super::order::does;
use super::tables::WORDS;
use super::{Fact, Notice, Seen, once};
use crate::change::decode::at;
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::text::{cut, escaped, has_word};

/// Maximum length of an expression that is read, in bytes.
const MAX_TEXT: usize = 8192;

/// Maximum nesting of brackets that are read.
const MAX_DEPTH: usize = 16;

/// Maximum length of a condition that a notice names, in characters.
const MAX_NAMED: usize = 120;

/// The signs and the word for an alternative.
const OR: [&str; 2] = ["||", "or"];

/// The signs and the word for conditions that hold together.
const AND: [&str; 2] = ["&&", "and"];

/// The changed conditions of the resource that say less than before, or the same.
pub(super) fn notices(seen: &Seen<'_>) -> Vec<Notice> {
    let changed = seen.leaves.iter().filter(|leaf| is_condition(leaf));
    let changed = changed.filter(|_| seen.changes_values());
    once(changed.filter_map(|leaf| {
        let (level, says) = compared(leaf).filter(|_| !blocks(seen, leaf))?;
        let fact = Fact::at(seen.id, leaf.path.clone());
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
    let around = leaf.path.0.split_last().map(|(_, around)| around);
    let set = seen.resource.after.as_ref();
    let set = set.and_then(|it| it.section(leaf.section));
    let rule = set.zip(around).and_then(|(set, around)| at(set, around));
    let does = rule.and_then(|it| does(&it));
    does.is_some_and(|it| has_word(&it, &WORDS.blocking))
}

/// A sentence about a changed condition, with its weight.
fn compared(leaf: &Leaf) -> Option<(Level, String)> {
    let text = |text: Option<&'_ str>| text.filter(|it| it.len() <= MAX_TEXT).map(str::to_owned);
    let (before, after) = (text(leaf.before.as_str())?, text(leaf.after.as_str())?);
    if ordered(&before, 0) == ordered(&after, 0) {
        let says = "the same conditions, written in another order".to_owned();
        return Some((Level::Note, says));
    }
    let conditions = |text: &str| -> Vec<Vec<String>> {
        let alternatives = split(unwrapped(text), &OR).into_iter();
        let conditions = alternatives.map(|it| split(unwrapped(it), &AND).into_iter());
        conditions
            .map(|it| it.map(|it| ordered(it, 0)).collect())
            .collect()
    };
    let (old, new) = (conditions(&before), conditions(&after));
    let has_all = |one: &[String], other: &[String]| other.iter().all(|it| one.contains(it));
    let is_one = |one: &[String], other: &[String]| has_all(one, other) && has_all(other, one);
    let is_in = |all: &[Vec<String>], it: &[String]| all.iter().any(|other| is_one(other, it));
    let (first, rest) = old.split_first()?;
    let always = |it: &&String| rest.iter().all(|other| other.contains(it));
    let always: Vec<&String> = first.iter().filter(always).collect();
    let is_kept = old.iter().all(|it| it.len() > 1 && is_in(&new, it));
    let mut added = new.iter().filter(|it| is_kept && !is_in(&old, it));
    let (alone, lost) = added.find_map(|it| {
        let lost = always.iter().filter(|condition| !it.contains(condition));
        let lost: Vec<&str> = lost.map(|it| it.as_str()).collect();
        (!lost.is_empty()).then(|| (it.join(" && "), lost.join(" && ")))
    })?;
    let [alone, lost] = [alone, lost].map(|it| escaped(&cut(&it, MAX_NAMED)));
    Some((
        Level::Warning,
        format!("{alone} is enough from now on, without {lost}"),
    ))
}

/// An expression with its parts in one order, whatever the order in which they are written.
fn ordered(text: &str, depth: usize) -> String {
    let text = unwrapped(text);
    let alternatives = split(text, &OR);
    let (parts, sign) = if alternatives.len() > 1 {
        (alternatives, " || ")
    } else {
        (split(text, &AND), " && ")
    };
    if parts.len() < 2 || depth == MAX_DEPTH {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let part = |part: &str| {
        let is_wrapped = unwrapped(part).len() < part.trim().len();
        let part = ordered(part, depth + 1);
        let is_joined = OR
            .iter()
            .chain(&AND)
            .any(|sign| split(&part, &[*sign]).len() > 1);
        if is_wrapped && is_joined {
            format!("({part})")
        } else {
            part
        }
    };
    let mut parts: Vec<String> = parts.into_iter().map(part).collect();
    parts.sort();
    parts.join(sign)
}

/// An expression without the blanks and brackets around all of it.
fn unwrapped(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        // `(a) || (b)` begins and ends with brackets, too.
        let mut least = 0;
        each_outside(inner, |_, depth| least = least.min(depth));
        if least < 0 {
            break;
        }
        text = inner.trim();
    }
    text
}

/// The parts of an expression between these signs, outside of brackets and quotes.
fn split<'t>(text: &'t str, signs: &[&str]) -> Vec<&'t str> {
    let mut ends = Vec::new();
    each_outside(text, |at, depth| {
        let found = signs
            .iter()
            .find(|sign| depth == 0 && is_sign(text, at, sign));
        ends.extend(found.map(|sign| (at, sign.len())));
    });
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, len) in ends {
        parts.push(text[start..at].trim());
        start = at + len;
    }
    parts.push(text[start..].trim());
    parts
}

/// True if a sign stands at a place. A word stands between blanks or brackets.
fn is_sign(text: &str, at: usize, sign: &str) -> bool {
    let Some(own) = text.get(at..at + sign.len()) else {
        return false;
    };
    if !sign.bytes().all(|it| it.is_ascii_alphabetic()) {
        return own == sign;
    }
    let is_end = |char: Option<char>| char.is_none_or(|it| it.is_whitespace() || "()".contains(it));
    let (before, after) = (
        text[..at].chars().last(),
        text[at + sign.len()..].chars().next(),
    );
    own.eq_ignore_ascii_case(sign) && is_end(before) && is_end(after)
}

/// Passes on the characters outside of quotes: their places, and the number of brackets that are open behind each.
fn each_outside(text: &str, mut each: impl FnMut(usize, i32)) {
    let (mut depth, mut quote, mut is_escaped) = (0, None, false);
    for (at, char) in text.char_indices() {
        match (quote, char) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), char) if open == char => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(char),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => {
                depth -= 1;
                each(at, depth);
            }
            (None, _) => each(at, depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_an_expression_are_outside_of_brackets_and_quotes() {
        assert_eq!(split("a && (b && c) && 'd && e'", &AND).len(), 3);
        assert_eq!(
            split("land and sand AND (a)", &AND),
            ["land", "sand", "(a)"]
        );
        assert_eq!(unwrapped(" ((a) || (b)) "), "(a) || (b)");
        assert_eq!(unwrapped("(a) || (b)"), "(a) || (b)");
    }

    #[test]
    fn the_order_of_an_expression_does_not_count() {
        let is_same = |one: &str, other: &str| ordered(one, 0) == ordered(other, 0);
        assert!(is_same("a == 1 && (b || c)", "(c || b) && a == 1"));
        assert!(!is_same("a && (b || c)", "a && b || c"));
        assert!(!is_same("a && b", "a || b"));
    }
}
