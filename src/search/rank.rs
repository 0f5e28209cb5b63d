//! Keeps the best of many hits.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::stack::{PathId, ResourceId};

/// A hit while it is ranked: its place and its score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    pub(super) score: i64,
    pub(super) resource: ResourceId,
    /// The property path; `None` for the resource as a whole.
    pub(super) path: Option<PathId>,
    /// Bit set of the alternatives that have the hit.
    pub(super) alternatives: u16,
}

impl Candidate {
    fn key(&self) -> (i64, std::cmp::Reverse<(ResourceId, Option<PathId>)>) {
        (self.score, std::cmp::Reverse((self.resource, self.path)))
    }
}

impl Ord for Candidate {
    /// The worse candidate is greater, so that the top of the heap is the one to drop. Equal scores keep the order of the file.
    fn cmp(&self, other: &Self) -> Ordering {
        other.key().cmp(&self.key())
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The best candidates, up to a limit.
#[derive(Clone, Debug)]
pub(super) struct Best {
    limit: usize,
    heap: BinaryHeap<Candidate>,
}

impl Best {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            heap: BinaryHeap::new(),
        }
    }

    /// True if a candidate with this score would be kept. It has to be later in the file than all before.
    pub(super) fn wants(&self, score: i64) -> bool {
        self.heap.len() < self.limit || self.heap.peek().is_some_and(|worst| worst.score < score)
    }

    /// The score that a candidate later in the file has to exceed to be kept; `None` if the heap is not full.
    pub(super) fn floor(&self) -> Option<i64> {
        let is_full = self.heap.len() >= self.limit;
        is_full.then(|| self.heap.peek().map_or(i64::MAX, |worst| worst.score))
    }

    pub(super) fn push(&mut self, candidate: Candidate) {
        if self.heap.len() < self.limit {
            self.heap.push(candidate);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && candidate < *worst
        {
            *worst = candidate;
        }
    }

    /// All candidates, best first.
    pub(super) fn sorted(&self) -> Vec<Candidate> {
        let mut all: Vec<_> = self.heap.iter().copied().collect();
        all.sort_unstable();
        all
    }
}
