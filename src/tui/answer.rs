//! Long-running work, independent of the thread that runs it: worker threads call it in the program, tests call it directly.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::effect::{GraphQuery, Look};
use super::event::Event;
use super::restore_selection::carry;
use crate::change::audit::Finding;
use crate::format::locate;
use crate::load::asset::{self, Blob, Disk, Verdict};
use crate::load::audit::{Audit, Progress as Audited, by_identity};
use crate::load::keys::Keys;
use crate::load::{Document, Input, folder, schemas, timeline};
use crate::pulumi::asset::{Format, Listing};
use crate::render::copy::{Form, Location, Subject};
use crate::search::{self, At, Hit, Index, Progress, Query, SearchResult, Selection};
use crate::stack::{Resource, ResourceId, Severity};
use crate::tui::rows::Spot;
use crate::value::{Payload, Value};

/// Minimum time between two partial answers.
const PATIENCE: Duration = Duration::from_millis(40);

/// Maximum number of hits read for one resource.
const MAX_HITS: usize = 100_000;

/// Maximum number of hits whose values are read for the list of hits.
const MAX_VALUES: usize = 60;

/// A search to run.
pub struct Search {
    /// Ticket of the answers.
    pub ticket: u64,
    /// The file.
    pub document: Document,
    /// The index of an earlier search.
    pub index: Option<Arc<Index>>,
    /// The query.
    pub query: Query,
    /// Search only the resources of this earlier result.
    pub within: Option<Arc<SearchResult>>,
    /// The person's marks and reviews.
    pub selection: Selection,
}

/// Returns the index of everything known about a file. `earlier` is an index of the same file, made when less of it was known.
pub fn index(document: &Document, earlier: Option<Arc<Index>>) -> Arc<Index> {
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

/// Searches until done or `cancelled`, and sends partial answers on the way.
pub fn search(wanted: Search, cancelled: &dyn Fn() -> bool, send: &mut dyn FnMut(Event)) {
    let Search {
        ticket,
        document,
        index,
        query,
        within,
        selection,
    } = wanted;
    let index = self::index(&document, index);
    let outputs = search::outputs(&document.stack, &query);
    let mut last: Option<Instant> = None;
    let within = within.as_ref().map(|found| &*found.resources);
    let answer = |found: SearchResult, done: bool, send: &mut dyn FnMut(Event)| {
        let values = values(&document, &found.hits);
        send(Event::Found {
            ticket,
            index: Arc::clone(&index),
            found: Arc::new(found.with_outputs(&outputs)),
            values,
            done,
        });
    };
    let found = search::run(
        &index,
        &query,
        within,
        &selection,
        Some(&document),
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

/// A request for all hits of one resource.
pub struct Hits {
    /// Ticket of the answer.
    pub ticket: u64,
    /// The file.
    pub document: Document,
    /// The index of the search.
    pub index: Arc<Index>,
    /// The query of the search.
    pub query: Query,
    /// The person's marks and reviews at the time of the search.
    pub selection: Selection,
    /// The result of the search.
    pub found: Arc<SearchResult>,
    /// Index in `found.resources` of the resource to start with.
    pub stop: usize,
    /// True to go on with the next resource if this one has no hits, false to go on with the previous one.
    pub forward: bool,
}

/// Returns all hits of one resource in order, or those of the next resource that has any. `None` if it was `cancelled`.
pub fn hits(wanted: &Hits, cancelled: &dyn Fn() -> bool) -> Option<Event> {
    let ids = &wanted.found.resources;
    let mut stop = wanted.stop;
    while let Some(id) = ids.get(stop) {
        let found = search::run(
            &wanted.index,
            &wanted.query,
            Some(std::slice::from_ref(id)),
            &wanted.selection,
            Some(&wanted.document),
            MAX_HITS,
            &mut |_, _| !cancelled(),
        )?;
        if !found.hits.is_empty() {
            let mut hits = found.hits;
            hits.sort_by(|one, other| one.at.cmp(&other.at));
            return Some(Event::Hits {
                ticket: wanted.ticket,
                found: Some((stop, hits)),
            });
        }
        stop = if wanted.forward {
            stop + 1
        } else {
            // Wraps below zero, where no resource is found and the loop ends.
            stop.wrapping_sub(1)
        };
    }
    Some(Event::Hits {
        ticket: wanted.ticket,
        found: None,
    })
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
            place.value(resource)
        })
        .collect()
}

/// Finds the location of a resource in the file.
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
    Event::Located { ticket, location }
}

/// A request to copy something from many resources.
pub struct Marked {
    /// Ticket of the answer.
    pub ticket: u64,
    /// The file.
    pub document: Document,
    /// The resources to copy from.
    pub ids: Vec<ResourceId>,
    /// The form to copy.
    pub form: Form,
    /// The property to copy from each resource; `None` for the resources themselves.
    pub spot: Option<Spot>,
}

