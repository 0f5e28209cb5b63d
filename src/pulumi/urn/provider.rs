//! Provider references: the provider that manages a resource.

use std::fmt;

use super::{Urn, parts};
use crate::pulumi::UNKNOWN;

/// Prefix of the type of every provider.
pub const PROVIDER_TYPE: &str = "pulumi:providers:";

/// The provider of a resource: `URN::ID`, split at the last `::`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProviderReference {
    urn: Urn,
    id: String,
}

/// The reason why a text is not a provider reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProviderReferenceError {
    /// There is no `::`.
    #[error("expected `::` between the URN and the id of a provider, found none")]
    NoSeparator,
    /// The text before the id is not a URN.
    #[error("expected the URN of a provider, found another text")]
    NoUrn,
    /// The URN is not that of a provider.
    #[error("expected a type `pulumi:providers:PACKAGE`, found another type")]
    NoProvider,
}

/// True if a resource of this type and name is a default provider: the engine made it for resources that name no provider.
pub fn is_default_provider(ty: &str, name: &str) -> bool {
    package_of(ty).is_some() && name.starts_with("default")
}

/// The package of a provider's type: everything after the prefix, colons too, but not nothing. `None` for another type.
fn package_of(ty: &str) -> Option<&str> {
    ty.strip_prefix(PROVIDER_TYPE)
        .filter(|package| !package.is_empty())
}

impl ProviderReference {
    /// The id of a default provider that the stack's configuration denies.
    pub const DENIED: &str = "denydefaultprovider";

    /// Splits any text at the last `::` into URN and id. A text without `::` is all URN, and the id is "".
    pub fn split(text: &str) -> (&str, &str) {
        text.rsplit_once("::").unwrap_or((text, ""))
    }

    /// The URN in any text; `None` if the id is that of a denied default provider.
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
        package_of(parts.ty()).ok_or(ProviderReferenceError::NoProvider)?;
        Ok(Self {
            urn: urn.into(),
            id: id.to_owned(),
        })
    }

    /// The URN of the provider's own resource.
    pub fn urn(&self) -> &Urn {
        &self.urn
    }

    /// The id: a UUID, or a text that marks the provider as unknown or denied.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The package, as `aws`.
    pub fn package(&self) -> &str {
        let parts = self.urn.parts();
        parts
            .and_then(|parts| package_of(parts.ty()))
            .unwrap_or_default()
    }

    /// True if the provider has not been created yet.
    pub fn is_unknown(&self) -> bool {
        self.id == UNKNOWN
    }

    /// True if the stack's configuration denies the default provider that would be used.
    pub fn is_denied(&self) -> bool {
        self.id == Self::DENIED
    }
}

impl fmt::Display for ProviderReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.urn, self.id)
    }
}
