//! See what is in an infrastructure stack, what a plan is about to do to it, and why.
//!
//! Bytes become records of a stack (readers), records become a graph and a search index (derived), one resource's bytes become
//! values and a described difference when somebody looks at it (core), those become flat rows, and rows become cells (tui).
//!
//! # Modules in reading order
//!
//! Each layer uses itself and the ones above it; `tests/it/tidy.rs` holds the list.

#![cfg_attr(test, allow(clippy::unwrap_used))]

// Core: no file, clock, thread or terminal.
pub mod change;
pub mod index;
pub mod json;
pub mod path;
pub mod pulumi;
pub mod secrets;
pub mod stack;
pub mod terraform;
pub mod types;
pub mod value;

// Derived: from the core only.
pub mod render;
pub mod search;
pub mod tree;

// Readers: bytes to a stack.
pub mod format;
pub mod load;

// Front end: may use everything, nothing uses it.
pub mod cli;
pub mod tui;
