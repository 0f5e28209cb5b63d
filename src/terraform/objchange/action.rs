//! Which action leads from one value to another.

use crate::terraform::cty::View;

/// What two values alone can tell of an action: replacing is not among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BasicAction {
    /// Both are the same.
    NoOp,
    /// There was nothing.
    Create,
    /// Both are there and differ.
    Update,
    /// There will be nothing.
    Delete,
}

/// The action from `before` to `after`. What is not known yet counts as something else than what is there.
///
/// # Source
///
/// hashicorp/terraform v0.13.0, `objchange.ActionForChange`, which panics where `before` holds an unknown; here an unknown that
/// stays the same unknown is no change.
pub fn action_for_change(before: View<'_>, after: View<'_>) -> BasicAction {
    match (before.is_null(), after.is_null()) {
        (true, true) => BasicAction::NoOp,
        (true, false) => BasicAction::Create,
        (false, true) => BasicAction::Delete,
        (false, false) if after.is_known() && before.raw_equals(after) => BasicAction::NoOp,
        (false, false) => BasicAction::Update,
    }
}
