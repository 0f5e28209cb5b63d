//! The problems of the file: its notes and the findings of a plan's audit, worst first, problems of one kind together.
//!
//! Findings of severity info, such as values that the provider decides or that became known, are many and harmless. They are at the
//! end below a heading, folded until someone opens it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Ctx;
use crate::change::audit::Finding;
use crate::load::audit::Progress;
use crate::stack::{ResourceId, Severity, Stack};
use crate::tui::command::{Command, UpdatesCommand};
use crate::tui::jobs::audit::Report;
use crate::tui::keymap::{self, Scope};
use crate::tui::layout::Pane;
use crate::tui::rows::shown;
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::{count, plural, wrap_words};

/// Maximum number of notes and findings listed. Any further ones are only counted.
const MAX_LISTED: usize = 10_000;

/// One row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    /// A note of the file, by its position.
    Note(usize),
    /// A finding of the audit, by its position in the report.
    Finding(usize),
    /// The heading above the findings of severity info.
    Info,
}

/// Number of problems of one kind from which they get a heading.
const MIN_GROUP: usize = 3;

/// The key that groups problems of one kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Kind {
    severity: Severity,
    shape: String,
}

/// The text of a row.
struct Text {
    severity: Severity,
    place: String,
    /// The place in short, for a row of one line. A URN would leave no room for the message.
    short: String,
    message: String,
}

/// The list of notes and findings.
#[derive(Clone, Default, Debug)]
pub struct ProblemsPane {
    /// The selected row.
    pub cursor: Cursor,
    /// The report of the audit, once it is done.
    pub report: Option<Arc<Report>>,
    /// The progress of the audit, while it runs.
    pub progress: Option<Progress>,
    /// True if the findings of severity info are listed.
    pub shows_info: bool,
    items: Vec<Item>,
    /// The headings above a row.
    groups: HashMap<usize, Vec<(String, Role)>>,
    n_notes: usize,
    /// Number of errors among the notes and findings.
    pub n_errors: usize,
    /// Number of warnings among the notes and findings.
    pub n_warnings: usize,
}

impl ProblemsPane {
    /// Forgets the audit, before another file is read.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes the notes of the stack and the findings of the audit, if any. The cursor stays.
    pub fn set(&mut self, stack: &Stack, height: usize) {
        self.n_notes = stack.notes.len();
        let notes = (0..self.n_notes).map(|index| (stack.notes[index].severity, Item::Note(index)));
        let findings = self.report.iter().flat_map(|report| &report.listed);
        let (mut rows, mut info) = (notes.collect::<Vec<_>>(), Vec::new());
        for (index, (finding, _)) in findings.enumerate() {
            match finding.severity {
                Severity::Info => info.push(Item::Finding(index)),
                severity => rows.push((severity, Item::Finding(index))),
            }
        }
        let number = |wanted| rows.iter().filter(|(it, _)| *it == wanted).count();
        self.n_errors = number(Severity::Error) + number(Severity::Failure);
        self.n_warnings = number(Severity::Warning);
        rows.sort_by_key(|(severity, _)| std::cmp::Reverse(*severity));
        rows.truncate(MAX_LISTED);
        self.items = rows.into_iter().map(|(_, item)| item).collect();
        self.group(stack);
        if !info.is_empty() {
            self.items.push(Item::Info);
            if self.shows_info {
                self.items.extend(info);
            }
        }
        self.cursor.fit(self.items.len(), height);
    }

    /// Puts problems of one kind together, in the order of the first of each kind.
    fn group(&mut self, stack: &Stack) {
        let mut kinds: HashMap<Kind, usize> = HashMap::new();
        let mut rows = Vec::new();
        for item in &self.items {
            let kind = self.kind(*item, stack);
            let n_kinds = kinds.len();
            let place = *kinds.entry(kind.clone()).or_insert(n_kinds);
            rows.push((std::cmp::Reverse(kind.severity), place, kind, *item));
        }
        rows.sort_by_key(|(severity, place, ..)| (*severity, *place));
        self.items = rows.iter().map(|(.., item)| *item).collect();
        self.groups.clear();
        let chunks = rows.chunk_by(|(.., one, _), (.., other, _)| one.severity == other.severity);
        let mut at = 0;
        for chunk in chunks {
            let heading = heading_of(chunk[0].2.severity, chunk.len());
            self.groups.insert(at, vec![(heading, Role::Title)]);
            for kind in chunk.chunk_by(|(.., one, _), (.., other, _)| one == other) {
                if kind.len() >= MIN_GROUP && kind.len() < chunk.len() {
                    let text = format!("{}  {}", kind[0].2.shape, count(kind.len() as u64));
                    let headings = self.groups.entry(at).or_default();
                    headings.push((text, Role::Dim));
                }
                at += kind.len();
            }
        }
    }

