//! Where hits lead.

use super::{At, Hit, OutputHit, OutputPlace};
use crate::stack::ResourceId;

/// What a search leads to, in the order of going through.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A resource or a property of it.
    Resource(ResourceId, At),
    /// An output of the stack.
    Output(OutputPlace),
}

impl Target {
    /// Where a hit leads to.
    pub fn of_hit(hit: &Hit) -> Self {
        Self::Resource(hit.resource, hit.at.clone())
    }

    /// Where a hit among the outputs leads to.
    pub fn of_output(hit: &OutputHit) -> Self {
        Self::Output(hit.place.clone())
    }
}
