//! The one integration test binary.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod audit;
mod cli;
mod corpus;
mod encrypted;
mod fuzz;
mod laws;
mod leaks;
mod live;
mod loading;
mod markup;
mod plans;
mod pty;
mod robust;
mod screens;
#[path = "../support/lib.rs"]
mod support;
mod tidy;
mod vectors;

use support::files as made;

/// Says that checks were not run, because what they need is not there. The line is printed even where the output of tests that pass
/// is not.
fn not_run(checks: &str, need: &str) {
    use std::io::Write as _;
    let line = format!("{checks} {need}: not present: skipped\n");
    std::io::stdout()
        .write_all(line.as_bytes())
        .expect("the output is open");
}
