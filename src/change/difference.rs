//! The difference between two values, described: what happens at every place, and nothing about how it is drawn.
//!
//! A [`Diff`] is a tree. Each node has the value before and after, an [`Action`], whether its path forces the replacement of the
//! resource, and a [`Kind`] that says how the two sides were compared: a leaf, a string (by lines, or as the JSON or YAML in it), a
//! list aligned by its longest common subsequence, a set matched by equality, a map, an object, a block of a schema, a sensitive
//! value, an unknown one, a write-only one, or two values of different kinds. The explorer's pane
//! ([`render::lines`](crate::render::lines)) and the text in Terraform's manner ([`render::terraform`](crate::render::terraform)) are
//! drawn from one description.
//!
//! Values come with their masks folded in as markers ([`masks`](super::masks)): secret means sensitive, computed means unknown.
//! So Pulumi's values, two states and a plan are compared by the same function.
//!
//! # Laws
//!
//! 1. The difference of a value and itself has [`Action::Same`] at every node.
//! 2. A container's action follows from null-ness (created, deleted), else it is the same until a child differs, then an update.
//! 3. **Masked by construction.** Below a sensitive node there is no tree, and its values carry the secret marker.
//! 4. Children are sorted bytewise by key; elements stand in the order in which they are told.
//! 5. Deep nesting ends in a leaf, see [`MAX_DEPTH`]; nothing here is quadratic in the size of a list beyond a fixed bound
//!    ([`EXACT_CELLS`](crate::terraform::objchange::EXACT_CELLS)), and elements of a list are described when somebody asks ([`Element::diff`]).
//!
//! Without a [`Block`] the rules go by what the values show: every array is taken for a list, since JSON cannot tell a set.
//!
//! # Source
//!
//! The rendering rules of Terraform 1.17 and `OpenTofu` (`internal/command/jsonformat`), which this describes in its own shape.

mod align;
mod block;
mod elements;
mod list;
mod pair;
mod plain;
mod text;
mod typed;

use std::sync::Arc;

pub use crate::value::same;
pub use block::{Group, Member};
pub use elements::{Element, Elements};
pub use text::TextLine;

use crate::path::Path;
use crate::terraform::schema::Block;
use crate::types::Type;
use crate::value::Value;
use pair::{Pair, Relevant, Steps};

/// How many containers are looked into, one inside the other. Below, two values are compared as wholes.
pub const MAX_DEPTH: usize = 120;

/// What happens at one place. A resource as a whole may also be replaced, read, moved: that is
/// [`stack::Action`](crate::stack::Action).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Action {
    /// Nothing.
    #[default]
    Same,
    /// It was not there before.
    Create,
    /// It is there before and after, and something about it differs.
    Update,
    /// It is not there afterwards.
    Delete,
}

impl Action {
    /// The action of a container that has `self` so far, and a child with `child`.
    #[must_use]
    pub fn with_child(self, child: Self) -> Self {
        if child == Self::Same || child == self {
            self
        } else {
            Self::Update
        }
    }

    /// The sign in front of a line, one cell wide.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Same => " ",
            Self::Create => "+",
            Self::Update => "~",
            Self::Delete => "-",
        }
    }

    /// The word that `diff --json` uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "noop",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}

/// What happens at one place and below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Diff {
    /// What happens.
    pub action: Action,
    /// Whether this very place forces the replacement of the resource.
    pub replaces: bool,
    /// Whether it lies inside of a value whose type the schema leaves to the value itself.
    pub is_dynamic: bool,
    /// The value before; null if there was none.
    pub before: Value,
    /// The value after; null if there will be none.
    pub after: Value,
    /// How the two were compared.
    pub kind: Kind,
}

