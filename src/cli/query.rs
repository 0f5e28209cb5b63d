//! Runs queries in the language of the search bar from the command line.

use super::Failure;
use crate::load::Document;
use crate::search::{self, Index, Query, SearchResult, Selection};

/// Parses `words` as one query.
pub(super) fn parse(words: &[String]) -> Result<Query, Failure> {
    let text = words.join(" ");
    Query::parse(&text).map_err(|error| Failure::usage(format!("query `{text}`: {error}")))
}

/// Runs `query` on `index`, the index of `document`. Returns at most `limit` hits, best first.
pub(super) fn run(document: &Document, index: &Index, query: &Query, limit: usize) -> SearchResult {
    search::run(
        index,
        query,
        None,
        &Selection::default(),
        Some(document),
        limit,
        &mut |_, _| true,
    )
    .unwrap_or_default()
}
