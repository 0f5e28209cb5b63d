//! Work that is too slow for a key press. [`Job::run`] does it: worker threads, tests and benches call the same function.
//!
//! A job is started with a [`Ticket`], and its answers carry that ticket. [`Tickets::accepts`] decides whether an answer still
//! counts. To add a job: here a variant of [`Job`] with its row, its arm in [`Job::run`] and its [`Answer`], and a handler of this
//! answer in `app/answers.rs`.

pub mod audit;
pub mod brief;
pub mod copy;
pub mod history;
mod pace;
pub mod search;
pub mod stacks;
pub mod ticket;
pub mod verify;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use self::audit::Report;
use self::brief::BriefRequest;
use self::copy::CopiedLines;
use self::search::{FoundHits, Hits, Search};
use self::stacks::{FoundStacks, ListStacks, Listing, OpenStacks, SearchStacks, TieStacks, Tied};
pub use self::ticket::{Counts, Ticket, Tickets};
use self::verify::Verified;
use super::brief::Listed;
use super::changes::{self, Explained, explain};
use super::restore_selection::{Carried, Chosen};
use super::review::Recorded;
use super::ripple::{Ripple, RippleOrigin};
use super::stacks::{Arranged, OpenStack, Request};
use crate::change::configuration::Configuration;
use crate::format::{ReadError, locate};
use crate::load::audit::Progress;
use crate::load::keys::{Keys, KeysError};
use crate::load::record;
use crate::load::timeline::{History, Record, Subject, Traced};
use crate::load::{self, Document, Input, LoadError, LoadEvent};
use crate::pulumi::passphrase::Unlocked;
use crate::render::copy::Location;
use crate::search::{Advice, Index, SearchResult, Searched};
use crate::stack::graph::{Direction, Graph, PathEdge, Reached};
use crate::stack::{Resource, ResourceId, Stack};
use crate::terraform::schema::Schemas;
use crate::tree::{self, Tree};
use crate::value::Value;

/// A flag that ends a job early. Clones share the flag.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the job to end.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True if the job was asked to end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// A hold on a job, such as that of the popup which shows its progress. The job ends when the hold is dropped.
#[derive(Default, Debug)]
pub struct Hold(Cancel);

impl Hold {
    /// The flag that ends the job.
    pub fn flag(&self) -> Cancel {
        self.0.clone()
    }

    /// Ends the job.
    pub fn end(&self) {
        self.0.cancel();
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.end();
    }
}

/// A piece of slow work, with everything it needs.
pub enum Job {
    /// Read a file from its start.
    Load(Input),
    /// Read one resource.
    Read(Document, ResourceId),
    /// Find out which properties of resources change and why, back to the root cause. Schemas tell sets from lists.
    Explain(Document, Vec<ResourceId>, Option<Arc<Schemas>>),
    /// Check a plan against the rules, and against a later file if there is one. Schemas may lie beside the file.
    Audit(Document, Input),
    /// Condense the changes to one page.
    Brief(BriefRequest),
    /// Read the record of the review, and hash the changes of the plan.
    Recall(Document, Option<Arc<Schemas>>, PathBuf),
    /// Find everything connected to a resource.
    Reach {
        /// The dependencies.
        graph: Arc<Graph>,
        /// The resource.
        id: ResourceId,
        /// The direction to walk.
        direction: Direction,
    },
    /// Find what a change of a resource reaches, and lay it out.
    Ripple(Document, RippleOrigin, Option<OpenStack>),
    /// Find the shortest dependency chain between two resources, in whichever direction there is one.
    Way(Arc<Graph>, ResourceId, ResourceId),
    /// Find resources by URN, address, name or id, as a person typed it or as the file refers to them.
    Find(Box<Stack>, String),
    /// Find a person's choices again in another version of the file.
    Carry(Box<Carried>),
    /// Build the tree again.
    Arrange(Stack, tree::Request),
    /// Build the list of changes again.
    ArrangeChanges(Stack, changes::Request),
    /// Search. A new search ends the earlier one.
    Search(Search),
    /// Find the completions of a query that ends in this text so far.
    Advise(Arc<Index>, String, Searched),
    /// Find all hits of one resource.
    Hits(Hits),
    /// Find the location of a resource in the file.
    Locate(Document, ResourceId),
    /// Read the text to copy from many resources.
    CopyMany(copy::CopyMany),
    /// Derive the key of a stack.
    Unlock {
        /// The stack's secrets provider, as the file records it.
        providers: Value,
        /// The keys to try; `None` for those of the environment.
        keys: Option<Arc<Keys>>,
    },
    /// Hash an asset or an archive.
    Verify {
        /// The asset or archive.
        value: Value,
        /// The folder that relative paths start from.
        base: PathBuf,
        /// Ends the work.
        stop: Cancel,
    },
    /// Read the configuration that a plan file carries.
    Configure(Document),
    /// List many stacks, and read each.
    ListStacks(ListStacks),
    /// Search through many stacks.
    SearchStacks(SearchStacks),
    /// Find the edges between many stacks.
    TieStacks(TieStacks),
    /// Arrange the list of many stacks.
    ArrangeStacks(Request),
    /// Find the input that opens a stack of many, or that compares two.
    OpenStacks(OpenStacks),
    /// Find the updates of the stack that a file belongs to, and read the record of each.
    History(PathBuf),
    /// Find the updates in which a value changed.
    Trace {
        /// A file of the stack.
        file: PathBuf,
        /// Index of the newest update to look at; `None` for all updates.
        from: Option<usize>,
        /// The value.
        subject: Subject,
        /// Ends the work.
        stop: Cancel,
    },
}

