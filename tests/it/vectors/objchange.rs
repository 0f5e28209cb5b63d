//! cty and the planning rules.

mod read;
mod types;

use super::Runner;

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[
    ("cty_type_json", types::type_json),
    ("implied_type", types::implied_type),
    ("all_attributes_null", types::all_attributes_null),
];
