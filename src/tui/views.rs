//! The views: each owns its state, obeys commands, and draws itself. The explorer lends it everything else ([`Ctx`]) and does what
//! it asks for ([`Outcome`]).

pub mod brief;
pub mod changes;
pub mod deps;
pub mod impact;
pub mod outputs;
pub mod problems;
pub mod resources;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::brief::BriefView;
use self::changes::ChangesView;
use self::deps::DepsView;
use self::impact::ImpactPane;
use self::outputs::OutputsView;
use self::problems::ProblemsView;
use self::resources::ResourcesView;
use super::brief::Tally;
use super::command::{
    Command, FoldCommand, ListCommand, Motion, ReviewCommand, Side, UpdatesCommand, View,
};
use super::keymap;
use super::layout::Pane;
use super::overlays::Outcome;
use super::overlays::find_rows::RowTexts;
use super::panes;
use super::row_key::RowKey;
use super::rows::{Leads, Row, Spot};
use super::session::Session;
use super::theme::{Role, Theme};
use super::widgets::cursor::{Cursor, Scroll};
use super::widgets::frame::{self, Labels};
use super::widgets::pen::Pen;
use super::widgets::scrollbar::Bar;
use crate::format::ReadError;
use crate::search::RowQuery;
use crate::stack::{Resource, ResourceId};

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
        }
    }
}

/// Maximum number of changes that are shown in place of a brief that is being made.
const MAX_FIRST: usize = 200;

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
    /// The Brief view.
    pub brief: BriefView,
    /// The Changes view.
    pub changes: ChangesView,
    /// The Outputs view.
    pub outputs: OutputsView,
    /// The Deps view.
    pub deps: DepsView,
    /// The Problems view.
    pub problems: ProblemsView,
    /// The third pane of a wide screen.
    pub impact: ImpactPane,
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

impl Views {
    /// Gives a command to a view.
    pub fn update(&mut self, view: View, command: ViewCommand, ctx: &Ctx<'_>) -> Outcome {
        match view {
            View::Resources => self.resources.update(command, ctx),
            View::Brief if command == ViewCommand::Review(ReviewCommand::Why) => {
                self.changes.why_of(self.brief.selected_ids(), ctx)
            }
            View::Brief => self.brief.update(command, ctx),
            View::Outputs => self.outputs.update(command, ctx),
            View::Deps => self.deps.update(command, ctx),
            View::Problems => self.problems.update(command, ctx),
            View::Changes => self.changes.update(command, ctx),
        }
    }

    /// Draws a view.
    pub fn view(&self, view: View, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
        let [left, _] = panes;
        let is_open = ctx.session.document.is_some() || ctx.session.loading.is_some();
        match view {
            View::Brief | View::Changes | View::Outputs | View::Deps if !is_open => {
                draw_nothing(view, ctx, panes, buffer);
            }
            View::Resources => self.resources.view(ctx, panes, buffer),
            View::Brief => self.brief.view(ctx, &self.tally(ctx.session), left, buffer),
            View::Changes => self.changes.view(ctx, panes, buffer),
            View::Outputs => self.outputs.view(ctx, left, buffer),
            View::Problems => self.problems.view(ctx, left, buffer),
            View::Deps => self.deps.view(ctx, left, buffer),
        }
    }

    /// Updates what a view shows beside its cursor. Asks for what is missing.
    pub fn follow(&mut self, view: View, ctx: &Ctx<'_>) -> Outcome {
        match view {
            View::Resources => self.resources.follow(ctx),
            View::Brief => self.changes.explain(self.brief.selected_ids(), ctx),
            View::Deps => self.deps.follow(ctx),
            View::Changes => self.changes.follow(ctx),
            View::Outputs | View::Problems => Outcome::Done,
        }
    }

