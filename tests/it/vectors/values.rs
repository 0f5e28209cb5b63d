//! Values, wire forms, paths, URNs and differences of Pulumi.

mod diffs;
mod forms;
mod ops;
mod paths;
mod urns;

use super::Runner;

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[
    ("wire_decode", forms::wire_decode),
    ("wire_encode", forms::wire_encode),
    ("state_decode", forms::state_decode),
    ("state_encode", forms::state_encode),
    ("value_ops", ops::value_ops),
    ("path_parse", paths::path_parse),
    ("path_print", paths::path_print),
    ("path_ops", paths::path_ops),
    ("urn", urns::urn),
    ("diff", diffs::diff),
    ("detailed_diff", diffs::detailed_diff),
];
