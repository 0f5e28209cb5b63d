//! The terms of a grant: a pattern of actions, resources or principals, or everything but some patterns.

use std::cell::Cell;

/// Maximum number of steps in the comparison of two policies. A hostile pattern takes many for each text.
const MAX_STEPS: usize = 30_000_000;

/// A pattern, or all that no pattern of a list matches (`NotAction`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Term {
    /// As the policy has it.
    pub(super) words: String,
    /// The patterns in the form in which they are compared, sorted; one if they are not excluded.
    patterns: Vec<Pattern>,
    is_excluded: bool,
}

/// A text in which `*` is any text and `?` any character.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Pattern {
    text: String,
    /// True if it has neither of them.
    is_plain: bool,
}

impl Pattern {
    fn of(text: String) -> Self {
        let is_plain = !text.contains(['*', '?']);
        Self { text, is_plain }
    }

    fn covers(&self, other: &Self, work: &Work) -> bool {
        if self.is_plain {
            return work.take(1) && self.text == other.text;
        }
        fits(&self.text, &other.text, work)
    }

    fn overlaps(&self, other: &Self, work: &Work) -> bool {
        overlap(&self.text, &other.text, work)
    }
}

/// The steps that are left for a comparison.
#[derive(Debug)]
pub(super) struct Work(Cell<usize>);

impl Work {
    pub(super) fn new() -> Self {
        Self(Cell::new(MAX_STEPS))
    }

    /// True if the work was too much. The answers since then say nothing.
    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// Takes steps. False if none are left.
    fn take(&self, n_steps: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(n_steps));
        !self.is_spent()
    }
}

impl Term {
    /// A pattern.
    pub(super) fn one(words: &str, fold: fn(&str) -> String) -> Self {
        Self {
            words: words.to_owned(),
            patterns: vec![Pattern::of(fold(words))],
            is_excluded: false,
        }
    }

    /// Everything that none of these patterns matches.
    pub(super) fn all_but(words: &[String], fold: fn(&str) -> String) -> Self {
        let patterns = words.iter().map(|text| Pattern::of(fold(text)));
        let mut patterns: Vec<Pattern> = patterns.collect();
        patterns.sort_unstable();
        patterns.dedup();
        Self {
            words: format!("all but {}", words.join(", ")),
            patterns,
            is_excluded: true,
        }
    }

    /// The pattern; `None` if patterns are excluded.
    pub(super) fn pattern(&self) -> Option<&str> {
        let first = self.patterns.first().filter(|_| !self.is_excluded);
        first.map(|pattern| &*pattern.text)
    }

    /// True for `*`, and for everything but a few.
    pub(super) fn is_every(&self) -> bool {
        self.is_excluded || self.pattern() == Some("*")
    }

    /// True if the policy names nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.pattern() == Some("")
    }

    /// True if this term has all that `other` has.
    pub(super) fn covers(&self, other: &Self, work: &Work) -> bool {
        let is_in =
            |pattern: &Pattern, all: &[Pattern]| all.iter().any(|it| it.covers(pattern, work));
        match (self.is_excluded, other.is_excluded) {
            (true, true) => self.patterns.iter().all(|it| is_in(it, &other.patterns)),
            (true, false) => {
                let mut patterns = other.patterns.iter();
                patterns.all(|it| !self.patterns.iter().any(|own| own.overlaps(it, work)))
            }
            (false, true) => self.pattern() == Some("*"),
            (false, false) => {
                let mut patterns = other.patterns.iter();
                patterns.all(|it| is_in(it, &self.patterns))
            }
        }
    }
}

/// True if the pattern of IAM, in which `*` is any text and `?` any character, covers `text`.
pub(in super::super) fn matches(pattern: &str, text: &str) -> bool {
    fits(pattern, text, &Work::new())
}

