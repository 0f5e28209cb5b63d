//! The world of Pulumi: its names, the forms in which it writes values, and how its engine compares them.
//!
//! Nothing here depends on files or stacks.

pub mod asset;
pub(crate) mod color_tags;
pub mod diff;
pub mod equality;
pub mod legacy_path;
pub mod passphrase;
pub mod steps;
pub mod urn;
pub mod wire;

/// The text of an unknown: the one that is written, and the only one in state files.
pub const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
