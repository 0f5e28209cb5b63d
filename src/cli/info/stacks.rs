//! `info` of many stacks: a row for each, then totals.

use std::io;

use super::super::fleet::{Form, Tally, answers, fields, stacked};
use super::super::{Console, Failure};
use super::as_json;
use crate::load::fleet::{Answer, Asked, Copies, Fleet, Member, Opened, StackSummary};
use crate::render::json;
use crate::render::plain::{padded, size, utc};
use crate::text::{count, counted, escaped, plural};
use crate::tui::theme::Role;
use crate::value::{Map, Value};

/// Maximum width of the column of names, in cells.
const MAX_NAME: usize = 60;

/// Number of rows that are aligned together, so that the first ones appear before the last is known.
const BLOCK: usize = 64;

/// The titles of the columns, each with its width; the last one has no end.
const COLUMNS: [(&str, usize); 7] = [
    ("kind", 14),
    ("tool", 17),
    ("resources", 9),
    ("secrets", 8),
    ("size", 8),
    ("last change", 16),
    ("state", 0),
];

/// The sums over all stacks.
#[derive(Default)]
struct Sums {
    stacks: usize,
    resources: u64,
    secrets: u64,
    bytes: u64,
    copies: usize,
    versions: usize,
    twins: usize,
    with_changes: usize,
    drifted: usize,
    pending: usize,
}

/// Prints a row for each stack, and the totals.
pub(super) fn print(fleet: &Fleet, form: Form, console: &mut Console<'_>) -> Result<u8, Failure> {
    // Copies are rows too.
    let fleet = Fleet {
        copies: Copies::Ask,
        ..fleet.clone()
    };
    let mut sums = Sums::default();
    let mut table = Table::default();
    let work = |opened: &Opened<'_>| {
        let document = opened.load()?;
        let object = (form == Form::Json).then(|| as_json(&document.stack));
        Ok(Asked {
            result: (StackSummary::of(&document), object),
            fingerprint: opened.fingerprint(&document),
        })
    };
    let (tally, ended) = answers(
        &fleet,
        console,
        &work,
        &mut |member, answer, tally, console| {
            let answer = match answer {
                Answer::Done(answer) => Ok(answer),
                Answer::Failed(error) => Err(error.to_string()),
                Answer::Left => Err(String::new()),
            };
            let summary = answer.as_ref().map(|(summary, _)| summary);
            if let Ok(summary) = summary {
                sums.add(member, summary);
                if let Some(damage) = &summary.damage {
                    tally.failed(&format!("{}: {damage}", member.place), console);
                }
            }
            match form {
                Form::Text => table.push(member, summary, console),
                Form::Json => {
                    json::write_line(console.out, &object(member, &answer))?;
                    console.out.flush()
                }
            }
        },
    )?;
    table.flush(console)?;
    if let Some(ended) = ended {
        tally.end(&fleet, &ended, console)?;
    }
    if form == Form::Text {
        writeln!(console.out, "{}", sums.text(&tally))?;
    }
    Ok(0)
}

/// Rows that wait until their names can be aligned.
#[derive(Default)]
struct Table {
    /// The width of the column of names so far; 0 before the title.
    width: usize,
    /// The name of each row, and the text after it.
    rows: Vec<(String, String)>,
}

impl Table {
    fn push(
        &mut self,
        member: &Member,
        summary: Result<&StackSummary, &String>,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let row = match summary {
            Ok(summary) => row(member, summary),
            Err(error) => console.paint().role(Role::Danger, &escaped(error)),
        };
        self.rows.push((escaped(&member.name), row));
        if self.rows.len() < BLOCK {
            return Ok(());
        }
        self.flush(console)
    }

    fn flush(&mut self, console: &mut Console<'_>) -> io::Result<()> {
        let paint = console.paint();
        let is_first = self.width == 0;
        let lengths = self.rows.iter().map(|(name, _)| name.chars().count());
        let widest = lengths.max().unwrap_or_default().min(MAX_NAME);
        self.width = self.width.max(widest).max("stack".len());
        if is_first && !self.rows.is_empty() {
            let titles = aligned(&COLUMNS.map(|(title, _)| title.to_owned()));
            let title = format!("{}  {titles}", padded("stack", self.width));
            writeln!(console.out, "{}", paint.role(Role::Dim, title.trim_end()))?;
        }
        for (name, row) in self.rows.drain(..) {
            let name = paint.role(Role::Type, &padded(&name, self.width));
            writeln!(console.out, "{}", format!("{name}  {row}").trim_end())?;
        }
        console.out.flush()
    }
}

