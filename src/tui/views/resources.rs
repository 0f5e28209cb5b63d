//! The Resources view: the tree of resources, and the details of the selected row.

use std::sync::Arc;

use super::steer;
use crate::format::ReadError;
use crate::stack::{Flags, Resource, ResourceId, Stack};
use crate::tree::{Folds, Node};
use crate::tui::command::{FoldCommand, FoldStep, ListCommand, Motion};
use crate::tui::layout::Pane;
use crate::tui::outline::Laid;
use crate::tui::overlays::Outcome;
use crate::tui::panes::Filter;
use crate::tui::panes::detail::{DetailPane, Parts, strange_host};
use crate::tui::panes::list::Folded;
use crate::tui::panes::outputs;
use crate::tui::panes::tree::{TreePane, is_openable};
use crate::tui::rows::{Fold, Part, Spot, shown};
use crate::tui::session::Session;
use crate::tui::views::{Ctx, NextFile, ViewState, Views, follow, walk};
use crate::tui::widgets::cursor::{Cursor, Page, Scroll, Step, step};
use crate::tui::widgets::text::plural;
use ratatui::buffer::Buffer;

/// The Resources view.
#[derive(Default, Debug)]
pub struct ResourcesView {
    /// The tree of resources.
    pub tree: TreePane,
    /// The details of the selected row.
    pub detail: DetailPane,
}

impl ResourcesView {
    /// Builds the rows of the details again.
    pub fn remake_detail(&mut self, ctx: &Ctx<'_>) {
        let revealed = ctx.session.revealed_in(self.detail.id());
        let (stack, pane) = place(ctx);
        self.detail.remake(revealed, stack, pane);
    }

    /// Takes a resource that was read, if it is shown. `is_outdated` is true if it is shown as it was before it changed.
    pub fn take(
        &mut self,
        id: ResourceId,
        resource: &Result<Arc<Resource>, ReadError>,
        is_outdated: bool,
        ctx: &Ctx<'_>,
    ) {
        if self.detail.id() == Some(id) && (self.detail.resource.is_none() || is_outdated) {
            self.detail.set_resource(resource.clone());
            // The ids of the resource are all known now.
            self.detail.count_others(ctx.session);
            self.remake_detail(ctx);
        }
        let node = Node::Resource(id);
        let is_wanted = if self.tree.has_props(node) {
            is_outdated
        } else {
            self.tree.tree.is_open(node) && !self.is_folder(ctx.session.stack(), id)
        };
        if is_wanted && let Ok(resource) = resource {
            self.tree.set_resource(id, resource, ctx.session.stack());
            self.tree.settle(ctx.height(0));
        }
    }

    /// Builds all rows of values again.
    pub fn remake(&mut self, ctx: &Ctx<'_>) {
        self.remake_detail(ctx);
        if let Some(node) = self.tree.node() {
            let revealed = ctx.session.revealed_in(self.tree.resource());
            let stack = ctx.session.stack();
            self.tree.remake(node, revealed, stack, ctx.height(0));
        }
    }

    /// Opens the containers around a value of the details and puts the cursor on it.
    pub fn select_value(&mut self, spot: &Spot, ctx: &Ctx<'_>) {
        match spot.part {
            _ if self.detail.parts == Parts::Both => {}
            Part::Inputs => self.detail.parts = Parts::Inputs,
            Part::Outputs => self.detail.parts = Parts::Outputs,
            Part::Before(_) | Part::Options | Part::Fields => {}
        }
        self.detail.list.open_around(spot);
        self.remake_detail(ctx);
        self.detail.list.select(spot);
        self.fit(ctx);
    }

    /// True if a resource only groups other resources. Its own values are shown in the details only.
    pub fn is_folder(&self, stack: &Stack, id: ResourceId) -> bool {
        let is_group = stack
            .record(id)
            .flags
            .intersects(Flags::COMPONENT | Flags::STACK);
        is_group && self.tree.tree.n_children(Node::Resource(id)) > 0
    }

