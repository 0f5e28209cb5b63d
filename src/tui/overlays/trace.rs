//! The trace of a value: the updates in which it changed, newest first. They are listed while the search runs.

use super::Outcome;
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{boxed, centered, clear};
use crate::load::timeline::{Moment, Record, Traced};
use crate::render::plain::utc;
use crate::tui::jobs::Cancel;
use crate::tui::rows::shown;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::{plural, wrap_words};
use crate::value::Value;

/// The changes of a value.
#[derive(Debug)]
pub struct Trace {
    /// The name of the value, escaped.
    pub title: String,
    /// URN of the resource.
    pub urn: String,
    /// Ends the search.
    pub stop: Cancel,
    rows: Vec<TracedUpdate>,
    cursor: Cursor,
    n_read: usize,
    n_all: usize,
    n_unreadable: usize,
    state: TraceProgress,
}

#[derive(Debug)]
struct TracedUpdate {
    found: Moment,
    nanos: u64,
    record: Record,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TraceProgress {
    Going,
    Stopped,
    Done,
    NoHistory,
}

impl Trace {
    /// A search that has just begun.
    pub fn new(title: String, urn: String) -> Self {
        Self {
            title,
            urn,
            stop: Cancel::default(),
            rows: Vec::new(),
            cursor: Cursor::default(),
            n_read: 0,
            n_all: 0,
            n_unreadable: 0,
            state: TraceProgress::Going,
        }
    }

    /// Takes the progress of the search, and the change that it found. `update` has the time of that update in nanoseconds and its
    /// record.
    pub fn take(&mut self, traced: Traced, update: Option<(u64, Record)>) {
        self.n_read = traced.n_read;
        self.n_all = traced.n_all;
        self.n_unreadable = traced.n_unreadable;
        if let (Some(found), Some((nanos, record))) = (traced.found, update) {
            self.rows.push(TracedUpdate {
                found,
                nanos,
                record,
            });
        }
    }

    /// Records that the search ended.
    pub fn end(&mut self, has_history: bool) {
        if self.state == TraceProgress::Going {
            self.state = if has_history {
                TraceProgress::Done
            } else {
                TraceProgress::NoHistory
            };
        }
    }

    /// Stops the search. Returns false if it was over.
    pub fn stop(&mut self) -> bool {
        let is_going = self.state == TraceProgress::Going;
        if is_going {
            self.stop.cancel();
            self.state = TraceProgress::Stopped;
        }
        is_going
    }

    /// Index of the update on the selected row.
    pub fn chosen(&self) -> Option<usize> {
        Some(self.rows.get(self.cursor.row)?.found.index)
    }

    fn area(body: Rect) -> Rect {
        let height = (usize::from(body.height) * 2 / 3).max(8);
        centered(body, 100, height)
    }

    fn status(&self) -> String {
        let read = format!("{} of {} states", self.n_read, self.n_all);
        let key = keymap::key_in(Scope::Trace, Command::Cancel);
        match self.state {
            TraceProgress::Going if self.n_all == 0 => format!("{key} stop"),
            TraceProgress::Going => {
                let filled = self.n_read * 10 / self.n_all;
                let bar = "▓".repeat(filled.min(10)) + &"░".repeat(10 - filled.min(10));
                format!("{bar} {read} · {key} stop")
            }
            TraceProgress::Stopped => format!("stopped at {read} · {key} back"),
            TraceProgress::Done | TraceProgress::NoHistory => {
                let unreadable = match self.n_unreadable {
                    0 => String::new(),
                    n => format!(", {n} unreadable"),
                };
                format!("{}{unreadable} · {key} back", plural(self.n_all, "state"))
            }
        }
    }

