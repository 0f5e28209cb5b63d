//! The program: arguments, then a printing command or the explorer.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use crate::cli::{self, Console, Next};
use crate::load::{Input, Limits};
use crate::tui;

/// Runs the program on the arguments of the process.
pub fn main() -> ExitCode {
    forbid_core_files();
    report_panics();
    end_before_memory_does();
    let is_terminal = io::stdout().is_terminal();
    let has_color =
        is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let (next, limits) = {
        // What it cannot write it says itself.
        let mut out = BufWriter::new(io::stdout().lock());
        let mut err = io::stderr();
        let mut console = Console {
            out: &mut out,
            err: &mut err,
            is_terminal,
            has_color,
            keys: None,
            schemas: None,
            limits: Limits::default(),
            is_partial: false,
        };
        let next = cli::run(std::env::args_os(), &mut console);
        (next, console.limits)
    };
    match next {
        Next::Exit(code) => ExitCode::from(code),
        Next::Explore(input) => explore(input, limits),
    }
}

/// A core file would hold the secrets of the file that is read.
#[cfg(unix)]
fn forbid_core_files() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    // A limit can always be lowered.
    _ = setrlimit(Resource::Core, none);
}

#[cfg(not(unix))]
fn forbid_core_files() {}

/// Reports a panic on standard error. The terminal behind that may be gone, and a panic on the way to report one would abort.
fn report_panics() {
    let (panics, errors) = color_eyre::config::HookBuilder::default().into_hooks();
    // Only if a hook was installed before, which nothing does.
    _ = errors.install();
    std::panic::set_hook(Box::new(move |info| {
        _ = writeln!(io::stderr(), "{}", panics.panic_report(info));
    }));
}

/// Ends the program with an error where the system would end it without one, and gives the terminal back.
fn end_before_memory_does() {
    crate::load::memory::watch(|why| {
        tui::run::give_back();
        _ = writeln!(io::stderr(), "stacklens: {why}");
        std::process::exit(cli::EXIT_DATA.into());
    });
}

fn explore(input: Input, limits: Limits) -> ExitCode {
    match tui::run(input, limits) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if standard error is gone too.
            _ = writeln!(io::stderr(), "{error:?}");
            ExitCode::from(cli::EXIT_IO)
        }
    }
}
