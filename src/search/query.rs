//! The query language.
//!
//! | written | holds of |
//! |---|---|
//! | `db` | names, types and paths with these letters in this order |
//! | `'db` `^db` `db$` | those with the word as written, at the start, at the end |
//! | `!db` | those without the word; `!` goes before every term |
//! | `root.a.b`, `a[*].b`, `["a key"]`, `**.arn`, `@a.b` | the properties with this path |
//! | `=text`, `=~regex` | the properties with this in their value |
//! | `type:aws:s3/*`, `is:secret,tainted` and the other [fields](super::FIELDS) | resources; commas mean or, `*` and `?` are wildcards |
//!
//! Spaces separate terms, except inside double quotes.

use std::ops::Range;

use regex::Regex;

use super::field::{self, Field, Wanted};
use super::{Anchor, Word};
use crate::path::Glob;
use crate::text::ParseError;

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
    Fact(&'static Field, Wanted),
}

impl Term {
    /// True for a word that has to be found.
    fn is_wanted_word(&self) -> bool {
        !self.negated && matches!(self.kind, TermKind::Word(_))
    }
}

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
            let expected = format!("at most {MAX_WORDS} words");
            return Err(ParseError::at(text.as_bytes(), word.place.start, expected));
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
    let (kind, arguments) = kind(rest.unwrap_or(text));
    let start = place.end - arguments.len();
    let kind = kind.map_err(|error| error.within(query, start))?;
    Ok(Term {
        place,
        negated,
        kind,
    })
}

/// The kind of a term, and the end of the text, in which an error has its position.
fn kind(text: &str) -> (Result<TermKind, ParseError>, &str) {
    if let Some(rest) = text.strip_prefix("=~") {
        return (regex(rest), rest);
    }
    if let Some(rest) = text.strip_prefix('=') {
        return (Ok(TermKind::Value(unquote(rest))), rest);
    }
    if let Some((name, rest)) = text.split_once(':')
        && let Some(field) = field::find(name)
    {
        // With any other name before the colon it is a word: a type token or a URN.
        let wanted = (field.parse)(rest);
        return (wanted.map(|wanted| TermKind::Fact(field, wanted)), rest);
    }
    if let Some(rest) = text.strip_prefix('@') {
        return (pattern(rest), rest);
    }
    let is_pattern = text.starts_with("root.")
        || text.starts_with("root[")
        || text.starts_with('.')
        || text.contains(['[', '*']);
    if is_pattern {
        // A leading dot only marks the text as a path.
        let rest = text.strip_prefix('.').unwrap_or(text);
        return (pattern(rest), rest);
    }
    (Ok(TermKind::Word(word(text))), text)
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

fn pattern(text: &str) -> Result<TermKind, ParseError> {
    Ok(TermKind::Pattern {
        pattern: Glob::parse_tolerant(text)?,
        text: text.to_owned(),
    })
}

fn regex(text: &str) -> Result<TermKind, ParseError> {
    let regex = Regex::new(&unquote(text)).map_err(|error| {
        let error = error.to_string();
        // The last line is the error; the lines above draw its position.
        let why = error.lines().last().unwrap_or_default();
        let why = why.trim_start_matches("error: ");
        ParseError::at(text.as_bytes(), 0, format!("a regular expression ({why})"))
    })?;
    Ok(TermKind::ValueRegex(regex))
}

/// The text between double quotes, with `\"`, `\\`, `\n` and `\t` unescaped. A text that does not start with a quote is returned
/// as it is. The end of the text closes an open quote.
pub(super) fn unquote(text: &str) -> String {
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

#[cfg(test)]
mod tests;
