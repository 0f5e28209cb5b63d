//! Blocks of a schema.

use std::sync::Arc;

use super::Diff;
use crate::path::{Path, Segment};

/// The nested blocks of one name.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// The name.
    pub name: Arc<str>,
    /// Whether the blocks as a whole force the replacement of the resource.
    pub replaces: bool,
    /// Whether the blocks are a set, whose elements have no lasting index.
    pub is_set: bool,
    /// The blocks.
    pub members: Vec<Member>,
}

/// One nested block.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// Its key, in a map of blocks.
    pub key: Option<Arc<str>>,
    /// Its index before and after, in a list or a set of blocks; `None` on both sides for a block that stands alone.
    pub index: (Option<usize>, Option<usize>),
    /// What happens to it.
    pub diff: Diff,
}

impl Group {
    /// The place of a member, in a block at `block`: after the change, or before it if it is deleted.
    pub fn path(&self, member: &Member, block: &Path) -> Path {
        let path = block.child(Segment::Key(self.name.clone()));
        match (&member.key, member.index.1.or(member.index.0)) {
            (Some(key), _) => path.child(Segment::Key(key.clone())),
            (None, Some(index)) => path.child(Segment::Index(index)),
            (None, None) => path,
        }
    }
}
