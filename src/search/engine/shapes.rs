//! What the property paths of a shape answer, worked out once for each shape and set of words found elsewhere.

use std::collections::HashMap;

use crate::stack::{PathId, ShapeId};

/// The largest table; beyond it there is a map.
const MAX_TABLE: usize = 1 << 20;

/// Scores and paths, best first.
pub(super) type Ranked = Vec<(i64, PathId)>;

/// The hits that one shape gives, whatever the resource.
pub(super) struct ShapeHits {
    /// How many.
    pub(super) count: u32,
    /// What the best of them is worth.
    pub(super) top: i64,
    /// The words that were known.
    known: u32,
    /// The hits, once somebody has asked for them.
    ranked: Option<Ranked>,
}

impl ShapeHits {
    /// `count` hits, the best of which is worth `top`, with the words of `known` found elsewhere.
    pub(super) fn new(count: u32, top: i64, known: u32) -> Self {
        Self {
            count,
            top,
            known,
            ranked: None,
        }
    }
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

    /// The position of the answer for `shape` and `known`; `None` if it was not worked out.
    pub(super) fn find(&self, shape: ShapeId, known: u32) -> Option<usize> {
        let slot = match self.table.get(self.slot(shape, known)) {
            Some(slot) => *slot,
            // A shape that was never added has no paths.
            None => *self.map.get(&(shape, known))?,
        };
        (slot as usize).checked_sub(1)
    }

    /// Keeps an answer, and gives its position.
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

    /// Lends the ranked hits of an answer, to be given back by [`Shapes::keep_ranked`]; else the words that were known to it.
    pub(super) fn ranked(&mut self, position: usize) -> Result<Ranked, u32> {
        let hits = &mut self.all[position];
        hits.ranked.take().ok_or(hits.known)
    }

    /// Keeps the ranked hits of an answer.
    pub(super) fn keep_ranked(&mut self, position: usize, ranked: Ranked) {
        self.all[position].ranked = Some(ranked);
    }
}
