//! Drawing the list of problems.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Item, ProblemsView};
use crate::stack::{Severity, Stack};
use crate::tui::command::{Command, UpdatesCommand};
use crate::tui::keymap::{self, Scope};
use crate::tui::layout::Pane;
use crate::tui::panes::{Ctx, Drawn};
use crate::tui::rows::shown;
use crate::tui::theme::Role;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::scrollbar::{self, Bar};
use crate::tui::widgets::text::{plural, wrap_words};

/// The text of a row.
struct Text {
    severity: Severity,
    place: String,
    /// The place in short, for a row of one line. A URN would leave no room for the message.
    short: String,
    message: String,
}

impl ProblemsView {
    /// Draws the view.
    pub(super) fn draw(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) -> Drawn {
        let labels = Labels {
            title: match &self.filter {
                Some(filter) => format!("Problems · filter: {}", shown(&filter.text)),
                None => "Problems".to_owned(),
            },
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
        let failure = ctx.session.failure.as_deref();
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
            } else if self.filter.is_some() {
                put_line("no problem matches the filter", Role::Dim);
            } else {
                put_line("no problems: every part of the file was read", Role::Good);
            }
        }
        if let Some((text, role)) = self.of_audit(ctx.session.stack()) {
            put_line(&text, role);
        }
        let area = below(area, used);
        let bar = Bar {
            area: Rect {
                y: area.y,
                height: area.height,
                ..scrollbar::column(pane)
            },
            top: self.top(ctx, area),
            len: self.items.len(),
        };
        scrollbar::draw(buffer, ctx.theme, bar, |_| None);
        Drawn {
            rows: self.draw_rows(ctx, area, buffer),
            bar: Some(bar),
        }
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

    /// A row as text: its severity, its place and its message.
    pub(super) fn row_text(&self, item: Item, stack: &Stack) -> String {
        match self.text(item, stack) {
            Some(text) => format!("{} {} {}", text.severity.name(), text.place, text.message),
            None => self.heading(),
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
