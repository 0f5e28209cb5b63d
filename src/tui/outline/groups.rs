//! Groups of rows, parents before children. Where a row stands is arithmetic over the numbers of rows of the groups, so that no list
//! of all rows is made.

use std::ops::Range;

/// The numbers of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Number of its own rows, such as its heading: they are shown if the groups around it are open.
    pub n_own: usize,
    /// Number of rows inside, which are shown while it is open. They come before the groups below.
    pub n_inside: usize,
    /// Number of groups below it, which follow it.
    pub n_below: usize,
    /// True if it is open.
    pub is_open: bool,
}

/// The groups of a list.
#[derive(Clone, Default, Debug)]
pub struct Groups {
    extents: Vec<Extent>,
    /// The first row of each group, and the number of rows at the end.
    starts: Vec<usize>,
}

impl Groups {
    /// Groups of these sizes.
    pub fn new(extents: Vec<Extent>) -> Self {
        let mut groups = Self {
            extents,
            starts: Vec::new(),
        };
        groups.count();
        groups
    }

    /// Finds the first row of each group.
    fn count(&mut self) {
        self.starts.clear();
        // Groups below a closed one have no rows.
        let (mut row, mut hidden_until) = (0, 0);
        for (at, group) in self.extents.iter().enumerate() {
            self.starts.push(row);
            if at < hidden_until {
                continue;
            }
            row += group.n_own;
            if group.is_open {
                row += group.n_inside;
            } else {
                hidden_until = at + 1 + group.n_below;
            }
        }
        self.starts.push(row);
    }

    /// Number of rows that are shown.
    pub fn n_rows(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The group of a row, and the number of rows of the group before it.
    pub fn find(&self, row: usize) -> Option<(usize, usize)> {
        if row >= self.n_rows() {
            return None;
        }
        let at = self.starts.partition_point(|start| *start <= row) - 1;
        Some((at, row - self.starts[at]))
    }

    /// The row of a group that comes after `offset` others of it, if it is shown.
    pub fn row(&self, at: usize, offset: usize) -> Option<usize> {
        let row = self.starts.get(at)? + offset;
        (row < *self.starts.get(at + 1)?).then_some(row)
    }

    /// Number of rows of a group that are shown.
    pub fn n_shown(&self, at: usize) -> usize {
        self.starts[at + 1] - self.starts[at]
    }

    /// True if a group is open.
    pub fn is_open(&self, at: usize) -> bool {
        self.extents[at].is_open
    }

    /// Opens or closes groups.
    pub fn set_open(&mut self, groups: impl IntoIterator<Item = usize>, is_open: bool) {
        for at in groups {
            self.extents[at].is_open = is_open;
        }
        self.count();
    }

    /// The groups around a group, the innermost first.
    pub fn around(&self, at: usize) -> impl Iterator<Item = usize> + Clone {
        let is_around = move |outer: &usize| outer + self.extents[*outer].n_below >= at;
        (0..at).rev().filter(is_around)
    }

    /// The groups below a group.
    pub fn below(&self, at: usize) -> Range<usize> {
        at + 1..at + 1 + self.extents[at].n_below
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Groups by their depths.
    fn groups(wanted: &[(usize, usize, usize, bool)]) -> Groups {
        let n_below = |at: usize| {
            let deeper = wanted[at + 1..].iter();
            deeper.take_while(|it| it.0 > wanted[at].0).count()
        };
        let extents = wanted.iter().enumerate();
        let extents = extents.map(|(at, (_, n_own, n_inside, is_open))| Extent {
            n_own: *n_own,
            n_inside: *n_inside,
            n_below: n_below(at),
            is_open: *is_open,
        });
        Groups::new(extents.collect())
    }

    /// All rows, as a walk finds them.
    fn walked(wanted: &[(usize, usize, usize, bool)]) -> Vec<(usize, usize)> {
        let (mut rows, mut closed) = (Vec::new(), usize::MAX);
        for (at, (depth, n_own, n_inside, is_open)) in wanted.iter().enumerate() {
            if *depth > closed {
                continue;
            }
            closed = if *is_open { usize::MAX } else { *depth };
            let n_rows = n_own + if *is_open { *n_inside } else { 0 };
            rows.extend((0..n_rows).map(|offset| (at, offset)));
        }
        rows
    }

    proptest! {
        #[test]
        fn rows_are_those_of_a_walk(
            mut wanted in proptest::collection::vec((0_usize..4, 0_usize..3, 0_usize..4, any::<bool>()), 1..20),
            toggled in any::<proptest::sample::Index>(),
        ) {
            let mut groups = groups(&wanted);
            for _ in 0..2 {
                let rows = walked(&wanted);
                prop_assert_eq!(groups.n_rows(), rows.len());
                let found: Vec<_> = (0..rows.len() + 2).map_while(|row| groups.find(row)).collect();
                prop_assert_eq!(&found, &rows);
                for (at, (depth, ..)) in wanted.iter().enumerate() {
                    for offset in 0..8 {
                        let row = rows.iter().position(|it| *it == (at, offset));
                        prop_assert_eq!(groups.row(at, offset), row);
                    }
                    let mut least = *depth;
                    let around = (0..at).rev().filter(|outer| {
                        let is_around = wanted[*outer].0 < least;
                        least = least.min(wanted[*outer].0);
                        is_around
                    });
                    prop_assert_eq!(groups.around(at).collect::<Vec<_>>(), around.collect::<Vec<_>>());
                    let below = (0..wanted.len()).filter(|it| groups.around(*it).any(|outer| outer == at));
                    prop_assert_eq!(groups.below(at).collect::<Vec<_>>(), below.collect::<Vec<_>>());
                }
                let at = toggled.index(wanted.len());
                wanted[at].3 = !wanted[at].3;
                groups.set_open([at], wanted[at].3);
            }
        }
    }
}