    /// Moves the cursor of the tree. Lines that show ancestors count as none.
    fn move_in_tree(&mut self, motion: Motion, ctx: &Ctx<'_>) -> Outcome {
        let (len, height) = (self.tree.tree.len(), ctx.height(0));
        let n_free = height.saturating_sub(self.tree.sticky(height).len());
        match step(motion, ctx.screen.count, Page::flat(len, n_free)) {
            Step::OtherPane(delta) => self.scroll(1, Scroll::By(delta), ctx),
            Step::By(delta) | Step::Lines(delta) => self.tree.step(delta, height),
            Step::Row(row) => self.tree.go(row, height),
            Step::Siblings(steps) => self.tree.go_sibling(steps, height),
            Step::Around(times) => (0..times).for_each(|_| _ = self.tree.go_around(height)),
        }
        Outcome::Done
    }

    fn fold_tree(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        let height = ctx.height(0);
        if let FoldStep::Level(level) = command.on(None) {
            let is_changed = self.tree.tree.set_level(level);
            self.tree.settle(height);
            return if is_changed {
                Outcome::Done
            } else {
                Outcome::Nothing
            };
        }
        let Some(place) = self.tree.place() else {
            return Outcome::Nothing;
        };
        if place.offset > 0 {
            return self.fold_tree_value(command, ctx);
        }
        let node = place.node;
        let is_open = self.tree.tree.is_open(node);
        let has_children = self.tree.tree.n_children(node) > 0;
        let openable = has_children || is_openable(ctx.session.stack(), node);
        // With a single pane, opening a resource shows its details.
        let into_details = !ctx.screen.shows_both && matches!(node, Node::Resource(_));
        let goes_in =
            command == FoldCommand::Activate || command == FoldCommand::Expand && !has_children;
        if into_details && goes_in {
            return Outcome::Focus(1);
        }
        let state = if is_open {
            Some(true)
        } else {
            openable.then_some(false)
        };
        match command.on(state) {
            FoldStep::Into => self.tree.step(1, height),
            FoldStep::Toggle if is_open => self.tree.set_open(node, false, height),
            FoldStep::Toggle => return self.open_node(node, ctx),
            FoldStep::Nothing if openable => return self.open_node(node, ctx),
            FoldStep::Out if self.tree.go_around(height) => {}
            FoldStep::Below if openable && !has_children && !is_open => {
                return self.open_node(node, ctx);
            }
            FoldStep::Below if self.tree.tree.set_open_below(node, true) => {
                self.tree.settle(height);
            }
            FoldStep::Out
            | FoldStep::OutAndClose
            | FoldStep::Enter
            | FoldStep::Below
            | FoldStep::Level(_)
            | FoldStep::Nothing => return Outcome::Nothing,
        }
        Outcome::Done
    }

    fn open_node(&mut self, node: Node, ctx: &Ctx<'_>) -> Outcome {
        let (height, stack) = (ctx.height(0), ctx.session.stack());
        let was_open = self.tree.tree.is_open(node);
        let is_whole = match node {
            Node::Resource(id) => self.tree.has_props(node) || self.is_folder(stack, id),
            Node::Outputs => self.tree.has_props(node),
            Node::Group(_) | Node::Type(_) | Node::Provider(_) | Node::Providers => true,
        };
        if was_open && is_whole {
            return Outcome::Nothing;
        }
        self.tree.set_open(node, true, height);
        if is_whole {
            return Outcome::Done;
        }
        match node {
            Node::Resource(id) => match ctx.session.resources.get(id) {
                Some(resource) => self.tree.set_resource(id, resource, stack),
                // Its rows come with the answer.
                None => return Outcome::Read(id),
            },
            Node::Outputs => {
                self.tree.set_outputs(outputs::map(stack, false), stack);
            }
            Node::Group(_) | Node::Type(_) | Node::Provider(_) | Node::Providers => {}
        }
        self.tree.settle(height);
        Outcome::Done
    }

