//! Commands that move: the list they act on, its number of rows, and the height of its pane.

use ratatui::layout::Position;

use super::App;
use crate::tui::command::{FoldCommand, Motion, View};
use crate::tui::layout;
use crate::tui::panes::{Cell, cell_at};
use crate::tui::views::{Ctx, Screen, ViewCommand, Views};
use crate::tui::widgets::cursor::{Cursor, Step, step};
use crate::tui::widgets::scrollbar::Bar;

/// The list that has the cursor, of the views that are not moved by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Active {
    /// The changes.
    Changes,
    /// The difference of the selected change.
    Difference,
}

impl App {
    /// Everything that the view in front may see.
    pub fn views_ctx(&self) -> Ctx<'_> {
        Ctx {
            session: &self.session,
            theme: &self.theme,
            screen: self.screen(),
        }
    }

    fn screen(&self) -> Screen {
        Screen {
            panes: [self.pane_area(0), self.pane_area(1)],
            shows_both: self.shows_both_panes(),
            focus: self.window.focus,
            is_covered: !self.overlays.is_empty(),
            count: None,
        }
    }

    /// The views, and everything that they may see.
    pub(super) fn lend(&mut self) -> (&mut Views, Ctx<'_>) {
        let screen = self.screen();
        let ctx = Ctx {
            session: &self.session,
            theme: &self.theme,
            screen,
        };
        (&mut self.views, ctx)
    }

    /// Gives a command to the view in front.
    pub(super) fn tell(&mut self, command: ViewCommand) {
        let (view, count) = (self.window.view, self.take_count());
        match (view, command) {
            (View::Changes, ViewCommand::Move(motion)) => self.move_by(motion, count),
            (View::Changes, ViewCommand::Fold(command)) => self.fold(command),
            (View::Changes, ViewCommand::Review(command)) => self.review_command(command),
            (View::Changes, ViewCommand::List(command)) => self.list_command(command),
            (View::Changes, ViewCommand::OtherPane) => {
                self.window.focus = 1 - self.window.focus.min(1);
            }
            (View::Resources | View::Outputs | View::Deps | View::Problems, _) => {
                let (views, mut ctx) = self.lend();
                ctx.screen.count = count;
                let outcome = views.update(view, command, &ctx);
                self.apply(outcome);
            }
        }
    }

    pub(super) fn active(&self) -> Active {
        Self::list_of(self.window.focus)
    }

    fn list_of(pane: usize) -> Active {
        match pane {
            0 => Active::Changes,
            _ => Active::Difference,
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

    /// The height and the number of rows of a list.
    fn extent(&self, active: Active) -> (usize, usize) {
        match active {
            Active::Changes => (self.pane_height(0), self.views.changes.list.row_count()),
            Active::Difference => (
                self.pane_height(1),
                self.views.changes.difference.row_count(),
            ),
        }
    }

    /// Moves all cursors inside their panes after the screen changed.
    pub(super) fn fit(&mut self) {
        let (views, ctx) = self.lend();
        views.fit(&ctx);
        self.explain_ripple();
        for active in [Active::Changes, Active::Difference] {
            let (height, len) = self.extent(active);
            self.cursor(active).fit(len, height);
        }
    }

    fn cursor(&mut self, active: Active) -> &mut Cursor {
        match active {
            Active::Changes => &mut self.views.changes.list.cursor,
            Active::Difference => &mut self.views.changes.difference.cursor,
        }
    }

    /// Moves the cursor, or the rows under it.
    fn move_by(&mut self, motion: Motion, count: Option<usize>) {
        let active = self.active();
        let (height, len) = self.extent(active);
        match (step(motion, count, len, height), active) {
            (Step::OtherPane(delta), _) => {
                self.scroll_pane(1 - self.window.focus.min(1), delta);
            }
            (Step::Around(_), Active::Difference) => self.window.focus = 0,
            (step, _) => self.cursor(active).take(step, len, height),
        }
    }

    /// Scrolls one of the panes by rows.
    pub(super) fn scroll_pane(&mut self, pane: usize, delta: isize) {
        let view = self.window.view;
        match view {
            View::Changes => {
                let active = Self::list_of(pane);
                let (height, len) = self.extent(active);
                self.cursor(active).scroll(delta, len, height);
            }
            View::Resources | View::Outputs | View::Deps | View::Problems => {
                let (views, ctx) = self.lend();
                views.scroll(view, pane, delta, &ctx);
            }
        }
    }

    /// The row shown at a position of a pane.
    fn row_of_line(&mut self, active: Active, at: Position) -> Option<usize> {
        let pane = self.pane_area(usize::from(active == Active::Difference));
        let line = usize::from(at.y.saturating_sub(pane.inner.y));
        match active {
            Active::Difference => self.views.changes.difference.row_of_line(line, pane),
            Active::Changes => {
                let list = &self.views.changes.list;
                list.row_of_line(line, &self.session, pane)
            }
        }
    }

    /// The scrollbar of a pane, if it has one.
    pub(super) fn scrollbar(&self, pane: usize) -> Option<Bar> {
        self.views.bar(self.window.view, pane, &self.views_ctx())
    }

    /// The purpose of the cell at a position of the focused pane.
    fn cell_at(&self, at: Position) -> Cell {
        let pane = self.pane_area(self.window.focus);
        let ctx = self.ctx(true);
        cell_at(at, pane, |buffer| match self.active() {
            Active::Changes => self.views.changes.list.view(ctx, pane, buffer),
            Active::Difference => self.views.changes.difference.view(ctx, pane, buffer),
        })
    }

    /// Selects the row at a position of the focused pane. Opens it if its fold sign is there, or if it is selected already. Follows
    /// its link if that is there.
    pub(super) fn click(&mut self, at: Position, had_focus: bool) {
        let view = self.window.view;
        if view != View::Changes {
            let (views, ctx) = self.lend();
            let outcome = views.click(view, at, had_focus, &ctx);
            self.apply(outcome);
            return;
        }
        let active = self.active();
        let cell = self.cell_at(at);
        let (height, len) = self.extent(active);
        let Some(row) = self.row_of_line(active, at).filter(|row| *row < len) else {
            return;
        };
        let cursor = self.cursor(active);
        let was_selected = cursor.row == row && had_focus;
        cursor.go(row, len, height);
        if was_selected || cell != Cell::Row {
            self.fold(FoldCommand::Activate);
        }
    }
}
