//! Shared by tests and benches: the harness that sends keys to the explorer, generated files, and stacks generated in memory.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test and bench uses a part of this, and fails where something is not as made"
)]

pub(crate) mod files;
pub(crate) mod harness;
pub(crate) mod keys;
pub(crate) mod stacks;
