//! Who depends on whom: order, cycles, reach.
//!
//! Edges are kept as compressed rows in both directions: for each resource a slice of the resources that it needs and of those
//! that need it. Why an edge is there in detail (which property) is read from the resource itself when it is shown.
//!
//! Files may hold cycles (a broken state, a hand-made one): every walk visits a resource once and none recurses.

mod walk;

use crate::stack::{EdgeKind, ResourceId};

/// An edge between two resources of one stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Link {
    /// The resource at the other end.
    pub to: ResourceId,
    /// Why.
    pub kind: EdgeKind,
}

/// Which way to walk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// To what a resource needs.
    DependsOn,
    /// To what needs a resource.
    UsedBy,
}

pub use walk::{Reached, Step};

/// The edges of a stack, in both directions.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    forward: Rows,
    backward: Rows,
}

#[derive(Clone, Default, Debug)]
struct Rows {
    /// Where the links of each resource start; one more than there are resources.
    starts: Vec<u32>,
    links: Vec<Link>,
}

impl Rows {
    fn of(&self, id: ResourceId) -> &[Link] {
        match (self.starts.get(id.index()), self.starts.get(id.index() + 1)) {
            (Some(start), Some(end)) => &self.links[*start as usize..*end as usize],
            _ => &[],
        }
    }

    fn new(n_resources: usize, edges: &[(ResourceId, Link)]) -> Self {
        let mut starts = vec![0_u32; n_resources + 1];
        for (from, _) in edges {
            starts[from.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut links = vec![
            Link {
                to: ResourceId(0),
                kind: EdgeKind::Dependency
            };
            edges.len()
        ];
        for (from, link) in edges {
            let slot = &mut next[from.index()];
            links[*slot as usize] = *link;
            *slot += 1;
        }
        Self { starts, links }
    }
}

impl Graph {
    /// The graph of `n_resources` resources with these edges, in any order; repeated ones count once.
    pub fn new(n_resources: usize, mut edges: Vec<(ResourceId, Link)>) -> Self {
        edges.retain(|(from, link)| from.index() < n_resources && link.to.index() < n_resources);
        edges.sort_unstable();
        edges.dedup();
        let forward = Rows::new(n_resources, &edges);
        for (from, link) in &mut edges {
            std::mem::swap(from, &mut link.to);
        }
        let backward = Rows::new(n_resources, &edges);
        Self { forward, backward }
    }

    /// What `id` needs.
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

    /// How many resources the graph was made for.
    pub fn len(&self) -> usize {
        self.forward.starts.len().saturating_sub(1)
    }

    /// Whether it was made for no resource.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What needs `id`.
    pub fn used_by(&self, id: ResourceId) -> &[Link] {
        self.backward.of(id)
    }
}
