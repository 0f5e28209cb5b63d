//! The layout of the screen: `update` asks it for the height of a page, `view` for the areas to draw.

use std::ops::Range;

use ratatui::layout::Rect;

use super::widgets::text::cells;

/// Minimum screen width, in columns, for two panes side by side.
pub const TWO_PANES_FROM: u16 = 100;

/// Minimum screen width, in columns, for a source beside the panes.
const SOURCE_BESIDE_FROM: u16 = 160;

/// Maximum width of a source beside the panes.
const MAX_SOURCE: u16 = 80;

/// Width of the screen from which two panes are split as on a wide screen.
const WIDE_FROM: u16 = 140;

/// Usual width of the left pane in percent: the first value on a narrow screen, the second on a wide one.
pub fn usual_split(splits: [u16; 2], screen_width: u16) -> u16 {
    splits[usize::from(screen_width >= WIDE_FROM)]
}

/// Number of columns that a source takes beside the panes: 0 on a narrow screen, and on a wide one what leaves room for two panes.
pub fn source_width(screen_width: u16) -> u16 {
    if screen_width < SOURCE_BESIDE_FROM {
        0
    } else {
        (screen_width - TWO_PANES_FROM).min(MAX_SOURCE)
    }
}

/// The area of a source: the right part of a wide body, and the whole of a narrow one.
pub fn source(body: Rect) -> Rect {
    let width = source_width(body.width);
    if width == 0 {
        return body;
    }
    Rect {
        x: body.right() - width,
        width,
        ..body
    }
}

/// Everything the layout depends on besides the size.
#[allow(clippy::struct_excessive_bools)] // each is a part of the screen that is there or not
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Number of panes that the view has side by side: 1 or 2.
    pub panes: u16,
    /// Index of the pane that gets the keys: 0 or 1.
    pub focus: usize,
    /// True if only the focused pane is shown.
    pub zoomed: bool,
    /// Width of the left pane, in percent.
    pub split: u16,
    /// True if the timeline is shown.
    pub timeline: bool,
    /// True if the progress of a run is shown.
    pub run: bool,
    /// Number of columns at the right that a source takes. Panes are beside it.
    pub source: u16,
    /// Number of lines at the bottom of the body that a panel covers. Panes have their rows above it.
    pub covered: u16,
}

/// A pane: its frame and the area inside.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pane {
    /// The area including the frame.
    pub outer: Rect,
    /// The area inside the frame.
    pub inner: Rect,
    /// True if the frame has all four sides. Otherwise it is a title line, or there is none.
    pub boxed: bool,
}

impl Pane {
    /// These lines of the area inside the frame, as wide as the whole pane.
    pub fn lines(&self, lines: Range<usize>) -> Rect {
        let [from, to] = [lines.start, lines.end].map(|line| cells(line).min(self.inner.height));
        Rect {
            y: self.inner.y + from,
            height: to.saturating_sub(from),
            ..self.outer
        }
    }
}

/// The areas of the screen. A part without room is empty.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Areas {
    /// The top line.
    pub title: Rect,
    /// The timeline, below the top line.
    pub timeline: Rect,
    /// The progress of a run, below the timeline.
    pub run: Rect,
    /// Everything between the top line (or the lines below it) and the path line.
    pub body: Rect,
    /// The panes. An empty area is not shown.
    pub panes: [Pane; 2],
    /// The line with the path.
    pub path: Rect,
    /// The line with the keys.
    pub hint: Rect,
}

/// The areas of a screen.
pub fn areas(screen: Rect, shape: Shape) -> Areas {
    let Rect {
        x,
        y,
        width,
        height,
        ..
    } = screen;
    let line = |from_top: u16, shown: bool| {
        let height = u16::from(shown && height > from_top);
        Rect::new(x, y + from_top.min(screen.height), width, height)
    };
    let has_title = height >= 4;
    let has_hint = height >= 5;
    let has_path = height >= 8;
    let n_timeline = if shape.timeline && height >= 12 { 2 } else { 0 };
    let n_run = u16::from(shape.run && height >= 12);
    let top = u16::from(has_title) + n_timeline + n_run;
    let bottom = u16::from(has_hint) + u16::from(has_path);
    let body = Rect::new(x, y + top, width, height.saturating_sub(top + bottom));
    let room = Rect {
        width: width.saturating_sub(shape.source),
        ..body
    };
    let end = body.bottom() - shape.covered.min(body.height);
    Areas {
        title: line(0, has_title),
        timeline: Rect::new(x, y + u16::from(has_title).min(height), width, n_timeline),
        run: line(top - n_run, n_run > 0),
        body,
        panes: panes(room, shape).map(|pane| uncovered(pane, end)),
        path: line(height.saturating_sub(bottom), has_path),
        hint: line(height.saturating_sub(1), has_hint),
    }
}

