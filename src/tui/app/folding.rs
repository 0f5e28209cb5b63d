//! Commands that open and close, and commands of lists: sort, arrange, mark, hide.

use super::App;
use super::history::NamedIn;
use super::moving::Active;
use crate::stack::{Flags, ResourceId};
use crate::tree::Node;
use crate::tui::command::{Command, FoldCommand, ListCommand, Motion, View};
use crate::tui::keymap;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::text::TextView;
use crate::tui::panes::list::{Folded, RowList};
use crate::tui::panes::tree::is_openable;
use crate::tui::rows::{Fold, Leads, Row, label, lossless_text};
use crate::tui::widgets::text::plural;

impl App {
    pub(super) fn fold(&mut self, command: FoldCommand) {
        match self.active() {
            Active::Tree => self.fold_tree(command),
            Active::Detail | Active::Outputs => self.fold_values(command),
            Active::Changes => self.fold_changes(command),
            Active::Difference => match command {
                FoldCommand::Collapse => self.window.focus = 0,
                FoldCommand::Activate | FoldCommand::Expand if self.show_more_difference() => {}
                FoldCommand::Activate => self.follow_cause(),
                FoldCommand::Expand
                | FoldCommand::Toggle
                | FoldCommand::Open
                | FoldCommand::Close
                | FoldCommand::OpenBelow
                | FoldCommand::OpenAll
                | FoldCommand::CloseAll
                | FoldCommand::Level(_) => {}
            },
            Active::Problems => self.fold_problems(command),
            Active::Deps => self.fold_deps(command),
        }
    }

    fn fold_tree(&mut self, command: FoldCommand) {
        let height = self.pane_height(0);
        let level = match command {
            FoldCommand::OpenAll => Some(u16::MAX),
            FoldCommand::CloseAll => Some(0),
            FoldCommand::Level(level) => Some(level),
            FoldCommand::Expand
            | FoldCommand::Collapse
            | FoldCommand::Activate
            | FoldCommand::Toggle
            | FoldCommand::Open
            | FoldCommand::Close
            | FoldCommand::OpenBelow => None,
        };
        if let Some(level) = level {
            self.set_tree_level(level);
            return;
        }
        let Some(place) = self.resources.tree.place() else {
            return;
        };
        if place.offset > 0 {
            self.fold_tree_value(command);
            return;
        }
        let node = place.node;
        let is_open = self.resources.tree.tree.is_open(node);
        let has_children = self.resources.tree.tree.n_children(node) > 0;
        let openable = has_children || is_openable(self.session.stack(), node);
        // With a single pane, opening a resource shows its details.
        let into_details = !self.shows_both_panes() && matches!(node, Node::Resource(_));
        match command {
            FoldCommand::Activate if into_details => self.window.focus = 1,
            FoldCommand::Expand if into_details && (is_open || !has_children) => {
                if is_open && has_children {
                    self.resources.tree.step(1, height);
                } else {
                    self.window.focus = 1;
                }
            }
            FoldCommand::Expand if is_open => self.resources.tree.step(1, height),
            FoldCommand::Expand | FoldCommand::Open if openable => self.open_node(node),
            FoldCommand::Activate | FoldCommand::Toggle if openable && !is_open => {
                self.open_node(node);
            }
            FoldCommand::Activate
            | FoldCommand::Toggle
            | FoldCommand::Close
            | FoldCommand::Collapse
                if is_open =>
            {
                self.resources.tree.set_open(node, false, height);
            }
            FoldCommand::Collapse => {
                self.resources.tree.go_around(height);
            }
            FoldCommand::OpenBelow => {
                self.resources.tree.tree.set_open_below(node, true);
                self.resources.tree.settle(height);
            }
            FoldCommand::Expand
            | FoldCommand::Activate
            | FoldCommand::Toggle
            | FoldCommand::Open => {
                self.say("nothing to open here");
            }
            FoldCommand::Close => self.say("nothing to close here"),
            FoldCommand::OpenAll | FoldCommand::CloseAll | FoldCommand::Level(_) => {}
        }
    }

    /// True if a resource only groups other resources. Its own values are shown in the details only.
    pub(super) fn is_folder(&self, id: ResourceId) -> bool {
        let flags = self.session.stack().record(id).flags;
        flags.intersects(Flags::COMPONENT | Flags::STACK)
            && self.resources.tree.tree.n_children(Node::Resource(id)) > 0
    }