/// Copies many resources in one form, one per line, in the order of the file. `None` if it was `cancelled`. Secrets stay masked:
/// a line that would show one is left out.
pub fn marked(wanted: &Marked, cancelled: &dyn Fn() -> bool) -> Option<Event> {
    let Marked {
        document,
        form,
        spot,
        ..
    } = wanted;
    let stack = &document.stack;
    let mut located: HashMap<ResourceId, Location> = HashMap::new();
    if form.needs_location() {
        let found = locate::locations(stack, &wanted.ids, &*document.source, cancelled);
        let found = found.unwrap_or_default().into_iter();
        located.extend(found.filter_map(|(id, location)| Some((id, location?))));
    }
    let (mut lines, mut why_not) = (Vec::new(), None);
    for id in &wanted.ids {
        if cancelled() {
            return None;
        }
        let line = match document.resource(*id) {
            Ok(resource) => {
                let place = spot.as_ref().and_then(|spot| spot.place(&resource));
                let inside = spot.as_ref().and_then(|spot| spot.inside.as_ref());
                let subject = Subject {
                    stack,
                    id: *id,
                    resource: &resource,
                    place: place.as_ref(),
                    revealed: false,
                    location: located.get(id),
                    inside,
                    hunk: None,
                };
                subject.copy_line(*form).map_err(|why| why.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        match line {
            Ok(line) => lines.push(line),
            Err(why) => why_not = why_not.or(Some(why)),
        }
    }
    Some(Event::Marked {
        ticket: wanted.ticket,
        form: *form,
        n_missing: wanted.ids.len() - lines.len(),
        lines,
        why_not,
    })
}

/// Derives the key of a stack from `keys`, or from the environment if that is `None`.
pub fn unlock(ticket: u64, providers: &Value, keys: Option<&Keys>) -> Event {
    let unlocked = match keys {
        Some(keys) => keys.unlock(providers),
        None => Keys::of_environment().and_then(|keys| keys.unlock(providers)),
    };
    Event::Unlocked {
        ticket,
        result: unlocked.map(Arc::new),
    }
}

/// Looks something up in the index, without reading the file.
pub fn look(ticket: u64, look: &Look) -> Event {
    match look {
        Look::Walk(graph, GraphQuery::Reach(id, direction)) => Event::Reached {
            ticket,
            reached: Arc::new(graph.reach(*id, *direction)),
        },
        Look::Walk(graph, GraphQuery::Way(one, other)) => Event::WayFound {
            ticket,
            way: graph.way_between(*one, *other),
        },
        Look::Find(stack, text) => Event::Named {
            ticket,
            ids: stack.find(text),
        },
        Look::Carry { chosen, stacks } => Event::Carried {
            ticket,
            chosen: Box::new(carry(chosen, &stacks[0], &stacks[1])),
        },
    }
}

/// The result of verifying an asset or an archive.
pub struct Verified {
    /// The comparison of the contents with the recorded hash, or why they could not be read.
    pub verdict: Result<Verdict, String>,
    /// The contents of an archive file; `None` for anything else and for a file that was not read.
    pub listing: Option<Result<Listing, String>>,
}

/// Hashes an asset or an archive on disk, and lists an archive file. Reports its progress now and then.
pub fn verify(
    ticket: u64,
    value: &Value,
    base: PathBuf,
    stop: &AtomicBool,
    send: &mut dyn FnMut(Event),
) {
    let disk = Disk::new(base);
    let blob = match value.payload() {
        Payload::Asset(asset) => Blob::Asset(asset),
        Payload::Archive(archive) => Blob::Archive(archive),
        _ => return,
    };
    let size = asset::size(blob, &disk);
    let mut last: Option<Instant> = None;
    let mut progress = asset::stop_at(stop, |n_read| {
        if last.is_none_or(|last| last.elapsed() > PATIENCE) {
            last = Some(Instant::now());
            send(Event::Verifying {
                ticket,
                n_read,
                size,
            });
        }
    });
    let verdict = asset::verify(blob, &disk, &mut progress).map_err(|error| error.to_string());
    let path = match blob {
        Blob::Archive(archive) => archive.path.as_str().filter(|path| !path.is_empty()),
        Blob::Asset(_) => None,
    };
    let is_there = matches!(
        verdict,
        Ok(Verdict::Match | Verdict::Mismatch { .. } | Verdict::NotRecorded { .. })
    );
    let listing: Option<Result<Listing, String>> = path
        .filter(|path| is_there && Format::of_name(path).is_some())
        .map(|path| asset::list(path, &disk, &mut progress).map_err(|error| error.to_string()));
    drop(progress);
    send(Event::Verified {
        ticket,
        verified: Verified { verdict, listing },
    });
}

/// Lists a folder.
pub fn list(ticket: u64, folder: &Path) -> Event {
    let result = folder::list(folder).map_err(|error| error.to_string());
    Event::Listed { ticket, result }
}

/// Sends the updates of the stack that a file belongs to, then the record of each update, newest first.
pub fn history(ticket: u64, file: &Path, tell: &mut dyn FnMut(Event)) {
    let history = timeline::history(file).map(Arc::new);
    tell(Event::History {
        ticket,
        history: history.clone(),
    });
    let updates = history.iter().flat_map(|history| &history.updates);
    for (index, update) in updates.enumerate().collect::<Vec<_>>().into_iter().rev() {
        let record = timeline::record(update).map_err(|error| error.to_string());
        tell(Event::Recorded {
            ticket,
            index,
            record,
        });
    }
}

/// Sends the updates in which a value changed, newest first.
pub fn trace(
    ticket: u64,
    file: &Path,
    from: Option<usize>,
    subject: &timeline::Subject,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Event),
) {
    let history = timeline::history(file);
    if let Some(history) = &history {
        history.trace(from.unwrap_or(usize::MAX), subject, stop, &mut |traced| {
            let told = traced.found.as_ref().map(|found| {
                let update = &history.updates[found.index];
                (update.nanos, timeline::record(update).unwrap_or_default())
            });
            tell(Event::Traced {
                ticket,
                traced,
                told,
            });
        });
    }
    tell(Event::TraceEnded {
        ticket,
        has_history: history.is_some(),
    });
}

/// Maximum number of findings listed for each severity. The rest are only counted.
const MAX_FINDINGS: usize = 10_000;

/// The result of auditing a plan.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Report {
    /// The schemas and the later file that the plan was checked against; `None` if there were neither.
    pub basis: Option<String>,
    /// The error that ended the audit early.
    pub failure: Option<String>,
    /// The findings, worst first, each with its resource in the file that is shown.
    pub listed: Vec<(Finding, Option<ResourceId>)>,
    /// Number of findings of severity `Error`: broken promises.
    pub n_errors: usize,
    /// Number of findings of severity `Warning`: broken rules.
    pub n_warnings: usize,
    /// Number of findings of severity `Info`.
    pub n_remarks: usize,
}

/// Audits a plan, or a plan together with a later file, until done or `cancelled`. Reports its progress now and then.
pub fn audit(
    ticket: u64,
    document: &Document,
    input: &Input,
    cancelled: &dyn Fn() -> bool,
    send: &mut dyn FnMut(Event),
) {
    let audited = |report: Report| {
        let report = Arc::new(report);
        Event::Audited { ticket, report }
    };
    let found = match schemas::of(input) {
        // The schemas read here do not describe Pulumi providers.
        Ok(found) => found.filter(|_| !document.stack.header.kind.is_pulumi()),
        Err(error) => {
            return send(audited(Report {
                failure: Some(error.to_string()),
                ..Report::default()
            }));
        }
    };
    let source = found.as_ref().map(ToString::to_string);
    let schemas = found.map(|found| Arc::new(found.contents));
    if let Some(schemas) = schemas.clone() {
        send(Event::Schemas { ticket, schemas });
    }
    let Some(audit) = Audit::of(document, schemas.as_deref()) else {
        return;
    };
    if !audit.has_basis() {
        return send(audited(Report::default()));
    }
    let later = audit
        .after
        .as_ref()
        .map(|after| after.stack.header.kind.to_string());
    let basis: Vec<String> = [source, later].into_iter().flatten().collect();
    let mut report = Report {
        basis: Some(basis.join(" and ")),
        ..Report::default()
    };
    let mut findings: [Vec<Finding>; 3] = Default::default();
    let mut last: Option<Instant> = None;
    let mut progress = |progress: Audited| {
        if last.is_none_or(|last| last.elapsed() > PATIENCE * 5) {
            last = Some(Instant::now());
            send(Event::Auditing { ticket, progress });
        }
        !cancelled()
    };
    let mut sink = |finding: Finding| {
        let (n_found, kept) = match finding.severity {
            Severity::Error => (&mut report.n_errors, &mut findings[0]),
            Severity::Warning => (&mut report.n_warnings, &mut findings[1]),
            Severity::Info => (&mut report.n_remarks, &mut findings[2]),
        };
        *n_found += 1;
        if kept.len() < MAX_FINDINGS {
            kept.push(finding);
        }
    };
    let outcome = audit.run(&mut progress, &mut sink);
    if cancelled() {
        return;
    }
    report.failure = outcome.err().map(|error| error.to_string());
    let ids = by_identity(document);
    let listed = findings.into_iter().flatten();
    report.listed = listed
        .map(|finding| {
            let id = ids.get(&finding.resource).copied();
            (finding, id)
        })
        .collect();
    send(audited(report));
}
