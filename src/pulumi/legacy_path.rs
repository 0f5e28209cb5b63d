//! The older language of property paths, and its operations.

mod reset;

use std::fmt;
use std::sync::Arc;

use crate::path::{Path, Segment};
use crate::text::ParseError;
use crate::value::{Array, Map, Payload, Value};

/// A path of the older language.
///
/// Its operations do not see through markers: a secret value, one with dependencies, or an unknown is opaque, and a path into it
/// misses. Only [`LegacyPath::reset`] looks through secrets.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct LegacyPath(pub Vec<LegacySegment>);

/// One step of the older language.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LegacySegment {
    /// A key; `*` is any one step to `contains` and `reset`, and the key `*` to everything else.
    Key(Arc<str>),
    /// An element, counted from 0. A negative index can be written but names nothing.
    Index(i64),
}

/// The treatment of a dot before a bracket by [`LegacyPath::parse`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// `a.[0]` is `a[0]`.
    Loose,
    /// `a.[0]` is an error.
    Strict,
}

/// Maximum length of an array that [`LegacyPath::add`] grows: a path with a larger index is taken for a mistake.
const MAX_GROWN: i64 = 1 << 20;

impl LegacyPath {
    /// Reads the older language; repeated dots count as one, the empty text is the top.
    ///
    /// # Errors
    ///
    /// On a leading or trailing dot, an unclosed bracket or quote, text between a closing quote and its bracket, and an index
    /// that is not a 64-bit number.
    pub fn parse(text: &str, strictness: Strictness) -> Result<Self, ParseError> {
        let mut segments = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            if let Some(rest) = rest.strip_prefix('.') {
                let next = rest.chars().next();
                if at == 0 {
                    return Err(error(text, 0, "a key or `[`"));
                }
                if next.is_none() || (next == Some('[') && strictness == Strictness::Strict) {
                    return Err(error(text, at + 1, "a key"));
                }
                at += 1;
                continue;
            }
            let (segment, end) = if rest.starts_with("[\"") {
                quoted(text, at)?
            } else if rest.starts_with('[') {
                index(text, at)?
            } else {
                let length = rest.find(['.', '[']).unwrap_or(rest.len());
                (LegacySegment::Key(rest[..length].into()), at + length)
            };
            segments.push(segment);
            at = end;
        }
        Ok(Self(segments))
    }

    /// The value at this path; `None` if it misses.
    pub fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        get(&self.0, value)
    }

    /// `value` with `to` at this path. The last key may be new, but an element must exist. The top cannot be set.
    pub fn set(&self, value: &Value, to: &Value) -> Option<Value> {
        let (last, above) = self.0.split_last()?;
        replace(above, value, &|container| last.put(container, to.clone()))
    }

    /// `value` without the value at this path. A key is removed if it exists; an element becomes null and keeps its place.
    pub fn delete(&self, value: &Value) -> Option<Value> {
        let (last, above) = self.0.split_last()?;
        replace(above, value, &|container| match (container, last) {
            (Payload::Map(map), LegacySegment::Key(key)) => Some(map.clone().delete(key).into()),
            _ => last.put(container, Value::NULL),
        })
    }

    /// `value` with `to` at this path, creating missing containers on the way. An array that is too short gets its nulls
    /// **in front**, as in the engine.
    pub fn add(&self, value: &Value, to: &Value) -> Option<Value> {
        if self.0.is_empty() {
            return None;
        }
        add(&self.0, value, to)
    }

    /// True if `other` is at or below this path; `*` in this path is any one step of `other`.
    pub fn contains(&self, other: &Self) -> bool {
        self.0.len() <= other.0.len()
            && self.0.iter().zip(&other.0).all(|(own, other)| {
                matches!(own, LegacySegment::Key(key) if &**key == "*") || own == other
            })
    }

    /// `new` with the values at this path taken from `old` (`ignoreChanges`). Looks through secrets, and marks a copied value
    /// secret if only the old side was. A path that neither side has changes nothing.
    ///
    /// `None` if elements of an array or maps on the way would have to be created or removed.
    pub fn reset(&self, old: &Map, new: &Map) -> Option<Map> {
        let [old, new] = [old, new].map(|map| Value::from(map.clone()));
        reset::reset(&self.0, &old, &new)?.as_map().cloned()
    }

    /// Number of steps to the first secret at this path or above it; `None` if there is no secret as far as the path can be
    /// followed. Unlike the operations, it looks through markers. `*` is any one step.
    pub(crate) fn first_secret(&self, value: &Value) -> Option<usize> {
        let mut found = value;
        for (n_steps, segment) in self.0.iter().enumerate() {
            if found.is_secret() {
                return Some(n_steps);
            }
            found = match (segment.step(found.payload()), segment) {
                (Some(next), _) => next,
                (None, LegacySegment::Key(key)) if &**key == "*" => {
                    return found.has_secrets().then_some(n_steps + 1);
                }
                (None, _) => return None,
            };
        }
        found.is_secret().then_some(self.0.len())
    }

    /// The same steps in the newer language; `None` if there is a negative index.
    pub fn to_path(&self) -> Option<Path> {
        let segment = |segment: &LegacySegment| match segment {
            LegacySegment::Key(key) => Some(Segment::Key(key.clone())),
            LegacySegment::Index(index) => usize::try_from(*index).ok().map(Segment::Index),
        };
        self.0.iter().map(segment).collect()
    }
}

