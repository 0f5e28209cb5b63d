//! The only integration test binary.

#![allow(clippy::unwrap_used, clippy::print_stdout)]
#![allow(clippy::too_many_lines, reason = "tests are tables of cases")]

mod audit;
mod bombs;
mod cli;
mod corpus;
mod dataset;
mod encrypted;
mod examples;
mod fuzz;
mod invisible;
mod laws;
mod leaks;
mod likely;
mod live;
mod loading;
mod markup;
mod pipeline;
mod plans;
mod pty;
mod random;
mod robust;
mod rules;
mod screens;
mod secrets;
#[path = "../support/lib.rs"]
mod support;
mod tidy;
mod vectors;
mod written;

use support::files as made;

use std::process::Command;

/// A configuration file without settings.
const NO_SETTINGS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/support/no-settings.toml"
);

/// The variables that would change what the program does: those of its settings, and those about color.
fn own_variables() -> impl Iterator<Item = String> {
    let settings = stacklens::settings::SETTINGS.iter();
    let settings = settings.map(stacklens::settings::Setting::variable);
    let others = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "STACKLENS_LOG"];
    settings.chain(others.map(str::to_owned))
}

/// The built program, without the settings of the person who runs the tests.
fn built() -> Command {
    without_settings(Command::new(env!("CARGO_BIN_EXE_stacklens")))
}

/// A command that runs the program, without the settings of the person who runs the tests.
fn without_settings(mut command: Command) -> Command {
    for name in own_variables() {
        command.env_remove(name);
    }
    command.env("STACKLENS_CONFIG", NO_SETTINGS);
    command
}

/// Reports that checks were not run, because a file or program they need is missing. The line is printed even if the output of
/// passing tests is not.
fn not_run(checks: &str, need: &str) {
    use std::io::Write as _;
    let line = format!("{checks} {need}: not present: skipped\n");
    std::io::stdout()
        .write_all(line.as_bytes())
        .expect("the output is open");
}

/// A folder of the shared material, which a clone alone does not have: the one that `variable` names, else the one below
/// `../shared`. If it is missing, the output says that the checks were not run.
///
/// # Panics
///
/// If the variable names something that is not a folder.
fn shared(checks: &str, variable: &str, folder: &str) -> Option<std::path::PathBuf> {
    if let Some(named) = std::env::var_os(variable).map(std::path::PathBuf::from) {
        assert!(named.is_dir(), "{variable} names no folder");
        return Some(named);
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(folder);
    if path.is_dir() {
        return Some(path);
    }
    not_run(checks, &format!("../shared/{folder}"));
    None
}

/// The shared corpus, for `checks`.
fn shared_corpus(checks: &str) -> Option<std::path::PathBuf> {
    shared(checks, "STACKLENS_CORPUS", "corpus")
}
