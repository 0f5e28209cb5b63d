//! Property paths: the address of a value inside a resource.
//!
//! A path is a list of steps from the top of a set of properties: keys of maps and elements of arrays. There are two languages,
//! which differ in what they accept and how they print, and a tolerant spelling for people:
//!
//! | | [`Path`], [`Glob`] | [`LegacyPath`](crate::pulumi::legacy_path::LegacyPath) | [`Glob::parse_tolerant`] |
//! |---|---|---|---|
//! | where | new engine interfaces | `ignoreChanges`, `hideDiff`, keys of `detailedDiff` | search bar, command line |
//! | bare key | `[A-Za-z_][A-Za-z0-9_]*` | anything up to `.` or `[` | anything up to `.` or `[` |
//! | quoted key | `["…"]` with Go's escapes | `["…"]`, only `\"` is an escape | either |
//! | element | `[3]` | `[3]`, `[+3]`, `[-1]`, `[007]` | `[3]` |
//! | any step | `*`, `[*]` | the key `*`, however it is spelt | `*`, `[*]`; `**` for any number of steps |
//! | the key `*` | `["*"]` | cannot be named | `["*"]` |
//! | head | – | – | a leading `root` is the top |
//! | the top | no text | the empty text | `root`, or the empty text |
//!
//! # Laws
//!
//! 1. `parse(print(path)) == path` in each language, for every path that it can print.
//! 2. A path sees through markers: the value it finds has its own markers and none from above. Secrets stay marked at their
//!    level. Code that shows a value found by a path must first ask [`Path::crosses_secret`].
//! 3. `path.get(&path.set(value, to)?) == to`. Setting may add a key to a map, never an element to an array, and drops the
//!    markers of every container that it rebuilds, because those described the old contents.
//! 4. The older operations do not see through markers; see [`LegacyPath`](crate::pulumi::legacy_path::LegacyPath).
//!
//! # Example
//!
//! ```
//! use stacklens::path::{Glob, Path, Segment};
//!
//! let path = Path::parse(r#"tags["a key"][0]"#)?;
//! assert_eq!(path.0[1], Segment::from("a key"));
//! assert_eq!(path.to_string(), r#"tags["a key"][0]"#);
//! assert!(Glob::parse("tags.*")?.matches(&path));
//! assert_eq!(Glob::parse_tolerant("root.a-b.*")?.to_string(), r#"["a-b"][*]"#);
//! # Ok::<(), stacklens::text::ParseError>(())
//! ```
//!
//! # Source
//!
//! The type system specification, "Property paths"; pulumi/pulumi `sdk/go/property/{path,glob}.go` and
//! `sdk/go/common/resource/properties_path.go`.

mod glob;
mod parse;

use std::fmt::{self, Write as _};
use std::sync::Arc;

pub use glob::{Glob, GlobSegment};

use crate::text::{ParseError, has_word};
use crate::value::{Array, Map, Payload, Value};

/// One step into a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Segment {
    /// The value of a key of a map.
    Key(Arc<str>),
    /// The element of an array, counted from 0.
    Index(usize),
}

/// The way from the top of a set of properties to one value. The empty path is the top.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Path(pub Vec<Segment>);

/// The place where a path leaves the value, and the reason.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{why} after {n_steps} steps")]
pub struct Miss {
    /// Number of steps that could be taken.
    pub n_steps: usize,
    /// The value there.
    pub found: Value,
    /// The reason why the next step cannot be taken.
    pub why: MissKind,
}

/// The reason why a step cannot be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MissKind {
    /// The map has no such key.
    #[error("no such key")]
    NoKey,
    /// The array has no such element.
    #[error("no such element")]
    NoElement,
    /// A key needs a map.
    #[error("no map")]
    NoMap,
    /// An index needs an array.
    #[error("no array")]
    NoArray,
    /// A splat needs a map or an array.
    #[error("neither a map nor an array")]
    NoContainer,
}

