//! Reading the configuration that a plan file carries.

use std::sync::Arc;

use super::{Cancel, Job, Topic};
use crate::change::configuration::Configuration;
use crate::load::{Document, configuration};

/// A request to read the configuration.
pub struct Configure(pub Document);

impl Job for Configure {
    type Answer = Arc<Configuration>;

    const TOPIC: Topic = Topic::named("reading the configuration");

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        if let Some(read) = configuration::read(&self.0, &|| cancel.is_cancelled()) {
            say(Arc::new(read));
        }
    }
}
