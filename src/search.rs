//! Search: one language for the bar, the tree filter and the command line.
//!
//! A query is a list of alternatives, and an alternative is a list of terms. A *hit* is a resource, or one property of a resource,
//! for which all terms of an alternative hold. A word holds if
//! the name, the type or the property path contains it. A pattern holds for the properties that it matches, a value term for the
//! properties that contain it, and a field for the resource. A query without a term about properties gives resources.
//!
//! # Laws
//!
//! 1. **A masked value never matches.** Value terms are compared with the values that may be shown, never with the bytes in the
//!    file.
//! 2. **A whole word beats a scattered one.** Hits whose words all occur as written rank above those whose letters are only
//!    found in order. A filter has the latter only if there is nothing else ([`find`]).
//! 3. **A property is a hit for its own sake.** A word that lies wholly in the path above a property gives the property above,
//!    not everything below it.
//! 4. **Work is in slices.** Nothing here takes longer than a slice of resources before it checks for cancellation.
//!
//! # How it is fast
//!
//! Types and property paths are interned by the [stack](crate::stack), so a million resources have some hundred types and paths.
//! Those are matched once, and resources only by name, after a test against the mask of letters in each name. See [`Index`].

mod complete;
mod engine;
mod examples;
mod field;
mod field_pattern;
mod find;
mod fuzzy;
mod index;
mod outputs;
mod prefilter;
mod query;
mod rank;
mod row_query;
mod run;
mod syntax;
mod target;
mod values;
mod word;
mod written;

use std::cmp::Ordering;
use std::ops::Range;

pub use complete::Advice;
pub use engine::{Facts, Progress, SearchResult};
pub use examples::{Example, examples};
pub use field::{FIELDS, Field};
pub use field_pattern::Wild;
pub use find::{Goal, Reading, Request, find};
pub use index::Index;
pub use outputs::{OutputHit, OutputPlace, outputs};
pub use prefilter::Prefilter;
pub use query::{Query, TermKind, UnknownField};
pub use row_query::{RowQuery, Rows};
pub use run::run;
pub use syntax::{SYNTAX, Syntax};
pub use target::Target;
pub use values::{Stride, Supply};
pub(crate) use values::{leaf, sections};
pub use word::{Anchor, Word};

use crate::path::Path;
use crate::stack::{PathId, Resource, ResourceId, Section, When};
use crate::text::join_ranges;
use crate::value::Value;

/// Maximum number of hits that are kept; the rest are counted.
pub const LIMIT: usize = 200;

/// The things that a query is for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Searched {
    /// All resources.
    #[default]
    Resources,
    /// Changes. Only here a query may have the fields about changes.
    Changes,
}

/// A resource or a property that a query found.
#[derive(Clone, PartialEq, Debug)]
pub struct Hit {
    /// The resource.
    pub resource: ResourceId,
    /// The place of the hit in the resource.
    pub at: At,
    /// Score of the hit; higher is better. Comparable within one search only.
    pub score: i64,
    /// Bit set of the query's alternatives that have the hit.
    pub(crate) alternatives: u16,
    /// Byte ranges of the name ([`crate::stack::Stack::name`]) that matched, ascending and not adjacent.
    pub name: Vec<Range<usize>>,
    /// Byte ranges of the type that matched.
    pub ty: Vec<Range<usize>>,
    /// Byte ranges of the path's text ([`Index::path_text`], or the printed path) that matched.
    pub path: Vec<Range<usize>>,
}

impl Hit {
    /// The order of an answer: the best first, then in the order of the file.
    fn order(&self, other: &Self) -> Ordering {
        let by_score = other.score.cmp(&self.score);
        by_score.then_with(|| (self.resource, &self.at).cmp(&(other.resource, &other.at)))
    }

    /// Adds the same hit, found by another alternative.
    fn join(&mut self, other: Self) {
        self.score = self.score.max(other.score);
        self.alternatives |= other.alternatives;
        let mut ranges = [&mut self.name, &mut self.ty, &mut self.path];
        let others = [other.name, other.ty, other.path];
        for (own, other) in ranges.iter_mut().zip(others) {
            own.extend(other);
            join_ranges(own);
        }
    }
}

/// The place of a hit in a resource.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum At {
    /// The resource as a whole.
    Resource,
    /// A property path of the index, in which `[*]` is some element.
    Indexed(PathId),
    /// One property.
    Property(PropertyAddress),
}

/// One property of a resource.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PropertyAddress {
    /// True if the property belongs to the state before the change only.
    pub before: bool,
    /// The set of properties: inputs or outputs.
    pub section: Section,
    /// The path to the property.
    pub path: Path,
}

impl PropertyAddress {
    /// The value of the property, masked as it may be shown.
    pub fn value(&self, resource: &Resource) -> Option<Value> {
        let when = if self.before {
            When::Before
        } else {
            When::After
        };
        let section = self.section;
        crate::stack::PropertySet { when, section }.value_at(resource, &self.path)
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
