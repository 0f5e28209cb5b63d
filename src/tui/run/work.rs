//! Background work: each kind runs in a thread that sends owned events. A panic in one is an event and does not end the program.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use super::watch::watch;
use crate::change::causes::{ChainLink, why};
use crate::change::decode::Decoder;
use crate::load::keys::Keys;
use crate::load::timeline::Subject;
use crate::load::{self, Document, Input, Limits};
use crate::search::Index;
use crate::stack::{ResourceId, Stack};
use crate::tree::{self, Tree};
use crate::tui::answer;
use crate::tui::effect::Look;
use crate::tui::event::Event;
use crate::value::Value;

/// The start of the name of every worker thread.
pub(super) const WORKER: &str = "worker ";

/// True if the current thread is a worker.
pub(super) fn is_worker() -> bool {
    thread::current()
        .name()
        .is_some_and(|name| name.starts_with(WORKER))
}

/// Starts background work, and keeps the handles to stop it.
pub(super) struct Workers {
    events: Sender<Event>,
    limits: Limits,
    /// Ends the loading under way.
    stop: Arc<AtomicBool>,
    /// Ends the watching of the previous file.
    unwatch: Arc<AtomicBool>,
    /// Ends the search under way.
    stop_search: Arc<AtomicBool>,
    reader: Option<Sender<(u64, Document, ResourceId)>>,
    explainer: Option<Sender<(u64, Document, ResourceId)>>,
    searcher: Option<Sender<(answer::Search, Arc<AtomicBool>)>>,
}

impl Workers {
    pub(super) fn new(events: Sender<Event>, limits: Limits) -> Self {
        Self {
            events,
            limits,
            stop: Arc::default(),
            unwatch: Arc::default(),
            stop_search: Arc::default(),
            reader: None,
            explainer: None,
            searcher: None,
        }
    }

    fn spawn(&self, what: &'static str, work: impl FnOnce(&Sender<Event>) + Send + 'static) {
        let events = self.events.clone();
        let guarded = move || {
            if catch_unwind(AssertUnwindSafe(|| work(&events))).is_err() {
                let _ = events.send(Event::Crashed { what });
            }
        };
        let thread = thread::Builder::new().name(format!("{WORKER}{what}"));
        if thread.spawn(guarded).is_err() {
            let _ = self.events.send(Event::Crashed { what });
        }
    }

    pub(super) fn load(&mut self, ticket: u64, input: Input) {
        self.stop_loading();
        self.stop_search();
        // Drops the index that the thread keeps of the previous file.
        self.searcher = None;
        self.unwatch.store(true, Ordering::Relaxed);
        self.stop = Arc::default();
        self.unwatch = Arc::default();
        let paths: Vec<PathBuf> = input.paths().into_iter().map(Path::to_owned).collect();
        if !paths.is_empty() {
            watch(paths, Arc::clone(&self.unwatch), self.events.clone());
        }
        let (stop, limits) = (Arc::clone(&self.stop), self.limits);
        self.spawn("loading", move |events| {
            let mut sink = |event| {
                let _ = events.send(Event::Load { ticket, event });
            };
            if let Err(error) = load::stream_within(&input, limits, &stop, &mut sink) {
                let _ = events.send(Event::LoadFailed { ticket, error });
            }
        });
    }

    pub(super) fn stop_loading(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Reads a resource. One thread does all of this, in order.
    pub(super) fn read(&mut self, ticket: u64, document: Document, id: ResourceId) {
        let reader = self.reader.take();
        self.reader = Some(self.request(
            reader,
            "reading",
            (ticket, document, id),
            |request, events| {
                let (ticket, document, id) = request;
                let resource = document.resource(id).map(Arc::new);
                let _ = events.send(Event::Read {
                    ticket,
                    id,
                    resource,
                });
            },
        ));
    }

    /// Finds the causes of a resource's change. One thread does all of this, in order.
    pub(super) fn explain(&mut self, ticket: u64, document: Document, id: ResourceId) {
        let explainer = self.explainer.take();
        self.explainer = Some(self.request(
            explainer,
            "explaining",
            (ticket, document, id),
            |request, events| {
                let (ticket, document, id) = request;
                let steps = explain(&document, id);
                let _ = events.send(Event::Explained { ticket, id, steps });
            },
        ));
    }

    /// Hands a request to the thread that receives from `sender`, or to a new thread if that one ended.
    fn request<R: Send + 'static>(
        &self,
        sender: Option<Sender<R>>,
        what: &'static str,
        request: R,
        mut answer: impl FnMut(R, &Sender<Event>) + Send + 'static,
    ) -> Sender<R> {
        let request = match sender {
            Some(sender) => match sender.send(request) {
                Ok(()) => return sender,
                Err(mpsc::SendError(request)) => request,
            },
            None => request,
        };
        let (sender, requests) = mpsc::channel();
        self.spawn(what, move |events| {
            for request in requests {
                answer(request, events);
            }
        });
        // The new thread is waiting for it.
        let _ = sender.send(request);
        sender
    }

    /// Audits a plan. Reading another file ends the audit.
    pub(super) fn audit(&self, ticket: u64, document: Document, input: Input) {
        let stop = Arc::clone(&self.unwatch);
        self.spawn("auditing", move |events| {
            let cancelled = || stop.load(Ordering::Relaxed);
            answer::audit(ticket, &document, &input, &cancelled, &mut |event| {
                let _ = events.send(event);
            });
        });
    }

