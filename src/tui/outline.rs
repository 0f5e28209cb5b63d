//! The rows of a list on the screen. A list says how many rows it has and of which lines each consists. Here they are drawn, and what
//! lies under the mouse is found: from the same lines, each made once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::layout::Pane;
use super::rows::{Span, Zone};
use super::theme::{Role, Theme};
use super::widgets::cursor::{Cursor, Page};
use super::widgets::pen::Pen;
use super::widgets::scrollbar::{self, Bar};
use super::widgets::text::cells;

/// Columns at the left for the cursor.
pub const CURSOR: u16 = 1;

/// The cells of one line, or of one half of it.
#[derive(Clone, Default, Debug)]
pub struct Strip {
    /// Blanks at the left.
    pub indent: usize,
    /// The text.
    pub spans: Vec<Span>,
    /// Text at the right end.
    pub right: Vec<Span>,
    /// The role whose tint is the background of the whole line: [`Role::Delete`] or [`Role::Create`].
    pub tint: Option<Role>,
}

/// One line of a row.
#[derive(Clone, Debug)]
pub enum RowLine {
    /// A line above the row, such as a heading. It is not selected with the row.
    Above(Strip),
    /// The whole width.
    Whole(Strip),
    /// The whole width, in colors that have a meaning. They stay when the row is selected.
    Painted(Strip),
    /// Before a change at the left, after it at the right.
    Halves([Strip; 2]),
}

/// The rows of a list in an area of a pane.
pub struct Laid<'a> {
    pane: Pane,
    area: Rect,
    len: usize,
    cursor: Cursor,
    has_cursor: bool,
    is_flat: bool,
    make: Box<dyn Fn(usize) -> Vec<RowLine> + 'a>,
    made: RefCell<HashMap<usize, Rc<[RowLine]>>>,
}

/// Width of each half of a line with two sides.
pub fn half(width: usize) -> usize {
    width.saturating_sub(3) / 2
}

impl Strip {
    /// Draws the cells.
    pub fn draw(&self, pen: &mut Pen<'_>) {
        pen.skip(self.indent)
            .put_right(&self.right)
            .put_all(&self.spans);
    }
}

impl From<Vec<Span>> for Strip {
    fn from(spans: Vec<Span>) -> Self {
        Self {
            spans,
            ..Self::default()
        }
    }
}

impl From<Strip> for RowLine {
    fn from(strip: Strip) -> Self {
        Self::Whole(strip)
    }
}

impl From<Vec<Span>> for RowLine {
    fn from(spans: Vec<Span>) -> Self {
        Self::Whole(spans.into())
    }
}

impl RowLine {
    /// The parts of the line, each with its place in a line of the area.
    fn parts(&self, line: Rect) -> Vec<(Rect, &Strip)> {
        let inside = Rect {
            x: line.x + CURSOR.min(line.width),
            width: line.width.saturating_sub(CURSOR),
            ..line
        };
        match self {
            Self::Above(strip) | Self::Whole(strip) | Self::Painted(strip) => vec![(inside, strip)],
            Self::Halves([before, after]) => {
                let width = cells(half(usize::from(inside.width)));
                let left = Rect { width, ..inside };
                let right = Rect {
                    x: inside.x + width + 3,
                    ..left
                };
                vec![(left, before), (right, after)]
            }
        }
    }

    fn draw(&self, theme: &Theme, line: Rect, buffer: &mut Buffer) {
        let parts = self.parts(line);
        if let [(left, _), (_, _)] = parts[..] {
            let between = Rect {
                x: left.right(),
                width: 3,
                ..line
            };
            Pen::new(buffer, theme, between, 0).put(" │ ", Role::Border);
        }
        for (place, strip) in parts {
            strip.draw(&mut Pen::new(buffer, theme, place, 0));
            if let Some(role) = strip.tint {
                theme.lay_tint(buffer, place, role);
            }
        }
    }
}

impl<'a> Laid<'a> {
    /// The rows in an area of a pane. `make` returns the lines of a row.
    pub fn new(
        pane: Pane,
        area: Rect,
        len: usize,
        cursor: Cursor,
        make: impl Fn(usize) -> Vec<RowLine> + 'a,
    ) -> Self {
        Self {
            pane,
            area,
            len,
            cursor,
            has_cursor: true,
            is_flat: false,
            make: Box::new(make),
            made: RefCell::default(),
        }
    }

    /// The same rows, of which each takes one line: none is made for its height.
    pub fn flat(self) -> Self {
        Self {
            is_flat: true,
            ..self
        }
    }

