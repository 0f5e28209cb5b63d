//! The page as text, for a terminal or a log.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::super::paint::Paint;
use crate::change::difference;
use crate::load::brief::page::{Detail, Entry, Page, Part};
use crate::render::plain::padded;
use crate::stack::{Agreement, Stack};
use crate::text::{count, escaped, plural};
use crate::tui::theme::Role;

/// Maximum number of names that are printed of one entry.
const MAX_NAMES: usize = 3;

/// Maximum number of lines that mend an entry.
const MAX_COPIES: usize = 5;

/// Maximum width of a column of names, in cells.
const MAX_COLUMN: usize = 60;

// Writing to a string cannot fail.
pub(super) fn text(stack: &Stack, page: &Page, paint: &Paint) -> String {
    let mut out = paint.role(Role::Title, &counts(stack, page));
    out.push('\n');
    for line in common(page) {
        _ = writeln!(out, "{line}");
    }
    for part in &page.parts {
        _ = writeln!(out, "\n{}", paint.role(Role::Title, &title(part)));
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

/// The title of a section with the number of its entries, and of the changes in them if these are more.
pub(super) fn title(part: &Part) -> String {
    format!("{}  {}", part.title.heading(), part.counts())
}

/// The lines of the cost and of the common changes.
pub(super) fn common(page: &Page) -> impl Iterator<Item = String> {
    let common = page.common.iter();
    let common = common.map(|detail| format!("common: {}", line(detail).trim_start()));
    let cost = page.cost.iter().map(ToString::to_string);
    cost.chain(common)
}

/// A line of an entry, with the difference that it makes to the cost.
pub(super) fn with_cost(line: String, entry: &Entry) -> String {
    match &entry.cost {
        Some(cost) if line.is_empty() => cost.a_month(),
        Some(cost) => format!("{line} · {}", cost.a_month()),
        None => line,
    }
}

/// Example: `21 changes: 2 delete, 2 replace, 17 update`.
pub(super) fn counts(stack: &Stack, page: &Page) -> String {
    if !page.summary.is_empty() {
        return page.summary.clone();
    }
    let total = stack.total(&page.changes);
    let counts = stack.in_words(&page.changes.resources).into_iter();
    let counts = counts.map(|(_, n, word)| format!("{} {word}", count(n as u64)));
    let changes = with_actions(total, &counts.collect::<Vec<_>>());
    let agreement = stack.counts.agreement.map(Agreement::words);
    let along = Some(page.along.clone()).filter(|it| !it.is_empty());
    let words = [changes]
        .into_iter()
        .chain(along)
        .chain(agreement.into_iter().flatten());
    words.collect::<Vec<_>>().join(" · ")
}

/// A total with the number of each action after it.
pub(super) fn with_actions(total: String, actions: &[String]) -> String {
    match actions {
        [] => total,
        actions => format!("{total}: {}", actions.join(", ")),
    }
}

/// The first names of an entry, and the number of the other resources; of a group, how many of its type it has.
pub(super) fn names(entry: &Entry) -> Vec<String> {
    match entry.share() {
        Some(share) => vec![share],
        None => first_names(entry),
    }
}

/// The first names of an entry, and the number of the other resources.
pub(super) fn first_names(entry: &Entry) -> Vec<String> {
    let names = entry.names.iter().take(MAX_NAMES);
    let names = names.map(|name| name.text.clone());
    names.chain(entry.more_than(MAX_NAMES)).collect()
}

/// The words of an entry with its only change, which belongs to its first line.
pub(super) fn words(entry: &Entry) -> String {
    let only = entry.inlined().map(line);
    let words = spaced([&*entry.says, only.as_deref().unwrap_or_default()]);
    placed(&words, entry)
}

/// The words with the line that declares the resources of the entry.
pub(super) fn placed(words: &str, entry: &Entry) -> String {
    let words = Some(words.to_owned()).filter(|it| !it.is_empty());
    let parts = words.into_iter().chain(entry.declared_at());
    parts.collect::<Vec<_>>().join(" · ")
}

/// The texts that are not empty, with blanks between them.
pub(super) fn spaced<const N: usize>(texts: [&str; N]) -> String {
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join("  ")
}

/// What comes along with something else, in one line without its sign.
pub(super) fn along(entry: &Entry) -> String {
    let details = entry.details.iter().map(|detail| match detail.action {
        difference::Action::Same => change(detail),
        _ => line(detail),
    });
    let ty = if entry.shows_type() { &*entry.ty } else { "" };
    let says = Some(entry.says.clone()).into_iter().chain(details);
    let says: Vec<String> = says.filter(|text| !text.is_empty()).collect();
    spaced([&names(entry).join(", "), ty, &says.join(" · ")])
}

/// Prints an entry. Its names take at least `column` cells if something follows.
fn print_entry(out: &mut String, entry: &Entry, column: usize, paint: &Paint) {
    let sign = sign(entry);
    let sign = paint.action(entry.action, sign);
    let mut names = names(entry).join(", ");
    let words = words(entry);
    if !words.is_empty() {
        names = padded(&names, column);
    }
    let names = paint.action(entry.action, &names);
    let ty = if entry.shows_type() { &*entry.ty } else { "" };
    let texts = spaced([&names, &paint.role(Role::Type, ty), &words]);
    _ = writeln!(out, "  {sign} {}", with_cost(texts, entry));
    for detail in entry.below() {
        let line = paint.leaf(detail.action, &line(detail));
        _ = writeln!(out, "      {line}");
    }
    if entry.n_more > 0 {
        _ = writeln!(out, "      {}", plural(entry.n_more, "more change"));
    }
    for other in &entry.along {
        let sign = paint.action(other.action, self::sign(other));
        _ = writeln!(out, "      {sign} {}", along(other));
    }
    let mut copies = entry.copies.iter().flat_map(|text| text.lines());
    for copy in copies.by_ref().take(MAX_COPIES) {
        _ = writeln!(out, "      {}", escaped(copy));
    }
    if let n @ 1.. = copies.count() {
        _ = writeln!(
            out,
            "      {} to copy: --json has all",
            plural(n, "more line")
        );
    }
}

pub(super) fn sign(entry: &Entry) -> &'static str {
    entry.action.map_or(" ", |action| action.sign())
}

/// A change in one line: `~ tags.release  "1" → "2"`.
pub(super) fn line(detail: &Detail) -> String {
    format!("{} {}", detail.action.sign(), change(detail))
}

/// A change without its sign.
pub(super) fn change(detail: &Detail) -> String {
    let values = match (&detail.before, &detail.after) {
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (None, Some(after)) if detail.action == difference::Action::Update => format!("→ {after}"),
        (Some(value), None) | (None, Some(value)) => value.clone(),
        (None, None) => String::new(),
    };
    spaced([&*detail.place, &values, &detail.note])
}
