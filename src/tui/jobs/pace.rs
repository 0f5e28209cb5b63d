//! The pace of a job's answers: the clock of jobs.

use std::time::{Duration, Instant};

/// Tells when the next partial answer is due.
pub(super) struct Pace {
    between: Duration,
    last: Option<Instant>,
}

impl Pace {
    /// At least this many milliseconds between two answers. The first one is due at once.
    pub(super) fn new(between: u64) -> Self {
        Self {
            between: Duration::from_millis(between),
            last: None,
        }
    }

    /// Like [`Pace::new`], but the first answer is not due at once either.
    pub(super) fn later(between: u64) -> Self {
        Self {
            last: Some(Instant::now()),
            ..Self::new(between)
        }
    }

    /// True if an answer is due. The next one is due later.
    pub(super) fn is_due(&mut self) -> bool {
        let is_due = self.last.is_none_or(|last| last.elapsed() > self.between);
        if is_due {
            self.last = Some(Instant::now());
        }
        is_due
    }
}
