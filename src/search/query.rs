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
//! | `path:tags.*`, `old:t3.*`, `new:t3.*`, `kind:danger` | changes |
//!
//! | `a b \| c` | whatever `a b` finds and whatever `c` finds |
//!
//! Spaces separate terms, except inside double quotes, and all terms have to hold. `|` separates alternatives and binds weaker than
//! a space. A path with brackets that no resource has is taken for a part of an address: `fn["a b"]`. There are no parentheses. In a term
//! that begins with `=`, `|` is part of the text or the regular expression.

use std::fmt;
use std::ops::Range;

use regex::Regex;

use super::field::{self, Field, Is, Test, Wanted};
use super::{Anchor, FIELDS, Searched, Word};
use crate::path::Glob;
use crate::stack::Flags;
use crate::text::{ParseError, nearest};

/// Maximum number of words that have to be found, in all alternatives together. Each is a bit of a `u32`.
pub(super) const MAX_WORDS: usize = 31;

/// Maximum number of alternatives. Each is a bit of a `u16`.
pub(super) const MAX_ALTERNATIVES: usize = 16;

/// The terms of an alternative in the order of the text. All of them have to hold.
pub(super) type Alternative = Vec<Term>;

/// A query.
#[derive(Clone, Debug)]
pub struct Query {
    /// The text as typed.
    pub text: String,
    /// The alternatives, at least one. A hit of any of them is a hit of the query.
    pub(super) alternatives: Vec<Alternative>,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            text: String::new(),
            alternatives: vec![Alternative::new()],
        }
    }
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
        /// Its text as a word: it may also be the address of a resource (`module.a["x"].b.c[0]`), or a part of one.
        word: Word,
    },
    /// A text that a value contains.
    Value(String),
    /// A regular expression that matches a value.
    ValueRegex(Regex),
    /// A field of the resource, with alternatives.
    Fact(&'static Field, Wanted),
}

impl Term {
    /// The word, if the term is one that has to be found.
    pub(super) fn wanted_word(&self) -> Option<&Word> {
        match &self.kind {
            TermKind::Word(word) if !self.negated => Some(word),
            _ => None,
        }
    }

    /// The term for the action that a plain word is the name of.
    fn action(&self) -> Option<Self> {
        let TermKind::Word(word) = &self.kind else {
            return None;
        };
        let kind = (word.anchor() == Anchor::Fuzzy).then(|| field::action_of(word.text()))??;
        Some(Self {
            kind,
            ..self.clone()
        })
    }

    /// True if the term is about values.
    pub(super) fn reads_values(&self) -> bool {
        match &self.kind {
            TermKind::Value(_) | TermKind::ValueRegex(_) => true,
            TermKind::Fact(..) => self.reads_changes(),
            TermKind::Word(_) | TermKind::Pattern { .. } => false,
        }
    }

    fn reads_changes(&self) -> bool {
        let field = self.field();
        field.is_some_and(|field| matches!(field.test, Test::Change(_)))
    }

    fn field(&self) -> Option<&'static Field> {
        match &self.kind {
            TermKind::Fact(field, _) => Some(field),
            _ => None,
        }
    }
}

