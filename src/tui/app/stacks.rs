//! Many stacks: the list, its jobs, and the way into a stack and back.

use std::sync::Arc;

use super::App;
use super::timeline::{Left, Way};
use crate::load::fleet::{Place, Roots};
use crate::load::folder;
use crate::load::{Input, LoadError, Origin};
use crate::search::{At, Target};
use crate::stack::ResourceId;
use crate::stack::graph::Direction;
use crate::tui::any_job::Takes;
use crate::tui::command::View;
use crate::tui::jobs::stacks::{
    ArrangeStacks, FoundStacks, ListStacks, Listing, OpenStacks, SearchStacks, TieStacks, Tied,
};
use crate::tui::overlays::stack_edges::StackEdges;
use crate::tui::overlays::stacks::{Opening, Stacks};
use crate::tui::ripple::RippleOrigin;
use crate::tui::rows::shown;
use crate::tui::stacks::{Aim, Arranged, OpenStack};

impl App {
    /// Shows the list that the file was chosen from, as it was left, or lists the stacks below the folder of the file.
    pub(super) fn open_stacks(&mut self) {
        if let Some(stacks) = self.updates.stacks.take() {
            self.overlays.open(stacks);
            return;
        }
        let roots = match self.session.input.sole_origin() {
            Some(Origin::Roots(roots)) => Some(roots.clone()),
            Some(Origin::Object(_) | Origin::Stdin | Origin::Bytes { .. }) => {
                self.updates.roots.clone()
            }
            Some(Origin::Path(_)) | None => self.updates.roots.clone().or_else(|| {
                let folder = self.history_file().map(|file| folder::of_file(&file))?;
                Some(Roots::new([folder]))
            }),
        };
        let Some(roots) = roots else {
            self.say_error("this input is not in a folder");
            return;
        };
        let like = Input {
            older: None,
            record: None,
            ..self.session.input.clone()
        };
        self.show_stacks(Stacks::new(roots, like));
    }

    /// Lists the stacks again.
    pub(super) fn list_again(&mut self) {
        match self.stacks().map(|stacks| stacks.again()) {
            Some(again) => {
                self.overlays.take::<Stacks>();
                self.updates.stacks = None;
                self.show_stacks(again);
            }
            None => self.open_stacks(),
        }
    }

    fn show_stacks(&mut self, mut stacks: Stacks) {
        if let Some(file) = self.history_file() {
            stacks.note_open(&file);
        }
        self.ask(stacks.list());
        self.overlays.push(stacks);
    }

    /// True if the way back leads to the list of stacks.
    pub(super) fn came_from_stacks(&self) -> bool {
        self.updates.stacks.is_some() || self.updates.roots.is_some()
    }

    /// The list, shown or left for a file.
    fn stacks(&mut self) -> Option<&mut Stacks> {
        let shown = self.overlays.get_mut::<Stacks>();
        shown.or(self.updates.stacks.as_deref_mut())
    }

    /// Starts the jobs that the list needs.
    pub(super) fn work_on_stacks(&mut self) {
        while let Some(start) = self.stacks().and_then(Stacks::next_job) {
            self.ask(start);
        }
    }

    /// Finds the open stack among those of the list.
    fn place_among(&mut self, place: Place) {
        let Some(stacks) = self.stacks() else { return };
        let name = stacks.name(&place);
        let (edges, is_done) = stacks.edges();
        let known = edges.and_then(|edges| Some((Arc::clone(edges), edges.stack(&place)?)));
        self.session.among = Some(OpenStack {
            name: name.unwrap_or_else(|| place.to_string()),
            place,
            known,
            is_done,
        });
        self.with_views(|views, ctx| {
            views.brief.count_readers(ctx);
            views.resources.detail.count_others(ctx.session);
            views.outputs.remake(ctx);
            views.deps.remake(ctx)
        });
    }

    /// Closes the popup, and goes to a stack in the list. If the list is not shown, opens the stack.
    pub(super) fn show_stack(&mut self, place: Place) {
        self.overlays.pop();
        let body = self.areas().body;
        if self.overlays.is_empty() {
            self.open_other(place, None, None);
        } else if let Some(stacks) = self.stacks() {
            stacks.visit(&place, body);
        }
    }

    /// Lists the stacks that the open one reads, or that read it.
    pub(super) fn list_neighbors(&mut self, direction: Direction) {
        let known = self.session.among.as_ref().map(|among| &among.known);
        let Some(Some((edges, stack))) = known else {
            self.say_error("select a resource first");
            return;
        };
        if edges.neighbors(*stack, direction).is_empty() {
            self.say(match direction {
                Direction::DependsOn => "this stack reads no other stack",
                Direction::UsedBy => "no other stack reads this one",
            });
            return;
        }
        let list = StackEdges::new(Arc::clone(edges), *stack, direction);
        self.overlays.push(list);
    }

    /// Opens another stack of the list at a resource, and remembers the place that is left.
    pub(super) fn open_other(&mut self, place: Place, resource: Option<&str>, view: Option<View>) {
        let Some(here) = &self.session.among else {
            return;
        };
        let ripple = self.ripple_origin();
        let current = ripple.map(|ripple| ripple.cause).or(self.session.current);
        let left = Left {
            place: here.place.clone(),
            view: self.window.view,
            identity: current.map(|id| self.session.stack().identity(id)),
            ripple: ripple.map(|ripple| ripple.direction),
        };
        self.open_at(place, resource, view, Way::Edge(left));
    }

