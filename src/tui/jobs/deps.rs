//! Walks over the dependencies.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Cancel, Counts, Job, Topic};
use crate::load::Document;
use crate::stack::ResourceId;
use crate::stack::graph::{Direction, Graph, PathEdge, Reached};
use crate::tui::ripple;
use crate::tui::stacks::OpenStack;

/// A request for everything connected to a resource.
pub struct Reach {
    /// The dependencies.
    pub graph: Arc<Graph>,
    /// The resource.
    pub id: ResourceId,
    /// The direction to walk.
    pub direction: Direction,
}

impl Job for Reach {
    type Answer = (ResourceId, Direction, Arc<Connected>);

    const TOPIC: Topic = Topic {
        counts: Counts::EachOfFile,
        ..Topic::named("walking the dependencies")
    };

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self {
            graph,
            id,
            direction,
        } = self;
        let connected = Connected {
            reached: graph.reach(id, direction),
            bridged: graph.bridged(id, direction),
        };
        say((id, direction, Arc::new(connected)));
    }
}

/// The resources connected to one in a direction.
#[derive(Debug)]
pub struct Connected {
    /// All of them, nearest first.
    pub reached: Vec<Reached>,
    /// Those directly connected that another one of these leads to as well.
    pub bridged: HashMap<ResourceId, ResourceId>,
}

/// A request for what a change of a resource reaches.
pub struct Ripple {
    /// The file.
    pub document: Document,
    /// The resource, and the direction to walk.
    pub origin: ripple::RippleOrigin,
    /// The file among other stacks.
    pub among: Option<OpenStack>,
}

impl Job for Ripple {
    type Answer = Box<ripple::Ripple>;

    const TOPIC: Topic = Topic::named("walking the dependencies");

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        say(ripple::Ripple::find(
            &self.document,
            self.origin,
            self.among,
        ));
    }
}

/// A request for the shortest dependency chain between two resources, in whichever direction there is one.
pub struct Way(pub Arc<Graph>, pub [ResourceId; 2]);

impl Job for Way {
    /// `None` if neither depends on the other.
    type Answer = Option<Vec<PathEdge>>;

    const TOPIC: Topic = Topic::named("walking the dependencies");

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self(graph, [one, other]) = self;
        say(graph.way_between(one, other));
    }
}