    /// Brings the selected rows of a view onto the screen, after its rows or the screen changed.
    pub fn fit(&mut self, view: View, ctx: &Ctx<'_>) {
        match view {
            View::Resources => self.resources.fit(ctx),
            View::Brief => self.brief.fit(ctx),
            View::Changes => self.changes.fit(ctx),
            View::Outputs => self.outputs.fit(ctx),
            View::Deps => self.deps.fit(ctx),
            View::Problems => self.problems.fit(ctx),
        }
    }

    /// The part of a view that scrolls at a position: a pane, or a side of the dependencies.
    pub fn part_at(&self, view: View, at: Position, ctx: &Ctx<'_>) -> Option<usize> {
        match view {
            View::Deps => self.deps.side_at(at, ctx),
            View::Resources | View::Brief | View::Changes | View::Outputs | View::Problems => {
                let n_panes = if view.has_two_panes() { 2 } else { 1 };
                let is_there = |pane: &usize| {
                    let is_shown = ctx.screen.shows_both || *pane == ctx.screen.focus.min(1);
                    is_shown && ctx.screen.panes[*pane].outer.contains(at)
                };
                (0..n_panes).find(is_there)
            }
        }
    }

    /// The lines of the selected row on the screen, as wide as its pane.
    pub fn selected_area(&self, view: View, pane: usize, ctx: &Ctx<'_>) -> Option<Rect> {
        match view {
            View::Resources => self.resources.selected_area(pane, ctx),
            View::Brief => self.brief.selected_area(ctx),
            View::Changes => self.changes.selected_area(pane, ctx),
            View::Outputs => self.outputs.selected_area(ctx),
            View::Deps => self.deps.selected_area(ctx),
            View::Problems => self.problems.selected_area(ctx),
        }
    }

    /// The lines on the screen that belong to the selected row of a list: the difference beside a change.
    pub fn beside_selected(&self, view: View, pane: usize, ctx: &Ctx<'_>) -> Option<Rect> {
        match view {
            View::Changes if pane == 0 && ctx.screen.shows_both => {
                Some(self.changes.difference.drawn_area(ctx.screen.panes[1]))
            }
            View::Changes
            | View::Resources
            | View::Brief
            | View::Outputs
            | View::Deps
            | View::Problems => None,
        }
    }

    /// Scrolls a part of a view.
    pub fn scroll(&mut self, view: View, pane: usize, scroll: Scroll, ctx: &Ctx<'_>) {
        match view {
            View::Resources => self.resources.scroll(pane, scroll, ctx),
            View::Brief => self.brief.scroll(scroll, ctx),
            View::Outputs => self.outputs.scroll(scroll, ctx),
            View::Deps => self.deps.scroll(pane, scroll, ctx),
            View::Problems => self.problems.scroll(scroll, ctx),
            View::Changes => self.changes.scroll(pane, scroll, ctx),
        }
    }

    /// The scrollbar of a part of a view, if it has one.
    pub fn bar(&self, view: View, pane: usize, ctx: &Ctx<'_>) -> Option<Bar> {
        match view {
            View::Resources => Some(self.resources.bar(pane, ctx)),
            View::Outputs => Some(self.outputs.bar(ctx)),
            View::Brief => self.brief.bar(ctx),
            View::Changes => Some(self.changes.bar(pane, ctx)),
            View::Deps => self.deps.bar(pane, ctx),
            View::Problems => Some(self.problems.bar(ctx)),
        }
    }

    /// Selects the row at a position of the focused pane. Opens it if its fold sign is there, or if it was selected and the pane
    /// had the focus. Follows its link if that is there.
    pub fn click(&mut self, view: View, at: Position, had_focus: bool, ctx: &Ctx<'_>) -> Outcome {
        match view {
            View::Resources => self.resources.click(at, had_focus, ctx),
            View::Brief => self.brief.click(at, had_focus, ctx),
            View::Outputs => self.outputs.click(at, had_focus, ctx),
            View::Deps => self.deps.click(at, had_focus, ctx),
            View::Problems => self.problems.click(at, had_focus, ctx),
            View::Changes => self.changes.click(at, had_focus, ctx),
        }
    }

