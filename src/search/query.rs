//! The query language.
//!
//! | written | holds of |
//! |---|---|
//! | `db` | names, types and paths with these letters in this order |
//! | `'db` `^db` `db$` | those with the word as written, at the start, at the end |
//! | `!db` | those without the word; `!` goes before every term |
//! | `root.a.b`, `a[*].b`, `["a key"]`, `**.arn`, `@a.b` | the properties with this path |
//! | `=text`, `=~regex` | the properties with this in their value |
//! | `type: name: id: provider: module: action: is: depends: uses:` | resources; commas mean or, `*` and `?` are wildcards |
//!
//! Spaces separate terms, except inside double quotes.

use std::ops::Range;

use regex::Regex;

use super::{Anchor, Wild, Word};
use crate::path::Glob;
use crate::stack::{Action, Flags};

/// Maximum number of words that have to be found. Each is a bit of a `u32`.
pub(super) const MAX_WORDS: usize = 31;

/// A query. All of its terms have to hold.
#[derive(Clone, Default, Debug)]
pub struct Query {
    /// The text as typed.
    pub text: String,
    /// The terms in the order of the text.
    pub terms: Vec<Term>,
}

/// One term.
#[derive(Clone, Debug)]
pub struct Term {
    /// Byte range of the term in the query.
    pub place: Range<usize>,
    /// True if the term has to fail.
    pub negated: bool,
    /// The kind of the term.
    pub kind: TermKind,
}

/// The kind of a term, with its arguments.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// A word in the name, type or path.
    Word(Word),
    /// A pattern of property paths.
    Pattern {
        /// The pattern.
        pattern: Glob,
        /// The text of the pattern, which may also be the address of a resource (`module.a["x"].b.c[0]`).
        text: String,
    },
    /// A text that a value contains.
    Value(String),
    /// A regular expression that matches a value.
    ValueRegex(Regex),
    /// A field of the resource, with alternatives.
    Field(Field, Vec<Wild>),
    /// The action is one of these.
    Action(Vec<Action>),
    /// A flag or a mark of the person: one of these.
    Is(Vec<Is>),
    /// The resource depends on one of these, directly or through other resources.
    Depends(Vec<String>),
    /// The resource depends on one of these directly.
    Uses(Vec<String>),
}

impl Term {
    /// True for a word that has to be found.
    fn is_wanted_word(&self) -> bool {
        !self.negated && matches!(self.kind, TermKind::Word(_))
    }
}

/// A field that is compared as text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// The type token.
    Type,
    /// The name.
    Name,
    /// The provider's id.
    Id,
    /// The reference to the provider.
    Provider,
    /// The module; for Pulumi the name of the parent.
    Module,
}

/// An argument of `is:`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Is {
    /// A fact of the file.
    Flag(Flags),
    /// Marked by the person.
    Marked,
    /// Reviewed by the person.
    Reviewed,
}

/// The reason why a query does not parse.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("column {}: {message}", .column + 1)]
pub struct ParseError {
    /// The byte offset in the query, from 0.
    pub column: usize,
    /// Description of the error.
    pub message: String,
}

/// Every field with a line of help.
pub(super) const FIELDS: &[(&str, &str)] = &[
    ("type:", "type token, * and ? are wildcards"),
    ("name:", "name or address"),
    ("id:", "the provider's id"),
    ("provider:", "the provider"),
    ("module:", "module or parent"),
    ("action:", "what is about to happen: delete,replace"),
    ("is:", "secret, protected, tainted, pending, marked…"),
    ("depends:", "needs this resource, directly or not"),
    ("uses:", "needs this resource directly"),
];

