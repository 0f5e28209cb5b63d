//! Wildcards of fields: `type:aws:s3/*`.
//!
//! The `*` here is not the one of a path glob: it matches any characters, `.` and `/` included.

use super::word::{Anchor, Word};

/// The pattern for a field.
///
/// A text without a wildcard is searched for anywhere, or at the ends given by `^` and `$`. A text with `*` (any number of
/// characters) or `?` (one character) has to match the whole field. A lower case text ignores case; see [`Word`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wild {
    /// A text without wildcards.
    Part(Word),
    /// A text with wildcards, which has to match the whole field.
    Whole {
        /// The pattern, folded to lower case if `fold`.
        pattern: Vec<char>,
        /// True if case is ignored.
        fold: bool,
    },
}

impl Wild {
    /// The wildcard for `text`.
    pub fn new(text: &str) -> Self {
        if text.contains(['*', '?']) {
            let fold = !text.chars().any(char::is_uppercase);
            return Self::Whole {
                pattern: text.chars().collect(),
                fold,
            };
        }
        let (text, start) = text
            .strip_prefix('^')
            .map_or((text, false), |rest| (rest, true));
        let (text, end) = text
            .strip_suffix('$')
            .map_or((text, false), |rest| (rest, true));
        Self::Part(Word::new(
            text,
            match (start, end) {
                (true, true) => Anchor::Whole,
                (true, false) => Anchor::Start,
                (false, true) => Anchor::End,
                (false, false) => Anchor::Exact,
            },
        ))
    }

    /// True if the whole of `text` matches, also without a wildcard.
    pub(super) fn matches_whole(&self, text: &str) -> bool {
        match self {
            Self::Part(word) if word.anchor() == Anchor::Exact => {
                word.text().is_empty() || word.text().eq_ignore_ascii_case(text)
            }
            Self::Part(_) | Self::Whole { .. } => self.matches(text),
        }
    }

    /// True if `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Part(word) => word.find(text).is_some(),
            Self::Whole { pattern, fold } => whole(pattern, *fold, text),
        }
    }
}

/// Matches with a single backtracking position: linear for patterns without `*`, and at worst the product of both lengths.
fn whole(pattern: &[char], fold: bool, text: &str) -> bool {
    let text: Vec<char> = if fold {
        text.chars().flat_map(char::to_lowercase).collect()
    } else {
        text.chars().collect()
    };
    let (mut at, mut next) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(next) {
            Some('*') => {
                retry = Some((next, at));
                next += 1;
            }
            Some(char) if *char == '?' || *char == text[at] => {
                at += 1;
                next += 1;
            }
            _ => match &mut retry {
                Some((star, from)) => {
                    *from += 1;
                    at = *from;
                    next = *star + 1;
                }
                None => return false,
            },
        }
    }
    pattern[next..].iter().all(|char| *char == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, text: &str, want: bool) {
        assert_eq!(
            Wild::new(pattern).matches(text),
            want,
            "{pattern} on {text}"
        );
    }

    #[test]
    fn a_text_without_wildcards_is_found_anywhere() {
        check("rds", "aws:rds/instance:Instance", true);
        check("instance", "aws:rds/instance:Instance", true);
        check("Instance", "aws:rds/instance:Cluster", false);
        check("^aws", "aws:rds/instance:Instance", true);
        check("^rds", "aws:rds/instance:Instance", false);
        check("Instance$", "aws:rds/instance:Instance", true);
        check("^web$", "web-1", false);
        check("", "anything", true);
    }

    #[test]
    fn wildcards_compare_the_whole() {
        check("aws:s3/*", "aws:s3/bucket:Bucket", true);
        check("s3/*", "aws:s3/bucket:Bucket", false);
        check("*:Bucket", "aws:s3/bucket:Bucket", true);
        check("aws:*/b*:*", "aws:s3/bucket:Bucket", true);
        check("web-?", "web-1", true);
        check("web-?", "web-10", false);
        check("*", "", true);
        check("a*b*c", "aXbYbZc", true);
        check("AWS*", "aws:s3", false);
    }
}
