//! The closed parts of the list of changes.

use std::collections::HashSet;

use super::{GroupKey, Topic};

/// The groups that are not as they start: open, or closed as unchanged resources and equal changes are. Groups have names, so their
/// folds outlive the list, and the file when it is read again.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Folds(HashSet<GroupKey>);

impl Folds {
    /// True if the rows of a section are listed.
    pub fn lists(&self, topic: Topic) -> bool {
        self.is_open(&GroupKey::Topic(topic))
    }

    /// True if the rows of a group are listed.
    pub(super) fn is_open(&self, id: &GroupKey) -> bool {
        let starts_closed = matches!(id, GroupKey::Topic(topic) if topic.starts_closed());
        self.0.contains(id) == starts_closed
    }

    /// Opens or closes a group.
    pub fn set_open(&mut self, id: &GroupKey, is_open: bool) {
        if self.is_open(id) != is_open {
            self.toggle(id);
        }
    }

    /// Opens or closes a section or a group.
    pub fn toggle(&mut self, id: &GroupKey) {
        if !self.0.remove(id) {
            self.0.insert(id.clone());
        }
    }
}
