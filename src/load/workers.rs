//! The number of threads that share the work on a file.

use std::thread::{ScopedJoinHandle, available_parallelism};

/// At least two: one reads while another indexes. With more than four, most would wait for the reading one.
pub(super) fn n_workers() -> usize {
    available_parallelism().map_or(2, |n| n.get().clamp(2, 4))
}

/// Does `work` for parts of `items` at the same time, each of at least `least` items, and returns the results in order.
pub(super) fn in_parts<T: Sync, R: Send>(
    items: &[T],
    (n_workers, least): (usize, usize),
    work: &(dyn Fn(&[T]) -> R + Sync),
) -> Vec<R> {
    let mut parts = items.chunks(items.len().div_ceil(n_workers).max(least));
    let own = parts.next().unwrap_or_default();
    std::thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let mut results = vec![work(own)];
        results.extend(others.into_iter().map(joined));
        results
    })
}

/// The result of a thread. A panic in it goes on here.
pub(super) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    let outcome = thread.join();
    outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