impl LegacySegment {
    /// The value one step below a container; `None` if it has none there.
    pub(super) fn step<'v>(&self, container: &'v Payload) -> Option<&'v Value> {
        match (self, container) {
            (Self::Key(key), Payload::Map(map)) => map.get(key),
            (Self::Index(index), Payload::Array(items)) => items.get(usize::try_from(*index).ok()?),
            _ => None,
        }
    }

    /// The container with `to` at this step. A key may be new, an element must exist.
    fn put(&self, container: &Payload, to: Value) -> Option<Value> {
        match (self, container) {
            (Self::Key(key), Payload::Map(map)) => Some(map.clone().set(key.clone(), to).into()),
            (Self::Index(index), Payload::Array(items)) => {
                let items = items.clone().set(usize::try_from(*index).ok()?, to)?;
                Some(items.into())
            }
            _ => None,
        }
    }
}

fn error(text: &str, offset: usize, expected: &'static str) -> ParseError {
    ParseError::at(text.as_bytes(), offset, expected)
}

/// The quoted key whose bracket opens at `at`, and the byte offset after its closing bracket.
fn quoted(text: &str, at: usize) -> Result<(LegacySegment, usize), ParseError> {
    let mut key = String::new();
    let mut from = at + 2;
    let end = loop {
        let rest = &text[from..];
        match rest.find(['"', '\\']) {
            None => return Err(error(text, text.len(), "a closing quote")),
            Some(length) if rest[length..].starts_with("\\\"") => {
                key.push_str(&rest[..length]);
                key.push('"');
                from += length + 2;
            }
            Some(length) if rest[length..].starts_with('\\') => {
                key.push_str(&rest[..=length]);
                from += length + 1;
            }
            Some(length) => {
                key.push_str(&rest[..length]);
                break from + length + 1;
            }
        }
    };
    if text[end..].starts_with(']') {
        Ok((LegacySegment::Key(key.into()), end + 1))
    } else {
        Err(error(text, end, "`]`"))
    }
}

fn index(text: &str, at: usize) -> Result<(LegacySegment, usize), ParseError> {
    let inside = at + 1;
    let Some(length) = text[inside..].find(']') else {
        return Err(error(text, text.len(), "`]`"));
    };
    let segment = match &text[inside..inside + length] {
        "*" => LegacySegment::Key("*".into()),
        digits => LegacySegment::Index(
            digits
                .parse()
                .map_err(|_| error(text, inside, "an index, `*` or `\"`"))?,
        ),
    };
    Ok((segment, inside + length + 1))
}

/// The payload of a value that the older operations can look into.
fn transparent(value: &Value) -> Option<&Payload> {
    (!value.is_marked()).then(|| value.payload())
}

