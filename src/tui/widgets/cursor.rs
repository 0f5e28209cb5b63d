//! A cursor in a list, and the rows on the screen.

use std::ops::Range;

use crate::tui::command::Motion;

/// Rows that stay visible above and below the cursor.
const MARGIN: usize = 3;

/// A cursor in a list.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cursor {
    /// The selected row.
    pub row: usize,
    /// The first row on the screen.
    pub top: usize,
}

impl Cursor {
    /// Moves by `delta` rows and stays inside `len` rows.
    pub fn step(&mut self, delta: isize, len: usize, height: usize) {
        self.go(self.row.saturating_add_signed(delta), len, height);
    }

    /// Goes to `row`, or to the last of `len` rows.
    pub fn go(&mut self, row: usize, len: usize, height: usize) {
        self.row = row.min(len.saturating_sub(1));
        self.fit(len, height);
    }

    /// Moves in a flat list without a count.
    pub fn obey(&mut self, motion: Motion, len: usize, height: usize) {
        self.take(step(motion, None, len, height), len, height);
    }

    /// Takes a step in a flat list: its rows are siblings, no row is around another, and there is no other pane to scroll.
    pub fn take(&mut self, step: Step, len: usize, height: usize) {
        match step {
            Step::By(delta) | Step::Siblings(delta) => self.step(delta, len, height),
            Step::Row(row) => self.go(row, len, height),
            Step::Around(_) => {}
            Step::OtherPane(delta) => self.scroll(delta, len, height),
        }
    }

    /// Goes to the next one of some rows, or with negative steps to the previous one, and around at the ends. `rows` are ascending.
    /// Returns the position among them, counted from 1. `None` if there are no rows.
    pub fn go_among(
        &mut self,
        rows: &[usize],
        steps: isize,
        len: usize,
        height: usize,
    ) -> Option<usize> {
        let at = next_among(rows, self.row, steps)?;
        self.go(*rows.get(at)?, len, height);
        Some(at + 1)
    }

    /// Scrolls just enough to bring the selected row into the `height` rows of the screen, with a margin.
    pub fn fit(&mut self, len: usize, height: usize) {
        self.row = self.row.min(len.saturating_sub(1));
        let margin = Self::margin(height);
        self.top = self
            .top
            .min(self.row.saturating_sub(margin))
            .max((self.row + margin + 1).saturating_sub(height))
            .min(len.saturating_sub(height));
    }

    /// Rows that stay visible above and below the cursor on a screen of this height.
    pub fn margin(height: usize) -> usize {
        MARGIN.min(height.saturating_sub(1) / 2)
    }

    /// The first row to draw if rows take `n_lines` lines each. This is [`Cursor::top`], or a row further down if the selected
    /// row and some of the rows below it need the room.
    pub fn top_of_lines(
        &self,
        len: usize,
        height: usize,
        n_lines: impl Fn(usize) -> usize,
    ) -> usize {
        let mut top = self.row.min(len.saturating_sub(1));
        let behind: usize = (top + 1..len.min(top + 1 + MARGIN)).map(&n_lines).sum();
        let own = if len == 0 { 0 } else { n_lines(top) };
        let mut room = height
            .saturating_sub(own)
            .saturating_sub(behind.min(height / 4));
        while top > self.top {
            let above = n_lines(top - 1);
            if above > room {
                break;
            }
            room -= above;
            top -= 1;
        }
        top
    }

    /// The row drawn on `line`, counted from the top of the list, if rows take `n_lines` lines each.
    pub fn row_of_line(
        &self,
        line: usize,
        len: usize,
        height: usize,
        n_lines: impl Fn(usize) -> usize,
    ) -> Option<usize> {
        let mut next = 0;
        (self.top_of_lines(len, height, &n_lines)..len).find(|row| {
            next += n_lines(*row);
            line < next
        })
    }

    /// The lines on which the selected row is drawn, counted from the top of the list, if rows take `n_lines` lines each.
    pub fn lines(
        &self,
        len: usize,
        height: usize,
        n_lines: impl Fn(usize) -> usize,
    ) -> Option<Range<usize>> {
        let top = self.top_of_lines(len, height, &n_lines);
        let start: usize = (top..self.row).map(&n_lines).sum();
        let end = start + n_lines(self.row);
        (self.row < len && start < height).then(|| start..end.min(height))
    }

    /// Scrolls by `delta` rows. The cursor moves along if it would leave the screen.
    pub fn scroll(&mut self, delta: isize, len: usize, height: usize) {
        self.top = self
            .top
            .saturating_add_signed(delta)
            .min(len.saturating_sub(height));
        let margin = Self::margin(height);
        let low = if self.top == 0 { 0 } else { self.top + margin };
        let last = len.saturating_sub(1);
        let high = (self.top + height).saturating_sub(1 + margin).max(low);
        let high = if self.top + height >= len { last } else { high };
        self.row = self.row.clamp(low.min(high), high).min(last);
    }
}

