//! Shapes: sets of property paths that resources share.
//!
//! If resources carry individual tags, nearly each has a separate shape of a hundred paths. So shapes are stored as the
//! differences between ascending numbers, most of which take one byte.

use super::{PathId, ShapeId};

/// The shapes of a stack. Only ever grows.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Shapes {
    /// The distance of each path from the one before: seven bits a byte, the lowest first, the highest bit set if more bytes
    /// follow.
    bytes: Vec<u8>,
    /// By [`ShapeId`]: end offset of its bytes.
    ends: Vec<u32>,
}

impl Shapes {
    /// Adds a shape with these paths, which have to ascend. Its id is the previous number of shapes.
    pub fn push(&mut self, paths: &[PathId]) {
        let mut last = 0;
        for path in paths {
            let mut rest = path.0.wrapping_sub(last);
            last = path.0;
            while rest >= 0x80 {
                self.bytes.push(low(rest) | 0x80);
                rest >>= 7;
            }
            self.bytes.push(low(rest));
        }
        self.close();
    }

    /// Number of shapes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The paths of `id`, ascending. Empty for a shape that was never added.
    pub fn get(&self, id: ShapeId) -> ShapePaths<'_> {
        let index = id.0 as usize;
        let end = |index: usize| self.ends.get(index).map(|end| *end as usize);
        let start = index.checked_sub(1).map_or(Some(0), end);
        let bytes = start
            .zip(end(index))
            .and_then(|(start, end)| self.bytes.get(start..end));
        ShapePaths {
            rest: bytes.unwrap_or_default(),
            last: 0,
        }
    }

    /// The paths of each shape.
    pub fn iter(&self) -> impl Iterator<Item = ShapePaths<'_>> {
        (0..).map(ShapeId).take(self.len()).map(|id| self.get(id))
    }

    /// Appends the shapes of `other`.
    pub(super) fn extend(&mut self, other: &Self) {
        for paths in other.iter() {
            self.bytes.extend_from_slice(paths.rest);
            self.close();
        }
    }

    fn close(&mut self) {
        let end = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.ends.push(end);
    }
}

fn low(number: u32) -> u8 {
    u8::try_from(number & 0x7f).unwrap_or_default()
}

/// The paths of a shape, ascending.
#[derive(Clone, Default, Debug)]
pub struct ShapePaths<'s> {
    rest: &'s [u8],
    last: u32,
}

impl ExactSizeIterator for ShapePaths<'_> {}

impl Iterator for ShapePaths<'_> {
    type Item = PathId;

    #[inline]
    fn next(&mut self) -> Option<PathId> {
        let mut shift = 0;
        let mut difference = 0;
        loop {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            difference |= u32::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                self.last = self.last.wrapping_add(difference);
                return Some(PathId(self.last));
            }
            shift = (shift + 7) % u32::BITS;
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_left = self.rest.iter().filter(|byte| **byte < 0x80).count();
        (n_left, Some(n_left))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pushed_shapes_read_back(
            sets in prop::collection::vec(
                prop::collection::btree_set(prop_oneof![0..300_u32, 0..=u32::MAX], 0..20),
                0..6,
            ),
        ) {
            let (mut one, mut other) = (Shapes::default(), Shapes::default());
            let sets: Vec<Vec<_>> = sets
                .into_iter()
                .map(|set| set.into_iter().map(PathId).collect())
                .collect();
            let (first, second) = sets.split_at(sets.len() / 2);
            for paths in first {
                one.push(paths);
            }
            for paths in second {
                other.push(paths);
            }
            one.extend(&other);
            prop_assert_eq!(one.len(), sets.len());
            for (paths, set) in one.iter().zip(&sets) {
                prop_assert_eq!(paths.len(), set.len());
                prop_assert_eq!(paths.collect::<Vec<_>>(), set.clone());
            }
            prop_assert!(one.get(ShapeId(99)).next().is_none());
        }
    }
}
