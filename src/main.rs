//! The `stacklens` program: arguments, then a printing command or the explorer. Everything else is in the library.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use stacklens::cli::{self, Console, Next};
use stacklens::load::{Input, Limits};
use stacklens::tui;

fn main() -> ExitCode {
    // Only if a hook was installed before, which nothing does.
    _ = color_eyre::install();
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
