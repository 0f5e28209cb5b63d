//! The Outputs view: the outputs of the stack, and in a plan or preview their changes.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Ctx, ViewCommand, follow, not_here, one_pane};
use crate::tree::Node;
use crate::tui::command::{FoldCommand, View};
use crate::tui::layout::Pane;
use crate::tui::overlays::Outcome;
use crate::tui::panes::detail::DetailPane;
use crate::tui::panes::list::Folded;
use crate::tui::panes::{Cell, cell_at};
use crate::tui::rows::Spot;
use crate::tui::widgets::cursor::step;
use crate::tui::widgets::scrollbar::Bar;

/// The Outputs view.
#[derive(Default, Debug)]
pub struct OutputsView {
    /// The values of the outputs.
    pub values: DetailPane,
}

impl OutputsView {
    /// Handles a command.
    pub fn update(&mut self, command: ViewCommand, ctx: &Ctx<'_>) -> Outcome {
        match command {
            ViewCommand::Move(motion) => {
                let (len, height) = (self.values.list.rows.len(), ctx.height(0));
                let step = step(motion, ctx.screen.count, len, height);
                self.values.list.obey(step, height);
            }
            ViewCommand::Fold(command) => return self.fold(command, ctx),
            ViewCommand::List(_) => return not_here(View::Resources),
            ViewCommand::Review(_) => return not_here(View::Changes),
            ViewCommand::OtherPane => return one_pane(),
        }
        Outcome::Done
    }

    fn fold(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        match self.values.fold(command, ctx.height(0)) {
            Folded::Changed => self.remake(ctx),
            Folded::Leaf if matches!(command, FoldCommand::Activate | FoldCommand::Expand) => {
                return self.values.list.selected().map_or(Outcome::Done, follow);
            }
            Folded::Moved | Folded::Leaf => {}
        }
        Outcome::Done
    }

    /// Draws the view.
    pub fn view(&self, ctx: &Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        self.values.view(ctx.of_pane(0), pane, buffer);
    }

    /// Takes the outputs of the stack.
    pub fn take(&mut self, ctx: &Ctx<'_>) {
        self.values.show(Some(Node::Outputs));
        self.values.set_outputs(ctx.session.stack());
        self.remake(ctx);
    }

    /// Builds the rows again.
    pub fn remake(&mut self, ctx: &Ctx<'_>) {
        let (pulumi, height) = (ctx.session.is_pulumi(), ctx.height(0));
        let revealed = ctx.session.revealed_in(None);
        self.values.remake(revealed, pulumi, height);
    }

    /// Opens the containers around a value and puts the cursor on it.
    pub fn select(&mut self, spot: &Spot, ctx: &Ctx<'_>) {
        self.values.list.open_around(spot);
        self.remake(ctx);
        self.values.list.select(spot, ctx.height(0));
    }

    /// Moves the cursor inside the pane after the screen changed.
    pub fn fit(&mut self, ctx: &Ctx<'_>) {
        let list = &mut self.values.list;
        list.cursor.fit(list.rows.len(), ctx.height(0));
    }

    /// Scrolls by rows.
    pub fn scroll(&mut self, delta: isize, ctx: &Ctx<'_>) {
        let list = &mut self.values.list;
        list.cursor.scroll(delta, list.rows.len(), ctx.height(0));
    }

    /// The selected row on the screen.
    pub fn selected_area(&self, ctx: &Ctx<'_>) -> Option<Rect> {
        let stack = ctx.session.stack();
        self.values.selected_area(stack, ctx.screen.panes[0])
    }

    /// The scrollbar.
    pub fn bar(&self, ctx: &Ctx<'_>) -> Bar {
        self.values.bar(ctx.session.stack(), ctx.screen.panes[0])
    }

    /// Selects the row at a position, and opens it if its fold sign or link is there or if it was selected.
    pub fn click(&mut self, at: Position, had_focus: bool, ctx: &Ctx<'_>) -> Outcome {
        let pane = ctx.screen.panes[0];
        let cell = cell_at(at, pane, |buffer| self.view(ctx, pane, buffer));
        let Some(row) = self.values.row_at(at, ctx.session.stack(), pane) else {
            return Outcome::Done;
        };
        let list = &mut self.values.list;
        let was_selected = had_focus && list.cursor.row == row;
        list.cursor.go(row, list.rows.len(), ctx.height(0));
        if was_selected || cell != Cell::Row {
            return self.fold(FoldCommand::Activate, ctx);
        }
        Outcome::Done
    }
}
