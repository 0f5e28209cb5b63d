//! Finding what a change of a resource reaches, in short.

use super::{Cancel, Job, Topic};
use crate::load::Document;
use crate::stack::ResourceId;
use crate::tui::impact::Impact;
use crate::tui::stacks::OpenStack;

/// A request for the impact of a resource.
pub struct FindImpact(pub Document, pub ResourceId, pub Option<OpenStack>);

impl Job for FindImpact {
    type Answer = Impact;

    const TOPIC: Topic = Topic::named("walking the dependencies");

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self(document, id, among) = self;
        say(Impact::find(&document, id, among.as_ref()));
    }
}
