//! A cursor in a list, and the rows on the screen.
//!
//! A row takes one line or several. The page is kept as its first line: a row, and a line of that row. No operation asks for the
//! heights of more rows than fit on a few screens, however long the list is.
//!
//! Laws: the selected row is always on the screen, with `MARGIN` rows above and below it where they fit. A page key moves by the
//! lines of the screen and skips none. Pointing at a row on the screen does not move the page.

use std::ops::Range;

use super::text::n_of;
use crate::tui::command::Motion;

/// Rows that stay visible above and below the cursor.
const MARGIN: usize = 3;

/// Maximum number of lines that are counted one by one. A longer way is counted in rows.
const MAX_WALK: usize = 2_000;

/// The positions of a scrollbar in a row of several lines.
const PARTS: usize = 16;

/// The rows of a list, and the lines that the screen has for them.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    /// Number of rows.
    pub len: usize,
    /// Number of lines of the screen.
    pub height: usize,
    /// Number of lines that a row takes; `None` if each takes one.
    n_lines: Option<&'a dyn Fn(usize) -> usize>,
}

/// A line of a list: a row, and the line of that row, counted from 0.
type Line = (usize, usize);

impl<'a> Page<'a> {
    /// Rows of one line each.
    pub fn flat(len: usize, height: usize) -> Self {
        Self {
            len,
            height,
            n_lines: None,
        }
    }

    /// Rows that take `n_lines` lines each.
    pub fn of_lines(len: usize, height: usize, n_lines: &'a dyn Fn(usize) -> usize) -> Self {
        Self {
            len,
            height,
            n_lines: Some(n_lines),
        }
    }

    fn n_lines(&self, row: usize) -> usize {
        self.n_lines.map_or(1, |n_lines| n_lines(row).max(1))
    }

    /// The line `n` lines below another one, or the one after the last.
    fn below(&self, (row, line): Line, n: usize) -> Line {
        if self.n_lines.is_none() {
            return (row.saturating_add(n).min(self.len), 0);
        }
        let (mut row, mut left) = (row, line + n.min(MAX_WALK));
        while row < self.len {
            let own = self.n_lines(row);
            if left < own {
                let rest = n.saturating_sub(MAX_WALK);
                return match row.saturating_add(rest) {
                    _ if rest == 0 => (row, left),
                    row => (row.min(self.len), 0),
                };
            }
            left -= own;
            row += 1;
        }
        (self.len, 0)
    }

    /// The line `n` lines above another one, or the first one.
    fn above(&self, (row, line): Line, n: usize) -> Line {
        if self.n_lines.is_none() {
            return (row.saturating_sub(n), 0);
        }
        let (mut row, mut line, mut left) = (row, line, n.min(MAX_WALK));
        while left > line {
            left -= line;
            let Some(before) = row.checked_sub(1) else {
                return (0, 0);
            };
            row = before;
            line = self.n_lines(row);
        }
        match n.saturating_sub(MAX_WALK) {
            0 => (row, line - left),
            rest => (row.saturating_sub(rest), 0),
        }
    }

    /// A first line of the page that leaves no lines empty at the end.
    fn full(&self, top: Line) -> Line {
        let end = (self.len, 0);
        let top = match top {
            (row, _) if row >= self.len => end,
            (row, line) => (row, line.min(self.n_lines(row) - 1)),
        };
        if self.below(top, self.height) == end {
            top.min(self.above(end, self.height))
        } else {
            top
        }
    }

    /// The least and the greatest first line of a page that shows a row with its neighbors.
    fn tops(&self, row: usize) -> (Line, Line) {
        let own = self.n_lines(row);
        let Some(free) = self.height.checked_sub(own) else {
            return ((row, 0), (row, own - self.height));
        };
        let lines = |rows: Range<usize>| rows.map(|row| self.n_lines(row)).sum::<usize>();
        let [above, below] = [
            row.saturating_sub(MARGIN)..row,
            row + 1..(row + 1 + MARGIN).min(self.len),
        ]
        .map(|rows| lines(rows).min(free / 2));
        let first = (row, 0);
        (self.above(first, free - below), self.above(first, above))
    }

    /// The first line of the page that shows a row with its neighbors and is nearest to `top`.
    fn top_for(&self, row: usize, top: Line) -> Line {
        let (least, greatest) = self.tops(row);
        self.full(top.max(least).min(greatest))
    }
}

/// A way to scroll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scroll {
    /// By this number of lines.
    By(isize),
    /// To this position of the scrollbar.
    To(usize),
}

