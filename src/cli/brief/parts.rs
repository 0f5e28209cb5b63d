//! Several files in one brief: a head with the sum, and a part for each file, the worst first.
//!
//! # Laws
//!
//! 1. Every file has a part. A file that cannot be read has its error there, is counted, and the exit code is 65.
//! 2. A file is closed before the next one is read: a part holds what its form needs, and no more.
//! 3. The Markdown has at most [`markdown::MAX_BYTES`] bytes. A part may have as many of them as any other.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use unicode_width::UnicodeWidthStr as _;

use super::super::paint::Paint;
use super::{Report, as_json, gate, html, input_of, markdown, review, sarif, text};
use crate::change::rules::{Level, Rules};
use crate::cli::args::{BriefArgs, BriefForm};
use crate::cli::{Console, Failure};
use crate::json;
use crate::load::brief::page::Page;
use crate::load::fleet::Place;
use crate::load::remote::Address;
use crate::load::{Input, schemas};
use crate::render::markdown::{cell, code};
use crate::render::plain::padded;
use crate::stack::{Changes, Kind, Verb};
use crate::text::{count, counted, escaped, plural};
use crate::tui::theme::Role;

/// Maximum size of the table of contents in the Markdown, in bytes.
const MAX_TABLE: usize = markdown::MAX_BYTES / 4;

/// Number of bytes that a part of the Markdown has at least. Parts without that room are left out.
const MIN_PART: usize = 1_000;

/// Maximum width of a column of files, in cells.
const MAX_COLUMN: usize = 80;

/// A file, with what its form needs of it.
pub(super) struct Part<T> {
    /// The name of the file, as it was given.
    pub(super) file: String,
    outcome: Result<Facts<T>, String>,
}

/// The facts about a file that could be read.
struct Facts<T> {
    kind: Kind,
    n_dangers: usize,
    n_warnings: usize,
    changes: Changes,
    /// The number of changes, or what a state holds, in words.
    counts: String,
    body: T,
}

impl<T> Part<T> {
    /// The body, or the reason why there is none.
    pub(super) fn body(&self) -> Result<&T, &str> {
        match &self.outcome {
            Ok(facts) => Ok(&facts.body),
            Err(error) => Err(error),
        }
    }

    /// Its place in the order: files that nobody can judge come first, then those with most dangers.
    fn weight(&self) -> (bool, usize, usize, usize) {
        match &self.outcome {
            Ok(facts) => {
                let n_changes = facts.changes.n_resources();
                (false, facts.n_dangers, facts.n_warnings, n_changes)
            }
            Err(_) => (true, 0, 0, 0),
        }
    }

    /// Example: `3 dangers, 1 warning`. "" if nothing is found.
    pub(super) fn found(&self) -> String {
        let Ok(facts) = &self.outcome else {
            return String::new();
        };
        let found = [(facts.n_dangers, "danger"), (facts.n_warnings, "warning")];
        let found = found.into_iter().filter(|(n, _)| *n > 0);
        let found: Vec<String> = found.map(|(n, what)| plural(n, what)).collect();
        found.join(", ")
    }

    /// The number of changes, or the reason why it is not known.
    pub(super) fn counts(&self) -> String {
        match &self.outcome {
            Ok(facts) => facts.counts.clone(),
            Err(error) => format!("could not be read: {}", escaped(error)),
        }
    }
}

/// The sum of all files.
pub(super) struct Total {
    pub(super) n_files: usize,
    pub(super) n_with_dangers: usize,
    pub(super) n_unread: usize,
    pub(super) changes: Changes,
    noun: &'static str,
}

impl Total {
    fn of<T>(parts: &[Part<T>]) -> Self {
        let read = || parts.iter().filter_map(|part| part.outcome.as_ref().ok());
        let mut changes = Changes::default();
        for facts in read() {
            changes.add(&facts.changes);
        }
        let all_have = |wanted: bool| read().all(|it| it.kind.has_changes() == wanted);
        Self {
            n_files: parts.len(),
            n_with_dangers: read().filter(|it| it.n_dangers > 0).count(),
            n_unread: parts.len() - read().count(),
            changes,
            noun: match (read().count(), all_have(true), all_have(false)) {
                (1.., true, _) => "plan",
                (1.., _, true) => "state",
                _ => "file",
            },
        }
    }

    /// Example: `3 plans · 2 with dangers`.
    fn files(&self) -> String {
        let mut words = vec![plural(self.n_files, self.noun)];
        words.extend(counted([
            (self.n_with_dangers as u64, "with dangers"),
            (self.n_unread as u64, "could not be read"),
        ]));
        words.join(" · ")
    }

    /// Example: `41 changes: 2 delete, 39 update`. `None` if no file is about changes.
    fn changes(&self) -> Option<String> {
        let others = || self.changes.beside_resources(Verb::Change);
        let total = match self.changes.n_resources() {
            _ if self.noun == "state" => return None,
            0 => others().unwrap_or_else(|| "no changes".to_owned()),
            n => plural(n, "change"),
        };
        let actions = self.changes.resources.iter();
        let actions = actions.map(|(action, n)| format!("{} {}", count(*n as u64), action.name()));
        Some(text::with_actions(total, &actions.collect::<Vec<_>>()))
    }

