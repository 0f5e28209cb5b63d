//! Running a query from its text to its answer.

use super::engine::{Progress, Search, SearchResult, Selection};
use super::values::{Reader, Supply};
use super::{Index, Query};
use crate::stack::ResourceId;

/// Runs `query` over all resources, or over `within` (ascending) if given.
///
/// After each slice `partial` gets the hits so far and returns false to cancel; the result is then `None`. With a `supply`, hits
/// are single properties, read again from the file, and value terms work. Without one, a hit may represent some element of an
/// array, and value terms find nothing.
pub fn run(
    index: &Index,
    query: &Query,
    within: Option<&[ResourceId]>,
    selection: &Selection,
    supply: Option<&dyn Supply>,
    limit: usize,
    partial: &mut dyn FnMut(Progress, &dyn Fn() -> SearchResult) -> bool,
) -> Option<SearchResult> {
    let mut search = Search::new(index, query, selection, limit);
    if query.reads_values() {
        return Reader::new(&search, supply?, limit).run(within, partial);
    }
    let mut found = search.run(within, limit, partial)?;
    if let Some(supply) = supply {
        Reader::new(&search, supply, limit).settle(&mut found);
    }
    Some(found)
}
