//! Reading one resource.

use std::sync::Arc;

use super::{Cancel, Counts, Frame, Job, Lane, Topic};
use crate::format::ReadError;
use crate::load::Document;
use crate::stack::{Resource, ResourceId};

/// A request to read a resource.
pub struct Read(pub Document, pub ResourceId);

impl Job for Read {
    type Answer = (ResourceId, Result<Arc<Resource>, ReadError>);

    const TOPIC: Topic = Topic {
        counts: Counts::EachOfFile,
        lane: Lane::InTurn,
        frame: Frame::Soon,
        ..Topic::named("reading")
    };

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self(document, id) = self;
        say((id, document.resource_with_position(id).map(Arc::new)));
    }
}