    /// Goes back to the stack that was left along an edge. False if none was.
    pub(super) fn leave_other(&mut self) -> bool {
        let Some(left) = self.updates.trail.last().cloned() else {
            return false;
        };
        let identity = left.identity.as_deref();
        self.open_at(left.place, identity, Some(left.view), Way::Back);
        self.updates.ripple = left.ripple;
        true
    }

    fn open_at(&mut self, place: Place, resource: Option<&str>, view: Option<View>, way: Way) {
        let aim = resource.map(|identity| Aim {
            identity: identity.to_owned(),
            // The resource is found by its identity.
            target: Target::Resource(ResourceId(u32::MAX), At::Resource),
        });
        let like = Input {
            older: None,
            record: None,
            ..self.session.input.clone()
        };
        let places = vec![place.clone()];
        (self.updates.aim, self.updates.view) = (aim, view);
        self.updates.ripple = None;
        self.updates.opening = Some((place, way));
        self.start(OpenStacks { places, like });
    }

    /// Opens stacks that were chosen from the list.
    pub(super) fn open_members(&mut self, opening: Opening) {
        (self.updates.aim, self.updates.view) = (opening.aim, None);
        self.updates.opening = match &opening.open.places[..] {
            [only] => Some((only.clone(), Way::List)),
            _ => None,
        };
        self.start(opening.open);
    }

    /// Goes to the hit for which the stack was opened, once it is read. The way back then leads to the list.
    pub(super) fn reach_aim(&mut self) {
        if self.session.loading.is_some() {
            return;
        }
        let view = self.updates.view.take();
        if let Some(aim) = self.updates.aim.take() {
            self.reach(aim);
        }
        if let Some(view) = view {
            self.set_view(view);
            self.follow();
        }
        let ripple = self.updates.ripple.take();
        if let Some((direction, cause)) = ripple.zip(self.session.current) {
            self.find_ripple(RippleOrigin {
                cause,
                direction,
                selected: cause,
            });
        }
    }

    fn reach(&mut self, Aim { identity, target }: Aim) {
        let stack = self.session.stack();
        let target = match target {
            Target::Output(place) => Target::Output(place),
            Target::Resource(id, at) => {
                let is_same = id.index() < stack.len() && stack.identity(id) == identity;
                let found = if is_same {
                    Some(id)
                } else {
                    stack.find(&identity).first().copied()
                };
                let Some(id) = found else {
                    let identity = shown(&identity);
                    self.say_error(format!("{identity} is no longer in this file"));
                    return;
                };
                Target::Resource(id, at)
            }
        };
        self.enter(&target);
        self.forget_places();
    }
}

impl Takes<ListStacks> for App {
    fn take(&mut self, listing: Listing) {
        if let Some(stacks) = self.stacks() {
            stacks.take(listing);
        }
    }
}

impl Takes<SearchStacks> for App {
    fn take(&mut self, found: FoundStacks) {
        if let Some(stacks) = self.stacks() {
            stacks.take_hits(found);
        }
    }
}

impl Takes<TieStacks> for App {
    fn take(&mut self, tied: Tied) {
        let has_edges = tied.edges.is_some();
        if let Some(stacks) = self.stacks() {
            stacks.take_tied(tied);
        }
        if has_edges && let Some(among) = self.session.among.take() {
            self.place_among(among.place);
        }
    }

    fn lose(&mut self) {
        if let Some(stacks) = self.stacks() {
            stacks.forget_tying();
        }
    }
}

impl Takes<ArrangeStacks> for App {
    fn take(&mut self, arranged: Arranged) {
        let body = self.areas().body;
        if let Some(stacks) = self.stacks() {
            stacks.take_arranged(arranged, body);
        }
    }

    fn lose(&mut self) {
        if let Some(stacks) = self.stacks() {
            stacks.forget_arranging();
        }
    }
}

impl Takes<OpenStacks> for App {
    /// Leaves the list for a stack. The list stays as it is.
    fn take(&mut self, input: Result<Input, LoadError>) {
        let input = match input {
            Ok(input) => input,
            Err(error) => {
                (self.updates.aim, self.updates.view) = (None, None);
                if let Some((_, Way::Back)) = self.updates.opening.take() {
                    self.updates.trail.pop();
                }
                self.say_error(shown(&error.to_string()));
                return;
            }
        };
        let list = self.overlays.take::<Stacks>();
        self.overlays.clear();
        if let Some(list) = list {
            self.updates.roots = Some(list.roots().clone());
            self.updates.stacks = Some(list);
        }
        self.open(input);
        let opening = self.updates.opening.take();
        match &opening {
            Some((_, Way::Edge(left))) => self.updates.trail.push(left.clone()),
            Some((_, Way::Back)) => drop(self.updates.trail.pop()),
            Some((_, Way::List)) | None => self.updates.trail.clear(),
        }
        if let Some((place, _)) = opening {
            self.place_among(place);
        }
    }
}
