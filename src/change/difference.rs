//! The difference between two values: the action at every place, independent of how it is drawn.
//!
//! A [`Diff`] is a tree. Each node has the value before and after, an [`Action`], whether its path forces the replacement of the
//! resource, and a [`DiffKind`] that says how the two sides were compared: a leaf, a string (by lines, or as the JSON or YAML in it), a
//! list aligned by the names of its elements or by its longest common subsequence, a set matched by equality, a map, an object, a block of a schema, a sensitive
//! value, an unknown one, a write-only one, or two values of different kinds. The explorer's pane
//! ([`render::lines`](crate::render::lines)) and the text in Terraform's format
//! ([`render::terraform`](crate::render::terraform)) are drawn from the same description.
//!
//! Values come with their masks folded in as markers ([`masks`](super::masks)): secret means sensitive, computed means unknown.
//! So Pulumi's values, two states and a plan are compared by the same function.
//!
//! # Laws
//!
//! 1. The difference of a value and itself has [`Action::Same`] at every node.
//! 2. A container is created or deleted if one side is null. Otherwise it is the same until a child differs, or the order of a
//!    list, then an update.
//! 3. **Masked by construction.** Below a sensitive node there is no tree, and its values carry the secret marker.
//! 4. Children are sorted bytewise by key. Elements are in display order.
//! 5. Nesting deeper than [`MAX_DEPTH`] ends in a leaf. Nothing here is quadratic in the size of a list beyond a fixed bound
//!    ([`EXACT_CELLS`](crate::terraform::objchange::EXACT_CELLS)). Elements of a list are described on demand
//!    ([`Element::diff`]).
//!
//! Without a [`Block`] the rules follow the values: every array is taken for a list, since JSON cannot mark a set.
//!
//! # Source
//!
//! The rendering rules of Terraform 1.17 and `OpenTofu` (`internal/command/jsonformat`), described in this module's own data
//! types.

mod align;
mod block;
mod elements;
mod identity;
mod list;
mod meaning;
mod pair;
mod plain;
mod text;
mod typed;

use std::sync::Arc;

pub use crate::value::same;
pub(crate) use align::numbered;
pub(crate) use block::is_modern;
pub use block::{Group, Member};
pub use elements::{Element, Elements};
pub(crate) use identity::{name_by, name_key, name_of};
pub use meaning::Durations;
pub(crate) use meaning::{account, is_account};
pub use text::TextLine;

use crate::change::decode::Decoder;
use crate::path::Path;
use crate::stack::Section;
use crate::terraform::schema::Block;
use crate::types::Type;
use crate::value::{Payload, Shown, Value};
use pair::{Pair, Relevant, Steps};

/// Number of nested containers that are compared part by part. Values below are compared as wholes.
pub const MAX_DEPTH: usize = 120;

/// The action at one place. A resource as a whole may also be replaced, read or moved: see
/// [`stack::Action`](crate::stack::Action).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Action {
    /// No change.
    #[default]
    Same,
    /// Absent before, present after.
    Create,
    /// Present before and after, with a difference.
    Update,
    /// Present before, absent after.
    Delete,
}

impl Action {
    /// The action of a container with the action `self` so far and a child with the action `child`.
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

/// The difference of one set of properties.
#[derive(Clone, PartialEq, Debug)]
pub struct SectionDiff {
    /// The set of properties.
    pub section: Section,
    /// Its difference.
    pub diff: Diff,
}

/// The difference at one place and below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Diff {
    /// The action at this place.
    pub action: Action,
    /// True if this path itself forces the replacement of the resource.
    pub replaces: bool,
    /// True inside a value whose type the schema leaves open (dynamic).
    pub is_dynamic: bool,
    /// The value before; null if there was none.
    pub before: Value,
    /// The value after; null if there will be none.
    pub after: Value,
    /// The way the two were compared, with the result.
    pub kind: DiffKind,
    /// The reason why the two mean the same, although they are written differently.
    pub spelling: Option<Reason>,
}

