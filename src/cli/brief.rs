//! `brief`: the changes of a plan, or between two files, condensed: the same change once, the odd ones first.

use std::fmt::Write as _;

use super::args::{BriefArgs, FailOn};
use super::failure::answered;
use super::{Console, EXIT_FOUND, Failure, diff, open};
use crate::change::rules::Level;
use crate::load::brief::Brief;
use crate::load::brief::page::{Detail, Entry, Page};
use crate::load::rules::rules;
use crate::load::{self, schemas};
use crate::stack::Stack;
use crate::text::escaped;

/// Maximum number of names that are printed of one entry.
const MAX_NAMES: usize = 3;

pub(super) fn run(args: &BriefArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let input = diff::input(&args.file, args.other.as_deref(), console)?;
    let document = open::load(&input, console)?;
    let stack = &document.stack;
    if !stack.is_comparison && !stack.header.kind.has_changes() {
        return Err(Failure::usage(format!(
            "{}: {} holds no changes, expected a plan, or a second file to compare with",
            load::name(&input),
            stack.header.kind
        )));
    }
    let rules = rules(&args.rules)?;
    let schemas = schemas::of(&input)?
        .map(|found| found.contents)
        .unwrap_or_default();
    let Some(brief) = Brief::of(&document, &schemas, &rules, &|| false) else {
        return Ok(0);
    };
    let page = Page::of(&brief, &document, &schemas);
    let is_found = args.fail_on.is_some_and(|fail_on| {
        let least = match fail_on {
            FailOn::Danger => Level::Danger,
            FailOn::Warning => Level::Warning,
        };
        let mut alarms = brief.findings.alarms.iter();
        alarms.any(|alarm| alarm.rule.level <= least)
    });
    let printed = console.out.write_all(text(stack, &page).as_bytes());
    let code = if is_found { EXIT_FOUND } else { 0 };
    answered(code, printed.map_err(Failure::from))
}

// Writing to a string cannot fail.
fn text(stack: &Stack, page: &Page) -> String {
    let mut out = counts(stack, page);
    for part in &page.parts {
        _ = writeln!(out, "\n{}  {}", part.title.words(), part.count);
        for entry in &part.entries {
            print_entry(&mut out, entry);
        }
        let n_shown: usize = part.entries.iter().map(|it| it.ids.len().max(1)).sum();
        if part.count > n_shown {
            _ = writeln!(out, "  {} more", part.count - n_shown);
        }
    }
    out
}

/// Example: `21 changes: 2 delete, 2 replace, 17 update`.
fn counts(stack: &Stack, page: &Page) -> String {
    let total = page.n_changes();
    if total == 0 {
        let noun = if stack.is_comparison {
            "differences"
        } else {
            "changes"
        };
        return format!("no {noun}\n");
    }
    let counts = page.counts.iter();
    let counts = counts.map(|(action, count)| format!("{count} {}", stack.word(*action)));
    let plural = if total == 1 { "" } else { "s" };
    let counts: Vec<String> = counts.collect();
    format!("{total} change{plural}: {}\n", counts.join(", "))
}

fn print_entry(out: &mut String, entry: &Entry) {
    let sign = entry.action.map_or(" ", |action| action.sign());
    let mut names: Vec<String> = entry.names.iter().take(MAX_NAMES).cloned().collect();
    if entry.names.len() > MAX_NAMES {
        names.push(format!("{} more", entry.names.len() - MAX_NAMES));
    }
    let (ty, says) = (&entry.ty, &entry.says);
    let names = names.join(", ");
    let texts = [&names, ty, says].into_iter();
    let texts: Vec<&str> = texts
        .filter(|text| !text.is_empty())
        .map(|text| &**text)
        .collect();
    _ = writeln!(out, "  {sign} {}", texts.join("  "));
    for detail in &entry.details {
        _ = writeln!(out, "      {}", line(detail));
    }
    for copy in entry.copies.iter().flat_map(|text| text.lines()) {
        _ = writeln!(out, "      {}", escaped(copy));
    }
    if entry.n_more > 0 {
        _ = writeln!(out, "      {} more changes", entry.n_more);
    }
}

/// A change in one line: `~ tags.release  "1" → "2"`.
fn line(detail: &Detail) -> String {
    let values = match (&detail.before, &detail.after) {
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (Some(value), None) | (None, Some(value)) => value.clone(),
        (None, None) => String::new(),
    };
    let texts = [detail.place.as_str(), &values, &detail.note].into_iter();
    let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    format!("{} {}", detail.action.sign(), texts.join("  "))
}
