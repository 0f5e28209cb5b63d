//! URNs as values store them: texts. Their parts and grammar are in [`crate::pulumi::urn`].

use std::fmt;
use std::sync::Arc;

/// A URN as written, valid or not. Broken URNs occur in real files and are shown as they are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Urn(Arc<str>);

impl Urn {
    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Urn {
    fn from(text: &str) -> Self {
        Self(Arc::from(text))
    }
}

impl From<String> for Urn {
    fn from(text: String) -> Self {
        Self(Arc::from(text))
    }
}

impl fmt::Display for Urn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Urn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
