//! Queries for rows of a list, in the part of the language that needs no resource: words, values, and paths if the rows have any.

use super::query::Term;
use super::{Query, TermKind};
use crate::path::Path;
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
    query: Query,
}

impl RowQuery {
    /// Parses a query.
    ///
    /// # Errors
    ///
    /// If it is not a query, and at a term about resources, with its column.
    pub fn parse(text: &str, rows: Rows) -> Result<Self, ParseError> {
        let query = Query::parse(text)?.as_written();
        let is_of_rows = |term: &Term| match &term.kind {
            TermKind::Word(_) | TermKind::Value(_) | TermKind::ValueRegex(_) => true,
            TermKind::Pattern { .. } => rows == Rows::Values,
            TermKind::Fact(..) => false,
        };
        if let Some(term) = query.terms().find(|term| !is_of_rows(term)) {
            let expected = match rows {
                Rows::Texts => "a word, or `=` before a value",
                Rows::Values => "a word, a path, or `=` before a value",
            };
            return Err(ParseError::at(text.as_bytes(), term.place.start, expected));
        }
        let text = text.to_owned();
        Ok(Self { text, query })
    }

    /// True if the query has no terms.
    pub fn is_empty(&self) -> bool {
        self.query.is_empty()
    }

    /// True if a row is as wanted: its text, and its path if it has one.
    pub fn matches(&self, row: &str, path: Option<&Path>) -> bool {
        let holds = |term: &Term| {
            let holds = match &term.kind {
                TermKind::Word(word) => word.find(row).is_some(),
                TermKind::Value(text) => row.contains(text),
                TermKind::ValueRegex(regex) => regex.is_match(row),
                TermKind::Pattern { pattern, .. } => path.is_some_and(|path| pattern.fits(path)),
                TermKind::Fact(..) => false,
            };
            holds != term.negated
        };
        let mut alternatives = self.query.alternatives.iter();
        alternatives.any(|terms| terms.iter().all(holds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Glob;

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
