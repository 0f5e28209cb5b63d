//! Conditions: an expression that gains an alternative for which the other conditions do not hold, `a && b` that becomes `a && b || c`, and one
//! that says the same in another order, or with other blanks, brackets and signs.

use std::fmt;

use super::order::effect;
use super::tables::WORDS;
use super::{Fact, Notice, Seen, once};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::stack::When;
use crate::text::{cut, has_word};

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
    let around = leaf.path.0.split_last();
    let rule = around.and_then(|(_, around)| seen.value_at(When::After, leaf.section, around));
    let effect = rule.and_then(|it| effect(&it));
    effect.is_some_and(|it| has_word(&it, &WORDS.blocking))
}

/// A sentence about a changed condition, with its weight.
fn compared(leaf: &Leaf) -> Option<(Level, String)> {
    let [before, after] = [&leaf.before, &leaf.after].map(|it| it.as_str());
    let (before, after) = (before?, after?);
    if before == after || before.len().max(after.len()) > MAX_TEXT {
        return None;
    }
    let [old, new] = [before, after].map(|it| Expression::parse(it, 0));
    if old.clone().sorted() == new.clone().sorted() {
        let way = if old == new { "way" } else { "order" };
        let says = format!("the same conditions, written in another {way}");
        return Some((Level::Note, says));
    }
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
    Some((
        Level::Warning,
        format!("{alone} is enough from now on, without {lost}"),
    ))
}

/// An expression of conditions, without the brackets, blanks and signs that say nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Expression {
    /// A condition, with one blank between its words.
    One(String),
    /// Conditions that hold together.
    All(Vec<Expression>),
    /// Conditions of which one is enough.
    Any(Vec<Expression>),
}

impl Expression {
    fn parse(text: &str, depth: usize) -> Self {
        let text = unwrapped(text);
        let parts = |parts: Vec<&str>| -> Option<Vec<Self>> {
            let is_joined = parts.len() > 1 && depth < MAX_DEPTH;
            is_joined.then(|| {
                let parts = parts.into_iter();
                parts.map(|it| Self::parse(it, depth + 1)).collect()
            })
        };
        let any = parts(split(text, &OR)).map(Self::Any);
        let all = || parts(split(text, &AND)).map(Self::All);
        any.or_else(all).unwrap_or_else(|| Self::One(spaced(text)))
    }

    /// The expression with its parts in one order, whatever the order in which they are written.
    fn sorted(self) -> Self {
        let sort = |parts: Vec<Self>| {
            let mut parts: Vec<Self> = parts.into_iter().map(Self::sorted).collect();
            parts.sort();
            parts
        };
        match self {
            Self::One(_) => self,
            Self::All(parts) => Self::All(sort(parts)),
            Self::Any(parts) => Self::Any(sort(parts)),
        }
    }

    /// The alternatives, each as its conditions, whose parts are in one order.
    fn alternatives(self) -> Vec<Vec<Self>> {
        let conditions = |it: Self| match it {
            Self::All(parts) => parts.into_iter().map(Self::sorted).collect(),
            Self::One(_) | Self::Any(_) => vec![it.sorted()],
        };
        match self {
            Self::Any(parts) => parts.into_iter().map(conditions).collect(),
            Self::One(_) | Self::All(_) => vec![conditions(self)],
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |part: &Self| match part {
            Self::One(text) => text.clone(),
            Self::All(_) | Self::Any(_) => format!("({part})"),
        };
        match self {
            Self::One(text) => f.write_str(text),
            Self::All(parts) => f.write_str(&joined(parts.iter().map(part), " && ")),
            Self::Any(parts) => f.write_str(&joined(parts.iter().map(part), " || ")),
        }
    }
}

fn joined(parts: impl IntoIterator<Item = impl fmt::Display>, sign: &str) -> String {
    let parts: Vec<String> = parts.into_iter().map(|it| it.to_string()).collect();
    parts.join(sign)
}

/// A text with one blank for each run of them, outside of quotes.
fn spaced(text: &str) -> String {
    let mut blanks = Vec::new();
    each_outside(text, |at, _| {
        blanks.extend(text[at..].starts_with(char::is_whitespace).then_some(at));
    });
    let mut blanks = blanks.into_iter().peekable();
    let mut spaced = String::with_capacity(text.len());
    let mut was_blank = false;
    for (at, char) in text.char_indices() {
        let is_blank = blanks.next_if_eq(&at).is_some();
        match (is_blank, was_blank) {
            (false, _) => spaced.push(char),
            (true, false) => spaced.push(' '),
            (true, true) => {}
        }
        was_blank = is_blank;
    }
    spaced
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
        let parse = |text: &str| Expression::parse(text, 0);
        let is_same = |one: &str, other: &str| parse(one).sorted() == parse(other).sorted();
        assert!(is_same("a == 1 && (b || c)", "(c || b) && a == 1"));
        assert!(!is_same("a && (b || c)", "a && b || c"));
        assert!(!is_same("a && b", "a || b"));
    }

    #[test]
    fn blanks_outside_of_quotes_brackets_and_signs_do_not_count() {
        let parse = |text: &str| Expression::parse(text, 0);
        let check = |one: &str, other: &str, is_same: bool| {
            assert_eq!(parse(one) == parse(other), is_same, "{one} and {other}");
        };
        check("a  ==\n1 and (b)", "a == 1 && b", true);
        check("x eq 'a  b'", "x eq 'a b'", false);
        check(
            "x eq \"a\u{3000}b\"  or c",
            "x eq \"a\u{3000}b\" || (c)",
            true,
        );
        check("a && b", "b && a", false);
        assert_eq!(
            parse("a and (b or c and d)").to_string(),
            "a && (b || (c && d))"
        );
    }
}
