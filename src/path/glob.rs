//! Paths with splats.

use std::fmt;
use std::sync::Arc;

use super::{Miss, MissKind, Path, Segment, children, parse, write_key};
use crate::text::ParseError;
use crate::value::Value;

/// One step of a glob.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GlobSegment {
    /// The value of this key.
    Key(Arc<str>),
    /// This element.
    Index(usize),
    /// Every value one step down.
    Splat,
    /// Any number of steps, including none (`**`). In the tolerant spelling only.
    Deep,
}

/// A pattern of paths.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Glob(pub Vec<GlobSegment>);

impl Glob {
    /// Reads the newer language.
    ///
    /// # Errors
    ///
    /// On the empty text, and on syntax errors.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        parse::glob(text)
    }

    /// Reads a path as a person types it: the newer or the older language, `**`, an optional head `root`, a leading dot. The
    /// empty text is the top. A key that is really named `root` is written `["root"]` at the head.
    ///
    /// # Errors
    ///
    /// On an unclosed bracket or quote, a trailing dot, and text after a bracket.
    pub fn parse_tolerant(text: &str) -> Result<Self, ParseError> {
        parse::tolerant(text)
    }

    /// The text that [`Glob::parse_tolerant`] reads as this glob: as it prints, but the top is `root`, and a key named `root`
    /// at the head is in quotes.
    pub fn to_tolerant(&self) -> String {
        match self.0.first() {
            None => "root".to_owned(),
            Some(GlobSegment::Key(key)) if &**key == "root" => {
                format!("[\"root\"]{}", &self.to_string()["root".len()..])
            }
            Some(_) => self.to_string(),
        }
    }

    /// This glob as a path; `None` if it has a splat.
    pub fn as_path(&self) -> Option<Path> {
        self.0
            .iter()
            .map(|segment| match segment {
                GlobSegment::Key(key) => Some(Segment::Key(key.clone())),
                GlobSegment::Index(index) => Some(Segment::Index(*index)),
                GlobSegment::Splat | GlobSegment::Deep => None,
            })
            .collect()
    }

    /// True if the glob has a splat or `**`, so that it may name several values.
    pub fn has_wildcard(&self) -> bool {
        self.as_path().is_none()
    }

    /// Every value that the glob names below `value`, with its path, in the order of the tree. An empty container under a splat
    /// names nothing.
    ///
    /// # Errors
    ///
    /// If any branch lacks a key or an element, or has a value that is not a container under a splat: then there is no answer
    /// at all. A glob with `**` never fails.
    pub fn get<'v>(&self, value: &'v Value) -> Result<Vec<(Path, &'v Value)>, Miss> {
        if self.0.contains(&GlobSegment::Deep) {
            return Ok(self.find(value));
        }
        let mut found = vec![(Path::root(), value)];
        for (n_steps, segment) in self.0.iter().enumerate() {
            let mut next = Vec::with_capacity(found.len());
            for (path, value) in found {
                expand(segment, &path, value, &mut next).map_err(|why| Miss {
                    n_steps,
                    found: value.clone(),
                    why,
                })?;
            }
            found = next;
        }
        Ok(found)
    }

    /// Like [`Glob::get`], but skips the branches that lack something. In the order of the tree, and each place once, however
    /// many readings of `**` lead to it.
    pub fn find<'v>(&self, value: &'v Value) -> Vec<(Path, &'v Value)> {
        let mut found = Vec::new();
        // No recursion: a value may be a thousand levels deep.
        let mut waiting = vec![(self.start(), Path::root(), value)];
        while let Some((reached, path, value)) = waiting.pop() {
            let from = waiting.len();
            for (step, value) in children(value) {
                let reached = self.advance(&reached, Some(&step));
                if reached.contains(&true) {
                    waiting.push((reached, path.child(step), value));
                }
            }
            waiting[from..].reverse();
            if is_done(&reached) {
                found.push((path, value));
            }
        }
        found
    }

    /// True if the glob names `path` itself.
    pub fn fits(&self, path: &Path) -> bool {
        let steps = path.0.iter();
        let reached = steps.fold(self.start(), |reached, step| {
            self.advance(&reached, Some(step))
        });
        is_done(&reached)
    }

    /// True if the glob names `path` or something above it: a prefix match.
    pub fn matches(&self, path: &Path) -> bool {
        let mut reached = self.start();
        let mut steps = path.0.iter();
        loop {
            if is_done(&reached) {
                return true;
            }
            let Some(step) = steps.next() else {
                return false;
            };
            reached = self.advance(&reached, Some(step));
        }
    }

    /// The first `n` steps of the glob.
    #[must_use]
    pub fn first(&self, n: usize) -> Self {
        Self(self.0.iter().take(n).cloned().collect())
    }

    /// For each number of steps of the glob, true if that many can be taken at the top. The last entry is for the whole glob.
    ///
    /// This and [`Glob::advance`] match many paths at once: a tree of paths is walked, and what was reached above is kept.
    pub fn start(&self) -> Vec<bool> {
        let mut reached = vec![false; self.0.len() + 1];
        reached[0] = true;
        self.spread(&mut reached);
        reached
    }

    /// The segments of the glob that are reached one step below `reached`. `None` is a step to an element or key that is not known.
    #[must_use]
    pub fn advance(&self, reached: &[bool], step: Option<&Segment>) -> Vec<bool> {
        let mut after = vec![false; reached.len()];
        for (done, segment) in self.0.iter().enumerate() {
            if !reached[done] {
                continue;
            }
            match segment {
                GlobSegment::Deep => after[done] = true,
                GlobSegment::Splat => after[done + 1] = true,
                GlobSegment::Key(key) => {
                    let is_key = |step: &Segment| matches!(step, Segment::Key(it) if it == key);
                    after[done + 1] |= step.is_none_or(is_key);
                }
                GlobSegment::Index(index) => {
                    after[done + 1] |= step.is_none_or(|step| *step == Segment::Index(*index));
                }
            }
        }
        self.spread(&mut after);
        after
    }

    /// Marks the step after each reached `**` as reached too: `**` may be no step at all.
    fn spread(&self, reached: &mut [bool]) {
        for (done, segment) in self.0.iter().enumerate() {
            if reached[done] && *segment == GlobSegment::Deep {
                reached[done + 1] = true;
            }
        }
    }
}

