//! The page as Markdown, for a comment on a pull request.
//!
//! # Laws
//!
//! 1. A body has at most the bytes that it may have, and says how much of which section is left out if there is room for that.
//! 2. No text of a file becomes markup: it is code, or it is nothing but words.

use std::fmt::Write as _;

use super::text;
use crate::load::brief::page::{Entry, Page, Part};
use crate::render::markdown::{code, colored_sign, fence, prose};
use crate::stack::Action;
use crate::text::count;

/// Maximum size of the text. Hosts refuse comments of more than 65,536 bytes, and a script adds a mark by which it finds its comment.
pub(super) const MAX_BYTES: usize = 65_000;

/// Maximum length in characters of a line that has a text of the file.
const MAX_LINE: usize = 400;

/// The start of the line that says what is left out.
const LEFT_OUT: &str = "\n**Left out here**: ";

/// A section with its lines.
struct Section<'p> {
    part: &'p Part,
    /// The text of each entry.
    items: Vec<String>,
    /// The text around the items if there are none.
    frame: usize,
    /// The text that says that all of it is left out.
    note: usize,
}

/// The heading of a page, and its counts, with the total in bold.
pub(super) fn head(title: &str, counts: &str) -> String {
    let title = code(&cut(title));
    let heading = if title.is_empty() { "Changes" } else { &title };
    format!("### {heading}\n\n{}\n", total(counts))
}

/// Counts with their total in bold.
pub(super) fn total(counts: &str) -> String {
    match counts.split_once(':') {
        Some((total, rest)) => format!("**{total}**:{rest}"),
        None => format!("**{counts}**"),
    }
}

/// The whole text of a page.
pub(super) fn text(title: &str, counts: &str, page: &Page) -> String {
    let head = head(title, counts);
    let room = MAX_BYTES.saturating_sub(head.len());
    head + &body(page, room)
}

/// The sections of a page and its remarks in at most `room` bytes.
pub(super) fn body(page: &Page, room: usize) -> String {
    let mut out = String::new();
    for line in text::common(page) {
        _ = writeln!(out, "\n{}", code(&cut(&line)));
    }
    let room = room.saturating_sub(out.len());
    let sections: Vec<Section<'_>> = page.parts.iter().map(Section::of).collect();
    let notes: usize = sections.iter().map(|it| it.note).sum();
    let remarks = page.remarks.iter();
    let remarks: Vec<String> = remarks
        .map(|it| format!("\n{}\n", code(&cut(it))))
        .collect();
    let mut needed: usize = sections.iter().map(Section::size).sum();
    let mut free = room.saturating_sub(remarks.iter().map(String::len).sum());
    if needed > free {
        free = free.saturating_sub(LEFT_OUT.len() + notes);
    }
    let mut left_out = Vec::new();
    for section in &sections {
        needed -= section.size();
        // The rest of the sections share what this one leaves.
        let allowed = free.saturating_sub(needed).max(free / 2);
        let (text, n_shown) = section.within(allowed);
        free -= text.len();
        out.push_str(&text);
        let part = section.part;
        let shown = part.entries.iter().take(n_shown);
        let n_shown: usize = shown.map(Entry::n_changes).sum();
        if part.count > n_shown {
            left_out.push(note(part, part.count - n_shown));
        }
    }
    if !left_out.is_empty() {
        let line = format!("{LEFT_OUT}{}\n", left_out.join(BETWEEN));
        if out.len() + line.len() <= room {
            out.push_str(&line);
        }
    }
    for line in remarks {
        if out.len() + line.len() <= room {
            out.push_str(&line);
        }
    }
    out
}

/// The text between what is left out of one section and of the next.
const BETWEEN: &str = " · ";

/// Says that this many of a section are left out.
fn note(part: &Part, n_left_out: usize) -> String {
    let [n, all] = [n_left_out, part.count].map(|n| count(n as u64));
    format!("{n} of {all} {}", part.title.words())
}

impl<'p> Section<'p> {
    fn of(part: &'p Part) -> Self {
        let item = match part.title.level() {
            Some(_) => finding,
            None => lines,
        };
        let mut section = Self {
            part,
            items: part.entries.iter().map(item).collect(),
            frame: 0,
            note: note(part, part.count).len() + BETWEEN.len(),
        };
        section.frame = section.framed("", &fence("")).len();
        section
    }

