//! The only integration test binary.

#![allow(clippy::unwrap_used, clippy::print_stdout)]
#![allow(
    clippy::format_collect,
    clippy::needless_pass_by_value,
    clippy::similar_names,
    clippy::too_many_lines,
    clippy::unnecessary_wraps,
    reason = "tests are tables of cases, written to be read"
)]

mod audit;
mod bombs;
mod cli;
mod corpus;
mod encrypted;
mod fuzz;
mod invisible;
mod laws;
mod leaks;
mod live;
mod loading;
mod markup;
mod plans;
mod pty;
mod random;
mod robust;
mod screens;
#[path = "../support/lib.rs"]
mod support;
mod tidy;
mod vectors;
mod written;

use support::files as made;

/// Reports that checks were not run, because a file or program they need is missing. The line is printed even if the output of
/// passing tests is not.
fn not_run(checks: &str, need: &str) {
    use std::io::Write as _;
    let line = format!("{checks} {need}: not present: skipped\n");
    std::io::stdout()
        .write_all(line.as_bytes())
        .expect("the output is open");
}
