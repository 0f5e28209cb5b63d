//! Many stacks: the list, its jobs, and the way into a stack and back.

use std::sync::Arc;

use super::App;
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
use crate::tui::ripple::RippleOrigin;
use crate::tui::row_key::RowKey;
use crate::tui::rows::shown;
use crate::tui::stacks::{Aim, Arranged, OpenStack};
use crate::tui::views::stacks::StacksView;

/// The way through the stacks of the list.
#[derive(Default, Debug)]
pub(super) struct Fleet {
    /// The stack that is being opened.
    opening: Opening,
    /// The place to go to in the open stack, once it is read.
    arrival: Option<Stop>,
    /// The stacks that were left for another one along an edge.
    trail: Vec<Stop>,
}

/// A stack that is being opened.
#[derive(Default, Debug)]
struct Opening {
    /// The place there. `None` for two stacks, which are compared.
    stop: Option<Stop>,
    /// The stacks that were left on the way to it.
    trail: Vec<Stop>,
}

/// A place in a stack of the list.
#[derive(Clone, Debug)]
struct Stop {
    stack: Place,
    aim: Option<Aim>,
    view: Option<View>,
    /// The direction of the ripple of the current resource.
    ripple: Option<Direction>,
}

impl App {
    /// Shows the list of stacks as it was left. If there is none, lists the stacks below the folder of the file.
    pub(super) fn open_stacks(&mut self) {
        if self.views.stacks.roots().is_none() {
            let Some(roots) = self.roots_here() else {
                self.say_error("this input is not in a folder");
                return;
            };
            let open = self.history_file().map(Place::File);
            self.views.stacks = StacksView::of(roots, self.one_like_this(), open);
        }
        // Without a file there is no place to come back to.
        if !self.lists_only() {
            self.remember();
        }
        self.set_view(View::Stacks);
    }

    /// True if no file was opened yet: the explorer was started with places, and their list is all there is.
    pub fn lists_only(&self) -> bool {
        matches!(self.session.input.sole_origin(), Some(Origin::Roots(_)))
    }

    /// The places whose stacks are listed.
    fn roots_here(&self) -> Option<Roots> {
        match self.session.input.sole_origin() {
            Some(Origin::Roots(roots)) => Some(roots.clone()),
            Some(Origin::Object(_) | Origin::Stdin | Origin::Bytes { .. }) => None,
            Some(Origin::Path(_)) | None => {
                let folder = folder::of_file(&self.history_file()?);
                Some(Roots::new([folder]))
            }
        }
    }

    /// Shows the list of stacks, or the view before it.
    pub(super) fn toggle_stacks(&mut self) {
        if self.window.view == View::Stacks {
            self.leave_stacks();
        } else {
            self.open_stacks();
        }
    }

    /// Shows the view before the list, if there is one.
    pub(super) fn leave_stacks(&mut self) {
        if self.lists_only() {
            self.say_not_open();
        } else if !self.leave_view() {
            self.set_view(View::default());
        }
    }

    /// Says that a command needs an open stack.
    pub(super) fn say_not_open(&mut self) {
        self.say("nothing is open: open a stack first");
    }

    /// The open input, without what belongs to its files only.
    pub(super) fn one_like_this(&self) -> Input {
        Input {
            older: None,
            record: None,
            costs: None,
            ..self.session.input.clone()
        }
    }

    /// True if the way back leads to the list of stacks.
    pub(super) fn came_from_stacks(&self) -> bool {
        self.window.view != View::Stacks && self.views.stacks.roots().is_some()
    }

    /// Starts the jobs that the list needs.
    pub(super) fn work_on_stacks(&mut self) {
        while let Some(start) = self.views.stacks.next_job() {
            self.ask(start);
        }
    }

    /// Finds the open stack among those of the list.
    fn place_among(&mut self, place: Place) {
        let stacks = &self.views.stacks;
        let edges = Arc::clone(stacks.edges());
        self.session.among = Some(OpenStack {
            name: stacks.name(&place).unwrap_or_else(|| place.to_string()),
            here: edges.stack(&place),
            place,
            edges,
        });
        self.with_views(|views, ctx| {
            views.changes.stories.count_readers(ctx);
            views.resources.detail.count_others(ctx.session);
            views.outputs.remake(ctx);
            views.deps.remake(ctx)
        });
    }

    /// Closes the popup, and goes to a stack in the list. If the list is not shown, opens the stack.
    pub(super) fn show_stack(&mut self, place: Place) {
        self.overlays.pop();
        if self.window.view == View::Stacks {
            self.remember();
            self.in_front(|view, ctx| view.find_row(&RowKey::Stack(place), ctx));
        } else {
            self.open_other(place, None, None);
        }
    }

