//! Nodes, their arrangement and order, and the state of open nodes.

use std::collections::HashMap;

use crate::stack::{GroupId, PrefixId, ProviderId, ResourceId};

/// The arrangement of the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Arrangement {
    /// Resources below their parents, or in their modules.
    #[default]
    Parent,
    /// All resources as siblings.
    Flat,
    /// Resources below their types.
    Type,
}

impl Arrangement {
    /// The next arrangement, in a cycle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Parent => Self::Flat,
            Self::Flat => Self::Type,
            Self::Type => Self::Parent,
        }
    }

    /// The name for a person.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parent => "tree",
            Self::Flat => "flat",
            Self::Type => "by type",
        }
    }
}

/// The order of siblings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
    /// By name; numbers in names by their value.
    #[default]
    Name,
    /// By type, then by name.
    Type,
    /// By action, destructive ones first, then by name.
    Action,
    /// By position in the file.
    File,
}

impl Order {
    /// The next order, in a cycle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Name => Self::Type,
            Self::Type => Self::Action,
            Self::Action => Self::File,
            Self::File => Self::Name,
        }
    }

    /// The name for a person.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Type => "type",
            Self::Action => "action",
            Self::File => "file order",
        }
    }
}

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A resource.
    Resource(ResourceId),
    /// A module.
    Group(GroupId),
    /// All resources of the type of this prefix; if several prefixes have the type, the first one.
    Type(PrefixId),
    /// The providers of the stack.
    Providers,
    /// A provider without a record (Terraform).
    Provider(ProviderId),
    /// The outputs of the stack.
    Outputs,
}

impl Node {
    /// The resource that the node is; `None` for any other node.
    pub fn resource(self) -> Option<ResourceId> {
        match self {
            Self::Resource(id) => Some(id),
            Self::Group(_)
            | Self::Type(_)
            | Self::Provider(_)
            | Self::Providers
            | Self::Outputs => None,
        }
    }
}

/// A row: a node and an offset among its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowPosition {
    /// The node.
    pub node: Node,
    /// Depth of the node; 0 at the top.
    pub depth: usize,
    /// 0 for the row of the node itself; from 1 for its further rows.
    pub offset: usize,
}

/// The state of open and closed nodes: nodes at a depth below `level` are open, apart from the exceptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folds {
    /// Nodes with children are open at a depth below this.
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
