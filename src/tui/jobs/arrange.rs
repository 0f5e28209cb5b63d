//! Building the tree and the list of changes again.

use super::{Cancel, Frame, Job, Topic};
use crate::stack::Stack;
use crate::tree::{self, Tree};
use crate::tui::changes;

const TOPIC: Topic = Topic {
    frame: Frame::Soon,
    ..Topic::named("arranging")
};

/// A request to build the tree.
pub struct Arrange(pub Stack, pub tree::Request);

impl Job for Arrange {
    type Answer = Tree;

    const TOPIC: Topic = TOPIC;

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        say(Tree::new(&self.0, self.1));
    }
}

/// A request to build the list of changes.
pub struct ArrangeChanges(pub Stack, pub changes::Request);

impl Job for ArrangeChanges {
    type Answer = changes::Arranged;

    const TOPIC: Topic = TOPIC;

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        say(changes::Arranged::new(&self.0, &self.1));
    }
}
