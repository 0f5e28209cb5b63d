//! Commands about dependencies. Anything that grows with the file (reachable resources, a path) is computed in the background.

use std::sync::Arc;

use super::App;
use crate::stack::ResourceId;
use crate::stack::graph::{Direction, PathEdge};
use crate::tui::any_job::Takes;
use crate::tui::command::{Command, DepsCommand, MarkCommand, View};
use crate::tui::jobs::Job;
use crate::tui::jobs::deps::{Reach, Ripple, Way};
use crate::tui::keymap;
use crate::tui::overlays::ripple::RippleView;
use crate::tui::overlays::way;
use crate::tui::popup::Stage;
use crate::tui::ripple::RippleOrigin;

impl App {
    pub(super) fn deps_command(&mut self, command: DepsCommand) {
        // In this view the keys act on the resource in the middle. The same key again moves on to the selected one.
        let is_here = self.window.view == View::Deps;
        let center = self.session.current.filter(|_| is_here);
        if self.walks_from_outputs(Command::Deps(command)) {
            let is_reading = command == DepsCommand::DependsOn;
            return self.list_neighbors(if is_reading {
                Direction::DependsOn
            } else {
                Direction::UsedBy
            });
        }
        match (command, center.or_else(|| self.selected())) {
            (DepsCommand::Way, _) => self.find_way(),
            (_, None) => self.say_error("select a resource first"),
            (DepsCommand::Ripple, Some(id)) => {
                let cause = self.session.stack().own_record(id);
                self.find_ripple(RippleOrigin {
                    cause,
                    direction: Direction::UsedBy,
                    selected: cause,
                });
            }
            (DepsCommand::DependsOn, Some(id)) => self.walk_deps(id, Direction::DependsOn),
            (DepsCommand::UsedBy, Some(id)) => self.walk_deps(id, Direction::UsedBy),
            (DepsCommand::DependsOnAll, Some(id)) => self.show_deps(id, Direction::DependsOn, true),
            (DepsCommand::UsedByAll, Some(id)) => self.show_deps(id, Direction::UsedBy, true),
        }
    }

    /// True if a command leads from the outputs, which belong to the whole stack, to other stacks.
    pub(super) fn walks_from_outputs(&self, command: Command) -> bool {
        let is_step = matches!(
            command,
            Command::Deps(DepsCommand::DependsOn | DepsCommand::UsedBy)
        );
        is_step && self.window.view == View::Outputs && self.session.among.is_some()
    }

    fn walk_deps(&mut self, id: ResourceId, direction: Direction) {
        let is_again = self.window.view == View::Deps
            && self.views.deps.direction() == direction
            && !self.views.deps.shows_all();
        if is_again && self.views.deps.other().is_some() {
            return self.with_views(|views, ctx| views.deps.enter(ctx));
        }
        let next = self.views.deps.neighbor().filter(|_| is_again);
        self.show_deps(next.unwrap_or(id), direction, false);
    }

    pub(super) fn show_deps(&mut self, id: ResourceId, direction: Direction, all: bool) {
        let id = self.session.stack().own_record(id);
        if self.window.view != View::Deps || self.views.deps.center() != Some(id) {
            self.remember();
        }
        self.choose(id);
        self.set_view(View::Deps);
        self.follow();
        self.with_views(|views, ctx| views.deps.show_side(direction, all, ctx));
    }

    /// Forgets the walks over a graph that no longer belongs to the file.
    pub(super) fn forget_walks(&mut self) {
        self.session.tickets.forget::<Reach>();
        self.views.deps.forget();
    }

    /// Drops answers that would open an overlay: what a person does next replaces them.
    pub(super) fn forget_overlays_to_come(&mut self) {
        self.session.tickets.forget::<Ripple>();
        self.session.tickets.forget::<Way>();
    }

    /// Requests a ripple.
    pub(super) fn find_ripple(&mut self, origin: RippleOrigin) {
        if self.session.loading.is_some() {
            self.say_error("the file is still being read: dependencies are known at its end");
            return;
        }
        if let Some(document) = self.session.document.clone() {
            self.start(Ripple {
                document,
                origin,
                among: self.session.among.clone(),
            });
        }
    }

    /// The ripple that has the keys.
    pub(super) fn ripple_origin(&self) -> Option<RippleOrigin> {
        self.overlays.top_as().map(RippleView::origin)
    }

    /// Lets the ripple that has the keys say why each resource on the screen needs another.
    pub(super) fn explain_ripple(&mut self) {
        let stage = Stage::new(self.areas().body);
        if let Some(ripple) = self.overlays.top_as_mut::<RippleView>() {
            let missing = ripple.explain(&self.session, stage);
            self.apply(missing);
        }
    }

    fn find_way(&mut self) {
        let mut marked = self.session.marks.iter().copied();
        let (Some(one), Some(other), None) = (marked.next(), marked.next(), marked.next()) else {
            let key = keymap::key_of(Command::Mark(MarkCommand::Selected));
            self.say_error(format!("mark two resources first · {key} mark"));
            return;
        };
        if self.session.loading.is_none() {
            let graph = Arc::clone(&self.session.stack().graph);
            self.start(Way(graph, [one, other]));
        }
    }
}

impl Takes<Reach> for App {
    fn take(&mut self, (id, direction, connected): <Reach as Job>::Answer) {
        let (views, ctx) = self.lend();
        views.deps.take_reached(id, direction, connected, &ctx);
        self.follow();
    }

    fn lose(&mut self) {
        self.forget_walks();
    }
}

impl Takes<Way> for App {
    fn take(&mut self, way: Option<Vec<PathEdge>>) {
        match way {
            Some(way) => self.overlays.push(way::page(self.session.stack(), &way)),
            None => self.say("neither resource depends on the other"),
        }
    }
}

impl Takes<Ripple> for App {
    /// Shows a ripple, in place of the one on the screen.
    fn take(&mut self, ripple: <Ripple as Job>::Answer) {
        if ripple.is_empty() {
            self.say(ripple.nothing());
            return;
        }
        self.overlays.take::<RippleView>();
        let view = RippleView::of(ripple);
        self.overlays.push(view);
    }
}
