//! Paths into typed values.

use std::fmt;
use std::sync::Arc;

use super::Typed;
use crate::path;
use crate::text::escape_into;

/// A path from the top of a typed value to one of its parts.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Path(pub Vec<Segment>);

/// One segment of a path.
#[derive(Clone, PartialEq, Debug)]
pub enum Segment {
    /// An attribute of an object.
    Attribute(Arc<str>),
    /// The value at a key of a map.
    Key(Arc<str>),
    /// The element at an index of a list or tuple, counted from 0.
    Index(usize),
    /// The element of a set, which is its own key. Shown as `[…]`, because it may contain a secret.
    Element(Arc<Typed>),
}

impl Path {
    /// Converts to a property path. An element of a set has no index there, so the path ends at the set.
    pub fn to_property_path(&self) -> path::Path {
        let segments = self.0.iter().map_while(|segment| match segment {
            Segment::Attribute(name) | Segment::Key(name) => Some(path::Segment::Key(name.clone())),
            Segment::Index(index) => Some(path::Segment::Index(*index)),
            Segment::Element(_) => None,
        });
        path::Path(segments.collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the top");
        }
        for (index, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Attribute(name) => {
                    f.write_str(if index == 0 { "" } else { "." })?;
                    escape_into(f, name)?;
                }
                Segment::Key(key) => {
                    f.write_str("[\"")?;
                    escape_into(f, &key.replace('\\', "\\\\").replace('"', "\\\""))?;
                    f.write_str("\"]")?;
                }
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Element(_) => f.write_str("[…]")?,
            }
        }
        Ok(())
    }
}

/// A path on the call stack of a recursion. It becomes a [`Path`] only when something is reported.
pub(crate) struct PathFrame<'a> {
    above: Option<&'a PathFrame<'a>>,
    segment: FrameSegment<'a>,
}

enum FrameSegment<'a> {
    Top,
    Attribute(&'a str),
    Key(&'a str),
    Index(usize),
    Element(super::View<'a>),
}

impl<'a> PathFrame<'a> {
    pub(crate) const TOP: PathFrame<'static> = PathFrame {
        above: None,
        segment: FrameSegment::Top,
    };

    fn below(&'a self, segment: FrameSegment<'a>) -> PathFrame<'a> {
        PathFrame {
            above: Some(self),
            segment,
        }
    }

    pub(crate) fn attribute(&'a self, name: &'a str) -> PathFrame<'a> {
        self.below(FrameSegment::Attribute(name))
    }

    pub(crate) fn key(&'a self, key: &'a str) -> PathFrame<'a> {
        self.below(FrameSegment::Key(key))
    }

    pub(crate) fn index(&'a self, index: usize) -> PathFrame<'a> {
        self.below(FrameSegment::Index(index))
    }

    pub(crate) fn element(&'a self, element: super::View<'a>) -> PathFrame<'a> {
        self.below(FrameSegment::Element(element))
    }

    pub(crate) fn path(&self) -> Path {
        let mut segments = Vec::new();
        let mut place = Some(self);
        while let Some(here) = place {
            match here.segment {
                FrameSegment::Top => {}
                FrameSegment::Attribute(name) => segments.push(Segment::Attribute(name.into())),
                FrameSegment::Key(key) => segments.push(Segment::Key(key.into())),
                FrameSegment::Index(index) => segments.push(Segment::Index(index)),
                FrameSegment::Element(element) => {
                    segments.push(Segment::Element(Arc::new(element.to_typed())));
                }
            }
            place = here.above;
        }
        segments.reverse();
        Path(segments)
    }
}