    fn fold_tree_value(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        let height = ctx.height(0);
        let Some(row) = self.tree.row().cloned() else {
            return Outcome::Nothing;
        };
        let step = match command.on(row.fold.is_open()) {
            FoldStep::Below if row.fold == Fold::Closed => FoldStep::Toggle,
            step => step,
        };
        match step {
            FoldStep::Toggle => {
                let revealed = ctx.session.revealed_in(self.tree.resource());
                self.tree
                    .toggle_value(revealed, ctx.session.stack(), height);
            }
            FoldStep::Into => self.tree.step(1, height),
            FoldStep::Out | FoldStep::OutAndClose if self.tree.go_around(height) => {}
            FoldStep::Enter => return follow(&row),
            FoldStep::Out
            | FoldStep::OutAndClose
            | FoldStep::Below
            | FoldStep::Level(_)
            | FoldStep::Nothing => return Outcome::Nothing,
        }
        Outcome::Done
    }

    fn fold_values(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        match self.detail.fold(command) {
            Folded::Changed => self.remake_detail(ctx),
            Folded::Moved => self.fit(ctx),
            Folded::Entered => {
                return self.detail.list.selected().map_or(Outcome::Nothing, follow);
            }
            Folded::Nothing if command == FoldCommand::Collapse => return Outcome::Focus(0),
            Folded::Nothing => return Outcome::Nothing,
        }
        Outcome::Done
    }
}

impl ViewState for ResourcesView {
    fn walk(&mut self, motion: Motion, ctx: &Ctx<'_>) -> Outcome {
        match ctx.screen.focus {
            0 => self.move_in_tree(motion, ctx),
            _ => walk(self, motion, ctx),
        }
    }

    fn fold(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        match ctx.screen.focus {
            0 => self.fold_tree(command, ctx),
            _ => self.fold_values(command, ctx),
        }
    }

    fn arrange(&mut self, command: ListCommand, ctx: &Ctx<'_>) -> Outcome {
        match command {
            ListCommand::Sort => {
                self.tree.order = self.tree.order.next();
                Outcome::Arrange(format!("sorted by {}", self.tree.order.name()))
            }
            ListCommand::Arrange => {
                self.tree.arrangement = self.tree.arrangement.next();
                Outcome::Arrange(format!("arranged as {}", self.tree.arrangement.name()))
            }
            ListCommand::Noise => {
                let open = !self.tree.tree.is_open(Node::Providers);
                self.tree.set_open(Node::Providers, open, ctx.height(0));
                let state = if open { "shown" } else { "hidden" };
                Outcome::Say(format!("providers are {state}"))
            }
        }
    }

    fn laid<'a>(&'a self, part: usize, ctx: &Ctx<'a>) -> Option<Laid<'a>> {
        let (stack, pane) = place(ctx);
        Some(match part {
            0 => self
                .tree
                .laid(stack, &ctx.session.marks, ctx.screen.panes[0]),
            _ => self.detail.laid(stack, pane),
        })
    }

    fn set_cursor(&mut self, part: usize, cursor: Cursor, ctx: &Ctx<'_>) {
        match part {
            0 => self.tree.set_cursor(cursor, ctx.height(0)),
            _ => self.detail.list.cursor = cursor,
        }
    }

    fn view(&self, _all: &Views, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
        let [left, right] = panes;
        if !left.outer.is_empty() {
            self.tree.view(ctx.of_pane(0), left, buffer);
        }
        if !right.outer.is_empty() {
            self.detail.view(ctx.of_pane(1), right, buffer);
        }
    }

    fn follow(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let node = self.tree.node();
        if self.detail.subject == node {
            return Outcome::Done;
        }
        self.detail.show(node);
        let stack = ctx.session.stack();
        let mut outcome = Outcome::Done;
        match node {
            Some(Node::Resource(id)) => match ctx.session.resources.get(id) {
                Some(resource) => self.detail.set_resource(Ok(resource.clone())),
                None => outcome = Outcome::Read(id),
            },
            Some(Node::Outputs) => self.detail.set_outputs(stack),
            Some(node @ (Node::Group(_) | Node::Type(_) | Node::Provider(_) | Node::Providers)) => {
                let n = match self.tree.tree.n_resources(node) {
                    0 => plural(self.tree.tree.n_children(node), "provider"),
                    n => plural(n, "resource"),
                };
                let (what, host) = match node {
                    Node::Group(_) => ("in this module and the modules in it", None),
                    Node::Type(_) => ("of this type", None),
                    Node::Provider(provider) => {
                        let host = strange_host(stack.tables.provider(provider));
                        ("of this provider", host)
                    }
                    Node::Resource(_) | Node::Providers | Node::Outputs => {
                        ("that manage the other resources", None)
                    }
                };
                let host = host.map_or_else(String::new, |host| format!(" · host {host}"));
                self.detail.summary = Some(format!("{n} {what}{host}"));
            }
            None => {}
        }
        self.detail.count_others(ctx.session);
        self.remake_detail(ctx);
        outcome
    }

