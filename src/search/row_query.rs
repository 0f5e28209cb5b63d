//! Queries for rows of a list, in the part of the language that needs no resource: words, values, and paths if the rows have any.

use super::query::Term;
use super::{Anchor, Query, TermKind, Word};
use crate::path::{Glob, Path};
use crate::text::ParseError;

/// The rows of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// Texts.
    Texts,
    /// Values, each with a path.
    Values,
}

/// A query for rows. Words and values are found as they are written.
#[derive(Clone, Debug)]
pub struct RowQuery {
    /// The text as typed.
    pub text: String,
    /// The alternatives. All parts of one have to hold.
    alternatives: Vec<Vec<Part>>,
}

/// A term.
#[derive(Clone, Debug)]
struct Part {
    is_negated: bool,
    wanted: Wanted,
}

#[derive(Clone, Debug)]
enum Wanted {
    Word(Word),
    Text(String),
    Regex(regex::Regex),
    Pattern(Glob),
}

impl RowQuery {
    /// Parses a query.
    ///
    /// # Errors
    ///
    /// If it is not a query, and at a term about resources, with its column.
    pub fn parse(text: &str, rows: Rows) -> Result<Self, ParseError> {
        let query = Query::parse(text)?;
        let part = |term: &Term| {
            let wanted = match &term.kind {
                TermKind::Word(word) if word.anchor() == Anchor::Fuzzy => {
                    Wanted::Word(Word::new(word.text(), Anchor::Exact))
                }
                TermKind::Word(word) => Wanted::Word(word.clone()),
                TermKind::Value(text) => Wanted::Text(text.clone()),
                TermKind::ValueRegex(regex) => Wanted::Regex(regex.clone()),
                TermKind::Pattern { pattern, .. } if rows == Rows::Values => {
                    Wanted::Pattern(pattern.clone())
                }
                TermKind::Pattern { .. } | TermKind::Fact(..) => {
                    let expected = match rows {
                        Rows::Texts => "a word, or `=` before a value",
                        Rows::Values => "a word, a path, or `=` before a value",
                    };
                    let at = term.place.start;
                    return Err(ParseError::at(text.as_bytes(), at, expected));
                }
            };
            Ok(Part {
                is_negated: term.negated,
                wanted,
            })
        };
        let alternatives = query.alternatives.iter();
        let alternatives = alternatives.map(|terms| terms.iter().map(part).collect());
        Ok(Self {
            text: text.to_owned(),
            alternatives: alternatives.collect::<Result<_, _>>()?,
        })
    }

    /// True if the query has no terms.
    pub fn is_empty(&self) -> bool {
        self.alternatives.iter().all(Vec::is_empty)
    }

    /// True if a row is as wanted: its text, and its path if it has one.
    pub fn matches(&self, row: &str, path: Option<&Path>) -> bool {
        let holds = |part: &Part| {
            let holds = match &part.wanted {
                Wanted::Word(word) => word.find(row).is_some(),
                Wanted::Text(text) => row.contains(text),
                Wanted::Regex(regex) => regex.is_match(row),
                Wanted::Pattern(glob) => path.is_some_and(|path| glob.fits(path)),
            };
            holds != part.is_negated
        };
        self.alternatives
            .iter()
            .any(|parts| parts.iter().all(holds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, row: &str, want: bool) {
        let query = RowQuery::parse(query, Rows::Texts).unwrap();
        assert_eq!(query.matches(row, None), want, "{query:?} on {row}");
    }

    #[test]
    fn words_and_values_are_found_as_written() {
        check("", "anything", true);
        check("db pass", "orders-db password", true);
        check("dbp", "orders-db password", false);
        check("!db", "orders-db", false);
        check("web | db", "orders-db", true);
        check("DB", "orders-db", false);
        check("=10.0.3", "host 10.0.3.17", true);
        check("=~^host", "host 10.0.3.17", true);
        check("^orders", "orders-db", true);
    }

    #[test]
    fn terms_about_resources_are_refused_at_their_place() {
        for (query, offset) in [("db type:vpc", 3), ("tags.*", 0), ("a | !is:secret", 4)] {
            let error = RowQuery::parse(query, Rows::Texts).unwrap_err();
            assert_eq!(error.offset, offset, "{query}");
            let reason = error.reason();
            assert!(
                reason.starts_with("expected a word, or `=` before"),
                "{reason}"
            );
        }
    }

    #[test]
    fn values_are_found_by_path() {
        let query = RowQuery::parse("@hosts[*] b", Rows::Values).unwrap();
        let path = Glob::parse("hosts[1]").unwrap().as_path();
        assert!(query.matches("hosts[1] b", path.as_ref()));
        assert!(!query.matches("hosts[1] c", path.as_ref()));
        assert!(!query.matches("hosts b", Some(&Path::root())));
        assert!(RowQuery::parse("type:output", Rows::Values).is_err());
    }
}
