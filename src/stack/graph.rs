//! The dependency graph: order, cycles, reach.
//!
//! Edges are stored as compressed rows in both directions: for each resource a slice of its dependencies and one of its
//! dependents. The details of an edge, such as its property, are read from the resource itself when it is shown.
//!
//! Files may hold cycles (a broken state, a hand-made one). Every walk visits a resource once, and none recurses.

mod walk;

use std::collections::HashMap;

use crate::stack::{EdgeKind, ResourceId};

/// An edge between two resources of one stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Link {
    /// The resource at the other end.
    pub to: ResourceId,
    /// The reason for the edge.
    pub kind: EdgeKind,
}

/// The direction of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Towards the dependencies of a resource.
    DependsOn,
    /// Towards the dependents of a resource.
    UsedBy,
}

pub use walk::{PathEdge, Reached};

/// The edges of a stack, in both directions.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    forward: Rows,
    backward: Rows,
}

#[derive(Clone, Default, Debug)]
struct Rows {
    /// Start of each resource's links; one more entry than there are resources.
    starts: Vec<u32>,
    links: Vec<Link>,
    /// Number of neighbors of the resources with more than [`MANY`] links. They are drawn in every frame, so they are counted
    /// only once.
    hubs: HashMap<ResourceId, usize>,
}

/// Up to this number, links are counted on demand.
const MANY: usize = 64;

impl Rows {
    fn of(&self, id: ResourceId) -> &[Link] {
        match (self.starts.get(id.index()), self.starts.get(id.index() + 1)) {
            (Some(start), Some(end)) => &self.links[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// The same links in the other direction.
    fn turned(&self) -> Self {
        let mut starts = vec![0_u32; self.starts.len()];
        for link in &self.links {
            starts[link.to.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let nowhere = Link {
            to: ResourceId(0),
            kind: EdgeKind::Dependency,
        };
        let mut links = vec![nowhere; self.links.len()];
        for (from, ends) in (0..).map(ResourceId).zip(self.starts.windows(2)) {
            for link in &self.links[ends[0] as usize..ends[1] as usize] {
                let slot = &mut next[link.to.index()];
                links[*slot as usize] = Link {
                    to: from,
                    kind: link.kind,
                };
                *slot += 1;
            }
        }
        Self {
            starts,
            links,
            hubs: HashMap::new(),
        }
        .counted()
    }

    /// Counts the neighbors of the resources that have many links.
    fn counted(mut self) -> Self {
        for (id, range) in (0..).map(ResourceId).zip(self.starts.windows(2)) {
            if (range[1] - range[0]) as usize > MANY {
                let links = &self.links[range[0] as usize..range[1] as usize];
                self.hubs.insert(id, n_others(id, links));
            }
        }
        self
    }

    /// Number of resources that the links of `id` lead to, other than itself.
    fn n_others(&self, id: ResourceId) -> usize {
        let known = self.hubs.get(&id).copied();
        known.unwrap_or_else(|| n_others(id, self.of(id)))
    }
}

/// Number of resources other than `id` that `links` lead to. These are the links of `id`, sorted by the other end.
fn n_others(id: ResourceId, links: &[Link]) -> usize {
    links
        .chunk_by(|one, other| one.to == other.to)
        .filter(|links| links[0].to != id)
        .count()
}

impl Graph {
    /// The graph of `n_resources` resources with these edges, in any order. Repeated edges count once.
    #[cfg(any(test, feature = "internals"))]
    pub fn new(n_resources: usize, mut edges: Vec<(ResourceId, Link)>) -> Self {
        edges.sort_unstable();
        let mut rest = edges.as_slice();
        Self::build(n_resources, |from, links| {
            let n_own = rest.partition_point(|(other, _)| *other <= from);
            links.extend(rest[..n_own].iter().map(|(_, link)| *link));
            rest = &rest[n_own..];
        })
    }

    /// The graph of `n_resources` resources. `links_of` is called for each in turn and appends its links to the vector, in any
    /// order. Repeated links count once, and links to resources that do not exist do not count.
    pub fn build(n_resources: usize, mut links_of: impl FnMut(ResourceId, &mut Vec<Link>)) -> Self {
        let mut forward = Rows {
            starts: Vec::with_capacity(n_resources + 1),
            links: Vec::new(),
            hubs: HashMap::new(),
        };
        forward.starts.push(0);
        let mut row = Vec::new();
        for from in (0..).map(ResourceId).take(n_resources) {
            row.clear();
            links_of(from, &mut row);
            row.retain(|link| link.to.index() < n_resources);
            row.sort_unstable();
            row.dedup();
            forward.links.extend_from_slice(&row);
            let end = u32::try_from(forward.links.len()).unwrap_or(u32::MAX);
            forward.starts.push(end);
        }
        forward.links.shrink_to_fit();
        let forward = forward.counted();
        let backward = forward.turned();
        Self { forward, backward }
    }

    /// The dependencies of `id`.
    pub fn depends_on(&self, id: ResourceId) -> &[Link] {
        self.forward.of(id)
    }

    /// The links of `id` in one direction.
    pub fn links(&self, id: ResourceId, direction: Direction) -> &[Link] {
        match direction {
            Direction::DependsOn => self.depends_on(id),
            Direction::UsedBy => self.used_by(id),
        }
    }

    /// Number of resources in the graph.
    pub fn len(&self) -> usize {
        self.forward.starts.len().saturating_sub(1)
    }

    /// True if the graph has no resources.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The dependents of `id`.
    pub fn used_by(&self, id: ResourceId) -> &[Link] {
        self.backward.of(id)
    }
}