/// The way two sides were compared, with the result.
#[derive(Clone, PartialEq, Debug)]
pub enum DiffKind {
    /// As wholes: null, bool, number, asset, archive, reference.
    Leaf,
    /// As strings of one line.
    Line,
    /// As strings of several lines, trimmed of white space at both ends.
    Lines(Vec<TextLine>),
    /// As the JSON in the strings. If that JSON is the same and the node is an update, only the formatting differs.
    Json(Box<Diff>),
    /// As the YAML or the properties in the strings, which both have several lines. If the values are the same, only the formatting
    /// differs.
    Document {
        /// The form of both.
        form: Decoder,
        /// The difference of the values.
        values: Box<Diff>,
        /// The difference line by line, for a plain text view.
        lines: Vec<TextLine>,
    },
    /// Element by element.
    List {
        /// In display order.
        elements: Elements,
        /// True if the elements are objects of a nested type in a schema. These are compared index by index.
        nested: bool,
    },
    /// By equality: an element is in both, or deleted, or created.
    Set {
        /// The elements before, then the new ones.
        elements: Elements,
        /// True if the elements are objects of a nested type in a schema.
        nested: bool,
    },
    /// Key by key, all values of one type.
    Map {
        /// Sorted by key.
        entries: Vec<(Arc<str>, Diff)>,
        /// True if the values are objects of a nested type in a schema.
        nested: bool,
    },
    /// Attribute by attribute. If a schema names them, attributes that are null on both sides are left out.
    Object {
        /// Sorted by name.
        entries: Vec<(Arc<str>, Diff)>,
        /// True if it is an object of a nested type in a schema.
        nested: bool,
    },
    /// Attributes and nested blocks of a schema.
    Block {
        /// Sorted by name, without those that are null on both sides.
        attributes: Vec<(Arc<str>, Diff)>,
        /// Sorted by name.
        groups: Vec<Group>,
    },
    /// Known after apply.
    Unknown {
        /// The value before, described as deleted; `None` if there was none.
        before: Option<Box<Diff>>,
    },
    /// Sensitive on at least one side.
    Sensitive {
        /// The action of the value itself, apart from sensitivity.
        content: Action,
        /// True if it was sensitive before.
        before: bool,
        /// True if it will be sensitive after.
        after: bool,
        /// True if it is a block.
        block: bool,
    },
    /// Passed to the provider and never stored.
    WriteOnly {
        /// True if it is sensitive too. Not set for attributes of a block.
        sensitive: bool,
    },
    /// Of different kinds: one side is deleted and the other created.
    TypeChange {
        /// The value before, described as deleted.
        before: Box<Diff>,
        /// The value after, described as created.
        after: Box<Diff>,
    },
}

/// The reason why a node counts as changed although its content is the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Two texts of the same JSON or YAML value.
    FormattingOnly,
    /// A list of the same elements in another order.
    OtherOrder,
    /// A list some elements of which moved to another place, beside other changes.
    Moved,
    /// A list of an access policy, such as its statements, with the same elements in another order.
    PolicyOrder,
    /// One number in two spellings: `443` and `"443"`.
    SameNumber,
    /// Null and an empty collection, where they are the same.
    SameEmpty,
    /// A text and a list of this text in an access policy, or a statement and a list of it.
    ListOfOne,
    /// Actions of an access policy in another case.
    SameAction,
    /// An account in an access policy by its number and by the name of its root.
    SamePrincipal,
    /// An amount of Kubernetes in another unit: `1000m` and `1`.
    SameAmount,
    /// A duration in another unit: `24h` and `86400s`.
    SameTime,
    /// A condition in another order, or with other blanks, brackets and signs: `a && b` and `(b) and a`.
    SameCondition,
    /// Texts that differ only in the ends of their lines.
    LineEnds,
    /// A script that gets the line ends of Windows.
    ScriptEnds,
    /// No value of a changed resource differs.
    SameValues,
    /// It becomes sensitive.
    BecomesSensitive,
    /// It is no longer sensitive.
    NoLongerSensitive,
    /// The value changes, and becomes sensitive.
    ChangesAndBecomesSensitive,
    /// The value changes, and is no longer sensitive.
    ChangesAndTurnsPlain,
    /// The value after a sensitive one is not known yet, and so is its sensitivity.
    KnownAfterApply,
}

impl Diff {
    /// The reason why the node counts as changed, if its content does not show it.
    pub fn reason(&self) -> Option<Reason> {
        match &self.kind {
            _ if self.spelling.is_some() => self.spelling,
            DiffKind::Json(inner) | DiffKind::Document { values: inner, .. }
                if self.action == Action::Update && inner.action == Action::Same =>
            {
                Some(Reason::FormattingOnly)
            }
            DiffKind::List { elements, .. }
                if self.action == Action::Update
                    && elements.is_reordered()
                    && !elements.iter().any(|element| element.is_change()) =>
            {
                Some(Reason::OtherOrder)
            }
            DiffKind::TypeChange { .. } if is_same_number(&self.before, &self.after) => {
                Some(Reason::SameNumber)
            }
            DiffKind::Sensitive { .. }
                if self.after.is_computed() && self.action == Action::Update =>
            {
                Some(Reason::KnownAfterApply)
            }
            DiffKind::Sensitive {
                content,
                before,
                after,
                ..
            } if before != after && self.action == Action::Update => {
                Some(match (*content == Action::Same, *after) {
                    (true, true) => Reason::BecomesSensitive,
                    (true, false) => Reason::NoLongerSensitive,
                    (false, true) => Reason::ChangesAndBecomesSensitive,
                    (false, false) => Reason::ChangesAndTurnsPlain,
                })
            }
            _ => None,
        }
    }

