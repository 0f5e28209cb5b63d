//! The command line: one file per printing command.
//!
//! [`run`] reads the arguments and either prints to a [`Console`] or says that the explorer is wanted. It never touches the
//! terminal itself, so that a test can run any command and read what it printed.
//!
//! # Exit codes
//!
//! 0 fine; 1 the answer is no (not found, findings); 2 changes present, where asked; 64 usage; 65 the input cannot be read;
//! 74 I/O. Errors go to the standard error: one line first, detail after, control characters escaped.

mod args;
mod check;
pub mod demo;
mod deps;
mod diff;
mod failure;
mod find;
mod get;
mod info;
mod ls;
mod open;
mod query;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;

pub use args::{Args, Command};
pub use failure::Failure;

use crate::load::Input;
use crate::load::Limits;
use crate::load::keys::Keys;
use crate::value::escape_into;

/// The answer is no: not found, or findings.
pub const EXIT_NO: u8 = 1;
/// There are changes, and the person asked to be told so.
pub const EXIT_CHANGES: u8 = 2;
/// The arguments make no sense.
pub const EXIT_USAGE: u8 = 64;
/// The input cannot be read as what it should be.
pub const EXIT_DATA: u8 = 65;
/// The system refused to read or write.
pub const EXIT_IO: u8 = 74;

/// Where a command prints.
pub struct Console<'a> {
    /// What was asked for.
    pub out: &'a mut dyn Write,
    /// Errors and remarks.
    pub err: &'a mut dyn Write,
    /// Whether a person looks at `out`: without one the explorer cannot open.
    pub is_terminal: bool,
    /// Whether `out` may be colored.
    pub has_color: bool,
    /// What opens encrypted files and secrets; `None` for what the environment gives.
    pub keys: Option<Arc<Keys>>,
    /// The schemas of the providers that the person named.
    pub schemas: Option<PathBuf>,
    /// How much is let in; `--max-size` and `--allow-damaged` change it.
    pub limits: Limits,
    /// True once it was said of a file that a part of it could not be read.
    pub is_partial: bool,
}

impl Console<'_> {
    /// Prints a line on the standard error. What a command prints does not depend on whether someone reads that.
    pub(crate) fn remark(&mut self, text: &str) {
        let mut line = String::from("stacklens: ");
        // A string takes everything.
        _ = escape_into(&mut line, text);
        line.push('\n');
        _ = self.err.write_all(line.as_bytes());
    }
}

/// What is to be done after [`run`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// End with this exit code.
    Exit(u8),
    /// Open the explorer on one file, or on the difference of two.
    Explore(Input),
}

/// Runs the command that `args` name (the first one is the name of the program).
pub fn run(args: impl IntoIterator<Item = OsString>, console: &mut Console<'_>) -> Next {
    let outcome = match Args::try_parse_from(args) {
        Ok(args) => perform(args, console),
        Err(error) => failure::usage(&error, console),
    };
    let next = outcome.and_then(|next| match console.out.flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(next),
    });
    match next.unwrap_or_else(|failure| Next::Exit(failure.report(console.err))) {
        // An answer about a part of a file is no answer about the file.
        Next::Exit(code) if console.is_partial && code != EXIT_IO => Next::Exit(EXIT_DATA),
        next => next,
    }
}

fn perform(args: Args, console: &mut Console<'_>) -> Result<Next, Failure> {
    if let Some(file) = &args.passphrase_file {
        console.keys = Some(open::keys(file)?);
    }
    if let Some(max_size) = args.max_size {
        console.limits = Limits::up_to(max_size);
    }
    console.limits.allow_damaged = args.allow_damaged;
    console.schemas.clone_from(&args.schema);
    let Some(command) = args.command else {
        return open::explore(&args, console);
    };
    let code = match command {
        Command::Demo => return open::explore_inputs(vec![demo::input()], console),
        Command::Info(args) => info::run(&args, console),
        Command::Ls(args) => ls::run(&args, console),
        Command::Get(args) => get::run(&args, console),
        Command::Find(args) => find::run(&args, console),
        Command::Deps(args) => deps::run(&args, console),
        Command::Graph(args) => deps::graph(&args, console),
        Command::Diff(args) => diff::run(&args, console),
        Command::Check(args) => check::run(&args, console),
    };
    code.map(Next::Exit)
}
