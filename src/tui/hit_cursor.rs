//! The position among the hits of a search: all of them in the order of the file, with the outputs of the stack last.
//!
//! A search keeps only its best hits, but it knows all resources that have hits.

use std::sync::Arc;

use super::jobs::search::HitPlace;
use super::rows::shown;
use super::widgets::text::count;
use crate::search::{Facts, Query, SearchResult, Target};
use crate::stack::ResourceId;

/// The hits that `n` and `N` go through.
#[derive(Default, Debug)]
pub struct HitCursor {
    /// The query of the search.
    pub query: Query,
    /// The person's marks and reviews at its start.
    pub facts: Facts,
    /// The result of the search.
    pub found: Arc<SearchResult>,
    /// Every hit in order, if the search kept them all.
    all: Vec<Target>,
    /// The indices of the hit that was shown first, and of its resource. Hits are counted from there, because the walk goes around.
    first: Option<(usize, usize)>,
    /// The position.
    pub place: HitPlace,
    /// Steps to go as soon as hits are known.
    pub owed: isize,
    /// True while a job takes steps.
    pub is_walking: bool,
    /// The reason why the hit is not shown in the view of the search.
    pub why_elsewhere: Option<&'static str>,
}

impl HitCursor {
    /// The hits of a search, before it has a result.
    pub fn new(query: Query, facts: Facts) -> Self {
        Self {
            query,
            facts,
            ..Self::default()
        }
    }

    /// Takes a search result. The position is at `here`, or before the first hit at or after `near`.
    pub fn start(
        &mut self,
        found: Arc<SearchResult>,
        here: Option<Target>,
        near: Option<ResourceId>,
    ) {
        if let Some(query) = &found.query {
            self.query = Query::clone(query);
        }
        let n_kept = found.hits.len() + found.outputs.len();
        self.all.clear();
        self.first = None;
        if found.total == n_kept as u64 {
            self.all.extend(found.hits.iter().map(Target::of_hit));
            self.all.extend(found.outputs.iter().map(Target::of_output));
            self.all.sort();
        }
        let resource = match &here {
            Some(Target::Output(_)) => None,
            Some(Target::Resource(id, _)) => Some(*id),
            None => near,
        };
        let found_at = resource.map(|id| found.resources.binary_search(&id));
        let is_at = matches!(found_at, Some(Ok(_)))
            || here
                .as_ref()
                .is_some_and(|it| matches!(it, Target::Output(_)));
        self.place = HitPlace {
            stop: match found_at {
                Some(Ok(stop) | Err(stop)) => stop,
                None if here.is_some() => found.resources.len(),
                None => 0,
            },
            here: Arc::new(here.into_iter().filter(|_| is_at).collect()),
            at: 0,
        };
        self.found = found;
    }

    /// The same, at a hit of a search that is not over yet if one was chosen.
    #[must_use]
    pub fn at(mut self, hit: Option<Target>) -> Self {
        self.place.here = Arc::new(hit.into_iter().collect());
        self
    }

    /// The current hit.
    pub fn current(&self) -> Option<&Target> {
        self.place.here.get(self.place.at)
    }

    /// The stop with the hits among the outputs of the stack. Those of Pulumi are properties of a resource.
    pub fn stop_of_outputs(&self, stack_resource: Option<ResourceId>) -> Option<usize> {
        if !self.found.outputs.is_empty() {
            return Some(self.found.resources.len());
        }
        self.found.resources.binary_search(&stack_resource?).ok()
    }

    /// True if the position is at a hit among the outputs of the stack.
    pub fn is_at_outputs_of(&self, stack_resource: Option<ResourceId>) -> bool {
        let stop = self.stop_of_outputs(stack_resource);
        self.current().is_some() && stop == Some(self.place.stop)
    }

    /// The message on arrival: the position, and why the hit is shown in another view.
    pub fn line(&mut self) -> String {
        let line = format!("{} {}", self.position(), shown(&self.query.text));
        match self.why_elsewhere {
            Some(why) => format!("{why}: shown among the resources · {line}"),
            None => line,
        }
    }

    /// The position among all hits, counted from the one that was shown first.
    fn position(&mut self) -> String {
        let index = self
            .current()
            .and_then(|it| self.all.binary_search(it).ok());
        let HitPlace { stop, here, at } = &self.place;
        let (at, here, n_stops) = (at + 1, here.len(), self.found.resources.len());
        let own = (index.unwrap_or_default(), stop % n_stops.max(1));
        let (first, first_stop) = *self.first.get_or_insert(own);
        let from = |first: usize, at: usize, n: usize| (at + n - first) % n + 1;
        if let Some(index) = index {
            let n = self.all.len();
            return format!("[{}/{n}]", from(first, index, n));
        }
        if *stop == n_stops {
            return format!("[output {at}/{here}]");
        }
        let stop = from(first_stop, *stop, n_stops);
        let [stop, n_stops] = [stop, n_stops].map(|n| count(n as u64));
        format!("[resource {stop}/{n_stops} · {at}/{here}]")
    }
}