    fn kind(&self, item: Item, stack: &Stack) -> Kind {
        match item {
            Item::Note(index) => {
                let note = &stack.notes[index];
                Kind {
                    severity: note.severity,
                    shape: shape(&note.message),
                }
            }
            Item::Finding(index) => {
                let finding = self.report.as_ref().and_then(|it| it.listed.get(index));
                let (severity, shape) = finding.map_or((Severity::Info, ""), |(finding, _)| {
                    (finding.severity, finding.kind)
                });
                Kind {
                    severity,
                    shape: shape.to_owned(),
                }
            }
            Item::Info => Kind {
                severity: Severity::Info,
                shape: String::new(),
            },
        }
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.items.len()
    }

    /// True if the heading above the findings of severity info is selected.
    pub fn is_fold(&self) -> bool {
        self.items.get(self.cursor.row) == Some(&Item::Info)
    }

    /// The resource that the selected row is about.
    pub fn resource(&self, stack: &Stack) -> Option<ResourceId> {
        self.resource_of(stack, *self.items.get(self.cursor.row)?)
    }

    /// The resources that the rows are about.
    pub fn resources(&self, stack: &Stack) -> impl Iterator<Item = ResourceId> {
        let items = self.items.iter();
        items.filter_map(|item| self.resource_of(stack, *item))
    }

    fn resource_of(&self, stack: &Stack, item: Item) -> Option<ResourceId> {
        match item {
            Item::Note(index) => stack.notes.get(index)?.resource,
            Item::Finding(index) => self.report.as_ref()?.listed.get(index)?.1,
            Item::Info => None,
        }
    }

    /// Selects the first row about a resource, unless such a row is selected or there is none.
    pub fn select(&mut self, stack: &Stack, id: ResourceId, height: usize) {
        if self.resource(stack) == Some(id) {
            return;
        }
        let is_about = |item: &Item| self.resource_of(stack, *item) == Some(id);
        if let Some(row) = self.items.iter().position(is_about) {
            self.cursor.go(row, self.items.len(), height);
        }
    }

