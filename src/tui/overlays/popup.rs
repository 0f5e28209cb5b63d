//! The questions of the explorer to every overlay. Each overlay answers in its own file, and only for what it has: the other answers are
//! those of a popup without text input and without rows.
//!
//! One rule for the mouse in all of them: what is drawn to be used answers. In a menu a click chooses a row. A source and a ripple are
//! looked at: there a click selects a row, and a second click chooses it, as in panes. A click outside closes the overlay. The wheel and the scrollbar scroll.

use std::any::Any;
use std::fmt;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::Outcome;
use crate::tui::command::Command;
use crate::tui::keymap::Scope;
use crate::tui::outline::Laid;
use crate::tui::popup::Stage;
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::{Cursor, Page, Scroll};
use crate::tui::widgets::prompt::Typing;
use crate::tui::widgets::scrollbar::Bar;

/// The use of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowUse {
    /// It is only looked at: a click selects it.
    Look,
    /// A click selects it. A click on the selected row obeys the command.
    Open(Command),
    /// A click selects it and obeys the command.
    Choose(Command),
}

/// The meaning of a click in an overlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clicked {
    /// Close the overlay.
    Outside,
    /// Select a row.
    Row(usize),
    /// Select a row and obey a command there.
    Chosen(usize, Command),
    /// Nothing: there is no row.
    Nothing,
}

/// An overlay.
pub trait Popup: Any + fmt::Debug {
    /// The scopes in which its keys are looked up.
    fn scopes(&self) -> &'static [Scope];

    /// Handles a command.
    fn update(&mut self, command: Command, stage: Stage) -> Outcome;

    /// True if a command of its scopes does something here. The line of hints names only these.
    fn obeys(&self, _: Command) -> bool {
        true
    }

    /// The word for Enter in the line of hints, if it is another one than in the table of keys.
    fn accept_word(&self) -> Option<&'static str> {
        None
    }

    /// The area with its frame: a bar at the end of the panes, if it covers these.
    fn area(&self, stage: Stage) -> Rect {
        let body = stage.body;
        let height = self.n_covered(body).min(body.height);
        Rect::new(body.x, body.bottom() - height, body.width, height)
    }

    /// Draws the overlay.
    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer);

    /// Takes a key that is not a command, or a pasted text, if there is a text input.
    fn input(&mut self, _: Typing<'_>, _: Stage) -> Outcome {
        Outcome::Done
    }

    /// Number of lines at the end of the panes that it covers as long as it is open.
    fn n_covered(&self, _body: Rect) -> u16 {
        0
    }

    /// True for an overlay that stays when another file is shown below it. It then forgets what it knows about this file.
    fn outlives_file(&mut self) -> bool {
        false
    }

    /// The rows as they stand on the screen, if it has no other ones.
    fn laid(&self, _: Stage) -> Option<Laid<'_>> {
        None
    }

    /// The cursor of these rows.
    fn cursor(&mut self) -> Option<&mut Cursor> {
        None
    }

    /// The use of a row.
    fn row_use(&self, _row: usize) -> RowUse {
        RowUse::Choose(Command::Accept)
    }

    /// Follows the cursor after the mouse moved it.
    fn moved(&mut self) -> Outcome {
        Outcome::Done
    }

    /// The rows on the screen, each with its place.
    fn rows(&self, stage: Stage) -> Vec<(Rect, usize)> {
        self.laid(stage).map_or(Vec::new(), |laid| laid.rows())
    }

    /// The selected row.
    fn selected(&self, _: Stage) -> Option<usize> {
        None
    }

    /// The scrollbar, if it has one.
    fn bar(&self, stage: Stage) -> Option<Bar> {
        self.laid(stage).map(|laid| laid.bar())
    }

    /// Lets the cursor do something in the rows. Returns it as it was before.
    fn steer(&mut self, stage: Stage, act: &dyn Fn(&mut Cursor, Page<'_>)) -> Option<Cursor> {
        let (steered, ()) = self.laid(stage)?.act(act);
        Some(std::mem::replace(self.cursor()?, steered))
    }

    /// Selects a row. The rows stay where they are, so that a second click hits the same one.
    fn point_at(&mut self, row: usize, stage: Stage) -> Outcome {
        self.steer(stage, &|cursor, page| cursor.point_at(row, page));
        self.moved()
    }

    /// Scrolls. The selected row stays on the screen.
    fn scroll(&mut self, scroll: Scroll, stage: Stage) -> Outcome {
        let before = self.steer(stage, &|cursor, page| cursor.scroll(scroll, page));
        let row = self.cursor().map(|cursor| cursor.row);
        if before.is_some_and(|before| Some(before.row) != row) {
            self.moved()
        } else {
            Outcome::Done
        }
    }

    /// Moves the thumb of the scrollbar to line `y` of the screen.
    fn pull(&mut self, y: u16, stage: Stage) -> Outcome {
        let top = self.bar(stage).map(|bar| bar.top_at(y));
        top.map_or(Outcome::Done, |top| self.scroll(Scroll::To(top), stage))
    }

    /// The lines of the selected row on the screen, for an overlay above this one. `None` if no row is selected.
    fn selected_area(&self, stage: Stage) -> Option<Rect> {
        let selected = self.selected(stage)?;
        let mut rows = self.rows(stage).into_iter();
        rows.find_map(|(area, row)| (row == selected).then_some(area))
    }

    /// The meaning of a click at a position.
    fn clicked(&self, at: Position, stage: Stage) -> Clicked {
        if !self.area(stage).contains(at) {
            return Clicked::Outside;
        }
        let mut rows = self.rows(stage).into_iter();
        let Some((_, row)) = rows.find(|(area, _)| area.contains(at)) else {
            return Clicked::Nothing;
        };
        match self.row_use(row) {
            RowUse::Choose(command) => Clicked::Chosen(row, command),
            RowUse::Open(command) if self.selected(stage) == Some(row) => {
                Clicked::Chosen(row, command)
            }
            RowUse::Open(_) | RowUse::Look => Clicked::Row(row),
        }
    }
}

impl dyn Popup {
    /// This overlay, if it is of a kind.
    pub fn cast<T: Popup>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// Like `cast`, mutably.
    pub fn cast_mut<T: Popup>(&mut self) -> Option<&mut T> {
        (self as &mut dyn Any).downcast_mut()
    }
}
