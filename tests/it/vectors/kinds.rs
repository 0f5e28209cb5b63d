//! Types, outputs, assets and unlocked secrets.

mod assets;
mod keys;
mod shapes;

use super::Runner;

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[
    ("asset_hash", assets::run),
    ("passphrase", keys::passphrase),
    ("tofu_encryption", keys::tofu),
    ("type_shapes", shapes::run),
];
