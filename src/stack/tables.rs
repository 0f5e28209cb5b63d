//! Tables: interned data that many resources share.

use std::sync::Arc;

use crate::path::Segment;
use crate::pulumi::urn;

use super::{Section, ShapePaths, Shapes};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
        pub struct $name(pub u32);
    )*};
}

ids! {
    /// Everything in a URN before its name.
    PrefixId;
    /// A module.
    GroupId;
    /// A reference to a provider.
    ProviderId;
    /// A property path that at least one resource has.
    PathId;
    /// A set of property paths. Elements of arrays count as one path, `[*]`. Shape 0 is empty.
    ShapeId;
}

/// Everything in a URN before the last `::`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prefix {
    text: Arc<str>,
    /// Byte offset of the type of the resource itself in `text`.
    ty: u32,
}

impl Prefix {
    /// The prefix `text`, without the `::` before the name. The type is the text after the last `$` or `::`; for a Terraform type
    /// (`aws:managed:aws_instance`) it is the resource type alone.
    pub fn new(text: &str, terraform: bool) -> Self {
        // With a placeholder name, the prefix is a URN that can be parsed.
        let whole = format!("{text}::x");
        let ty = urn::parts(&whole).map_or("", |parts| parts.ty());
        let ty = if terraform {
            ty.rsplit_once(':').map_or(ty, |(_, ty)| ty)
        } else {
            ty
        };
        let start = text.len() - ty.len().min(text.len());
        Self {
            text: text.into(),
            ty: u32::try_from(start).unwrap_or(0),
        }
    }

    /// The whole prefix.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The type token or resource type.
    pub fn ty(&self) -> &str {
        &self.text[self.ty as usize..]
    }

    /// The mode of a Terraform resource (`managed`, `data`): the part before the resource type.
    pub fn mode(&self) -> &str {
        let mode = self.text.rsplit(':').nth(1);
        mode.filter(|mode| !mode.is_empty()).unwrap_or("managed")
    }
}

/// A Terraform module instance that has resources in it or below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The address: `module.a["x"].module.b`.
    pub path: Arc<str>,
    /// The module that contains it, listed before it; `None` for a call in the root module.
    pub parent: Option<GroupId>,
}

/// One node of the tree of all property paths. A node has a limited number of different children (labels, annotations); further
/// ones are folded into `*`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathNode {
    /// The node above; `None` for the top of a section.
    pub parent: Option<PathId>,
    /// The last step; `None` for the top of a section, for the fold `*`, and for all elements of an array.
    pub segment: Option<Segment>,
    /// The section of the path.
    pub section: Section,
}

/// All tables of a stack. Only ever grows.
#[derive(Clone, Default, Debug)]
pub struct Tables {
    /// By [`PrefixId`].
    pub prefixes: Vec<Prefix>,
    /// By [`GroupId`]; parents before children.
    pub groups: Vec<Group>,
    /// By [`ProviderId`].
    pub providers: Vec<Arc<str>>,
    /// By [`PathId`]; parents before children.
    pub paths: Vec<PathNode>,
    /// By [`ShapeId`].
    pub shapes: Shapes,
}

impl Tables {
    /// The prefix of `id`.
    pub fn prefix(&self, id: PrefixId) -> &Prefix {
        &self.prefixes[id.0 as usize]
    }

    /// The module of `id`.
    pub fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.0 as usize]
    }

    /// The provider reference of `id`.
    pub fn provider(&self, id: ProviderId) -> &str {
        &self.providers[id.0 as usize]
    }

    /// The paths of `id`, ascending. Empty for a shape that was never added.
    pub fn shape(&self, id: ShapeId) -> ShapePaths<'_> {
        self.shapes.get(id)
    }

    /// True if all tables are empty.
    pub fn is_empty(&self) -> bool {
        self.prefixes.is_empty()
            && self.groups.is_empty()
            && self.providers.is_empty()
            && self.paths.is_empty()
            && self.shapes.is_empty()
    }

    /// Appends the entries of `other`. Ids in `other` already count the entries here.
    pub fn extend(&mut self, other: Self) {
        self.prefixes.extend(other.prefixes);
        self.groups.extend(other.groups);
        self.providers.extend(other.providers);
        self.paths.extend(other.paths);
        self.shapes.extend(&other.shapes);
    }
}
