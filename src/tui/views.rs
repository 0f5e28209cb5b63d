//! The views: each owns its state, obeys commands, and draws itself. The explorer lends it everything else ([`Ctx`]) and does what
//! it asks for ([`Outcome`]).

pub mod brief;
pub mod changes;
pub mod deps;
pub mod outputs;
pub mod problems;
pub mod resources;
pub mod stacks;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::changes::ChangesView;
use self::deps::DepsView;
use self::outputs::OutputsView;
use self::problems::ProblemsView;
use self::resources::ResourcesView;
use self::stacks::StacksView;
use super::command::{Command, FoldCommand, ListCommand, Motion, ReviewCommand, Side, View};
use super::keymap;
use super::layout::Pane;
use super::outline::{Laid, Strip};
use super::overlays::Outcome;
use super::overlays::find_rows::RowTexts;
use super::panes::{self, Filter};
use super::row_key::RowKey;
use super::rows::{Leads, Row, Spot, Zone};
use super::session::{Changed, Session};
use super::theme::{Role, Theme};
use super::widgets::cursor::{Cursor, Page, Scroll, Step, step};
use super::widgets::pen::Pen;
use super::widgets::scrollbar::Bar;
use crate::format::ReadError;
use crate::search::RowQuery;
use crate::stack::{ChangeId, Resource, ResourceId};

/// A command that the view in front obeys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewCommand {
    /// Move the cursor, or the rows under it.
    Move(Motion),
    /// Open or close the selected row, or go into it.
    Fold(FoldCommand),
    /// Change the rows of the list.
    List(ListCommand),
    /// Review changes.
    Review(ReviewCommand),
    /// Go to a side of the dependencies.
    Side(Side),
    /// Go to the other pane.
    OtherPane,
    /// Do what this command means in this view alone.
    Own(Command),
}

impl From<ViewCommand> for Command {
    fn from(command: ViewCommand) -> Self {
        match command {
            ViewCommand::Move(motion) => Self::Move(motion),
            ViewCommand::Fold(fold) => Self::Fold(fold),
            ViewCommand::List(list) => Self::List(list),
            ViewCommand::Review(review) => Self::Review(review),
            ViewCommand::Side(side) => Self::Side(side),
            ViewCommand::OtherPane => Self::NextPane,
            ViewCommand::Own(command) => command,
        }
    }
}

/// The file that is read next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextFile {
    /// Another file.
    Other,
    /// The same file again. Choices about its contents stay.
    Same,
}

/// All views.
#[derive(Default, Debug)]
pub struct Views {
    /// The Resources view.
    pub resources: ResourcesView,
    /// The Changes view, and the Brief view, which shows its stories.
    pub changes: ChangesView,
    /// The Outputs view.
    pub outputs: OutputsView,
    /// The Deps view.
    pub deps: DepsView,
    /// The Problems view.
    pub problems: ProblemsView,
    /// The Stacks view.
    pub stacks: StacksView,
}

/// Everything that a view may see besides its own state.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    /// The open file, and the choices that all views share.
    pub session: &'a Session,
    /// The colors and styles of the screen.
    pub theme: &'a Theme,
    /// The place of the view on the screen, and the keys that it gets.
    pub screen: Screen,
}

/// The place of a view on the screen, and the keys that it gets.
#[derive(Clone, Copy)]
pub struct Screen {
    /// The view in front.
    pub view: View,
    /// The panes of the view. A pane that is not on the screen has the area that it would have there.
    pub panes: [Pane; 2],
    /// True if both panes are on the screen.
    pub shows_both: bool,
    /// Index of the pane that gets the keys: 0 or 1.
    pub focus: usize,
    /// True while an overlay has the keys.
    pub is_covered: bool,
    /// The count typed before the command.
    pub count: Option<usize>,
}

impl<'a> Ctx<'a> {
    /// The number of rows that a pane has room for.
    pub fn height(&self, pane: usize) -> usize {
        usize::from(self.screen.panes[pane.min(1)].inner.height)
    }

    /// The part that a pane may see.
    pub fn of_pane(&self, pane: usize) -> panes::Ctx<'a> {
        panes::Ctx {
            session: self.session,
            theme: self.theme,
            focused: self.screen.focus == pane && !self.screen.is_covered,
        }
    }
}