/// A result of a job, complete or partial.
pub enum Answer {
    /// A file is being read: the header, more records, or the end.
    Load(LoadEvent),
    /// A file could not be read.
    LoadFailed(LoadError),
    /// A resource was read.
    Read(ResourceId, Result<Arc<Resource>, ReadError>),
    /// The changed properties of a resource, and the causes of the change.
    Explained(ResourceId, Explained),
    /// The schemas of the providers of a plan.
    Schemas(Arc<Schemas>),
    /// The progress of an audit.
    Auditing(Progress),
    /// The findings of an audit.
    Audited(Arc<Report>),
    /// The page of the brief.
    Briefed(Box<Listed>),
    /// The page of the brief as far as it is known, and the number of changed resources that are read.
    Briefing(Box<Listed>, usize),
    /// The record of the review, or the reason that it cannot be used.
    Recalled(Box<Result<Recorded, String>>),
    /// Everything connected to a resource, nearest first.
    Reached {
        /// The resource.
        id: ResourceId,
        /// The direction.
        direction: Direction,
        /// The connected resources.
        reached: Arc<Vec<Reached>>,
    },
    /// The resources that a change of a resource reaches.
    Rippled(Box<Ripple>),
    /// The path between two resources; `None` if there is none.
    Way(Option<Vec<PathEdge>>),
    /// The resources with a URN, address, name or id, in the order of the file. If there is none, the one with the most similar name.
    Named(Vec<ResourceId>, Option<ResourceId>),
    /// The choices that still exist in another version of the file.
    Carried(Box<Chosen>),
    /// The new tree.
    Arranged(Box<Tree>),
    /// The new list of changes.
    ChangesArranged(Box<changes::Arranged>),
    /// An answer of a search, perhaps partial or empty.
    Found {
        /// For the next search.
        index: Arc<Index>,
        /// The result.
        found: Arc<SearchResult>,
        /// The values of the first hits.
        values: Vec<Option<Value>>,
        /// True if the answer is complete.
        done: bool,
    },
    /// The completions of a query that is being typed.
    Advised(Advice),
    /// All hits of a resource; `None` if there are no more.
    Hits(Option<FoundHits>),
    /// The text to copy from many resources.
    Lines(CopiedLines),
    /// The location of a resource in the file; `None` if it was not found.
    Located(Option<Arc<Location>>),
    /// The key of a stack, checked.
    Unlocked(Result<Arc<Unlocked>, KeysError>),
    /// An asset is being hashed.
    Verifying {
        /// Number of bytes read.
        n_read: u64,
        /// Number of bytes in total, if known.
        size: Option<u64>,
    },
    /// An asset was hashed.
    Verified(Verified),
    /// The configuration that a plan file carries.
    Configured(Arc<Configuration>),
    /// A part of the list of many stacks.
    Stacks(Listing),
    /// Hits in many stacks.
    StacksFound(FoundStacks),
    /// Edges between many stacks.
    StacksTied(Tied),
    /// The arranged list of many stacks.
    StacksArranged(Box<Arranged>),
    /// The input that opens a stack of many.
    StacksOpened(Box<Result<Input, LoadError>>),
    /// The updates of a stack; `None` if there are none.
    History(Option<Arc<History>>),
    /// The record of the update with this index.
    Recorded(usize, Result<Record, String>),
    /// Progress of the search for changes of a value. With a change that was found: the time of the update, and its record.
    Traced(Traced, Option<(u64, Record)>),
    /// The search for changes of a value is over. True if the stack has a history.
    TraceEnded(bool),
}