    fn set_tree_level(&mut self, level: u16) {
        let height = self.pane_height(0);
        self.resources.tree.tree.set_level(level);
        self.resources.tree.settle(height);
    }

    fn open_node(&mut self, node: Node) {
        let height = self.pane_height(0);
        let pulumi = self.session.is_pulumi();
        self.resources.tree.set_open(node, true, height);
        if self.resources.tree.has_props(node) {
            return;
        }
        match node {
            Node::Resource(id) => {
                if self.is_folder(id) {
                    return;
                }
                if let Some(resource) = self.resource(id) {
                    self.resources.tree.set_resource(id, &resource, pulumi);
                    self.resources.tree.settle(height);
                }
            }
            Node::Outputs => {
                let outputs = crate::tui::panes::tree::outputs_map(self.session.stack());
                self.resources.tree.set_outputs(outputs, pulumi);
                self.resources.tree.settle(height);
            }
            _ => {}
        }
    }

    fn fold_tree_value(&mut self, command: FoldCommand) {
        let height = self.pane_height(0);
        let Some(row) = self.resources.tree.row().cloned() else {
            return;
        };
        let toggles = matches!(
            (command, row.fold),
            (
                FoldCommand::Activate | FoldCommand::Toggle,
                Fold::Open | Fold::Closed
            ) | (FoldCommand::Expand | FoldCommand::Open, Fold::Closed)
                | (FoldCommand::Collapse | FoldCommand::Close, Fold::Open)
        );
        if toggles {
            let pulumi = self.session.is_pulumi();
            let revealed = self.session.revealed_in(self.resources.tree.resource());
            self.resources.tree.toggle_value(revealed, pulumi, height);
            return;
        }
        match (command, row.fold) {
            (FoldCommand::Expand, Fold::Open) => self.resources.tree.step(1, height),
            (FoldCommand::Collapse | FoldCommand::Close, _) => {
                self.resources.tree.go_around(height);
            }
            (FoldCommand::Expand | FoldCommand::Activate, Fold::Leaf) => {
                self.follow_lead(&row);
            }
            _ => {}
        }
    }

    fn fold_values(&mut self, command: FoldCommand) {
        let is_detail = self.active() == Active::Detail;
        let height = if is_detail {
            self.value_height()
        } else {
            self.pane_height(0)
        };
        let pane = if is_detail {
            &mut self.resources.detail
        } else {
            &mut self.outputs
        };
        let fold = pane.list.selected().map(|row| row.fold);
        let folded = match command {
            FoldCommand::OpenAll => {
                pane.set_levels(usize::MAX);
                Folded::Changed
            }
            FoldCommand::Level(level) => {
                pane.set_levels(usize::from(level).saturating_sub(1));
                Folded::Changed
            }
            FoldCommand::CloseAll => {
                pane.set_levels(0);
                Folded::Changed
            }
            FoldCommand::OpenBelow => {
                pane.open_below();
                Folded::Changed
            }
            FoldCommand::Activate | FoldCommand::Toggle => toggled(pane.toggle()),
            FoldCommand::Open | FoldCommand::Expand if fold == Some(Fold::Closed) => {
                toggled(pane.toggle())
            }
            FoldCommand::Close | FoldCommand::Collapse if fold == Some(Fold::Open) => {
                toggled(pane.toggle())
            }
            FoldCommand::Expand if fold == Some(Fold::Open) => step_in(&mut pane.list, height),
            FoldCommand::Collapse | FoldCommand::Close => pane.list.around(height),
            FoldCommand::Expand | FoldCommand::Open => Folded::Leaf,
        };
        match folded {
            Folded::Changed if is_detail => self.remake_detail(),
            Folded::Changed => self.remake_outputs(),
            Folded::Leaf if command == FoldCommand::Collapse => self.window.focus = 0,
            Folded::Leaf if matches!(command, FoldCommand::Activate | FoldCommand::Expand) => {
                let pane = if is_detail {
                    &self.resources.detail
                } else {
                    &self.outputs
                };
                if let Some(row) = pane.list.selected().cloned() {
                    self.follow_lead(&row);
                }
            }
            Folded::Moved | Folded::Leaf => {}
        }
    }

    /// Follows a row: to a resource, or into a long text.
    fn follow_lead(&mut self, row: &Row) {
        match &row.leads {
            Leads::Nowhere if row.secret => self.say(format!(
                "{} reveal this value",
                keymap::key_of(Command::Reveal)
            )),
            Leads::Nowhere => self.say("nothing to open here"),
            Leads::Resource(target) => self.go_to_named(target.clone(), NamedIn::Link),
            Leads::Text => self.open_text(),
        }
    }

