//! How a plan was made.

use std::sync::Arc;

use crate::stack::{Flags, Stack};
use crate::terraform::address::{Address, AddressMode};
use crate::value::Value;

/// How a plan was made.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mode {
    /// As usual.
    #[default]
    Normal,
    /// To take over what changed outside.
    RefreshOnly,
    /// To destroy everything.
    Destroy,
}

impl Mode {
    /// How the plan that `stack` is the index of was made.
    ///
    /// A plan file says it. Its JSON does not: one that was complete and yet has no resources in it, although there is drift or
    /// there are outputs of what is managed, was made to refresh only.
    pub fn of(stack: &Stack) -> Self {
        let flag = |name: &str| field(stack, name).and_then(Value::as_bool);
        match field(stack, "mode").and_then(Value::as_str) {
            Some("refresh-only") => return Self::RefreshOnly,
            Some("destroy") => return Self::Destroy,
            Some(_) => return Self::Normal,
            None => {}
        }
        let is_drift = |id| stack.record(id).flags.contains(Flags::DRIFT_ENTRY);
        let is_managed = |address: &Arc<str>| {
            Address::parse(address).is_ok_and(|address| address.mode == AddressMode::Managed)
        };
        let has_prior_outputs = || stack.outputs.iter().any(|output| output.before.is_some());
        let is_refresh_only = flag("complete") == Some(true)
            && stack.ids().all(is_drift)
            && (!stack.is_empty()
                || has_prior_outputs() && stack.expressions.keys().any(is_managed));
        if is_refresh_only {
            Self::RefreshOnly
        } else {
            Self::Normal
        }
    }
}

/// A field of the plan beside its resources and outputs.
pub(super) fn field<'s>(stack: &'s Stack, name: &str) -> Option<&'s Value> {
    let mut fields = stack.header.fields.iter();
    fields.find(|(key, _)| key == name).map(|(_, value)| value)
}
