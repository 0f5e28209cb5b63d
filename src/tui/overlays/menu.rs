//! Menus: popups of rows, to choose one or to read them. A menu says what its rows are and what choosing one means. The frame, the
//! cursor, the keys, the mouse and the wrapping of long lines are the same in all of them.

use std::any::Any;
use std::fmt;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use zeroize::Zeroize as _;

use super::popup::{Popup, RowUse};
use super::{Outcome, boxed, framed, width_around};
use crate::tui::command::Command;
use crate::tui::keymap::Scope;
use crate::tui::outline::Strip;
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::Span;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::{Cursor, Page, Scroll, ShownRow, Step, step};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::{Pen, below, put_text, width_of, wrapped};
use crate::tui::widgets::prompt::{Prompt, Typing, draw_prompt};
use crate::tui::widgets::scrollbar::{self, Bar};
use crate::tui::widgets::text::{cells, width};

/// Maximum number of rows that are measured for the width of a menu.
const MAX_MEASURED: usize = 200;

/// Least number of blanks before the text at the right end of a row.
const GAP: usize = 4;

/// Cells of a popup that its rows do not use: the frame, the cursor and a blank or the scrollbar.
const MARGINS: usize = 4;

/// Maximum number of screen lines of one line that wraps.
const MAX_LINES: usize = 1000;

/// Width of a wrapped text that is still readable, in cells.
const MIN_WRAPPED: usize = 40;

/// Rows to choose from, or to read.
pub trait Menu: Any + fmt::Debug {
    /// The scopes in which its keys are looked up.
    const SCOPES: &'static [Scope];

    /// Number of lines of a row.
    const N_LINES: u16 = 1;

    /// Maximum width of its rows, in cells.
    const MAX_WIDTH: usize = 110;

    /// Width with which its rows still say something, in cells.
    const MIN_WIDTH: usize = Self::MAX_WIDTH;

    /// The texts in its frame, for which it is wide enough.
    fn labels(&self) -> Labels;

    /// The texts in its frame while this row is selected and these are on the screen. There are `room` cells for the title.
    fn frame(&self, _row: usize, _shown: Range<usize>, _room: usize) -> Labels {
        self.labels()
    }

    /// Text at the right end of the first line of its frame, in `room` cells.
    fn totals(&self, _room: usize) -> Vec<Span> {
        Vec::new()
    }

    /// Number of rows.
    fn n_rows(&self) -> usize;

    /// A row in `room` cells.
    fn line(&self, row: usize, room: usize) -> Strip;

    /// The second line of a row, if rows have one.
    fn below(&self, _row: usize, _room: usize) -> Option<Strip> {
        None
    }

    /// Width of the rows with a blank after them, in cells.
    fn width(&self) -> usize {
        let rows = 0..self.n_rows().min(MAX_MEASURED);
        let most = Self::MAX_WIDTH;
        let lines = rows.flat_map(|row| {
            [self.line(row, most)]
                .into_iter()
                .chain(self.below(row, most))
        });
        let gap = |line: &Strip| if line.right.is_empty() { 1 } else { GAP };
        let widths = lines.map(|it| width_of(&it.spans) + gap(&it) + width_of(&it.right));
        widths.max().unwrap_or(0).min(most)
    }

    /// True for a row that is a heading: it is never selected.
    fn is_heading(&self, _row: usize) -> bool {
        false
    }

    /// Number of columns in which rows of one line stand, in so many cells.
    fn n_columns(&self, _room: u16) -> u16 {
        1
    }

    /// The sign and the text of the line to type in above the rows, if there is one.
    fn prompt(&self) -> Option<(&'static str, &Prompt)> {
        None
    }

    /// Takes a key or a pasted text, and lists other rows. False if nothing was typed.
    fn take_typed(&mut self, _: Typing<'_>) -> bool {
        false
    }