impl Path {
    /// The top.
    pub fn root() -> Self {
        Self::default()
    }

    /// Reads the newer language, without splats.
    ///
    /// # Errors
    ///
    /// On the empty text, on a splat, and on syntax errors.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let glob = Glob::parse(text)?;
        let is_splat = |step: &GlobSegment| matches!(step, GlobSegment::Splat | GlobSegment::Deep);
        glob.as_path().ok_or_else(|| {
            let n_before = glob.0.iter().position(is_splat);
            parse::splat(text, n_before.unwrap_or(0))
        })
    }

    /// The keys of the path, from the top on.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Arc<str>> {
        self.0.iter().filter_map(|segment| match segment {
            Segment::Key(key) => Some(key),
            Segment::Index(_) => None,
        })
    }

    /// This path and one more step.
    #[must_use]
    pub fn child(&self, segment: Segment) -> Self {
        let mut segments = Vec::with_capacity(self.0.len() + 1);
        segments.extend_from_slice(&self.0);
        segments.push(segment);
        Self(segments)
    }

    /// The value at this path below `value`, seen through markers; `None` if a key or an element is missing.
    pub fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.find(value).ok()
    }

    /// Like [`Path::get`], but also through the fields of assets and archives ([`Value::fields`]).
    pub fn reach(&self, value: &Value) -> Option<Value> {
        let mut reached = value.clone();
        for segment in &self.0 {
            let container = reached.fields().unwrap_or(reached);
            reached = segment.step(&container).ok()?.clone();
        }
        Some(reached)
    }

    /// Like [`Path::get`], but the error says where and why the path leaves the value.
    pub fn find<'v>(&self, value: &'v Value) -> Result<&'v Value, Miss> {
        let mut found = value;
        for (n_steps, segment) in self.0.iter().enumerate() {
            found = segment.step(found).map_err(|why| Miss {
                n_steps,
                found: found.clone(),
                why,
            })?;
        }
        Ok(found)
    }

    /// True if there is a secret at this path or above it, as far as the path can be followed. The value must then not be shown.
    pub fn crosses_secret(&self, value: &Value) -> bool {
        self.first_secret(value).is_some()
    }

    /// Number of steps to the first secret at this path or above it; `None` if there is no secret as far as the path can be
    /// followed.
    pub(crate) fn first_secret(&self, value: &Value) -> Option<usize> {
        let mut found = value;
        for (n_steps, segment) in self.0.iter().enumerate() {
            if found.is_secret() {
                return Some(n_steps);
            }
            found = segment.step(found).ok()?;
        }
        found.is_secret().then_some(self.0.len())
    }

    /// `value` with `to` at this path. The last key may be new; everything else that the path names must exist.
    pub fn set(&self, value: &Value, to: &Value) -> Result<Value, Miss> {
        self.change(value, &|container, last| match (container, last) {
            (Payload::Map(map), Segment::Key(key)) => {
                Ok(Payload::Map(map.clone().set(key.clone(), to.clone())))
            }
            (Payload::Map(_), Segment::Index(_)) => Err(MissKind::NoArray),
            (Payload::Array(items), Segment::Index(index)) => items
                .clone()
                .set(*index, to.clone())
                .map(Payload::Array)
                .ok_or(MissKind::NoElement),
            (_, _) => Err(MissKind::NoMap),
        })
        .map(|changed| changed.unwrap_or_else(|| to.clone()))
    }

    /// `value` without the value at this path. A key or an element is removed, and later elements move down. Deleting the top
    /// gives null.
    pub fn delete(&self, value: &Value) -> Result<Value, Miss> {
        self.change(value, &|container, last| match (container, last) {
            (Payload::Map(map), Segment::Key(key)) if map.contains_key(key) => {
                Ok(Payload::Map(map.clone().delete(key)))
            }
            (Payload::Array(items), Segment::Index(index)) if *index < items.len() => {
                let kept = items.iter().enumerate().filter(|(at, _)| at != index);
                Ok(Payload::Array(kept.map(|(_, item)| item.clone()).collect()))
            }
            (Payload::Map(_), Segment::Key(_)) => Err(MissKind::NoKey),
            (Payload::Array(_), Segment::Index(_)) => Err(MissKind::NoElement),
            (_, Segment::Key(_)) => Err(MissKind::NoMap),
            (_, Segment::Index(_)) => Err(MissKind::NoArray),
        })
        .map(Option::unwrap_or_default)
    }

    /// True if `other` is at or below this path.
    pub fn contains(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }

    /// The key of the first step, if that is a key.
    pub fn first_key(&self) -> Option<&Arc<str>> {
        match self.0.first()? {
            Segment::Key(key) => Some(key),
            Segment::Index(_) => None,
        }
    }

    /// The last key: the name of the property, which may be a list around an element.
    pub fn last_key(&self) -> Option<&str> {
        self.0.iter().rev().find_map(|step| match step {
            Segment::Key(key) => Some(&**key),
            Segment::Index(_) => None,
        })
    }

    /// True if one of these words, which are singular, is in a key.
    pub(crate) fn has_word(&self, words: &[impl AsRef<str>]) -> bool {
        let has = |step: &Segment| matches!(step, Segment::Key(key) if has_word(key, words));
        self.0.iter().any(has)
    }

    /// Changes the innermost container by `change`, which gets the last step, and rebuilds those above it; `None` for the top.
    fn change(
        &self,
        value: &Value,
        change: &dyn Fn(&Payload, &Segment) -> Result<Payload, MissKind>,
    ) -> Result<Option<Value>, Miss> {
        let Some((last, above)) = self.0.split_last() else {
            return Ok(None);
        };
        let mut containers = vec![value];
        for (n_steps, segment) in above.iter().enumerate() {
            let found = containers[n_steps];
            containers.push(segment.step(found).map_err(|why| Miss {
                n_steps,
                found: found.clone(),
                why,
            })?);
        }
        let innermost = containers[above.len()];
        let mut rebuilt = change(innermost.payload(), last).map_err(|why| Miss {
            n_steps: above.len(),
            found: innermost.clone(),
            why,
        })?;
        for (container, segment) in containers.iter().zip(above).rev() {
            let inner = Value::new(rebuilt);
            rebuilt = match (container.payload(), segment) {
                (Payload::Map(map), Segment::Key(key)) => {
                    Payload::Map(map.clone().set(key.clone(), inner))
                }
                (Payload::Array(items), Segment::Index(index)) => {
                    Payload::Array(items.clone().set(*index, inner).unwrap_or_default())
                }
                (other, _) => other.clone(),
            };
        }
        Ok(Some(Value::new(rebuilt)))
    }

    /// The path for a person to copy: as it prints, but so that [`Glob::parse_tolerant`] and every Pulumi tool read it alike.
    /// The top is `root`, a key named `root` at the head is in quotes.
    pub fn to_tolerant(&self) -> String {
        if self.0.is_empty() {
            return "root".to_owned();
        }
        let mut text = String::new();
        self.0
            .iter()
            .for_each(|segment| segment.push_onto(&mut text));
        text
    }

    /// The path as a JSON pointer (RFC 6901): `/tags/a~1b/0`; "" for the top.
    pub fn to_json_pointer(&self) -> String {
        self.0.iter().fold(String::new(), |mut pointer, segment| {
            match segment {
                Segment::Key(key) => {
                    pointer.push('/');
                    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
                }
                // Writing to a string cannot fail.
                Segment::Index(index) => _ = write!(pointer, "/{index}"),
            }
            pointer
        })
    }

    /// The path as a jq filter: `.tags["a b"][0]`; `.` for the top.
    pub fn to_jq(&self) -> String {
        let mut filter = String::new();
        for segment in &self.0 {
            match segment {
                Segment::Key(key) if is_identifier(key) => _ = write!(filter, ".{key}"),
                Segment::Key(key) => {
                    filter.push_str(if filter.is_empty() { ".[" } else { "[" });
                    _ = crate::json::write_string(&mut filter, key);
                    filter.push(']');
                }
                Segment::Index(index) => {
                    let dot = if filter.is_empty() { "." } else { "" };
                    _ = write!(filter, "{dot}[{index}]");
                }
            }
        }
        if filter.is_empty() {
            filter.push('.');
        }
        filter
    }
}

