//! The domain of Terraform and OpenTofu: addresses, types and schemas, the configuration language, encrypted files, and the
//! planning rules ([`objchange`]).
//!
//! This module does not depend on files or stacks.

pub mod address;
pub mod cty;
pub(crate) mod cty_json;
pub mod encryption;
pub mod hcl;
pub mod objchange;
mod quoting;
pub mod schema;
pub(crate) mod sensitive;