/// The state of a view: it obeys commands and is drawn. A view without folds, an order, rows as texts, a filter or links keeps the
/// defaults.
pub trait ViewState {
    /// Obeys a command.
    fn update(&mut self, command: ViewCommand, ctx: &Ctx<'_>) -> Outcome {
        self.touch();
        match command {
            ViewCommand::Move(motion) => self.walk(motion, ctx),
            ViewCommand::Fold(command) => self.fold(command, ctx),
            ViewCommand::List(command) => self.arrange(command, ctx),
            ViewCommand::Review(command) => self.review(command, ctx),
            ViewCommand::Side(side) => self.go_to_side(side, ctx),
            ViewCommand::OtherPane => self.go_to_other_pane(ctx),
            ViewCommand::Own(command) => self.obey(command, ctx),
        }
    }

    /// True for a command that means something else in this view: it obeys it itself.
    fn has_own(&self, _command: Command) -> bool {
        false
    }

    /// Obeys a command of its own.
    fn obey(&mut self, _command: Command, _ctx: &Ctx<'_>) -> Outcome {
        Outcome::Nothing
    }

    /// Moves the cursor, or the rows under it.
    fn walk(&mut self, motion: Motion, ctx: &Ctx<'_>) -> Outcome {
        walk(self, motion, ctx)
    }

    /// Opens or closes the selected row, or goes into it.
    fn fold(&mut self, _command: FoldCommand, _ctx: &Ctx<'_>) -> Outcome {
        Outcome::Nothing
    }

    /// Changes the rows of the list.
    fn arrange(&mut self, _command: ListCommand, _ctx: &Ctx<'_>) -> Outcome {
        Outcome::Nothing
    }

    /// Reviews changes.
    fn review(&mut self, _command: ReviewCommand, _ctx: &Ctx<'_>) -> Outcome {
        Outcome::Nothing
    }

    /// Goes to a side of the dependencies.
    fn go_to_side(&mut self, _side: Side, _ctx: &Ctx<'_>) -> Outcome {
        Outcome::Nothing
    }

    /// Goes to the other pane.
    fn go_to_other_pane(&mut self, ctx: &Ctx<'_>) -> Outcome {
        match self.n_panes() {
            2 => Outcome::Focus(1 - ctx.screen.focus.min(1)),
            _ => Outcome::Nothing,
        }
    }

    /// Draws the view. `all` is lent for what another view knows.
    fn view(&self, all: &Views, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer);

    /// Updates what the view shows beside its cursor. Asks for what is missing.
    fn follow(&mut self, _ctx: &Ctx<'_>) -> Outcome {
        Outcome::Done
    }

    /// The rows of a part as they stand on the screen: of a pane, or of a side of the dependencies. `None` if it is not on the screen,
    /// and for the tree, which the view moves itself.
    fn laid<'a>(&'a self, part: usize, ctx: &Ctx<'a>) -> Option<Laid<'a>>;

    /// Notes that the person gave a command, or chose a place with the mouse.
    fn touch(&mut self) {}

