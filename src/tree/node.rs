//! What nodes stand for, how they are arranged and ordered, and which are open.

use std::collections::HashMap;

use crate::stack::{GroupId, PrefixId, ResourceId};

/// What lies below what.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Arrangement {
    /// Resources below their parents, or in their modules.
    #[default]
    Parent,
    /// All resources beside each other.
    Flat,
    /// Resources below their types.
    Type,
}

impl Arrangement {
    /// The next one, around.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Parent => Self::Flat,
            Self::Flat => Self::Type,
            Self::Type => Self::Parent,
        }
    }

    /// Its name for a person.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parent => "tree",
            Self::Flat => "flat",
            Self::Type => "by type",
        }
    }
}

/// In which order siblings stand.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
    /// By name, numbers in it by their size.
    #[default]
    Name,
    /// By type, then by name.
    Type,
    /// By what is about to happen, what destroys first, then by name.
    Action,
    /// As in the file.
    File,
}

impl Order {
    /// The next one, around.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Name => Self::Type,
            Self::Type => Self::Action,
            Self::Action => Self::File,
            Self::File => Self::Name,
        }
    }

    /// Its name for a person.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Type => "type",
            Self::Action => "action",
            Self::File => "file order",
        }
    }
}

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A resource.
    Resource(ResourceId),
    /// A module.
    Group(GroupId),
    /// All resources of the type that this prefix has; the first prefix of several with one type.
    Type(PrefixId),
    /// The providers of the stack.
    Providers,
    /// The outputs of the stack.
    Outputs,
}

/// A row: a node, and which of its own rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The node.
    pub node: Node,
    /// How deep the node lies; 0 at the top.
    pub depth: usize,
    /// 0 is the row of the node itself; from 1 its further rows.
    pub offset: usize,
}

/// Which nodes are open: those less deep than `level`, but for the exceptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folds {
    /// Nodes with children are open if they are less deep.
    pub level: u16,
    /// Nodes that the person opened (`true`) or closed.
    pub exceptions: HashMap<Node, bool>,
}

impl Default for Folds {
    fn default() -> Self {
        Self {
            level: 1,
            exceptions: HashMap::new(),
        }
    }
}
