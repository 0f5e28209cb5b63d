//! The formats of Pulumi, one module each, and what they share.

pub(super) mod deployment;
pub(super) mod events;
pub(super) mod plan;
pub(super) mod preview;
pub(super) mod resource;
pub(super) mod step;
pub(super) mod stored;
