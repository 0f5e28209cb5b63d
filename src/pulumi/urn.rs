//! URNs: the names of everything in a stack.
//!
//! `urn:pulumi:STACK::PROJECT::QUALIFIED-TYPE::NAME`, where the qualified type is a chain of types joined by `$`, outermost
//! first. A Terraform resource has an address and a URN made from it (see [`crate::stack`]).
//!
//! # Two readings
//!
//! | | engines | the grammar of the specification |
//! |---|---|---|
//! | here | [`Urn::is_valid`], [`Urn::parts`] | [`parse_strict`] |
//! | asks for | the prefix, and three `::` in the whole text | the same, and that each part is well formed |
//! | stack, project | anything without `::`, empty too | the same |
//! | types | anything without `::` | `package:module:Type` or `package:Type`, of letters, digits and `_`; at most one parent |
//! | name | anything, `::` too | anything without `::` |
//!
//! Nearly every URN of a real provider breaks the grammar (`aws:s3/bucket:Bucket` has a `/`). Readers therefore use the first
//! reading; the second is for reports about unusual URNs.
//!
//! `::` is found from the left, so `a:::b` is `a`, `:b`.
//!
//! # Example
//!
//! ```
//! use stacklens::pulumi::urn::{self, Urn};
//!
//! let urn = Urn::new("prod", "shop", "my:mod:Group", "aws:s3/bucket:Bucket", "logs");
//! assert_eq!(urn.as_str(), "urn:pulumi:prod::shop::my:mod:Group$aws:s3/bucket:Bucket::logs");
//! assert_eq!(urn.parts().unwrap().ty(), "aws:s3/bucket:Bucket");
//! assert_eq!(urn::display_type("aws:s3/bucket:Bucket"), "aws:s3:Bucket");
//! assert_eq!(urn::parse_strict(urn.as_str()).unwrap_err().column, 43);
//! ```
//!
//! # Source
//!
//! The type system specification, "URNs"; pulumi/pulumi `sdk/go/common/resource/urn` and `sdk/go/common/providers/reference.go`.

mod provider;
mod strict;

use std::borrow::Cow;

pub use crate::value::Urn;
#[cfg(feature = "internals")]
pub use provider::ProviderReferenceError;
pub use provider::{PROVIDER_TYPE, ProviderReference, is_default_provider};
pub use strict::parse_strict;

/// The prefix that every URN has.
pub const PREFIX: &str = "urn:pulumi:";

/// The type of the root of a stack, which is never written as a parent type.
pub const STACK_TYPE: &str = "pulumi:pulumi:Stack";

/// The parts of a URN.
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

/// The reason why engines reject a stack name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StackNameError {
    /// The name is empty.
    #[error("expected a stack name, found nothing")]
    Empty,
    /// More than 100 characters.
    #[error("expected a stack name of at most 100 characters, found a longer one")]
    TooLong,
    /// A character other than ASCII letters, digits, `-`, `_` and `.`.
    #[error(
        "expected letters, digits, `-`, `_` and `.` in a stack name, found another character at column {column}"
    )]
    Character {
        /// The column, counted in characters from 1.
        column: usize,
    },
}

impl<'a> Parts<'a> {
    /// The type of the resource itself: everything after the last `$`.
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

    /// The parts that engines see in any text. A missing part is the whole text after the prefix.
    pub fn of(text: &'a str) -> Self {
        let rest = text.strip_prefix(PREFIX).unwrap_or(text);
        let mut ends = separators(rest);
        let mut start = Some(0);
        let mut next = || {
            let from = start?;
            let end = ends.next();
            start = end.map(|end| end + SEPARATOR.len());
            Some((from, end.unwrap_or(rest.len())))
        };
        let (stack, project, qualified_type) = (next(), next(), next());
        let part = |part: Option<(usize, usize)>| part.map_or(rest, |(from, end)| &rest[from..end]);
        Self {
            stack: part(stack),
            project: part(project),
            qualified_type: part(qualified_type),
            name: start.map_or(rest, |from| &rest[from..]),
        }
    }

