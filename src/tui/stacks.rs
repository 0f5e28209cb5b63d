//! The list of many stacks as data: its rows, its order and its folds. Jobs make it, and a view shows it.
//!
//! # Costs
//!
//! Sorting, filtering and arranging are work for a job ([`Arranged::new`]). Opening and closing a row adds up the
//! numbers of all rows, finding the row of a line takes `log n` steps ([`Groups`](super::outline::Groups)).

mod arrange;
mod cells;
mod edges;
mod open_stack;
mod totals;

use std::collections::HashMap;
use std::sync::Arc;

pub use arrange::{Arranged, Arrangement, Branch, ListLine, Order, Request};
pub use cells::{Cells, Column, badges, cells, padded, plural_of};
pub use edges::{FleetEdges, Neighbor};
pub use open_stack::{OpenStack, OtherEnd};
pub use totals::Totals;

use super::hit_lines::Line;
use crate::load::fleet::{self, Member, StackSummary};
use crate::search::Target;

/// Number of members up to which copies are listed below their originals from the start.
const OPEN_IF_AT_MOST: usize = 30;

/// A member of the list.
#[derive(Clone, Debug)]
pub struct StackRow {
    /// The file.
    pub member: Member,
    /// The stack that it belongs to. Older copies have that of their original.
    pub family: String,
    /// True if it is the state of the workspace in use.
    pub is_in_use: bool,
    /// Its contents, as far as they are known.
    pub contents: Contents,
}

/// The contents of a member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// They are not read yet.
    Unread,
    /// They were read.
    Read(Box<StackSummary>),
    /// It is encrypted, and no known key opens it.
    Locked,
    /// It cannot be read, for this reason.
    Failed(String),
    /// It is one of many older copies, and those are not read.
    Left,
}

impl StackRow {
    /// The summary of a member that was read.
    pub fn summary(&self) -> Option<&StackSummary> {
        match &self.contents {
            Contents::Read(summary) => Some(summary),
            Contents::Unread | Contents::Locked | Contents::Failed(_) | Contents::Left => None,
        }
    }

    /// The reason why it is broken, wholly or in part.
    pub fn trouble(&self) -> Option<&str> {
        match &self.contents {
            Contents::Failed(error) => Some(error),
            Contents::Read(summary) => summary.damage.as_deref(),
            Contents::Unread | Contents::Locked | Contents::Left => None,
        }
    }

    /// True if it is neither an older copy nor the twin of another member.
    pub fn is_original(&self) -> bool {
        !self.member.role.is_older_copy() && self.member.twin.is_none()
    }

    /// The time of the last change, in seconds since 1970: as the file records it, else that of the file.
    pub fn changed(&self) -> Option<u64> {
        let recorded = self.summary().and_then(|summary| summary.changed);
        recorded.or(self.member.modified)
    }
}

/// The hits of a query in one stack.
#[derive(Clone, Debug)]
pub struct StackHits {
    /// The first hits.
    pub hits: Vec<StackHit>,
    /// Number of hits.
    pub total: u64,
}

impl StackHits {
    /// Number of lines below the stack: one for each listed hit, and one for the rest.
    pub fn n_lines(&self) -> usize {
        self.hits.len() + usize::from(self.total > self.hits.len() as u64)
    }
}

/// A hit in a stack.
#[derive(Clone, Debug)]
pub struct StackHit {
    /// The line that shows it.
    pub line: Line,
    /// The place of the hit.
    pub aim: Aim,
}

/// A place in a stack that is not open.
#[derive(Clone, PartialEq, Debug)]
pub struct Aim {
    /// The identity of the resource, because numbers of resources change with the file. "" for an output.
    pub identity: String,
    /// The place.
    pub target: Target,
}

/// The hits of a query by file.
pub type FleetHits = HashMap<fleet::Place, Arc<StackHits>>;

/// The identity of a heading or a stack: it outlives every arrangement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A heading, by its path.
    Heading(String),
    /// A member, by its index.
    Row(usize),
}

/// The rows that a person opened and closed.
#[derive(Clone, Default, Debug)]
pub struct Folds {
    /// Number of levels that are open; `None` for the usual ones.
    pub level: Option<u16>,
    /// The rows that differ from the rule.
    pub changed: HashMap<Key, bool>,
}

impl Folds {
    /// True if a heading or a stack is open.
    fn is_open(&self, branch: &Branch) -> bool {
        let by_level = |level| branch.depth < usize::from(level);
        let by_rule = self.level.map_or(branch.starts_open, by_level);
        self.changed.get(&branch.key).copied().unwrap_or(by_rule)
    }
}
