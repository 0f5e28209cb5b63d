//! The rendering of plans.

use super::Runner;

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[];