    /// Puts the cursor of a view on a resource, if the view lists it.
    pub fn show(&mut self, view: View, id: ResourceId, ctx: &Ctx<'_>) -> Outcome {
        match view {
            View::Resources => return self.resources.show(id, ctx),
            View::Brief => self.brief.show(id, ctx),
            View::Changes => self.changes.show(id, ctx),
            View::Deps => {
                let stack = ctx.session.stack();
                self.deps.leave_empty_side(stack, stack.own_record(id));
            }
            View::Problems => self.problems.select(id, ctx),
            View::Outputs => {}
        }
        Outcome::Done
    }

    /// Goes to the next row of a flat list whose resource was found, or to the previous one. Returns the position among these rows,
    /// counted from 1, and their number. `None` if there is none, and for views that a search goes through itself.
    pub fn go_found(
        &mut self,
        view: View,
        steps: isize,
        found: &[ResourceId],
        ctx: &Ctx<'_>,
    ) -> Option<(usize, usize)> {
        match view {
            View::Brief => self.brief.go_found(steps, found, ctx),
            View::Deps => self.deps.go_found(steps, found, ctx),
            View::Problems => self.problems.go_found(steps, found, ctx),
            View::Resources | View::Changes | View::Outputs => None,
        }
    }

    /// The rows of a view as texts. `None` for the views that list resources: a search finds these.
    pub fn row_texts(&self, view: View, session: &Session) -> Option<RowTexts> {
        match view {
            View::Outputs => Some(self.outputs.row_texts()),
            View::Deps => Some(self.deps.row_texts(session.stack())),
            View::Problems => Some(self.problems.row_texts(session.stack())),
            View::Brief => self.brief.row_texts(),
            View::Resources | View::Changes => None,
        }
    }

    /// Goes to one of the rows that a view has as texts.
    pub fn go_row(&mut self, view: View, row: usize, ctx: &Ctx<'_>) -> Outcome {
        match view {
            View::Outputs => self.outputs.go_row(row, ctx),
            View::Deps => self.deps.go_row(row, ctx),
            View::Problems => self.problems.go_row(row, ctx),
            View::Brief => self.brief.go_found_row(row, ctx),
            View::Resources | View::Changes => {}
        }
        Outcome::Done
    }

    /// The identity of one of the rows that a view has as texts.
    pub fn key_of_text(&self, view: View, index: usize) -> Option<RowKey> {
        match view {
            View::Outputs => self.outputs.key_of_text(index).map(RowKey::Output),
            View::Deps => self.deps.key_of_text(index).map(RowKey::Neighbor),
            View::Problems => self.problems.key_of_text(index).map(RowKey::Problem),
            View::Brief => self.brief.key_of_text(index).map(RowKey::Brief),
            View::Resources | View::Changes => None,
        }
    }

    /// The index of a row among those that its view has as texts.
    pub fn text_of_key(&self, key: &RowKey) -> Option<usize> {
        match key {
            RowKey::Output(key) => self.outputs.text_of_key(key),
            RowKey::Neighbor(key) => self.deps.text_of_key(key),
            RowKey::Problem(key) => self.problems.text_of_key(*key),
            RowKey::Brief(key) => self.brief.text_of_key(key),
            RowKey::Change(_) => None,
        }
    }

    /// The selected row of a view that is a list. The others return to a place by its resource and its value.
    pub fn selected_key(&self, view: View) -> Option<RowKey> {
        match view {
            View::Brief => self.brief.selected_key().map(RowKey::Brief),
            View::Changes => self.changes.list.selected_key().map(RowKey::Change),
            View::Outputs => {
                let spot = self.outputs.values.list.selected_spot();
                spot.map(RowKey::Output)
            }
            View::Deps => {
                let key = self.deps.key_of_text(self.deps.row());
                key.map(RowKey::Neighbor)
            }
            View::Problems => {
                let key = self.problems.key_of_text(self.problems.cursor.row);
                key.map(RowKey::Problem)
            }
            View::Resources => None,
        }
    }