/// The subject of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(
    feature = "internals",
    expect(missing_docs, reason = "each is explained by the job of its name")
)]
pub enum Topic {
    Load,
    Read,
    Explain,
    Audit,
    Brief,
    /// The record of the review.
    Recall,
    Reach,
    Ripple,
    Way,
    Find,
    Carry,
    Arrange,
    ArrangeChanges,
    Search,
    Advise,
    Hits,
    Locate,
    CopyMany,
    Unlock,
    Verify,
    Configure,
    /// The list of many stacks.
    ListStacks,
    SearchStacks,
    /// The edges between many stacks.
    TieStacks,
    ArrangeStacks,
    OpenStacks,
    History,
    Trace,
}

/// The part of the explorer that waits for an answer, and does not wait for ever if the job ends in a bug of this program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// The reasons for the changes.
    Causes,
    /// The findings of an audit.
    Problems,
    /// The brief.
    Brief,
    /// The resources that were requested.
    Resources,
    /// The connected resources.
    Dependencies,
    /// The order of many stacks.
    Stacks,
    /// The edges between many stacks.
    StackEdges,
    /// The configuration.
    Source,
}

/// A row of the table of jobs: what the explorer and the threads know about a job before it runs.
pub struct JobRow {
    /// The subject of its ticket.
    pub topic: Topic,
    /// Its name in a message after a crash: `reading`.
    pub name: &'static str,
    /// The answers that count.
    pub counts: Counts,
    /// The thread that runs it.
    pub lane: Lane,
    /// The flag that ends the job, if it may outlive the file that is open.
    pub own_cancel: Option<Cancel>,
    /// The part of the explorer that waits for it.
    pub waiting: Option<Waiting>,
}

impl JobRow {
    /// The row of a usual job: it has a separate thread, and its last answer about the open file counts.
    fn new(topic: Topic, name: &'static str) -> Self {
        Self {
            topic,
            name,
            counts: Counts::LastOfFile,
            lane: Lane::Alone,
            own_cancel: None,
            waiting: None,
        }
    }
}

/// The thread that runs a job.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lane {
    /// A separate thread.
    Alone,
    /// The thread that reads resources, one after the other.
    Reading,
    /// The thread that finds causes, one after the other.
    Explaining,
    /// The thread that searches. It keeps the index of the last search.
    Searching,
}

