//! Menus: popups in which a person chooses one of some rows. A menu says what its rows are and what choosing one means. The frame, the
//! cursor, the keys and the mouse are the same in all of them.

use std::any::Any;
use std::fmt;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::{Popup, walk};
use super::{Outcome, boxed, framed, width_around};
use crate::tui::command::Command;
use crate::tui::keymap::Scope;
use crate::tui::outline::Strip;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::pen::{Pen, width_of};

/// Maximum number of rows that are measured for the width of a menu.
const MAX_MEASURED: usize = 200;

/// Least number of blanks before the text at the right end of a row.
const GAP: usize = 4;

/// Rows to choose from.
pub trait Menu: Any + fmt::Debug {
    /// The scopes in which its keys are looked up.
    const SCOPES: &'static [Scope];

    /// Maximum width of its rows, in cells.
    const MAX_WIDTH: usize = 110;

    /// Width with which its rows still say something, in cells.
    const MIN_WIDTH: usize = Self::MAX_WIDTH;

    /// The texts in its frame.
    fn labels(&self) -> Labels;

    /// Number of rows.
    fn n_rows(&self) -> usize;

    /// A row in `room` cells.
    fn line(&self, row: usize, room: usize) -> Strip;

    /// The selected row.
    fn cursor(&self) -> Cursor;

    /// The selected row, to move it.
    fn cursor_mut(&mut self) -> &mut Cursor;

    /// Chooses a row.
    fn choose(&mut self, row: usize) -> Outcome;

    /// Goes back without choosing.
    fn back(&self) -> Outcome {
        Outcome::Close
    }

    /// Follows the cursor after it moved.
    fn moved(&self) -> Outcome {
        Outcome::Done
    }

    /// Obeys another command.
    fn obey(&mut self, _: Command) -> Outcome {
        Outcome::Nothing
    }

    /// True if another command does something here.
    fn has(&self, _: Command) -> bool {
        true
    }

    /// True if it stays when another file is shown below it.
    fn stays(&self) -> bool {
        true
    }

    /// Its place, if rows of this width fit: beside the selected row, so that the person sees what it is about.
    fn place(&self, width: usize, stage: Stage) -> Rect {
        stage.beside(&Wanted {
            width,
            min_width: width.min(Self::MIN_WIDTH),
            height: |_| self.n_rows() + 2,
        })
    }
}

impl<M: Menu> Popup for M {
    fn scopes(&self) -> &'static [Scope] {
        Self::SCOPES
    }

    fn obeys(&self, command: Command) -> bool {
        self.has(command)
    }

    fn outlives_file(&mut self) -> bool {
        self.stays()
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        let inner = boxed(self.area(stage)).inner;
        Some((ListArea::new(inner, self.n_rows()), Menu::cursor(self)))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(self.cursor_mut())
    }

    fn moved(&mut self) -> Outcome {
        Menu::moved(self)
    }

    fn area(&self, stage: Stage) -> Rect {
        let lines = (0..self.n_rows().min(MAX_MEASURED)).map(|row| self.line(row, Self::MAX_WIDTH));
        let gap = |line: &Strip| if line.right.is_empty() { 1 } else { GAP };
        let widths = lines.map(|it| width_of(&it.spans) + gap(&it) + width_of(&it.right));
        let widest = widths.max().unwrap_or(0).min(Self::MAX_WIDTH);
        self.place(width_around(&self.labels(), widest), stage)
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => {
                walk(self, motion, stage);
                Menu::moved(self)
            }
            Command::Accept if Menu::cursor(self).row < self.n_rows() => {
                self.choose(Menu::cursor(self).row)
            }
            Command::Cancel => self.back(),
            other => self.obey(other),
        }
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        framed(self.area(stage), &self.labels(), theme, buffer);
        if let Some((list, cursor)) = self.list(stage) {
            list.draw(cursor, theme, buffer, |buffer, area, row| {
                let mut pen = Pen::new(buffer, theme, area, 0);
                self.line(row, pen.room()).draw(&mut pen);
            });
        }
    }
}
