//! Search: one language for the bar, the tree filter and the command line.
//!
//! A query is a list of terms, and a *hit* is a resource, or one property of a resource, of which all terms hold. A word holds
//! if the name, the type or the property path has it; a pattern holds of the properties that it matches; a value term of the
//! properties that contain it; a field of the resource. A query without a term that asks for properties gives resources.
//!
//! # Laws
//!
//! 1. **A masked value never matches.** Value terms look at what may be shown, never at what the file holds beside it.
//! 2. **A whole word beats a scattered one.** Hits whose words all occur as written rank above those whose letters are only
//!    found in order.
//! 3. **A property is a hit for its own sake.** A word that lies wholly in the path above a property gives the property above,
//!    not everything below it.
//! 4. **Work is in slices.** Nothing here takes longer than a slice of resources before it looks whether it is still wanted.
//!
//! # How it is fast
//!
//! Types and property paths are interned by the [stack](crate::stack), so a million resources have some hundred types and paths:
//! those are matched once, and resources only by name, behind a mask of the letters that a name has. See [`Index`].

mod engine;
mod fuzzy;
mod index;
mod outputs;
mod pattern;
mod query;
mod rank;
mod run;
mod target;
mod values;
mod wild;
mod word;

use std::ops::Range;

pub use engine::{Found, Progress, Selection};
pub use index::{Completion, Index};
pub use outputs::{OutputHit, OutputPlace, outputs};
pub use pattern::Pattern;
pub use query::{FIELDS, Field, ParseError, Query, Term, TermKind};
pub use run::run;
pub use target::Target;
pub use values::{Stride, Supply};
pub use wild::Wild;
pub use word::{Anchor, Word};

use crate::path::Path;
use crate::stack::{PathId, Resource, ResourceId, Section, When};
use crate::value::Value;

/// How many hits are kept; the rest are counted.
pub const LIMIT: usize = 200;

/// What a query found: a resource or a property of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Hit {
    /// The resource.
    pub resource: ResourceId,
    /// Where in it.
    pub at: At,
    /// How good it is: more is better. Comparable within one search only.
    pub score: i64,
    /// Which bytes of the name ([`crate::stack::Stack::name`]) matched, ascending and apart.
    pub name: Vec<Range<usize>>,
    /// Which bytes of the type matched.
    pub ty: Vec<Range<usize>>,
    /// Which bytes of the path's text ([`Index::path_text`], or the printed path) matched.
    pub path: Vec<Range<usize>>,
}

/// Where in a resource a hit lies.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum At {
    /// The resource as a whole.
    Resource,
    /// A property path of the index, where `[*]` stands for some element.
    Indexed(PathId),
    /// One property.
    Property(Place),
}

/// One property of a resource.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// Whether it is of the state before the change only.
    pub before: bool,
    /// Inputs or outputs.
    pub section: Section,
    /// The way to it.
    pub path: Path,
}

impl Place {
    /// The value there as it may be shown.
    pub fn value(&self, resource: &Resource) -> Option<Value> {
        let when = if self.before {
            When::Before
        } else {
            When::After
        };
        let section = self.section;
        crate::stack::Place { when, section }.value_at(resource, &self.path)
    }

    /// The word that `--of` takes: `outputs`, `before.inputs`.
    pub fn section_word(&self) -> String {
        if self.before {
            format!("before.{}", self.section)
        } else {
            self.section.name().to_owned()
        }
    }
}
