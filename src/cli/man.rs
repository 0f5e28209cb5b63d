//! `man`: manual pages, made from the arguments and the tables that the program itself reads.

use std::fs;
use std::io;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::args::{Args, ManArgs};
use super::{Console, Failure};
use crate::search::{FIELDS, SYNTAX};

/// The name of the page about the query language.
const SEARCH: &str = "search";

pub(super) fn run(args: &ManArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let program = program();
    if let Some(folder) = &args.to {
        write_all(&program, folder)?;
        return Ok(0);
    }
    match args.page.as_deref() {
        None => Man::new(program).render(console.out)?,
        Some(SEARCH) => search().to_writer(console.out)?,
        Some(name) => {
            let page = program
                .find_subcommand(name)
                .ok_or_else(|| unknown(&program, name))?;
            Man::new(page.clone()).render(console.out)?;
        }
    }
    Ok(0)
}

/// The command line, with full names for the pages of its commands.
fn program() -> clap::Command {
    let mut program = Args::command();
    program.build();
    program
}

fn unknown(program: &clap::Command, name: &str) -> Failure {
    let names = pages(program).map(|command| command.get_name().to_owned());
    Failure::No {
        message: format!("no manual page is called {name}"),
        detail: names.chain([SEARCH.to_owned()]).collect(),
    }
}

/// The commands that have a page.
fn pages(program: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    program
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
}

fn write_all(program: &clap::Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let write = |man: Man| {
        let mut text = Vec::new();
        man.render(&mut text)?;
        fs::write(folder.join(man.get_filename()), text)
    };
    write(Man::new(program.clone()))?;
    for command in pages(program) {
        write(Man::new(command.clone()))?;
    }
    fs::write(folder.join("stacklens-search.7"), search().to_roff())
}

/// The page about the query language.
fn search() -> Roff {
    let mut page = Roff::new();
    page.control(
        "TH",
        [
            "stacklens-search",
            "7",
            "",
            concat!("stacklens ", env!("CARGO_PKG_VERSION")),
        ],
    );
    page.control("SH", ["NAME"]);
    page.text([roman(
        "stacklens-search - the query language of the search bar, the filter, ls and find",
    )]);
    page.control("SH", ["TERMS"]);
    for it in SYNTAX {
        page.control("TP", []);
        page.text([bold(it.examples.join("  "))]);
        page.text([roman(it.help)]);
    }
    page.control("SH", ["FIELDS"]);
    for it in FIELDS {
        page.control("TP", []);
        page.text([bold(format!("{}:", it.name))]);
        page.text([roman(it.help)]);
    }
    page.control("SH", ["SEE ALSO"]);
    page.text([bold("stacklens"), roman("(1)")]);
    page
}
