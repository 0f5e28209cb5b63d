//! Paths into typed values.

use std::fmt;
use std::sync::Arc;

use super::Typed;
use crate::path::Segment;
use crate::text::escape_into;

/// A path from the top of a typed value to one of its parts.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Path(pub Vec<Step>);

/// One step of a path.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
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
    pub fn to_property_path(&self) -> crate::path::Path {
        let segments = self.0.iter().map_while(|step| match step {
            Step::Attribute(name) | Step::Key(name) => Some(Segment::Key(name.clone())),
            Step::Index(index) => Some(Segment::Index(*index)),
            Step::Element(_) => None,
        });
        crate::path::Path(segments.collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the top");
        }
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Attribute(name) => {
                    f.write_str(if index == 0 { "" } else { "." })?;
                    escape_into(f, name)?;
                }
                Step::Key(key) => {
                    f.write_str("[\"")?;
                    escape_into(f, &key.replace('\\', "\\\\").replace('"', "\\\""))?;
                    f.write_str("\"]")?;
                }
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Element(_) => f.write_str("[…]")?,
            }
        }
        Ok(())
    }
}

/// A path on the call stack of a recursion. It becomes a [`Path`] only when something is reported.
pub(crate) struct PathFrame<'a> {
    above: Option<&'a PathFrame<'a>>,
    step: FrameStep<'a>,
}

enum FrameStep<'a> {
    Top,
    Attribute(&'a str),
    Key(&'a str),
    Index(usize),
    Element(super::View<'a>),
}

impl<'a> PathFrame<'a> {
    pub(crate) const TOP: PathFrame<'static> = PathFrame {
        above: None,
        step: FrameStep::Top,
    };

    fn below(&'a self, step: FrameStep<'a>) -> PathFrame<'a> {
        PathFrame {
            above: Some(self),
            step,
        }
    }

    pub(crate) fn attribute(&'a self, name: &'a str) -> PathFrame<'a> {
        self.below(FrameStep::Attribute(name))
    }

    pub(crate) fn key(&'a self, key: &'a str) -> PathFrame<'a> {
        self.below(FrameStep::Key(key))
    }

    pub(crate) fn index(&'a self, index: usize) -> PathFrame<'a> {
        self.below(FrameStep::Index(index))
    }

    pub(crate) fn element(&'a self, element: super::View<'a>) -> PathFrame<'a> {
        self.below(FrameStep::Element(element))
    }

    pub(crate) fn path(&self) -> Path {
        let mut steps = Vec::new();
        let mut place = Some(self);
        while let Some(here) = place {
            match here.step {
                FrameStep::Top => {}
                FrameStep::Attribute(name) => steps.push(Step::Attribute(name.into())),
                FrameStep::Key(key) => steps.push(Step::Key(key.into())),
                FrameStep::Index(index) => steps.push(Step::Index(index)),
                FrameStep::Element(element) => {
                    steps.push(Step::Element(Arc::new(element.to_typed())));
                }
            }
            place = here.above;
        }
        steps.reverse();
        Path(steps)
    }
}
