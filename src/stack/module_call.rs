//! Calls of modules in the configuration of a plan.

/// The module that a call uses, as the configuration names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleCall {
    /// The source: an address in a registry, a folder, or a URL.
    pub source: String,
    /// The constraint on its version; empty if there is none.
    pub version: String,
}
