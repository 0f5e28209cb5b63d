//! The layout of a ripple: the tree of shortest ways from its cause, in columns by distance.
//!
//! 1. Every reached resource has one place, in the column of its smallest distance.
//! 2. Its parent is in the column before.
//! 3. A resource stands on the row of its first child, so every row has a resource that the rows above do not have.
//!
//! Places lie column by column and from the top down. So the children of a place are adjacent, and the part of a column that a
//! screen shows is found by its rows.

use std::collections::HashMap;
use std::ops::Range;

use crate::stack::ResourceId;

/// The subject of a place.
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

/// The place of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::modules::tui) struct Place {
    /// The resource.
    pub subject: Subject,
    /// Index of the place of the previous resource on the way. The cause is its own parent.
    pub parent: usize,
    /// Number of edges to the cause; the column.
    pub depth: usize,
    /// The row in the columns.
    pub row: usize,
    /// The line in the indented list: each resource stands below its parent.
    pub line: usize,
    /// True if no other child of the same parent follows.
    pub is_last: bool,
}

/// The places of a ripple.
#[derive(Clone, Default, Debug)]
pub(in crate::modules::tui) struct Layout {
    /// All places: the cause, then column by column.
    pub places: Vec<Place>,
    /// The first place of each column.
    columns: Vec<usize>,
    /// The place on each line of the indented list.
    lines: Vec<usize>,
    /// Number of rows of the columns.
    pub n_rows: usize,
}

impl Layout {
    /// Lays out what a walk from `cause` reached, nearest first. The children of a resource that `comes_first` accepts are above
    /// its other ones.
    pub(in crate::modules::tui) fn new(
        cause: ResourceId,
        reached: &[WalkStep],
        comes_first: impl Fn(ResourceId) -> bool,
    ) -> Self {
        let cause = Subject::Own(cause);
        let comes_first = |subject: Subject| subject.own().is_some_and(&comes_first);
        let place = |subject, parent, depth| Place {
            subject,
            parent,
            depth,
            row: 0,
            line: 0,
            is_last: true,
        };
        let mut places = vec![place(cause, 0, 0)];
        let mut columns = vec![0];
        // A walk goes on from the resources of a column in the order in which it found them, which is not yet their order here.
        let mut above = HashMap::from([(cause, 0)]);
        for column in reached.chunk_by(|one, other| one.depth == other.depth) {
            let start = places.len();
            let depth = columns.len();
            columns.push(start);
            places.extend(
                column
                    .iter()
                    .map(|it| place(it.subject, above[&it.via], depth)),
            );
            places[start..].sort_by_key(|place| (place.parent, !comes_first(place.subject)));
            above = (start..)
                .zip(&places[start..])
                .map(|(at, it)| (it.subject, at))
                .collect();
        }
        // The number of rows and of lines that each place takes with everything below it.
        let mut sizes = vec![(0, 1); places.len()];
        for at in (0..places.len()).rev() {
            sizes[at].0 = sizes[at].0.max(1);
            if at > 0 {
                let (rows, lines) = sizes[at];
                let parent = &mut sizes[places[at].parent];
                *parent = (parent.0 + rows, parent.1 + lines);
            }
        }
        for at in 1..places.len() {
            let (parent, before) = (places[at].parent, places[at - 1]);
            let is_first = at == 1 || before.parent != parent || before.depth != places[at].depth;
            let (row, line) = if is_first {
                (places[parent].row, places[parent].line + 1)
            } else {
                places[at - 1].is_last = false;
                let (rows, lines) = sizes[at - 1];
                (before.row + rows, before.line + lines)
            };
            (places[at].row, places[at].line) = (row, line);
        }
        let mut lines = vec![0; places.len()];
        for (at, place) in places.iter().enumerate() {
            lines[place.line] = at;
        }
        Self {
            n_rows: sizes[0].0,
            places,
            columns,
            lines,
        }
    }

    /// Number of columns, with that of the cause.
    pub(in crate::modules::tui) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// The indices of the places in a column. Empty if there is no such column.
    pub(in crate::modules::tui) fn column(&self, depth: usize) -> Range<usize> {
        let end = |depth| {
            self.columns
                .get(depth)
                .copied()
                .unwrap_or(self.places.len())
        };
        end(depth)..end(depth + 1)
    }

