//! Reading the sources to show: the configuration in a plan file, or those next to a file.

use std::sync::Arc;

use super::{Cancel, Job, Topic};
use crate::change::configuration::Configuration;
use crate::load::{Document, configuration};
use crate::stack::ResourceId;

/// A request to read the sources, of Pulumi the one that declares a resource.
pub struct Configure(pub Document, pub Option<ResourceId>);

impl Job for Configure {
    type Answer = Arc<Configuration>;

    const TOPIC: Topic = Topic::named("reading the configuration");

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self(document, id) = self;
        if let Some(read) = configuration::read(&document, id, &|| cancel.is_cancelled()) {
            say(Arc::new(read));
        }
    }
}