    /// Both in a line.
    fn words(&self) -> String {
        let words = [Some(self.files()), self.changes()].into_iter().flatten();
        words.collect::<Vec<_>>().join(" · ")
    }
}

/// The parts of all files, the worst first.
pub(super) struct Parts<T> {
    list: Vec<Part<T>>,
    total: Total,
    code: u8,
}

/// `brief` with these files.
pub(super) fn run(
    files: &[Place],
    args: &BriefArgs,
    rules: &Rules,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    args.review.refuse_many(&plural(files.len(), "file"))?;
    let subject = (files, args, rules);
    match &args.form {
        BriefForm {
            html: Some(file), ..
        } => {
            let parts = read(subject, console, &mut |report, _| html::part(report))?;
            let (title, counts) = (parts.total.files(), parts.total.changes());
            let counts = counts.unwrap_or_default();
            let data = html::of_parts(&parts.list, &title, &counts);
            html::write_to(file, &title, &data, parts.code, console)
        }
        BriefForm { json: true, .. } => {
            let parts = read(subject, console, &mut |report, _| as_json::part(report))?;
            let document = as_json::of_parts(&parts.list, &parts.total);
            console.answer(parts.code, |out| json::write_pretty(out, &document))
        }
        BriefForm { sarif: true, .. } => {
            let mut findings = sarif::Collector::default();
            let parts = read(subject, console, &mut |report, file| {
                let scope = file.to_string_lossy();
                findings.add(&report.page, &report.document, file, &scope);
            })?;
            for part in &parts.list {
                if part.body().is_err() {
                    findings.add_unread(format!("{}: {}", part.file, part.counts()));
                }
            }
            console.answer(parts.code, |out| findings.write(out))
        }
        BriefForm { markdown: true, .. } => {
            let parts = read(subject, console, &mut |report, _| report.page.clone())?;
            console.print(parts.code, &as_markdown(&parts))
        }
        BriefForm { .. } => {
            let paint = console.paint();
            let parts = read(subject, console, &mut |report, _| {
                text::text(&report.document.stack, &report.page, &paint)
            })?;
            console.print(parts.code, &as_text(&parts, &paint))
        }
    }
}

/// Reads one file after the other, and makes the body of its part. Read errors are printed on standard error too.
fn read<T>(
    (files, args, rules): (&[Place], &BriefArgs, &Rules),
    console: &mut Console<'_>,
    body: &mut dyn FnMut(&Report, &Path) -> T,
) -> Result<Parts<T>, Failure> {
    // Without the schemas that the person named no file can be read.
    if let Some(schemas) = &console.schemas {
        schemas::of(&Input::stdin().with_schemas(schemas))?;
    }
    let mut parts = Vec::new();
    let mut code = 0;
    for file in files {
        let input = input_of(file, console);
        let report = input.and_then(|input| review(&input, rules, console));
        let file = PathBuf::from(file.to_string());
        let file = &*Address::public(&file);
        let name = file.display().to_string();
        let outcome = match report {
            Ok(report) => {
                let answer = gate::answer(&args.fail_on, &report, rules);
                for line in &answer.lines {
                    console.remark(&format!("{name}: {line}"));
                }
                code = gate::worse(code, answer.code);
                Ok(facts(&report, body(&report, file)))
            }
            Err(Failure::Load(error)) => {
                console.remark(&error.to_string());
                for condition in &args.fail_on {
                    let line = gate::unanswered(*condition, "the file could not be read");
                    console.remark(&format!("{name}: {line}"));
                }
                console.is_partial = true;
                Err(without_name(&error.to_string(), &name))
            }
            Err(failure) => return Err(failure),
        };
        parts.push(Part {
            file: name,
            outcome,
        });
    }
    parts.sort_by_key(|part| Reverse(part.weight()));
    Ok(Parts {
        total: Total::of(&parts),
        list: parts,
        code,
    })
}

fn facts<T>(report: &Report, body: T) -> Facts<T> {
    let (stack, page) = (&report.document.stack, &report.page);
    let n_dangers = gate::n_found(page, Level::Danger);
    Facts {
        kind: stack.header.kind,
        n_dangers,
        n_warnings: gate::n_found(page, Level::Warning) - n_dangers,
        changes: page.changes.clone(),
        counts: text::counts(stack, page),
        body,
    }
}

/// A message without the file that it begins with.
fn without_name(message: &str, file: &str) -> String {
    let rest = message.strip_prefix(file);
    let rest = rest.and_then(|rest| rest.strip_prefix(": "));
    rest.unwrap_or(message).to_owned()
}