    /// Lists the stacks that the open one reads, or that read it.
    pub(super) fn list_neighbors(&mut self, direction: Direction) {
        let among = self.session.among.as_ref();
        let known = among.and_then(|among| Some((&among.edges, among.here?)));
        let Some((edges, stack)) = known else {
            self.say_error("select a resource first");
            return;
        };
        let list = StackEdges::open(edges, stack, direction, "this stack");
        self.apply(list);
    }

    /// Opens another stack of the list at a resource, and remembers the place that is left.
    pub(super) fn open_other(&mut self, place: Place, resource: Option<&str>, view: Option<View>) {
        let Some(here) = &self.session.among else {
            return;
        };
        let ripple = self.ripple_origin();
        let current = ripple.map(|ripple| ripple.cause).or(self.session.current);
        let identity = current.map(|id| self.session.stack().identity(id));
        let left = Stop {
            stack: here.place.clone(),
            aim: identity.map(at_resource),
            view: Some(self.window.view),
            ripple: ripple.map(|ripple| ripple.direction),
        };
        let wanted = Stop {
            stack: place,
            aim: resource.map(|identity| at_resource(identity.to_owned())),
            view,
            ripple: None,
        };
        let mut trail = self.fleet.trail.clone();
        trail.push(left);
        self.open_at(vec![wanted.stack.clone()], Some(wanted), trail);
    }

    /// Goes back to the stack that was left along an edge. False if none was.
    pub(super) fn leave_other(&mut self) -> bool {
        let Some(left) = self.fleet.trail.pop() else {
            return false;
        };
        let trail = self.fleet.trail.clone();
        self.open_at(vec![left.stack.clone()], Some(left), trail);
        true
    }

    /// Opens a stack that was chosen from the list, or compares two.
    pub(super) fn open_members(&mut self, places: Vec<Place>, aim: Option<Aim>) {
        let stop = match &places[..] {
            [only] => Some(Stop {
                stack: only.clone(),
                aim,
                view: None,
                ripple: None,
            }),
            _ => None,
        };
        self.open_at(places, stop, Vec::new());
    }

    fn open_at(&mut self, places: Vec<Place>, stop: Option<Stop>, trail: Vec<Stop>) {
        let like = self.one_like_this();
        self.fleet.opening = Opening { stop, trail };
        self.start(OpenStacks { places, like });
    }

    /// Goes to the hit for which the stack was opened, once it is read. The way back then leads to the list.
    pub(super) fn reach_aim(&mut self) {
        if self.session.loading.is_some() {
            return;
        }
        let Some(stop) = self.fleet.arrival.take() else {
            return;
        };
        if let Some(aim) = stop.aim {
            self.reach(aim);
        }
        if let Some(view) = stop.view {
            self.set_view(view);
            self.follow();
        }
        if let Some((direction, cause)) = stop.ripple.zip(self.session.current) {
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

/// The resource with this identity, in a stack that is not open.
fn at_resource(identity: String) -> Aim {
    Aim {
        identity,
        // The resource is found by its identity.
        target: Target::Resource(ResourceId(u32::MAX), At::Resource),
    }
}

impl Takes<ListStacks> for App {
    fn take(&mut self, listing: Listing) {
        self.views.stacks.take(listing);
    }
}

impl Takes<SearchStacks> for App {
    fn take(&mut self, found: FoundStacks) {
        self.views.stacks.take_hits(found);
    }
}

impl Takes<TieStacks> for App {
    fn take(&mut self, tied: Tied) {
        let has_edges = tied.edges.is_some();
        self.views.stacks.take_tied(tied);
        if has_edges && let Some(among) = self.session.among.take() {
            self.place_among(among.place);
        }
    }

    fn lose(&mut self) {
        self.views.stacks.forget_tying();
    }
}

impl Takes<ArrangeStacks> for App {
    fn take(&mut self, arranged: Arranged) {
        let (views, ctx) = self.lend();
        views.stacks.take_arranged(arranged, &ctx);
    }

    fn lose(&mut self) {
        self.views.stacks.forget_arranging();
    }
}

impl Takes<OpenStacks> for App {
    /// Leaves the list for a stack. The list stays as it is.
    fn take(&mut self, input: Result<Input, LoadError>) {
        let Opening { stop, trail } = std::mem::take(&mut self.fleet.opening);
        let input = match input {
            Ok(input) => input,
            Err(error) => {
                self.say_error(shown(&error.to_string()));
                return;
            }
        };
        self.overlays.clear();
        self.open(input);
        self.fleet.trail = trail;
        let stack = stop.as_ref().map(|stop| stop.stack.clone());
        self.fleet.arrival = stop;
        if let Some(stack) = stack {
            self.place_among(stack);
        }
    }
}
