//! cty and the planning rules.

mod codecs;
mod compare;
mod proposed;
mod read;
mod types;
mod violations;

use super::Runner;

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[
    ("cty_type_json", types::type_json),
    ("implied_type", types::implied_type),
    ("all_attributes_null", types::all_attributes_null),
    ("proposed_new", proposed::proposed_new),
    ("planned_data_resource_object", proposed::planned_data),
    ("prepare_computed_blocks", proposed::computed_blocks),
    ("normalize_object_from_legacy_sdk", proposed::normalize),
    ("assert_plan_valid", violations::plan_valid),
    ("assert_object_compatible", violations::object_compatible),
    ("assert_value_compatible", violations::value_compatible),
    ("cty_value_json", codecs::value_json),
    ("cty_msgpack", codecs::msgpack),
    ("cty_set_order", types::set_order),
    ("value_equal", compare::value_equal),
    (
        "longest_common_subsequence",
        compare::longest_common_subsequence,
    ),
    ("action_for_change", compare::action_for_change),
];
