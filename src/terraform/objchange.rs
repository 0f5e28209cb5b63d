//! The planning rules of Terraform and OpenTofu: the proposed value, the validity of a plan, and the changes.
//!
//! Core merges the configuration with the provider's earlier computed values ([`proposed_new`]). The provider answers with a
//! planned value, which [`assert_plan_valid`] checks. After the apply the actual value has to keep what was planned
//! ([`assert_object_compatible`]). All functions here depend only on a schema and on values that conform to it.
//!
//! # Laws
//!
//! 1. **Total.** Where upstream panics, these functions return an error.
//! 2. **A proposed value conforms to the schema.** A plan equal to the proposal is valid, and an actual value equal to the
//!    planned value is compatible with it.
//! 3. **Two versions of the rules.** [`Semantics::Current`] is that of today's Terraform, [`Semantics::V0_13`] that of Terraform
//!    0.13 to 0.15. Each function says where they differ.
//!
//! # OpenTofu
//!
//! There is no third version for OpenTofu: its rules are the current ones but for rare cases. In opentofu/opentofu f831fa1a:
//!
//! - An element of a map without a prior element is proposed as configured, as in 0.13. So in the planned value of a data source,
//!   computed attributes below a map stay null.
//! - [`assert_plan_valid`] reports some violations of blocks and write-only attributes as another kind, or not at all.
//! - Blocks are never computed, so [`prepare_computed_blocks`] does not exist.
//!
//! # Source
//!
//! hashicorp/terraform 883c7221 (1.17.0-dev) and v0.13.0, `objchange`; the documentation of the package at v0.13.0.

mod action;
mod compatible;
mod computed_blocks;
pub(crate) mod lcs;
mod normalize;
mod proposed;
mod valid;
mod violation;

use crate::terraform::cty::Typed;
use crate::terraform::schema::Block;
use crate::types::Type;

pub use action::{BasicAction, action_for_change};
pub use compatible::{assert_object_compatible, assert_value_compatible};
pub use computed_blocks::prepare_computed_blocks;
pub use lcs::longest_common_subsequence;
#[cfg(feature = "internals")]
pub use lcs::{EXACT_CELLS, value_equal};
pub use normalize::normalize_object_from_legacy_sdk;
pub use proposed::{planned_data_resource_object, proposed_new};
pub use valid::assert_plan_valid;
#[cfg(feature = "internals")]
pub use violation::{Counts, Mismatched};
pub use violation::{Violation, ViolationKind};

/// The version of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Semantics {
    /// The current rules of Terraform. Those of OpenTofu differ in rare cases, which the documentation of the module lists.
    #[default]
    Current,
    /// The rules of Terraform 0.13 to 0.15.
    V0_13,
}

impl Semantics {
    /// The rules for a file that this version of the program wrote: those of 0.13 for versions up to 0.15.
    pub fn of_version(terraform_version: &str) -> Self {
        let mut parts = terraform_version.trim_start_matches('v').split('.');
        let mut number = || parts.next().and_then(|part| part.parse::<u64>().ok());
        match (number(), number()) {
            (Some(0), Some(minor)) if minor <= 15 => Self::V0_13,
            _ => Self::Current,
        }
    }
}

/// The reason why a rule cannot be applied.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// A value does not conform to the schema.
    #[error("the {which} does not conform to the schema")]
    Nonconforming {
        /// The role of the value.
        which: &'static str,
    },
    /// The elements of a list, set or map came out with different types.
    #[error("the elements of a collection would have different types")]
    MixedElements,
}

/// Fails if the value does not conform to the schema.
fn require(schema: &Block, value: &Typed, which: &'static str) -> Result<(), Error> {
    if schema.admits(value.view()) {
        Ok(())
    } else {
        Err(Error::Nonconforming { which })
    }
}

/// Fails if the value is not an object with the attributes and blocks of the schema. Deviations further below read as null, which
/// the rules that only compare can handle.
fn require_object(schema: &Block, value: &Typed, which: &'static str) -> Result<(), Error> {
    let has_all = match value.ty() {
        Type::Object(object) => schema
            .attributes()
            .keys()
            .chain(schema.blocks().keys())
            .all(|name| object.attributes.contains_key(name)),
        Type::Dynamic => true,
        _ => false,
    };
    if has_all {
        Ok(())
    } else {
        Err(Error::Nonconforming { which })
    }
}