impl Job {
    /// The row of the table of jobs.
    pub fn row(&self) -> JobRow {
        match self {
            Self::Load(_) => JobRow {
                counts: Counts::Last,
                ..JobRow::new(Topic::Load, "loading")
            },
            Self::Read(..) => JobRow {
                counts: Counts::EachOfFile,
                lane: Lane::Reading,
                waiting: Some(Waiting::Resources),
                ..JobRow::new(Topic::Read, "reading")
            },
            Self::Explain(..) => JobRow {
                counts: Counts::EachOfFile,
                lane: Lane::Explaining,
                waiting: Some(Waiting::Causes),
                ..JobRow::new(Topic::Explain, "explaining")
            },
            Self::Audit(..) => JobRow {
                waiting: Some(Waiting::Problems),
                ..JobRow::new(Topic::Audit, "auditing")
            },
            Self::Brief(_) => JobRow {
                waiting: Some(Waiting::Brief),
                ..JobRow::new(Topic::Brief, "making the brief")
            },
            Self::Recall(..) => JobRow::new(Topic::Recall, "reading the record"),
            Self::Reach { .. } => JobRow {
                counts: Counts::EachOfFile,
                waiting: Some(Waiting::Dependencies),
                ..JobRow::new(Topic::Reach, "walking the dependencies")
            },
            Self::Ripple(..) => JobRow::new(Topic::Ripple, "walking the dependencies"),
            Self::Way(..) => JobRow::new(Topic::Way, "walking the dependencies"),
            Self::Find(..) => JobRow::new(Topic::Find, "looking up a name"),
            Self::Carry(_) => JobRow::new(Topic::Carry, "restoring the selection"),
            Self::Arrange(..) => JobRow::new(Topic::Arrange, "arranging"),
            Self::ArrangeChanges(..) => JobRow::new(Topic::ArrangeChanges, "arranging"),
            Self::Search(_) => JobRow {
                lane: Lane::Searching,
                ..JobRow::new(Topic::Search, "searching")
            },
            Self::Advise(..) => JobRow::new(Topic::Advise, "completing"),
            Self::Hits(_) => JobRow::new(Topic::Hits, "searching"),
            Self::Locate(..) => JobRow::new(Topic::Locate, "locating"),
            Self::CopyMany(_) => JobRow::new(Topic::CopyMany, "copying"),
            Self::Unlock { .. } => JobRow::new(Topic::Unlock, "unlocking"),
            Self::Verify { .. } => JobRow::new(Topic::Verify, "verifying"),
            Self::Configure(_) => JobRow {
                waiting: Some(Waiting::Source),
                ..JobRow::new(Topic::Configure, "reading the configuration")
            },
            Self::ListStacks(list) => JobRow {
                counts: Counts::Last,
                own_cancel: Some(list.stop.clone()),
                ..JobRow::new(Topic::ListStacks, "listing")
            },
            Self::SearchStacks(search) => JobRow {
                counts: Counts::Last,
                own_cancel: Some(search.stop.clone()),
                ..JobRow::new(Topic::SearchStacks, "searching the stacks")
            },
            Self::TieStacks(tie) => JobRow {
                counts: Counts::Last,
                own_cancel: Some(tie.stop.clone()),
                waiting: Some(Waiting::StackEdges),
                ..JobRow::new(Topic::TieStacks, "finding edges between stacks")
            },
            Self::ArrangeStacks(_) => JobRow {
                counts: Counts::Last,
                own_cancel: Some(Cancel::default()),
                waiting: Some(Waiting::Stacks),
                ..JobRow::new(Topic::ArrangeStacks, "arranging the stacks")
            },
            Self::OpenStacks(_) => JobRow {
                counts: Counts::Last,
                own_cancel: Some(Cancel::default()),
                ..JobRow::new(Topic::OpenStacks, "opening")
            },
            Self::History(_) => JobRow {
                counts: Counts::Last,
                ..JobRow::new(Topic::History, "reading the history")
            },
            Self::Trace { .. } => JobRow {
                counts: Counts::Last,
                ..JobRow::new(Topic::Trace, "searching the history")
            },
        }
    }

