//! Scattered matches: the letters of a word in order, with other letters between them. Only this module uses fuzzy-matcher.

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

/// A scorer of scattered matches. The crate that implements it is old; this trait is all that is needed of it.
pub(super) trait Fuzzy {
    /// The score of the letters of `pattern` in `text`, and their positions in characters; `None` if `text` lacks them in this
    /// order. A pattern without upper case letters ignores case.
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
