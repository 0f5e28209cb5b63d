//! What the property paths of a shape answer, worked out once for each shape and set of words found elsewhere.

use std::collections::HashMap;

use crate::stack::{PathId, ShapeId};

/// The largest table; beyond it there is a map.
const MAX_TABLE: usize = 1 << 20;

/// The hits that one shape gives, whatever the resource.
pub(super) struct ShapeHits {
    /// How many.
    pub(super) count: u64,
    /// Scores and paths, best first.
    pub(super) best: Vec<(i64, PathId)>,
}

/// All that were worked out.
pub(super) struct Shapes {
    n_words: usize,
    /// One more than the position in `all`; 0 is not worked out.
    table: Vec<u32>,
    map: HashMap<(ShapeId, u32), u32>,
    all: Vec<ShapeHits>,
}

impl Shapes {
    pub(super) fn new(n_shapes: usize, n_words: usize) -> Self {
        let len = n_shapes
            .checked_shl(u32::try_from(n_words).unwrap_or(u32::MAX))
            .filter(|len| n_words < 16 && *len <= MAX_TABLE);
        Self {
            n_words,
            table: vec![0; len.unwrap_or(0)],
            map: HashMap::new(),
            all: Vec::new(),
        }
    }

    /// The position of the answer for `shape` and `known`, by `work` if there is none yet.
    pub(super) fn position(
        &mut self,
        shape: ShapeId,
        known: u32,
        work: impl FnOnce() -> ShapeHits,
    ) -> usize {
        let slot = if self.table.is_empty() {
            self.map.entry((shape, known)).or_insert(0)
        } else {
            let at = ((shape.0 as usize) << self.n_words) | known as usize;
            match self.table.get_mut(at) {
                Some(slot) => slot,
                // A shape that was never added has no paths.
                None => self.map.entry((shape, known)).or_insert(0),
            }
        };
        if *slot == 0 {
            self.all.push(work());
            *slot = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        }
        *slot as usize - 1
    }

    pub(super) fn at(&self, position: usize) -> &ShapeHits {
        &self.all[position]
    }
}