fn is_done(reached: &[bool]) -> bool {
    reached.last() == Some(&true)
}

/// Adds the values one step of `segment` below `value`.
fn expand<'v>(
    segment: &GlobSegment,
    path: &Path,
    value: &'v Value,
    found: &mut Vec<(Path, &'v Value)>,
) -> Result<(), MissKind> {
    let step = match segment {
        GlobSegment::Key(key) => Segment::Key(key.clone()),
        GlobSegment::Index(index) => Segment::Index(*index),
        // `get` leaves `**` to `find`.
        GlobSegment::Splat | GlobSegment::Deep => {
            if value.as_map().is_none() && value.as_array().is_none() {
                return Err(MissKind::NoContainer);
            }
            found.extend(children(value).map(|(step, value)| (path.child(step), value)));
            return Ok(());
        }
    };
    let value = step.step(value)?;
    found.push((path.child(step), value));
    Ok(())
}

impl From<&Path> for Glob {
    fn from(path: &Path) -> Self {
        let segments = path.0.iter().map(|segment| match segment {
            Segment::Key(key) => GlobSegment::Key(key.clone()),
            Segment::Index(index) => GlobSegment::Index(*index),
        });
        Self(segments.collect())
    }
}

/// The newer language, splats as `[*]`; `**` as in the tolerant spelling.
impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.0.iter().enumerate() {
            match segment {
                GlobSegment::Key(key) => write_key(f, index == 0, key)?,
                GlobSegment::Index(element) => write!(f, "[{element}]")?,
                GlobSegment::Splat => f.write_str("[*]")?,
                GlobSegment::Deep if index == 0 => f.write_str("**")?,
                GlobSegment::Deep => f.write_str(".**")?,
            }
        }
        Ok(())
    }
}