/// How two sides were compared.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// As wholes: null, bool, number, asset, archive, reference.
    Leaf,
    /// As strings of one line.
    Line,
    /// As strings of several lines, trimmed of white space at both ends.
    Lines(Vec<TextLine>),
    /// As the JSON that the strings hold. If that is the same and the node is an update, only the formatting differs.
    Json(Box<Diff>),
    /// As the YAML that the strings hold, which both do, in several lines. If that is the same, only the formatting differs.
    Yaml {
        /// The difference of the values.
        values: Box<Diff>,
        /// The difference line by line, for who looks at no YAML.
        lines: Vec<TextLine>,
    },
    /// Element by element.
    List {
        /// In the order in which they are told.
        elements: Elements,
        /// Whether the elements are objects of a nested type in a schema: compared index by index.
        nested: bool,
    },
    /// By equality: an element is in both, or deleted, or created.
    Set {
        /// The elements before, then the new ones.
        elements: Elements,
        /// Whether the elements are objects of a nested type in a schema.
        nested: bool,
    },
    /// Key by key, all values of one type.
    Map {
        /// Sorted by key.
        entries: Vec<(Arc<str>, Diff)>,
        /// Whether the values are objects of a nested type in a schema.
        nested: bool,
    },
    /// Attribute by attribute. Where a schema names them, what is null on both sides is left out.
    Object {
        /// Sorted by name.
        attributes: Vec<(Arc<str>, Diff)>,
        /// Whether it is an object of a nested type in a schema.
        nested: bool,
    },
    /// Attributes and nested blocks of a schema.
    Block {
        /// Sorted by name; what is null on both sides is left out.
        attributes: Vec<(Arc<str>, Diff)>,
        /// Sorted by name.
        groups: Vec<Group>,
    },
    /// It is not known until apply.
    Unknown {
        /// The value before, described as deleted; `None` if there was none.
        before: Option<Box<Diff>>,
    },
    /// It is sensitive on at least one side.
    Sensitive {
        /// What happens to the value itself, sensitivity apart.
        content: Action,
        /// Whether it was sensitive.
        before: bool,
        /// Whether it will be.
        after: bool,
        /// Whether it is a block.
        block: bool,
    },
    /// It goes to the provider and is never kept.
    WriteOnly {
        /// Whether it is sensitive too. An attribute of a block does not tell.
        sensitive: bool,
    },
    /// The two sides are of different kinds: the one is deleted and the other created.
    TypeChange {
        /// The value before, described as deleted.
        before: Box<Diff>,
        /// The value after, described as created.
        after: Box<Diff>,
    },
}

/// Why a node counts as changed although its content is the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Two texts of one JSON or YAML value.
    FormattingOnly,
    /// It becomes sensitive.
    BecomesSensitive,
    /// It is no longer sensitive.
    NoLongerSensitive,
}

impl Diff {
    /// Why the node counts as changed, where its content does not say it.
    pub fn reason(&self) -> Option<Reason> {
        match &self.kind {
            Kind::Json(inner) | Kind::Yaml { values: inner, .. }
                if self.action == Action::Update && inner.action == Action::Same =>
            {
                Some(Reason::FormattingOnly)
            }
            Kind::Sensitive { before, after, .. }
                if before != after && self.action == Action::Update =>
            {
                Some(if *after {
                    Reason::BecomesSensitive
                } else {
                    Reason::NoLongerSensitive
                })
            }
            _ => None,
        }
    }

    /// Whether anything happens here or below.
    pub fn is_change(&self) -> bool {
        self.action != Action::Same
    }
}

/// What is known beside the two values.
#[derive(Clone, Copy, Default, Debug)]
pub struct Context<'a> {
    /// What the provider says of the type of the resource.
    pub schema: Option<&'a Block>,
    /// The paths that force the replacement of the resource.
    pub replaces: &'a [Path],
    /// The paths whose changes are of interest (and all below them); others count as unchanged. `None` is all.
    pub relevant: Option<&'a [Path]>,
    /// Which elements of two lists face each other.
    pub alignment: Alignment,
}

/// Which elements of two lists face each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Alignment {
    /// Elements of the same content face each other, in lists of any length.
    #[default]
    Content,
    /// As Terraform's own text aligns them: lists of equal length, and nested objects and blocks, by index.
    Terraform,
}

/// The difference between `before` and `after`, where null is absence.
pub fn describe(before: &Value, after: &Value, context: Context<'_>) -> Diff {
    let replaces = pair::sorted(context.replaces);
    let relevant = context.relevant.map(pair::sorted);
    let mut pair = Pair::root(
        before,
        after,
        Steps::of(&replaces),
        relevant.as_deref().map_or(Relevant::All, Relevant::of),
    );
    pair.alignment = context.alignment;
    match context.schema {
        Some(schema) => block::block(&pair, schema),
        None => plain::plain(&pair),
    }
}

/// The difference of an output, as Terraform tells it: below a mask "" counts as null, elsewhere it does not.
pub fn describe_output(before: &Value, after: &Value) -> Diff {
    let mut pair = Pair::root(before, after, Steps::default(), Relevant::All);
    pair.alignment = Alignment::Terraform;
    let masked = |pair: &Pair<'_>| typed::typed(pair, &Type::Dynamic);
    pair.sensitive(false, masked)
        .or_else(|| pair.unknown(pair::After::Known, masked))
        .unwrap_or_else(|| plain::plain(&pair))
}

#[cfg(test)]
mod tests;