    /// The URN of these parts.
    pub fn to_urn(&self) -> Urn {
        let Self {
            stack,
            project,
            qualified_type,
            name,
        } = self;
        Urn::from(format!(
            "{PREFIX}{stack}::{project}::{qualified_type}::{name}"
        ))
    }
}

impl Urn {
    /// The URN of a resource. `parent_type` is the qualified type of its parent, "" for none; the stack's own type counts as
    /// none.
    pub fn new(stack: &str, project: &str, parent_type: &str, ty: &str, name: &str) -> Self {
        let qualified_type = match parent_type {
            "" | STACK_TYPE => Cow::Borrowed(ty),
            parents => Cow::Owned(format!("{parents}${ty}")),
        };
        Parts {
            stack,
            project,
            qualified_type: &qualified_type,
            name,
        }
        .to_urn()
    }

    /// True if an engine accepts this as a URN: it has the prefix, and three `::` in the whole text.
    pub fn is_valid(&self) -> bool {
        is_valid(self.as_str())
    }

    /// The parts; `None` if an engine does not accept this as a URN. Splits at the leftmost `::` each time.
    pub fn parts(&self) -> Option<Parts<'_>> {
        parts(self.as_str())
    }

    /// The name, or the whole text of a URN that is not valid.
    pub fn name(&self) -> &str {
        self.parts().map_or(self.as_str(), |parts| parts.name)
    }

    /// The same resource under another name.
    #[must_use]
    pub fn rename(&self, name: &str) -> Self {
        Parts {
            name,
            ..Parts::of(self.as_str())
        }
        .to_urn()
    }

    /// The same resource in another stack.
    ///
    /// # Errors
    ///
    /// If `stack` is not a valid name of a stack.
    pub fn rename_stack(&self, stack: &str) -> Result<Self, StackNameError> {
        check_stack_name(stack)?;
        Ok(Parts {
            stack,
            ..Parts::of(self.as_str())
        }
        .to_urn())
    }

    /// The same resource in another project.
    #[must_use]
    pub fn rename_project(&self, project: &str) -> Self {
        Parts {
            project,
            ..Parts::of(self.as_str())
        }
        .to_urn()
    }
}

fn is_valid(urn: &str) -> bool {
    urn.starts_with(PREFIX) && separators(urn).nth(2).is_some()
}

/// The separator of the parts of a URN.
const SEPARATOR: &str = "::";

/// The byte offsets of the separators in a text, from the left; no two overlap.
fn separators(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + memchr::memchr(b':', bytes.get(from..)?)?;
            if bytes.get(at + 1) == Some(&b':') {
                from = at + SEPARATOR.len();
                return Some(at);
            }
            from = at + 1;
        }
    })
}

/// The parts of `urn`; see [`Urn::parts`].
pub fn parts(urn: &str) -> Option<Parts<'_>> {
    is_valid(urn).then(|| Parts::of(urn))
}

fn check_stack_name(name: &str) -> Result<(), StackNameError> {
    let wrong = name
        .chars()
        .position(|char| !char.is_ascii_alphanumeric() && !matches!(char, '-' | '_' | '.'));
    match (name.len(), wrong) {
        (0, _) => Err(StackNameError::Empty),
        (_, Some(at)) => Err(StackNameError::Character { column: at + 1 }),
        (101.., None) => Err(StackNameError::TooLong),
        (_, None) => Ok(()),
    }
}

/// The type as Pulumi's displays print it: `pkg:mod/fn:Name` is `pkg:mod:Name` where `fn` is `Name` in camelCase, which is how
/// bridged providers name the file of a type. Every other type is unchanged.
pub fn display_type(ty: &str) -> Cow<'_, str> {
    short_type(ty).map_or(Cow::Borrowed(ty), Cow::Owned)
}

fn short_type(ty: &str) -> Option<String> {
    let mut tokens = ty.split(':');
    let (package, module, name) = (tokens.next()?, tokens.next()?, tokens.next()?);
    let (module, file) = module.rsplit_once('/')?;
    let mut letters = name.chars();
    let first = letters.next()?;
    let is_camel_case = first.to_lowercase().chain(letters).eq(file.chars());
    (is_camel_case && tokens.next().is_none()).then(|| format!("{package}:{module}:{name}"))
}

#[cfg(test)]
mod tests;
