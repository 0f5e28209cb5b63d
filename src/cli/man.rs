//! `man`: manual pages, made from the arguments and the tables that the program itself reads.

use std::path::Path;
use std::{fs, io, iter};

use clap::CommandFactory;
use clap::builder::Resettable::Reset;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::args::{Args, ManArgs};
use super::{Console, Failure};
use crate::search::{FIELDS, SYNTAX};
use crate::settings::{SETTINGS, bound};
use crate::tui::keymap::rebind::commands;

/// The program and its version, at the foot of each page.
const VERSION: &str = concat!("stacklens ", env!("CARGO_PKG_VERSION"));

/// The name of the page about the query language.
const SEARCH: &str = "search";

/// The name of the page about the configuration file.
const CONFIGURATION: &str = "stacklens.toml";

pub(super) fn run(args: &ManArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let program = program();
    if let Some(folder) = &args.to {
        write_all(&program, folder)?;
        return Ok(0);
    }
    match args.page.as_deref() {
        None => write_command(&program, console.out)?,
        Some(SEARCH) => search().to_writer(console.out)?,
        Some(CONFIGURATION) => configuration().to_writer(console.out)?,
        Some(name) => {
            let page = program.find_subcommand(name).ok_or_else(|| {
                let message = format!("no manual page is called {name}");
                Failure::unknown(&message, name, names(&program))
            })?;
            write_command(page, console.out)?;
        }
    }
    Ok(0)
}

/// Writes the page of a command. Each part of the text after its arguments is a section.
fn write_command(command: &clap::Command, out: &mut dyn io::Write) -> io::Result<()> {
    let long = command.get_after_long_help();
    let text = long.or_else(|| command.get_after_help());
    let text = text.map(ToString::to_string).unwrap_or_default();
    let bare = command.clone().after_help(Reset).after_long_help(Reset);
    Man::new(bare).source(VERSION).manual("").render(out)?;
    let mut page = Roff::new();
    for part in text.split("\n\n") {
        write_part(part, &mut page);
    }
    see_also(&mut page);
    page.to_writer(out)
}

/// One part of the text after the arguments: a heading with a colon, then a sentence, or rows. The meaning of a row stands after
/// blanks, or further in on the next line.
fn write_part(part: &str, page: &mut Roff) {
    let Some((heading, text)) = part.split_once(':') else {
        return;
    };
    page.control("SH", [&*heading.to_uppercase()]);
    if !text.starts_with('\n') {
        page.text([roman(text.trim())]);
        return;
    }
    let mut lines = text.trim_matches('\n').lines().peekable();
    while let Some(line) = lines.next() {
        let below = lines.next_if(|next| next.starts_with("   "));
        let row = line.trim();
        let (tag, meaning) = match below {
            Some(meaning) => (row, meaning),
            None => row.rsplit_once("  ").unwrap_or((row, "")),
        };
        row_of(page, tag.trim(), meaning.trim());
    }
}

/// A row: its name, and its meaning below that.
fn row_of(page: &mut Roff, name: &str, meaning: &str) {
    page.control("TP", []);
    page.text([bold(name)]);
    if !meaning.is_empty() {
        page.text([roman(meaning)]);
    }
}

/// The last section of every page.
fn see_also(page: &mut Roff) {
    page.control("SH", ["SEE ALSO"]);
    page.text([roman(
        "stacklens(1), stacklens.toml(5), stacklens-search(7)",
    )]);
}

/// The command line, with full names for the pages of its commands.
fn program() -> clap::Command {
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    program
}

/// The names of all pages but that of the program.
pub(super) fn names(program: &clap::Command) -> Vec<String> {
    let commands = pages(program).map(clap::Command::get_name);
    let names = commands.chain([SEARCH, CONFIGURATION]);
    names.map(str::to_owned).collect()
}

/// The commands that have a page.
fn pages(program: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    program
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
}

fn write_all(program: &clap::Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for command in iter::once(program).chain(pages(program)) {
        let mut text = Vec::new();
        write_command(command, &mut text)?;
        fs::write(folder.join(Man::new(command.clone()).get_filename()), text)?;
    }
    let others = [
        ("stacklens.toml.5", configuration()),
        ("stacklens-search.7", search()),
    ];
    for (name, page) in others {
        let mut text = Vec::new();
        page.to_writer(&mut text)?;
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// A page with its name and what it is about.
fn page(name: &str, section: &str, about: &str) -> Roff {
    let mut page = Roff::new();
    page.control("TH", [name, section, "", VERSION, ""]);
    page.control("SH", ["NAME"]);
    page.text([roman(format!("{name} - {about}"))]);
    page
}

/// The page about the configuration file.
fn configuration() -> Roff {
    let mut page = page("stacklens.toml", "5", "the configuration file of stacklens");
    page.control("SH", ["DESCRIPTION"]);
    page.text([roman(
        "The file config.toml in the folder stacklens below the folder that the platform has for settings: $XDG_CONFIG_HOME or \
         ~/.config on Linux, ~/Library/Application Support on macOS, %APPDATA% on Windows. The program never writes it. Each \
         setting can also be given by a variable, which wins over the file, and some by an option, which wins over both.",
    )]);
    page.control("SH", ["SETTINGS"]);
    for it in &SETTINGS {
        let option = match it.option {
            "" => String::new(),
            option => format!(", option {option}"),
        };
        let (expected, variable) = (it.form.expected(), it.variable());
        let text = format!("{}: {expected}. Variable {variable}{option}.", it.help);
        row_of(&mut page, &it.assigned(), &text);
    }
    page.control("SH", ["KEYS"]);
    page.text([roman(
        "The table [keys] gives commands of the explorer other keys: the name of the command, and a key or a list of keys, \
         which replace the default ones. ^d is Ctrl+D; the keys of a sequence are separated by blanks. Commands and their \
         default keys:",
    )]);
    for it in commands() {
        row_of(&mut page, &bound(it.name, it.keys), it.help);
    }
    see_also(&mut page);
    page
}

/// The page about the query language.
fn search() -> Roff {
    let about = "the query language of the search bar, the filter, ls and find";
    let mut page = page("stacklens-search", "7", about);
    page.control("SH", ["TERMS"]);
    for it in SYNTAX {
        row_of(&mut page, &it.examples.join("  "), it.help);
    }
    page.control("SH", ["FIELDS"]);
    for it in FIELDS {
        row_of(&mut page, &format!("{}:", it.name), &it.explained());
    }
    see_also(&mut page);
    page
}
