//! Walks over the whole graph: reach, shortest path, cycles, order.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{Direction, Graph, Link};
use crate::stack::{EdgeKind, ResourceId};

/// A resource that a walk reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The resource.
    pub id: ResourceId,
    /// Number of edges to it, at least 1.
    pub depth: u32,
    /// The previous resource on a shortest path.
    pub via: ResourceId,
    /// The kind of the edge between the two; the first of several kinds.
    pub kind: EdgeKind,
}

/// One edge of a path: `from` depends on `to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathEdge {
    /// The dependent resource.
    pub from: ResourceId,
    /// The dependency.
    pub to: ResourceId,
    /// The kind of the edge.
    pub kind: EdgeKind,
}

/// Marks that there is no resource yet.
const NONE: u32 = u32::MAX;

impl Graph {
    /// Everything that is connected to `start` in `direction`, directly or through other resources, nearest first. `start` itself
    /// is not included, even on a cycle.
    pub fn reach(&self, start: ResourceId, direction: Direction) -> Vec<Reached> {
        self.reach_by(start, direction, |_| true)
    }

    /// Like [`Graph::reach`], but follows only edges of the kinds that `follow` accepts.
    pub fn reach_by(
        &self,
        start: ResourceId,
        direction: Direction,
        follow: impl Fn(EdgeKind) -> bool,
    ) -> Vec<Reached> {
        let mut seen = vec![false; self.len()];
        let Some(first) = seen.get_mut(start.index()) else {
            return Vec::new();
        };
        *first = true;
        let mut reached: Vec<Reached> = Vec::new();
        let mut next = 0;
        let (mut at, mut depth) = (start, 0);
        loop {
            for link in self.links(at, direction) {
                if follow(link.kind) && !seen[link.to.index()] {
                    seen[link.to.index()] = true;
                    reached.push(Reached {
                        id: link.to,
                        depth: depth + 1,
                        via: at,
                        kind: link.kind,
                    });
                }
            }
            let Some(here) = reached.get(next) else {
                return reached;
            };
            (at, depth) = (here.id, here.depth);
            next += 1;
        }
    }

    /// The resources directly connected to `id` in `direction` that are connected to it through another one of these too, each with the
    /// first such one. Their edge may be no more than the record of that way: a Terraform state lists all that a resource needs,
    /// directly or not. An edge of another kind says that it is more.
    pub fn bridged(&self, id: ResourceId, direction: Direction) -> HashMap<ResourceId, ResourceId> {
        let links = self.links(id, direction);
        // Links of one resource are sorted by their other end.
        let only_recorded = links.chunk_by(|one, other| one.to == other.to);
        let only_recorded = only_recorded
            .filter(|links| links.iter().all(|it| it.kind == EdgeKind::Dependency))
            .map(|links| links[0].to);
        let only_recorded: HashSet<ResourceId> = only_recorded.filter(|to| *to != id).collect();
        let mut bridged = HashMap::new();
        for bridge in links.iter().map(|link| link.to).filter(|to| *to != id) {
            for link in self.links(bridge, direction) {
                if link.to != bridge && only_recorded.contains(&link.to) {
                    bridged.entry(link.to).or_insert(bridge);
                }
            }
        }
        bridged
    }

    /// Number of resources directly connected to `id` in `direction`. Each counts once, whatever the number of edges.
    pub fn n_direct(&self, id: ResourceId, direction: Direction) -> usize {
        match direction {
            Direction::DependsOn => self.forward.n_others(id),
            Direction::UsedBy => self.backward.n_others(id),
        }
    }

    /// A shortest chain of dependencies from `from` to `to`; `None` if `from` does not depend on `to`, empty if they are the
    /// same.
    pub fn way(&self, from: ResourceId, to: ResourceId) -> Option<Vec<PathEdge>> {
        if from.index() >= self.len() || to.index() >= self.len() {
            return None;
        }
        let mut before: Vec<(u32, EdgeKind)> = vec![(NONE, EdgeKind::Dependency); self.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            if at == to {
                return Some(unwind(&before, from, to));
            }
            for link in self.depends_on(at) {
                let slot = &mut before[link.to.index()];
                if slot.0 == NONE && link.to != from {
                    *slot = (at.0, link.kind);
                    queue.push_back(link.to);
                }
            }
        }
        None
    }

    /// A shortest chain of dependencies between two resources, in either direction; the shorter one if both exist.
    pub fn way_between(&self, one: ResourceId, other: ResourceId) -> Option<Vec<PathEdge>> {
        match (self.way(one, other), self.way(other, one)) {
            (Some(there), Some(back)) if back.len() < there.len() => Some(back),
            (Some(way), _) | (None, Some(way)) => Some(way),
            (None, None) => None,
        }
    }

    /// The groups of resources that depend on each other in a cycle, in the order of their first members. A resource that depends
    /// on itself is a group of one. Members are in the order of the file.
    pub fn cycles(&self) -> Vec<Vec<ResourceId>> {
        let mut cycles = self.components(|members| {
            members.len() > 1 || self.ordered(members[0]).any(|to| to == members[0])
        });
        cycles.sort_unstable();
        cycles
    }

