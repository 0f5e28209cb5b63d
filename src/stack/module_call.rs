//! Calls of modules in the configuration of a plan.

use std::fmt;

/// The module that a call uses, as the configuration names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleCall {
    /// The source: an address in a registry, a folder, or a URL.
    pub source: String,
    /// The constraint on its version; empty if there is none.
    pub version: String,
}

impl fmt::Display for ModuleCall {
    /// `SOURCE@VERSION`, or the source alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        if self.version.is_empty() {
            return Ok(());
        }
        write!(f, "@{}", self.version)
    }
}
