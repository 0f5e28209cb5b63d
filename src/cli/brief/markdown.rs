//! The page as Markdown, for a comment on a pull request.
//!
//! # Laws
//!
//! 1. The text has at most [`MAX_BYTES`] bytes, and says how much of which section is left out.
//! 2. No text of a file becomes markup: it is code, or it is nothing but words.

use std::fmt::Write as _;

use super::text;
use crate::change::difference;
use crate::load::brief::page::{Detail, Entry, Page, Part};
use crate::render::markdown::{code, fence, prose};
use crate::stack::{Action, Stack};
use crate::text::count;

/// Maximum size of the text. Hosts refuse longer comments.
const MAX_BYTES: usize = 65_536;

/// Maximum length in characters of a line that has a text of the file.
const MAX_LINE: usize = 400;

/// Space that is kept for each section: its title, and the number of what is left out of it.
const MIN_SECTION: usize = 300;

/// Space that is kept for the lines at the end.
const MIN_END: usize = 2_000;

/// A section with its lines.
struct Section<'p> {
    part: &'p Part,
    /// The text of each entry.
    items: Vec<String>,
}

/// The whole text. Writing to it cannot fail.
pub(super) fn text(title: &str, stack: &Stack, page: &Page) -> String {
    let title = code(&cut(title));
    let heading = if title.is_empty() { "Changes" } else { &title };
    let counts = text::counts(stack, page);
    let counts = match counts.split_once(':') {
        Some((total, rest)) => format!("**{total}**:{rest}"),
        None => format!("**{counts}**"),
    };
    let mut out = format!("### {heading}\n\n{counts}\n");
    let sections: Vec<Section<'_>> = page.parts.iter().map(Section::of).collect();
    let reserved = MIN_END + MIN_SECTION * sections.len();
    let mut free = MAX_BYTES.saturating_sub(out.len() + reserved);
    let mut needed: usize = sections.iter().map(Section::size).sum();
    let mut left_out = Vec::new();
    for section in &sections {
        needed -= section.size();
        // The rest of the sections share what this one leaves.
        let allowed = free.saturating_sub(needed).max(free / 2);
        let n_shown = section.write(&mut out, allowed, &mut free);
        let part = section.part;
        let shown = part.entries.iter().take(n_shown);
        let n_shown: usize = shown.map(|entry| entry.ids.len().max(1)).sum();
        if part.count > n_shown {
            let [n, all] = [part.count - n_shown, part.count].map(|n| count(n as u64));
            left_out.push(format!("{n} of {all} {}", part.title.words()));
        }
    }
    if !left_out.is_empty() {
        _ = writeln!(out, "\n**Left out here**: {}", left_out.join(" · "));
    }
    for remark in &page.remarks {
        let line = format!("\n{}\n", code(&cut(remark)));
        if out.len() + line.len() <= MAX_BYTES {
            out.push_str(&line);
        }
    }
    out
}

impl<'p> Section<'p> {
    fn of(part: &'p Part) -> Self {
        let item = match part.title.level() {
            Some(_) => finding,
            None => lines,
        };
        Self {
            part,
            items: part.entries.iter().map(item).collect(),
        }
    }

    /// Size of all items.
    fn size(&self) -> usize {
        self.items.iter().map(String::len).sum()
    }

    /// Writes as many items as fit, and takes their size from the free space. Returns their number.
    fn write(&self, out: &mut String, allowed: usize, free: &mut usize) -> usize {
        let title = self.part.title.heading();
        let count = count(self.part.count as u64);
        let is_finding = self.part.title.level().is_some();
        let (mut body, mut marks) = (String::new(), fence(""));
        let mut n_shown = 0;
        for item in &self.items {
            let wider = fence(item);
            let n_marks = marks.len().max(wider.len());
            if body.len() + item.len() + 2 * n_marks > allowed {
                break;
            }
            if n_marks > marks.len() {
                marks = wider;
            }
            body.push_str(item);
            n_shown += 1;
        }
        if is_finding {
            _ = write!(out, "\n#### {title} · {count}\n\n{body}");
        } else {
            _ = write!(
                out,
                "\n<details><summary>{title} · {count}</summary>\n\n{marks}diff\n{body}{marks}\n\n</details>\n"
            );
            *free = free.saturating_sub(2 * marks.len());
        }
        *free = free.saturating_sub(body.len());
        n_shown
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
    match &entry.rule {
        Some(rule) => {
            _ = write!(
                out,
                " — {} ({})",
                prose(&cut(&rule.says)),
                code(&cut(&rule.id))
            );
        }
        None => _ = write!(out, " — {}", prose(&cut(&entry.says))),
    }
    out.push('\n');
    for detail in &entry.details {
        _ = writeln!(out, "  - {}", code(&cut(&text::line(detail))));
    }
    if entry.n_more > 0 {
        _ = writeln!(out, "  - {} more changes", entry.n_more);
    }
    out
}

/// An entry as lines of a difference, which hosts color by their first letter.
fn lines(entry: &Entry) -> String {
    let texts = [&text::names(entry).join(", "), &entry.ty, &entry.says];
    let texts: Vec<&str> = texts
        .into_iter()
        .map(|it| &**it)
        .filter(|it| !it.is_empty())
        .collect();
    let mut out = format!("{} {}\n", sign(entry.action), cut(&texts.join("  ")));
    for detail in &entry.details {
        _ = writeln!(
            out,
            "{}     {}",
            sign_of(detail),
            cut(&text::change(detail))
        );
    }
    for copy in entry.copies.iter().flat_map(|text| text.lines()) {
        _ = writeln!(out, "      {}", crate::text::escaped(&cut(copy)));
    }
    if entry.n_more > 0 {
        _ = writeln!(out, "      {} more changes", entry.n_more);
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

fn sign_of(detail: &Detail) -> &'static str {
    match detail.action {
        difference::Action::Same => " ",
        difference::Action::Create => "+",
        difference::Action::Update => "!",
        difference::Action::Delete => "-",
    }
}

/// The beginning of a text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
