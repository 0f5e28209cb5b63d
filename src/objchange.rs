//! The planning rules of Terraform and OpenTofu: what was planned, whether it is valid, and what changes.

mod action;
pub mod diff;
pub mod masks;
pub mod review;
mod lcs;

pub use action::{BasicAction, action_for_change};
pub use lcs::{Class, EXACT_CELLS, align, longest_common_subsequence, value_equal};
