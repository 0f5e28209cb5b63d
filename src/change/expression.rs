//! Expressions of conditions, `a && (b || c)`, in the notation that rules of firewalls, routes and pipelines share.

use std::fmt;

use crate::value::Value;

/// Maximum length of an expression that is read, in bytes.
const MAX_TEXT: usize = 8192;

/// Maximum nesting of brackets that are read.
const MAX_DEPTH: usize = 16;

/// The signs and the word for an alternative.
const OR: [&str; 2] = ["||", "or"];

/// The signs and the word for conditions that hold together.
const AND: [&str; 2] = ["&&", "and"];

/// True if two texts have the same conditions, whatever their order, blanks, brackets and signs.
pub(crate) fn is_same_condition(before: &Value, after: &Value) -> bool {
    let read = |value: &Value| Some(Expression::read(value.as_str()?)?.sorted());
    read(before).is_some_and(|before| read(after) == Some(before))
}

/// An expression of conditions, without the brackets, blanks and signs that say nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Expression {
    /// A condition, with one blank between its words.
    One(String),
    /// Conditions that hold together.
    All(Vec<Expression>),
    /// Conditions of which one is enough.
    Any(Vec<Expression>),
}

impl Expression {
    /// Reads an expression. `None` for a text that is too long.
    pub(crate) fn read(text: &str) -> Option<Self> {
        (text.len() <= MAX_TEXT).then(|| Self::parse(text, 0))
    }

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
    pub(crate) fn sorted(self) -> Self {
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

    /// The conditions, without the way in which they hold together.
    pub(crate) fn ones(&self) -> Vec<&str> {
        match self {
            Self::One(text) => vec![text],
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::ones).collect(),
        }
    }

    /// The alternatives, each as its conditions, whose parts are in one order.
    pub(crate) fn alternatives(self) -> Vec<Vec<Self>> {
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

pub(crate) fn joined(parts: impl IntoIterator<Item = impl fmt::Display>, sign: &str) -> String {
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