/// Like [`matches`]; false if the work is too much.
fn fits(pattern: &str, text: &str, work: &Work) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    // The place after the last star, and the place in the text from which it goes on.
    let (mut at, mut in_text, mut star) = (0, 0, None);
    while in_text < text.len() {
        if !work.take(1) {
            return false;
        }
        if pattern.get(at) == Some(&b'*') {
            star = Some((at + 1, in_text));
            at += 1;
        } else if pattern
            .get(at)
            .is_some_and(|byte| *byte == b'?' && text[in_text] != b'*' || *byte == text[in_text])
        {
            at += 1;
            in_text += 1;
        } else if let Some((after, from)) = star {
            star = Some((after, from + 1));
            at = after;
            in_text = from + 1;
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// True if a text fits both patterns, or the work is too much.
fn overlap(one: &str, other: &str, work: &Work) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    // True for each number of bytes of `other` that a text may have passed, at the place in `one`.
    let mut row = vec![false; other.len() + 1];
    row[0] = true;
    for at in 0..=one.len() {
        if !work.take(row.len()) {
            return true;
        }
        let own = one.get(at);
        let mut next = vec![false; row.len()];
        for passed in 0..row.len() {
            if !row[passed] {
                continue;
            }
            let its = other.get(passed);
            // A star passes at once, or takes what the other side has.
            if own == Some(&b'*') {
                next[passed] = true;
            }
            if its == Some(&b'*') || own == Some(&b'*') && its.is_some() {
                row[passed + 1] = true;
            }
            let is_equal = |own: &u8, its: &u8| *own == b'?' || *its == b'?' || own == its;
            match (own, its) {
                (Some(_), Some(b'*')) => next[passed] = true,
                (Some(own), Some(its)) if is_equal(own, its) => next[passed + 1] = true,
                (Some(_), Some(_)) | (None, _) | (_, None) => {}
            }
        }
        if at == one.len() {
            return row[other.len()];
        }
        row = next;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Term {
        Term::one(text, str::to_owned)
    }

    fn all_but(texts: &[&str]) -> Term {
        let texts: Vec<String> = texts.iter().map(|it| (*it).to_owned()).collect();
        Term::all_but(&texts, str::to_owned)
    }

    #[track_caller]
    fn check(term: &Term, other: &Term, want: bool) {
        assert_eq!(term.covers(other, &Work::new()), want, "{term:?} {other:?}");
    }

    #[test]
    fn stars_cover_any_text() {
        for (pattern, text, want) in [
            ("*", "", true),
            ("s3:*", "s3:Get", true),
            ("s3:G*t?bject", "s3:GetPutObject", true),
            ("s3:Get", "s3:*", false),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1b2b3", false),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern, text), want, "{pattern} {text}");
        }
    }

    #[test]
    fn patterns_overlap_if_a_text_fits_both() {
        for (one, other, want) in [
            ("iam:*", "iam:Get", true),
            ("iam:*", "*", true),
            ("iam:*", "s3:*", false),
            ("*:Get*", "s3:*", true),
            ("a*c", "ab", false),
            ("a*c", "?b*", true),
            ("a*b*", "a*c", true),
            ("a?", "a", false),
            ("a", "a", true),
            ("", "*", true),
            ("", "a", false),
        ] {
            assert_eq!(overlap(one, other, &Work::new()), want, "{one} {other}");
            assert_eq!(overlap(other, one, &Work::new()), want, "{other} {one}");
        }
    }

    #[test]
    fn exclusions_are_compared_as_sets() {
        check(&all_but(&["a", "b"]), &all_but(&["b", "a"]), true);
        check(&all_but(&["iam:*"]), &all_but(&["iam:Create*"]), false);
        check(&all_but(&["iam:Create*"]), &all_but(&["iam:*"]), true);
        check(&all_but(&["iam:*"]), &all_but(&["org:*", "iam:*"]), true);
        check(&all_but(&["org:*", "iam:*"]), &all_but(&["iam:*"]), false);
        check(&all_but(&["iam:*"]), &one("s3:Get*"), true);
        check(&all_but(&["iam:*"]), &one("iam:Get"), false);
        check(&all_but(&["iam:*"]), &one("*"), false);
        check(&one("*"), &all_but(&["iam:*"]), true);
        check(&one("s3:*"), &all_but(&["iam:*"]), false);
    }

    #[test]
    fn hostile_patterns_end() {
        let work = Work::new();
        let (pattern, text) = (format!("*{}b", "a".repeat(8000)), "a".repeat(16_000));
        assert!(!one(&pattern).covers(&one(&text), &work));
        assert!(work.is_spent());
        let work = Work::new();
        assert!(!all_but(&[&pattern]).covers(&one(&text), &work));
        assert!(work.is_spent());
    }
}