/// A row on the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownRow {
    /// The row.
    pub row: usize,
    /// Number of its lines above the screen.
    pub n_hidden: usize,
    /// Its lines on the screen, counted from the top of the list.
    pub lines: Range<usize>,
}

/// A cursor in a list.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cursor {
    /// The selected row.
    pub row: usize,
    /// The first row on the screen.
    pub top: usize,
    /// Number of lines of the first row that are above the screen.
    n_hidden: usize,
    /// True if the page was chosen with the mouse. It stays as long as the selected row is on it.
    is_held: bool,
}

impl Cursor {
    /// A cursor on a row, while another row is the first one on the screen.
    pub fn at(row: usize, top: usize) -> Self {
        Self {
            row,
            top,
            ..Self::default()
        }
    }

    /// Moves by `delta` rows and stays inside the list.
    pub fn step(&mut self, delta: isize, page: Page<'_>) {
        self.go(self.row.saturating_add_signed(delta), page);
    }

    /// Goes to `row`, or to the last row.
    pub fn go(&mut self, row: usize, page: Page<'_>) {
        self.select(row);
        self.fit(page);
    }

    /// Selects a row. The page follows with the next [`Cursor::fit`].
    pub fn select(&mut self, row: usize) {
        self.row = row;
        self.is_held = false;
    }

    /// Selects a row that the person points at. The page stays.
    pub fn point_at(&mut self, row: usize, page: Page<'_>) {
        self.fit(page);
        self.row = row;
        self.is_held = true;
        self.fit(page);
    }

    /// Takes a step in a list without levels: its rows are siblings, no row is around another, and there is no other pane to scroll.
    pub fn take(&mut self, step: Step, page: Page<'_>) {
        match step {
            Step::By(delta) | Step::Siblings(delta) => self.step(delta, page),
            Step::Lines(delta) => self.turn(delta, page),
            Step::Row(row) => self.go(row, page),
            Step::Around(_) => {}
            Step::OtherPane(delta) => self.scroll(Scroll::By(delta), page),
        }
    }

    /// Goes to the next one of some rows, or with negative steps to the previous one, and around at the ends. `rows` are ascending.
    /// Returns the position among them, counted from 1. `None` if there are no rows.
    pub fn go_among(&mut self, rows: &[usize], steps: isize, page: Page<'_>) -> Option<usize> {
        let at = next_among(rows, self.row, steps)?;
        self.go(*rows.get(at)?, page);
        Some(at + 1)
    }

    /// Scrolls just enough to bring the selected row onto the screen, with its neighbors.
    pub fn fit(&mut self, page: Page<'_>) {
        if page.len == 0 || page.height == 0 {
            self.row = self.row.min(page.len.saturating_sub(1));
            self.show(if page.len == 0 { (0, 0) } else { (self.row, 0) });
            return;
        }
        self.row = self.row.min(page.len - 1);
        let top = page.full(self.top());
        let is_on_screen = |row: usize| top.0 <= row && (row, 0) < page.below(top, page.height);
        self.is_held &= is_on_screen(self.row);
        if self.is_held {
            self.show(top);
        } else {
            self.show(page.top_for(self.row, top));
        }
    }

    /// Moves by this number of lines, and the page with it: no line is skipped, and at least one row is passed or its next lines
    /// are shown.
    fn turn(&mut self, delta: isize, page: Page<'_>) {
        self.fit(page);
        if page.len == 0 || page.height == 0 {
            return;
        }
        let (n, here, old) = (delta.unsigned_abs(), self.row, self.top());
        self.is_held = false;
        let (end, is_down) = (page.len - 1, delta >= 0);
        let (on, back) = if is_down { (1, -1) } else { (-1, 1) };
        let turned = |line: Line| {
            if is_down {
                page.below(line, n)
            } else {
                page.above(line, n)
            }
        };
        let is_beyond = |one: Line, other: Line| if is_down { one > other } else { one < other };
        let is_too_far = |row: usize, farthest: Line| {
            let (least, greatest) = page.tops(row);
            is_beyond(if is_down { least } else { greatest }, farthest)
        };
        let farthest = turned(old);
        let mut row = turned(old.max((here, 0))).0.min(end);
        while row != here && is_too_far(row, farthest) {
            row = row.saturating_add_signed(back);
        }
        let top = page.top_for(row, farthest);
        if row == here && !is_beyond(top, old) {
            self.row = here.saturating_add_signed(on).min(end);
            self.show(page.top_for(self.row, old));
        } else {
            self.row = row;
            self.show(if is_beyond(old, top) { old } else { top });
        }
    }

