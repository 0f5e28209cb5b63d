//! Many stacks: the list, its jobs, and the way into a stack and back.

use std::sync::Arc;

use ratatui::layout::Rect;

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
use crate::tui::overlays::stacks::Stacks;
use crate::tui::ripple::RippleOrigin;
use crate::tui::rows::shown;
use crate::tui::stacks::{Aim, Arranged, OpenStack};

/// The list of stacks, and the way through them.
#[derive(Default, Debug)]
pub(super) struct Fleet {
    /// The list that the file was chosen from, while the file is shown.
    list: Option<Box<Stacks>>,
    /// The places of the list that was last open.
    roots: Option<Roots>,
    /// The place in the stack that is being opened, and the way that leads there.
    opening: Option<(Stop, Way)>,
    /// The place to go to in the open stack, once it is read.
    arrival: Option<Stop>,
    /// The stacks that were left for another one along an edge.
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

/// The way that leads to a stack.
#[derive(Clone, Debug)]
enum Way {
    /// From the list.
    List,
    /// Along an edge, from this place.
    Edge(Stop),
    /// Back along an edge.
    Back,
}

impl App {
    /// Shows the list that the file was chosen from, as it was left, or lists the stacks below the folder of the file.
    pub(super) fn open_stacks(&mut self) {
        if let Some(stacks) = self.fleet.list.take() {
            self.overlays.open(stacks);
            return;
        }
        let roots = match self.session.input.sole_origin() {
            Some(Origin::Roots(roots)) => Some(roots.clone()),
            Some(Origin::Object(_) | Origin::Stdin | Origin::Bytes { .. }) => {
                self.fleet.roots.clone()
            }
            Some(Origin::Path(_)) | None => self.fleet.roots.clone().or_else(|| {
                let folder = self.history_file().map(|file| folder::of_file(&file))?;
                Some(Roots::new([folder]))
            }),
        };
        let Some(roots) = roots else {
            self.say_error("this input is not in a folder");
            return;
        };
        let mut stacks = Stacks::new(roots, self.one_like_this());
        stacks.open = self.history_file().map(Place::File);
        self.overlays.push(stacks);
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
        self.fleet.list.is_some() || self.fleet.roots.is_some()
    }

    /// The list, shown or left for a file.
    fn stacks(&mut self) -> Option<&mut Stacks> {
        let shown = self.overlays.get_mut::<Stacks>();
        shown.or(self.fleet.list.as_deref_mut())
    }

    /// Lets the list take an answer.
    fn tell_stacks(&mut self, act: impl FnOnce(&mut Stacks, Rect)) {
        let body = self.areas().body;
        if let Some(stacks) = self.stacks() {
            act(stacks, body);
        }
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
        if self.overlays.is_empty() {
            self.open_other(place, None, None);
        } else {
            self.tell_stacks(|stacks, body| stacks.visit(&place, body));
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
        self.open_at(wanted, Way::Edge(left));
    }

    /// Goes back to the stack that was left along an edge. False if none was.
    pub(super) fn leave_other(&mut self) -> bool {
        let Some(left) = self.fleet.trail.last().cloned() else {
            return false;
        };
        self.open_at(left, Way::Back);
        true
    }

    fn open_at(&mut self, wanted: Stop, way: Way) {
        let like = self.one_like_this();
        let places = vec![wanted.stack.clone()];
        self.fleet.opening = Some((wanted, way));
        self.start(OpenStacks { places, like });
    }

    /// Opens stacks that were chosen from the list.
    pub(super) fn open_members(&mut self, open: OpenStacks, aim: Option<Aim>) {
        let stop = |stack: &Place| Stop {
            stack: stack.clone(),
            aim,
            view: None,
            ripple: None,
        };
        self.fleet.opening = match &open.places[..] {
            [only] => Some((stop(only), Way::List)),
            _ => None,
        };
        self.start(open);
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
        self.tell_stacks(|stacks, _| stacks.take(listing));
    }
}

impl Takes<SearchStacks> for App {
    fn take(&mut self, found: FoundStacks) {
        self.tell_stacks(|stacks, _| stacks.take_hits(found));
    }
}

impl Takes<TieStacks> for App {
    fn take(&mut self, tied: Tied) {
        let has_edges = tied.edges.is_some();
        self.tell_stacks(|stacks, _| stacks.take_tied(tied));
        if has_edges && let Some(among) = self.session.among.take() {
            self.place_among(among.place);
        }
    }

    fn lose(&mut self) {
        self.tell_stacks(|stacks, _| stacks.forget_tying());
    }
}

impl Takes<ArrangeStacks> for App {
    fn take(&mut self, arranged: Arranged) {
        self.tell_stacks(|stacks, body| stacks.take_arranged(arranged, body));
    }

    fn lose(&mut self) {
        self.tell_stacks(|stacks, _| stacks.forget_arranging());
    }
}

impl Takes<OpenStacks> for App {
    /// Leaves the list for a stack. The list stays as it is.
    fn take(&mut self, input: Result<Input, LoadError>) {
        let opening = self.fleet.opening.take();
        let input = match input {
            Ok(input) => input,
            Err(error) => {
                if let Some((_, Way::Back)) = opening {
                    self.fleet.trail.pop();
                }
                self.say_error(shown(&error.to_string()));
                return;
            }
        };
        let list = self.overlays.take::<Stacks>();
        self.overlays.clear();
        if let Some(list) = list {
            self.fleet.roots = Some(list.roots().clone());
            self.fleet.list = Some(list);
        }
        self.open(input);
        let (stop, way) = opening.unzip();
        match way {
            Some(Way::Edge(left)) => self.fleet.trail.push(left),
            Some(Way::Back) => drop(self.fleet.trail.pop()),
            Some(Way::List) | None => self.fleet.trail.clear(),
        }
        let stack = stop.as_ref().map(|stop| stop.stack.clone());
        self.fleet.arrival = stop;
        if let Some(stack) = stack {
            self.place_among(stack);
        }
    }
}
