//! The rows of a list in an overlay. Drawing, clicks, the wheel and the scrollbar use the same arithmetic, so that a click always
//! means the row that the person sees.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::cursor::Cursor;
use super::pen::Pen;
use super::scrollbar::{self, Bar};
use crate::tui::theme::{Role, Theme};

/// Cells before a row, for the cursor.
const MARK: u16 = 1;

/// A list whose rows take the same number of lines each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListArea {
    /// The lines of the rows, without the scrollbar.
    pub area: Rect,
    /// Number of rows.
    pub len: usize,
    /// Number of lines that a row takes.
    n_lines: u16,
    /// The column of the scrollbar. Empty if all rows are on the screen.
    bar: Rect,
}

impl ListArea {
    /// A list of rows of one line.
    pub fn new(inner: Rect, len: usize) -> Self {
        Self::of_lines(inner, len, 1)
    }

    /// A list of rows of `n_lines` lines.
    pub fn of_lines(inner: Rect, len: usize, n_lines: u16) -> Self {
        let n_shown = usize::from(inner.height / n_lines.max(1));
        let bar = u16::from(len > n_shown && inner.width > 4);
        let width = inner.width - bar;
        Self {
            area: Rect { width, ..inner },
            len,
            n_lines: n_lines.max(1),
            bar: Rect {
                x: inner.x + width,
                width: bar,
                ..inner
            },
        }
    }

    /// Number of rows on the screen at once.
    pub fn height(&self) -> usize {
        usize::from(self.area.height / self.n_lines)
    }

    /// The rows on the screen, from row `top` on.
    pub fn rows(&self, top: usize) -> impl Iterator<Item = (Rect, usize)> + use<> {
        let Self { area, n_lines, .. } = *self;
        let shown = (0..area.height).step_by(usize::from(n_lines));
        shown.zip(top..self.len).map(move |(line, row)| {
            let row_area = Rect::new(area.x, area.y + line, area.width, n_lines);
            (row_area.intersection(area), row)
        })
    }

    /// The scrollbar while row `top` is the first one on the screen.
    pub fn bar(&self, top: usize) -> Bar {
        let n_lines = usize::from(self.n_lines);
        Bar::flat(self.bar, top * n_lines, self.len * n_lines)
    }

    /// The first row on the screen if the thumb of the scrollbar were on line `y` of the screen. It is row `top` now.
    pub fn top_at(&self, y: u16, top: usize) -> usize {
        self.bar(top).top_at(y) / usize::from(self.n_lines)
    }

    /// Draws the rows, the cursor and the scrollbar. `draw` gets the area of a row after the cursor, and the row.
    pub fn draw(
        &self,
        cursor: Cursor,
        theme: &Theme,
        buffer: &mut Buffer,
        mut draw: impl FnMut(&mut Buffer, Rect, usize),
    ) {
        for (area, row) in self.rows(cursor.top) {
            let is_selected = row == cursor.row;
            let mark = if is_selected { "▶" } else { " " };
            Pen::new(buffer, theme, area, 0).put(mark, Role::Focus);
            let mark = MARK.min(area.width);
            // A blank keeps text away from the scrollbar.
            let blank = self.bar.width;
            let inside = Rect {
                x: area.x + mark,
                width: area.width.saturating_sub(mark + blank),
                ..area
            };
            draw(buffer, inside, row);
            if is_selected {
                theme.highlight(buffer, area, true);
            }
        }
        scrollbar::draw(buffer, theme, self.bar(cursor.top));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_two_lines_scroll_and_are_found_by_their_lines() {
        let inner = Rect::new(2, 3, 20, 7);
        let list = ListArea::of_lines(inner, 10, 2);
        assert_eq!((list.height(), list.area.width), (3, 19));
        let rows: Vec<_> = list.rows(4).collect();
        assert_eq!(rows[0], (Rect::new(2, 3, 19, 2), 4));
        assert_eq!(rows[1], (Rect::new(2, 5, 19, 2), 5));
        // Half of a row is on the last line.
        assert_eq!(rows[3], (Rect::new(2, 9, 19, 1), 7));
        let top = list.top_at(9, 0);
        assert!(top >= 6, "{top}");
        assert_eq!(list.top_at(3, top), 0);
    }

    #[test]
    fn a_list_that_fits_has_no_bar() {
        let list = ListArea::new(Rect::new(0, 0, 20, 7), 7);
        assert!(!list.bar(0).is_shown());
        assert_eq!(list.area.width, 20);
    }
}
