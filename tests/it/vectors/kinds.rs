//! Types, outputs, assets and unlocked secrets.

use super::Runner;

/// The files that are run here.
pub const RUNNERS: &[(&str, Runner)] = &[];
