//! Finding resources by URN, address, name or id, as a person typed it or as the file refers to them.

use super::{Cancel, Job, Topic};
use crate::stack::{ResourceId, Stack};

/// A request to find resources.
pub struct Find {
    /// The stack.
    pub stack: Stack,
    /// The name.
    pub text: String,
}

/// The resources with a URN, address, name or id.
pub struct Named {
    /// The name.
    pub text: String,
    /// The resources, in the order of the file.
    pub ids: Vec<ResourceId>,
    /// If there is none, the one with the most similar name.
    pub near: Option<ResourceId>,
}

impl Job for Find {
    type Answer = Named;

    const TOPIC: Topic = Topic::named("looking up a name");

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self { stack, text } = self;
        let ids = stack.find(&text);
        let none = ids.is_empty();
        let near = none.then(|| stack.similar(&text, 1).pop()).flatten();
        say(Named { text, ids, near });
    }
}
