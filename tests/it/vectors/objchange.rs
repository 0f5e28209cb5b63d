//! cty and the planning rules.

mod compare;
mod read;
mod types;

use super::Runner;

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[
    ("cty_type_json", types::type_json),
    ("implied_type", types::implied_type),
    ("all_attributes_null", types::all_attributes_null),
    ("cty_set_order", types::set_order),
    ("value_equal", compare::value_equal),
    (
        "longest_common_subsequence",
        compare::longest_common_subsequence,
    ),
    ("action_for_change", compare::action_for_change),
];
