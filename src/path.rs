//! Property paths: which value inside a resource.

use std::fmt;
use std::sync::Arc;

use crate::value::{Payload, Value};

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

impl Path {
    /// The top.
    pub fn root() -> Self {
        Self::default()
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
        self.0
            .iter()
            .try_fold(value, |value, segment| match (segment, value.payload()) {
                (Segment::Key(key), Payload::Map(map)) => map.get(key),
                (Segment::Index(index), Payload::Array(array)) => array.get(*index),
                _ => None,
            })
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

/// Pulumi's spelling: bare keys where they are identifiers, `["…"]` elsewhere, `[3]` for elements; "" for the top.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) if is_identifier(key) => {
                    write!(f, "{}{key}", if index == 0 { "" } else { "." })?;
                }
                Segment::Key(key) => write!(f, "[{key:?}]")?,
                Segment::Index(element) => write!(f, "[{element}]")?,
            }
        }
        Ok(())
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
