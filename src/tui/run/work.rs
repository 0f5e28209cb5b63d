//! Worker threads, which run jobs and send their answers. A panic in one is an event and does not end the program.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use super::watch::{Report, watch};
use crate::log::{Field, Level, log};
use crate::tui::any_job::AnyJob;
use crate::tui::app::App;
use crate::tui::event::Event;
use crate::tui::jobs::{Cancel, Lane, Ticket};

/// The start of the name of every worker thread.
pub(super) const WORKER: &str = "worker ";

/// True if the current thread is a worker.
pub(super) fn is_worker() -> bool {
    thread::current()
        .name()
        .is_some_and(|name| name.starts_with(WORKER))
}

/// A job that is about to run.
type Task = Box<dyn FnOnce() + Send>;

/// Starts jobs, and watches the file.
pub(super) struct Workers {
    events: Sender<Event>,
    /// The moment at which a change of the file is reported.
    report: Report,
    /// The watching of the file.
    watching: Ticket,
    /// The threads that run the jobs of a name, one after the other.
    lanes: HashMap<&'static str, Sender<Task>>,
}

impl Workers {
    pub(super) fn new(events: Sender<Event>, report: Report) -> Self {
        Self {
            events,
            report,
            watching: Ticket::default(),
            lanes: HashMap::new(),
        }
    }

    /// Starts a job.
    pub(super) fn start(&mut self, cancel: Cancel, job: Box<dyn AnyJob>) {
        let (topic, lose) = (job.topic(), job.lose());
        let events = self.events.clone();
        let task: Task = Box::new(move || run(&cancel, job, &events));
        let is_started = match topic.lane {
            Lane::Alone => spawn(topic.name, task),
            Lane::InTurn => self.queue(topic.name, task),
        };
        if !is_started {
            crashed(topic.name, lose, &self.events);
        }
    }

    /// Hands a job to the thread of its name. False if there is none and none can be started.
    fn queue(&mut self, name: &'static str, task: Task) -> bool {
        let lane = self.lanes.entry(name).or_insert_with(|| {
            let (lane, queue) = mpsc::channel::<Task>();
            spawn(name, move || queue.into_iter().for_each(|task| task()));
            lane
        });
        let is_queued = lane.send(task).is_ok();
        if !is_queued {
            self.lanes.remove(name);
        }
        is_queued
    }

    /// Watches these files, in place of those watched before.
    pub(super) fn watch(&mut self, paths: Vec<PathBuf>) {
        self.watching = Ticket::default();
        if !paths.is_empty() {
            let done = self.watching.flag();
            watch(paths, self.report, done, self.events.clone());
        }
    }

    /// Sends an event with this number after some time.
    pub(super) fn wake(&self, timer: u64, after: Duration) {
        let events = self.events.clone();
        let is_started = spawn("waiting", move || {
            thread::sleep(after);
            let _ = events.send(Event::Woke(timer));
        });
        if !is_started {
            crashed("waiting", |_| (), &self.events);
        }
    }
}

/// Starts a worker. False if the system has no thread for it.
fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> bool {
    let thread = thread::Builder::new().name(format!("{WORKER}{name}"));
    thread.spawn(work).is_ok()
}

/// Runs a job whose answers still count.
fn run(cancel: &Cancel, job: Box<dyn AnyJob>, events: &Sender<Event>) {
    if cancel.is_late() {
        return;
    }
    let (name, lose) = (job.topic().name, job.lose());
    let field = ("job", Field::Word(name));
    log(Level::Debug, "begun", &[field]);
    let mut say = |answer| {
        let _ = events.send(Event::Answer(cancel.clone(), answer));
    };
    if catch_unwind(AssertUnwindSafe(|| job.run(cancel, &mut say))).is_err() {
        log(Level::Error, "crashed", &[field]);
        crashed(name, lose, events);
        return;
    }
    log(Level::Debug, "done", &[field]);
}

/// Reports a job that ended in a bug of this program.
fn crashed(what: &'static str, lose: fn(&mut App), events: &Sender<Event>) {
    let _ = events.send(Event::Crashed { what, lose });
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::super::watch::Report;
    use super::Workers;
    use crate::tui::any_job::Takes;
    use crate::tui::app::App;
    use crate::tui::event::Event;
    use crate::tui::jobs::{Cancel, Job, Lane, Ticket, Topic};

    /// A job that may have a bug.
    struct Work(Result<&'static str, &'static str>);

    impl Job for Work {
        type Answer = &'static str;

        const TOPIC: Topic = Topic {
            lane: Lane::InTurn,
            ..Topic::named("working")
        };

        fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
            say(self.0.unwrap());
        }
    }

    impl Takes<Work> for App {
        fn take(&mut self, _: &'static str) {}
    }

    #[test]
    fn a_crash_is_reported_and_the_next_job_of_the_thread_runs() {
        let (events, inbox) = mpsc::channel();
        let mut workers = Workers::new(events, Report::AtOnce);
        let late = Ticket::default().flag();
        let ticket = Ticket::default();
        workers.start(late, Box::new(Work(Ok("late"))));
        workers.start(ticket.flag(), Box::new(Work(Err("a bug"))));
        workers.start(ticket.flag(), Box::new(Work(Ok("done"))));
        drop(workers);
        let told = inbox.into_iter().map(|event| match event {
            Event::Crashed { what, .. } => what,
            Event::Answer(_, answer) => answer.of::<Work>().copied().unwrap_or("another"),
            _ => "no job",
        });
        assert_eq!(told.collect::<Vec<_>>(), ["working", "done"]);
    }
}