    /// Handles a command.
    pub fn update(&mut self, command: Command, body: Rect) -> Outcome {
        match command {
            Command::Move(motion) => {
                // A row takes two lines.
                let height = usize::from(boxed(Self::area(body)).inner.height) / 2;
                self.cursor.obey(motion, self.rows.len(), height);
            }
            // The first Esc stops the search, the second closes the list.
            Command::Cancel if self.stop() => {}
            Command::Cancel => return Outcome::Close,
            Command::Accept => {
                if let Some(index) = self.chosen() {
                    self.stop();
                    let urn = self.urn.clone();
                    return Outcome::OpenUpdate { index, urn };
                }
            }
            _ => {}
        }
        Outcome::Done
    }

    /// Draws the overlay.
    pub fn view(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = Self::area(body);
        clear(area, buffer);
        let labels = Labels {
            title: format!("Last changed · {}", self.title),
            status: self.status(),
            focused: true,
        };
        let pane = boxed(area);
        frame::draw(pane, &labels, theme, buffer);
        let area = pane.inner;
        if self.rows.is_empty() {
            let text = match self.state {
                TraceProgress::Going => "comparing the states after each update, newest first…",
                TraceProgress::Stopped => "stopped; no change was found",
                TraceProgress::Done => "no stored state has this value",
                TraceProgress::NoHistory => {
                    "no history: the file is not in a Pulumi backend (`.pulumi`), or has no updates"
                }
            };
            let room = usize::from(area.width).saturating_sub(2);
            for (line, piece) in (0..area.height).zip(wrap_words(text, room)) {
                let mut pen = Pen::new(buffer, theme, area, line);
                pen.skip(1).put(piece, Role::Dim);
            }
        }
        for (line, index) in (0..area.height).step_by(2).zip(self.cursor.top..) {
            let Some(row) = self.rows.get(index) else {
                break;
            };
            let is_selected = index == self.cursor.row;
            row.draw(is_selected, theme, area, line, buffer);
            if is_selected {
                let lines = Rect::new(area.x, area.y + line, area.width, 2);
                theme.highlight(buffer, lines.intersection(area), true);
            }
        }
    }
}

impl TracedUpdate {
    fn draw(&self, selected: bool, theme: &Theme, area: Rect, line: u16, buffer: &mut Buffer) {
        let mut pen = Pen::new(buffer, theme, area, line);
        pen.put(if selected { "▶" } else { " " }, Role::Focus);
        let time = utc(self.nanos / 1_000_000_000);
        pen.put(&format!("{time} UTC  "), Role::Text);
        pen.put(&format!("update {}", self.found.index + 1), Role::Title);
        let kind = match self.record.kind.as_str() {
            "" | "update" => String::new(),
            kind => format!(" · {}", shown(kind)),
        };
        pen.put(&kind, Role::Text);
        if !self.record.message.is_empty() {
            pen.put(&format!(" · {}", shown(&self.record.message)), Role::Dim);
        }
        let mut pen = Pen::new(buffer, theme, area, line + 1);
        pen.skip(3);
        if self.found.is_ciphertext {
            let (text, role) = value_text(self.found.after.as_ref());
            pen.put(&text, role)
                .put("  ciphertext changed (value may be the same)", Role::Dim);
            return;
        }
        if self.found.is_oldest {
            let text = "in the oldest stored state, perhaps earlier: ";
            pen.put(text, Role::Dim);
        } else {
            let room = pen.room() / 2;
            let (text, role) = value_text(self.found.before.as_ref());
            let text = crate::tui::widgets::text::fit(&text, room.saturating_sub(4));
            pen.put(&text, role).put(" → ", Role::Dim);
        }
        let (text, role) = value_text(self.found.after.as_ref());
        pen.put(&text, role);
    }
}

fn value_text(value: Option<&Value>) -> (String, Role) {
    match value {
        None => ("(missing)".to_owned(), Role::Dim),
        Some(value) if value.is_secret() => ("[secret]".to_owned(), Role::Secret),
        Some(value) => (shown(&value.to_string()), Role::String),
    }
}
