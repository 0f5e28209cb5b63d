//! Work that is too slow for a key press. [`Job::run`] does it: worker threads, tests and benches call the same function.
//!
//! A job is a file here, with its request, its [`Topic`], its answer and [`Job::run`]. [`Takes`](super::any_job::Takes) says what the
//! explorer does with the answer. Whoever wants the answer holds a [`Ticket`]: see there for how jobs end.

pub mod arrange;
pub mod audit;
pub mod brief;
pub mod carry;
pub mod configure;
pub mod copy;
pub mod deps;
pub mod explain;
pub mod find;
pub mod history;
pub mod load;
mod pace;
pub mod read;
pub mod recall;
pub mod search;
pub mod stacks;
mod ticket;
pub mod unlock;
pub mod verify;

pub use self::ticket::{Cancel, Ticket, Tickets};

/// A piece of slow work, with everything it needs.
pub trait Job: Send + 'static {
    /// A result, complete or partial.
    type Answer: Send + 'static;

    /// The facts that the explorer and the threads need before it runs.
    const TOPIC: Topic;

    /// Does the work and says its answers, until it is done or `cancel` is set.
    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer));
}

/// The facts about all jobs of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Topic {
    /// The name in a message after a crash: `reading`.
    pub name: &'static str,
    /// The answers that count.
    pub counts: Counts,
    /// The thread that runs it.
    pub lane: Lane,
    /// The time of the frame that shows an answer.
    pub frame: Frame,
}

impl Topic {
    /// The topic of a usual job: it has a separate thread, its last answer about the open file counts, and is drawn at once.
    pub const fn named(name: &'static str) -> Self {
        Self {
            name,
            counts: Counts::LastOfFile,
            lane: Lane::Alone,
            frame: Frame::Now,
        }
    }
}

/// The answers that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Those to all requests since the file was opened.
    EachOfFile,
    /// The one to the last request, while the file is open.
    LastOfFile,
    /// The one to the last request, whichever file is open.
    Last,
}

/// The thread that runs a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// A separate thread.
    Alone,
    /// The thread that runs the jobs of this name, one after the other.
    InTurn,
}

/// The time of the frame that shows something new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame {
    /// At once: the person waits for it.
    Now,
    /// At once if the person has just acted, otherwise when the next frame is due.
    Soon,
    /// When the next frame is due.
    Due,
}
