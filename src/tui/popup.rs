//! The place of a popup: it fits its content and stands beside what it explains.
//!
//! A popup about a row never covers the row. There are four places around it: at the right, below, above, and at the left. The first
//! one with room for the whole popup is taken. Without such a place the popup takes the one that shows most of it, and scrolls. So a
//! row of a left pane is explained over the right pane, beside the list, and a value of a right pane is explained below it.
//!
//! A popup about everything, such as the palette, is in the middle of the screen.

use ratatui::layout::Rect;

use super::widgets::text::cells;

/// Minimum size of a place beside a row, in cells. A smaller one shows nothing.
const MIN_SIZE: (u16, u16) = (12, 3);

/// The part of the screen that overlays may cover, and the row that they explain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Everything between the top line and the path line.
    pub body: Rect,
    /// The lines of the selected row, as wide as its pane. `None` if no row is selected.
    pub row: Option<Rect>,
    /// The lines beside it that belong to the row. A popup about the row leaves them visible where it can.
    pub beside: Option<Rect>,
}

/// The size that a popup asks for, including its frame.
pub struct Wanted<H> {
    /// Width in cells.
    pub width: usize,
    /// The width with which the popup is still readable. Its lines are cut or wrapped then.
    pub min_width: usize,
    /// Number of lines of a popup of this width.
    pub height: H,
}

/// A place around a row, and the corner of the popup in it.
struct Place {
    area: Rect,
    side: Side,
}

#[derive(Clone, Copy)]
enum Side {
    Right,
    Below,
    Above,
    Left,
}

impl Stage {
    /// A stage without a selected row.
    pub fn new(body: Rect) -> Self {
        Self {
            body,
            row: None,
            beside: None,
        }
    }

    /// A popup in the middle, at most as large as requested.
    pub fn middle(self, width: usize, height: usize) -> Rect {
        let width = cells(width).min(self.body.width);
        let height = cells(height).min(self.body.height);
        Rect::new(
            self.body.x + (self.body.width - width) / 2,
            self.body.y + (self.body.height - height) / 2,
            width,
            height,
        )
    }

    /// A popup in the upper right corner, so that the rest of the screen stays visible.
    pub fn corner(self, width: usize, height: usize) -> Rect {
        let width = cells(width).min(self.body.width);
        let height = cells(height).min(self.body.height);
        Rect::new(self.body.right() - width, self.body.y, width, height)
    }

    /// A popup at the lower left, above the line of keys. A selected row there moves it to the right, or to the top.
    pub fn bottom(self, width: usize, height: usize) -> Rect {
        let Rect { x, y, .. } = self.body;
        let (width, height) = (
            cells(width).min(self.body.width),
            cells(height).min(self.body.height),
        );
        let (right, low) = (self.body.right() - width, self.body.bottom() - height);
        let corners = [(x, low), (right, low), (x, y), (right, y)];
        let mut areas = corners
            .map(|(x, y)| Rect::new(x, y, width, height))
            .into_iter();
        let is_clear = |area: &Rect| self.row.is_none_or(|row| !row.intersects(*area));
        let first = Rect::new(x, low, width, height);
        areas.find(is_clear).unwrap_or(first)
    }

    /// A popup beside the selected row. Without a row, one in the middle.
    pub fn beside(self, wanted: &Wanted<impl Fn(usize) -> usize>) -> Rect {
        let whole = self.whole_beside(wanted);
        whole
            .or_else(|| self.most_beside(wanted))
            .unwrap_or_else(|| {
                let width = wanted.width.min(usize::from(self.body.width));
                self.middle(width, (wanted.height)(width))
            })
    }

    /// A popup beside the selected row if all of it has room there, else a page over the whole body.
    pub fn beside_or_page(self, wanted: &Wanted<impl Fn(usize) -> usize>) -> Rect {
        self.whole_beside(wanted).unwrap_or(self.body)
    }

