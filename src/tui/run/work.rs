//! Worker threads, which run jobs and send their answers. A panic in one is an event and does not end the program.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use super::watch::{Report, watch};
use crate::log::{Field, Level, log};
use crate::search::Index;
use crate::tui::event::Event;
use crate::tui::jobs::{Cancel, Job, JobRow, Lane, Ticket, Waiting};

/// The start of the name of every worker thread.
pub(super) const WORKER: &str = "worker ";

/// True if the current thread is a worker.
pub(super) fn is_worker() -> bool {
    thread::current()
        .name()
        .is_some_and(|name| name.starts_with(WORKER))
}

/// A job with its ticket and the flag that ends it.
struct Started {
    ticket: Ticket,
    job: Job,
    cancel: Cancel,
}

/// Starts jobs, and keeps the flags that end them.
pub(super) struct Workers {
    events: Sender<Event>,
    /// The moment at which a change of the file is reported.
    report: Report,
    /// Ends the reading of the file under way.
    loading: Cancel,
    /// Ends the watching of the file, and the jobs about it.
    file: Cancel,
    /// Ends the search under way.
    search: Cancel,
    /// The threads that run several jobs, one after the other.
    lanes: HashMap<Lane, Sender<Started>>,
}

impl Workers {
    pub(super) fn new(events: Sender<Event>, report: Report) -> Self {
        Self {
            events,
            report,
            loading: Cancel::default(),
            file: Cancel::default(),
            search: Cancel::default(),
            lanes: HashMap::new(),
        }
    }

    /// Starts a job.
    pub(super) fn start(&mut self, ticket: Ticket, job: Job) {
        let cancel = match &job {
            Job::Load(input) => {
                let paths = input.paths().into_iter().map(Path::to_owned).collect();
                self.change_file(paths);
                self.loading.clone()
            }
            Job::Search(_) => {
                self.stop_search();
                self.search.clone()
            }
            job => job.row().own_cancel.unwrap_or_else(|| self.file.clone()),
        };
        let row = job.row();
        let started = Started {
            ticket,
            job,
            cancel,
        };
        if row.lane == Lane::Alone {
            self.spawn(row.name, row.waiting, move |events| {
                started.run(&mut None, events);
            });
        } else {
            self.queue(&row, started);
        }
    }

    /// Ends everything about the file that was open, and watches the files that are opened now.
    fn change_file(&mut self, paths: Vec<PathBuf>) {
        self.stop_loading();
        self.stop_search();
        // Drops the index that the thread keeps of the previous file.
        self.lanes.remove(&Lane::Searching);
        self.file.cancel();
        self.loading = Cancel::default();
        self.file = Cancel::default();
        if !paths.is_empty() {
            watch(paths, self.report, self.file.clone(), self.events.clone());
        }
    }

    pub(super) fn stop_loading(&self) {
        self.loading.cancel();
    }

    pub(super) fn stop_search(&mut self) {
        self.search.cancel();
        self.search = Cancel::default();
    }

    /// Hands a job to the thread of its lane, or to a new thread if that one ended.
    fn queue(&mut self, row: &JobRow, started: Started) {
        let started = match self.lanes.get(&row.lane) {
            Some(sender) => match sender.send(started) {
                Ok(()) => return,
                Err(mpsc::SendError(started)) => started,
            },
            None => started,
        };
        let (sender, queue) = mpsc::channel::<Started>();
        self.spawn(row.name, row.waiting, move |events| {
            let mut last = None;
            for started in queue {
                started.run(&mut last, events);
            }
        });
        // The new thread is waiting for it.
        let _ = sender.send(started);
        self.lanes.insert(row.lane, sender);
    }

    fn spawn(
        &self,
        what: &'static str,
        waiting: Option<Waiting>,
        work: impl FnOnce(&Sender<Event>) + Send + 'static,
    ) {
        let events = self.events.clone();
        let guarded = move || {
            if catch_unwind(AssertUnwindSafe(|| work(&events))).is_err() {
                log(Level::Error, "crashed", &[("job", Field::Word(what))]);
                let _ = events.send(Event::Crashed { what, waiting });
            }
        };
        let thread = thread::Builder::new().name(format!("{WORKER}{what}"));
        if thread.spawn(guarded).is_err() {
            let _ = self.events.send(Event::Crashed { what, waiting });
        }
    }

    /// Sends an event with this number after some time.
    pub(super) fn wake(&self, timer: u64, after: Duration) {
        self.spawn("waiting", None, move |events| {
            thread::sleep(after);
            let _ = events.send(Event::Woke(timer));
        });
    }
}

impl Started {
    /// Runs the job. `last` is the index of the last search in this thread: it is built once even if somebody types fast.
    fn run(mut self, last: &mut Option<Arc<Index>>, events: &Sender<Event>) {
        if let Job::Search(search) = &mut self.job {
            if self.cancel.is_cancelled() {
                return;
            }
            search.prepare(last);
        }
        let ticket = self.ticket;
        let job = ("job", Field::Word(self.job.row().name));
        log(Level::Debug, "begun", &[job]);
        self.job.run(&self.cancel, &mut |answer| {
            let _ = events.send(Event::Answer(ticket, answer));
        });
        log(Level::Debug, "done", &[job]);
    }
}
