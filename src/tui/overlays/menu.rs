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
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::pen::{Pen, put_text, width_of};

/// Maximum number of rows that are measured for the width of a menu.
const MAX_MEASURED: usize = 200;

/// Least number of blanks before the text at the right end of a row.
const GAP: usize = 4;

/// Rows to choose from.
pub trait Menu: Any + fmt::Debug {
    /// The scopes in which its keys are looked up.
    const SCOPES: &'static [Scope];

    /// Number of lines of a row.
    const N_LINES: u16 = 1;

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

    /// The second line of a row, if rows have one.
    fn below(&self, _row: usize, _room: usize) -> Option<Strip> {
        None
    }

    /// The words in place of the rows while there are none.
    fn remark(&self) -> &'static str {
        ""
    }

    /// Chooses a row.
    fn choose(&mut self, row: usize) -> Outcome;

    /// Goes back without choosing.
    fn back(&mut self) -> Outcome {
        Outcome::Close
    }

    /// Follows the cursor after it moved.
    fn moved(&self, _row: usize) -> Outcome {
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

/// A menu on the screen, and its selected row.
#[derive(Debug)]
pub struct MenuPopup<M> {
    /// The menu.
    pub menu: M,
    cursor: Cursor,
}

impl<M: Menu> MenuPopup<M> {
    /// A menu whose first row is selected.
    pub fn new(menu: M) -> Self {
        Self::at(0, menu)
    }

    /// A menu with this row selected.
    pub fn at(row: usize, menu: M) -> Self {
        Self {
            menu,
            cursor: Cursor::at(row, 0),
        }
    }

    /// The lines of a row.
    fn lines(&self, row: usize, room: usize) -> impl Iterator<Item = Strip> {
        let first = self.menu.line(row, room);
        [first].into_iter().chain(self.menu.below(row, room))
    }
}

impl<M: Menu> Popup for MenuPopup<M> {
    fn scopes(&self) -> &'static [Scope] {
        M::SCOPES
    }

    fn obeys(&self, command: Command) -> bool {
        self.menu.has(command)
    }

    fn outlives_file(&mut self) -> bool {
        self.menu.stays()
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        let inner = boxed(self.area(stage)).inner;
        let list = ListArea::of_lines(inner, self.menu.n_rows(), M::N_LINES);
        Some((list, self.cursor))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(&mut self.cursor)
    }

    fn moved(&mut self) -> Outcome {
        self.menu.moved(self.cursor.row)
    }

    fn area(&self, stage: Stage) -> Rect {
        let rows = 0..self.menu.n_rows().min(MAX_MEASURED);
        let lines = rows.flat_map(|row| self.lines(row, M::MAX_WIDTH));
        let gap = |line: &Strip| if line.right.is_empty() { 1 } else { GAP };
        let widths = lines.map(|it| width_of(&it.spans) + gap(&it) + width_of(&it.right));
        let widest = widths.max().unwrap_or(0).min(M::MAX_WIDTH);
        let width = width_around(&self.menu.labels(), widest);
        self.menu.place(width, stage)
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => {
                walk(self, motion, stage);
                self.moved()
            }
            Command::Accept if self.cursor.row < self.menu.n_rows() => {
                self.menu.choose(self.cursor.row)
            }
            Command::Cancel => self.menu.back(),
            other => self.menu.obey(other),
        }
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let inner = framed(self.area(stage), &self.menu.labels(), theme, buffer);
        if self.menu.n_rows() == 0 {
            put_text(self.menu.remark(), Role::Dim, theme, inner, buffer);
        }
        if let Some((list, cursor)) = self.list(stage) {
            list.draw(cursor, theme, buffer, |buffer, area, row| {
                let lines = self.lines(row, usize::from(area.width));
                for (line, strip) in (0..area.height).zip(lines) {
                    strip.draw(&mut Pen::new(buffer, theme, area, line));
                }
            });
        }
    }
}
