//! The text after the arguments in `--help`: examples, exit codes, variables, files and the query language.

use crate::format::table::{Format, listed};
use crate::search::{FIELDS, Field, SYNTAX, Syntax};
use crate::settings::{SETTINGS, Setting};

/// Examples of the program.
pub(super) const EXAMPLES: &str = "\
Examples:
  stacklens demo                         look around in an invented stack with a pending preview
  stacklens terraform.tfstate            explore a state
  pulumi stack export | stacklens -      explore what another program prints
  stacklens states/                      list many stacks: sort them, search all, compare two
  stacklens get state.json orders-db endpoint
  stacklens diff plan.json --markdown

Exit codes: 0 fine, 1 not found or findings, 2 changes (with --exit-code), 3 a condition of --fail-on holds, 4 it could not be judged, 64 usage, 65 unreadable input, 74 I/O.";

/// Exit codes that every command has.
const COMMON: &str = "64 usage, 65 unreadable input, 74 I/O";

/// Variables that are no settings, with what they do.
const VARIABLES: [(&str, &str); 7] = [
    ("STACKLENS_CONFIG", "configuration file; --config wins"),
    ("STACKLENS_LOG", "level of the log; --log-level wins"),
    ("NO_COLOR", "no colors, unless --color says otherwise"),
    (
        "CLICOLOR_FORCE",
        "colors even where no terminal reads the output",
    ),
    ("CLICOLOR", "0 is no colors"),
    ("PULUMI_CONFIG_PASSPHRASE", "passphrase of a Pulumi stack"),
    ("PULUMI_CONFIG_PASSPHRASE_FILE", "file with that passphrase"),
];

/// The text after `stacklens --help`.
pub(super) fn program() -> String {
    let row = |format: &&Format| format!("\n  {:36}{}", format.title, format.from.replace('`', ""));
    let files: String = listed().iter().map(row).collect();
    let setting = |it: &Setting| format!("\n  {:31}setting `{}`", it.variable(), it.key);
    let settings: String = SETTINGS.iter().map(setting).collect();
    let other = |(name, help): (&str, &str)| format!("\n  {name:31}{help}");
    let others: String = VARIABLES.into_iter().map(other).collect();
    format!("{EXAMPLES}\n\nVariables:{settings}{others}\n\nFiles:{files}")
}

/// The commands with their exit codes besides those that every command has, and below each its examples. A test runs them.
const COMMANDS: &str = r#"
demo: 0 fine
  stacklens demo

info: 0 fine
  stacklens info terraform.tfstate
  stacklens info plan.json --json
  stacklens info states/

get: 0 fine, 1 no such resource or path
  stacklens get state.json orders-db
  stacklens get state.json orders-db endpoint
  stacklens get state.json orders-db 'tags.*' --json
  stacklens get state.json orders-db --set 'size="big"'

deps: 0 fine, 1 no such resource
  stacklens deps state.json orders-db
  stacklens deps state.json orders-db --reverse --transitive
  stacklens deps states/ a --reverse

graph: 0 fine
  stacklens graph state.json
  stacklens graph state.json orders-db --up --depth 2
  stacklens graph plan.json --changes --format mermaid
  stacklens graph plan.json --format order
  stacklens graph states/

brief: 0 fine, 3 a condition of --fail-on holds, 4 it could not be judged
  stacklens brief plan.json
  stacklens brief plan.json --markdown
  stacklens brief plan.json --fail-on danger,drift
  stacklens brief old.tfstate new.tfstate
  stacklens brief plans/ --markdown

diff: 0 fine, 2 changes (with --exit-code), 4 it could not be judged
  stacklens diff plan.json
  stacklens diff old.tfstate new.tfstate --exit-code
  stacklens diff plan.json --json

check: 0 fine, 1 a warning or worse
  stacklens check terraform.tfstate
  stacklens check plan.json --schema schemas.json
  stacklens check plan.json --state new.tfstate --json
  stacklens check states/ --json

export: 0 fine
  stacklens export states/ --to dataset
  stacklens export --from list.txt --to dataset

rules: 0 fine, 1 no such rule or type
  stacklens rules
  stacklens rules aws_db_instance
  stacklens rules --rules team.toml --json

schema: 0 fine, 1 no such schema
  stacklens schema
  stacklens schema brief

config: 0 fine
  stacklens config
  stacklens config --json
  stacklens config --init

man: 0 fine, 1 no such page
  stacklens man | man -l -
  stacklens man search | man -l -
  stacklens man --to ~/.local/share/man/man1

ls: 0 fine, 1 no match of the query
  stacklens ls state.json
  stacklens ls state.json 'type:aws:rds/* is:protected'
  stacklens ls plan.json action:delete,replace --json
  stacklens ls states/ type:aws_instance

find: 0 fine, 1 no match
  stacklens find state.json '=10.0.3.17'
  stacklens find state.json 'tags.*' --json
  stacklens find states/ '=ami-0abc'
  stacklens find a.tfstate b.tfstate '=ami-0abc'
  stacklens find --from list.txt '=ami-0abc' --json
"#;

/// The text after the help of a command: its examples and its exit codes.
pub(super) fn of(command: &str) -> String {
    let mut entries = COMMANDS.trim().split("\n\n");
    let entry = entries.find_map(|it| it.strip_prefix(command)?.strip_prefix(": "));
    let (codes, examples) = entry
        .and_then(|entry| entry.split_once('\n'))
        .expect("a test prints the help of every command");
    format!("Examples:\n{examples}\n\nExit codes: {codes}, {COMMON}.")
}

/// The same of a command that takes a query, with the query language.
pub(super) fn with_queries(command: &str) -> String {
    format!("{}\n\n{}", of(command), language())
}

/// The query language: the forms of terms, then the fields, each with its meaning on a line below.
fn language() -> String {
    let row = |form: String, help: &str| format!("\n  {form}\n      {help}");
    let form = |it: &Syntax| row(it.examples.join("  "), it.help);
    let field = |it: &Field| row(format!("{}:", it.name), &it.explained());
    let forms: String = SYNTAX.iter().map(form).collect();
    let fields: String = FIELDS.iter().map(field).collect();
    format!("Queries:{forms}\n\nFields of a query:{fields}")
}
