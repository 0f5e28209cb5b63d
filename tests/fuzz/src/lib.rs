//! The fuzz targets, their seeds, and a mutator of inputs for runs without libFuzzer.

pub mod mutate;
pub mod seeds;
pub mod targets;

/// Files that the tests also make.
#[allow(
    dead_code,
    clippy::unwrap_used,
    clippy::duplicate_mod,
    reason = "the tests have this module too, and include this package"
)]
#[path = "../../support/files.rs"]
mod made;