    /// The words in place of the rows while there are none.
    fn remark(&self) -> &'static str {
        ""
    }

    /// True if the person selects a row, for something to do there. Otherwise the rows themselves move.
    fn selects(&self) -> bool {
        true
    }

    /// The use of a row for the mouse.
    fn row_use(&self) -> RowUse {
        RowUse::Choose(Command::Accept)
    }

    /// True if the rows show a secret. Their text does not stay in memory then.
    fn is_secret(&self) -> bool {
        false
    }

    /// Chooses a row.
    fn choose(&mut self, row: usize) -> Outcome;

    /// Goes back without choosing.
    fn back(&mut self) -> Outcome {
        Outcome::Close
    }

    /// Follows the cursor after it moved.
    fn moved(&mut self, _row: usize) -> Outcome {
        Outcome::Done
    }

    /// Obeys another command.
    fn obey(&mut self, _: Command, _: &mut Cursor) -> Outcome {
        Outcome::Nothing
    }

    /// The word for Enter in the line of hints, if it is another one than in the table of keys.
    fn accept_word(&self) -> Option<&'static str> {
        None
    }

    /// True if another command does something on this row.
    fn has(&self, _: Command, _row: usize) -> bool {
        true
    }

    /// True if it stays when another file is shown below it.
    fn stays(&self) -> bool {
        true
    }

    /// Its place: beside the selected row, so that the person sees what it is about.
    fn place(&self, wanted: &Wanted<&dyn Fn(usize) -> usize>, stage: Stage) -> Rect {
        stage.beside(wanted)
    }
}

/// A menu on the screen, and its selected row.
#[derive(Debug)]
pub struct MenuPopup<M> {
    /// The menu.
    pub menu: M,
    /// The selected row.
    pub(super) cursor: Cursor,
    /// True if long lines wrap.
    pub(super) wrap: bool,
}

impl<M: Menu> MenuPopup<M> {
    /// A menu whose first row is selected.
    pub fn new(menu: M) -> Self {
        Self::at(0, menu)
    }

    /// A menu with this row selected.
    pub fn at(row: usize, menu: M) -> Self {
        let mut popup = Self {
            menu,
            cursor: Cursor::at(row, 0),
            wrap: false,
        };
        popup.leave_heading(false);
        popup
    }

    /// Does something with the lines of a row.
    fn with_lines<T>(&self, row: usize, room: usize, act: impl FnOnce(&[Strip]) -> T) -> T {
        let line = self.menu.line(row, room);
        let lines: Vec<Strip> = if self.wrap {
            let pieces = wrapped(&line.spans, room.max(1), MAX_LINES);
            self.wipe([line]);
            pieces.into_iter().map(Strip::from).collect()
        } else {
            let below = self.menu.below(row, room);
            [line].into_iter().chain(below).collect()
        };
        let done = act(&lines);
        self.wipe(lines);
        done
    }

    /// Zeroes the text of lines that show a secret.
    fn wipe(&self, lines: impl IntoIterator<Item = Strip>) {
        if self.menu.is_secret() {
            let spans = lines.into_iter().flat_map(|line| line.spans);
            spans.for_each(|mut span| span.text.zeroize());
        }
    }

    /// Number of lines of all rows in a popup of this width, counted no further than `limit`.
    fn height_at(&self, width: usize, limit: usize) -> usize {
        let room = width.saturating_sub(MARGINS);
        let mut used = 0;
        for row in 0..self.menu.n_rows() {
            if used > limit {
                break;
            }
            used += self.n_lines(row, room);
        }
        used
    }

    fn n_lines(&self, row: usize, room: usize) -> usize {
        if self.wrap {
            self.with_lines(row, room, <[Strip]>::len)
        } else {
            usize::from(M::N_LINES)
        }
    }

    /// Selects the nearest row that is no heading, downwards first or upwards first.
    fn leave_heading(&mut self, goes_up: bool) {
        let (at, len) = (self.cursor.row, self.menu.n_rows());
        if !self.menu.is_heading(at) {
            return;
        }
        let is_row = |row: &usize| !self.menu.is_heading(*row);
        let (above, below) = ((0..at).rev().find(is_row), (at..len).find(is_row));
        let row = if goes_up {
            above.or(below)
        } else {
            below.or(above)
        };
        self.cursor.select(row.unwrap_or(at));
    }

