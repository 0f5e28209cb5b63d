//! A cursor in a list, and which rows are on the screen.

/// Rows that stay visible above and below the cursor.
const MARGIN: usize = 3;

/// A cursor in a list.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cursor {
    /// The row that is selected.
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

    /// Scrolls as little as puts the selected row inside the `height` rows of the screen, with a margin.
    pub fn fit(&mut self, len: usize, height: usize) {
        self.row = self.row.min(len.saturating_sub(1));
        let margin = MARGIN.min(height.saturating_sub(1) / 2);
        self.top = self
            .top
            .min(self.row.saturating_sub(margin))
            .max((self.row + margin + 1).saturating_sub(height))
            .min(len.saturating_sub(height));
    }

    /// Scrolls by `delta` rows; the cursor comes along if it would leave the screen.
    pub fn scroll(&mut self, delta: isize, len: usize, height: usize) {
        self.top = self
            .top
            .saturating_add_signed(delta)
            .min(len.saturating_sub(height));
        let margin = MARGIN.min(height.saturating_sub(1) / 2);
        let low = if self.top == 0 { 0 } else { self.top + margin };
        let last = len.saturating_sub(1);
        let high = (self.top + height).saturating_sub(1 + margin).max(low);
        let high = if self.top + height >= len { last } else { high };
        self.row = self.row.clamp(low.min(high), high).min(last);
    }
}

#[cfg(test)]
mod tests {
    use super::Cursor;

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
