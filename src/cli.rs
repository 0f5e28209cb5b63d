//! The command line: one file per printing command.
//!
//! [`run`] reads the arguments and either prints to a [`Console`] or returns that the explorer is wanted. It never touches the
//! terminal itself, so that a test can run any command and read its output.
//!
//! # Exit codes
//!
//! 0 success; 1 the answer is no (not found, findings); 2 changes present, if asked for; 3 a condition of the gate holds, if asked for; 4 the gate
//! could not judge the file; 64 usage; 65 the input cannot be read;
//! 74 I/O. Errors go to standard error: first one line, then details, with control characters escaped.

mod args;
mod brief;
mod check;
pub mod completions;
mod config;
pub mod demo;
mod deps;
mod diff;
mod export;
mod failure;
mod find;
mod fleet;
mod get;
mod help;
mod info;
mod logging;
mod ls;
mod man;
mod open;
mod paint;
mod query;
mod rules;
mod schema;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;

pub use args::{Args, Command};
pub use failure::Failure;

use crate::likely::Masking;
use crate::load::Input;
use crate::load::Limits;
use crate::load::keys::Keys;
use crate::render::json;
use crate::settings::Settings;
use crate::text::escaped;
use crate::tui::theme::{Role, Theme};
use crate::value::Value;
use fleet::Form;
use paint::Paint;

/// The answer is no: not found, or findings.
pub const EXIT_NO: u8 = 1;
/// There are changes, and the person asked for this exit code.
pub const EXIT_CHANGES: u8 = 2;
/// A condition of `brief --fail-on` holds.
pub const EXIT_FOUND: u8 = 3;
/// A gate could not judge the file.
pub const EXIT_UNJUDGED: u8 = 4;
/// The arguments are invalid.
pub const EXIT_USAGE: u8 = 64;
/// The input cannot be read: it has an unknown format, is damaged, or is too big.
pub const EXIT_DATA: u8 = 65;
/// A read or write failed.
pub const EXIT_IO: u8 = 74;

/// The outputs and settings of a command.
pub struct Console<'a> {
    /// The output of the command.
    pub out: &'a mut dyn Write,
    /// Errors and remarks.
    pub err: &'a mut dyn Write,
    /// True if `out` is a terminal. Without one the explorer cannot open.
    pub is_terminal: bool,
    /// True if `err` is a terminal.
    pub is_error_terminal: bool,
    /// The variables of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The names of these variables.
    pub variables: Vec<String>,
    /// The place of the configuration file, if the person names none.
    pub config: Option<PathBuf>,
    /// The settings.
    pub settings: Settings,
    /// The keys for encrypted files and secrets; `None` for those of the environment.
    pub keys: Option<Arc<Keys>>,
    /// The schemas of the providers that the person named.
    pub schemas: Option<PathBuf>,
    /// The rules for secrets that a file does not mark.
    pub masking: Masking,
    /// Limits on what is read; `--max-size` and `--allow-damaged` change them.
    pub limits: Limits,
    /// True once a remark said that a part of a file could not be read.
    pub is_partial: bool,
}

impl<'a> Console<'a> {
    /// A console that is no terminal and has no environment.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self {
            out,
            err,
            is_terminal: false,
            is_error_terminal: false,
            variable: &|_| None,
            variables: Vec::new(),
            config: None,
            settings: Settings::default(),
            keys: None,
            schemas: None,
            masking: Masking::default(),
            limits: Limits::default(),
            is_partial: false,
        }
    }
}

