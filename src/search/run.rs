//! Running a query from its text to its answer.

use std::collections::HashMap;

use super::engine::{Facts, Progress, SearchResult, Union};
use super::query::Term;
use super::values::{Reader, Splitter, Supply};
use super::{At, Hit, Index, Query};
use crate::stack::ResourceId;

/// Runs `query` over all resources, or over `within` (ascending) if given.
///
/// After each slice `partial` gets the hits so far and returns false to cancel; the result is then `None`. With a `supply`, hits
/// are single properties, read again from the file, and value terms work. Without one, a hit may represent some element of an
/// array, and value terms find nothing.
///
/// If some alternatives are about values and some are not, a hit of both beyond `limit` counts twice.
pub fn run(
    index: &Index,
    query: &Query,
    within: Option<&[ResourceId]>,
    facts: &Facts,
    supply: Option<&dyn Supply>,
    limit: usize,
    partial: &mut dyn FnMut(Progress, &dyn Fn() -> SearchResult) -> bool,
) -> Option<SearchResult> {
    let union = |reads_values: bool| {
        let all = query.alternatives.iter().map(|terms| &terms[..]);
        let all = all.enumerate();
        let of_kind = all.filter(move |(_, it)| it.iter().any(Term::reads_values) == reads_values);
        Union::new(index, of_kind, facts, limit)
    };
    let (mut union, readers) = (union(false), union(true));
    let mut found = union.run(within, limit, partial)?;
    let Some(supply) = supply else {
        return Some(found);
    };
    Splitter {
        alternatives: &union.alternatives,
        supply,
        limit,
    }
    .settle(index, &mut found);
    let Some(reader) = Reader::new(&readers.alternatives, supply, facts, limit) else {
        return Some(found);
    };
    let found_by_value = reader.run(within, &mut |progress, by_value| {
        partial(progress, &|| merge(found.clone(), by_value(), limit))
    })?;
    Some(merge(found, found_by_value, limit))
}

/// The hits of both, each once.
fn merge(mut one: SearchResult, mut other: SearchResult, limit: usize) -> SearchResult {
    if one.total == 0 {
        return SearchResult {
            unread: one.unread + other.unread,
            ..other
        };
    }
    let at: HashMap<(ResourceId, At), usize> = (one.hits.iter().enumerate())
        .map(|(index, hit)| ((hit.resource, hit.at.clone()), index))
        .collect();
    one.total += other.total;
    for hit in std::mem::take(&mut other.hits) {
        match at.get(&(hit.resource, hit.at.clone())) {
            Some(index) => {
                one.hits[*index].join(hit);
                one.total -= 1;
            }
            None => one.hits.push(hit),
        }
    }
    one.hits.sort_by(Hit::order);
    one.hits.truncate(limit);
    one.resources.append(&mut other.resources);
    one.resources.sort_unstable();
    one.resources.dedup();
    one.unread += other.unread;
    one
}
