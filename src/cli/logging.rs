//! The lines of the log about a run.

use super::args::{Args, Command};
use super::{Console, Failure};
use crate::load::log_file;
use crate::log::{Field, Level, log};
use crate::text::or_nearest;

/// The variable with the level of the log.
const VARIABLE: &str = "STACKLENS_LOG";

/// Begins the log, if the person names one.
pub(super) fn open(args: &Args, console: &Console<'_>) -> Result<(), Failure> {
    let Some(file) = &args.log else {
        return Ok(());
    };
    log_file::open(file, level(args, console)?)?;
    let command = args.command.as_ref().map_or("explorer", Command::name);
    let fields = [
        ("version", Field::Word(env!("CARGO_PKG_VERSION"))),
        ("command", Field::Word(command)),
        ("time", Field::Number(log_file::now())),
    ];
    log(Level::Info, "started", &fields);
    Ok(())
}

fn level(args: &Args, console: &Console<'_>) -> Result<Level, Failure> {
    let variable = || (console.variable)(VARIABLE).filter(|level| !level.is_empty());
    let Some(name) = args.log_level.clone().or_else(variable) else {
        return Ok(Level::Info);
    };
    Level::named(&name).ok_or_else(|| {
        let names = Level::ALL.map(Level::name).join(", ");
        Failure::usage(format!(
            "{VARIABLE}: expected one of {names}, found `{name}`{}",
            or_nearest(&name, Level::ALL.map(Level::name))
        ))
    })
}

/// Logs that the command failed, and why in a word: the message may have a text of the file.
pub(super) fn failed(failure: &Failure) {
    let (why, code) = failure.why();
    let fields = [
        ("why", Field::Word(why)),
        ("code", Field::Number(code.into())),
    ];
    log(Level::Error, "failed", &fields);
}
