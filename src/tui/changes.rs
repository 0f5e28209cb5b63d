//! The list of changes as data: its sections, its arrangements, and what its rows say. Jobs make it, and the Changes view shows
//! it.

mod arrange;
mod explain;
mod findings;
mod folds;
mod topic;
pub mod words;

pub use arrange::{Arranged, Arrangement, Group, Only, Order, Request};
pub use explain::{Explained, Property, explain};
pub use findings::{Finding, Findings};
pub use folds::Folds;
pub use topic::{Topic, is_reviewed};

use crate::stack::{ChangeId, ResourceId, Stack};

/// One row of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListRow {
    /// The heading of a section or of another group.
    Group(usize),
    /// A change.
    Change(ChangeId),
}

impl ListRow {
    /// The change of the row.
    pub fn change(self) -> Option<ChangeId> {
        match self {
            Self::Change(change) => Some(change),
            Self::Group(_) => None,
        }
    }
}

/// The identity of a row. It stays the same while rows come and go, and in other arrangements that have such a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListKey {
    /// The heading of a section or of another group.
    Group(GroupKey),
    /// A change.
    Change(ChangeId),
}

/// The identity of a group.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GroupKey {
    /// A section.
    Topic(Topic),
    /// A module by its path, or a component by its URN.
    Around(String),
    /// A type.
    Type(String),
    /// The other changes, without a heading.
    Rest,
}

/// The name of a resource without its module and its type: `private[0]`.
pub fn own_name(stack: &Stack, id: ResourceId) -> &str {
    let short = stack.short_name(id);
    if stack.header.kind.is_pulumi() {
        return short;
    }
    let bare = short.strip_prefix("data.").unwrap_or(short);
    let own = bare.strip_prefix(stack.ty(id));
    own.and_then(|rest| rest.strip_prefix('.')).unwrap_or(bare)
}
