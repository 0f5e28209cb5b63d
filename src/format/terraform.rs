//! The formats of Terraform and OpenTofu, one module each, and their shared code.

pub(super) mod binary;
pub(crate) mod config;
pub(super) mod dependency_locks;
pub(super) mod identity;
pub(super) mod old_state;
pub(super) mod plan;
pub(super) mod provider_schemas;
pub(super) mod references;
pub(super) mod show;
pub(super) mod state;
pub(super) mod ui;
