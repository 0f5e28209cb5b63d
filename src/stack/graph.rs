//! Who depends on whom: order, cycles, reach.
//!
//! Edges are kept as compressed rows in both directions: for each resource a slice of the resources that it needs and of those
//! that need it. Why an edge is there in detail (which property) is read from the resource itself when it is shown.
//!
//! Files may hold cycles (a broken state, a hand-made one): every walk visits a resource once and none recurses.

mod walk;

use std::collections::HashMap;

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
    /// How many neighbors those have that have more than [`MANY`] links: they are drawn with every frame, and counted once.
    hubs: HashMap<ResourceId, usize>,
}

/// So many links are counted when they are asked for.
const MANY: usize = 64;

impl Rows {
    fn of(&self, id: ResourceId) -> &[Link] {
        match (self.starts.get(id.index()), self.starts.get(id.index() + 1)) {
            (Some(start), Some(end)) => &self.links[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// The same links from their other ends.
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

    /// The same, with the neighbors counted of those that have many.
    fn counted(mut self) -> Self {
        for (id, range) in (0..).map(ResourceId).zip(self.starts.windows(2)) {
            if (range[1] - range[0]) as usize > MANY {
                let links = &self.links[range[0] as usize..range[1] as usize];
                self.hubs.insert(id, n_others(id, links));
            }
        }
        self
    }

    /// How many resources the links of `id` lead to, other than itself.
    fn n_others(&self, id: ResourceId) -> usize {
        let known = self.hubs.get(&id).copied();
        known.unwrap_or_else(|| n_others(id, self.of(id)))
    }
}

/// How many resources `links` lead to, other than `id` to which they belong. Links of one resource are sorted by the other end.
fn n_others(id: ResourceId, links: &[Link]) -> usize {
    links
        .chunk_by(|one, other| one.to == other.to)
        .filter(|links| links[0].to != id)
        .count()
}

impl Graph {
    /// The graph of `n_resources` resources with these edges, in any order; repeated ones count once.
    pub fn new(n_resources: usize, mut edges: Vec<(ResourceId, Link)>) -> Self {
        edges.sort_unstable();
        let mut rest = edges.as_slice();
        Self::build(n_resources, |from, links| {
            let n_own = rest.partition_point(|(other, _)| *other <= from);
            links.extend(rest[..n_own].iter().map(|(_, link)| *link));
            rest = &rest[n_own..];
        })
    }

    /// The graph of `n_resources` resources. `links_of` is called for each in turn and adds its links to what it is given, in any
    /// order; repeated ones count once, and those that lead nowhere do not count.
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
