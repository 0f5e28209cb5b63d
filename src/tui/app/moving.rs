//! Commands that move: the list they act on, its number of rows, and the height of its pane.

use ratatui::layout::Position;

use super::App;
use crate::tui::command::{Command, FoldCommand, Motion, View};
use crate::tui::layout;
use crate::tui::overlays::Outcome;
use crate::tui::panes::{Cell, cell_at};
use crate::tui::views;
use crate::tui::views::resources::ResourcesView;
use crate::tui::widgets::cursor::{Step, step};
use crate::tui::widgets::scrollbar::Bar;

/// The list that has the cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Active {
    /// The Resources view, which moves its cursors itself.
    Resources,
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
    /// Everything that the Resources view may see.
    pub fn resources_ctx(&self) -> views::Ctx<'_> {
        views::Ctx {
            session: &self.session,
            theme: &self.theme,
            screen: self.screen(),
        }
    }

    fn screen(&self) -> views::Screen {
        views::Screen {
            panes: [self.pane_area(0), self.pane_area(1)],
            shows_both: self.shows_both_panes(),
            focus: self.window.focus,
            is_covered: !self.overlays.is_empty(),
            count: None,
        }
    }

    /// Lends the Resources view everything that it may see.
    pub(super) fn in_resources<T>(
        &mut self,
        act: impl FnOnce(&mut ResourcesView, &views::Ctx<'_>) -> T,
    ) -> T {
        let screen = self.screen();
        let ctx = views::Ctx {
            session: &self.session,
            theme: &self.theme,
            screen,
        };
        act(&mut self.resources, &ctx)
    }

    /// Gives a command to the Resources view. False if the view ignores it.
    pub(super) fn update_resources(&mut self, command: Command) -> bool {
        let screen = views::Screen {
            count: self.take_count(),
            ..self.screen()
        };
        let ctx = views::Ctx {
            session: &self.session,
            theme: &self.theme,
            screen,
        };
        let outcome = self.resources.update(command, &ctx);
        let is_obeyed = !matches!(outcome, Outcome::Ignored);
        self.apply(outcome);
        is_obeyed
    }

    pub(super) fn active(&self) -> Active {
        self.list_of(self.window.focus)
    }

    fn list_of(&self, pane: usize) -> Active {
        match (self.window.view, pane) {
            (View::Resources, _) => Active::Resources,
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
        let panes = layout::areas(self.window.screen, self.shape(pane)).panes;
        panes[if self.window.view.has_two_panes() {
            pane.min(1)
        } else {
            0
        }]
    }

    /// Number of rows of values that the details pane shows.
    pub fn value_height(&self) -> usize {
        self.resources.value_height(&self.resources_ctx())
    }

    /// The height and the number of rows of a list.
    fn extent(&self, active: Active) -> (usize, usize) {
        match active {
            Active::Resources => (self.pane_height(0), 0),
            Active::Changes => (self.pane_height(0), self.changes.list.row_count()),
            Active::Difference => (self.pane_height(1), self.changes.difference.row_count()),
            Active::Outputs => (self.pane_height(0), self.outputs.list.rows.len()),
            Active::Deps => (self.pane_height(0), self.deps.row_count()),
            Active::Problems => (self.pane_height(0), self.problems.row_count()),
        }
    }

    /// Moves all cursors inside their panes after the screen changed.
    pub(super) fn fit(&mut self) {
        self.in_resources(ResourcesView::fit);
        self.explain_ripple();
        for active in [
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

    fn cursor(&mut self, active: Active) -> Option<&mut crate::tui::widgets::cursor::Cursor> {
        match active {
            Active::Resources => None,
            Active::Changes => Some(&mut self.changes.list.cursor),
            Active::Difference => Some(&mut self.changes.difference.cursor),
            Active::Outputs => Some(&mut self.outputs.list.cursor),
            Active::Deps => Some(self.deps.cursor()),
            Active::Problems => Some(&mut self.problems.cursor),
        }
    }

    /// Moves the cursor, or the rows under it.
    pub(super) fn move_by(&mut self, motion: Motion) {
        let active = self.active();
        if active == Active::Resources {
            self.update_resources(Command::Move(motion));
            return;
        }
        let count = self.take_count();
        let (height, len) = self.extent(active);
        match step(motion, count, len, height) {
            Step::By(delta) => self.step(active, delta),
            Step::Row(row) => self.go_to_row(active, row),
            Step::Siblings(steps) => self.go_sibling(active, steps, height),
            Step::Around(times) => {
                for _ in 0..times {
                    self.go_around(active, height);
                }
            }
            Step::OtherPane(delta) => self.scroll_pane(1 - self.window.focus.min(1), delta),
        }
    }

    fn step(&mut self, active: Active, delta: isize) {
        let (height, len) = self.extent(active);
        if let Some(cursor) = self.cursor(active) {
            cursor.step(delta, len, height);
        }
    }

    fn go_to_row(&mut self, active: Active, row: usize) {
        let (height, len) = self.extent(active);
        if let Some(cursor) = self.cursor(active) {
            cursor.go(row, len, height);
        }
    }

    fn go_sibling(&mut self, active: Active, step: isize, height: usize) {
        match active {
            Active::Outputs => self.outputs.list.sibling(step, height),
            Active::Resources
            | Active::Changes
            | Active::Difference
            | Active::Deps
            | Active::Problems => {
                self.step(active, step);
            }
        }
    }

    fn go_around(&mut self, active: Active, height: usize) {
        match active {
            Active::Outputs => {
                self.outputs.list.around(height);
            }
            Active::Difference => self.window.focus = 0,
            Active::Resources | Active::Changes | Active::Deps | Active::Problems => {}
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
        if active == Active::Resources {
            self.in_resources(|resources, ctx| resources.scroll(pane, delta, ctx));
        } else if let Some(cursor) = self.cursor(active) {
            cursor.scroll(delta, len, height);
        }
    }

    /// The row shown at a position of a pane.
    fn row_of_line(&mut self, active: Active, at: Position) -> Option<usize> {
        let pane = self.pane_area(usize::from(active == Active::Difference));
        let line = usize::from(at.y.saturating_sub(pane.inner.y));
        match active {
            Active::Outputs => {
                let area = self.outputs.values_area(self.session.stack(), pane);
                let header = usize::from(area.y - pane.inner.y);
                self.outputs.row_of_line(line.checked_sub(header)?, area)
            }
            Active::Difference => self.changes.difference.row_of_line(line, pane),
            Active::Changes => self.changes.list.row_of_line(line, &self.session, pane),
            Active::Problems => {
                let failure = self.session.failure.as_deref();
                self.problems.row_at(self.ctx(true), failure, pane, at.y)
            }
            Active::Resources | Active::Deps => Some(self.cursor(active)?.top + line),
        }
    }

    /// The scrollbar of a pane, if it has one.
    pub(super) fn scrollbar(&self, pane: usize) -> Option<Bar> {
        match self.list_of(pane) {
            Active::Resources => Some(self.resources.bar(pane, &self.resources_ctx())),
            Active::Outputs => {
                let stack = self.session.stack();
                Some(self.outputs.bar(stack, self.pane_area(0)))
            }
            Active::Changes | Active::Difference | Active::Deps | Active::Problems => None,
        }
    }

    /// The purpose of the cell at a position of the focused pane.
    fn cell_at(&self, at: Position) -> Cell {
        let pane = self.pane_area(self.window.focus);
        let (ctx, failure) = (self.ctx(true), self.session.failure.as_deref());
        cell_at(at, pane, |buffer| match self.active() {
            Active::Resources | Active::Deps => {}
            Active::Outputs => self.outputs.view(ctx, pane, buffer),
            Active::Changes => self.changes.list.view(ctx, pane, buffer),
            Active::Difference => self.changes.difference.view(ctx, pane, buffer),
            Active::Problems => self.problems.view(ctx, failure, pane, buffer),
        })
    }

    /// Selects the row at a position of the focused pane. Opens it if its fold sign is there, or if it is selected already. Follows
    /// its link if that is there.
    pub(super) fn click(&mut self, at: Position, was_focused: bool) {
        let active = self.active();
        if active == Active::Resources {
            let click = |resources: &mut ResourcesView, ctx: &views::Ctx<'_>| {
                resources.click(at, was_focused, ctx)
            };
            let outcome = self.in_resources(click);
            self.apply(outcome);
            return;
        }
        let cell = self.cell_at(at);
        let (_, len) = self.extent(active);
        let Some(row) = self.row_of_line(active, at) else {
            return;
        };
        let Some(cursor) = self.cursor(active) else {
            return;
        };
        let was_selected = cursor.row == row && was_focused;
        if row < len {
            self.go_to_row(active, row);
            if was_selected || cell != Cell::Row {
                self.fold(FoldCommand::Activate);
            }
        }
    }
}