    /// The selected finding.
    pub fn finding(&self) -> Option<&Finding> {
        match *self.items.get(self.cursor.row)? {
            Item::Finding(index) => Some(&self.report.as_ref()?.listed.get(index)?.0),
            Item::Note(_) | Item::Info => None,
        }
    }

    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, failure: Option<&str>, pane: Pane, buffer: &mut Buffer) {
        self.draw(ctx, failure, pane, buffer);
    }

    /// The row at line `y` of the screen.
    pub fn row_at(&self, ctx: Ctx<'_>, failure: Option<&str>, pane: Pane, y: u16) -> Option<usize> {
        let rows = self.draw(ctx, failure, pane, &mut Buffer::empty(pane.outer));
        let (_, row) = rows.into_iter().find(|(lines, _)| lines.contains(&y))?;
        Some(row)
    }

    /// Draws the pane. Returns the lines of the screen that each row takes.
    fn draw(
        &self,
        ctx: Ctx<'_>,
        failure: Option<&str>,
        pane: Pane,
        buffer: &mut Buffer,
    ) -> Vec<(Range<u16>, usize)> {
        let labels = Labels {
            title: "Problems".to_owned(),
            status: self.status(),
            focused: ctx.focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let area = pane.inner;
        let mut used = 0;
        let mut put_line = |text: &str, role: Role| {
            for line in wrap_words(text, usize::from(area.width).saturating_sub(2)) {
                let mut pen = Pen::new(buffer, ctx.theme, area, used);
                pen.skip(1).put(line, role);
                used += 1;
            }
        };
        if let Some(failure) = failure {
            put_line(failure, Role::Danger);
            if ctx.session.document.is_none() {
                put_line(&ways_on(), Role::Dim);
            }
        }
        if self.items.is_empty() && failure.is_none() {
            if ctx.session.loading.is_some() {
                put_line(
                    "no problems so far; the file is still being read",
                    Role::Dim,
                );
            } else {
                put_line("no problems: every part of the file was read", Role::Good);
            }
        }
        if let Some((text, role)) = self.of_audit(ctx.session.stack()) {
            put_line(&text, role);
        }
        self.draw_rows(ctx, below(area, used), buffer)
    }

    fn status(&self) -> String {
        let n_listed = self.items.iter();
        let n_listed = n_listed
            .filter(|item| matches!(item, Item::Note(_)))
            .count();
        let mut status = if self.n_notes > n_listed {
            format!("{n_listed} of {}", plural(self.n_notes, "note"))
        } else {
            plural(self.n_notes, "note")
        };
        if let Some(progress) = self.progress {
            let percent = progress.done * 100 / progress.total.max(1);
            status = format!("{status} · checking the plan {percent} %");
        } else if let Some(report) = self.report.as_ref().filter(|report| report.basis.is_some()) {
            let counts = [(report.n_errors, "error"), (report.n_warnings, "warning")];
            for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
                status = format!("{status} · {}", plural(count, what));
            }
        }
        status
    }

    /// A sentence about the audit as a whole.
    fn of_audit(&self, stack: &Stack) -> Option<(String, Role)> {
        let report = self.report.as_ref()?;
        if let Some(failure) = &report.failure {
            return Some((
                format!("the plan was not checked: {}", shown(failure)),
                Role::Danger,
            ));
        }
        Some(match &report.basis {
            Some(basis) if report.n_errors + report.n_warnings == 0 => (
                format!(
                    "the plan follows the rules: checked against {}",
                    shown(basis)
                ),
                Role::Good,
            ),
            Some(basis) => (
                format!("the plan was checked against {}", shown(basis)),
                Role::Dim,
            ),
            None => {
                let wants = if stack.header.kind.is_pulumi() {
                    "a later preview or state, as a second file"
                } else {
                    "--schema with the schemas of its providers, or a later state as a second file; without schemas lists cannot be told \
                     from sets"
                };
                (
                    format!("the plan was not checked: this needs {wants}"),
                    Role::Dim,
                )
            }
        })
    }

    fn text(&self, item: Item, stack: &Stack) -> Option<Text> {
        match item {
            Item::Note(index) => {
                let note = stack.notes.get(index)?;
                let name = note.resource.map(|id| stack.short_name(id));
                let name = name.filter(|name| !name.is_empty());
                Some(Text {
                    severity: note.severity,
                    place: shown(&note.place),
                    short: shown(name.unwrap_or(&note.place)),
                    message: shown(&note.message),
                })
            }
            Item::Finding(index) => {
                let (finding, _) = self.report.as_ref()?.listed.get(index)?;
                let resource = crate::tui::rows::urn_name(&finding.resource);
                let path = if finding.path.0.is_empty() {
                    String::new()
                } else {
                    format!(" {}", finding.path)
                };
                let place = shown(&format!("{resource}{path}"));
                Some(Text {
                    severity: finding.severity,
                    short: place.clone(),
                    place,
                    message: shown(&finding.sentence),
                })
            }
            Item::Info => None,
        }
    }

    fn draw_rows(&self, ctx: Ctx<'_>, area: Rect, buffer: &mut Buffer) -> Vec<(Range<u16>, usize)> {
        let (mut line, mut drawn) = (0, Vec::new());
        let top = self.top(ctx, area);
        for (row, item) in self.items.iter().enumerate().skip(top) {
            for (text, role) in self.groups.get(&row).into_iter().flatten() {
                if line < area.height {
                    Pen::new(buffer, ctx.theme, area, line)
                        .skip(1)
                        .put(text, *role);
                }
                line += 1;
            }
            if line >= area.height {
                break;
            }
            let is_selected = row == self.cursor.row;
            let start = line;
            let mut pen = Pen::new(buffer, ctx.theme, area, line);
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            line += match self.text(*item, ctx.session.stack()) {
                None => {
                    pen.put(&self.heading(), Role::Title);
                    1
                }
                Some(text) if is_selected => {
                    let place = LineArea { area, line };
                    draw_whole(&text, ctx, place, buffer)
                }
                Some(text) => {
                    pen.put(&format!("{:<8}", text.severity.name()), role(text.severity))
                        .put(&text.short, Role::Key)
                        .put("  ", Role::Text)
                        .put(&text.message, Role::Text);
                    1
                }
            };
            drawn.push((area.y + start..area.y + line, row));
            if is_selected {
                let lines = Rect::new(area.x, area.y + start, area.width, line - start);
                let lines = lines.intersection(area);
                ctx.theme.highlight(buffer, lines, ctx.focused);
            }
        }
        drawn
    }

    /// The first row on the screen, so that the whole selected row fits below it.
    fn top(&self, ctx: Ctx<'_>, area: Rect) -> usize {
        let n_headings = |row: usize| self.groups.get(&row).map_or(0, Vec::len);
        let selected = self.cursor.row;
        let item = self.items.get(selected);
        let text = item.and_then(|item| self.text(*item, ctx.session.stack()));
        let room = usize::from(area.width).saturating_sub(INDENT + 1);
        let mut needed = text.map_or(1, |text| 1 + wrap_words(&text.message, room).len());
        needed += n_headings(selected);
        let mut top = selected;
        while top > self.cursor.top {
            needed += 1 + n_headings(top - 1);
            if needed > usize::from(area.height) {
                break;
            }
            top -= 1;
        }
        top
    }

    fn heading(&self) -> String {
        let n_info = self.report.as_ref().map_or(0, |report| report.n_info);
        let sign = if self.shows_info { "▾" } else { "▸" };
        format!(
            "{sign} {} ({n_info}): decided by the provider, or known only now",
            Severity::Info.plural()
        )
    }
}