    /// Scrolls. The cursor moves along if it would leave the screen.
    pub fn scroll(&mut self, scroll: Scroll, page: Page<'_>) {
        self.fit(page);
        if page.len == 0 || page.height == 0 {
            return;
        }
        let old = self.top();
        let top = match scroll {
            Scroll::By(delta) if delta < 0 => page.above(old, delta.unsigned_abs()),
            Scroll::By(delta) => page.below(old, delta.unsigned_abs()),
            Scroll::To(position) if page.n_lines.is_none() => (position, 0),
            Scroll::To(position) => {
                let row = (position / PARTS).min(page.len - 1);
                (row, position % PARTS * page.n_lines(row) / PARTS)
            }
        };
        let top = page.full(top);
        self.show(top);
        if top == old || page.top_for(self.row, top) == top {
            return;
        }
        // The nearest row that the page shows with its neighbors, or else the nearest one on the page.
        let last = page.below(top, page.height - 1).0.min(page.len - 1);
        let nearest = self.row.clamp(top.0, last);
        let upward = (top.0..=nearest).rev();
        let mut rows = (nearest..=last).chain(upward);
        let fitting = rows.find(|row| page.top_for(*row, top) == top);
        self.row = fitting.unwrap_or(nearest);
        self.is_held = fitting.is_none();
    }

    /// The rows on the screen.
    pub fn shown(&self, page: Page<'_>) -> Vec<ShownRow> {
        let mut cursor = *self;
        cursor.fit(page);
        let (mut rows, mut used, mut n_hidden) = (Vec::new(), 0, cursor.n_hidden);
        for row in cursor.top..page.len {
            if used >= page.height {
                break;
            }
            let end = (used + page.n_lines(row) - n_hidden).min(page.height);
            rows.push(ShownRow {
                row,
                n_hidden,
                lines: used..end,
            });
            (used, n_hidden) = (end, 0);
        }
        rows
    }

    /// The row drawn on `line`, counted from the top of the list, and which of its own lines stands there.
    pub fn at_line(&self, line: usize, page: Page<'_>) -> Option<(usize, usize)> {
        let mut shown = self.shown(page).into_iter();
        let shown = shown.find(|it| it.lines.contains(&line))?;
        Some((shown.row, shown.n_hidden + line - shown.lines.start))
    }

    /// The lines on which the selected row is drawn, counted from the top of the list.
    pub fn lines(&self, page: Page<'_>) -> Option<Range<usize>> {
        let mut shown = self.shown(page).into_iter();
        shown.find_map(|it| (it.row == self.row).then_some(it.lines))
    }

    /// The first position of the scrollbar that is on the screen, the number of positions on the screen, and the number of all.
    pub fn positions(&self, page: Page<'_>) -> [usize; 3] {
        let mut cursor = *self;
        cursor.fit(page);
        if page.n_lines.is_none() {
            return [cursor.top, page.height, page.len];
        }
        let position = |(row, line): Line| {
            let inside = if line == 0 {
                0
            } else {
                line * PARTS / page.n_lines(row)
            };
            row * PARTS + inside
        };
        let top = position(cursor.top());
        let end = position(page.below(cursor.top(), page.height));
        [top, end - top, page.len * PARTS]
    }

    /// The selected row among `len`: `3 of 12`; "" if there are none.
    pub fn words(&self, len: usize) -> String {
        match len {
            0 => String::new(),
            len => n_of(self.row + 1, len),
        }
    }

    /// Number of lines of the screen above the selected row.
    pub fn line_on_screen(&self, page: Page<'_>) -> usize {
        self.lines(page).map_or(0, |lines| lines.start)
    }

    /// Selects a row and shows it with this number of lines of the screen above it, as far as its neighbors have room.
    pub fn put(&mut self, row: usize, n_above: usize, page: Page<'_>) {
        self.select(row);
        self.show(page.above((row.min(page.len), 0), n_above));
        self.fit(page);
    }

    /// Rows that stay visible above and below the cursor on a screen of this height, if each row takes one line.
    pub fn margin(height: usize) -> usize {
        MARGIN.min(height.saturating_sub(1) / 2)
    }

    fn top(&self) -> Line {
        (self.top, self.n_hidden)
    }

