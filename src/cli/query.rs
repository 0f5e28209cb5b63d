//! Runs queries in the language of the search bar from the command line.

use super::{Console, Failure};
use crate::load::Document;
use crate::search::{self, Goal, Index, Query, Reading, Request, SearchResult, Selection};

/// Parses `words` as one query.
pub(super) fn parse(words: &[String]) -> Result<Query, Failure> {
    let text = words.join(" ");
    Query::parse(&text).map_err(|error| Failure::usage(format!("query `{text}`: {error}")))
}

/// Runs `query` on `index`, the index of `document`. Returns at most `limit` hits, best first, and the outputs that are hits. Says
/// on standard error if the words name nothing.
pub(super) fn run(
    document: &Document,
    index: &Index,
    query: &Query,
    goal: Goal,
    limit: usize,
    console: &mut Console<'_>,
) -> SearchResult {
    let request = Request {
        index,
        query,
        goal,
        among: None,
        narrowed: None,
        beyond: false,
        selection: &Selection::default(),
        supply: document,
        limit,
    };
    let found = search::find(&request, &mut |_, _| true).unwrap_or_default();
    match found.reading {
        Reading::Written => {}
        Reading::Action | Reading::NameAndAction => {
            console
                .remark("a word is the name of an action: resources with the action are found too");
        }
        Reading::Value => console.remark("found by value: no name matches"),
        Reading::Scattered => {
            console.remark("nothing contains the words as written: their letters are scattered");
        }
    }
    found
}
