//! Values, wire forms, paths, URNs and differences of Pulumi.

use super::Runner;

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[];