    /// The same rows, of which none is selected.
    pub fn without_cursor(self) -> Self {
        Self {
            has_cursor: false,
            ..self
        }
    }

    fn lines(&self, row: usize) -> Rc<[RowLine]> {
        let made = self.made.borrow().get(&row).cloned();
        made.unwrap_or_else(|| {
            let lines: Rc<[RowLine]> = (self.make)(row).into();
            self.made.borrow_mut().insert(row, Rc::clone(&lines));
            lines
        })
    }

    /// Does something with the rows as they stand on the screen.
    pub fn with_page<T>(&self, act: impl FnOnce(Page<'_>) -> T) -> T {
        let height = usize::from(self.area.height);
        if self.is_flat {
            return act(Page::flat(self.len, height));
        }
        let n_lines = |row| self.lines(row).len();
        act(Page::of_lines(self.len, height, &n_lines))
    }

    /// Lets the cursor do something in the rows. Returns where it is then.
    pub fn act<T>(&self, act: impl FnOnce(&mut Cursor, Page<'_>) -> T) -> (Cursor, T) {
        let mut cursor = self.cursor;
        let done = self.with_page(|page| act(&mut cursor, page));
        (cursor, done)
    }

    /// Draws the rows, the cursor and the scrollbar.
    pub fn draw(&self, theme: &Theme, is_focused: bool, buffer: &mut Buffer) {
        scrollbar::draw(buffer, theme, self.bar(), |_| None);
        for shown in self.with_page(|page| self.cursor.shown(page)) {
            let mut is_selected = self.has_cursor && shown.row == self.cursor.row;
            let mut mark = if is_selected { "▶" } else { " " };
            let lines = self.lines(shown.row);
            for (at, line) in shown.lines.zip(lines.iter().skip(shown.n_hidden)) {
                let place = Rect {
                    y: self.area.y + cells(at),
                    height: 1,
                    ..self.area
                };
                let place = place.intersection(buffer.area);
                let is_above = matches!(line, RowLine::Above(_));
                let sign = if is_above {
                    " "
                } else {
                    std::mem::replace(&mut mark, " ")
                };
                Pen::new(buffer, theme, place, 0).put(sign, Role::Focus);
                line.draw(theme, place, buffer);
                is_selected &= !matches!(line, RowLine::Painted(_));
                if is_selected && !is_above {
                    theme.highlight(buffer, place, is_focused);
                }
            }
        }
    }

    /// The row at a position, and the part of it that lies there. `None` above a row.
    pub fn zone_at(&self, at: Position, theme: &Theme) -> Option<(usize, Zone)> {
        let line = usize::from(at.y.checked_sub(self.area.y)?);
        let (row, index) = self.with_page(|page| self.cursor.at_line(line, page))?;
        let lines = self.lines(row);
        let line = lines.get(index)?;
        if matches!(line, RowLine::Above(_)) {
            return None;
        }
        let place = Rect {
            y: at.y,
            height: 1,
            ..self.area
        };
        let mut parts = line.parts(place).into_iter();
        let part = parts.find(|(place, _)| place.contains(at));
        let zone = part.map_or(Zone::Row, |(place, strip)| {
            let mut pen = Pen::asking(theme, place, at);
            strip.draw(&mut pen);
            pen.zone()
        });
        Some((row, zone))
    }

    /// The lines of the selected row on the screen, as wide as the pane.
    pub fn selected_area(&self) -> Option<Rect> {
        let shown = self.with_page(|page| self.cursor.shown(page));
        let shown = shown.into_iter().find(|it| it.row == self.cursor.row)?;
        let lines = self.lines(shown.row);
        let hidden = lines.iter().skip(shown.n_hidden);
        let n_above = hidden
            .take_while(|line| matches!(line, RowLine::Above(_)))
            .count();
        let from = usize::from(self.area.y - self.pane.inner.y);
        let lines = from + shown.lines.start + n_above..from + shown.lines.end;
        Some(self.pane.lines(lines))
    }

    /// Number of lines of the area that have text.
    pub fn n_drawn(&self) -> usize {
        let shown = self.with_page(|page| self.cursor.shown(page));
        shown.last().map_or(0, |row| row.lines.end)
    }

    /// The scrollbar.
    pub fn bar(&self) -> Bar {
        let column = Rect {
            y: self.area.y,
            height: self.area.height,
            ..scrollbar::column(self.pane)
        };
        self.with_page(|page| Bar::of(column, &self.cursor, page))
    }
}