    /// The last place of a column at or above a row: the one on the row, or the one that an edge to the next sibling passes.
    pub(in crate::modules::tui) fn at_or_above(&self, depth: usize, row: usize) -> Option<usize> {
        let column = self.column(depth);
        let places = &self.places[column.clone()];
        let after = places.partition_point(|place| place.row <= row);
        Some(column.start + after.checked_sub(1)?)
    }

    /// The first child of a place.
    pub(in crate::modules::tui) fn first_child(&self, at: usize) -> Option<usize> {
        let place = self.places.get(at)?;
        let child = self.at_or_above(place.depth + 1, place.row)?;
        (self.places[child].parent == at).then_some(child)
    }

    /// The place on a line of the indented list.
    pub(in crate::modules::tui) fn on_line(&self, line: usize) -> Option<usize> {
        self.lines.get(line).copied()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Layout, Subject, WalkStep};
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

    fn id(place: &super::Place) -> ResourceId {
        place.subject.own().unwrap()
    }

    fn layout(graph: &Graph, cause: u32) -> Layout {
        let reached = graph.reach(ResourceId(cause), Direction::UsedBy);
        let reached: Vec<_> = reached.iter().map(step).collect();
        Layout::new(ResourceId(cause), &reached, |id| id.0 % 2 == 1)
    }

    /// Each place as (resource, column, row, line).
    fn places(layout: &Layout) -> Vec<(u32, usize, usize, usize)> {
        let places = layout.places.iter();
        places
            .map(|it| (id(it).0, it.depth, it.row, it.line))
            .collect()
    }

    #[test]
    fn children_are_beside_their_parent_and_those_that_come_first_above() {
        // 2 and 3 use 0; 4, 5 and 6 use 2; 7 uses 3.
        let graph = graph(8, &[(2, 0), (3, 0), (4, 2), (5, 2), (6, 2), (7, 3)]);
        let layout = layout(&graph, 0);
        assert_eq!(
            places(&layout),
            [
                (0, 0, 0, 0),
                (3, 1, 0, 1),
                (2, 1, 1, 3),
                (7, 2, 0, 2),
                (5, 2, 1, 4),
                (4, 2, 2, 5),
                (6, 2, 3, 6),
            ]
        );
        assert_eq!(layout.n_rows, 4);
        assert_eq!(layout.first_child(2), Some(4));
        assert_eq!(layout.first_child(6), None);
    }

    #[test]
    fn a_cycle_ends_where_it_began() {
        let layout = layout(&graph(3, &[(1, 0), (2, 1), (0, 2)]), 0);
        assert_eq!(places(&layout), [(0, 0, 0, 0), (1, 1, 0, 1), (2, 2, 0, 2)]);
    }

    #[test]
    fn a_long_chain_and_a_wide_fan_are_laid_out_without_recursion() {
        let n = 20_000;
        let chain: Vec<_> = (1..n).map(|at| (at, at - 1)).collect();
        let fan: Vec<_> = (1..n).map(|at| (at, 0)).collect();
        assert_eq!(layout(&graph(n as usize, &chain), 0).n_rows, 1);
        assert_eq!(layout(&graph(n as usize, &fan), 0).n_rows, n as usize - 1);
    }

    proptest! {
        #[test]
        fn each_reached_resource_has_one_place_beside_its_parent(
            edges in prop::collection::vec((0_u32..30, 0_u32..30), 0..80),
        ) {
            let graph = graph(30, &edges);
            let layout = layout(&graph, 0);
            let reached = graph.reach(ResourceId(0), Direction::UsedBy);
            let mut want: Vec<_> = reached.iter().map(|it| (it.id, it.depth as usize)).collect();
            let mut got: Vec<_> = layout.places[1..].iter().map(|it| (id(it), it.depth)).collect();
            want.sort_unstable();
            got.sort_unstable();
            prop_assert_eq!(got, want);
            let mut cells = std::collections::HashSet::new();
            for (at, place) in layout.places.iter().enumerate() {
                prop_assert!(cells.insert((place.depth, place.row)));
                prop_assert!(place.row < layout.n_rows);
                prop_assert!(layout.column(place.depth).contains(&at));
                prop_assert_eq!(layout.at_or_above(place.depth, place.row), Some(at));
                prop_assert_eq!(layout.on_line(place.line), Some(at));
                if at > 0 {
                    let parent = layout.places[place.parent];
                    prop_assert_eq!(place.depth, parent.depth + 1);
                    prop_assert!(place.row >= parent.row && place.line > parent.line);
                    let links = graph.used_by(id(&parent));
                    prop_assert!(links.iter().any(|link| link.to == id(place)));
                }
            }
        }
    }
}
