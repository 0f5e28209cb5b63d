//! The closed parts of the list of changes.

use std::collections::{BTreeSet, HashSet};

use super::{Group, Topic};
use crate::stack::Action;

/// The sections whose rows are not listed, and the groups that are not as they start: open, or closed if they hold equal changes.
/// Groups have names, so their folds outlive the list, and the file when it
/// is read again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folds {
    topics: BTreeSet<Topic>,
    groups: HashSet<String>,
}

impl Default for Folds {
    fn default() -> Self {
        let closed = [Topic::Change(Action::Move), Topic::Change(Action::Noop)];
        Self {
            topics: closed.into(),
            groups: HashSet::new(),
        }
    }
}

impl Folds {
    /// True if the rows of a section are listed.
    pub fn lists(&self, topic: Topic) -> bool {
        !self.topics.contains(&topic)
    }

    /// True if the rows of a group are listed.
    pub(super) fn is_open(&self, group: &Group) -> bool {
        match group.topic() {
            Some(topic) => self.lists(topic),
            None => self.groups.contains(&group.name) == group.starts_closed,
        }
    }

    /// Opens a section.
    pub fn list(&mut self, topic: Topic) {
        self.topics.remove(&topic);
    }

    /// Opens or closes a section.
    pub fn toggle(&mut self, topic: Topic) {
        if !self.topics.remove(&topic) {
            self.topics.insert(topic);
        }
    }

    pub(super) fn set_group(&mut self, group: &Group, is_open: bool) {
        if self.is_open(group) != is_open {
            self.toggle_group(group);
        }
    }

    /// Opens or closes a group.
    pub fn toggle_group(&mut self, group: &Group) {
        match group.topic() {
            Some(topic) => self.toggle(topic),
            None if self.groups.remove(&group.name) => {}
            None => _ = self.groups.insert(group.name.clone()),
        }
    }
}
