//! Types, outputs, assets and unlocked secrets.

mod assets;
mod shapes;

use super::Runner;

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] =
    &[("asset_hash", assets::run), ("type_shapes", shapes::run)];
