//! The action that leads from one value to another.

use crate::terraform::cty::View;

/// An action that follows from two values alone. Replacing is not among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BasicAction {
    /// Both values are the same.
    NoOp,
    /// There was no value before.
    Create,
    /// Both values exist and differ.
    Update,
    /// There will be no value.
    Delete,
}

/// The action from `before` to `after`. An unknown value counts as different from the known value before it.
///
/// # Source
///
/// hashicorp/terraform v0.13.0, `objchange.ActionForChange`, which panics where `before` holds an unknown; here an unknown that
/// stays the same unknown is not a change.
pub fn action_for_change(before: View<'_>, after: View<'_>) -> BasicAction {
    match (before.is_null(), after.is_null()) {
        (true, true) => BasicAction::NoOp,
        (true, false) => BasicAction::Create,
        (false, true) => BasicAction::Delete,
        (false, false) if after.is_known() && before.raw_equals(after) => BasicAction::NoOp,
        (false, false) => BasicAction::Update,
    }
}
