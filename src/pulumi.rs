//! TODO

pub mod asset;
pub mod diff;
pub mod legacy_path;
pub mod passphrase;
pub mod urn;
pub mod wire;
