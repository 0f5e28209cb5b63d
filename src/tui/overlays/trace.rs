//! The trace of a value: the updates in which it changed, newest first. They are listed while the search runs.

use super::Outcome;
use super::menu::Menu;
use crate::load::timeline::{Moment, Record, Traced};
use crate::render::plain::utc;
use crate::tui::command::Command;
use crate::tui::jobs::Ticket;
use crate::tui::keymap::{self, Scope};
use crate::tui::outline::Strip;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::text::{count, fit, plural, tenths};
use crate::value::Value;
use ratatui::layout::Rect;

/// Widths of the list, in cells.
const WIDTHS: (usize, usize) = (60, 100);

/// Minimum number of lines. The list grows while the search runs.
const MIN_HEIGHT: usize = 8;

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
    n_read: usize,
    n_all: usize,
    n_unreadable: usize,
    state: TraceProgress,
}

#[derive(Debug)]
struct TracedUpdate {
    found: Moment,
    nanos: Option<u64>,
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
            n_read: 0,
            n_all: 0,
            n_unreadable: 0,
            state: TraceProgress::Going,
        }
    }

    /// Takes the progress of the search, and the change that it found. `update` has the time of that update in nanoseconds and its
    /// record.
    pub fn take(&mut self, traced: Traced, update: Option<(Option<u64>, Record)>) {
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

    fn status(&self) -> String {
        let read = format!("{} of {} states", self.n_read, self.n_all);
        let key = keymap::key_in(Scope::List, Command::Cancel);
        match self.state {
            TraceProgress::Going if self.n_all == 0 => format!("{key} stop"),
            TraceProgress::Going => {
                let bar = tenths(self.n_read as u64, self.n_all as u64);
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
}

impl Menu for Trace {
    const SCOPES: &'static [Scope] = &[Scope::List];
    const N_LINES: u16 = 2;

    fn labels(&self) -> Labels {
        Labels::of(format!("Last changed · {}", self.title), self.status())
    }

    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn line(&self, row: usize, _room: usize) -> Strip {
        self.rows[row].update().into()
    }

    fn below(&self, row: usize, room: usize) -> Option<Strip> {
        Some(self.rows[row].values(room).into())
    }

    fn remark(&self) -> &'static str {
        match self.state {
            TraceProgress::Going => "comparing the states after each update, newest first…",
            TraceProgress::Stopped => "stopped; no change was found",
            TraceProgress::Done => "no stored state has this value",
            TraceProgress::NoHistory => {
                "no history: the file is in no Pulumi backend, and alone with its lineage"
            }
        }
    }

    fn choose(&mut self, row: usize) -> Outcome {
        Outcome::OpenUpdate {
            index: self.rows[row].found.index,
            urn: self.urn.clone(),
        }
    }

    /// The first Esc stops the search, the second closes the list.
    fn back(&mut self) -> Outcome {
        if self.stop() {
            Outcome::Done
        } else {
            Outcome::Close
        }
    }

    fn place(&self, wanted: &Wanted<&dyn Fn(usize) -> usize>, stage: Stage) -> Rect {
        let (min_width, most) = WIDTHS;
        stage.beside(&Wanted {
            width: wanted.width.clamp(min_width, most),
            min_width,
            height: |width| (wanted.height)(width).max(MIN_HEIGHT),
        })
    }
}

impl TracedUpdate {
    fn update(&self) -> Vec<Span> {
        let time = self.nanos.map(|nanos| utc(nanos / 1_000_000_000));
        let time = time.map_or_else(String::new, |time| format!("{time} UTC  "));
        let name = match self.record.serial {
            Some(serial) => format!("serial {serial}"),
            None => format!("update {}", self.found.index + 1),
        };
        let kind = match self.record.kind.as_str() {
            "" | "update" => String::new(),
            kind => format!(" · {}", shown(kind)),
        };
        let mut first = vec![
            Span::new(time, Role::Text),
            Span::new(name, Role::Title),
            Span::new(kind, Role::Text),
        ];
        if !self.record.message.is_empty() {
            let message = format!(" · {}", shown(&self.record.message));
            first.push(Span::new(message, Role::Dim));
        }
        first
    }

    /// The value before and after the update.
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
