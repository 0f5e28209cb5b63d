//! One child of a container, before its lines are made.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use crate::change::difference::{Diff, Element, Group, Member};
use crate::path::{Path, Segment};
use crate::text::escaped;

/// A child of a container.
#[derive(Clone, Copy)]
pub(super) enum Child<'d> {
    /// The value at a key.
    Keyed(&'d Arc<str>, &'d Diff),
    /// An element labeled by its index.
    Item(Element<'d>),
    /// An element without a label, as in a set.
    Nameless(Element<'d>),
    /// A block of a group.
    Member(&'d Group, &'d Member),
}

impl<'d> Child<'d> {
    /// True if the child or a value below it changes, or if the child forces replacement.
    pub(super) fn is_change(&self) -> bool {
        self.replaces()
            || match self {
                Self::Keyed(_, diff) => diff.is_change() || diff.replaces,
                Self::Item(element) | Self::Nameless(element) => {
                    element.is_change() || element.replaces() || element.is_moved()
                }
                Self::Member(_, member) => member.diff.is_change() || member.diff.replaces,
            }
    }

    /// True for a value that is known after apply and forces no replacement.
    pub(super) fn is_awaited(&self) -> bool {
        let diff = self.diff();
        let forces = self.replaces() || diff.replaces;
        !forces && diff.after.is_computed() && !diff.after.is_secret()
    }

    /// True if its container forces replacement through it.
    pub(super) fn replaces(&self) -> bool {
        matches!(self, Self::Member(group, _) if group.replaces)
    }

    /// The difference of the child. That of an element may be computed only here.
    pub(super) fn diff(&self) -> Cow<'d, Diff> {
        match self {
            Self::Keyed(_, diff) => Cow::Borrowed(diff),
            Self::Item(element) | Self::Nameless(element) => element.diff(),
            Self::Member(_, member) => Cow::Borrowed(&member.diff),
        }
    }

    /// The difference of the child if it identifies the thing, so that it is shown even if unchanged.
    pub(super) fn identifying(&self) -> Option<&'d Diff> {
        match self {
            Self::Keyed(key, diff) if is_identifying(key) || is_tags(key, diff) => Some(diff),
            _ => None,
        }
    }

    /// The label of the child, escaped.
    pub(super) fn label(&self) -> Option<String> {
        match self {
            Self::Keyed(key, _) => Some(escaped(key)),
            Self::Item(element) => Some(match element.old.filter(|_| element.is_moved()) {
                Some(old) => format!("[{}] moved from [{old}]", index(element)),
                None => format!("[{}]", index(element)),
            }),
            Self::Nameless(_) => None,
            Self::Member(group, member) => {
                let mut label = escaped(&group.name);
                if let Some(key) = &member.key {
                    write!(label, " \"{}\"", escaped(key)).expect("a string takes every write");
                } else if let (false, Some(index)) =
                    (group.is_set, member.index.1.or(member.index.0))
                {
                    write!(label, "[{index}]").expect("a string takes every write");
                }
                Some(label)
            }
        }
    }

    /// The path of the child in a container at `place`.
    pub(super) fn path(&self, place: &Path) -> Path {
        match self {
            Self::Keyed(key, _) => place.child(Segment::Key(Arc::clone(key))),
            Self::Item(element) | Self::Nameless(element) => {
                place.child(Segment::Index(index(element)))
            }
            Self::Member(group, member) => group.path(member, place),
        }
    }
}

fn index(element: &Element<'_>) -> usize {
    element.new.or(element.old).unwrap_or_default()
}

fn is_identifying(key: &str) -> bool {
    matches!(key, "id" | "name" | "arn")
}

fn is_tags(key: &str, diff: &Diff) -> bool {
    key == "tags" && !diff.before.is_secret() && diff.before.get("Name").is_some()
}