    /// Puts the cursor of a list on a row, if the list has it.
    pub fn go_to_key(&mut self, key: &RowKey, ctx: &Ctx<'_>) -> Outcome {
        match key {
            RowKey::Brief(key) => self.brief.go_to_key(key, ctx),
            RowKey::Change(key) => self.changes.go_to_key(key, ctx),
            RowKey::Output(spot) => self.outputs.select(spot, ctx),
            RowKey::Neighbor(key) => {
                if let Some(row) = self.deps.text_of_key(key) {
                    self.deps.go_row(row, ctx);
                }
            }
            RowKey::Problem(key) => {
                if let Some(row) = self.problems.text_of_key(*key) {
                    self.problems.go_row(row, ctx);
                }
            }
        }
        Outcome::Done
    }

    /// The cursors of a view: of its panes, or of the sides of the dependencies.
    pub fn cursors(&self, view: View) -> [Cursor; 2] {
        match view {
            View::Resources => [
                self.resources.tree.cursor,
                self.resources.detail.list.cursor,
            ],
            View::Brief => [self.brief.cursor; 2],
            View::Changes => [self.changes.list.cursor, self.changes.difference.cursor],
            View::Outputs => [self.outputs.values.list.cursor; 2],
            View::Deps => self.deps.cursors(),
            View::Problems => [self.problems.cursor; 2],
        }
    }

    /// The query that the rows of a view are narrowed to.
    pub fn row_filter(&self, view: View) -> Option<&RowQuery> {
        match view {
            View::Outputs => self.outputs.filter.as_ref(),
            View::Deps => self.deps.filter.as_ref(),
            View::Problems => self.problems.filter.as_ref(),
            View::Resources | View::Brief | View::Changes => None,
        }
    }

    /// Narrows a view to the rows that a query matches, or lists all of them.
    pub fn narrow(&mut self, view: View, filter: Option<RowQuery>, ctx: &Ctx<'_>) -> Outcome {
        match view {
            View::Outputs => {
                self.outputs.filter = filter;
                self.outputs.take(ctx);
            }
            View::Deps => {
                self.deps.filter = filter;
                return self.deps.remake(ctx);
            }
            View::Problems => {
                self.problems.filter = filter;
                self.problems.list(ctx);
            }
            View::Resources | View::Brief | View::Changes => {}
        }
        Outcome::Done
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
        match resource {
            Ok(_) => _ = self.deps.explain(id, ctx),
            Err(_) => self.deps.leave_unexplained(id),
        }
        self.changes.take(id, resource, ctx)
    }

    /// Shows the next part of the properties: inputs, outputs, or both. Only the details of a resource have parts.
    pub fn next_part(&mut self, view: View, ctx: &Ctx<'_>) -> Outcome {
        match view {
            View::Resources => self.resources.next_part(ctx),
            View::Brief | View::Changes | View::Outputs | View::Deps | View::Problems => {
                Outcome::Nothing
            }
        }
    }

    /// Builds all rows of values again, after a secret was revealed or hidden.
    pub fn remake_values(&mut self, ctx: &Ctx<'_>) {
        self.resources.remake(ctx);
        self.changes.reveal(ctx);
        self.outputs.remake(ctx);
    }

    /// The resources that a view lists, at most `limit`. `None` for a view without resources.
    pub fn listed(&self, view: View, session: &Session, limit: usize) -> Option<Vec<ResourceId>> {
        Some(match view {
            View::Resources => self.resources.listed(limit),
            View::Brief => self.brief.resources().take(limit).collect(),
            View::Changes => self.changes.list.ids(0..4 * limit).take(limit).collect(),
            View::Deps => self.deps.neighbors().take(limit).collect(),
            View::Problems => {
                let about = self.problems.resources(session.stack());
                about.take(limit).collect()
            }
            View::Outputs => return None,
        })
    }