    /// The first place beside the row that has room for the whole popup.
    fn whole_beside(self, wanted: &Wanted<impl Fn(usize) -> usize>) -> Option<Rect> {
        let row = self.row?;
        let mut places = self.places(row).into_iter();
        places.find_map(|place| {
            let width = wanted.width.min(usize::from(place.area.width));
            let height = (wanted.height)(width);
            let fits = width >= wanted.min_width.min(wanted.width)
                && height <= usize::from(place.area.height);
            fits.then(|| place.put(row, width, height))
        })
    }

    /// The place beside the row that shows most of the popup. `None` if there is none worth showing it in.
    fn most_beside(self, wanted: &Wanted<impl Fn(usize) -> usize>) -> Option<Rect> {
        let row = self.row?;
        let places = self.places(row).into_iter().map(|place| {
            let width = wanted.width.min(usize::from(place.area.width));
            let height = (wanted.height)(width).min(usize::from(place.area.height));
            place.put(row, width, height)
        });
        let (width, height) = MIN_SIZE;
        let places = places.filter(|area| area.width >= width && area.height >= height);
        // Cut lines are worse than lines to scroll to. Of equal places the first one is taken.
        let is_readable = |area: &Rect| usize::from(area.width) >= wanted.min_width;
        places.rev().max_by_key(|area| {
            let is_clear = self.beside.is_none_or(|lines| !lines.intersects(*area));
            (is_readable(area), is_clear, area.area())
        })
    }

    /// The places around a row, the best one first.
    fn places(self, row: Rect) -> Vec<Place> {
        let body = self.body;
        let row = row.intersection(body);
        let (right, bottom) = (body.right(), body.bottom());
        let place = |side, (x, y): (u16, u16), (right, bottom): (u16, u16)| Place {
            area: Rect::new(x, y, right - x, bottom - y),
            side,
        };
        let mut places = Vec::new();
        if let Some(beside) = self.beside {
            let low = beside.bottom().clamp(body.y, bottom);
            places.extend([
                place(Side::Right, (row.right(), low), (right, bottom)),
                place(Side::Below, (row.x, row.bottom()), (row.right(), bottom)),
                place(Side::Above, (row.x, body.y), (row.right(), row.y)),
            ]);
        }
        places.extend([
            place(Side::Right, (row.right(), body.y), (right, bottom)),
            place(Side::Below, (body.x, row.bottom()), (right, bottom)),
            place(Side::Above, (body.x, body.y), (right, row.y)),
            place(Side::Left, (body.x, body.y), (row.x, bottom)),
        ]);
        places
    }
}

