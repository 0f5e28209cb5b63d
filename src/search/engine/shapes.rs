//! Hits among the property paths of a shape, computed once for each shape and set of words found elsewhere.
//!
//! # Law
//!
//! The hits are those of a plain loop over the properties of each resource. The test `the_best_hits_are_truly_the_best` compares
//! the two. A test file with 28 million properties has 25 shapes.

use std::collections::HashMap;

use crate::stack::{PathId, ShapeId};

/// The largest table; a map is used beyond this size.
const MAX_TABLE: usize = 1 << 20;

/// Scores and paths, best first.
pub(super) type Ranked = Vec<(i64, PathId)>;

/// The hits in one shape. They are the same for every resource of the shape.
pub(super) struct ShapeHits {
    /// Number of hits.
    pub(super) count: u32,
    /// Score of the best hit.
    pub(super) top: i64,
    /// Bit set of the words found elsewhere.
    known: u32,
    /// The hits, once they have been needed.
    ranked: Option<Ranked>,
}

impl ShapeHits {
    /// `count` hits, the best of them with score `top`. The words of `known` were found elsewhere.
    pub(super) fn new(count: u32, top: i64, known: u32) -> Self {
        Self {
            count,
            top,
            known,
            ranked: None,
        }
    }
}

/// All answers computed so far.
pub(super) struct Shapes {
    n_words: usize,
    /// The position in `all` plus one; 0 if not computed.
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

    /// The position of the answer for `shape` and `known`; `None` if it was not computed.
    pub(super) fn find(&self, shape: ShapeId, known: u32) -> Option<usize> {
        let slot = match self.table.get(self.slot(shape, known)) {
            Some(slot) => *slot,
            // A shape that was never added has no paths.
            None => *self.map.get(&(shape, known))?,
        };
        (slot as usize).checked_sub(1)
    }

    /// Stores an answer and returns its position.
    pub(super) fn keep(&mut self, shape: ShapeId, known: u32, hits: ShapeHits) -> usize {
        self.all.push(hits);
        let slot = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let at = self.slot(shape, known);
        match self.table.get_mut(at) {
            Some(place) => *place = slot,
            None => {
                self.map.insert((shape, known), slot);
            }
        }
        self.all.len() - 1
    }

    fn slot(&self, shape: ShapeId, known: u32) -> usize {
        if self.table.is_empty() {
            return usize::MAX;
        }
        ((shape.0 as usize) << self.n_words) | known as usize
    }

    pub(super) fn at(&self, position: usize) -> &ShapeHits {
        &self.all[position]
    }

    /// Lends the ranked hits of an answer, to be returned with [`Shapes::keep_ranked`]. If there are none, the error is the set
    /// of words found elsewhere.
    pub(super) fn ranked(&mut self, position: usize) -> Result<Ranked, u32> {
        let hits = &mut self.all[position];
        hits.ranked.take().ok_or(hits.known)
    }

    /// Stores the ranked hits of an answer.
    pub(super) fn keep_ranked(&mut self, position: usize, ranked: Ranked) {
        self.all[position].ranked = Some(ranked);
    }
}
