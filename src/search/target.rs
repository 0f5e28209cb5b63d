//! Targets of hits.

use super::{At, Hit, OutputHit, OutputPlace};
use crate::stack::ResourceId;

/// The target of a hit. The order is that of stepping through hits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A resource or a property of it.
    Resource(ResourceId, At),
    /// An output of the stack.
    Output(OutputPlace),
}

impl Target {
    /// The target of a hit.
    pub fn of_hit(hit: &Hit) -> Self {
        Self::Resource(hit.resource, hit.at.clone())
    }

    /// The target of a hit among the outputs.
    pub fn of_output(hit: &OutputHit) -> Self {
        Self::Output(hit.place.clone())
    }
}
