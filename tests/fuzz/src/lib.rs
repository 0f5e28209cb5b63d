//! What is fuzzed, where it starts from, and how inputs are changed where no libFuzzer does it.

pub mod mutate;
pub mod seeds;
pub mod targets;
