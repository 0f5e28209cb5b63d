//! The pace of a job's answers: the clock of jobs.

use std::time::{Duration, Instant};

/// Number of times longer than it takes to make an answer that the next one waits. Partial answers cost at most a tenth of a job.
const REST: u32 = 9;

/// Tells when the next partial answer is due.
pub(super) struct Pace {
    between: Duration,
    next: Instant,
}

impl Pace {
    /// At least this many milliseconds between two answers. The first one is due at once.
    pub(super) fn new(between: u64) -> Self {
        Self {
            between: Duration::from_millis(between),
            next: Instant::now(),
        }
    }

    /// Like [`Pace::new`], but the first answer is not due at once either.
    pub(super) fn later(between: u64) -> Self {
        let pace = Self::new(between);
        Self {
            next: pace.next + pace.between,
            ..pace
        }
    }

    /// Makes and sends an answer if one is due. An answer that takes long to make delays the next one.
    pub(super) fn answer(&mut self, send: impl FnOnce()) {
        let start = Instant::now();
        if start < self.next {
            return;
        }
        send();
        let cost = start.elapsed();
        self.next = start + cost + self.between.max(cost * REST);
    }
}
