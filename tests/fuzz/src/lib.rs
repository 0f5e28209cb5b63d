//! What is fuzzed, where it starts from, and how inputs are changed where no libFuzzer does it.

pub mod mutate;
pub mod seeds;
pub mod targets;

/// Files that the tests make too.
#[allow(
    dead_code,
    clippy::unwrap_used,
    clippy::duplicate_mod,
    reason = "the tests have this module too, and include this package"
)]
#[path = "../../support/files.rs"]
mod made;