    fn show(&mut self, (top, n_hidden): Line) {
        (self.top, self.n_hidden) = (top, n_hidden);
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
    /// By this number of lines, with the page.
    Lines(isize),
    /// To a row.
    Row(usize),
    /// By this number of siblings.
    Siblings(isize),
    /// To the surrounding row, this number of times.
    Around(usize),
    /// The other pane scrolls by this number of lines.
    OtherPane(isize),
}

/// A motion, with the count typed before it.
pub fn step(motion: Motion, count: Option<usize>, page: Page<'_>) -> Step {
    let times = isize::try_from(count.unwrap_or(1)).unwrap_or(isize::MAX);
    let lines = |lines: usize| {
        let lines = isize::try_from(lines.max(1)).unwrap_or(isize::MAX);
        lines.saturating_mul(times)
    };
    match motion {
        Motion::Down => Step::By(times),
        Motion::Up => Step::By(-times),
        Motion::HalfDown => Step::Lines(lines(page.height / 2)),
        Motion::HalfUp => Step::Lines(-lines(page.height / 2)),
        Motion::PageDown => Step::Lines(lines(page.height)),
        Motion::PageUp => Step::Lines(-lines(page.height)),
        Motion::Top => Step::Row(count.map_or(0, |count| count.saturating_sub(1))),
        Motion::Bottom => Step::Row(count.unwrap_or(page.len).saturating_sub(1)),
        Motion::NextSibling => Step::Siblings(times),
        Motion::PrevSibling => Step::Siblings(-times),
        Motion::ParentRow => Step::Around(count.unwrap_or(1).min(1000)),
        Motion::ScrollDown => Step::OtherPane(times),
        Motion::ScrollUp => Step::OtherPane(-times),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of one to thirteen lines.
    fn n_lines(row: usize) -> usize {
        1 + row * 7 % 13
    }

    fn row_of_line(cursor: &Cursor, line: usize, page: Page<'_>) -> Option<usize> {
        cursor.at_line(line, page).map(|(row, _)| row)
    }

    /// All lines on the screen.
    fn lines(cursor: &Cursor, page: Page<'_>) -> Vec<(usize, usize)> {
        let shown = cursor.shown(page).into_iter();
        let lines =
            shown.flat_map(|it| (0..it.lines.len()).map(move |line| (it.row, it.n_hidden + line)));
        lines.collect()
    }

    #[test]
    fn a_row_of_many_lines_scrolls_the_rows_above_out() {
        let n_lines = |row| if row % 2 == 0 { 1 } else { 4 };
        let page = Page::of_lines(20, 10, &n_lines);
        let mut cursor = Cursor::default();
        cursor.go(5, page);
        // Row 5 takes 4 lines. Three lines above it and three below it are left.
        assert_eq!(cursor.lines(page), Some(3..7));
        assert_eq!(row_of_line(&cursor, 0, page), Some(3));
        assert_eq!(row_of_line(&cursor, 2, page), Some(4));
        assert_eq!(row_of_line(&cursor, 7, page), Some(6));
        assert_eq!(row_of_line(&cursor, 9, page), Some(7));
        let empty = Page::of_lines(0, 10, &n_lines);
        assert_eq!(Cursor::default().lines(empty), None);
        assert_eq!(row_of_line(&Cursor::default(), 3, empty), None);
        // A row higher than the screen begins at its top.
        cursor.go(5, Page::of_lines(20, 10, &|_| 30));
        assert_eq!((cursor.top, cursor.n_hidden), (5, 0));
    }

    #[test]
    fn the_selected_row_is_always_visible_with_three_to_spare() {
        let page = Page::flat(100, 10);
        let mut cursor = Cursor::default();
        cursor.step(8, page);
        assert_eq!(cursor, Cursor::at(8, 2));
        cursor.step(-5, page);
        assert_eq!(cursor, Cursor::at(3, 0));
        cursor.go(1000, page);
        assert_eq!(cursor, Cursor::at(99, 90));
        cursor.scroll(Scroll::By(-50), page);
        assert_eq!(cursor, Cursor::at(46, 40));
        cursor.go(5, Page::flat(3, 0));
        assert_eq!(cursor.row, 2);
    }

    #[test]
    fn the_wheel_shows_every_line_of_every_row() {
        let page = Page::of_lines(9, 6, &n_lines);
        let mut cursor = Cursor::default();
        let all: Vec<_> = (0..9)
            .flat_map(|row| (0..n_lines(row)).map(move |line| (row, line)))
            .collect();
        for top in 0..all.len() - 5 {
            let shown = lines(&cursor, page);
            assert_eq!(shown, all[top..top + 6], "{top}");
            assert!(
                shown.iter().any(|(row, _)| *row == cursor.row),
                "{cursor:?}"
            );
            cursor.scroll(Scroll::By(1), page);
        }
        assert_eq!(lines(&cursor, page), all[all.len() - 6..]);
        cursor.scroll(Scroll::By(-1000), page);
        assert_eq!(lines(&cursor, page), all[..6]);
        cursor.scroll(Scroll::To(usize::MAX), page);
        assert_eq!(lines(&cursor, page), all[all.len() - 6..]);
    }

    #[test]
    fn page_keys_skip_no_line_and_come_to_the_end() {
        for height in [1, 2, 3, 7, 20, 50] {
            for len in [1, 2, 9, 40] {
                let page = Page::of_lines(len, height, &n_lines);
                for motion in [
                    Motion::PageDown,
                    Motion::HalfDown,
                    Motion::PageUp,
                    Motion::HalfUp,
                ] {
                    let is_down = matches!(motion, Motion::PageDown | Motion::HalfDown);
                    let (start, end) = if is_down {
                        (0, len - 1)
                    } else {
                        (usize::MAX, 0)
                    };
                    let mut cursor = Cursor::default();
                    cursor.scroll(Scroll::To(start), page);
                    let mut seen = lines(&cursor, page);
                    for _ in 0..1000 {
                        let before = lines(&cursor, page);
                        cursor.take(step(motion, None, page), page);
                        let after = lines(&cursor, page);
                        let [low, high] = if is_down {
                            [before.clone(), after.clone()]
                        } else {
                            [after.clone(), before.clone()]
                        };
                        let next = page.below(low[low.len() - 1], 1);
                        assert!(high[0] <= next, "{height} {len} {motion:?} {cursor:?}");
                        assert!(
                            after.iter().any(|(row, _)| *row == cursor.row),
                            "{cursor:?}"
                        );
                        seen.extend(after);
                    }
                    assert_eq!(cursor.row, end, "{height} {len} {motion:?}");
                    seen.sort_unstable();
                    seen.dedup();
                    let n_all: usize = (0..len).map(n_lines).sum();
                    assert_eq!(seen.len(), n_all, "{height} {len} {motion:?}");
                }
            }
        }
    }

    #[test]
    fn pointing_never_moves_the_page() {
        let page = Page::of_lines(40, 20, &n_lines);
        let mut cursor = Cursor::default();
        cursor.go(17, page);
        let before = lines(&cursor, page);
        for line in 0..20 {
            let row = row_of_line(&cursor, line, page).unwrap();
            cursor.point_at(row, page);
            cursor.fit(page);
            assert_eq!((lines(&cursor, page), cursor.row), (before.clone(), row));
        }
        // A key moves the page so far that the row has its neighbors again.
        cursor.step(0, page);
        assert_ne!(lines(&cursor, page), before);
    }

    #[test]
    fn a_screen_asks_for_the_heights_of_the_rows_around_it() {
        let asked = std::cell::RefCell::new(std::collections::BTreeSet::new());
        let n_lines = |row: usize| {
            asked.borrow_mut().insert(row);
            1 + row % 4
        };
        let page = Page::of_lines(1_000_000, 40, &n_lines);
        let mut cursor = Cursor::default();
        for row in [0, 500_000, 999_999, 3] {
            cursor.go(row, page);
            cursor.scroll(Scroll::By(3), page);
            cursor.take(step(Motion::PageUp, None, page), page);
            cursor.shown(page);
            cursor.positions(page);
        }
        cursor.scroll(Scroll::By(isize::MAX), page);
        cursor.scroll(Scroll::By(isize::MIN), page);
        assert!(asked.borrow().len() < 5_000, "{}", asked.borrow().len());
    }

    #[test]
    fn the_scrollbar_measures_parts_of_rows() {
        let page = Page::of_lines(3, 10, &|_| 20);
        let mut cursor = Cursor::default();
        assert_eq!(cursor.positions(page), [0, 8, 48]);
        cursor.scroll(Scroll::By(25), page);
        assert_eq!(cursor.positions(page), [20, 8, 48]);
        cursor.scroll(Scroll::To(8), page);
        assert_eq!((cursor.top, cursor.n_hidden), (0, 10));
        cursor.scroll(Scroll::By(100), page);
        assert_eq!(cursor.positions(page), [40, 8, 48]);
    }
}