    pub(super) fn look(&self, ticket: u64, look: Look) {
        self.spawn("looking", move |events| {
            let _ = events.send(answer::look(ticket, &look));
        });
    }

    pub(super) fn arrange(&self, ticket: u64, stack: Stack, request: tree::Request) {
        self.spawn("arranging", move |events| {
            let tree = Box::new(Tree::new(&stack, request));
            let _ = events.send(Event::Arranged { ticket, tree });
        });
    }

    /// Searches. One thread does all of this, so that the index is built once even if somebody types fast. An earlier search
    /// stops at its next slice.
    pub(super) fn search(&mut self, wanted: answer::Search) {
        self.stop_search();
        let mut last: Option<Arc<Index>> = None;
        let answer = move |request: (answer::Search, Arc<AtomicBool>), events: &Sender<Event>| {
            let (mut wanted, stop) = request;
            let cancelled = || stop.load(Ordering::Relaxed);
            if cancelled() {
                return;
            }
            let stack = &wanted.document.stack;
            let known = last.take().filter(|index| stack.keeps(index.stack()));
            let index = answer::index(&wanted.document, wanted.index.take().or(known));
            last = Some(Arc::clone(&index));
            wanted.index = Some(index);
            answer::search(wanted, &cancelled, &mut |event| {
                let _ = events.send(event);
            });
        };
        let searcher = self.searcher.take();
        let request = (wanted, Arc::clone(&self.stop_search));
        self.searcher = Some(self.request(searcher, "searching", request, answer));
    }

    pub(super) fn hits(&self, wanted: answer::Hits) {
        let stop = Arc::clone(&self.unwatch);
        self.spawn("searching", move |events| {
            let cancelled = || stop.load(Ordering::Relaxed);
            if let Some(event) = answer::hits(&wanted, &cancelled) {
                let _ = events.send(event);
            }
        });
    }

    pub(super) fn marked(&self, wanted: answer::Marked) {
        let stop = Arc::clone(&self.unwatch);
        self.spawn("copying", move |events| {
            let cancelled = || stop.load(Ordering::Relaxed);
            if let Some(event) = answer::marked(&wanted, &cancelled) {
                let _ = events.send(event);
            }
        });
    }

    pub(super) fn stop_search(&mut self) {
        self.stop_search.store(true, Ordering::Relaxed);
        self.stop_search = Arc::default();
    }

    pub(super) fn locate(&self, ticket: u64, document: Document, id: ResourceId) {
        let stop = Arc::clone(&self.unwatch);
        self.spawn("locating", move |events| {
            let cancelled = || stop.load(Ordering::Relaxed);
            let _ = events.send(answer::locate(ticket, &document, id, &cancelled));
        });
    }

    pub(super) fn unlock(&self, ticket: u64, providers: Value, keys: Option<Arc<Keys>>) {
        self.spawn("unlocking", move |events| {
            let _ = events.send(answer::unlock(ticket, &providers, keys.as_deref()));
        });
    }

    pub(super) fn verify(&self, ticket: u64, value: Value, base: PathBuf, stop: Arc<AtomicBool>) {
        self.spawn("verifying", move |events| {
            answer::verify(ticket, &value, base, &stop, &mut |event| {
                let _ = events.send(event);
            });
        });
    }

    pub(super) fn configure(&self, ticket: u64, document: Document) {
        let stop = Arc::clone(&self.unwatch);
        self.spawn("reading the configuration", move |events| {
            let cancelled = || stop.load(Ordering::Relaxed);
            if let Some(read) = load::configuration::read(&document, &cancelled) {
                let configuration = Arc::new(read);
                let _ = events.send(Event::Configured {
                    ticket,
                    configuration,
                });
            }
        });
    }

    pub(super) fn list(&self, ticket: u64, folder: PathBuf) {
        self.spawn("listing", move |events| {
            let _ = events.send(answer::list(ticket, &folder));
        });
    }

    pub(super) fn history(&self, ticket: u64, file: PathBuf) {
        self.spawn("reading the history", move |events| {
            answer::history(ticket, &file, &mut |event| {
                let _ = events.send(event);
            });
        });
    }

    pub(super) fn trace(
        &self,
        ticket: u64,
        file: PathBuf,
        from: Option<usize>,
        subject: Subject,
        stop: Arc<AtomicBool>,
    ) {
        self.spawn("searching the history", move |events| {
            answer::trace(ticket, &file, from, &subject, &stop, &mut |event| {
                let _ = events.send(event);
            });
        });
    }

    pub(super) fn decode(&self, ticket: u64, decoder: Decoder, value: Value) {
        self.spawn("decoding", move |events| {
            let result = decoder.decode(&value);
            let _ = events.send(Event::Decoded { ticket, result });
        });
    }

    pub(super) fn wake(&self, ticket: u64, after: Duration) {
        self.spawn("waiting", move |events| {
            thread::sleep(after);
            let _ = events.send(Event::Woke { ticket });
        });
    }
}

/// The causes of a resource's change, with every resource of the chain read from the file.
fn explain(document: &Document, id: ResourceId) -> Vec<ChainLink> {
    let mut read = |id| document.resource(id).ok().map(Arc::new);
    why(&document.stack, id, &mut read)
}