/// The cells after a name.
fn aligned(cells: &[String; COLUMNS.len()]) -> String {
    let cells = cells.iter().zip(COLUMNS);
    let cells: Vec<String> = cells
        .map(|(cell, (_, width))| padded(cell, width))
        .collect();
    cells.join("  ")
}

fn row(member: &Member, summary: &StackSummary) -> String {
    let tool = format!("{} {}", summary.tool.name(), summary.tool_version);
    let changed = summary.changed.or(member.modified);
    aligned(&[
        summary.kind.name().to_owned(),
        escaped(tool.trim_end()),
        format!("{:>9}", count(summary.n_resources)),
        format!("{:>8}", count(summary.n_secrets)),
        format!("{:>8}", size(member.bytes)),
        changed.map(utc).unwrap_or_default(),
        states(member, summary).join(", "),
    ])
}

/// The things about a stack that want attention, in words.
fn states(member: &Member, summary: &StackSummary) -> Vec<String> {
    let mut states = Vec::new();
    if member.role.is_older_copy() {
        states.push(member.role.name().to_owned());
    }
    if let Some(version) = &member.version {
        states.push(version.words());
    }
    if let Some(twin) = &member.twin {
        states.push(format!("copy of {}", escaped(twin)));
    }
    if let Some(damage) = &summary.damage {
        states.push(escaped(damage));
    }
    let changes = &summary.changes;
    let of_outputs = noun(changes.n_outputs, ["output to change", "outputs to change"]);
    states.extend(counted([
        (changes.n_resources() as u64, "to change"),
        (changes.n_outputs as u64, of_outputs),
        (summary.n_drifted, "drifted"),
        (summary.n_pending, "pending"),
    ]));
    if summary.n_problems > 0 {
        let n = usize::try_from(summary.n_problems).unwrap_or(usize::MAX);
        states.push(plural(n, "problem"));
    }
    states
}

/// The object of a row.
fn object(member: &Member, answer: &Result<(StackSummary, Option<Value>), String>) -> Value {
    let summary = answer.as_ref().ok().map(|(summary, _)| summary);
    let own = json::object(&[
        ("role", &member.role.name()),
        ("bytes", &member.bytes),
        ("modified", &member.modified),
        ("twin", &member.twin),
        ("error", &answer.as_ref().err()),
        ("changed", &summary.and_then(|it| it.changed)),
        ("pending", &summary.map(|it| it.n_pending)),
        ("damage", &summary.and_then(|it| it.damage.as_ref())),
    ]);
    let facts = answer.as_ref().ok().and_then(|(_, facts)| facts.as_ref());
    // The name of the stack in the file: `stack` is the one of the member.
    let facts = fields(facts).map(|(key, value)| match &*key {
        "stack" => ("stack_name".into(), value),
        _ => (key, value),
    });
    let all: Map = fields(Some(&own)).chain(facts).collect();
    stacked(member, &all.into())
}

impl Sums {
    fn add(&mut self, member: &Member, summary: &StackSummary) {
        self.bytes += member.bytes;
        if member.version.as_ref().is_some_and(|it| it.is_older) {
            self.versions += 1;
        } else if member.role.is_older_copy() {
            self.copies += 1;
        } else if member.twin.is_some() {
            self.twins += 1;
        } else {
            self.stacks += 1;
            self.resources += summary.n_resources;
            self.secrets += summary.n_secrets;
            self.with_changes += usize::from(!summary.changes.is_empty());
            self.drifted += usize::from(summary.n_drifted > 0);
            self.pending += usize::from(summary.n_pending > 0);
        }
    }

    /// Example: `1 000 stacks: 203 118 resources, 1 204 secrets, 1.1 GB; 3 pending, 2 drifted; 1 cannot be read`.
    fn text(&self, tally: &Tally) -> String {
        let stacks = plural(self.stacks, "stack");
        let [resources, secrets] = [self.resources, self.secrets].map(count);
        let size = size(self.bytes);
        let mut words = vec![format!(
            "{stacks}: {resources} resources, {secrets} secrets, {size}"
        )];
        words.extend(counted([
            (self.with_changes as u64, "with changes"),
            (self.drifted as u64, "drifted"),
            (self.pending as u64, "pending"),
            (self.copies as u64, noun(self.copies, ["backup", "backups"])),
            (
                self.versions as u64,
                noun(self.versions, ["older version", "older versions"]),
            ),
            (self.twins as u64, noun(self.twins, ["twin", "twins"])),
            (tally.n_failed as u64, "not read whole"),
        ]));
        words.join(" · ")
    }
}

/// The noun for one or for several.
fn noun(n: usize, [one, several]: [&str; 2]) -> &str {
    if n == 1 { one } else { several }
}