impl Query {
    /// Parses a query. An empty query has no terms and finds every resource. A `|` at the end is taken for the beginning of an
    /// alternative that is still being typed.
    ///
    /// # Errors
    ///
    /// If a term does not parse, with its column; at a `|` without a term before it; at the 32nd word and the 17th alternative.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let error = |at: usize, expected: String| ParseError::at(text.as_bytes(), at, expected);
        let mut alternatives = vec![Alternative::new()];
        for place in split(text) {
            let n = alternatives.len();
            match alternatives.last_mut() {
                Some(last) if &text[place.clone()] != OR => last.push(term(text, place)?),
                Some(last) if last.is_empty() => {
                    return Err(error(place.start, format!("a term before `{OR}`")));
                }
                _ if n == MAX_ALTERNATIVES => {
                    let expected = format!("at most {MAX_ALTERNATIVES} alternatives");
                    return Err(error(place.start, expected));
                }
                _ => alternatives.push(Alternative::new()),
            }
        }
        if alternatives.len() > 1 {
            alternatives.pop_if(|last| last.is_empty());
        }
        let terms = alternatives.iter().flatten();
        let mut words = terms.filter(|term| term.wanted_word().is_some());
        if let Some(word) = words.nth(MAX_WORDS) {
            return Err(error(
                word.place.start,
                format!("at most {MAX_WORDS} words"),
            ));
        }
        Ok(Self {
            text: text.to_owned(),
            alternatives,
        })
    }

    /// The query in which a plain word that is the name of an action also means the action. The alternatives of this query come
    /// first, in their order. `None` if no word is such a name, or if there would be too many alternatives.
    pub(super) fn with_actions(&self) -> Option<Self> {
        let (mut named, mut by_action) = (Vec::new(), Vec::new());
        let mut names_action = false;
        for terms in &self.alternatives {
            // The first of them has the words only.
            let mut variants = vec![Alternative::new()];
            for term in terms {
                let action = term.action();
                names_action |= action.is_some();
                let mut others = variants.clone();
                for variant in &mut variants {
                    variant.push(term.clone());
                }
                let Some(action) = action else { continue };
                let both = if term.negated {
                    &mut variants
                } else {
                    &mut others
                };
                for variant in both {
                    variant.push(action.clone());
                }
                if !term.negated {
                    variants.append(&mut others);
                }
                if variants.len() > MAX_ALTERNATIVES {
                    return None;
                }
            }
            let mut variants = variants.into_iter();
            named.extend(variants.next());
            by_action.extend(variants);
        }
        named.append(&mut by_action);
        (names_action && named.len() <= MAX_ALTERNATIVES).then(|| Self {
            text: self.text.clone(),
            alternatives: named,
        })
    }

    /// The query for a word as written, whatever letters it has.
    pub(super) fn of_word(word: &str) -> Self {
        let term = Term {
            place: 0..0,
            negated: false,
            kind: TermKind::Word(Word::new(word, Anchor::Exact)),
        };
        Self {
            text: String::new(),
            alternatives: vec![vec![term]],
        }
    }

    /// The terms of all alternatives in the order of the text.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = &Term> {
        self.alternatives.iter().flatten()
    }

    /// True if the query has no terms.
    pub fn is_empty(&self) -> bool {
        self.terms().next().is_none()
    }

    /// The first term that a search does not take, because it is about changes, with its field.
    pub fn misplaced(&self, searched: Searched) -> Option<(&Term, &'static Field)> {
        let fields = self.terms().filter_map(|term| Some((term, term.field()?)));
        let mut of_changes = fields.filter(|(_, field)| field.is_of_changes());
        match searched {
            Searched::Resources => of_changes.next(),
            Searched::Changes => None,
        }
    }

    /// The first word that is written like a field but has a name that no field has. It may be a type token, so it is wrong only if
    /// the query finds nothing.
    pub fn unknown_field(&self) -> Option<UnknownField> {
        self.terms().find_map(|term| {
            let TermKind::Word(word) = &term.kind else {
                return None;
            };
            let (name, _) = word.text().split_once(':')?;
            let is_name = !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphabetic());
            (is_name && word.anchor() == Anchor::Fuzzy).then(|| UnknownField {
                place: term.place.clone(),
                name: name.to_owned(),
            })
        })
    }

    /// The flags that ask for resources with a value of a kind: a secret, an unknown one.
    pub fn flags_of_values(&self) -> Flags {
        let terms = self.terms().filter(|term| !term.negated);
        let flags = terms.flat_map(|term| match &term.kind {
            TermKind::Fact(_, Wanted::Is(wanted)) => &wanted[..],
            _ => &[],
        });
        flags.fold(Flags::NONE, |flags, is| match is {
            Is::Flag(flag) if (Flags::SECRET | Flags::UNKNOWN).contains(*flag) => flags | *flag,
            Is::Flag(_) | Is::Marked | Is::Reviewed | Is::Fresh => flags,
        })
    }

    /// True if the answer depends on the sections of the brief.
    pub fn reads_sections(&self) -> bool {
        let mut fields = self.terms().filter_map(Term::field);
        fields.any(|field| matches!(field.test, Test::Section))
    }

    /// True if the answer depends on the changed values of resources.
    pub fn reads_changes(&self) -> bool {
        self.terms().any(Term::reads_changes)
    }

    /// True if every hit of this query is among those of `before`: this query is `before` with text appended.
    pub fn narrows(&self, before: &Self) -> bool {
        let plain = |term: &Term| {
            let word = term.wanted_word();
            word.is_some_and(|word| word.anchor() == Anchor::Fuzzy)
        };
        // A word that begins with `urn:` is compared with URNs, others with names and types.
        let is_urn = |term: &Term| term.wanted_word().is_some_and(Word::is_urn);
        let narrows = |(new, old): (&Alternative, &Alternative)| {
            new.len() >= old.len()
                && new.iter().zip(old).all(|(new, old)| {
                    let (new_text, old_text) = (
                        &self.text[new.place.clone()],
                        &before.text[old.place.clone()],
                    );
                    let is_longer = new_text.starts_with(old_text);
                    new_text == old_text
                        || plain(new) && plain(old) && is_longer && is_urn(new) == is_urn(old)
                })
        };
        let pairs = self.alternatives.iter().zip(&before.alternatives);
        self.alternatives.len() == before.alternatives.len() && pairs.into_iter().all(narrows)
    }
}

/// A word that is written like a field, with a name that no field has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownField {
    /// Byte range of the term.
    pub place: Range<usize>,
    name: String,
}

/// Says which fields there are.
impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = || FIELDS.iter().map(|field| field.name);
        write!(f, "no field is called `{}`", self.name)?;
        if let Some(name) = nearest(&self.name.to_lowercase(), names()) {
            write!(f, ", did you mean `{name}`?")?;
        }
        let names = names().collect::<Vec<_>>().join(", ");
        write!(f, " (fields: {names})")
    }
}

/// Separates alternatives.
const OR: &str = "|";

/// Byte ranges of the terms and of each [`OR`]. Spaces outside quotes separate them.
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
        let is_value = start.is_some_and(|start| {
            let term = &text[start..];
            term.strip_prefix('!').unwrap_or(term).starts_with('=')
        });
        if char == '|' && !quoted && !is_value {
            places.extend(start.take().map(|start| start..at));
            places.push(at..at + 1);
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
        word: Word::new(text, Anchor::Exact),
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
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(char @ ('"' | '\\')) => out.push(char),
                // No escape here: a regular expression has its own.
                Some(other) => out.extend(['\\', other]),
                None => {}
            },
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests;
