//! A block of resources, column by column, so that what is asked of all of them is asked in short loops.

use std::ops::Range;

use crate::search::Index;
use crate::search::index::OTHER;
use crate::stack::ResourceId;

/// How many resources make a block: few enough for the fastest memory.
pub(super) const LEN: usize = 2048;

/// What the index says of the resources of a block; by position in it.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) ids: Vec<ResourceId>,
    /// The letters of the names.
    pub(super) letters: Vec<u64>,
    /// The first letters of the names.
    pub(super) firsts: Vec<u8>,
    /// The lengths of the names.
    pub(super) lens: Vec<u8>,
    /// The classes; their number for what is no hit of any search.
    pub(super) classes: Vec<u32>,
    /// Which words the name or the type has, or may have.
    pub(super) known: Vec<u32>,
    /// The positions of those that may be hits.
    pub(super) open: Vec<u32>,
    /// Whether there is a name that is not all ASCII.
    pub(super) has_other: bool,
}

impl Columns {
    /// The resources of a range of `index`.
    pub(super) fn fill(&mut self, index: &Index, range: Range<usize>) {
        self.clear();
        let ids = range
            .clone()
            .map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        self.ids.extend(ids.map(ResourceId));
        self.letters.extend_from_slice(&index.names[range.clone()]);
        self.firsts.extend_from_slice(&index.firsts[range.clone()]);
        self.lens.extend_from_slice(&index.lens[range.clone()]);
        self.classes.extend_from_slice(&index.class_of[range]);
        self.finish(index);
    }

    /// Those of `ids`.
    pub(super) fn gather(&mut self, index: &Index, ids: &[ResourceId]) {
        self.clear();
        self.ids.extend_from_slice(ids);
        let all = || ids.iter().map(|id| id.index());
        self.letters.extend(all().map(|at| index.names[at]));
        self.firsts.extend(all().map(|at| index.firsts[at]));
        self.lens.extend(all().map(|at| index.lens[at]));
        self.classes.extend(all().map(|at| index.class_of[at]));
        self.finish(index);
    }

    fn clear(&mut self) {
        self.ids.clear();
        self.letters.clear();
        self.firsts.clear();
        self.lens.clear();
        self.classes.clear();
    }

    fn finish(&mut self, index: &Index) {
        let n_classes = u32::try_from(index.classes.len()).unwrap_or(u32::MAX);
        for class in &mut self.classes {
            *class = (*class).min(n_classes);
        }
        self.has_other = memchr::memchr(OTHER, &self.firsts).is_some();
    }

    /// Keeps those of the open ones that `keeps` says yes to.
    pub(super) fn retain(&mut self, mut keeps: impl FnMut(&mut Self, usize) -> bool) {
        let mut n_kept = 0;
        for index in 0..self.open.len() {
            let at = self.open[index];
            let is_kept = keeps(self, at as usize);
            self.open[n_kept] = at;
            // Nobody can foretell which, so it is not asked for.
            n_kept += usize::from(is_kept);
        }
        self.open.truncate(n_kept);
    }
}
