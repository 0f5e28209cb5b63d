//! Paths with splats.

use std::fmt;
use std::sync::Arc;

use super::{Miss, MissKind, ParseError, Path, Segment, children, parse, write_key};
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
    /// Any number of steps, none included (`**`). In the tolerant spelling only.
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
    /// On the empty text, and on what the grammar does not allow.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        parse::glob(text)
    }

    /// Reads what a person types: the newer language or the older one, `**`, an optional head `root`, a leading dot; the empty text
    /// is the top. A key that is really named `root` is written `["root"]` at the head.
    ///
    /// # Errors
    ///
    /// On an unclosed bracket or quote, a trailing dot, and text behind a bracket.
    pub fn parse_tolerant(text: &str) -> Result<Self, ParseError> {
        parse::tolerant(text)
    }

    /// The text that [`Glob::parse_tolerant`] reads as this glob: as it prints, but the top is `root`, and a key named `root` at the
    /// head is in quotes.
    pub fn to_tolerant(&self) -> String {
        match self.0.first() {
            None => "root".to_owned(),
            Some(GlobSegment::Key(key)) if &**key == "root" => {
                format!("[\"root\"]{}", &self.to_string()["root".len()..])
            }
            Some(_) => self.to_string(),
        }
    }

    /// The one path that this is, if there is no splat in it.
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

    /// Every value that the glob names below `value`, with its path, in the order of the tree. An empty container under a splat
    /// names nothing.
    ///
    /// # Errors
    ///
    /// If any branch lacks a key or an element, or has something else than a container under a splat: then the whole has no answer.
    /// A glob with `**` lacks nothing.
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

    /// As [`Glob::get`], leaving out the branches that lack something: for searching.
    pub fn find<'v>(&self, value: &'v Value) -> Vec<(Path, &'v Value)> {
        let mut found = Vec::new();
        self.walk(value, &mut |path, value| {
            found.push((Path(path.to_vec()), value));
        });
        found
    }

    /// Calls `visit` with what [`Glob::find`] finds and with the way there: in the order of the tree, and each place once, however many
    /// ways of reading `**` lead to it.
    pub fn walk<'v>(&self, value: &'v Value, visit: &mut dyn FnMut(&[Segment], &'v Value)) {
        if self.0.contains(&GlobSegment::Deep) {
            search(&self.0, &[0], &mut Vec::new(), value, visit);
        } else {
            walk(&self.0, &mut Vec::new(), value, visit);
        }
    }

    /// Whether the glob names `path` or something above it: a prefix match.
    pub fn matches(&self, path: &Path) -> bool {
        // How far into the path each way of matching has come; `**` adds ways.
        let mut reached = vec![0];
        for segment in &self.0 {
            let mut next = Vec::new();
            for at in reached {
                match (segment, path.0.get(at)) {
                    (GlobSegment::Deep, _) => next.extend(at..=path.0.len()),
                    (GlobSegment::Splat, Some(_)) => next.push(at + 1),
                    (GlobSegment::Key(key), Some(Segment::Key(other))) if key == other => {
                        next.push(at + 1);
                    }
                    (GlobSegment::Index(index), Some(Segment::Index(other))) if index == other => {
                        next.push(at + 1);
                    }
                    _ => {}
                }
            }
            next.sort_unstable();
            next.dedup();
            reached = next;
        }
        !reached.is_empty()
    }
}

/// Adds what lies one step of `segment` below `value`.
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

/// Visits what `segments`, of which none is deep, name below `value`, which lies at `path`.
fn walk<'v>(
    segments: &[GlobSegment],
    path: &mut Vec<Segment>,
    value: &'v Value,
    visit: &mut dyn FnMut(&[Segment], &'v Value),
) {
    let Some((first, rest)) = segments.split_first() else {
        visit(path, value);
        return;
    };
    let mut descend = |step: Segment, value| {
        path.push(step);
        walk(rest, path, value, visit);
        path.pop();
    };
    let step = match first {
        GlobSegment::Key(key) => Segment::Key(key.clone()),
        GlobSegment::Index(index) => Segment::Index(*index),
        GlobSegment::Splat | GlobSegment::Deep => {
            for (step, value) in children(value) {
                descend(step, value);
            }
            return;
        }
    };
    if let Ok(value) = step.step(value) {
        descend(step, value);
    }
}

/// As [`walk`], with `**`: every value is looked at once, with all the places of the glob at which a reading may have come there.
fn search<'v>(
    segments: &[GlobSegment],
    reached: &[usize],
    path: &mut Vec<Segment>,
    value: &'v Value,
    visit: &mut dyn FnMut(&[Segment], &'v Value),
) {
    let mut places = reached.to_vec();
    // `**` may be no step at all.
    for place in reached {
        let n_deep = segments[*place..].iter();
        let n_deep = n_deep
            .take_while(|segment| **segment == GlobSegment::Deep)
            .count();
        places.extend(place + 1..=place + n_deep);
    }
    places.sort_unstable();
    places.dedup();
    if places.last() == Some(&segments.len()) {
        visit(path, value);
        places.pop();
    }
    if places.is_empty() {
        return;
    }
    for (step, value) in children(value) {
        let next = places.iter().filter_map(|place| match &segments[*place] {
            GlobSegment::Deep => Some(*place),
            GlobSegment::Splat => Some(place + 1),
            GlobSegment::Key(key) => (step == Segment::Key(key.clone())).then_some(place + 1),
            GlobSegment::Index(index) => (step == Segment::Index(*index)).then_some(place + 1),
        });
        let next: Vec<_> = next.collect();
        if !next.is_empty() {
            path.push(step);
            search(segments, &next, path, value, visit);
            path.pop();
        }
    }
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