/// Number of cells before the message of the selected row.
const INDENT: usize = 9;

/// A line of the list.
#[derive(Clone, Copy)]
struct LineArea {
    area: Rect,
    line: u16,
}

/// Draws the selected row: the place, and the whole message below it. Returns the number of lines.
fn draw_whole(text: &Text, ctx: Ctx<'_>, at: LineArea, buffer: &mut Buffer) -> u16 {
    let LineArea { area, line } = at;
    let mut pen = Pen::new(buffer, ctx.theme, area, line);
    pen.skip(1)
        .put(&format!("{:<8}", text.severity.name()), role(text.severity))
        .put(&text.place, Role::Key);
    let room = usize::from(area.width).saturating_sub(INDENT + 1);
    let mut used = 1;
    for piece in wrap_words(&text.message, room) {
        if line + used >= area.height {
            break;
        }
        let mut pen = Pen::new(buffer, ctx.theme, area, line + used);
        pen.skip(INDENT).put(piece, Role::Text);
        used += 1;
    }
    used
}

fn role(severity: Severity) -> Role {
    match severity {
        Severity::Error | Severity::Failure => Role::Danger,
        Severity::Warning => Role::Badge,
        Severity::Info => Role::Dim,
    }
}

/// `errors (2)`.
fn heading_of(severity: Severity, number: usize) -> String {
    format!("{} ({})", severity.plural(), count(number as u64))
}

/// The words that messages of one kind share: names, paths and numbers become `…`.
fn shape(message: &str) -> String {
    let is_name = |word: &str| {
        let inner = word.trim_end_matches([',', ';', ':', '.']);
        inner.contains([':', '/', '.', '"', '\'', '`', '[', '_'])
            || inner.contains(char::is_numeric)
    };
    let words = message.split_whitespace();
    let words: Vec<_> = words
        .map(|word| if is_name(word) { "…" } else { word })
        .collect();
    shown(&words.join(" "))
}

fn below(area: Rect, used: u16) -> Rect {
    let used = used.min(area.height);
    Rect::new(area.x, area.y + used, area.width, area.height - used)
}

/// The keys that lead on when nothing is open.
fn ways_on() -> String {
    let words = [
        (Command::Reload, "try again"),
        (
            Command::Updates(UpdatesCommand::Folder),
            "files in this folder",
        ),
        (Command::Quit, "quit"),
    ];
    keymap::hints(Scope::Main, &words)
}