    /// The number beside the name of a view; 0 for none.
    pub fn number(&self, view: View) -> usize {
        match view {
            View::Changes => self.changes.list.n_to_review(),
            View::Problems => self.problems.n_errors + self.problems.n_warnings,
            View::Brief | View::Resources | View::Outputs | View::Deps => 0,
        }
    }

    /// True if a view has errors to show.
    pub fn has_errors(&self, view: View) -> bool {
        match view {
            View::Problems => self.problems.n_errors > 0,
            View::Brief | View::Resources | View::Changes | View::Outputs | View::Deps => false,
        }
    }

    /// Forgets everything about the open file before the next one is read.
    pub fn clear(&mut self, next: NextFile) {
        let Self {
            resources,
            brief,
            changes,
            outputs,
            deps,
            problems,
            impact,
        } = self;
        resources.clear(next);
        brief.clear(next);
        changes.clear(next);
        outputs.clear(next);
        deps.clear(next);
        problems.clear(next);
        *impact = ImpactPane::default();
    }

    /// The resource that commands act on.
    pub fn selected(&self, view: View, session: &Session) -> Option<ResourceId> {
        match view {
            View::Resources => self.resources.tree.resource(),
            View::Problems => self.problems.resource(session.stack()),
            View::Brief => self.brief.selected(),
            View::Changes => self.changes.list.selected(),
            View::Deps => self.deps.selected(),
            View::Outputs => None,
        }
    }

    /// The first resource of the selected row: a row of the brief may be about many.
    pub fn first_selected(&self, view: View, session: &Session) -> Option<ResourceId> {
        match view {
            View::Brief => self.brief.selected_ids().first().copied(),
            View::Resources | View::Changes | View::Outputs | View::Deps | View::Problems => {
                self.selected(view, session)
            }
        }
    }

    /// The value that commands act on, with its resource (`None` for an output of the stack).
    pub fn spot(
        &self,
        view: View,
        pane: usize,
        session: &Session,
    ) -> Option<(Option<ResourceId>, Spot)> {
        match view {
            View::Resources => self.resources.spot(pane),
            View::Problems => Some((
                self.problems.resource(session.stack()),
                self.problems.spot(session)?,
            )),
            View::Changes if pane == 1 => Some((
                self.changes.difference.subject,
                self.changes.difference.spot()?,
            )),
            View::Outputs => Some((None, self.outputs.values.list.selected_spot()?)),
            View::Brief | View::Changes | View::Deps => None,
        }
    }

    /// True if the selected row is a secret.
    pub fn is_secret(&self, view: View, pane: usize) -> bool {
        let is_secret = |row: Option<&Row>| row.is_some_and(|row| row.secret);
        match view {
            View::Resources if pane == 0 => is_secret(self.resources.tree.row()),
            View::Resources => is_secret(self.resources.detail.list.selected()),
            View::Outputs => is_secret(self.outputs.values.list.selected()),
            View::Changes => pane == 1 && self.changes.difference.is_on_secret(),
            // A problem says which value it is about, not what the value is.
            View::Problems | View::Brief | View::Deps => false,
        }
    }

    /// The numbers around the page of the brief.
    fn tally(&self, session: &Session) -> Tally {
        let list = &self.changes.list;
        let (n_reviewed, n_to_review) = list.progress(session.stack(), &session.reviewed);
        let n_first = if self.brief.is_empty() { MAX_FIRST } else { 0 };
        Tally {
            n_reviewed,
            n_to_review,
            first: list.ids(0..n_first).collect(),
        }
    }
}

/// Draws a view while no file is open. Resources and Problems say more.
fn draw_nothing(view: View, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
    let n_panes = if view.has_two_panes() { 2 } else { 1 };
    for (at, pane) in panes.into_iter().take(n_panes).enumerate() {
        let labels = Labels {
            title: if at == 0 { view.name() } else { "" }.to_owned(),
            status: String::new(),
            focused: ctx.of_pane(at).focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
    }
    let folder = keymap::key_of(Command::Updates(UpdatesCommand::Folder));
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