/// The document as text: the sum, a line for each file, and the parts.
fn as_text(parts: &Parts<String>, paint: &Paint) -> String {
    let Parts {
        list: parts, total, ..
    } = parts;
    let mut out = paint.role(Role::Title, &total.words()) + "\n\n";
    let names: Vec<String> = parts.iter().map(|part| escaped(&part.file)).collect();
    let column = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let column = column.min(MAX_COLUMN);
    // Writing to a text cannot fail.
    for (part, name) in parts.iter().zip(&names) {
        let role = match part.weight() {
            (true, ..) | (false, 1.., ..) => Role::Danger,
            (false, 0, 1.., _) => Role::Update,
            (false, 0, 0, _) => Role::Text,
        };
        let found = part.found();
        let found = [part.counts(), paint.role(role, &found)].into_iter();
        let found: Vec<String> = found.filter(|text| !text.is_empty()).collect();
        let name = padded(name, column);
        _ = writeln!(out, "  {name}  {}", found.join(" · "));
    }
    for (part, name) in parts.iter().zip(&names) {
        let title = format!("=== {name} ===");
        _ = writeln!(out, "\n{}", paint.role(Role::Title, &title));
        match part.body() {
            Ok(body) => out.push_str(body),
            Err(_) => _ = writeln!(out, "{}", paint.role(Role::Danger, &part.counts())),
        }
    }
    out
}

/// The document as Markdown: the sum, a table of contents, and the parts.
fn as_markdown(parts: &Parts<Page>) -> String {
    let Parts {
        list: parts, total, ..
    } = parts;
    let mut out = format!("## {}\n\n", total.files());
    if let Some(changes) = total.changes() {
        _ = writeln!(out, "{}\n", markdown::total(&changes));
    }
    out.push_str(&table(parts, total));
    let whole = |part: &Part<Page>| {
        let counts = part.body().map_or_else(
            |error| format!("could not be read: {}", code(error)),
            |_| part.counts(),
        );
        let head = markdown::head(&part.file, &counts);
        let room = markdown::MAX_BYTES.saturating_sub(head.len());
        let body = part.body();
        let body = body.map_or_else(|_| String::new(), |page| markdown::body(page, room));
        (head, body)
    };
    let texts: Vec<(String, String)> = parts.iter().map(whole).collect();
    let sizes: Vec<usize> = texts.iter().map(|it| 1 + it.0.len() + it.1.len()).collect();
    let end = format!(
        "\n**{} without room here**\n",
        plural(parts.len(), total.noun)
    );
    let room = markdown::MAX_BYTES.saturating_sub(out.len() + end.len());
    let shares = shares(&sizes, room);
    let mut n_left_out = parts.len() - shares.len();
    for ((part, (head, body)), share) in parts.iter().zip(texts).zip(shares) {
        let room = share.saturating_sub(1 + head.len());
        let body = match part.body() {
            Ok(page) if body.len() > room => markdown::body(page, room),
            Ok(_) | Err(_) => body,
        };
        if 1 + head.len() > share {
            n_left_out += 1;
            continue;
        }
        out.extend(["\n", &head, &body]);
    }
    if n_left_out > 0 {
        let left_out = plural(n_left_out, total.noun);
        _ = writeln!(out, "\n**{left_out} without room here**");
    }
    out
}

/// A row for each file, as far as there is room.
fn table(parts: &[Part<Page>], total: &Total) -> String {
    let mut out = format!("| {} | found | changes |\n|---|---|---|\n", total.noun);
    for (at, part) in parts.iter().enumerate() {
        let changes = match part.body() {
            Ok(_) => part.counts(),
            Err(error) => format!("could not be read: {}", cell(error)),
        };
        let row = format!("| {} | {} | {changes} |\n", cell(&part.file), part.found());
        if out.len() + row.len() > MAX_TABLE {
            let left_out = plural(parts.len() - at, total.noun);
            _ = writeln!(out, "| {left_out} more | | |");
            break;
        }
        out.push_str(&row);
    }
    out
}

/// The room of each part, for parts of these sizes, the first ones if there is not enough for all. None gets more than it needs,
/// and those that get less than they need get the same.
fn shares(sizes: &[usize], room: usize) -> Vec<usize> {
    let mut least = 0;
    let n_shown = sizes.iter().take_while(|size| {
        least += MIN_PART.min(**size);
        least <= room
    });
    let sizes = &sizes[..n_shown.count()];
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    let (mut left, mut limit) = (room, room);
    for (at, size) in sorted.iter().enumerate() {
        limit = left / (sorted.len() - at);
        if *size > limit {
            break;
        }
        left -= size;
        limit = room;
    }
    sizes.iter().map(|size| *size.min(&limit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_parts_leave_their_room_to_large_ones() {
        assert_eq!(shares(&[100, 200], 1_000), [100, 200]);
        assert_eq!(shares(&[5_000, 100, 9_000], 8_100), [4_000, 100, 4_000]);
        assert_eq!(shares(&[5_000, 3_000, 9_000], 9_000), [3_000, 3_000, 3_000]);
        // There is no room for four parts of a thousand bytes.
        assert_eq!(shares(&[9_000; 4], 3_500), [1_166; 3]);
        assert_eq!(shares(&[], 10), [0; 0]);
    }
}