    /// A shortest cycle through the first of `members`, which are a group of [`Graph::cycles`]: each depends on the next, the
    /// last on the first.
    pub fn circle(&self, members: &[ResourceId]) -> Vec<ResourceId> {
        let Some(start) = members.first().copied() else {
            return Vec::new();
        };
        let mut before = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            for to in self.ordered(at) {
                if to == start {
                    let mut circle = vec![at];
                    while let Some(previous) = circle.last().and_then(|it| before.get(it)) {
                        circle.push(*previous);
                    }
                    circle.reverse();
                    return circle;
                }
                if members.binary_search(&to).is_ok() && !before.contains_key(&to) {
                    before.insert(to, at);
                    queue.push_back(to);
                }
            }
        }
        Vec::new()
    }

    /// The resources that have to come before `id`.
    fn ordered(&self, id: ResourceId) -> impl Iterator<Item = ResourceId> + '_ {
        let links = self.depends_on(id).iter();
        links
            .filter(move |link| counts(id, **link))
            .map(|link| link.to)
    }

    /// All resources, each after its dependencies. The resources of a cycle are adjacent, in the order of the file.
    pub fn order(&self) -> Vec<ResourceId> {
        self.components(|_| true).into_iter().flatten().collect()
    }

    /// The strongly connected components that are `wanted`, dependencies first, with members in the order of the file. Tarjan's
    /// algorithm with an explicit stack, because chains in a file may be as long as the file.
    fn components(&self, wanted: impl Fn(&[ResourceId]) -> bool) -> Vec<Vec<ResourceId>> {
        let mut search = Components {
            graph: self,
            number: vec![NONE; self.len()],
            low: vec![NONE; self.len()],
            open: vec![false; self.len()],
            pending: Vec::new(),
            calls: Vec::new(),
            counter: 0,
            found: Vec::new(),
        };
        for index in 0..u32::try_from(self.len()).unwrap_or(NONE) {
            if search.number[index as usize] == NONE {
                search.enter(ResourceId(index));
                search.run(&wanted);
            }
        }
        search.found
    }
}

/// True if a link of `id` requires an order between its ends. A provider may be listed as the provider of itself.
fn counts(id: ResourceId, link: Link) -> bool {
    link.kind.is_ordered() && !(link.to == id && link.kind == EdgeKind::Provider)
}

fn unwind(before: &[(u32, EdgeKind)], from: ResourceId, to: ResourceId) -> Vec<PathEdge> {
    let mut steps = Vec::new();
    let mut at = to;
    while at != from {
        let (previous, kind) = before[at.index()];
        let previous = ResourceId(previous);
        steps.push(PathEdge {
            from: previous,
            to: at,
            kind,
        });
        at = previous;
    }
    steps.reverse();
    steps
}

struct Components<'g> {
    graph: &'g Graph,
    /// The position at which each resource was first visited.
    number: Vec<u32>,
    /// The smallest number known to be reachable from each resource.
    low: Vec<u32>,
    /// True if the resource is still in `pending`.
    open: Vec<bool>,
    pending: Vec<ResourceId>,
    /// A resource, and the number of its links followed so far.
    calls: Vec<(ResourceId, usize)>,
    counter: u32,
    found: Vec<Vec<ResourceId>>,
}

impl Components<'_> {
    fn enter(&mut self, id: ResourceId) {
        self.number[id.index()] = self.counter;
        self.low[id.index()] = self.counter;
        self.counter += 1;
        self.open[id.index()] = true;
        self.pending.push(id);
        self.calls.push((id, 0));
    }

    fn run(&mut self, wanted: &impl Fn(&[ResourceId]) -> bool) {
        while let Some((id, followed)) = self.calls.last_mut() {
            let id = *id;
            if let Some(link) = self.graph.depends_on(id).get(*followed) {
                *followed += 1;
                if !link.kind.is_ordered() {
                    continue;
                }
                let to = link.to;
                if self.number[to.index()] == NONE {
                    self.enter(to);
                } else if self.open[to.index()] {
                    self.low[id.index()] = self.low[id.index()].min(self.number[to.index()]);
                }
                continue;
            }
            self.calls.pop();
            if let Some((caller, _)) = self.calls.last() {
                self.low[caller.index()] = self.low[caller.index()].min(self.low[id.index()]);
            }
            if self.low[id.index()] == self.number[id.index()] {
                self.close(id, wanted);
            }
        }
    }

    fn close(&mut self, first: ResourceId, wanted: &impl Fn(&[ResourceId]) -> bool) {
        let start = self
            .pending
            .iter()
            .rposition(|id| *id == first)
            .unwrap_or_default();
        for id in &self.pending[start..] {
            self.open[id.index()] = false;
        }
        if wanted(&self.pending[start..]) {
            let mut component = self.pending[start..].to_vec();
            component.sort_unstable();
            self.found.push(component);
        }
        self.pending.truncate(start);
    }
}

#[cfg(test)]
mod tests;
