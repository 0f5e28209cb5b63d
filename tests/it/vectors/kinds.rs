//! Types, outputs, assets and unlocked secrets.

mod shapes;

use super::Runner;

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[("type_shapes", shapes::run)];
