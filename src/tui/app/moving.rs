//! Commands that move: the list they act on, its number of rows, and the height of its pane.

use super::App;
use crate::tui::command::{FoldCommand, Motion, View};
use crate::tui::layout::{self, Shape};

/// The list that has the cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Active {
    /// The tree of resources.
    Tree,
    /// The values of the selected resource.
    Detail,
    /// The changes.
    Changes,
    /// The difference of the selected change.
    Difference,
    /// The outputs of the stack.
    Outputs,
    /// A side of the dependencies.
    Deps,
    /// The problems of the file.
    Problems,
}

impl App {
    pub(super) fn active(&self) -> Active {
        self.list_of(self.window.focus)
    }

    fn list_of(&self, pane: usize) -> Active {
        match (self.window.view, pane) {
            (View::Resources, 0) => Active::Tree,
            (View::Resources, _) => Active::Detail,
            (View::Outputs, _) => Active::Outputs,
            (View::Problems, _) => Active::Problems,
            (View::Changes, 0) => Active::Changes,
            (View::Changes, _) => Active::Difference,
            (View::Deps, _) => Active::Deps,
        }
    }

    /// Number of rows that a pane shows, or would show if it were on the screen.
    pub fn pane_height(&self, pane: usize) -> usize {
        usize::from(self.pane_area(pane).inner.height)
    }

    fn pane_area(&self, pane: usize) -> layout::Pane {
        let shape = Shape {
            panes: if self.window.view.has_two_panes() {
                2
            } else {
                1
            },
            focus: pane,
            zoomed: self.window.zoomed,
            split: self.window.split,
            timeline: self.updates.timeline.is_some(),
        };
        let panes = layout::areas(self.window.screen, shape).panes;
        panes[if self.window.view.has_two_panes() {
            pane.min(1)
        } else {
            0
        }]
    }

    /// Number of rows of values that the details pane shows.
    pub fn value_height(&self) -> usize {
        let height = self.pane_area(1).inner.height;
        let header = self
            .resources
            .detail
            .header_height(self.session.stack(), height);
        usize::from(height.saturating_sub(header))
    }

    /// The height and the number of rows of a list.
    fn extent(&self, active: Active) -> (usize, usize) {
        match active {
            Active::Tree => (self.pane_height(0), self.resources.tree.tree.len()),
            Active::Detail => (self.value_height(), self.resources.detail.list.rows.len()),
            Active::Changes => (self.pane_height(0), self.changes.list.row_count()),
            Active::Difference => (self.pane_height(1), self.changes.difference.row_count()),
            Active::Outputs => (self.pane_height(0), self.outputs.list.rows.len()),
            Active::Deps => (self.pane_height(0), self.deps.row_count()),
            Active::Problems => (self.pane_height(0), self.problems.row_count()),
        }
    }

