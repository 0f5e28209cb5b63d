//! TODO

pub mod address;
pub mod cty;
pub(crate) mod cty_json;
pub mod encryption;
pub mod hcl;
pub mod objchange;
pub mod schema;
pub(crate) mod sensitive;
