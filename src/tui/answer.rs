//! Long work, without the thread that it is done on: what the workers run, and tests run at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::event::Event;
use crate::format::{Supplied, locate};
use crate::load::Document;
use crate::search::{self, At, Found, Hit, Index, Progress, Query, Selection};
use crate::stack::{Resource, ResourceId};
use crate::value::Value;

/// First parts of an answer come at most this often.
const PATIENCE: Duration = Duration::from_millis(40);

/// So many values are read for the list of hits.
const MAX_VALUES: usize = 60;

/// What is to be searched.
pub struct Search {
    /// For the answers.
    pub ticket: u64,
    /// The file.
    pub document: Document,
    /// The index of an earlier search.
    pub index: Option<Arc<Index>>,
    /// What is asked.
    pub query: Query,
    /// Look only at what this found.
    pub within: Option<Arc<Found>>,
    /// What the person has chosen.
    pub selection: Selection,
}

/// Searches, and sends parts of the answer while it goes on, until `cancelled`.
pub fn search(wanted: Search, cancelled: &dyn Fn() -> bool, send: &mut dyn FnMut(Event)) {
    let Search {
        ticket,
        document,
        index,
        query,
        within,
        selection,
    } = wanted;
    let index = match index {
        Some(index) if index.len() == document.stack.len() => index,
        Some(mut index) => {
            Arc::make_mut(&mut index).extend(&document.stack);
            index
        }
        None => Arc::new(Index::new(&document.stack)),
    };
    let mut last: Option<Instant> = None;
    let within = within.as_ref().map(|found| &*found.resources);
    let answer = |found: Found, done: bool, send: &mut dyn FnMut(Event)| {
        let values = values(&document, &found.hits);
        send(Event::Found {
            ticket,
            index: Arc::clone(&index),
            found: Arc::new(found),
            values,
            done,
        });
    };
    let found = search::run(
        &index,
        &query,
        within,
        &selection,
        Some(&Supplied(&*document.source)),
        search::LIMIT,
        &mut |progress: Progress, found| {
            if cancelled() {
                return false;
            }
            let is_due = last.is_none_or(|last| last.elapsed() > PATIENCE);
            if is_due && progress.done < progress.total {
                answer(found(), false, send);
                last = Some(Instant::now());
            }
            true
        },
    );
    if let Some(found) = found {
        answer(found, true, send);
    }
}

/// The values of the first hits.
fn values(document: &Document, hits: &[Hit]) -> Vec<Option<Value>> {
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
            let state = if place.before {
                resource.before.as_ref()
            } else {
                resource.current()
            };
            place.path.get(state?.section(place.section)?).cloned()
        })
        .collect()
}

/// Finds where in the file a resource is.
pub fn locate(
    ticket: u64,
    document: &Document,
    id: ResourceId,
    cancelled: &dyn Fn() -> bool,
) -> Event {
    let location = locate::location(&document.stack, id, &*document.source, cancelled)
        .ok()
        .flatten()
        .map(Arc::new);
    Event::Located {
        ticket,
        id,
        location,
    }
}
