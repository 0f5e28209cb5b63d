//! Searching, and finding all hits of one resource.

use std::sync::Arc;

use super::Answer;
use super::pace::Pace;
use crate::load::Document;
use crate::search::{self, At, Facts, Goal, Hit, Index, Progress, Query, Request, SearchResult};
use crate::stack::{Resource, ResourceId};
use crate::value::Value;

/// Minimum time between two partial answers, in milliseconds.
const PATIENCE: u64 = 40;

/// Maximum number of hits read for one resource.
const MAX_HITS: usize = 100_000;

/// Maximum number of hits whose values are read for the list of hits.
const MAX_VALUES: usize = 60;

/// A search to run.
pub struct Search {
    /// The file.
    pub document: Document,
    /// The index of an earlier search.
    pub index: Option<Arc<Index>>,
    /// The query.
    pub query: Query,
    /// The purpose.
    pub goal: Goal,
    /// The list to search first.
    pub among: Option<Arc<SearchResult>>,
    /// An earlier result with every resource that may contain the words as written.
    pub narrowed: Option<Arc<SearchResult>>,
    /// The person's marks and reviews.
    pub facts: Facts,
}

impl Search {
    /// Makes sure that the search has the index of everything known about its file, and keeps it in `last` for the next search.
    pub fn prepare(&mut self, last: &mut Option<Arc<Index>>) {
        let stack = &self.document.stack;
        let known = last.take().filter(|index| stack.keeps(index.stack()));
        let index = index(&self.document, self.index.take().or(known));
        *last = Some(Arc::clone(&index));
        self.index = Some(index);
    }

    /// Searches until done or `cancelled`, and sends partial answers on the way.
    pub(super) fn run(self, cancelled: &dyn Fn() -> bool, send: &mut dyn FnMut(Answer)) {
        let Self { document, goal, .. } = &self;
        let index = index(document, self.index.clone());
        let mut pace = Pace::new(PATIENCE);
        let answer = |found: SearchResult, done: bool, send: &mut dyn FnMut(Answer)| {
            let values = values(document, &found.hits);
            send(Answer::Found {
                index: Arc::clone(&index),
                found: Arc::new(found),
                values,
                done,
            });
        };
        let request = Request {
            index: &index,
            query: &self.query,
            goal: *goal,
            among: self.among.as_ref().map(|found| &*found.resources),
            narrowed: self.narrowed.as_ref().map(|found| &*found.resources),
            beyond: *goal == Goal::Go,
            facts: &self.facts,
            supply: document,
            limit: search::LIMIT,
        };
        let found = search::find(&request, &mut |progress: Progress, found| {
            if cancelled() {
                return false;
            }
            if progress.done < progress.total {
                pace.answer(|| answer(found(), false, send));
            }
            true
        });
        if let Some(found) = found {
            answer(found, true, send);
        }
    }
}

/// Returns the index of everything known about a file. `earlier` is an index of the same file, made when less of it was known.
fn index(document: &Document, earlier: Option<Arc<Index>>) -> Arc<Index> {
    match earlier {
        Some(index)
            if index.n_resources() == document.stack.len()
                && Arc::ptr_eq(&index.stack().graph, &document.stack.graph) =>
        {
            index
        }
        // The end of the file adds more than resources: the dependencies.
        Some(mut index) => {
            Arc::make_mut(&mut index).extend(&document.stack);
            index
        }
        None => Arc::new(Index::new(&document.stack)),
    }
}

/// The values of the first hits.
pub(super) fn values(document: &Document, hits: &[Hit]) -> Vec<Option<Value>> {
    let mut last: Option<(ResourceId, Option<Resource>)> = None;
    hits.iter()
        .take(MAX_VALUES)
        .map(|hit| {
            let At::Property(place) = &hit.at else {
                return None;
            };
            if last.as_ref().is_none_or(|(id, _)| *id != hit.resource) {
                last = Some((hit.resource, document.resource(hit.resource).ok()));
            }
            let resource = last.as_ref()?.1.as_ref()?;
            place.value(resource)
        })
        .collect()
}

/// A request for all hits of one resource.
pub struct Hits {
    /// The file.
    pub document: Document,
    /// The index of the search.
    pub index: Arc<Index>,
    /// The query of the search.
    pub query: Query,
    /// The person's marks and reviews at the time of the search.
    pub facts: Facts,
    /// The result of the search.
    pub found: Arc<SearchResult>,
    /// Index in `found.resources` of the resource to start with.
    pub stop: usize,
    /// True to go on with the next resource if this one has no hits, false to go on with the previous one.
    pub forward: bool,
}

/// All hits of one resource.
pub struct FoundHits {
    /// Index of the resource in the search result.
    pub stop: usize,
    /// The hits in order.
    pub hits: Vec<Hit>,
}

impl Hits {
    /// All hits of one resource in order, or those of the next resource that has any: `Some(None)` if there is none. `None` if
    /// it was `cancelled`.
    #[expect(clippy::option_option, reason = "a cancelled search has no answer")]
    pub(super) fn run(&self, cancelled: &dyn Fn() -> bool) -> Option<Option<FoundHits>> {
        let ids = &self.found.resources;
        let mut stop = self.stop;
        while let Some(id) = ids.get(stop) {
            let found = search::run(
                &self.index,
                &self.query,
                Some(std::slice::from_ref(id)),
                &self.facts,
                Some(&self.document),
                MAX_HITS,
                &mut |_, _| !cancelled(),
            )?;
            if !found.hits.is_empty() {
                let mut hits = found.hits;
                hits.sort_by(|one, other| one.at.cmp(&other.at));
                return Some(Some(FoundHits { stop, hits }));
            }
            stop = if self.forward {
                stop + 1
            } else {
                // Wraps below zero, where no resource is found and the loop ends.
                stop.wrapping_sub(1)
            };
        }
        Some(None)
    }
}
