//! A test of the bytes of a whole file, before it is parsed.

use super::values::{Needle, needle_of};
use super::{Query, query::Alternative};

/// Rules out files that hold no hit of a query, by their bytes.
///
/// Law: a JSON file in which some text is a hit contains the needle, in every way that JSON has to write it. The slow twin is to parse
/// the file; a test asks a fleet with and without it.
pub struct Prefilter(Needle);

impl Prefilter {
    /// The test for a query; `None` if bytes rule out nothing. It looks for the longest text that values of each alternative have to
    /// contain.
    pub fn of(query: &Query) -> Option<Self> {
        let texts = query
            .alternatives
            .iter()
            .map(Alternative::as_slice)
            .map(needle_of);
        let needle = Needle::new(&texts.collect::<Vec<_>>());
        (!needle.is_everywhere()).then_some(Self(needle))
    }

    /// True if the bytes may hold a hit.
    pub fn may_hit(&self, bytes: &[u8]) -> bool {
        self.0.find(bytes).is_some()
    }

    /// Maximum number of bytes of a match past its first byte. Pieces of a file have to overlap by as many.
    pub fn reach(&self) -> usize {
        usize::try_from(self.0.reach()).unwrap_or(usize::MAX)
    }
}
