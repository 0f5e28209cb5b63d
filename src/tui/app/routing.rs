//! Routing: the view in front gets commands, the mouse and everything that it may see, and the explorer does what it asks for.

use ratatui::layout::Position;

use super::App;
use crate::stack::ResourceId;
use crate::tui::command::{Command, FoldCommand, ListCommand, View};
use crate::tui::layout;
use crate::tui::overlays::Outcome;
use crate::tui::popup::Stage;
use crate::tui::rows::Spot;
use crate::tui::views::{Ctx, Screen, ViewCommand, ViewState, Views};
use crate::tui::widgets::cursor::Scroll;
use crate::tui::widgets::scrollbar::Bar;

impl App {
    /// Everything that the view in front may see.
    pub fn ctx(&self) -> Ctx<'_> {
        Ctx {
            session: &self.session,
            theme: &self.theme,
            screen: self.screen(),
        }
    }

    fn screen(&self) -> Screen {
        Screen {
            view: self.window.view,
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

    /// Lets the views do something, and does what they ask for.
    pub(super) fn with_views(&mut self, act: impl FnOnce(&mut Views, &Ctx<'_>) -> Outcome) {
        let (views, ctx) = self.lend();
        let outcome = act(views, &ctx);
        self.apply(outcome);
    }

    /// Lets the view in front do something.
    pub(super) fn in_front<T>(&mut self, act: impl FnOnce(&mut dyn ViewState, &Ctx<'_>) -> T) -> T {
        let view = self.window.view;
        let (views, ctx) = self.lend();
        act(views.of_mut(view), &ctx)
    }

    /// Gives a command to the view in front.
    pub(super) fn tell(&mut self, command: ViewCommand) {
        let is_of_list = matches!(
            command,
            ViewCommand::List(ListCommand::Arrange | ListCommand::Sort)
        );
        if is_of_list && self.window.view == View::Brief && self.views.changes.list.is_review {
            // The other arrangements of the stories stand beside the difference.
            self.set_view(View::Changes);
        }
        let (view, count) = (self.window.view, self.take_count());
        let (views, mut ctx) = self.lend();
        ctx.screen.count = count;
        let outcome = views.update(view, command, &ctx);
        self.obeyed(command.into(), outcome);
    }

    /// Selects the row at a position of the focused pane, and opens or follows it as the view does.
    pub(super) fn click(&mut self, at: Position, had_focus: bool) {
        let outcome = self.in_front(|view, ctx| view.click(at, had_focus, ctx));
        self.obeyed(Command::Fold(FoldCommand::Activate), outcome);
    }

    /// Scrolls one of the panes.
    pub(super) fn scroll_pane(&mut self, pane: usize, scroll: Scroll) {
        self.in_front(|view, ctx| view.scroll(pane, scroll, ctx));
    }

    /// The scrollbar of a pane, if it has one.
    pub(super) fn scrollbar(&self, pane: usize) -> Option<Bar> {
        self.views.of(self.window.view).bar(pane, &self.ctx())
    }

    /// The stage of each overlay, and of one above them. An overlay explains the row that is selected below it.
    pub fn stages(&self) -> Vec<Stage> {
        let (view, focus) = (self.window.view, self.window.focus);
        let mut stage = Stage {
            body: self.areas().body,
            row: self.views.of(view).selected_area(&self.ctx()),
            beside: self.views.of(view).beside_selected(focus, &self.ctx()),
        };
        let mut stages = vec![stage];
        for overlay in self.overlays.iter() {
            if let Some(row) = overlay.selected_area(stage) {
                (stage.row, stage.beside) = (Some(row), None);
            }
            stages.push(stage);
        }
        stages
    }

    /// The stage of the topmost overlay.
    pub fn stage(&self) -> Stage {
        let mut stages = self.stages();
        stages.truncate(self.overlays.len().max(1));
        stages
            .pop()
            .unwrap_or_else(|| Stage::new(self.areas().body))
    }

    /// Updates the pane beside a list to match the cursor of the list.
    pub(super) fn follow(&mut self) {
        let view = self.window.view;
        self.with_views(|views, ctx| views.follow(view, ctx));
    }

    /// Brings the selected rows of the view in front onto the screen.
    pub(super) fn fit(&mut self) {
        self.in_front(|view, ctx| view.fit(ctx));
        self.explain_ripple();
    }

    /// The resource that commands act on.
    pub fn selected(&self) -> Option<ResourceId> {
        self.views.of(self.window.view).selected(&self.session)
    }

    /// The value that commands act on, with its resource (`None` for an output of the stack).
    pub fn spot(&self) -> Option<(Option<ResourceId>, Spot)> {
        let window = &self.window;
        self.views.of(window.view).spot(window.focus, &self.session)
    }

    /// Puts the cursor of the view in front on the current resource, if the view lists it.
    pub(super) fn show_current(&mut self) {
        if let Some(id) = self.session.current {
            let shown = self.in_front(|view, ctx| view.show(id, ctx));
            self.apply(shown);
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
}
