//! Trees: a stack as rows that open and close.
//!
//! A [`Tree`] arranges the resources of a stack below their parents and modules, by type, or flat. It converts between nodes and
//! rows by arithmetic: every node keeps the number of rows below it, and the children of a node keep their sums in a Fenwick
//! tree. No list of rows exists.
//!
//! # Costs
//!
//! With `n` nodes: finding a row, opening or closing a node, and appending a resource cost the depth times `log n`; opening or
//! closing everything costs `n` small steps. The depth is at most [`MAX_DEPTH`]; nodes that would be deeper become siblings.
//! Making a tree ([`Tree::new`]) sorts, so it belongs in the background for a large stack.
//!
//! # Rows of a resource
//!
//! A node may have further rows between itself and its children ([`Tree::set_extra`]): the properties of a resource that is open.
//! The tree does not know their contents.

mod build;
mod fold;
mod marks;
mod natural;
mod node;
mod sort;
pub(crate) mod sums;
mod upkeep;

use std::collections::HashMap;

pub use build::Request;
pub use natural::natural;
pub use node::{Arrangement, Folds, Node, Order, RowPosition};

use crate::stack::Stack;
use marks::{Own, Tally};
use sums::Sums;

/// Maximum depth of a node. Parents in a real file are a dozen deep; a malicious file has millions.
pub const MAX_DEPTH: u16 = 100;

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct TreeNode {
    node: Node,
    parent: u32,
    /// Index among the children of the parent.
    slot: u32,
    /// Index of its family in `families`; `NONE` for a leaf without further rows.
    family: u32,
    depth: u16,
    open: bool,
    /// The marks of a resource.
    own: Own,
}

/// The children of a node.
#[derive(Clone, Default, Debug)]
struct Family {
    /// The parent of these children.
    owner: u32,
    children: Vec<u32>,
    /// Number of rows of each child.
    rows: Sums,
    /// Number of further rows of the node itself.
    extra: u32,
    /// Number of resources below, at any depth.
    n_resources: u32,
    /// Number of changes below, at any depth.
    changes: Tally,
    /// One for each child that has a mark itself or anywhere below it. Further children have none.
    marked: Sums,
}

/// The resources of a stack as rows that open and close.
#[derive(Clone, Debug)]
pub struct Tree {
    arrangement: Arrangement,
    folds: Folds,
    /// The first entry is the invisible root.
    entries: Vec<TreeNode>,
    families: Vec<Family>,
    index: HashMap<Node, u32>,
    /// The entry of each resource; `NONE` for one that is not in the tree.
    resources: Vec<u32>,
    /// Number of resources of the stack that were processed.
    n_seen: usize,
}

impl Tree {
    /// A tree without nodes.
    pub fn empty(arrangement: Arrangement, folds: Folds) -> Self {
        Self {
            arrangement,
            folds,
            entries: vec![TreeNode {
                node: Node::Outputs,
                parent: NONE,
                slot: 0,
                family: 0,
                depth: 0,
                open: true,
                own: Own::default(),
            }],
            families: vec![Family::default()],
            index: HashMap::new(),
            resources: Vec::new(),
            n_seen: 0,
        }
    }

