//! The questions of the explorer to every overlay. Each overlay answers in its own file, and only for what it has: the other answers are
//! those of a popup without text input and without rows.
//!
//! One rule for the mouse in all of them: what is drawn to be used answers. In a menu a click chooses a row. Stacks, a source and
//! a ripple are looked at: there a click selects a row, and a second click chooses it, as in panes. A click
//! outside closes the overlay. The wheel and the scrollbar scroll.

use std::any::Any;
use std::fmt;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::Outcome;
use crate::tui::command::Command;
use crate::tui::keymap::Scope;
use crate::tui::popup::Stage;
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::{Cursor, Page, Scroll};
use crate::tui::widgets::list_area::ListArea;
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

    /// The area with its frame.
    fn area(&self, stage: Stage) -> Rect;

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

    /// The list, if all its rows take the same number of lines, and a copy of its cursor.
    fn list(&self, _: Stage) -> Option<(ListArea, Cursor)> {
        None
    }

    /// The cursor of that list.
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
        let list = self.list(stage);
        list.map_or(Vec::new(), |(list, cursor)| list.rows(cursor.top).collect())
    }

    /// The selected row.
    fn selected(&self, stage: Stage) -> Option<usize> {
        self.list(stage).map(|(_, cursor)| cursor.row)
    }

    /// The scrollbar, if it has one.
    fn bar(&self, stage: Stage) -> Option<Bar> {
        let list = self.list(stage);
        list.map(|(list, cursor)| list.bar(cursor.top))
    }

    /// Selects a row. The rows stay where they are, so that a second click hits the same one.
    fn point_at(&mut self, row: usize, _: Stage) -> Outcome {
        if let Some(cursor) = self.cursor() {
            cursor.row = row;
        }
        self.moved()
    }

    /// Scrolls. The selected row stays on the screen.
    fn scroll(&mut self, scroll: Scroll, stage: Stage) -> Outcome {
        let list = self.list(stage);
        let (Some((list, before)), Some(cursor)) = (list, self.cursor()) else {
            return Outcome::Done;
        };
        cursor.scroll(scroll, Page::flat(list.len, list.height()));
        if cursor.row == before.row {
            Outcome::Done
        } else {
            self.moved()
        }
    }

    /// Moves the thumb of the scrollbar to line `y` of the screen.
    fn pull(&mut self, y: u16, stage: Stage) -> Outcome {
        let top = match self.list(stage) {
            Some((list, cursor)) => Some(list.top_at(y, cursor.top)),
            None => self.bar(stage).map(|bar| bar.top_at(y)),
        };
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