    /// Moves all cursors inside their panes after the screen changed.
    pub(super) fn fit(&mut self) {
        for active in [
            Active::Tree,
            Active::Detail,
            Active::Changes,
            Active::Difference,
            Active::Outputs,
            Active::Deps,
            Active::Problems,
        ] {
            let (height, len) = self.extent(active);
            if let Some(cursor) = self.cursor(active) {
                cursor.fit(len, height);
            }
        }
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "a list without a cursor is one variant away"
    )]
    fn cursor(&mut self, active: Active) -> Option<&mut crate::tui::widgets::cursor::Cursor> {
        match active {
            Active::Tree => Some(&mut self.resources.tree.cursor),
            Active::Detail => Some(&mut self.resources.detail.list.cursor),
            Active::Changes => Some(&mut self.changes.list.cursor),
            Active::Difference => Some(&mut self.changes.difference.cursor),
            Active::Outputs => Some(&mut self.outputs.list.cursor),
            Active::Deps => Some(self.deps.cursor()),
            Active::Problems => Some(&mut self.problems.cursor),
        }
    }

    /// Moves the cursor, or the rows under it.
    pub(super) fn move_by(&mut self, motion: Motion) {
        let count = self.take_count();
        let active = self.active();
        let (height, len) = self.extent(active);
        let times = isize::try_from(count.unwrap_or(1)).unwrap_or(isize::MAX);
        let rows = |rows: usize| {
            let rows = isize::try_from(rows.max(1)).unwrap_or(isize::MAX);
            rows.saturating_mul(times)
        };
        match motion {
            Motion::Down => self.step(active, rows(1)),
            Motion::Up => self.step(active, -rows(1)),
            Motion::HalfDown => self.step(active, rows(height / 2)),
            Motion::HalfUp => self.step(active, -rows(height / 2)),
            Motion::PageDown => self.step(active, rows(height)),
            Motion::PageUp => self.step(active, -rows(height)),
            Motion::Top => self.go_to_row(active, count.unwrap_or(1).saturating_sub(1)),
            Motion::Bottom => {
                let last = len.saturating_sub(1);
                self.go_to_row(active, count.map_or(last, |count| count.saturating_sub(1)));
            }
            Motion::NextSibling => self.go_sibling(active, times, height),
            Motion::PrevSibling => self.go_sibling(active, -times, height),
            Motion::ParentRow => {
                for _ in 0..times.min(1000) {
                    self.go_around(active, height);
                }
            }
            Motion::ScrollDown => self.scroll_pane(1 - self.window.focus.min(1), times),
            Motion::ScrollUp => self.scroll_pane(1 - self.window.focus.min(1), -times),
        }
    }

    fn step(&mut self, active: Active, delta: isize) {
        let (height, len) = self.extent(active);
        if active == Active::Tree {
            self.resources.tree.step(delta, height);
        } else if let Some(cursor) = self.cursor(active) {
            cursor.step(delta, len, height);
        }
    }

    fn go_to_row(&mut self, active: Active, row: usize) {
        let (height, len) = self.extent(active);
        if active == Active::Tree {
            self.resources.tree.go(row, height);
        } else if let Some(cursor) = self.cursor(active) {
            cursor.go(row, len, height);
        }
    }

    fn go_sibling(&mut self, active: Active, step: isize, height: usize) {
        match active {
            Active::Tree => self.resources.tree.go_sibling(step, height),
            Active::Detail => self.resources.detail.list.sibling(step, height),
            Active::Outputs => self.outputs.list.sibling(step, height),
            Active::Changes | Active::Difference | Active::Deps | Active::Problems => {
                self.step(active, step);
            }
        }
    }

    fn go_around(&mut self, active: Active, height: usize) {
        match active {
            Active::Tree => {
                self.resources.tree.go_around(height);
            }
            Active::Detail => {
                self.resources.detail.list.around(height);
            }
            Active::Outputs => {
                self.outputs.list.around(height);
            }
            Active::Difference => self.window.focus = 0,
            Active::Changes | Active::Deps | Active::Problems => {}
        }
    }

    /// Scrolls one of the panes by rows.
    pub(super) fn scroll_pane(&mut self, pane: usize, delta: isize) {
        let pane = if self.window.view.has_two_panes() {
            pane
        } else {
            0
        };
        let active = self.list_of(pane);
        let (height, len) = self.extent(active);
        if active == Active::Tree {
            self.resources.tree.scroll(delta, height);
        } else if let Some(cursor) = self.cursor(active) {
            cursor.scroll(delta, len, height);
        }
    }

    /// The row shown on a line of a pane.
    fn row_of_line(&mut self, active: Active, line: usize) -> Option<usize> {
        let pane = self.pane_area(usize::from(matches!(
            active,
            Active::Detail | Active::Difference
        )));
        match active {
            Active::Detail => {
                let area = self
                    .resources
                    .detail
                    .values_area(self.session.stack(), pane);
                let header = usize::from(area.y - pane.inner.y);
                self.resources
                    .detail
                    .row_of_line(line.checked_sub(header)?, area)
            }
            Active::Outputs => {
                let area = self.outputs.values_area(self.session.stack(), pane);
                let header = usize::from(area.y - pane.inner.y);
                self.outputs.row_of_line(line.checked_sub(header)?, area)
            }
            Active::Difference => self.changes.difference.row_of_line(line, pane),
            Active::Changes => self.changes.list.row_of_line(line, &self.session, pane),
            _ => Some(self.cursor(active)?.top + line),
        }
    }

    /// Selects the row on line `line` of the focused pane. Opens it if it is selected already.
    pub(super) fn click(&mut self, line: usize, was_focused: bool) {
        let active = self.active();
        let (_, len) = self.extent(active);
        let Some(row) = self.row_of_line(active, line) else {
            return;
        };
        let Some(cursor) = self.cursor(active) else {
            return;
        };
        let was_selected = cursor.row == row && was_focused;
        if row < len {
            self.go_to_row(active, row);
            if was_selected {
                self.fold(FoldCommand::Activate);
            }
        }
    }
}