    /// Takes the place of a cursor that was moved.
    fn set_cursor(&mut self, part: usize, cursor: Cursor, ctx: &Ctx<'_>);

    /// The part that has the keys.
    fn focus(&self, ctx: &Ctx<'_>) -> usize {
        ctx.screen.focus.min(1)
    }

    /// Number of panes.
    fn n_panes(&self) -> usize {
        1
    }

    /// Goes to the next row beside the selected one, or `times` further.
    fn go_sibling(&mut self, part: usize, times: isize, ctx: &Ctx<'_>) {
        steer(self, part, ctx, |cursor, page| cursor.step(times, page));
    }

    /// Goes to the row around the selected one, `times` times.
    fn go_around(&mut self, _part: usize, _times: usize, _ctx: &Ctx<'_>) -> Outcome {
        Outcome::Done
    }

    /// Brings the selected rows onto the screen, after the rows or the screen changed.
    fn fit(&mut self, ctx: &Ctx<'_>) {
        for part in 0..2 {
            steer(self, part, ctx, Cursor::fit);
        }
    }

    /// The part that scrolls at a position: a pane, or a side of the dependencies.
    fn part_at(&self, at: Position, ctx: &Ctx<'_>) -> Option<usize> {
        pane_at(self.n_panes(), at, ctx)
    }

    /// The lines of the selected row on the screen, as wide as its pane.
    fn selected_area(&self, ctx: &Ctx<'_>) -> Option<Rect> {
        self.laid(self.focus(ctx), ctx)?.selected_area()
    }

    /// The lines on the screen that belong to the selected row of a list: the difference beside a change.
    fn beside_selected(&self, _pane: usize, _ctx: &Ctx<'_>) -> Option<Rect> {
        None
    }

    /// Scrolls a part.
    fn scroll(&mut self, part: usize, scroll: Scroll, ctx: &Ctx<'_>) {
        self.touch();
        steer(self, part, ctx, |cursor, page| cursor.scroll(scroll, page));
    }

    /// The scrollbar of a part, if it has one.
    fn bar(&self, part: usize, ctx: &Ctx<'_>) -> Option<Bar> {
        Some(self.laid(part, ctx)?.bar())
    }

    /// Selects the row at a position of the focused pane. Opens it if its fold sign is there, or if it was selected and the pane
    /// had the focus. Follows its link if that is there.
    fn click(&mut self, at: Position, had_focus: bool, ctx: &Ctx<'_>) -> Outcome {
        self.touch();
        let part = self.focus(ctx);
        let clicked = self.laid(part, ctx);
        let Some((row, zone)) = clicked.and_then(|laid| laid.zone_at(at, ctx.theme)) else {
            return Outcome::Done;
        };
        let was_selected = had_focus && self.cursors()[part].row == row;
        steer(self, part, ctx, |cursor, page| cursor.point_at(row, page));
        match zone {
            Zone::Fold => self.update(ViewCommand::Fold(FoldCommand::Toggle), ctx),
            Zone::Row if !was_selected => Outcome::Done,
            Zone::Row | Zone::Link => self.update(ViewCommand::Fold(FoldCommand::Activate), ctx),
        }
    }

    /// Puts the cursor on a resource, if the view lists it.
    fn show(&mut self, _id: ResourceId, _ctx: &Ctx<'_>) -> Outcome {
        Outcome::Done
    }

    /// The rows about some of these resources, for a view that goes through its own rows.
    fn rows_about(&self, _found: &[ResourceId], _session: &Session) -> Option<Vec<usize>> {
        None
    }

    /// The rows as texts. `None` for the views that list resources: a search finds these.
    fn row_texts(&self, _session: &Session) -> Option<RowTexts> {
        None
    }

    /// The selected row of a list. The Resources view returns to a place by its resource and its value.
    fn selected_key(&self) -> Option<RowKey> {
        None
    }

    /// Puts the cursor on a row, if the list has it.
    fn go_to_key(&mut self, _key: &RowKey, _ctx: &Ctx<'_>) {}

    /// Goes to a row that was found, for a view that lists it among its texts.
    fn find_row(&mut self, key: &RowKey, ctx: &Ctx<'_>) {
        self.go_to_key(key, ctx);
    }

    /// The cursors of the panes, or of the sides of the dependencies.
    fn cursors(&self) -> [Cursor; 2];

    /// The query that the rows are narrowed to.
    fn row_filter(&self) -> Option<&RowQuery> {
        None
    }

    /// Narrows the view to the rows that a query matches, or lists all of them.
    fn narrow(&mut self, _filter: Option<RowQuery>, _ctx: &Ctx<'_>) -> Outcome {
        Outcome::Done
    }

    /// Lists all rows again, and says so. Nothing if no filter narrows the view.
    fn unfilter(&mut self, ctx: &Ctx<'_>) -> Outcome {
        match self.row_filter() {
            Some(_) => Outcome::All(vec![self.narrow(None, ctx), Outcome::unfiltered()]),
            None => Outcome::Nothing,
        }
    }

    /// Shows the next part of the properties: inputs, outputs, or both. Only the details of a resource have parts.
    fn next_part(&mut self, _ctx: &Ctx<'_>) -> Outcome {
        Outcome::Nothing
    }

    /// The resources of the list, at most `limit`. `None` for a view without resources.
    fn listed(&self, _session: &Session, _limit: usize) -> Option<Vec<ResourceId>> {
        None
    }

    /// The number beside the name of the view; 0 for none.
    fn number(&self) -> usize {
        0
    }

    /// True if it has a tab in the header beside the views of a file.
    fn has_tab(&self) -> bool {
        true
    }

    /// The line below the panes, in `room` cells. `None` for the usual one about the selected resource or value.
    fn path_line(&self, _room: usize) -> Option<Strip> {
        None
    }

    /// True if the view has errors to show.
    fn has_errors(&self) -> bool {
        false
    }

    /// Forgets everything about the open file before the next one is read.
    fn clear(&mut self, next: NextFile);

    /// The resource that commands act on.
    fn selected(&self, _session: &Session) -> Option<ResourceId> {
        None
    }

    /// The first change of the selected row: a row of the brief may be about many.
    fn first_change(&self, session: &Session) -> Option<ChangeId> {
        self.selected(session).map(ChangeId::Resource)
    }

    /// The value that commands act on, with its resource (`None` for an output of the stack).
    fn spot(&self, _pane: usize, _session: &Session) -> Option<(Option<ResourceId>, Spot)> {
        None
    }

    /// True if the selected row is a secret. A row that only says which value it is about is none.
    fn is_secret(&self, _pane: usize) -> bool {
        false
    }
}

impl Views {
    /// A view.
    pub fn of(&self, view: View) -> &dyn ViewState {
        match view {
            View::Resources => &self.resources,
            View::Brief => &self.changes.stories,
            View::Changes => &self.changes,
            View::Outputs => &self.outputs,
            View::Deps => &self.deps,
            View::Problems => &self.problems,
            View::Stacks => &self.stacks,
        }
    }

    /// Like [`of`](Self::of), mutably.
    pub fn of_mut(&mut self, view: View) -> &mut dyn ViewState {
        match view {
            View::Resources => &mut self.resources,
            View::Brief => &mut self.changes.stories,
            View::Changes => &mut self.changes,
            View::Outputs => &mut self.outputs,
            View::Deps => &mut self.deps,
            View::Problems => &mut self.problems,
            View::Stacks => &mut self.stacks,
        }
    }

    /// The query that the resources of a view are narrowed to.
    pub fn filter(&self, view: View) -> Option<&Filter> {
        match view {
            View::Resources => self.resources.tree.filter.as_ref(),
            View::Changes => self.changes.list.filter.as_ref(),
            View::Brief | View::Outputs | View::Deps | View::Problems | View::Stacks => None,
        }
    }

    /// Gives a command to a view. The changes know why a row of the brief changes, and have its other arrangements.
    pub fn update(&mut self, view: View, command: ViewCommand, ctx: &Ctx<'_>) -> Outcome {
        if view == View::Brief && command == ViewCommand::Review(ReviewCommand::Why) {
            return self
                .changes
                .why_of(self.changes.stories.selected_ids(), ctx);
        }
        self.of_mut(view).update(command, ctx)
    }

    /// True if two views show one list: its cursor stays when one of them follows the other.
    pub fn are_one_list(&self, one: View, other: View) -> bool {
        let shows_stories = |view| matches!(view, View::Brief | View::Changes);
        [one, other].into_iter().all(shows_stories) && self.changes.lists_stories()
    }

    /// Draws a view.
    pub fn view(&self, view: View, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
        let is_open = ctx.session.document.is_some() || ctx.session.loading.is_some();
        let says_more = matches!(view, View::Resources | View::Problems | View::Stacks);
        if is_open || says_more {
            self.of(view).view(self, ctx, panes, buffer);
        } else {
            draw_nothing(view, ctx, panes, buffer);
        }
    }

    /// Updates what a view shows beside its cursor. The changes explain the rows of the brief.
    pub fn follow(&mut self, view: View, ctx: &Ctx<'_>) -> Outcome {
        if view == View::Brief {
            self.changes.stories.see();
            return self.changes.explain_stories(ctx);
        }
        self.of_mut(view).follow(ctx)
    }

    /// Takes a resource that was read. `is_outdated` is true if the screen shows it as it was before it changed.
    pub fn take(
        &mut self,
        id: ResourceId,
        resource: &Result<Arc<Resource>, ReadError>,
        is_outdated: bool,
        ctx: &Ctx<'_>,
    ) -> Outcome {
        self.resources.take(id, resource, is_outdated, ctx);
        self.deps.explain(id, ctx);
        self.changes.take(id, resource, ctx)
    }

    /// Takes the records that arrived.
    pub fn take_changed(&mut self, changed: &Changed, ctx: &Ctx<'_>) -> Outcome {
        let stack = ctx.session.stack();
        let tree = &mut self.resources.tree;
        if tree.filter.is_none() {
            tree.tree.extend(stack, changed.from);
        }
        tree.tree.renew(stack, &changed.renewed);
        tree.settle(ctx.height(0));
        let list = &mut self.changes.list;
        list.renew(stack, changed.from, &changed.renewed);
        if changed.is_noted {
            list.take_errors(stack);
        }
        if !ctx.session.touched {
            // Nobody has chosen a row yet: the first row stays selected.
            list.cursor = Cursor::default();
        }
        let arranged = self.changes.renew_arranged(&changed.renewed, ctx);
        self.changes.fit(ctx);
        arranged
    }

    /// Goes to the next row of a view about some of these resources. Returns its number among these rows, from 1, and theirs.
    pub fn go_found(
        &mut self,
        view: View,
        steps: isize,
        found: &[ResourceId],
        ctx: &Ctx<'_>,
    ) -> Option<(usize, usize)> {
        let view = self.of_mut(view);
        let rows = view.rows_about(found, ctx.session)?;
        let part = view.focus(ctx);
        let go = |cursor: &mut Cursor, page: Page<'_>| cursor.go_among(&rows, steps, page);
        Some((steer(view, part, ctx, go)??, rows.len()))
    }

    /// Builds all rows of values again, after a secret was revealed or hidden.
    pub fn remake_values(&mut self, ctx: &Ctx<'_>) {
        self.resources.remake(ctx);
        self.changes.reveal(ctx);
        self.outputs.remake(ctx);
    }

    /// Forgets everything about the open file before the next one is read.
    pub fn clear(&mut self, next: NextFile) {
        for view in View::ALL {
            self.of_mut(view).clear(next);
        }
    }
}

/// Lets the cursor of a part do something in its rows. `None` if the part is not on the screen.
fn steer<T>(
    view: &mut (impl ViewState + ?Sized),
    part: usize,
    ctx: &Ctx<'_>,
    act: impl FnOnce(&mut Cursor, Page<'_>) -> T,
) -> Option<T> {
    let (cursor, done) = view.laid(part, ctx)?.act(act);
    view.set_cursor(part, cursor, ctx);
    Some(done)
}

/// The line on the screen of the selected row of a part.
fn line_on_screen(view: &(impl ViewState + ?Sized), part: usize, ctx: &Ctx<'_>) -> usize {
    let laid = view.laid(part, ctx);
    laid.map_or(0, |laid| {
        laid.act(|cursor, page| cursor.line_on_screen(page)).1
    })
}

/// Moves the cursor of the part that has the keys.
fn walk(view: &mut (impl ViewState + ?Sized), motion: Motion, ctx: &Ctx<'_>) -> Outcome {
    let part = view.focus(ctx);
    let count = ctx.screen.count;
    let laid = view.laid(part, ctx);
    let Some(wanted) = laid.map(|laid| laid.with_page(|page| step(motion, count, page))) else {
        return Outcome::Done;
    };
    match wanted {
        Step::OtherPane(delta) if view.n_panes() > 1 => {
            view.scroll(1 - part, Scroll::By(delta), ctx);
        }
        Step::Siblings(times) => view.go_sibling(part, times, ctx),
        Step::Around(times) => return view.go_around(part, times, ctx),
        step => _ = steer(view, part, ctx, |cursor, page| cursor.take(step, page)),
    }
    Outcome::Done
}

/// The pane at a position, of a view with so many panes.
fn pane_at(n_panes: usize, at: Position, ctx: &Ctx<'_>) -> Option<usize> {
    let is_there = |pane: &usize| {
        let is_shown = ctx.screen.shows_both || *pane == ctx.screen.focus.min(1);
        is_shown && ctx.screen.panes[*pane].outer.contains(at)
    };
    (0..n_panes).find(is_there)
}

/// Draws a view while no file is open. Resources and Problems say more, and Stacks lists files.
fn draw_nothing(view: View, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
    let n_panes = if view.has_two_panes() { 2 } else { 1 };
    for (at, pane) in panes.into_iter().take(n_panes).enumerate() {
        let title = if at == 0 { view.name() } else { "" };
        ctx.of_pane(at).frame(pane, title, "", buffer);
    }
    let folder = keymap::key_of(Command::View(View::Stacks));
    let text = format!("nothing is open · {folder} files here");
    let mut pen = Pen::new(buffer, ctx.theme, panes[0].inner, 0);
    pen.skip(1).put(&text, Role::Dim);
}

/// Follows a row of values: to a resource, or into a long text.
pub fn follow(row: &Row) -> Outcome {
    match &row.leads {
        Leads::Nowhere if row.secret => {
            let key = keymap::key_of(Command::Reveal);
            Outcome::Say(format!("{key} reveal this value"))
        }
        Leads::Nowhere => Outcome::Nothing,
        Leads::Resource(target) => Outcome::Follow(target.clone()),
        Leads::Text => Outcome::OpenText,
    }
}
