//! The trace of a value: the updates in which it changed, newest first. They are listed while the search runs.

use super::popup::{Popup, walk};
use super::{Outcome, boxed, framed, width_around};
use crate::load::timeline::{Moment, Record, Traced};
use crate::render::plain::utc;
use crate::tui::command::Command;
use crate::tui::jobs::Ticket;
use crate::tui::keymap::{self, Scope};
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::text::{count, fit, plural, wrap_words};
use crate::value::Value;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Widths of the list, in cells.
const WIDTHS: (usize, usize) = (60, 100);

/// Minimum number of lines. The list grows while the search runs.
const MIN_HEIGHT: usize = 8;

/// Number of lines that a row takes.
const ROW: u16 = 2;

/// The changes of a value.
#[derive(Debug)]
pub struct Trace {
    /// The name of the value, escaped.
    pub title: String,
    /// URN of the resource.
    pub urn: String,
    /// The search, which ends with this popup.
    pub ticket: Ticket,
    rows: Vec<TracedUpdate>,
    pub(super) cursor: Cursor,
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
            ticket: Ticket::default(),
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
            self.ticket.stop();
            self.state = TraceProgress::Stopped;
        }
        is_going
    }

    /// Index of the update on the selected row.
    pub fn chosen(&self) -> Option<usize> {
        Some(self.rows.get(self.cursor.row)?.found.index)
    }

    fn labels(&self) -> Labels {
        Labels {
            title: format!("Last changed · {}", self.title),
            status: self.status(),
            focused: true,
        }
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
                    n => format!(", {} unreadable", count(n as u64)),
                };
                format!("{}{unreadable} · {key} back", plural(self.n_all, "state"))
            }
        }
    }

    fn list_area(&self, stage: Stage) -> ListArea {
        ListArea::of_lines(boxed(self.area(stage)).inner, self.rows.len(), ROW)
    }
}

impl Popup for Trace {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Trace]
    }

    fn outlives_file(&mut self) -> bool {
        true
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        Some((self.list_area(stage), self.cursor))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(&mut self.cursor)
    }

    fn area(&self, stage: Stage) -> Rect {
        let (min_width, most) = WIDTHS;
        let rows = self.rows.iter().take(usize::from(stage.body.height));
        let widths = rows.flat_map(|row| row.lines(usize::MAX).map(|line| width_of(&line)));
        let width = width_around(&self.labels(), widths.max().unwrap_or(0));
        let n_lines = usize::from(ROW) * self.rows.len();
        stage.beside(&Wanted {
            width: width.clamp(min_width, most),
            min_width,
            height: |_| (n_lines + 2).max(MIN_HEIGHT),
        })
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => walk(self, motion, stage),
            // The first Esc stops the search, the second closes the list.
            Command::Cancel if self.stop() => {}
            Command::Cancel => return Outcome::Close,
            Command::Accept => {
                let Some(index) = self.chosen() else {
                    return Outcome::Nothing;
                };
                let urn = self.urn.clone();
                return Outcome::OpenUpdate { index, urn };
            }
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let area = framed(self.area(stage), &self.labels(), theme, buffer);
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
        let list = self.list_area(stage);
        list.draw(self.cursor, theme, buffer, |buffer, area, row| {
            let lines = self.rows[row].lines(usize::from(area.width));
            for (line, spans) in (0..area.height).zip(lines) {
                Pen::new(buffer, theme, area, line).put_all(&spans);
            }
        });
    }
}

impl TracedUpdate {
    /// The update, and below it the value before and after it.
    fn lines(&self, room: usize) -> [Vec<Span>; 2] {
        let time = utc(self.nanos / 1_000_000_000);
        let kind = match self.record.kind.as_str() {
            "" | "update" => String::new(),
            kind => format!(" · {}", shown(kind)),
        };
        let mut first = vec![
            Span::new(format!("{time} UTC  "), Role::Text),
            Span::new(format!("update {}", self.found.index + 1), Role::Title),
            Span::new(kind, Role::Text),
        ];
        if !self.record.message.is_empty() {
            let message = format!(" · {}", shown(&self.record.message));
            first.push(Span::new(message, Role::Dim));
        }
        [first, self.values(room)]
    }

    fn values(&self, room: usize) -> Vec<Span> {
        let mut spans = vec![Span::new("  ", Role::Text)];
        let (after, role) = value_text(self.found.after.as_ref());
        let after = Span::new(after, role);
        if self.found.is_ciphertext {
            let words = "  ciphertext changed (value may be the same)";
            spans.extend([after, Span::new(words, Role::Dim)]);
            return spans;
        }
        if self.found.is_oldest {
            let text = "in the oldest stored state, perhaps earlier: ";
            spans.push(Span::new(text, Role::Dim));
        } else {
            let (text, role) = value_text(self.found.before.as_ref());
            let text = fit(&text, (room / 2).saturating_sub(6));
            spans.push(Span::new(text, role));
            spans.push(Span::new(" → ", Role::Dim));
        }
        spans.push(after);
        spans
    }
}

fn value_text(value: Option<&Value>) -> (String, Role) {
    match value {
        None => ("(missing)".to_owned(), Role::Dim),
        Some(value) if value.is_secret() => (value.mask().to_owned(), Role::Secret),
        Some(value) => (shown(&value.to_string()), Role::String),
    }
}
