//! The closed parts of the list of changes.

use std::collections::HashSet;

use super::{Group, GroupKey, Topic};

/// The groups that are not as they start: open, or closed as unchanged resources and equal changes are. Groups have names, so their
/// folds outlive the list, and the file when it is read again.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Folds(HashSet<GroupKey>);

impl Folds {
    /// True if the rows of a section are listed.
    pub fn lists(&self, topic: Topic) -> bool {
        self.0.contains(&GroupKey::Topic(topic)) == topic.starts_closed()
    }

    /// True if the rows of a group are listed.
    pub(super) fn is_open(&self, group: &Group) -> bool {
        self.0.contains(&group.id) == group.starts_closed
    }

    /// Opens a section.
    pub fn list(&mut self, topic: Topic) {
        if !self.lists(topic) {
            self.toggle(&GroupKey::Topic(topic));
        }
    }

    pub(super) fn set_open(&mut self, group: &Group, is_open: bool) {
        if self.is_open(group) != is_open {
            self.toggle(&group.id);
        }
    }

    /// Opens or closes a section or a group.
    pub fn toggle(&mut self, id: &GroupKey) {
        if !self.0.remove(id) {
            self.0.insert(id.clone());
        }
    }
}
