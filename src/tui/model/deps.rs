//! Commands about dependencies.

use super::Model;
use crate::graph::{Direction, Step};
use crate::stack::ResourceId;
use crate::tree::Node;
use crate::tui::command::{Command, View};
use crate::tui::overlays::Overlay;
use crate::tui::overlays::text::{TextLine, TextView};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::text::plural;

/// The impact list has so many lines at most.
const MAX_LINES: usize = 10_000;

impl Model {
    pub(super) fn deps_command(&mut self, command: Command) {
        if command == Command::Way {
            self.show_way();
            return;
        }
        let Some(id) = self.selected() else {
            self.say_error("select a resource first");
            return;
        };
        match command {
            Command::Impact => self.show_impact(id),
            Command::DependsOn => self.show_deps(id, Direction::DependsOn, false),
            Command::DependsOnAll => self.show_deps(id, Direction::DependsOn, true),
            Command::UsedByAll => self.show_deps(id, Direction::UsedBy, true),
            _ => self.show_deps(id, Direction::UsedBy, false),
        }
    }

    fn show_deps(&mut self, id: ResourceId, direction: Direction, all: bool) {
        if self.view != View::Deps || self.deps.center() != Some(id) {
            self.remember();
        }
        let height = self.pane_height(0);
        if !self.tree.select(Node::Resource(id), height) {
            self.say_error("a filter hides this resource; Esc in view 1 shows all");
            return;
        }
        self.set_view(View::Deps);
        self.center_deps();
        self.deps.show(direction, all);
        self.remake_deps();
    }

    /// Lets the middle follow the tree.
    pub(super) fn center_deps(&mut self) {
        if self.deps.center() != self.tree.resource() {
            self.remake_deps();
        }
    }

    /// Makes the columns anew, after the middle or what is known of it changed.
    pub(super) fn remake_deps(&mut self) {
        let center = self.tree.resource();
        let resource = center.and_then(|id| self.resource(id));
        let stack = self.stack().clone();
        self.deps.set(&stack, center, resource.as_deref());
        let (height, len) = (self.pane_height(0), self.deps.len());
        self.deps.cursor().fit(len, height);
    }

    /// Opening goes to the neighbor; left and right choose a side.
    pub(super) fn fold_deps(&mut self, command: Command) {
        match command {
            Command::Collapse => self.show_side(Direction::DependsOn),
            Command::Expand => self.show_side(Direction::UsedBy),
            Command::Activate => match self.deps.neighbor() {
                Some(id) => {
                    let direction = self.deps.direction();
                    self.show_deps(id, direction, false);
                }
                None => self.say("nothing on this side; h and l choose a side"),
            },
            _ => {}
        }
    }

    fn show_side(&mut self, direction: Direction) {
        self.deps.show(direction, false);
        self.remake_deps();
    }

    pub(super) fn other_side(&mut self) {
        let other = match self.deps.direction() {
            Direction::DependsOn => Direction::UsedBy,
            Direction::UsedBy => Direction::DependsOn,
        };
        self.show_side(other);
    }

    fn show_impact(&mut self, id: ResourceId) {
        let reached = self.stack().graph.reach(id, Direction::UsedBy);
        let name = shown(self.stack().short_name(id));
        if reached.is_empty() {
            self.say(format!("nothing uses {name}"));
            return;
        }
        let mut lines: Vec<TextLine> = reached
            .iter()
            .take(MAX_LINES)
            .map(|reached| {
                let by = shown(self.stack().short_name(reached.via));
                let why = format!("  {} of {by}, {} away", reached.kind.name(), reached.depth);
                self.link(reached.id, why)
            })
            .collect();
        if reached.len() > MAX_LINES {
            let more = format!("… {} more", reached.len() - MAX_LINES);
            lines.push(TextLine {
                spans: vec![Span::new(more, Role::Dim)],
                target: None,
            });
        }
        let n = plural(reached.len(), "resource");
        let title = format!("A change of {name} reaches {n}");
        self.overlays
            .push(Overlay::Text(TextView::of_lines(title, lines, false)));
    }

    fn show_way(&mut self) {
        let marked: Vec<ResourceId> = self.marks.iter().copied().collect();
        let [one, other] = marked[..] else {
            self.say_error("mark two resources with Space first");
            return;
        };
        let Some(way) = self.stack().graph.way_between(one, other) else {
            self.say("neither of the two needs the other");
            return;
        };
        let first = way.first().map_or(one, |step| step.from);
        let mut lines = vec![self.link(first, String::new())];
        lines.extend(
            way.iter()
                .map(|Step { to, kind, .. }| self.link(*to, format!("  is its {}", kind.name()))),
        );
        let title = format!("The way, {}", plural(way.len(), "step"));
        self.overlays
            .push(Overlay::Text(TextView::of_lines(title, lines, false)));
    }

    fn link(&self, id: ResourceId, why: String) -> TextLine {
        TextLine {
            spans: vec![
                Span::new(shown(self.stack().name(id)), Role::Reference),
                Span::new(format!("  {}", shown(self.stack().ty(id))), Role::Type),
                Span::new(why, Role::Dim),
            ],
            target: Some(id),
        }
    }
}