/// The index of the next one of some rows after the row `from`, or with negative steps of the previous one, and around at the ends.
/// `rows` are ascending. `None` if there are no rows.
pub fn next_among(rows: &[usize], from: usize, steps: isize) -> Option<usize> {
    let n_passed = if steps > 0 {
        rows.partition_point(|row| *row <= from)
    } else {
        rows.partition_point(|row| *row < from) + 1
    };
    let [n_passed, n_rows] = [n_passed, rows.len()].map(|n| isize::try_from(n).unwrap_or(0));
    let at = (n_passed - 1 + steps).checked_rem_euclid(n_rows)?;
    usize::try_from(at).ok()
}

/// A motion in a list: the resolved motion, with its count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// By this number of rows.
    By(isize),
    /// To a row.
    Row(usize),
    /// By this number of siblings.
    Siblings(isize),
    /// To the surrounding row, this number of times.
    Around(usize),
    /// The other pane scrolls by this number of rows.
    OtherPane(isize),
}

/// A motion, with the count typed before it, in a list of `len` rows of which the screen shows `height`.
pub fn step(motion: Motion, count: Option<usize>, len: usize, height: usize) -> Step {
    let times = isize::try_from(count.unwrap_or(1)).unwrap_or(isize::MAX);
    let rows = |rows: usize| {
        let rows = isize::try_from(rows.max(1)).unwrap_or(isize::MAX);
        rows.saturating_mul(times)
    };
    match motion {
        Motion::Down => Step::By(times),
        Motion::Up => Step::By(-times),
        Motion::HalfDown => Step::By(rows(height / 2)),
        Motion::HalfUp => Step::By(-rows(height / 2)),
        Motion::PageDown => Step::By(rows(height)),
        Motion::PageUp => Step::By(-rows(height)),
        Motion::Top => Step::Row(count.map_or(0, |count| count.saturating_sub(1))),
        Motion::Bottom => Step::Row(count.unwrap_or(len).saturating_sub(1)),
        Motion::NextSibling => Step::Siblings(times),
        Motion::PrevSibling => Step::Siblings(-times),
        Motion::ParentRow => Step::Around(count.unwrap_or(1).min(1000)),
        Motion::ScrollDown => Step::OtherPane(times),
        Motion::ScrollUp => Step::OtherPane(-times),
    }
}

#[cfg(test)]
mod tests {
    use super::Cursor;

    #[test]
    fn a_row_of_many_lines_scrolls_the_rows_above_out() {
        let mut cursor = Cursor::default();
        let n_lines = |row| if row % 2 == 0 { 1 } else { 4 };
        assert_eq!(cursor.top_of_lines(20, 10, n_lines), 0);
        // Row 5 takes 4 lines and 2 are left for the rows below it. Row 4 fits above, but the 4 lines of row 3 do not.
        cursor.go(5, 20, 10);
        assert_eq!(cursor.top, 0);
        assert_eq!(cursor.top_of_lines(20, 10, n_lines), 4);
        assert_eq!(cursor.row_of_line(0, 20, 10, n_lines), Some(4));
        assert_eq!(cursor.row_of_line(4, 20, 10, n_lines), Some(5));
        assert_eq!(cursor.row_of_line(5, 20, 10, n_lines), Some(6));
        assert_eq!(cursor.lines(20, 10, n_lines), Some(1..5));
        assert_eq!(Cursor::default().lines(0, 10, n_lines), None);
        // Rows of one line do not move the top.
        assert_eq!(cursor.top_of_lines(20, 10, |_| 1), 0);
        // A row higher than the screen begins at its top.
        assert_eq!(cursor.top_of_lines(20, 10, |_| 30), 5);
        assert_eq!(Cursor::default().row_of_line(3, 0, 10, |_| 1), None);
    }

    #[test]
    fn the_selected_row_is_always_visible_with_three_to_spare() {
        let mut cursor = Cursor::default();
        cursor.step(8, 100, 10);
        assert_eq!(cursor, Cursor { row: 8, top: 2 });
        cursor.step(-5, 100, 10);
        assert_eq!(cursor, Cursor { row: 3, top: 0 });
        cursor.go(1000, 100, 10);
        assert_eq!(cursor, Cursor { row: 99, top: 90 });
        cursor.scroll(-50, 100, 10);
        assert_eq!(cursor, Cursor { row: 46, top: 40 });
        cursor.go(5, 3, 0);
        assert_eq!(cursor.row, 2);
    }
}
