//! Scattered matches: the letters of a word in order, with others between. The one home of fuzzy-matcher.

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

/// A way to score scattered matches. The crate behind it is old; this is all that is asked of one.
pub(super) trait Fuzzy {
    /// How well the letters of `pattern` lie in `text`, and the positions (in characters) where; `None` if they are not all
    /// there in order. Lower case letters of the pattern mean either case if it has no upper case one.
    fn scatter(&self, text: &str, pattern: &str) -> Option<(i64, Vec<usize>)>;
}

/// Skim's algorithm.
pub(super) struct Skim(SkimMatcherV2);

impl Default for Skim {
    fn default() -> Self {
        Self(SkimMatcherV2::default().smart_case())
    }
}

impl Fuzzy for Skim {
    fn scatter(&self, text: &str, pattern: &str) -> Option<(i64, Vec<usize>)> {
        self.0.fuzzy_indices(text, pattern)
    }
}