    /// Size of the whole section, with marks that fit all items.
    fn size(&self) -> usize {
        let items = self.items.iter();
        let marks = items.clone().map(|item| fence(item).len()).max();
        self.frame + items.map(String::len).sum::<usize>() + 2 * marks.unwrap_or(0)
    }

    /// The section with as many items as fit, and their number. Without any of them there is no section.
    fn within(&self, allowed: usize) -> (String, usize) {
        let (mut body, mut marks) = (String::new(), fence(""));
        let mut n_shown = 0;
        for item in &self.items {
            let wider = fence(item);
            let n_marks = marks.len().max(wider.len());
            if self.frame + body.len() + item.len() + 2 * n_marks > allowed {
                break;
            }
            if n_marks > marks.len() {
                marks = wider;
            }
            body.push_str(item);
            n_shown += 1;
        }
        if n_shown < self.items.len().min(1) || self.frame > allowed {
            return (String::new(), 0);
        }
        (self.framed(&body, &marks), n_shown)
    }

    /// The title of the section, and its items below it.
    fn framed(&self, body: &str, marks: &str) -> String {
        let title = format!("{} · {}", self.part.title.heading(), self.part.counts());
        match self.part.title.level() {
            Some(_) => format!("\n#### {title}\n\n{body}"),
            None => format!(
                "\n<details><summary>{title}</summary>\n\n{marks}diff\n{body}{marks}\n\n</details>\n"
            ),
        }
    }
}

/// A finding as an item of a list, with its changes below it.
fn finding(entry: &Entry) -> String {
    let mut out = String::from("- ");
    if let Some(action) = entry.action {
        _ = write!(out, "{} ", code(action.sign()));
    }
    let names = text::names(entry);
    let names: Vec<String> = names.iter().map(|name| code(&cut(name))).collect();
    out.push_str(&names.join(", "));
    if entry.shows_type() {
        _ = write!(out, " {}", code(&cut(&entry.ty)));
    }
    _ = write!(out, " — {}", prose(&cut(&entry.says)));
    if let Some(position) = entry.declared_at() {
        _ = write!(out, " · {}", code(&cut(&position)));
    }
    if let Some(cost) = &entry.cost {
        _ = write!(out, " · {}", code(&cost.a_month()));
    }
    out.push('\n');
    for detail in &entry.details {
        let line = match detail.level {
            Some(_) => prose(&cut(&detail.note)),
            None => code(&cut(&text::line(detail))),
        };
        _ = writeln!(out, "  - {line}");
    }
    if entry.n_more > 0 {
        _ = writeln!(out, "  - {} more changes", entry.n_more);
    }
    for other in &entry.along {
        let line = format!("{} {}", text::sign(other), text::along(other));
        _ = writeln!(out, "  - {}", code(&cut(&line)));
    }
    out
}

/// An entry as lines of a difference, which hosts color by their first letter.
fn lines(entry: &Entry) -> String {
    let ty = if entry.shows_type() { &*entry.ty } else { "" };
    let names = text::names(entry).join(", ");
    let line = text::spaced([&names, ty, &text::words(entry)]);
    let line = text::with_cost(cut(&line), entry);
    let mut out = format!("{} {line}\n", sign(entry.action));
    for detail in entry.below() {
        let sign = colored_sign(detail.action);
        _ = writeln!(out, "{sign}     {}", cut(&text::change(detail)));
    }
    if entry.n_more > 0 {
        _ = writeln!(out, "      {} more changes", entry.n_more);
    }
    for other in &entry.along {
        let sign = sign(other.action);
        _ = writeln!(out, "{sign}     {}", cut(&text::along(other)));
    }
    for copy in entry.copies.iter().flat_map(|text| text.lines()) {
        _ = writeln!(out, "      {}", crate::text::escaped(&cut(copy)));
    }
    out
}

fn sign(action: Option<Action>) -> &'static str {
    match action {
        Some(Action::Create) => "+",
        Some(Action::Delete) => "-",
        Some(Action::Replace) => "-/+",
        Some(Action::Update) => "!",
        Some(
            Action::Read
            | Action::Import
            | Action::Move
            | Action::Forget
            | Action::Defer
            | Action::Noop,
        )
        | None => " ",
    }
}

/// The beginning of a text.
fn cut(text: &str) -> String {
    crate::text::cut(&text, MAX_LINE)
}