impl Query {
    /// Parses a query. An empty query has no terms and finds every resource.
    ///
    /// # Errors
    ///
    /// If a term does not parse, with its column, and at the 32nd word.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let terms = split(text)
            .into_iter()
            .map(|place| term(text, place))
            .collect::<Result<Vec<_>, _>>()?;
        let mut words = terms.iter().filter(|term| term.is_wanted_word());
        if let Some(word) = words.nth(MAX_WORDS) {
            return Err(ParseError {
                column: word.place.start,
                message: format!("expected at most {MAX_WORDS} words, found one more"),
            });
        }
        Ok(Self {
            text: text.to_owned(),
            terms,
        })
    }

    /// True if the query has no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// True if values have to be read to answer the query.
    pub fn reads_values(&self) -> bool {
        self.terms
            .iter()
            .any(|term| matches!(term.kind, TermKind::Value(_) | TermKind::ValueRegex(_)))
    }

    /// True if every hit of this query is among those of `before`: this query is `before` with text appended.
    pub fn narrows(&self, before: &Self) -> bool {
        let plain = |term: &Term| {
            !term.negated
                && matches!(&term.kind, TermKind::Word(word) if word.anchor() == Anchor::Fuzzy)
        };
        self.terms.len() >= before.terms.len()
            && self.terms.iter().zip(&before.terms).all(|(new, old)| {
                let (new_text, old_text) = (
                    &self.text[new.place.clone()],
                    &before.text[old.place.clone()],
                );
                new_text == old_text || plain(new) && plain(old) && new_text.starts_with(old_text)
            })
    }
}

/// Byte ranges of the terms. Spaces outside quotes separate them.
fn split(text: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let (mut start, mut quoted, mut escaped) = (None, false, false);
    for (at, char) in text.char_indices() {
        if char.is_whitespace() && !quoted {
            if let Some(start) = start.take() {
                places.push(start..at);
            }
            continue;
        }
        start.get_or_insert(at);
        match char {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
    }
    if let Some(start) = start {
        places.push(start..text.len());
    }
    places
}

fn term(query: &str, place: Range<usize>) -> Result<Term, ParseError> {
    let text = &query[place.clone()];
    let rest = text.strip_prefix('!').filter(|rest| !rest.is_empty());
    let negated = rest.is_some();
    let rest = rest.unwrap_or(text);
    let kind = kind(rest, place.start + text.len() - rest.len())?;
    Ok(Term {
        place,
        negated,
        kind,
    })
}

fn kind(text: &str, start: usize) -> Result<TermKind, ParseError> {
    if let Some(rest) = text.strip_prefix("=~") {
        return regex(rest, start + 2);
    }
    if let Some(rest) = text.strip_prefix('=') {
        return Ok(TermKind::Value(unquote(rest)));
    }
    if let Some((name, rest)) = text.split_once(':')
        && let Some(kind) = field(name, rest, start + name.len() + 1)
    {
        return kind;
    }
    if let Some(rest) = text.strip_prefix('@') {
        return pattern(rest, start + 1);
    }
    let is_pattern = text.starts_with("root.")
        || text.starts_with("root[")
        || text.starts_with('.')
        || text.contains(['[', '*']);
    if is_pattern {
        // A leading dot only marks the text as a path.
        let rest = text.strip_prefix('.').unwrap_or(text);
        return pattern(rest, start + text.len() - rest.len());
    }
    Ok(TermKind::Word(word(text)))
}

fn word(text: &str) -> Word {
    if let Some(rest) = text.strip_prefix('\'').filter(|rest| !rest.is_empty()) {
        return Word::new(&unquote(rest), Anchor::Exact);
    }
    let (rest, start) = text
        .strip_prefix('^')
        .filter(|rest| !rest.is_empty())
        .map_or((text, false), |rest| (rest, true));
    let (rest, end) = rest
        .strip_suffix('$')
        .filter(|rest| !rest.is_empty())
        .map_or((rest, false), |rest| (rest, true));
    let anchor = match (start, end) {
        (true, true) => Anchor::Whole,
        (true, false) => Anchor::Start,
        (false, true) => Anchor::End,
        (false, false) if rest.starts_with('"') => Anchor::Exact,
        (false, false) => Anchor::Fuzzy,
    };
    Word::new(&unquote(rest), anchor)
}

fn pattern(text: &str, start: usize) -> Result<TermKind, ParseError> {
    let pattern = Glob::parse_tolerant(text).map_err(|error| ParseError {
        column: start + error.offset,
        message: format!("expected {}, found {}", error.expected, error.found),
    })?;
    Ok(TermKind::Pattern {
        pattern,
        text: text.to_owned(),
    })
}

fn regex(text: &str, start: usize) -> Result<TermKind, ParseError> {
    Regex::new(&unquote(text))
        .map(TermKind::ValueRegex)
        .map_err(|error| ParseError {
            column: start,
            // The last line is the error; the lines above draw its position.
            message: error
                .to_string()
                .lines()
                .last()
                .unwrap_or_default()
                .trim_start_matches("error: ")
                .to_owned(),
        })
}

/// The text between double quotes, with `\"`, `\\`, `\n` and `\t` unescaped. A text that does not start with a quote is returned
/// as it is. The end of the text closes an open quote.
fn unquote(text: &str) -> String {
    let Some(inner) = text.strip_prefix('"') else {
        return text.to_owned();
    };
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        match char {
            '"' => break,
            '\\' => out.extend(chars.next().map(|char| match char {
                'n' => '\n',
                't' => '\t',
                other => other,
            })),
            other => out.push(other),
        }
    }
    out
}

