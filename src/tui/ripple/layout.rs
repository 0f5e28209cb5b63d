//! The layout of a ripple: the tree of shortest ways from its cause, as an indented list.
//!
//! 1. Every reached resource has one line.
//! 2. Its parent, one step nearer to the cause, is above it, and only what the parent reaches stands between them.

use std::collections::HashMap;

use crate::stack::ResourceId;

/// The subject of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::modules::tui) enum Subject {
    /// A resource of the stack.
    Own(ResourceId),
    /// The end of an edge in another stack, by its index.
    Other(usize),
}

impl Subject {
    /// The resource of the stack.
    pub(in crate::modules::tui) fn own(self) -> Option<ResourceId> {
        match self {
            Self::Own(id) => Some(id),
            Self::Other(_) => None,
        }
    }
}

/// A step of a walk.
#[derive(Clone, Copy, Debug)]
pub(in crate::modules::tui) struct WalkStep {
    /// The subject that was reached.
    pub subject: Subject,
    /// The subject before it on the way.
    pub via: Subject,
    /// Number of edges to the cause.
    pub depth: usize,
}

/// A line of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::modules::tui) struct Line {
    /// The resource.
    pub subject: Subject,
    /// The line of the previous resource on the way. The cause is its own parent.
    pub parent: usize,
    /// Number of edges to the cause.
    pub depth: usize,
}

/// The lines of what a walk from `cause` reached. The children of a resource that `comes_first` accepts are above its other ones;
/// else they stay in the order of the walk.
pub(in crate::modules::tui) fn lines(
    cause: ResourceId,
    mut walk: Vec<WalkStep>,
    comes_first: impl Fn(ResourceId) -> bool,
) -> Vec<Line> {
    let is_late = |subject: Subject| !subject.own().is_some_and(&comes_first);
    walk.sort_by_key(|step| is_late(step.subject));
    let mut below: HashMap<Subject, Vec<WalkStep>> = HashMap::new();
    for step in walk {
        below.entry(step.via).or_default().push(step);
    }
    let cause = Subject::Own(cause);
    let mut lines = Vec::new();
    // The subjects whose lines are still to come, each with the line of its parent. Nothing recurses.
    let mut waiting = vec![(cause, 0, 0)];
    while let Some((subject, parent, depth)) = waiting.pop() {
        let children = below.remove(&subject).unwrap_or_default();
        let children = children.into_iter().rev();
        waiting.extend(children.map(|it| (it.subject, lines.len(), it.depth)));
        lines.push(Line {
            subject,
            parent,
            depth,
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Line, Subject, WalkStep};
    use crate::stack::graph::{Direction, Graph, Link, Reached};
    use crate::stack::{EdgeKind, ResourceId};

    fn graph(n: usize, edges: &[(u32, u32)]) -> Graph {
        let kind = EdgeKind::Dependency;
        let links = edges.iter().map(|(from, to)| {
            let to = ResourceId(*to);
            (ResourceId(*from), Link { to, kind })
        });
        Graph::new(n, links.collect())
    }

    fn step(reached: &Reached) -> WalkStep {
        WalkStep {
            subject: Subject::Own(reached.id),
            via: Subject::Own(reached.via),
            depth: reached.depth as usize,
        }
    }

    fn id(line: &Line) -> ResourceId {
        line.subject.own().unwrap()
    }

    fn lines(graph: &Graph, cause: u32) -> Vec<Line> {
        let reached = graph.reach(ResourceId(cause), Direction::UsedBy);
        let reached = reached.iter().map(step).collect();
        super::lines(ResourceId(cause), reached, |id| id.0 % 2 == 1)
    }

    /// Each line as (resource, distance).
    fn listed(lines: &[Line]) -> Vec<(u32, usize)> {
        lines.iter().map(|it| (id(it).0, it.depth)).collect()
    }

    #[test]
    fn children_are_below_their_parent_and_those_that_come_first_above() {
        // 2 and 3 use 0; 4, 5 and 6 use 2; 7 uses 3.
        let graph = graph(8, &[(2, 0), (3, 0), (4, 2), (5, 2), (6, 2), (7, 3)]);
        assert_eq!(
            listed(&lines(&graph, 0)),
            [(0, 0), (3, 1), (7, 2), (2, 1), (5, 2), (4, 2), (6, 2)]
        );
    }

    #[test]
    fn a_cycle_ends_where_it_began() {
        let lines = lines(&graph(3, &[(1, 0), (2, 1), (0, 2)]), 0);
        assert_eq!(listed(&lines), [(0, 0), (1, 1), (2, 2)]);
    }

    #[test]
    fn a_long_chain_and_a_wide_fan_are_laid_out_without_recursion() {
        let n = 20_000;
        let chain: Vec<_> = (1..n).map(|at| (at, at - 1)).collect();
        let fan: Vec<_> = (1..n).map(|at| (at, 0)).collect();
        let deepest = |edges| lines(&graph(n as usize, edges), 0).last().unwrap().depth;
        assert_eq!(deepest(&chain), n as usize - 1);
        assert_eq!(deepest(&fan), 1);
    }

    proptest! {
        #[test]
        fn each_reached_resource_has_one_line_below_its_parent(
            edges in prop::collection::vec((0_u32..30, 0_u32..30), 0..80),
        ) {
            let graph = graph(30, &edges);
            let lines = lines(&graph, 0);
            let reached = graph.reach(ResourceId(0), Direction::UsedBy);
            let mut want: Vec<_> = reached.iter().map(|it| (it.id, it.depth as usize)).collect();
            let mut got: Vec<_> = lines[1..].iter().map(|it| (id(it), it.depth)).collect();
            want.sort_unstable();
            got.sort_unstable();
            prop_assert_eq!(got, want);
            for (at, line) in lines.iter().enumerate().skip(1) {
                let parent = lines[line.parent];
                prop_assert_eq!(line.depth, parent.depth + 1);
                prop_assert!(line.parent < at);
                let between = &lines[line.parent + 1..at];
                prop_assert!(between.iter().all(|it| it.depth > parent.depth));
                let links = graph.used_by(id(&parent));
                prop_assert!(links.iter().any(|link| link.to == id(line)));
            }
        }
    }
}
