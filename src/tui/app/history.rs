//! Places visited before: back and forward, and going to places by name.

use super::App;
use crate::stack::{EdgeKind, ResourceId};
use crate::tree::Node;
use crate::tui::any_job::Takes;
use crate::tui::command::{Command, GoCommand, ListCommand, SearchCommand, View};
use crate::tui::jobs::find::{Find, Named};
use crate::tui::keymap;
use crate::tui::overlays::ask::{Ask, Asks};
use crate::tui::panes::tree::provider_label;
use crate::tui::ripple::RippleOrigin;
use crate::tui::rows::shown;
use crate::tui::session::Visited;

/// Maximum number of places that are remembered.
const MAX_STOPS: usize = 200;

#[derive(Default, Debug)]
pub(super) struct History {
    back: Vec<Visited>,
    forward: Vec<Visited>,
}

impl App {
    /// The place to return to.
    pub(super) fn stop(&self) -> Visited {
        let place = self.views.resources.tree.place();
        let detail = &self.views.resources.detail;
        Visited {
            view: self.window.view,
            focus: self.window.focus,
            current: self.session.current,
            row: place.map(|place| (place.node, place.offset)),
            value: detail.id().zip(detail.list.selected_spot()),
            change: self.views.changes.selected_change(&self.session),
            list_row: self.views.of(self.window.view).selected_key(),
            ripple: None,
        }
    }

    /// Remembers the current place before going elsewhere.
    pub fn remember(&mut self) {
        let stop = self.stop();
        if self.history.back.last() != Some(&stop) {
            self.history.back.push(stop);
            if self.history.back.len() > MAX_STOPS {
                self.history.back.remove(0);
            }
        }
        self.history.forward.clear();
    }

    /// True if there is a place to go back to.
    pub(super) fn has_place_before(&self) -> bool {
        !self.history.back.is_empty() || self.came_from_stacks()
    }

    pub(super) fn back(&mut self) {
        match self.history.back.pop() {
            Some(stop) => {
                let here = self.stop();
                self.history.forward.push(here);
                self.return_to(stop);
            }
            None if self.window.view == View::Stacks => self.say("no stack before this one"),
            None if self.leave_other() => {}
            None if self.came_from_stacks() => self.open_stacks(),
            None => self.say("no place before this one"),
        }
    }

    pub(super) fn forward(&mut self) {
        match self.history.forward.pop() {
            Some(stop) => {
                let here = self.stop();
                self.history.back.push(here);
                self.return_to(stop);
            }
            None => self.say("no place after this one"),
        }
    }

    /// Returns to the last place in another view than the one in front. False if there is none.
    pub(super) fn leave_view(&mut self) -> bool {
        let view = self.window.view;
        let left = self.history.back.iter().rposition(|stop| stop.view != view);
        let stop = left.and_then(|at| self.history.back.drain(at..).next());
        stop.map(|stop| self.return_to(stop)).is_some()
    }

    /// Forgets the places before this one: the way back leads out of the file.
    pub(super) fn forget_places(&mut self) {
        self.history.back.clear();
    }

    /// Returns to a place that was left: the view, the pane, the row and the value.
    pub(super) fn return_to(&mut self, stop: Visited) {
        self.session.current = stop.current;
        self.set_view(stop.view);
        self.session.current = stop.current;
        let height = self.pane_height(0);
        if let Some((node, offset)) = stop.row
            && self.views.resources.tree.select(node, height)
        {
            self.views.resources.tree.step_into(offset, height);
        }
        if stop.view == View::Deps {
            // Its rows are those of the resource: they come before the selected one of them.
            self.follow();
        }
        if let Some(key) = stop.list_row {
            let (views, ctx) = self.lend();
            views.of_mut(key.view()).go_to_key(&key, &ctx);
        }
        let selected = self.views.changes.selected_change(&self.session);
        if let Some(change) = stop.change.filter(|it| selected != Some(*it)) {
            self.select_change(change);
        }
        self.window.focus = stop.focus;
        self.follow();
        if let Some((id, spot)) = stop.value {
            self.aim_at(id, spot);
        }
        // Going back is not a choice in the view that it leads to.
        self.window.shown = None;
        if let Some(origin) = stop.ripple {
            self.find_ripple(origin);
        }
    }

    /// Makes the place that was left return to a ripple.
    pub(super) fn return_to_ripple(&mut self, ripple: Option<RippleOrigin>) {
        if let Some(stop) = self.history.back.last_mut() {
            stop.ripple = ripple.or(stop.ripple);
        }
    }