    /// The area of the rows. If not all of them are on the screen, the column after it is for the scrollbar.
    fn text_area(&self, stage: Stage) -> Rect {
        let n_typed = usize::from(self.menu.prompt().is_some());
        let inner = below(boxed(self.area(stage)).inner, n_typed);
        let most = usize::from(inner.height * self.menu.n_columns(inner.width));
        let is_longer = self.height_at(usize::from(inner.width) + 2, most) > most;
        let bar = u16::from(is_longer || self.wrap);
        Rect {
            width: inner.width.saturating_sub(bar),
            ..inner
        }
    }

    /// Does something with the rows as they stand on the screen.
    fn with_page<T>(&self, area: Rect, act: impl FnOnce(Page<'_>) -> T) -> T {
        let room = usize::from(area.width).saturating_sub(1);
        let height = usize::from(area.height * self.menu.n_columns(area.width));
        let len = self.menu.n_rows();
        let n_lines = |row: usize| self.n_lines(row, room);
        act(if self.wrap || M::N_LINES > 1 {
            Page::of_lines(len, height, &n_lines)
        } else {
            Page::flat(len, height)
        })
    }

    /// Lets the cursor do something, and the menu follow it.
    fn with_cursor(&mut self, stage: Stage, act: impl FnOnce(&mut Cursor, Page<'_>)) -> Outcome {
        let mut cursor = self.cursor;
        self.with_page(self.text_area(stage), |page| act(&mut cursor, page));
        let goes_up = cursor.row < self.cursor.row;
        self.cursor = cursor;
        self.leave_heading(goes_up);
        self.menu.moved(self.cursor.row)
    }

    /// The rows on the screen, each with its place.
    fn shown(&self, area: Rect) -> Vec<(Rect, ShownRow)> {
        let shown = self.with_page(area, |page| self.cursor.shown(page));
        let width = area.width / self.menu.n_columns(area.width);
        let place = |row: ShownRow| {
            let line = cells(row.lines.start);
            let place = Rect {
                x: area.x + line / area.height * width,
                y: area.y + line % area.height,
                width,
                height: cells(row.lines.len()),
            };
            (place, row)
        };
        shown.into_iter().map(place).collect()
    }

    /// The rows on the screen.
    pub(super) fn on_screen(&self, stage: Stage) -> Range<usize> {
        let rows = self.shown(self.text_area(stage));
        match (rows.first(), rows.last()) {
            (Some((_, first)), Some((_, last))) => first.row..last.row + 1,
            _ => 0..0,
        }
    }

    fn draw_row(&self, (area, shown): (Rect, ShownRow), theme: &Theme, buffer: &mut Buffer) {
        let is_here = shown.row == self.cursor.row && !self.menu.is_heading(shown.row);
        let is_selected = is_here && self.menu.selects();
        let room = usize::from(area.width).saturating_sub(1);
        self.with_lines(shown.row, room, |lines| {
            let lines = lines.iter().enumerate().skip(shown.n_hidden);
            for (y, (index, strip)) in (0..area.height).zip(lines) {
                let mut pen = Pen::new(buffer, theme, area, y);
                let (mark, role) = match index {
                    0 if is_selected => ("▶", Role::Focus),
                    0 => (" ", Role::Focus),
                    _ if self.wrap => ("↪", Role::Dim),
                    _ => (" ", Role::Dim),
                };
                strip.draw(pen.put(mark, role));
            }
        });
        if is_selected {
            theme.highlight(buffer, area, true);
        }
    }
}

impl<M: Menu> Popup for MenuPopup<M> {
    fn scopes(&self) -> &'static [Scope] {
        M::SCOPES
    }

    fn obeys(&self, command: Command) -> bool {
        self.menu.has(command, self.cursor.row)
    }

    fn accept_word(&self) -> Option<&'static str> {
        self.menu.accept_word()
    }

