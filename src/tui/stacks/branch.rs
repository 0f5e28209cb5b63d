//! A row of the list of stacks with what is inside it: a stack with its hits, or a heading.

use super::{Key, Totals};

/// A heading or a stack, with the rows below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// The heading or the stack.
    pub item: Item,
    /// Its name on the screen.
    pub label: String,
    /// The numbers of everything below, and its own.
    pub totals: Totals,
    /// Number of lines for its hits, which come before its children.
    pub n_hits: u32,
    /// Number of branches around it.
    pub depth: usize,
    /// True if it opens and closes.
    pub is_foldable: bool,
    pub(super) children: Vec<Self>,
}

/// The thing that a branch is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A heading, with its path.
    Heading(String),
    /// A member, by its index.
    Row(u32),
}

impl Branch {
    pub(super) fn new(item: Item, label: String, totals: Totals, children: Vec<Self>) -> Self {
        Self {
            item,
            label,
            totals,
            n_hits: 0,
            depth: 0,
            is_foldable: false,
            children,
        }
    }

    /// Its identity.
    pub fn key(&self) -> Key {
        match &self.item {
            Item::Heading(path) => Key::Heading(path.clone()),
            Item::Row(row) => Key::Row(*row),
        }
    }
}
