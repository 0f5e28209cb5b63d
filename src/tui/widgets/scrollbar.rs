//! A scrollbar: one thin column in one color. It may have marks where something is.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::cursor::{Cursor, Page};
use crate::tui::layout::Pane;
use crate::tui::theme::{Role, Theme};

/// The column of the scrollbar of a pane, which may be empty: the blank one at the right of its text.
pub fn column(pane: Pane) -> Rect {
    let inner = pane.inner;
    let width = u16::from(inner.right() < pane.outer.right());
    Rect::new(inner.right(), inner.y, width, inner.height)
}

/// The rows that belong to a cell of a bar of `height` cells over `len` rows.
pub fn rows_of_cell(cell: usize, height: usize, len: usize) -> Range<usize> {
    let from = cell * len / height.max(1);
    let to = (cell + 1) * len / height.max(1);
    from..to.max(from + 1).min(len)
}

/// The bar of a list of `len` rows, of which the screen shows `n_shown` from `top` on.
///
/// The bar of a list with rows of several lines counts parts of rows ([`Cursor::positions`]).
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// The column of the bar.
    pub area: Rect,
    /// The first row on the screen.
    pub top: usize,
    /// The number of rows on the screen.
    pub n_shown: usize,
    /// The number of rows.
    pub len: usize,
}

impl Bar {
    /// The bar of a list with a cursor.
    pub fn of(area: Rect, cursor: &Cursor, page: Page<'_>) -> Self {
        let [top, n_shown, len] = cursor.positions(page);
        Self {
            area,
            top,
            n_shown,
            len,
        }
    }

    fn height(&self) -> usize {
        usize::from(self.area.height)
    }

    /// True if the bar is drawn. A screen that shows all rows has none.
    pub fn is_shown(&self) -> bool {
        !self.area.is_empty() && self.len > self.n_shown
    }

    /// Number of cells of the thumb.
    fn size(&self) -> usize {
        (self.height() * self.n_shown / self.len.max(1)).max(1)
    }

    /// The first row on the screen if the middle of the thumb were on line `y` of the screen, or as near as it gets.
    pub fn top_at(&self, y: u16) -> usize {
        let room = self.len.saturating_sub(self.n_shown);
        let cells = self.height().saturating_sub(self.size());
        let cell = usize::from(y.saturating_sub(self.area.y));
        let first = cell.saturating_sub(self.size() / 2).min(cells);
        first * room / cells.max(1)
    }
}

/// Draws a bar.
pub fn draw(buffer: &mut Buffer, theme: &Theme, bar: Bar) {
    draw_marked(buffer, theme, bar, |_| false);
}

/// Draws a bar with a mark on each cell beside the thumb one of whose rows is marked.
pub fn draw_marked(
    buffer: &mut Buffer,
    theme: &Theme,
    bar: Bar,
    is_marked: impl Fn(Range<usize>) -> bool,
) {
    let area = bar.area.intersection(buffer.area);
    let bar = Bar { area, ..bar };
    if !bar.is_shown() {
        return;
    }
    let (height, size) = (bar.height(), bar.size());
    let room = bar.len - bar.n_shown;
    let (bar, top, len) = (bar.area, bar.top, bar.len);
    let first = (top.min(room) * (height - size)).div_ceil(room);
    for (cell, y) in (bar.y..bar.bottom()).enumerate() {
        let is_thumb = (first..first + size).contains(&cell);
        // The rows of the thumb are on the screen and speak for themselves.
        let (symbol, role) = if is_thumb {
            ("█", Role::Dim)
        } else if is_marked(rows_of_cell(cell, height, len)) {
            ("▐", Role::Dim)
        } else {
            ("▕", Role::Border)
        };
        let style = theme.style(role);
        buffer[(bar.x, y)].set_symbol(symbol).set_style(style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_belongs_to_a_cell() {
        for (height, len) in [(5, 6), (5, 17), (20, 1_000_000), (7, 7)] {
            let mut next = 0;
            for cell in 0..height {
                let rows = rows_of_cell(cell, height, len);
                assert_eq!(rows.start, next, "{cell} of {height} over {len}");
                next = rows.end;
            }
            assert_eq!(next, len);
        }
    }

    /// The bar of a list whose rows take one line each.
    fn flat(area: Rect, top: usize, len: usize) -> Bar {
        Bar {
            area,
            top,
            n_shown: usize::from(area.height),
            len,
        }
    }

    /// The bar as text.
    fn bar(top: usize, len: usize) -> String {
        let area = Rect::new(0, 0, 1, 5);
        let mut buffer = Buffer::empty(area);
        let theme = Theme::default();
        let bar = flat(area, top, len);
        draw_marked(&mut buffer, &theme, bar, |rows| rows.contains(&9));
        let cells = area.positions().map(|it| buffer[it].symbol().to_owned());
        cells.collect()
    }

    #[test]
    fn the_thumb_goes_where_it_is_dragged() {
        let bar = |top| flat(Rect::new(9, 3, 1, 10), top, 50);
        // The thumb is two cells long.
        assert_eq!(bar(20).size(), 2);
        assert_eq!([3, 4, 5].map(|y| bar(20).top_at(y)), [0, 0, 5]);
        assert_eq!([11, 12, 90].map(|y| bar(0).top_at(y)), [35, 40, 40]);
        assert_eq!(bar(0).top_at(0), 0);
    }

    #[test]
    fn the_thumb_goes_from_end_to_end_over_the_marks() {
        assert_eq!(bar(0, 5), "     ");
        assert_eq!(bar(0, 25), "█▐▕▕▕");
        assert_eq!(bar(1, 25), "▕█▕▕▕");
        assert_eq!(bar(20, 25), "▕▐▕▕█");
        assert_eq!(bar(0, 8), "███▕▕");
        assert_eq!(bar(3, 8), "▕▕███");
    }
}