    fn scroll(&mut self, pane: usize, scroll: Scroll, ctx: &Ctx<'_>) {
        if pane == 0 {
            self.tree.scroll(scroll, ctx.height(0));
        } else {
            steer(self, 1, ctx, |cursor, page| cursor.scroll(scroll, page));
        }
    }

    fn show(&mut self, id: ResourceId, ctx: &Ctx<'_>) -> Outcome {
        let stack = ctx.session.stack();
        let id = stack.own_record(id);
        let tree = &mut self.tree;
        if tree.resource() == Some(id) || tree.select(Node::Resource(id), ctx.height(0)) {
            return Outcome::Done;
        }
        let name = shown(stack.short_name(id));
        Outcome::Complain(match self.tree.filter {
            Some(_) => format!("the filter hides {name}"),
            None => format!("{name} has no row in the tree"),
        })
    }

    fn unfilter(&mut self, _ctx: &Ctx<'_>) -> Outcome {
        match self.tree.filter.take() {
            Some(_) => Outcome::Arrange("filter cleared".to_owned()),
            None => Outcome::Nothing,
        }
    }

    fn next_part(&mut self, ctx: &Ctx<'_>) -> Outcome {
        self.detail.parts = self.detail.parts.next();
        self.remake_detail(ctx);
        Outcome::Say(format!("showing {}", self.detail.parts.name()))
    }

    fn listed(&self, _session: &Session, limit: usize) -> Option<Vec<ResourceId>> {
        let tree = &self.tree.tree;
        let places = (0..tree.len().min(4 * limit)).filter_map(|row| tree.at(row));
        let nodes = places.filter(|place| place.offset == 0);
        let resources = nodes.filter_map(|place| place.node.resource());
        Some(resources.take(limit).collect())
    }

    fn clear(&mut self, next: NextFile) {
        let filter = self.tree.filter.take();
        self.tree.filter = filter
            .filter(|_| next == NextFile::Same)
            .map(|filter| Filter::new(filter.query));
        self.tree.clear(Folds::default());
        self.detail.show(None);
    }

    fn spot(&self, pane: usize, _session: &Session) -> Option<(Option<ResourceId>, Spot)> {
        match pane {
            0 => Some((self.tree.resource(), self.tree.row()?.spot.clone())),
            _ => Some((self.detail.id(), self.detail.list.selected_spot()?)),
        }
    }

    /// Keeps the node that the cursor is to go to once the next tree is there.
    fn fit(&mut self, ctx: &Ctx<'_>) {
        self.tree.fit(ctx.height(0));
        let (stack, pane) = place(ctx);
        self.detail.fit(stack, pane);
    }

    fn n_panes(&self) -> usize {
        2
    }

    fn go_sibling(&mut self, _part: usize, times: isize, ctx: &Ctx<'_>) {
        self.detail.list.sibling(times);
        self.fit(ctx);
    }

    fn go_around(&mut self, _part: usize, times: usize, ctx: &Ctx<'_>) -> Outcome {
        (0..times).for_each(|_| _ = self.detail.list.around());
        self.fit(ctx);
        Outcome::Done
    }

    fn cursors(&self) -> [Cursor; 2] {
        [self.tree.cursor, self.detail.list.cursor]
    }

    fn selected(&self, _session: &Session) -> Option<ResourceId> {
        self.tree.resource()
    }

    fn is_secret(&self, pane: usize) -> bool {
        let row = match pane {
            0 => self.tree.row(),
            _ => self.detail.list.selected(),
        };
        row.is_some_and(|row| row.secret)
    }
}

/// The stack, and the pane of the details.
fn place<'a>(ctx: &Ctx<'a>) -> (&'a Stack, Pane) {
    (ctx.session.stack(), ctx.screen.panes[1])
}
