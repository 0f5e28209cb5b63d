//! The program: arguments, then a printing command or the explorer.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use crate::cli::{self, Console, Next};
use crate::load::{Input, Limits};
use crate::tui::{self, theme::Theme};

/// Runs the program on the arguments of the process.
pub fn main() -> ExitCode {
    forbid_core_files();
    report_panics();
    end_before_memory_does();
    cli::completions::answer();
    let is_terminal = io::stdout().is_terminal();
    let has_color =
        is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let (next, limits, chosen) = {
        // `cli::run` reports its own write errors.
        let mut out = BufWriter::new(io::stdout().lock());
        let mut err = io::stderr();
        let mut console = Console {
            out: &mut out,
            err: &mut err,
            is_terminal,
            has_color,
            keys: None,
            schemas: None,
            theme: None,
            mask_likely: true,
            limits: Limits::default(),
            is_partial: false,
        };
        let next = cli::run(std::env::args_os(), &mut console);
        (next, console.limits, console.theme)
    };
    match next {
        Next::Exit(code) => ExitCode::from(code),
        Next::Explore(input) => {
            match Theme::from_env(chosen, |name| std::env::var(name).ok()) {
                Ok(theme) => explore(Input { limits, ..input }, &theme),
                Err(error) => {
                    // Nothing can be done if standard error is closed too.
                    _ = writeln!(io::stderr(), "stacklens: STACKLENS_THEME: {error}");
                    ExitCode::from(cli::EXIT_USAGE)
                }
            }
        }
    }
}

/// Disables core files: one would contain the secrets of the file being read.
#[cfg(unix)]
fn forbid_core_files() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    // Lowering a limit is always allowed.
    _ = setrlimit(Resource::Core, none);
}

#[cfg(not(unix))]
fn forbid_core_files() {}

/// Reports a panic on standard error. Write errors are ignored: the terminal may be gone, and a panic in the panic hook would
/// abort.
fn report_panics() {
    let (panics, errors) = color_eyre::config::HookBuilder::default().into_hooks();
    // Fails only if a hook is already installed, and nothing installs one.
    _ = errors.install();
    std::panic::set_hook(Box::new(move |info| {
        _ = writeln!(io::stderr(), "{}", panics.panic_report(info));
    }));
}

/// Exits with an error message before the system would kill the program for lack of memory. Restores the terminal first.
fn end_before_memory_does() {
    crate::load::memory::watch(|why| {
        tui::run::give_back();
        _ = writeln!(io::stderr(), "stacklens: {why}");
        std::process::exit(cli::EXIT_DATA.into());
    });
}

fn explore(input: Input, theme: &Theme) -> ExitCode {
    match tui::run(input, theme) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing can be done if standard error is closed too.
            _ = writeln!(io::stderr(), "{error:?}");
            ExitCode::from(cli::EXIT_IO)
        }
    }
}