impl Console<'_> {
    /// The colors of the output of the command.
    fn paint(&self) -> Paint {
        self.paint_for(self.is_terminal)
    }

    /// The colors of errors and remarks.
    fn error_paint(&self) -> Paint {
        self.paint_for(self.is_error_terminal)
    }

    fn paint_for(&self, is_terminal: bool) -> Paint {
        let has_color = self.settings.color().colors(is_terminal, self.variable);
        let theme = || Theme::from_env(self.settings.theme(), true, self.variable);
        Paint::new(has_color.then(|| Box::new(theme())))
    }

    /// Prints an answer, and returns its exit code. A closed pipe (`| head`) does not change the answer.
    fn answer(
        &mut self,
        code: u8,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<u8, Failure> {
        match write(self.out) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(code),
            written => Ok(written.map(|()| code)?),
        }
    }

    /// Prints a text as the answer.
    fn print(&mut self, code: u8, text: &str) -> Result<u8, Failure> {
        self.answer(code, |out| out.write_all(text.as_bytes()))
    }

    /// Prints rows as the answer: a list of objects, or text.
    fn rows(
        &mut self,
        (form, code): (Form, u8),
        objects: impl IntoIterator<Item = Value>,
        text: impl FnOnce(&Paint) -> String,
    ) -> Result<u8, Failure> {
        match form {
            Form::Json => self.answer(code, |out| json::write_list(out, objects)),
            Form::Text => self.print(code, &text(&self.paint())),
        }
    }

    /// Prints a line on standard error. Write errors are ignored: the output of a command does not depend on it.
    pub(crate) fn remark(&mut self, text: &str) {
        let program = self.error_paint().role(Role::Update, "stacklens:");
        let line = format!("{program} {}\n", escaped(text));
        _ = self.err.write_all(line.as_bytes());
    }
}

/// The step after [`run`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// End with this exit code.
    Exit(u8),
    /// Open the explorer on one file, or on the comparison of two.
    Explore(Input),
}

/// Runs the command that `args` give (the first one is the name of the program).
pub fn run(args: impl IntoIterator<Item = OsString>, console: &mut Console<'_>) -> Next {
    let words: Vec<OsString> = args.into_iter().collect();
    let outcome = match Args::try_parse_from(&words) {
        Ok(args) => perform(args, console),
        Err(error) => failure::usage(&error, &words, console),
    };
    let next = outcome.and_then(|next| match console.out.flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(next),
    });
    match next.unwrap_or_else(|failure| {
        logging::failed(&failure);
        let paint = console.error_paint();
        Next::Exit(failure.report(console.err, &paint))
    }) {
        // An answer from a part of a file is not an answer about the file.
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
    if let (Some(_), Some(option)) = (&args.command, args.of_explorer()) {
        return Err(Failure::usage(format!(
            "{option} is an option of the explorer, expected it without a command, or after a command that has it"
        )));
    }
    logging::open(&args, console)?;
    config::read(&args, console)?;
    console.masking = open::masking(&console.settings)?;
    let Some(command) = args.command else {
        let settings = &console.settings;
        let rules = open::rules(settings, &args.files)?;
        let costs = args.review.costs()?;
        let input = open::explore(&args, console)?.map(|input| Input {
            costs,
            rules,
            ..input
        });
        return Ok(input.map_or(Next::Exit(0), Next::Explore));
    };
    let code = match command {
        Command::Demo => {
            let input = open::explore_inputs(vec![demo::input()], console)?;
            return Ok(input.map_or(Next::Exit(0), Next::Explore));
        }
        Command::Info(args) => info::run(&args, console),
        Command::Ls(args) => ls::run(&args, console),
        Command::Get(args) => get::run(&args, console),
        Command::Find(args) => find::run(&args, console),
        Command::Deps(args) => deps::run(&args, console),
        Command::Graph(args) => deps::graph::run(&args, console),
        Command::Brief(args) => brief::run(&args, console),
        Command::Diff(args) => diff::run(&args, console),
        Command::Check(args) => check::run(&args, console),
        Command::Export(args) => export::run(&args, console),
        Command::Rules(args) => rules::run(&args, console),
        Command::Schema(args) => schema::run(&args, console),
        Command::Config(args) => config::run(&args, console),
        Command::Completions(args) => completions::run(&args, console),
        Command::Man(args) => man::run(&args, console),
    };
    code.map(Next::Exit)
}
