//! URNs: the names by which everything in a stack is known.
//!
//! `urn:pulumi:STACK::PROJECT::QUALIFIED-TYPE::NAME`, where the qualified type is a chain of types joined by `$`, outermost first.
//! A Terraform resource has an address and a URN made from it (see [`crate::stack`]).
//!
//! Two readings: engines accept anything with the prefix and three `::` ([`Urn::is_valid`], [`Urn::parts`]); the grammar of the
//! specification is stricter.

use std::fmt;
use std::sync::Arc;

/// The prefix that every URN has.
pub const PREFIX: &str = "urn:pulumi:";

/// A URN as written, valid or not. Broken URNs occur in real files and are shown as they are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Urn(Arc<str>);

/// The parts of a valid URN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts<'a> {
    /// The stack.
    pub stack: &'a str,
    /// The project.
    pub project: &'a str,
    /// The types from the outermost parent to the resource itself, joined by `$`.
    pub qualified_type: &'a str,
    /// The name: everything after the third `::`, which may itself contain `::`.
    pub name: &'a str,
}

impl<'a> Parts<'a> {
    /// The type of the resource itself: what stands after the last `$`.
    pub fn ty(&self) -> &'a str {
        self.qualified_type
            .rsplit_once('$')
            .map_or(self.qualified_type, |(_, ty)| ty)
    }

    /// The chain of parent types, "" if there is none.
    pub fn parent_type(&self) -> &'a str {
        self.qualified_type
            .rsplit_once('$')
            .map_or("", |(parents, _)| parents)
    }
}

impl Urn {
    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether an engine would take this as a URN.
    pub fn is_valid(&self) -> bool {
        self.parts().is_some()
    }

    /// The parts; `None` if the prefix or one of the three `::` is missing. Splits at the leftmost `::` each time.
    pub fn parts(&self) -> Option<Parts<'_>> {
        parts(&self.0)
    }

    /// The name, or the whole text of a URN that is not valid.
    pub fn name(&self) -> &str {
        self.parts().map_or(&self.0, |parts| parts.name)
    }
}

/// The parts of `urn`; see [`Urn::parts`].
pub fn parts(urn: &str) -> Option<Parts<'_>> {
    let rest = urn.strip_prefix(PREFIX)?;
    let (stack, rest) = rest.split_once("::")?;
    let (project, rest) = rest.split_once("::")?;
    let (qualified_type, name) = rest.split_once("::")?;
    Some(Parts {
        stack,
        project,
        qualified_type,
        name,
    })
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