impl Segment {
    /// The step that a value of JSON names: a text a key, a whole number an element.
    pub(crate) fn of_json(step: &Value) -> Option<Self> {
        if let Some(key) = step.as_str() {
            return Some(Self::from(key));
        }
        let index = step.as_number()?.to_i64()?;
        Some(Self::from(usize::try_from(index).ok()?))
    }

    pub(crate) fn step<'v>(&self, value: &'v Value) -> Result<&'v Value, MissKind> {
        match (self, value.payload()) {
            (Self::Key(key), Payload::Map(map)) => map.get(key).ok_or(MissKind::NoKey),
            (Self::Index(index), Payload::Array(items)) => {
                items.get(*index).ok_or(MissKind::NoElement)
            }
            (Self::Key(_), _) => Err(MissKind::NoMap),
            (Self::Index(_), _) => Err(MissKind::NoArray),
        }
    }
}

/// The values one step below a value, with their steps: those of a map in its order of keys, or the elements of an array; nothing
/// for any other value.
pub fn children(value: &Value) -> impl Iterator<Item = (Segment, &Value)> {
    let (map, items): (Option<&Map>, Option<&Array>) = (value.as_map(), value.as_array());
    let entries = map.into_iter().flatten();
    let entries = entries.map(|(key, value)| (Segment::Key(key.clone()), value));
    let items = items.into_iter().flatten().enumerate();
    entries.chain(items.map(|(index, item)| (Segment::Index(index), item)))
}

