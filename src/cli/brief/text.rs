//! The page as text, for a terminal or a log.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::super::paint::Paint;
use crate::load::brief::page::{Detail, Entry, Page};
use crate::render::plain::padded;
use crate::stack::{Agreement, Stack};
use crate::text::{count, escaped, plural};
use crate::tui::theme::Role;

/// Maximum number of names that are printed of one entry.
const MAX_NAMES: usize = 3;

/// Maximum width of a column of names, in cells.
const MAX_COLUMN: usize = 60;

// Writing to a string cannot fail.
pub(super) fn text(stack: &Stack, page: &Page, paint: &Paint) -> String {
    let mut out = paint.role(Role::Title, &counts(stack, page));
    out.push('\n');
    for part in &page.parts {
        let title = format!("{}  {}", part.title.heading(), count(part.count as u64));
        _ = writeln!(out, "\n{}", paint.role(Role::Title, &title));
        // Counts with their bars stand below each other.
        let counted = part.entries.iter().filter(|entry| !entry.query.is_empty());
        let column = counted.map(|entry| names(entry).join(", ").width());
        let column = column.max().unwrap_or(0).min(MAX_COLUMN);
        for entry in &part.entries {
            print_entry(&mut out, entry, column, paint);
        }
        if part.n_without_entry() > 0 {
            _ = writeln!(out, "  {} more", count(part.n_without_entry() as u64));
        }
    }
    if !page.remarks.is_empty() {
        _ = writeln!(out, "\n{}", page.remarks.join("\n"));
    }
    out
}

/// Example: `21 changes: 2 delete, 2 replace, 17 update`.
pub(super) fn counts(stack: &Stack, page: &Page) -> String {
    if !page.summary.is_empty() {
        return page.summary.clone();
    }
    let total = stack.total(&page.changes);
    let counts = stack.in_words(&page.changes.resources).into_iter();
    let counts = counts.map(|(_, n, word)| format!("{} {word}", count(n as u64)));
    let counts: Vec<String> = counts.collect();
    let changes = match &counts[..] {
        [] => total,
        counts => format!("{total}: {}", counts.join(", ")),
    };
    let agreement = stack.counts.agreement.map(Agreement::words);
    let along = Some(page.along.clone()).filter(|it| !it.is_empty());
    let words = [changes]
        .into_iter()
        .chain(along)
        .chain(agreement.into_iter().flatten());
    words.collect::<Vec<_>>().join(" · ")
}

/// The first names of an entry, and the number of the other resources.
pub(super) fn names(entry: &Entry) -> Vec<String> {
    let names = entry.names.iter().take(MAX_NAMES);
    let names = names.map(|name| name.text.clone());
    names.chain(entry.more_than(MAX_NAMES)).collect()
}

/// Prints an entry. Its names take at least `column` cells if something follows.
fn print_entry(out: &mut String, entry: &Entry, column: usize, paint: &Paint) {
    let sign = entry.action.map_or(" ", |action| action.sign());
    let sign = paint.action(entry.action, sign);
    let mut names = names(entry).join(", ");
    if !entry.says.is_empty() {
        names = padded(&names, column);
    }
    let names = paint.action(entry.action, &names);
    let texts = [names, paint.role(Role::Type, &entry.ty), entry.says.clone()];
    let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    _ = writeln!(out, "  {sign} {}", texts.join("  "));
    for detail in &entry.details {
        let line = paint.leaf(detail.action, &line(detail));
        _ = writeln!(out, "      {line}");
    }
    for copy in entry.copies.iter().flat_map(|text| text.lines()) {
        _ = writeln!(out, "      {}", escaped(copy));
    }
    if entry.n_more > 0 {
        _ = writeln!(out, "      {}", plural(entry.n_more, "more change"));
    }
}

/// A change in one line: `~ tags.release  "1" → "2"`.
pub(super) fn line(detail: &Detail) -> String {
    format!("{} {}", detail.action.sign(), change(detail))
}

/// A change without its sign.
pub(super) fn change(detail: &Detail) -> String {
    let values = match (&detail.before, &detail.after) {
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (Some(value), None) | (None, Some(value)) => value.clone(),
        (None, None) => String::new(),
    };
    let texts = [detail.place.as_str(), &values, &detail.note].into_iter();
    let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    texts.join("  ")
}
