//! The planning rules of Terraform and OpenTofu: what was planned, whether it is valid, and what changes.

pub mod diff;
pub mod masks;
pub mod review;
