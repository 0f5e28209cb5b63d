//! The mode of a plan.

use std::sync::Arc;

use crate::stack::{Flags, Stack};
use crate::terraform::address::{Address, AddressMode};
use crate::value::Value;

/// The mode of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mode {
    /// A usual plan.
    #[default]
    Normal,
    /// A plan that only records changes made outside.
    RefreshOnly,
    /// A plan that destroys everything.
    Destroy,
}

impl Mode {
    /// The mode of the plan that `stack` is the index of.
    ///
    /// A plan file names its mode. Its JSON does not: a complete plan without resources that has drift, or outputs of managed
    /// resources, is taken as refresh only.
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

/// A top-level field of the plan, other than its resources and outputs.
pub(super) fn field<'s>(stack: &'s Stack, name: &str) -> Option<&'s Value> {
    let mut fields = stack.header.fields.iter();
    fields.find(|(key, _)| key == name).map(|(_, value)| value)
}
