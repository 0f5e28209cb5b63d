//! Running the language of the search bar from the command line.

use super::Failure;
use crate::load::Document;
use crate::search::{self, Found, Index, Query, Selection, Supply};
use crate::stack::{Resource, ResourceId, Span, Stack};

/// The bytes of a document, for values.
struct Bytes<'d>(&'d Document);

impl Supply for Bytes<'_> {
    fn bytes(&self, span: Span, bytes: &mut Vec<u8>) -> bool {
        match self.0.source.read(span) {
            Ok(read) => {
                *bytes = read;
                true
            }
            Err(_) => false,
        }
    }

    fn resource(&self, _stack: &Stack, id: ResourceId) -> Option<Resource> {
        self.0.resource(id).ok()
    }
}

/// The query that `words` make.
pub(super) fn parse(words: &[String]) -> Result<Query, Failure> {
    let text = words.join(" ");
    Query::parse(&text).map_err(|error| Failure::usage(format!("query `{text}`: {error}")))
}

/// Everything that `query` finds in `index`, the index of `document`; at most `limit` hits, best first.
pub(super) fn run(document: &Document, index: &Index, query: &Query, limit: usize) -> Found {
    search::run(
        index,
        query,
        None,
        &Selection::default(),
        Some(&Bytes(document)),
        limit,
        &mut |_, _| true,
    )
    .unwrap_or_default()
}