    /// Does the work and sends its answers, until it is done or `cancel` is set.
    pub fn run(self, cancel: &Cancel, send: &mut dyn FnMut(Answer)) {
        let cancelled = || cancel.is_cancelled();
        match self {
            Self::Load(input) => {
                let mut sink = |event| send(Answer::Load(event));
                let loaded = load::stream_within(&input, input.limits, cancel.flag(), &mut sink);
                if let Err(error) = loaded {
                    send(Answer::LoadFailed(error));
                }
            }
            Self::Read(document, id) => {
                send(Answer::Read(id, document.resource(id).map(Arc::new)));
            }
            Self::Explain(document, ids, schemas) => {
                for id in ids.into_iter().take_while(|_| !cancelled()) {
                    let explained = explain(&document, id, schemas.as_deref());
                    send(Answer::Explained(id, explained));
                }
            }
            Self::Audit(document, input) => audit::run(&document, &input, &cancelled, send),
            Self::Brief(request) => request.run(cancel, send),
            Self::Recall(document, it, path) => {
                recall(&document, it.as_deref(), path, &cancelled, send);
            }
            Self::Reach {
                graph,
                id,
                direction,
            } => send(Answer::Reached {
                id,
                direction,
                reached: Arc::new(graph.reach(id, direction)),
            }),
            Self::Ripple(document, origin, among) => {
                send(Answer::Rippled(Ripple::find(&document, origin, among)));
            }
            Self::Way(graph, one, other) => send(Answer::Way(graph.way_between(one, other))),
            Self::Find(stack, text) => {
                let found = stack.find(&text);
                let none = found.is_empty();
                let near = none.then(|| stack.similar(&text, 1).pop()).flatten();
                send(Answer::Named(found, near));
            }
            Self::Carry(carried) => send(Answer::Carried(Box::new(carried.find()))),
            Self::Arrange(stack, request) => {
                send(Answer::Arranged(Box::new(Tree::new(&stack, request))));
            }
            Self::ArrangeChanges(stack, request) => {
                let arranged = changes::Arranged::new(&stack, &request);
                send(Answer::ChangesArranged(Box::new(arranged)));
            }
            Self::Search(search) => search.run(&cancelled, send),
            Self::Advise(index, before, searched) => {
                send(Answer::Advised(index.advise(&before, searched)));
            }
            Self::Hits(hits) => {
                if let Some(found) = hits.run(&cancelled) {
                    send(Answer::Hits(found));
                }
            }
            Self::Locate(document, id) => {
                let (stack, source) = (&document.stack, &*document.source);
                let location = locate::location(stack, id, source, &cancelled);
                send(Answer::Located(location.ok().flatten().map(Arc::new)));
            }
            Self::CopyMany(copy) => {
                if let Some(lines) = copy.run(&cancelled) {
                    send(Answer::Lines(lines));
                }
            }
            Self::Unlock { providers, keys } => {
                send(Answer::Unlocked(unlock(&providers, keys).map(Arc::new)));
            }
            Self::Verify { value, base, stop } => verify::run(&value, base, &stop, send),
            Self::Configure(document) => {
                if let Some(read) = load::configuration::read(&document, &cancelled) {
                    send(Answer::Configured(Arc::new(read)));
                }
            }
            Self::ListStacks(list) => list.run(send),
            Self::SearchStacks(search) => search.run(send),
            Self::TieStacks(tie) => tie.run(send),
            Self::ArrangeStacks(request) => {
                send(Answer::StacksArranged(Box::new(Arranged::new(&request))));
            }
            Self::OpenStacks(open) => send(Answer::StacksOpened(Box::new(open.run()))),
            Self::History(file) => history::run(&file, send),
            Self::Trace {
                file,
                from,
                subject,
                stop,
            } => history::trace(&file, from, &subject, &stop, send),
        }
    }
}

/// The key of a stack, from these keys or those of the environment.
fn unlock(providers: &Value, keys: Option<Arc<Keys>>) -> Result<Unlocked, KeysError> {
    match keys {
        Some(keys) => keys.unlock(providers),
        None => Keys::of_environment().and_then(|keys| keys.unlock(providers)),
    }
}

/// Sends the record in a file, beside the changes of a plan, unless it is cancelled.
fn recall(
    document: &Document,
    schemas: Option<&Schemas>,
    path: PathBuf,
    is_cancelled: &dyn Fn() -> bool,
    send: &mut dyn FnMut(Answer),
) {
    let record = match record::Record::open(&path) {
        Ok(record) => record,
        Err(error) => return send(Answer::Recalled(Box::new(Err(error.to_string())))),
    };
    let none = Schemas::default();
    let Some(hashes) = record.hashes(document, schemas.unwrap_or(&none), is_cancelled) else {
        return;
    };
    let reviewed = hashes.iter().filter(|(_, it)| record.has(&it.change));
    let alike = record.like_reviewed(&hashes);
    let alike = alike.map(|(id, name)| (id, name.into()));
    let recorded = Recorded {
        path,
        reviewed: reviewed.map(|(id, _)| *id).collect(),
        standing: record.standing(&hashes),
        alike: Arc::new(alike.collect()),
        record: Mutex::new(record),
        hashes,
    };
    send(Answer::Recalled(Box::new(Ok(recorded))));
}

#[cfg(test)]
mod tests {
    use super::Hold;

    #[test]
    fn a_job_ends_when_its_hold_is_dropped() {
        let hold = Hold::default();
        let flag = hold.flag();
        assert!(!flag.is_cancelled());
        drop(hold);
        assert!(flag.is_cancelled());
    }
}
