//! Addresses and files.

use super::Runner;

/// The files that are run here.
pub const RUNNERS: &[(&str, Runner)] = &[];
