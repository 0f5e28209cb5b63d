//! Searching, and finding all hits of one resource.

use std::sync::{Arc, Mutex, PoisonError};

use super::pace::Pace;
use super::{Cancel, Job, Lane, Topic};
use crate::load::Document;
use crate::search::{
    self, Advice, At, Facts, Goal, Hit, Index, Progress, Query, Request, SearchResult, Searched,
    Target,
};
use crate::stack::{Resource, ResourceId};
use crate::value::Value;

/// Minimum time between two partial answers, in milliseconds.
const PATIENCE: u64 = 40;

/// Maximum number of hits read for one resource.
const MAX_HITS: usize = 100_000;

/// Maximum number of hits whose values are read for the list of hits.
const MAX_VALUES: usize = 60;

/// The index of a file, shared by its searches: one makes it, and the next one extends it, even if nobody wants the hits of the
/// first any more.
#[derive(Clone, Default, Debug)]
pub struct SharedIndex(Arc<Mutex<Option<Arc<Index>>>>);

impl SharedIndex {
    /// The index, once a search has made it.
    pub fn get(&self) -> Option<Arc<Index>> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The index of everything known about the file.
    fn make(&self, document: &Document) -> Arc<Index> {
        // The explorer reads it and must not wait while it is made.
        let index = index(document, self.get());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&index));
        index
    }
}

/// A search to run.
pub struct Search {
    /// The file.
    pub document: Document,
    /// The index of the file.
    pub index: SharedIndex,
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

/// An answer of a search.
pub struct Found {
    /// The index that was searched.
    pub index: Arc<Index>,
    /// The result, perhaps partial or empty.
    pub found: Arc<SearchResult>,
    /// The values of the first hits.
    pub values: Vec<Option<Value>>,
    /// True if the answer is complete.
    pub done: bool,
}

impl Job for Search {
    type Answer = Found;

    const TOPIC: Topic = Topic {
        lane: Lane::InTurn,
        ..Topic::named("searching")
    };

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self { document, goal, .. } = &self;
        let index = self.index.make(document);
        let mut pace = Pace::new(PATIENCE);
        let answer = |found: SearchResult, done: bool, say: &mut dyn FnMut(Found)| {
            let values = values(document, &found.hits);
            say(Found {
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
            if cancel.is_cancelled() {
                return false;
            }
            if progress.done < progress.total {
                pace.answer(|| answer(found(), false, say));
            }
            true
        });
        if let Some(found) = found {
            answer(found, true, say);
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

/// A request for the completions of a query that ends in this text so far.
pub struct Advise(pub Arc<Index>, pub String, pub Searched);

impl Job for Advise {
    type Answer = Advice;

    const TOPIC: Topic = Topic::named("completing");

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self(index, before, searched) = self;
        say(index.advise(&before, searched));
    }
}

/// A position among the hits of a search.
#[derive(Clone, Default, Debug)]
pub struct HitPlace {
    /// Index among the found resources; their number at the outputs of the stack.
    pub stop: usize,
    /// The hits there, in order. Empty if the position is before the first of them.
    pub here: Arc<Vec<Target>>,
    /// Index of the current one.
    pub at: usize,
}

/// A walk from hit to hit, in the order of the file, with the outputs of the stack last.
pub struct StepHits {
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
    /// The position to start from. If it has only the current hit, the others of this resource are read first.
    pub from: HitPlace,
    /// Number of hits to go on by, negative to go back.
    pub steps: isize,
}

/// The end of a walk.
pub struct Stepped {
    /// Number of hits that were passed.
    pub steps: isize,
    /// The new position. `None` if nothing is a hit any more.
    pub place: Option<HitPlace>,
}

impl Job for StepHits {
    type Answer = Stepped;

    const TOPIC: Topic = Topic::named("searching");

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let mut place = self.from.clone();
        if let [current] = &place.here[..] {
            let here = self.hits_at(place.stop, cancel);
            // The hit may be shown at a different place than its own.
            if let Some(at) = here.iter().position(|hit| hit == current) {
                (place.here, place.at) = (Arc::new(here), at);
            }
        }
        let mut steps = 0..self.steps.unsigned_abs();
        say(Stepped {
            steps: self.steps,
            place: steps.try_fold(place, |place, _| self.next(place, cancel)),
        });
    }
}

impl StepHits {
    /// The next hit, or the previous one. Goes around at the ends.
    fn next(&self, mut place: HitPlace, cancel: &Cancel) -> Option<HitPlace> {
        let step = self.steps.signum();
        let within = place.at.checked_add_signed(step);
        if let Some(at) = within.filter(|at| *at < place.here.len()) {
            return Some(HitPlace { at, ..place });
        }
        let n = self.found.resources.len() + usize::from(!self.found.outputs.is_empty());
        // Before the first hit of a stop, the way forward begins with this stop.
        if place.here.is_empty() && step > 0 {
            place.stop = (place.stop + n).checked_sub(1)?;
        }
        let mut stops = (1..=n).map(|nth| match step {
            1.. => (place.stop + nth) % n,
            _ => (place.stop + n - nth) % n,
        });
        stops.find_map(|stop| {
            let here = self.hits_at(stop, cancel);
            let last = here.len().checked_sub(1)?;
            Some(HitPlace {
                stop,
                here: Arc::new(here),
                at: if step > 0 { 0 } else { last },
            })
        })
    }

    /// The hits of one resource, or those among the outputs of the stack.
    fn hits_at(&self, stop: usize, cancel: &Cancel) -> Vec<Target> {
        let mut hits: Vec<Target> = match self.found.resources.get(stop) {
            None => self.found.outputs.iter().map(Target::of_output).collect(),
            Some(id) => {
                let found = search::run(
                    &self.index,
                    &self.query,
                    Some(std::slice::from_ref(id)),
                    &self.facts,
                    Some(&self.document),
                    MAX_HITS,
                    &mut |_, _| !cancel.is_cancelled(),
                );
                let hits = found.map(|found| found.hits).unwrap_or_default();
                hits.iter().map(Target::of_hit).collect()
            }
        };
        hits.sort();
        hits
    }
}
