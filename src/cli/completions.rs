//! `completions`: the words with which a shell completes a command line.
//!
//! The printed script asks the program itself at each completion, through the variable `STACKLENS_COMPLETE`: so the resources of
//! the file that is already typed can be completed too.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_complete::env::Shells;
use clap_complete::{ArgValueCompleter, CompleteEnv, CompletionCandidate};

use super::args::{Args, CompletionsArgs};
use super::{Console, Failure, ls, man, schema};
use crate::change::rules::Rules;
use crate::load::{self, Input, Limits};
use crate::stack::{ResourceId, Stack};
use crate::text::escaped;
use crate::tui::theme::Palette;

/// The variable that holds the name of the asking shell.
const VARIABLE: &str = "STACKLENS_COMPLETE";

const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// Maximum number of resources that are offered.
const MAX_RESOURCES: usize = 1_000;

pub(super) fn run(args: &CompletionsArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let shells = Shells::builtins();
    let shell = shells.completer(&args.shell);
    let shell = shell.expect("clap knows these shells");
    console.answer(0, |out| {
        shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, out)
    })
}

/// Answers a shell that asks for completions, and exits. Returns if no shell asks.
pub fn answer() {
    let quoting = match std::env::var(VARIABLE).as_deref() {
        Ok("bash") => Quoting::Posix,
        Ok("powershell") => Quoting::PowerShell,
        _ => Quoting::ByShell,
    };
    CompleteEnv::with_factory(|| command(quoting))
        .var(VARIABLE)
        .complete();
}

/// The one that quotes a word with characters that mean something to the shell.
#[derive(Clone, Copy)]
enum Quoting {
    /// The shell.
    ByShell,
    /// We, as POSIX shells read it.
    Posix,
    /// We, as `PowerShell` reads it.
    PowerShell,
}

impl Quoting {
    /// The word as it is inserted. `None` if it could do harm: names come from a file.
    fn apply(self, word: &str) -> Option<String> {
        if word.is_empty() || escaped(word) != word {
            return None;
        }
        let is_plain = |c: char| c.is_alphanumeric() || "_-./:,+@%".contains(c);
        if word.chars().all(is_plain) {
            return Some(word.to_owned());
        }
        match self {
            Self::ByShell => Some(word.to_owned()),
            Self::Posix => Some(format!("'{}'", word.replace('\'', r"'\''"))),
            Self::PowerShell => Some(format!("'{}'", word.replace('\'', "''"))),
        }
    }
}

/// The command line with what completes its values.
fn command(quoting: Quoting) -> clap::Command {
    let resource = ArgValueCompleter::new(move |typed: &OsStr| resources(&words(), typed, quoting));
    let rule = |typed: &OsStr| {
        let rules = Rules::built_in().iter();
        candidates(rules.map(|rule| rule.id.as_str()), typed)
    };
    let page = |typed: &OsStr| {
        let names = man::names(&Args::command());
        candidates(names.iter().map(String::as_str), typed)
    };
    let schema = |typed: &OsStr| candidates(schema::names(), typed);
    let theme = |typed: &OsStr| candidates(Palette::ALL.map(Palette::name).into_iter(), typed);
    let of_commands = [
        ("get", "resource", resource.clone()),
        ("deps", "resource", resource),
        ("rules", "name", ArgValueCompleter::new(rule)),
        ("man", "page", ArgValueCompleter::new(page)),
        ("schema", "command", ArgValueCompleter::new(schema)),
    ];
    let completed = |command: clap::Command, name: &'static str, by: ArgValueCompleter| {
        command.mut_args(|arg| {
            if arg.get_id() == name {
                arg.add(by.clone())
            } else {
                arg
            }
        })
    };
    let program = completed(Args::command(), "theme", ArgValueCompleter::new(theme));
    let of_commands = of_commands.into_iter();
    of_commands.fold(program, |program, (name, argument, by)| {
        program.mut_subcommand(name, |it| completed(it, argument, by))
    })
}

/// The words of the command line that a shell asks about.
fn words() -> Vec<OsString> {
    let words = std::env::args_os().skip_while(|word| word != "--");
    words.skip(1).collect()
}

fn candidates<'w>(words: impl Iterator<Item = &'w str>, typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    words
        .filter(|word| word.starts_with(&*typed))
        .map(CompletionCandidate::new)
        .collect()
}

/// The names of the resources of the file that is already typed. None if it cannot be read: a completion has no place for an error.
fn resources(words: &[OsString], typed: &OsStr, quoting: Quoting) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let typed = typed.trim_start_matches('\'');
    let file = file(words).filter(|file| file.as_os_str() != "-" && !file.is_dir());
    let Some(Ok(document)) =
        file.map(|file| load::load_limited(&Input::path(file), Limits::default()))
    else {
        return Vec::new();
    };
    let stack = &document.stack;
    let named = ls::listed(stack).map(|id| (name(stack, id), id));
    named
        .filter(|(name, _)| name.starts_with(typed))
        .filter_map(|(name, id)| Some((quoting.apply(&name)?, id)))
        .take(MAX_RESOURCES)
        .map(|(word, id)| CompletionCandidate::new(word).help(Some(escaped(stack.ty(id)).into())))
        .collect()
}

/// The FILE among the words of an unfinished command line.
fn file(words: &[OsString]) -> Option<PathBuf> {
    let found = Args::command()
        .ignore_errors(true)
        .try_get_matches_from(words);
    let (_, command) = found.ok()?.remove_subcommand()?;
    command.get_one("file").map(|file: &PathBuf| expanded(file))
}

/// The path as the shell passes it to a command: it asks for completions with the `~` that was typed.
fn expanded(file: &Path) -> PathBuf {
    match (file.strip_prefix("~"), std::env::home_dir()) {
        (Ok(below), Some(home)) => home.join(below),
        (Ok(_), None) | (Err(_), _) => file.to_path_buf(),
    }
}

/// The shortest name that `get` finds the resource by: its address, its name if no other resource has it, or its URN.
fn name(stack: &Stack, id: ResourceId) -> String {
    if let Some(address) = stack.address(id) {
        return address.to_string();
    }
    let name = stack.name(id);
    match stack.choose(name) {
        Ok(choice) if choice.n_equal == 1 => name.to_string(),
        _ => stack.identity(id),
    }
}