/// The term for a field; `None` if no field has that name. A type token or a URN is then a word.
fn field(name: &str, text: &str, start: usize) -> Option<Result<TermKind, ParseError>> {
    let compared = |field| {
        let wilds = alternatives(text, start)
            .map(|(_, text)| Wild::new(&text))
            .collect();
        Some(Ok(TermKind::Field(field, wilds)))
    };
    match name {
        "type" => compared(Field::Type),
        "name" => compared(Field::Name),
        "id" => compared(Field::Id),
        "provider" => compared(Field::Provider),
        "module" => compared(Field::Module),
        "action" => Some(words(text, start, action_of, action_names).map(TermKind::Action)),
        "is" => Some(words(text, start, is_of, is_names).map(TermKind::Is)),
        "depends" => Some(Ok(TermKind::Depends(names(text, start)))),
        "uses" => Some(Ok(TermKind::Uses(names(text, start)))),
        _ => None,
    }
}

fn names(text: &str, start: usize) -> Vec<String> {
    alternatives(text, start).map(|(_, text)| text).collect()
}

/// The alternatives separated by commas outside quotes and brackets, with their columns. An empty text is one empty alternative.
fn alternatives(text: &str, start: usize) -> impl Iterator<Item = (usize, String)> {
    let mut parts = Vec::new();
    let (mut from, mut quoted, mut depth) = (0, false, 0_usize);
    for (at, char) in text.char_indices() {
        match char {
            '"' => quoted = !quoted,
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push((start + from, unquote(&text[from..at])));
                from = at + 1;
            }
            _ => {}
        }
    }
    let last = &text[from..];
    // A comma at the end means that the list is still being typed.
    if !last.is_empty() || parts.is_empty() {
        parts.push((start + from, unquote(last)));
    }
    parts.into_iter()
}

/// Parses the words of a closed list.
fn words<T>(
    text: &str,
    start: usize,
    one: fn(&str) -> Option<T>,
    all: fn() -> Vec<&'static str>,
) -> Result<Vec<T>, ParseError> {
    alternatives(text, start)
        .map(|(column, word)| {
            one(&word).ok_or_else(|| ParseError {
                column,
                message: format!("expected one of {}", all().join(", ")),
            })
        })
        .collect()
}

fn action_of(word: &str) -> Option<Action> {
    match word {
        "destroy" => Some(Action::Delete),
        "no-op" => Some(Action::Noop),
        "deferred" => Some(Action::Defer),
        _ => Action::ALL.into_iter().find(|action| action.name() == word),
    }
}

fn action_names() -> Vec<&'static str> {
    Action::ALL.into_iter().map(Action::name).collect()
}

fn is_of(word: &str) -> Option<Is> {
    match word {
        "marked" => Some(Is::Marked),
        "reviewed" => Some(Is::Reviewed),
        _ => Flags::NAMES
            .iter()
            .find(|(_, name)| *name == word)
            .map(|(flag, _)| Is::Flag(*flag)),
    }
}

fn is_names() -> Vec<&'static str> {
    let mut names: Vec<_> = Flags::NAMES.iter().map(|(_, name)| *name).collect();
    names.extend(["marked", "reviewed"]);
    names
}

#[cfg(test)]
mod tests;
