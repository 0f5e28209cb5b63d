//! Shared by tests and benches: the harness that plays keys to the explorer, files that are made, and stacks made up in memory.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test and bench uses a part of this, and fails where something is not as made"
)]

pub(crate) mod files;
pub(crate) mod harness;
pub(crate) mod keys;
pub(crate) mod stacks;