    /// Goes to a resource in the Resources view and remembers the current place. Removes a filter that hides the resource.
    pub fn go_to(&mut self, id: ResourceId) {
        let id = self.session.stack().own_record(id);
        self.remember();
        self.choose(id);
        self.show_node(Node::Resource(id));
    }

    /// Like [`go_to`](Self::go_to), for any node of the tree.
    fn go_to_node(&mut self, node: Node) {
        if let Node::Resource(id) = node {
            return self.go_to(id);
        }
        self.remember();
        self.show_node(node);
    }

    /// Puts the cursor of the Resources view on a node. Removes a filter that hides the node.
    fn show_node(&mut self, node: Node) {
        self.set_view(View::Resources);
        let height = self.pane_height(0);
        if self.views.resources.tree.select(node, height) {
            self.follow();
        } else if self.views.resources.tree.filter.take().is_some() {
            self.say("filter cleared: it hid this row");
            self.arrange(Some(node));
        } else {
            let key = keymap::key_of(Command::List(ListCommand::Arrange));
            self.say_error(format!(
                "the tree has no row for it in this arrangement · {key} change the arrangement"
            ));
        }
    }

    pub(super) fn goto(&mut self, command: GoCommand) {
        match command {
            GoCommand::Address => {
                // The prompt shows only answers about what is typed there.
                self.session.tickets.forget::<Find>();
                let title = "Go to a URN, an address or a name";
                self.overlays
                    .push(Ask::line(Asks::Goto, title, String::new(), "go to"));
            }
            GoCommand::Outputs => {
                self.remember();
                self.set_view(View::Outputs);
            }
            GoCommand::Stack => {
                if let Some(id) = self.session.stack_resource() {
                    self.go_to(id);
                } else {
                    self.remember();
                    self.set_view(View::Resources);
                    let height = self.pane_height(0);
                    self.views.resources.tree.go(0, height);
                }
            }
            GoCommand::Provider => self.goto_provider(),
            GoCommand::Parent => self.goto_parent(),
            GoCommand::Back => self.back(),
            GoCommand::Forward => self.forward(),
        }
    }

    fn goto_parent(&mut self) {
        let Some(id) = self.selected() else {
            self.say_error("select a resource first");
            return;
        };
        let record = self.session.stack().record(id);
        let parent = record.parent.map(Node::Resource);
        match parent.or(record.group.map(Node::Group)) {
            Some(node) => self.go_to_node(node),
            None => self.say("it has no parent: it is at the top"),
        }
    }

    fn goto_provider(&mut self) {
        let Some(id) = self.selected() else {
            self.say_error("select a resource first");
            return;
        };
        let mut links = self.session.stack().graph.depends_on(id).iter();
        let link = links.find(|link| link.kind == EdgeKind::Provider);
        let node = self.session.stack().record(id).provider.map(Node::Provider);
        let node = node.filter(|node| self.views.resources.tree.tree.contains(*node));
        if let Some(node) = link.map(|link| Node::Resource(link.to)).or(node) {
            return self.go_to_node(node);
        }
        let provider = provider_label(self.session.stack().provider(id));
        if provider.is_empty() {
            self.say("it has no provider");
        } else {
            self.say(format!("{provider} is not a resource of this file"));
        }
    }

    /// Looks up the resource with this URN, address or name, and goes to it as soon as it is found.
    pub(super) fn go_to_named(&mut self, text: String) {
        let stack = self.session.stack().clone();
        self.start(Find { stack, text });
    }
}

impl Takes<Find> for App {
    fn take(&mut self, named: Named) {
        let Named { text, ids, near } = named;
        let asks = self.overlays.top_as_mut::<Ask>();
        if let Some(ask) = asks.filter(|ask| matches!(ask.asks, Asks::Goto)) {
            if ids.is_empty() {
                let search = keymap::key_of(Command::Search(SearchCommand::Open));
                let stack = self.session.stack();
                let why = match near {
                    Some(id) => {
                        let name = shown(stack.short_name(id));
                        format!("no such resource; `{name}` is alike")
                    }
                    None => "no resource has this URN, address, name or id".to_owned(),
                };
                ask.complaint = format!("{why} · {search} search for parts of it");
                return;
            }
            self.overlays.pop();
        }
        match &ids[..] {
            [] => {
                let text = shown(&text);
                self.say_error(format!("{text} is not a resource of this file"));
            }
            [id, more @ ..] => {
                self.go_to(*id);
                if !more.is_empty() {
                    let n = ids.len();
                    self.say(format!(
                        "the first of {n} with this name; add #2 for the second"
                    ));
                }
            }
        }
    }
}
