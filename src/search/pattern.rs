//! Property patterns: [`Glob`]s that are matched step by step, so that the tree of all property paths is walked once.

use crate::path::{Glob, GlobSegment, ParseError, Path, Segment};

/// A property pattern: `root.tags.Name`, `tags[*].key`, `["a key"].x`, `**.arn`. It fits a path as a whole.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Pattern {
    glob: Glob,
}

impl Pattern {
    /// Reads a pattern in the tolerant spelling.
    ///
    /// # Errors
    ///
    /// See [`Glob::parse_tolerant`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Glob::parse_tolerant(text).map(|glob| Self { glob })
    }

    /// The pattern as a glob.
    pub fn glob(&self) -> &Glob {
        &self.glob
    }

    /// The first `n` steps.
    #[must_use]
    pub fn first(&self, n: usize) -> Self {
        Self {
            glob: Glob(self.glob.0.iter().take(n).cloned().collect()),
        }
    }

    /// Whether the pattern fits `path`.
    pub fn matches(&self, path: &Path) -> bool {
        self.states(path.0.iter().map(Some)).last() == Some(&true)
    }

    /// Whether the pattern fits `path` or a path above it.
    pub fn covers(&self, path: &Path) -> bool {
        let mut states = self.start();
        if states.last() == Some(&true) {
            return true;
        }
        path.0.iter().any(|segment| {
            states = self.advance(&states, Some(segment));
            states.last() == Some(&true)
        })
    }

    /// Which numbers of steps may be done at the top.
    pub(super) fn start(&self) -> Vec<bool> {
        let mut states = vec![false; self.glob.0.len() + 1];
        states[0] = true;
        self.spread(&mut states);
        states
    }

    /// Which numbers of steps may be done one segment further down; `None` is a segment that the index does not tell apart.
    pub(super) fn advance(&self, states: &[bool], segment: Option<&Segment>) -> Vec<bool> {
        let mut after = vec![false; states.len()];
        for (done, step) in self.glob.0.iter().enumerate() {
            if !states[done] {
                continue;
            }
            match step {
                GlobSegment::Deep => after[done] = true,
                GlobSegment::Splat => after[done + 1] = true,
                GlobSegment::Key(key) => {
                    after[done + 1] |= segment.is_none_or(
                        |segment| matches!(segment, Segment::Key(other) if other == key),
                    );
                }
                GlobSegment::Index(index) => {
                    after[done + 1] |=
                        segment.is_none_or(|segment| *segment == Segment::Index(*index));
                }
            }
        }
        self.spread(&mut after);
        after
    }

    /// `**` may stand for nothing.
    fn spread(&self, states: &mut [bool]) {
        for (done, step) in self.glob.0.iter().enumerate() {
            if states[done] && *step == GlobSegment::Deep {
                states[done + 1] = true;
            }
        }
    }

    fn states<'p>(&self, segments: impl Iterator<Item = Option<&'p Segment>>) -> Vec<bool> {
        segments.fold(self.start(), |states, segment| {
            self.advance(&states, segment)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, path: Vec<Segment>, want: bool) {
        let pattern_ = Pattern::parse(pattern).unwrap();
        assert_eq!(pattern_.matches(&Path(path)), want, "{pattern}");
    }

    #[test]
    fn patterns_fit_whole_paths() {
        check("root.tags.Name", vec!["tags".into(), "Name".into()], true);
        check("tags.Name", vec!["tags".into(), "Name".into()], true);
        check("tags", vec!["tags".into(), "Name".into()], false);
        check(
            "tags[*].key",
            vec!["tags".into(), 3.into(), "key".into()],
            true,
        );
        check("tags.*", vec!["tags".into(), "Name".into()], true);
        check(r#"["a key"].x"#, vec!["a key".into(), "x".into()], true);
        check(r#"["root"]"#, vec!["root".into()], true);
        check("root", vec![], true);
        check("tags[0]", vec!["tags".into(), 0.into()], true);
        check("tags[0]", vec!["tags".into(), "0".into()], false);
    }

    #[test]
    fn two_stars_stand_for_any_number() {
        check("**.arn", vec!["arn".into()], true);
        check("**.arn", vec!["a".into(), 0.into(), "arn".into()], true);
        check("**.arn", vec!["arn".into(), "x".into()], false);
        check("a.**", vec!["a".into()], true);
        check("a.**.b", vec!["a".into(), "x".into(), "b".into()], true);
        check("**", vec![], true);
    }

    #[test]
    fn covers_what_lies_below() {
        let pattern = Pattern::parse("tags.*").unwrap();
        assert!(pattern.covers(&Path(vec!["tags".into(), "a".into(), 0.into()])));
        assert!(!pattern.covers(&Path(vec!["tags".into()])));
    }

    #[test]
    fn errors_have_their_column() {
        for (text, column) in [
            ("tags[", 5),
            ("tags[x]", 5),
            ("tags.", 5),
            ("tags[\"a", 7),
            ("tags[0]x", 7),
        ] {
            assert_eq!(Pattern::parse(text).unwrap_err().offset, column, "{text}");
        }
    }
}
