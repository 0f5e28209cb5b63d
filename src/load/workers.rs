//! The number of threads that share the work on a file.

use std::thread::available_parallelism;

/// At least two: one reads while another indexes. With more than four, most would wait for the reading one.
pub(super) fn n_workers() -> usize {
    available_parallelism().map_or(2, |n| n.get().clamp(2, 4))
}
