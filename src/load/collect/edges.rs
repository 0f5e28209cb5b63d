//! The edges from resources to names, before the names are resolved.

use crate::stack::EdgeKind;

/// A table of edges, sorted by the resource that they begin at.
#[derive(Default)]
pub(super) struct Edges {
    /// By resource: the index of its first edge. Resources after the last one with edges are missing.
    starts: Vec<u32>,
    /// By edge: the hash of the name.
    targets: Vec<u64>,
    /// By edge.
    kinds: Vec<EdgeKind>,
}

impl Edges {
    /// Adds an edge of `from`; resources come in their order.
    pub(super) fn push(&mut self, from: u32, target: u64, kind: EdgeKind) {
        let start = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        let n_begun = (from as usize + 1).max(self.starts.len());
        self.starts.resize(n_begun, start);
        self.targets.push(target);
        self.kinds.push(kind);
    }

    /// The edges of a resource, in the order in which they were added.
    pub(super) fn of(&self, from: u32) -> impl Iterator<Item = (u64, EdgeKind)> {
        let from = from as usize;
        let place = |index: usize| self.starts.get(index).map(|start| *start as usize);
        let end = place(from + 1).unwrap_or(self.targets.len());
        let range = place(from).unwrap_or(end)..end;
        let targets = self.targets[range.clone()].iter().copied();
        targets.zip(self.kinds[range].iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_resource_has_its_own() {
        let mut edges = Edges::default();
        edges.push(1, 10, EdgeKind::Parent);
        edges.push(1, 11, EdgeKind::Dependency);
        edges.push(4, 12, EdgeKind::Provider);
        let of = |from| edges.of(from).map(|(target, _)| target).collect::<Vec<_>>();
        let all: Vec<Vec<u64>> = (0..6).map(of).collect();
        assert_eq!(all, [&[][..], &[10, 11], &[], &[], &[12], &[]]);
    }
}