    /// Shows the whole text of the selected string, or of the string that contains the selected value.
    pub(super) fn open_text(&mut self) {
        let Some((id, mut spot)) = self.spot() else {
            self.say_error(format!(
                "select a value first: {} opens a resource, {} goes to its values",
                keymap::key_of(Command::Fold(FoldCommand::Expand)),
                keymap::key_of(Command::NextPane)
            ));
            return;
        };
        let value = match self.value_at(id, &spot) {
            Some(value) if lossless_text(&value).is_none() && spot.inside.is_some() => {
                spot.inside = None;
                self.value_at(id, &spot)
            }
            value => value,
        };
        let Some(value) = value else {
            return;
        };
        let is_revealed = self.session.revealed_in(id) == Some(&spot);
        let is_secret = value.is_secret();
        let value = if is_revealed { value.reveal() } else { value };
        if let Some(text) = lossless_text(&value) {
            let title = match spot.path.0.last() {
                Some(segment) => label(segment),
                None => spot.part.name().to_owned(),
            };
            let view = TextView::plain(title, &text, is_secret);
            self.overlays.push(Overlay::Text(view));
        } else if is_secret {
            self.say(format!(
                "{} reveal this value",
                keymap::key_of(Command::Reveal)
            ));
        } else {
            self.say("this value is not a text");
        }
    }

    pub(super) fn list_command(&mut self, command: ListCommand) {
        match command {
            ListCommand::Noise if self.window.view == View::Changes => self.toggle_noise(),
            ListCommand::Sort if self.window.view == View::Changes => self.sort_changes(),
            ListCommand::Arrange if self.window.view == View::Changes => self.arrange_changes(),
            ListCommand::Sort | ListCommand::Arrange | ListCommand::Noise
                if self.window.view != View::Resources =>
            {
                let key = keymap::key_of(Command::View(View::Resources));
                self.say_error(format!("not in this view; {key} shows the resources"));
            }
            ListCommand::Sort => {
                self.resources.tree.order = self.resources.tree.order.next();
                let name = self.resources.tree.order.name();
                self.arrange(self.resources.tree.node());
                self.say(format!("sorted by {name}"));
            }
            ListCommand::Arrange => {
                self.resources.tree.arrangement = self.resources.tree.arrangement.next();
                let name = self.resources.tree.arrangement.name();
                self.arrange(self.resources.tree.node());
                self.say(format!("arranged as {name}"));
            }
            ListCommand::Noise => {
                let height = self.pane_height(0);
                let open = !self.resources.tree.tree.is_open(Node::Providers);
                self.resources.tree.set_open(Node::Providers, open, height);
                self.say(if open {
                    "providers are shown"
                } else {
                    "providers are hidden"
                });
            }
            ListCommand::Mark => {
                if let Some(id) = self.selected() {
                    if !self.session.marks.remove(&id) {
                        self.session.marks.insert(id);
                    }
                    let n = self.session.marks.len();
                    self.move_by(Motion::Down);
                    self.say(format!("{} marked", plural(n, "resource")));
                } else {
                    self.say_error("select a resource to mark it");
                }
            }
            ListCommand::MarkAll => self.mark_all(),
            ListCommand::ClearMarks => {
                self.session.marks.clear();
                self.say("marks cleared");
            }
        }
    }

    /// Marks the listed resources, up to a number that fits in a clipboard.
    fn mark_all(&mut self) {
        const LIMIT: usize = 10_000;
        let ids: Vec<_> = (0..self.resources.tree.tree.len().min(4 * LIMIT))
            .filter_map(|row| self.resources.tree.tree.at(row))
            .filter(|place| place.offset == 0)
            .filter_map(|place| match place.node {
                Node::Resource(id) => Some(id),
                _ => None,
            })
            .take(LIMIT)
            .collect();
        self.session.marks.extend(ids);
        let n = self.session.marks.len();
        self.say(format!("{} marked", plural(n, "resource")));
    }
}

fn toggled(changed: bool) -> Folded {
    if changed {
        Folded::Changed
    } else {
        Folded::Leaf
    }
}

fn step_in(list: &mut RowList, height: usize) -> Folded {
    list.cursor.step(1, list.rows.len(), height);
    Folded::Moved
}
