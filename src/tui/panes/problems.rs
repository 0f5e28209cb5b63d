//! The problems of the file: its notes, worst first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Ctx;
use crate::stack::{Note, Severity, Stack};
use crate::tui::layout::Pane;
use crate::tui::rows::shown;
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::{plural, wrap};

/// More notes than this are counted, not listed.
const MAX_LISTED: usize = 10_000;

/// The list of notes.
#[derive(Clone, Default, Debug)]
pub struct ProblemsPane {
    /// The selected note.
    pub cursor: Cursor,
    /// Positions of the notes, worst first.
    order: Vec<usize>,
    n_notes: usize,
}

impl ProblemsPane {
    /// Takes the notes of the stack; the cursor stays.
    pub fn set(&mut self, stack: &Stack, height: usize) {
        self.n_notes = stack.notes.len();
        self.order = (0..stack.notes.len()).collect();
        self.order
            .sort_by_key(|index| std::cmp::Reverse(stack.notes[*index].severity));
        self.order.truncate(MAX_LISTED);
        self.cursor.fit(self.order.len(), height);
    }

    /// How many notes are listed.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The selected note.
    pub fn selected<'a>(&self, stack: &'a Stack) -> Option<&'a Note> {
        stack.notes.get(*self.order.get(self.cursor.row)?)
    }

    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, failure: Option<&str>, pane: Pane, buffer: &mut Buffer) {
        let labels = Labels {
            title: "Problems".to_owned(),
            status: if self.n_notes > self.order.len() {
                format!("{} of {}", self.order.len(), plural(self.n_notes, "note"))
            } else {
                plural(self.n_notes, "note")
            },
            focused: ctx.focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let area = pane.inner;
        let mut used = 0;
        if let Some(failure) = failure {
            for line in wrap(failure, usize::from(area.width).saturating_sub(2)) {
                let mut pen = Pen::new(buffer, ctx.theme, area, used);
                pen.skip(1).put(line, Role::Danger);
                used += 1;
            }
        }
        if self.order.is_empty() && failure.is_none() {
            let mut pen = Pen::new(buffer, ctx.theme, area, 0);
            pen.skip(1)
                .put("no problems: every part of the file was read", Role::Good);
        }
        self.draw_notes(ctx, below(area, used), buffer);
    }

    fn draw_notes(&self, ctx: Ctx<'_>, area: Rect, buffer: &mut Buffer) {
        let mut line = 0;
        let shown_rows = self.order.iter().enumerate().skip(self.cursor.top);
        for (row, index) in shown_rows {
            if line >= area.height {
                break;
            }
            let Some(note) = ctx.stack.notes.get(*index) else {
                break;
            };
            let is_selected = row == self.cursor.row;
            let start = line;
            let mut pen = Pen::new(buffer, ctx.theme, area, line);
            let (word, role) = severity(note.severity);
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            pen.put(&format!("{word:<8}"), role);
            let text = shown(&note.message);
            let indent = 9;
            let room = usize::from(area.width).saturating_sub(indent + 1);
            if is_selected {
                pen.put(&shown(&note.place), Role::Key);
                line += 1;
                for piece in wrap(&text, room) {
                    let mut pen = Pen::new(buffer, ctx.theme, area, line);
                    pen.skip(indent).put(piece, Role::Text);
                    line += 1;
                }
            } else {
                // A URN would leave no room for what is the matter.
                let name = note.resource.map(|id| ctx.stack.short_name(id));
                let place = name.filter(|name| !name.is_empty()).unwrap_or(&note.place);
                pen.put(&shown(place), Role::Key).put("  ", Role::Text);
                pen.put(&text, Role::Text);
                line += 1;
            }
            if is_selected {
                let lines = Rect::new(area.x, area.y + start, area.width, line - start);
                let lines = lines.intersection(area);
                ctx.theme.highlight(buffer, lines, ctx.focused);
            }
        }
    }
}

fn severity(severity: Severity) -> (&'static str, Role) {
    match severity {
        Severity::Error => ("error", Role::Danger),
        Severity::Warning => ("warning", Role::Badge),
        Severity::Info => ("note", Role::Dim),
    }
}

fn below(area: Rect, used: u16) -> Rect {
    let used = used.min(area.height);
    Rect::new(area.x, area.y + used, area.width, area.height - used)
}