impl Place {
    /// The popup in a place, as near to the row as it can be.
    fn put(&self, row: Rect, width: usize, height: usize) -> Rect {
        let area = self.area;
        let (width, height) = (cells(width).min(area.width), cells(height).min(area.height));
        // The first line inside the frame is on the height of the row.
        let level = row
            .y
            .saturating_sub(1)
            .clamp(area.y, area.bottom() - height);
        let column = row.x.clamp(area.x, area.right() - width);
        let (x, y) = match self.side {
            Side::Right => (area.x, level),
            Side::Below => (column, area.y),
            Side::Above => (column, area.bottom() - height),
            Side::Left => (area.right() - width, level),
        };
        Rect::new(x, y, width, height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body of 120x37 with two panes, and the selected row of one of them.
    fn stage(pane: (u16, u16), y: u16) -> Stage {
        let (x, width) = pane;
        Stage {
            body: Rect::new(0, 1, 120, 37),
            row: Some(Rect::new(x, y, width, 1)),
            beside: None,
        }
    }

    const LEFT: (u16, u16) = (0, 50);
    const RIGHT: (u16, u16) = (50, 70);

    fn wanted(width: usize, height: usize) -> Wanted<impl Fn(usize) -> usize> {
        Wanted {
            width,
            min_width: width,
            height: move |_| height,
        }
    }

    #[test]
    fn lines_that_belong_to_the_row_stay_visible() {
        let difference = |height| {
            let beside = Rect::new(50, 1, 70, height);
            Stage {
                beside: Some(beside),
                ..stage(LEFT, 10)
            }
        };
        // Below the difference, else below the row or above it over the list.
        for (height, wanted_at) in [(20, (50, 21)), (36, (0, 11))] {
            let stage = difference(height);
            let popup = stage.beside(&wanted(40, 8));
            assert_eq!((popup.x, popup.y), wanted_at);
            assert!(!stage.beside.unwrap().intersects(popup));
            assert!(!stage.row.unwrap().intersects(popup));
        }
        // Without room for it the popup covers what it must.
        let popup = difference(36).beside(&wanted(60, 30));
        assert!(!stage(LEFT, 10).row.unwrap().intersects(popup));
    }

    #[test]
    fn a_row_of_the_left_pane_is_explained_at_its_right_on_its_height() {
        let popup = stage(LEFT, 10).beside(&wanted(40, 5));
        assert_eq!(popup, Rect::new(50, 9, 40, 5));
        // The last row pushes it up.
        let popup = stage(LEFT, 37).beside(&wanted(40, 5));
        assert_eq!(popup, Rect::new(50, 33, 40, 5));
    }

    #[test]
    fn a_row_of_the_right_pane_is_explained_below_and_a_low_one_above() {
        let popup = stage(RIGHT, 10).beside(&wanted(40, 5));
        assert_eq!(popup, Rect::new(50, 11, 40, 5));
        let popup = stage(RIGHT, 36).beside(&wanted(40, 5));
        assert_eq!(popup, Rect::new(50, 31, 40, 5));
        // A popup wider than the pane moves to the left, and does not cover the row.
        let popup = stage(RIGHT, 10).beside(&wanted(100, 5));
        assert_eq!(popup, Rect::new(20, 11, 100, 5));
    }

    #[test]
    fn a_popup_without_room_takes_the_place_that_shows_most() {
        let popup = stage(RIGHT, 10).beside(&wanted(60, 90));
        assert_eq!(popup, Rect::new(50, 11, 60, 27));
        // Lines that may wrap are no reason to leave the place at the right.
        let wrapped = Wanted {
            width: 140,
            min_width: 40,
            height: |width: usize| 280usize.div_ceil(width),
        };
        assert_eq!(stage(LEFT, 10).beside(&wrapped), Rect::new(50, 9, 70, 4));
    }

    #[test]
    fn a_page_is_taken_only_for_what_has_no_room_beside() {
        let stage = stage(LEFT, 10);
        let beside = stage.beside_or_page(&wanted(40, 5));
        assert_eq!(beside, Rect::new(50, 9, 40, 5));
        assert_eq!(stage.beside_or_page(&wanted(60, 90)), stage.body);
    }

    #[test]
    fn no_popup_covers_its_row_or_leaves_the_screen() {
        for (width, height) in [(120, 37), (80, 21), (40, 10), (10, 4), (1, 1)] {
            let body = Rect::new(0, 1, width, height);
            for y in 1..=height {
                for row in [
                    Rect::new(0, y, width, 1),
                    Rect::new(0, y, width / 2, 1),
                    Rect::new(width / 2, y, width - width / 2, 1),
                ] {
                    let stage = Stage {
                        body,
                        row: Some(row),
                        beside: None,
                    };
                    for (w, h) in [(1, 1), (30, 8), (76, 14), (300, 300)] {
                        let popup = stage.beside(&wanted(w, h));
                        assert_eq!(body.union(popup), body, "{row} {w}x{h}");
                        // A screen of a few lines has no place beside a row.
                        if width >= 40 {
                            assert!(!popup.intersects(row), "{row} {w}x{h} {popup}");
                        }
                        let keys = stage.bottom(w.min(30), h.min(8));
                        assert_eq!(body.union(keys), body);
                        if width >= 80 {
                            assert!(!keys.intersects(row), "{row} {keys}");
                        }
                    }
                }
            }
        }
    }
}