    /// Number of resources of the stack that were processed; later ones may be missing.
    pub fn n_seen(&self) -> usize {
        self.n_seen
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.families[0].rows.total()
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The arrangement of the nodes.
    pub fn arrangement(&self) -> Arrangement {
        self.arrangement
    }

    /// The state of open and closed nodes.
    pub fn folds(&self) -> &Folds {
        &self.folds
    }

    /// The node and offset in row `row`, from 0.
    pub fn at(&self, row: usize) -> Option<RowPosition> {
        if row >= self.len() {
            return None;
        }
        let (mut entry, mut rest) = (0_u32, row);
        loop {
            let family = self.family(entry)?;
            let (slot, inside) = family.rows.find(rest)?;
            entry = *family.children.get(slot)?;
            rest = inside;
            let own = 1 + self.family(entry).map_or(0, |family| family.extra as usize);
            if rest < own {
                let entry = &self.entries[entry as usize];
                return Some(RowPosition {
                    node: entry.node,
                    depth: usize::from(entry.depth) - 1,
                    offset: rest,
                });
            }
            rest -= own;
        }
    }

    /// The row of `node`; `None` if it is not in the tree, or below a closed node.
    pub fn row(&self, node: Node) -> Option<usize> {
        let row = self.nearest_row(node)?;
        let place = self.at(row)?;
        (place.node == node).then_some(row)
    }

    /// The row of `node`, else of the innermost node above it that has a row.
    pub fn nearest_row(&self, node: Node) -> Option<usize> {
        let mut entry = self.entry(node)?;
        let mut row = 0;
        loop {
            let TreeNode { parent, slot, .. } = self.entries[entry as usize];
            if parent == NONE {
                return Some(row);
            }
            let above = &self.entries[parent as usize];
            if above.open {
                let family = self.family(parent)?;
                row += family.rows.before(slot as usize);
                if above.parent != NONE {
                    row += 1 + family.extra as usize;
                }
            } else {
                row = 0;
            }
            entry = parent;
        }
    }

    /// True if the node is in the tree, even below a closed one.
    pub fn contains(&self, node: Node) -> bool {
        self.entry(node).is_some()
    }

    /// The parent node; `None` at the top.
    pub fn parent(&self, node: Node) -> Option<Node> {
        let parent = self.entries[self.entry(node)? as usize].parent;
        (parent != 0 && parent != NONE).then(|| self.entries[parent as usize].node)
    }

    /// The sibling `step` places further on (or back), or the last in that direction; `None` if there is no other.
    pub fn sibling(&self, node: Node, step: isize) -> Option<Node> {
        let entry = &self.entries[self.entry(node)? as usize];
        let family = self.family(entry.parent)?;
        let last = family.children.len().checked_sub(1)?;
        let slot = (entry.slot as usize).saturating_add_signed(step).min(last);
        (slot != entry.slot as usize).then(|| self.entries[family.children[slot] as usize].node)
    }

    /// Number of children of a node.
    pub fn n_children(&self, node: Node) -> usize {
        self.entry(node)
            .and_then(|entry| self.family(entry))
            .map_or(0, |family| family.children.len())
    }

    /// Number of resources in the tree.
    pub fn n_all(&self) -> usize {
        self.families[0].n_resources as usize
    }

    /// Number of resources below a node, at any depth; for a provider without a record (Terraform), the number that it manages.
    pub fn n_resources(&self, node: Node) -> usize {
        self.entry(node)
            .and_then(|entry| self.family(entry))
            .map_or(0, |family| family.n_resources as usize)
    }

    /// True if a node is open.
    pub fn is_open(&self, node: Node) -> bool {
        self.entry(node)
            .is_some_and(|entry| self.entries[entry as usize].open)
    }

    /// Appends the resources of `stack` from number `from` on to the tree.
    pub fn extend(&mut self, stack: &Stack, from: usize) {
        for id in stack.ids().skip(from) {
            build::add(self, stack, id);
        }
        self.n_seen = stack.len();
    }

    fn entry(&self, node: Node) -> Option<u32> {
        match node {
            Node::Resource(id) => self
                .resources
                .get(id.index())
                .copied()
                .filter(|entry| *entry != NONE),
            node => self.index.get(&node).copied(),
        }
    }

    fn family(&self, entry: u32) -> Option<&Family> {
        let family = self.entries[entry as usize].family;
        self.families.get(family as usize)
    }

    fn family_mut(&mut self, entry: u32) -> &mut Family {
        let slot = &mut self.entries[entry as usize].family;
        if *slot == NONE {
            *slot = u32::try_from(self.families.len()).unwrap_or(NONE);
            self.families.push(Family {
                owner: entry,
                ..Family::default()
            });
        }
        &mut self.families[*slot as usize]
    }

    fn rows_of(&self, entry: u32) -> u32 {
        let open = self.entries[entry as usize].open;
        match self.family(entry) {
            Some(family) if open => {
                let below = u32::try_from(family.rows.total()).unwrap_or(u32::MAX / 2);
                1 + family.extra + below
            }
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests;