fn panes(body: Rect, shape: Shape) -> [Pane; 2] {
    let alone = shape.zoomed || shape.panes < 2 || body.width < TWO_PANES_FROM;
    if alone {
        let mut panes = [Pane::default(); 2];
        panes[shape
            .focus
            .min(usize::from(shape.panes.saturating_sub(1)))
            .min(1)] = pane(body);
        return panes;
    }
    let left = u16::try_from(u32::from(body.width) * u32::from(shape.split) / 100)
        .unwrap_or(body.width / 2)
        .clamp(20, body.width - 20);
    let left = Rect {
        width: left,
        ..body
    };
    let right = Rect {
        x: left.right(),
        width: body.width - left.width,
        ..body
    };
    [pane(left), pane(right)]
}

/// The pane with its rows above the line `bottom`.
fn uncovered(mut pane: Pane, bottom: u16) -> Pane {
    let inner = &mut pane.inner;
    inner.height = inner.height.min(bottom.saturating_sub(inner.y));
    pane
}

/// Lays out a pane in a frame. On a small screen the frame is a title line; on a tiny one there is no frame.
pub fn pane(outer: Rect) -> Pane {
    let boxed = outer.width >= 20 && outer.height >= 22;
    let inner = if boxed {
        Rect::new(
            outer.x + 1,
            outer.y + 1,
            // A blank column keeps text away from the frame. The scrollbar is there.
            outer.width - 3,
            outer.height.saturating_sub(2),
        )
    } else {
        let title = u16::from(outer.height >= 4);
        // The last column is for the scrollbar.
        let bar = u16::from(outer.width >= 20);
        Rect::new(
            outer.x,
            outer.y + title,
            outer.width - bar,
            outer.height - title,
        )
    };
    Pane {
        outer,
        inner,
        boxed,
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::View;
    use super::*;

    fn shape() -> Shape {
        Shape {
            panes: 2,
            focus: 0,
            zoomed: false,
            split: 42,
            timeline: false,
            run: false,
            source: 0,
            covered: 0,
        }
    }

    #[test]
    fn a_wide_screen_has_two_panes_and_all_lines() {
        let areas = areas(Rect::new(0, 0, 120, 40), shape());
        assert_eq!(areas.panes[0].outer, Rect::new(0, 1, 50, 37));
        assert_eq!(areas.panes[1].inner, Rect::new(51, 2, 67, 35));
        assert_eq!((areas.path.y, areas.hint.y), (38, 39));
    }

    #[test]
    fn no_pane_is_poorer_on_a_wide_screen_than_on_120_columns() {
        let of = |width: u16, view: View| {
            let split = usual_split(view.row().split, width);
            areas(Rect::new(0, 0, width, 40), Shape { split, ..shape() })
        };
        for view in View::ALL.into_iter().filter(|view| view.has_two_panes()) {
            let [left, right] = of(120, view).panes.map(|pane| pane.inner.width);
            for width in SOURCE_BESIDE_FROM..400 {
                let panes = of(width, view).panes.map(|pane| pane.inner.width);
                assert!(panes[0] >= left && panes[1] >= right, "{width} {panes:?}");
            }
        }
    }

    #[test]
    fn a_source_leaves_room_for_two_panes_on_a_wide_screen_and_covers_a_narrow_one() {
        for width in 20..400 {
            let screen = Rect::new(0, 0, width, 40);
            let areas = areas(
                screen,
                Shape {
                    source: source_width(width),
                    ..shape()
                },
            );
            let source = source(areas.body);
            let [left, right] = areas.panes.map(|pane| pane.outer);
            if width < SOURCE_BESIDE_FROM {
                assert_eq!(source, areas.body);
            } else {
                assert!((60..=80).contains(&source.width), "{width}");
                assert_eq!(right.right(), source.x);
                assert!(left.width + right.width >= TWO_PANES_FROM, "{width}");
                assert!(!right.is_empty());
            }
        }
    }

    #[test]
    fn a_common_screen_has_one_pane_with_twenty_rows() {
        let areas = areas(Rect::new(0, 0, 80, 24), shape());
        assert_eq!(areas.panes[0].inner, Rect::new(0, 2, 79, 20));
        assert_eq!(areas.panes[1], Pane::default());
    }

    #[test]
    fn a_panel_leaves_the_frames_and_takes_the_rows_below_it() {
        let covered = areas(
            Rect::new(0, 0, 120, 40),
            Shape {
                covered: 10,
                ..shape()
            },
        );
        assert_eq!(covered.panes[0].outer, Rect::new(0, 1, 50, 37));
        assert_eq!(covered.panes[1].inner, Rect::new(51, 2, 67, 26));
    }

    #[test]
    fn no_size_leaves_the_screen() {
        for width in 0..240 {
            for height in 0..50 {
                let screen = Rect::new(0, 0, width, height);
                for panes in 1..3 {
                    for focus in 0..2 {
                        let areas = areas(
                            screen,
                            Shape {
                                panes,
                                focus,
                                ..shape()
                            },
                        );
                        let inside = [areas.title, areas.body, areas.path, areas.hint];
                        let [left, right] = areas.panes;
                        let both = [left, right].map(|pane| [pane.outer, pane.inner]);
                        for area in inside.iter().chain(both.as_flattened()) {
                            assert!(
                                area.is_empty() || screen.union(*area) == screen,
                                "{screen} {area}"
                            );
                        }
                    }
                }
            }
        }
    }
}