/// Calls `found` with `value`, which is at `path`, and with the values below it, each with its path. Goes below a value for which
/// `found` returns true.
pub(crate) fn walk(value: &Value, path: &mut Path, found: &mut dyn FnMut(&Path, &Value) -> bool) {
    if found(path, value) {
        for (step, below) in children(value) {
            path.0.push(step);
            walk(below, path, found);
            path.0.pop();
        }
    }
}

impl From<&str> for Segment {
    fn from(key: &str) -> Self {
        Self::Key(key.into())
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl FromIterator<Segment> for Path {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

/// The newer language: bare keys where they are identifiers, `["…"]` with Go's escapes elsewhere, `[3]` for elements; "" for the
/// top, which has no spelling there.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) => write_key(f, index == 0, key)?,
                Segment::Index(element) => write!(f, "[{element}]")?,
            }
        }
        Ok(())
    }
}

impl Segment {
    /// Appends this step to the text of the path before it, in the spelling of [`Path::to_tolerant`]. The text of the top is "" here.
    pub fn push_onto(&self, text: &mut String) {
        let is_first = text.is_empty();
        // Writing to a string cannot fail.
        _ = match self {
            // A leading `root` is the top.
            Self::Key(key) if is_first && &**key == "root" => write!(text, "[\"root\"]"),
            Self::Key(key) => write_key(text, is_first, key),
            Self::Index(element) => write!(text, "[{element}]"),
        };
    }
}

fn write_key(f: &mut impl fmt::Write, is_first: bool, key: &str) -> fmt::Result {
    if is_identifier(key) {
        f.write_str(if is_first { "" } else { "." })?;
        f.write_str(key)
    } else {
        f.write_str("[")?;
        crate::text::write_quoted(f, key.as_bytes())?;
        f.write_str("]")
    }
}

fn is_identifier(key: &str) -> bool {
    key.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && key
            .bytes()
            .next()
            .is_some_and(|byte| !byte.is_ascii_digit())
}

#[cfg(test)]
pub(crate) mod tests;