fn get<'v>(path: &[LegacySegment], value: &'v Value) -> Option<&'v Value> {
    let mut steps = path.iter();
    steps.try_fold(value, |value, segment| segment.step(transparent(value)?))
}

/// `value` with the container at `path` replaced by the result of `change`.
fn replace(
    path: &[LegacySegment],
    value: &Value,
    change: &dyn Fn(&Payload) -> Option<Value>,
) -> Option<Value> {
    let Some((first, rest)) = path.split_first() else {
        return change(transparent(value)?);
    };
    let inner = replace(rest, get(std::slice::from_ref(first), value)?, change)?;
    first.put(value.payload(), inner)
}

fn add(path: &[LegacySegment], value: &Value, to: &Value) -> Option<Value> {
    let Some((first, rest)) = path.split_first() else {
        return Some(to.clone());
    };
    match (first, transparent(value)?) {
        (LegacySegment::Key(key), container @ (Payload::Null | Payload::Map(_))) => {
            let map = match container {
                Payload::Map(map) => map.clone(),
                _ => Map::default(),
            };
            let inner = map.get(key).cloned().unwrap_or_default();
            Some(Value::from(map.set(key.clone(), add(rest, &inner, to)?)))
        }
        (LegacySegment::Index(index), container @ (Payload::Null | Payload::Array(_))) => {
            let items = match container {
                Payload::Array(items) => items.as_slice(),
                _ => &[],
            };
            let at = usize::try_from(*index).ok()?;
            let grown = if at < items.len() {
                Array::from(items.to_vec())
            } else if *index < MAX_GROWN {
                let nulls = std::iter::repeat_n(Value::NULL, at + 1 - items.len());
                nulls.chain(items.iter().cloned()).collect()
            } else {
                return None;
            };
            let inner = grown.get(at)?.clone();
            Some(Value::from(grown.set(at, add(rest, &inner, to)?)?))
        }
        _ => None,
    }
}

impl From<&Path> for LegacyPath {
    /// A splat of the newer language has the key `*` here; an index too large for the older language becomes its largest.
    fn from(path: &Path) -> Self {
        let segments = path.0.iter().map(|segment| match segment {
            Segment::Key(key) => LegacySegment::Key(key.clone()),
            Segment::Index(index) => {
                LegacySegment::Index(i64::try_from(*index).unwrap_or(i64::MAX))
            }
        });
        Self(segments.collect())
    }
}

/// The older language: keys of `[A-Za-z0-9_]` are bare, other keys `["…"]` with only `"` escaped. The empty key prints as
/// nothing, so a path with it does not parse back.
impl fmt::Display for LegacyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.0.iter().enumerate() {
            match segment {
                LegacySegment::Key(key)
                    if key
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') =>
                {
                    write!(f, "{}{key}", if index == 0 { "" } else { "." })?;
                }
                LegacySegment::Key(key) => write!(f, "[\"{}\"]", key.replace('"', "\\\""))?,
                LegacySegment::Index(element) => write!(f, "[{element}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::tests::EXAMPLES;
    use crate::value::Value;

    #[test]
    fn the_examples_of_the_specification() {
        for (text, _) in EXAMPLES {
            for strictness in [Strictness::Loose, Strictness::Strict] {
                let path = LegacyPath::parse(text, strictness).unwrap();
                assert_eq!(
                    LegacyPath::parse(&path.to_string(), strictness).unwrap(),
                    path,
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn a_path_is_written_in_the_older_language() {
        let path = Path(vec!["tags".into(), "a/b~".into(), 0.into()]);
        assert_eq!(LegacyPath::from(&path).to_string(), r#"tags["a/b~"][0]"#);
    }

    #[test]
    fn growing_an_array_far_is_refused() {
        let path = LegacyPath::parse("[9000000000]", Strictness::Loose).unwrap();
        assert_eq!(path.add(&Value::NULL, &Value::NULL), None);
        let path = LegacyPath::parse("[-1]", Strictness::Loose).unwrap();
        assert_eq!(path.add(&Value::NULL, &Value::NULL), None);
    }
}
