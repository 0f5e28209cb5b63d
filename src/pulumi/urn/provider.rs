//! Provider references: which provider manages a resource.

use std::fmt;

use super::{Urn, parts};
use crate::pulumi::UNKNOWN;

/// What the type of every provider starts with.
pub const PROVIDER_TYPE: &str = "pulumi:providers:";

/// The provider of a resource: `URN::ID`, split at the last `::`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProviderReference {
    urn: Urn,
    id: String,
}

/// Why a text is no provider reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProviderReferenceError {
    /// There is no `::`.
    #[error("expected `::` between the URN and the id of a provider, found none")]
    NoSeparator,
    /// What stands before the id is no URN.
    #[error("expected the URN of a provider, found another text")]
    NoUrn,
    /// The URN is that of something else.
    #[error("expected a type `pulumi:providers:PACKAGE`, found another type")]
    NoProvider,
}

impl ProviderReference {
    /// The id that stands for a default provider which the stack's configuration denies.
    pub const DENIED: &str = "denydefaultprovider";

    /// The URN and the id that any text has as a reference; one without `::` is all URN.
    pub fn split(text: &str) -> (&str, &str) {
        text.rsplit_once("::").unwrap_or((text, ""))
    }

    /// The URN in any text; `None` if it says that there is to be no provider.
    pub fn urn_in(text: &str) -> Option<&str> {
        let (urn, id) = Self::split(text);
        (id != Self::DENIED).then_some(urn)
    }

    /// Reads `URN::ID`.
    pub fn parse(text: &str) -> Result<Self, ProviderReferenceError> {
        let (urn, id) = text
            .rsplit_once("::")
            .ok_or(ProviderReferenceError::NoSeparator)?;
        let parts = parts(urn).ok_or(ProviderReferenceError::NoUrn)?;
        match parts.ty().strip_prefix(PROVIDER_TYPE) {
            Some(package) if !package.contains(':') => Ok(Self {
                urn: urn.into(),
                id: id.to_owned(),
            }),
            _ => Err(ProviderReferenceError::NoProvider),
        }
    }

    /// The URN of the provider's own resource.
    pub fn urn(&self) -> &Urn {
        &self.urn
    }

    /// The id: a UUID, or what says that there is none.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The package, as `aws`.
    pub fn package(&self) -> &str {
        let parts = self.urn.parts();
        parts.map_or("", |parts| parts.ty().trim_start_matches(PROVIDER_TYPE))
    }

    /// Whether nobody wrote this provider down: the engine made it for resources that name none.
    pub fn is_default(&self) -> bool {
        self.urn.name().starts_with("default")
    }

    /// Whether the provider has not been created yet.
    pub fn is_unknown(&self) -> bool {
        self.id == UNKNOWN
    }

    /// Whether the stack's configuration denies the default provider that would be used.
    pub fn is_denied(&self) -> bool {
        self.id == Self::DENIED
    }
}

impl fmt::Display for ProviderReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.urn, self.id)
    }
}
