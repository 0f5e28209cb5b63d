//! Commands that change nothing, whatever has the keys.
//!
//! A view or an overlay answers [`Outcome::Nothing`] to a command that it does not have, or that finds everything as it wants it.
//! Commands that lead elsewhere are compared with the place before them.

use ratatui::layout::Rect;

use super::App;
use crate::stack::graph::Direction;
use crate::tui::command::{Command, View};
use crate::tui::nothing;
use crate::tui::overlays::Outcome;
use crate::tui::session::Visited;
use crate::tui::widgets::cursor::Cursor;

/// Everything that a command can change, except the contents of a view or an overlay.
#[derive(PartialEq)]
pub(super) struct Seen {
    place: Visited,
    cursors: [Cursor; 2],
    deps: (Direction, bool),
    zoomed: bool,
    splits: [Option<u16>; View::ALL.len()],
    count: Option<usize>,
    is_revealed: bool,
    n_overlays: usize,
    /// The selected row of the topmost overlay.
    overlay_row: Option<usize>,
    /// The rows of that overlay on the screen.
    overlay_rows: Vec<(Rect, usize)>,
    n_effects: usize,
    has_message: bool,
}

impl App {
    pub(super) fn seen(&self) -> Seen {
        let deps = &self.views.deps;
        let overlay = self.overlays.top();
        let overlay = overlay.map(|overlay| (overlay, self.stage()));
        Seen {
            place: self.stop(),
            cursors: self.views.of(self.window.view).cursors(),
            deps: (deps.direction(), deps.shows_all()),
            zoomed: self.window.zoomed,
            splits: self.window.splits,
            count: self.count(),
            is_revealed: self.session.revealed.is_some(),
            n_overlays: self.overlays.len(),
            overlay_row: overlay.and_then(|(overlay, stage)| overlay.selected(stage)),
            overlay_rows: overlay.map_or_else(Vec::new, |(overlay, stage)| overlay.rows(stage)),
            n_effects: self.effects.len(),
            has_message: self.message.is_some(),
        }
    }

    /// Does what a view or an overlay asks for after a command, or says that the command changes nothing.
    pub(super) fn obeyed(&mut self, command: Command, outcome: Outcome) {
        match outcome {
            // A difference has rows of two values, which lead nowhere of themselves.
            Outcome::Nothing if self.enters_text(command) => self.open_text(),
            Outcome::Nothing => self.say_nothing(command),
            outcome => self.apply(outcome),
        }
    }

    /// Says that a command changes nothing here.
    pub(super) fn say_nothing(&mut self, command: Command) {
        if let Some(text) = nothing::words(command, self.ctx().screen) {
            self.say(text);
        }
    }
}
