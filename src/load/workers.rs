//! The number of threads that share the work on a file.

use std::thread::{ScopedJoinHandle, available_parallelism};

/// At least two: one reads while another indexes. With more than four, most would wait for the reading one.
pub(super) fn n_workers() -> usize {
    available_parallelism().map_or(2, |n| n.get().clamp(2, 4))
}

/// The result of a thread. A panic in it goes on here.
pub(super) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    let outcome = thread.join();
    outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
