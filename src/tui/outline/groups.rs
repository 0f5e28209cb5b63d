//! Groups of rows, parents before children. Where a row stands is arithmetic over the numbers of rows of the groups, so that no list
//! of all rows is made.

use std::ops::Range;

use crate::tui::command::FoldStep;

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

    /// The heading around a row: that of its group, or for a heading that of the group around it.
    pub fn row_around(&self, row: usize) -> Option<usize> {
        let (at, offset) = self.find(row)?;
        let own = (offset > 0).then_some(at);
        let mut around = own.into_iter().chain(self.around(at));
        around.find_map(|at| self.heading(at))
    }

    /// The row of a group that comes after `offset` others of it, or the innermost heading around it that is shown.
    pub fn nearest(&self, at: usize, offset: usize) -> Option<usize> {
        let mut groups = [at].into_iter().chain(self.around(at));
        let own = self.row(at, offset);
        own.or_else(|| groups.find_map(|at| self.heading(at)))
    }

    /// The row of the heading of a group, if it has one that is shown.
    pub fn heading(&self, at: usize) -> Option<usize> {
        self.row(at, 0).filter(|_| self.extents[at].n_own > 0)
    }

    /// The row that a step of folding selects, and the groups that it opens or closes there. `level` is that of a group that folds, from
    /// 1. `None` if the step does nothing.
    pub fn fold(
        &self,
        row: usize,
        step: FoldStep,
        level: impl Fn(usize) -> Option<u16>,
    ) -> Option<(usize, Vec<usize>)> {
        let own = || self.fold_of(row, &level);
        let flipped = match step {
            FoldStep::Toggle => own().into_iter().collect(),
            FoldStep::Below => {
                let all = own().into_iter().flat_map(|at| at..self.below(at).end);
                let closed = all.filter(|at| level(*at).is_some() && !self.is_open(*at));
                closed.collect::<Vec<_>>()
            }
            FoldStep::Level(n) => {
                let is_other =
                    |at: &usize| level(*at).is_some_and(|it| (it <= n) != self.is_open(*at));
                (0..self.extents.len()).filter(is_other).collect()
            }
            FoldStep::Out => return Some((self.row_around(row)?, Vec::new())),
            FoldStep::OutAndClose => {
                // A row that does not fold is closed with the group around it.
                let around = self.row_around(row)?;
                return match self.fold_of(around, &level) {
                    Some(at) if self.is_open(at) => Some((around, vec![at])),
                    Some(_) | None => self.fold(around, step, level),
                };
            }
            FoldStep::Enter | FoldStep::Into | FoldStep::Nothing => Vec::new(),
        };
        (!flipped.is_empty()).then_some((row, flipped))
    }

    /// The group that a row opens and closes.
    pub fn fold_of(&self, row: usize, level: impl Fn(usize) -> Option<u16>) -> Option<usize> {
        let (at, offset) = self.find(row)?;
        (offset == 0 && level(at).is_some()).then_some(at)
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

    #[test]
    fn a_step_of_folding_opens_and_closes_groups() {
        use FoldStep::{Below, Enter, Level, Out, OutAndClose, Toggle};
        // A title with a closed group, an open one that has two own rows, and one that does not fold.
        let groups = groups(&[
            (0, 1, 0, true),
            (1, 1, 2, false),
            (1, 2, 2, true),
            (1, 1, 0, false),
        ]);
        let level = |at: usize| [Some(1), Some(2), Some(2), None][at];
        let cases = [
            (0, Toggle, Some((0, vec![0]))),
            (3, Toggle, None),
            (0, Out, None),
            (5, Out, Some((2, vec![]))),
            (5, OutAndClose, Some((2, vec![2]))),
            (6, OutAndClose, Some((0, vec![0]))),
            (0, Below, Some((0, vec![1]))),
            (2, Below, None),
            (4, Level(0), Some((4, vec![0, 2]))),
            (4, Level(1), Some((4, vec![2]))),
            (4, Level(u16::MAX), Some((4, vec![1]))),
            (4, Enter, None),
        ];
        for (row, step, want) in cases {
            assert_eq!(groups.fold(row, step, level), want, "{row} {step:?}");
        }
        assert_eq!(groups.nearest(1, 1), Some(1));
        assert_eq!(groups.nearest(2, 1), Some(3));
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
