//! The progress of reading a file, and of a run.

use crate::stack::{Flags, Note, ResourceId, Severity, Stack};
use crate::tui::changes::Topic;
use crate::tui::widgets::text::count;

/// The progress of loading.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Loading {
    /// Bytes read.
    pub bytes: u64,
    /// Total size in bytes, if known.
    pub total: Option<u64>,
}

impl Loading {
    /// Percentage read; `None` if the size is unknown.
    pub fn percent(&self) -> Option<u64> {
        let total = self.total.filter(|total| *total > 0)?;
        Some((self.bytes.min(total) * 100) / total)
    }
}

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Steps under way.
    pub running: usize,
    /// Steps that are done.
    pub done: usize,
    /// Steps that failed.
    pub failed: usize,
    /// Steps that were under way when the log ended.
    pub unfinished: usize,
    /// Planned steps that have not started.
    pub waiting: usize,
    /// Seconds since the last event of a run that goes on.
    pub n_seconds: u64,
    /// The timer of the next second.
    pub timer: Option<u64>,
    /// Errors that the run reported.
    pub errors: usize,
    /// True if the run goes on but its pipe is no longer read.
    pub is_cut: bool,
}

impl Progress {
    /// True if a step has started.
    pub fn has_begun(&self) -> bool {
        self.total() > self.waiting
    }

    /// Number of steps.
    pub fn total(&self) -> usize {
        self.running + self.done + self.failed + self.unfinished + self.waiting
    }

    /// The known numbers, in words.
    pub fn words(&self) -> String {
        let parts = [
            (self.done, "done"),
            (self.running, "running"),
            (self.failed, "failed"),
            (self.unfinished, "unfinished"),
        ];
        let known = parts.iter().filter(|(n, _)| *n > 0);
        let words: Vec<_> = known
            .map(|(n, word)| format!("{} {word}", count(*n as u64)))
            .collect();
        words.join(", ")
    }

    /// Counts the errors among new notes.
    pub fn count_errors(&mut self, notes: &[Note]) {
        let errors = notes
            .iter()
            .filter(|note| note.severity == Severity::Failure);
        self.errors += errors.count();
    }

    /// Applies `step` to the numbers that a resource counts in.
    pub fn count(&mut self, stack: &Stack, id: ResourceId, step: fn(&mut usize)) {
        // Resources without a change are only refreshed or read.
        if !Topic::of(stack, id).is_some_and(Topic::is_reviewed) {
            return;
        }
        let flags = stack.record(id).flags;
        for (flag, number) in [
            (Flags::RUNNING, &mut self.running),
            (Flags::DONE, &mut self.done),
            (Flags::FAILED, &mut self.failed),
        ] {
            if flags.contains(flag) {
                step(number);
            }
        }
        if !stack.header.kind.is_log() {
            return;
        }
        let known = Flags::RUNNING | Flags::DONE | Flags::FAILED;
        if flags.contains(Flags::PENDING_OPERATION) {
            step(&mut self.unfinished);
        } else if !flags.intersects(known) {
            step(&mut self.waiting);
        }
    }
}
