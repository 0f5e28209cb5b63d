//! Types, outputs, assets and unlocked secrets.

use super::Runner;

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[];
