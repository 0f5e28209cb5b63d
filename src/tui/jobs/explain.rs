//! Finding out which properties of resources change and why, back to the root cause.

use std::sync::Arc;

use super::{Cancel, Counts, Frame, Job, Lane, Topic};
use crate::load::Document;
use crate::stack::ResourceId;
use crate::terraform::schema::Schemas;
use crate::tui::changes::{Explained, explain};

/// A request to explain changes.
pub struct Explain {
    /// The file.
    pub document: Document,
    /// The resources that change.
    pub ids: Vec<ResourceId>,
    /// They tell sets from lists.
    pub schemas: Option<Arc<Schemas>>,
}

impl Job for Explain {
    type Answer = (ResourceId, Explained);

    const TOPIC: Topic = Topic {
        counts: Counts::EachOfFile,
        lane: Lane::InTurn,
        frame: Frame::Soon,
        ..Topic::named("explaining")
    };

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let wanted = self.ids.into_iter();
        for id in wanted.take_while(|_| !cancel.is_cancelled()) {
            say((id, explain(&self.document, id, self.schemas.as_deref())));
        }
    }
}
