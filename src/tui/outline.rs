//! The rows of a list on the screen. A list says how many rows it has and of which lines each consists. Here they are drawn, and what
//! lies under the mouse is found: from the same lines, each made once.

mod groups;

pub use groups::{Extent, Groups};

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
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
    /// Rows above the screen that stand on its first lines all the same, each with its line.
    sticky: Vec<(usize, Strip)>,
    make: Box<dyn Fn(usize) -> Vec<RowLine> + 'a>,
    made: RefCell<HashMap<usize, Rc<[RowLine]>>>,
}

/// Width of each half of a line with two sides.
pub fn half(width: usize) -> usize {
    width.saturating_sub(3) / 2
}

impl Strip {
    /// The same cells, with text at the right end.
    #[must_use]
    pub fn ending(self, right: Vec<Span>) -> Self {
        Self { right, ..self }
    }

    /// The same cells, after blanks.
    #[must_use]
    pub fn indented(self, indent: usize) -> Self {
        Self { indent, ..self }
    }

    /// The same cells on a tint.
    #[must_use]
    pub fn tinted(self, tint: Option<Role>) -> Self {
        Self { tint, ..self }
    }

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
            sticky: Vec::new(),
            make: Box::new(make),
            made: RefCell::default(),
        }
    }

    /// The same rows, of which each takes one line: none is made for its height.
    #[must_use]
    pub fn flat(self) -> Self {
        Self {
            is_flat: true,
            ..self
        }
    }

    /// The same rows, of which none is selected.
    #[must_use]
    pub fn without_cursor(self) -> Self {
        Self {
            has_cursor: false,
            ..self
        }
    }

    /// The same rows below these, which are above the screen and stand on its first lines.
    #[must_use]
    pub fn below(self, sticky: Vec<(usize, Strip)>) -> Self {
        Self { sticky, ..self }
    }

    /// Line `at` of the area.
    fn place(&self, at: usize) -> Rect {
        Rect {
            y: self.area.y + cells(at),
            height: 1,
            ..self.area
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
        scrollbar::draw(buffer, theme, self.bar());
        for shown in self.with_page(|page| self.cursor.shown(page)) {
            let mut is_selected = self.has_cursor && shown.row == self.cursor.row;
            let mut mark = if is_selected { "▶" } else { " " };
            let lines = self.lines(shown.row);
            for (at, line) in shown.lines.zip(lines.iter().skip(shown.n_hidden)) {
                let place = self.place(at).intersection(buffer.area);
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
        for (at, (_, strip)) in self.sticky.iter().enumerate() {
            let place = self.place(at).intersection(buffer.area);
            for position in place.positions() {
                buffer[position].reset();
            }
            let mut pen = Pen::new(buffer, theme, place, 0);
            strip.draw(pen.put("↑", Role::Dim));
        }
    }

    /// The row at a position, and the part of it that lies there. `None` above a row.
    pub fn zone_at(&self, at: Position, theme: &Theme) -> Option<(usize, Zone)> {
        let line = usize::from(at.y.checked_sub(self.area.y)?);
        if let Some((row, strip)) = self.sticky.get(line) {
            let mut pen = Pen::asking(theme, self.place(line), at);
            strip.draw(pen.skip(usize::from(CURSOR)));
            return Some((*row, pen.zone()));
        }
        let (row, index) = self.with_page(|page| self.cursor.at_line(line, page))?;
        let lines = self.lines(row);
        let line = lines.get(index)?;
        if matches!(line, RowLine::Above(_)) {
            return None;
        }
        let mut parts = line
            .parts(self.place(usize::from(at.y - self.area.y)))
            .into_iter();
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

    /// The rows on the screen, each with its place.
    pub fn rows(&self) -> Vec<(Rect, usize)> {
        let shown = self.with_page(|page| self.cursor.shown(page)).into_iter();
        let place = |lines: Range<usize>| Rect {
            height: cells(lines.len()),
            ..self.place(lines.start)
        };
        shown.map(|it| (place(it.lines), it.row)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::{Background, Depth, Palette};
    use proptest::prelude::*;

    /// Rows that name themselves: row 3 with a heading and two lines is `above 3`, `row 3 line 1`, `row 3 line 2`.
    fn lines(row: usize, n_above: usize, n_lines: usize) -> Vec<RowLine> {
        let span = |text: String| vec![Span::new(text, Role::Text)];
        let above = (0..n_above).map(|_| RowLine::Above(span(format!("above {row}")).into()));
        let own = (0..n_lines).map(|line| span(format!("row {row} line {line}")).into());
        above.chain(own).collect()
    }

    proptest! {
        /// The drawn lines, the rows that clicks find and the selected lines are those of a plain list of all lines.
        #[test]
        fn every_question_has_the_answer_of_a_list_of_lines(
            rows in proptest::collection::vec((0_usize..3, 1_usize..4), 1..40),
            selected in any::<proptest::sample::Index>(),
            height in 1_u16..20,
        ) {
            let theme = Theme::new(Depth::True, Some(Palette::Dark), Background::Unknown);
            let screen = Rect::new(0, 0, 30, height);
            let pane = Pane { outer: screen, inner: screen, boxed: false };
            let make = |row: usize| lines(row, rows[row].0, rows[row].1);
            let start = Laid::new(pane, screen, rows.len(), Cursor::default(), make);
            let (cursor, ()) = start.act(|cursor, page| cursor.go(selected.index(rows.len()), page));
            let laid = Laid::new(pane, screen, rows.len(), cursor, make);
            let mut buffer = Buffer::empty(screen);
            laid.draw(&theme, true, &mut buffer);
            let all: Vec<String> = (0..rows.len())
                .flat_map(|row| lines(row, rows[row].0, rows[row].1))
                .map(|line| match line {
                    RowLine::Above(strip) | RowLine::Whole(strip) => strip.spans[0].text.clone(),
                    RowLine::Painted(_) | RowLine::Halves(_) => String::new(),
                })
                .collect();
            let drawn: Vec<String> = (0..height)
                .map(|y| (1..25).map(|x| buffer[(x, y)].symbol()).collect::<String>())
                .map(|text| text.trim_end().to_owned())
                .filter(|text| !text.is_empty())
                .collect();
            prop_assert_eq!(drawn.len(), all.len().min(usize::from(height)));
            prop_assert!(all.windows(drawn.len()).any(|some| some == drawn), "{drawn:?}");
            for (y, text) in (0..).zip(&drawn) {
                let clicked = laid.zone_at(Position::new(3, y), &theme);
                let clicked = clicked.map(|(row, _)| row.to_string());
                let named = text.strip_prefix("row ").and_then(|rest| rest.split(' ').next());
                prop_assert_eq!(clicked.as_deref(), named);
            }
            let area = laid.selected_area();
            let of_selected = |y: &u16| {
                let text = &drawn[usize::from(*y)];
                text.starts_with(&format!("row {} ", cursor.row))
            };
            let own: Vec<u16> = (0..cells(drawn.len())).filter(of_selected).collect();
            let said = area.map_or_else(Vec::new, |area| (area.top()..area.bottom()).collect());
            prop_assert_eq!(&said, &own);
            let marks: Vec<u16> = (0..height).filter(|y| buffer[(0, *y)].symbol() == "▶").collect();
            prop_assert_eq!(marks.first(), own.first());
            prop_assert!(marks.len() < 2);
        }
    }
}