    fn outlives_file(&mut self) -> bool {
        self.menu.stays()
    }

    fn rows(&self, stage: Stage) -> Vec<(Rect, usize)> {
        let rows = self.shown(self.text_area(stage)).into_iter();
        let rows = rows.map(|(area, shown)| (area, shown.row));
        rows.filter(|(_, row)| !self.menu.is_heading(*row))
            .collect()
    }

    fn row_use(&self, _: usize) -> RowUse {
        self.menu.row_use()
    }

    fn input(&mut self, typing: Typing<'_>, _: Stage) -> Outcome {
        if self.menu.take_typed(typing) {
            self.cursor = Cursor::default();
            self.leave_heading(false);
        }
        Outcome::Done
    }

    fn selected(&self, _: Stage) -> Option<usize> {
        Some(self.cursor.row)
    }

    fn bar(&self, stage: Stage) -> Option<Bar> {
        let area = self.text_area(stage);
        let column = Rect {
            x: area.right(),
            width: 1,
            ..area
        };
        Some(self.with_page(area, |page| Bar::of(column, &self.cursor, page)))
    }

    fn point_at(&mut self, row: usize, stage: Stage) -> Outcome {
        self.with_cursor(stage, |cursor, page| cursor.point_at(row, page))
    }

    fn scroll(&mut self, scroll: Scroll, stage: Stage) -> Outcome {
        self.with_cursor(stage, |cursor, page| cursor.scroll(scroll, page))
    }

    fn area(&self, stage: Stage) -> Rect {
        let width = width_around(&self.menu.labels(), self.menu.width());
        let limit = usize::from(stage.body.height);
        let frame = 2 + usize::from(self.menu.prompt().is_some());
        let height = |width: usize| self.height_at(width, limit).max(1) + frame;
        let wanted: Wanted<&dyn Fn(usize) -> usize> = Wanted {
            width,
            min_width: if self.wrap {
                MIN_WRAPPED
            } else {
                width.min(M::MIN_WIDTH)
            },
            height: &height,
        };
        self.menu.place(&wanted, stage)
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => {
                let selects = self.menu.selects();
                self.with_cursor(stage, |cursor, page| match step(motion, None, page) {
                    Step::By(lines) | Step::Lines(lines) if !selects => {
                        cursor.scroll(Scroll::By(lines), page);
                    }
                    step => cursor.take(step, page),
                })
            }
            Command::Wrap => {
                self.wrap = !self.wrap;
                let says = if self.wrap {
                    "long lines wrap"
                } else {
                    "long lines are cut"
                };
                Outcome::Say(says.to_owned())
            }
            Command::Accept if self.cursor.row < self.menu.n_rows() => {
                self.menu.choose(self.cursor.row)
            }
            Command::Cancel => self.menu.back(),
            other => {
                let outcome = self.menu.obey(other, &mut self.cursor);
                self.leave_heading(false);
                outcome
            }
        }
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let area = self.area(stage);
        let room = usize::from(area.width);
        let labels = self
            .menu
            .frame(self.cursor.row, self.on_screen(stage), room);
        let inner = framed(area, &labels, theme, buffer);
        let totals = self.menu.totals(room);
        let head = Rect {
            width: area.width.saturating_sub(1),
            ..area
        };
        Pen::new(buffer, theme, head, 0)
            .skip(width(&labels.title) + 3)
            .put_right(&totals);
        if let Some((sign, prompt)) = self.menu.prompt() {
            let mut pen = Pen::new(buffer, theme, inner, 0);
            draw_prompt(prompt, pen.put(sign, Role::Hint), theme);
        }
        if self.menu.n_rows() == 0 {
            let area = self.text_area(stage);
            put_text(self.menu.remark(), Role::Dim, theme, area, buffer);
        }
        for row in self.shown(self.text_area(stage)) {
            self.draw_row(row, theme, buffer);
        }
        if let Some(bar) = self.bar(stage) {
            scrollbar::draw(buffer, theme, bar);
        }
    }
}