    /// True if there is a change here or below.
    pub fn is_change(&self) -> bool {
        self.action != Action::Same
    }
}

impl Reason {
    /// The words beside a change.
    pub fn words(self) -> &'static str {
        match self {
            Self::FormattingOnly => "formatting only",
            Self::OtherOrder | Self::PolicyOrder => "same elements, other order",
            Self::Moved => "elements moved to another place",
            Self::SameNumber => "same number",
            Self::SameEmpty => "null and empty are the same here",
            Self::ListOfOne => "a list of one means the same",
            Self::SameAction => "the case of actions does not count",
            Self::SamePrincipal => "same principal",
            Self::SameAmount => "same amount",
            Self::SameTime => "same duration",
            Self::SameCondition => "the same conditions, written in another way",
            Self::LineEnds => "only line ends differ",
            Self::ScriptEnds => "only line ends differ, but a script needs those of Unix",
            Self::SameValues => "no value differs",
            Self::BecomesSensitive => "becomes sensitive",
            Self::NoLongerSensitive => "no longer sensitive",
            Self::ChangesAndBecomesSensitive => "changed, becomes sensitive",
            Self::ChangesAndTurnsPlain => "changed, no longer sensitive",
            Self::KnownAfterApply => "known after apply",
        }
    }

    /// True if a value was sensitive and is not any longer.
    pub fn turns_plain(self) -> bool {
        matches!(self, Self::NoLongerSensitive | Self::ChangesAndTurnsPlain)
    }

    /// True if the two sides mean the same to the provider. The order of a list may have a meaning.
    pub fn is_without_effect(self) -> bool {
        matches!(
            self,
            Self::FormattingOnly
                | Self::PolicyOrder
                | Self::SameNumber
                | Self::SameEmpty
                | Self::ListOfOne
                | Self::SameAction
                | Self::SamePrincipal
                | Self::SameAmount
                | Self::SameTime
                | Self::SameCondition
                | Self::LineEnds
                | Self::SameValues
        )
    }
}

/// True if one value is a number and the other its text.
fn is_same_number(before: &Value, after: &Value) -> bool {
    match (before.shown(), after.shown()) {
        (Shown::Plain(Payload::Number(number)), Shown::Plain(Payload::String(text)))
        | (Shown::Plain(Payload::String(text)), Shown::Plain(Payload::Number(number))) => text
            .as_str()
            .is_some_and(|text| meaning::is_same_number(text, number)),
        _ => false,
    }
}

/// Facts about the two values that the comparison uses.
#[derive(Clone, Copy, Default, Debug)]
pub struct Context<'a> {
    /// The provider's schema for the resource type.
    pub schema: Option<&'a Block>,
    /// The paths that force the replacement of the resource.
    pub replaces: &'a [Path],
    /// The paths whose changes are of interest, with everything below them. Changes elsewhere count as unchanged. `None` means
    /// all paths.
    pub relevant: Option<&'a [Path]>,
    /// The rule that pairs the elements of two lists.
    pub alignment: Alignment,
    /// The parts that are described.
    pub extent: Extent,
    /// The properties that are durations.
    pub times: Option<&'static Durations>,
}

/// The parts of two values that are described.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Extent {
    /// All.
    #[default]
    Whole,
    /// The changes. Properties and keys without a schema that are the same are left out; they are what most of the time
    /// goes into.
    Changes,
    /// The place itself without those below it, as far as there is no schema.
    Root,
}

/// The rule that pairs the elements of two lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Alignment {
    /// Elements of the same content are paired, in lists of any length.
    #[default]
    Content,
    /// As in Terraform's own text: lists of equal length, nested objects and blocks are paired by index.
    Terraform,
}

/// The difference between `before` and `after`. Null means absent.
pub fn describe(before: &Value, after: &Value, context: Context<'_>) -> Diff {
    let replaces = pair::sorted(context.replaces);
    let relevant = context.relevant.map(pair::sorted);
    let mut pair = Pair::root(
        before,
        after,
        Steps::of(&replaces),
        relevant.as_deref().map_or(Relevant::All, Relevant::of),
    );
    pair.setting.alignment = context.alignment;
    pair.extent = context.extent;
    pair.setting.times = context.times;
    match context.schema {
        Some(schema) => block::block(&pair, schema),
        None => plain::plain(&pair),
    }
}

/// The difference of an output, by Terraform's rules: below a mask `""` counts as null, elsewhere it does not.
pub fn describe_output(before: &Value, after: &Value) -> Diff {
    let mut pair = Pair::root(before, after, Steps::default(), Relevant::All);
    pair.setting.alignment = Alignment::Terraform;
    let masked = |pair: &Pair<'_>| typed::typed(pair, &Type::Dynamic);
    pair.sensitive(false, masked)
        .or_else(|| pair.unknown(pair::After::Known, masked))
        .unwrap_or_else(|| plain::plain(&pair))
}

#[cfg(test)]
mod tests;
