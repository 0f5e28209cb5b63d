//! Trees: a stack as rows that open and close.
//!
//! A [`Tree`] arranges the resources of a stack below their parents and modules, by type, or flat, and answers "which row is
//! this?" and "what is in that row?" by arithmetic: every node keeps the number of rows below it, and the children of a node
//! their sums in a Fenwick tree. No list of rows exists.
//!
//! # Costs
//!
//! With `n` nodes: finding a row, opening or closing a node, and adding a resource behind the others cost the depth times
//! `log n`; opening or closing everything costs `n` small steps. The depth is at most [`MAX_DEPTH`]: what would lie deeper lies
//! beside. Making a tree ([`Tree::new`]) sorts, and is work for the background when the stack is large.
//!
//! # Rows of a resource
//!
//! A node may have further rows of its own between itself and its children ([`Tree::set_extra`]): the properties of a resource
//! that is open. What is in them is not known here.

mod build;
mod natural;
mod sums;

use std::collections::HashMap;

pub use build::Request;
pub use natural::natural;

use crate::stack::{GroupId, PrefixId, ResourceId, Stack};
use sums::Sums;

/// How deep nodes lie at most. Parents in a real file are a dozen deep; a file made to hurt has millions.
pub const MAX_DEPTH: u16 = 100;

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

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    parent: u32,
    /// Which child of the parent it is.
    slot: u32,
    /// Its family in `families`; `NONE` for a leaf without further rows.
    family: u32,
    depth: u16,
    open: bool,
}

/// The children of a node.
#[derive(Clone, Default, Debug)]
struct Family {
    /// The node whose children these are.
    owner: u32,
    children: Vec<u32>,
    /// The rows of each child.
    rows: Sums,
    /// Further rows of the node itself.
    extra: u32,
    /// Resources below, however deep.
    n_resources: u32,
}

/// Rows over a stack. See the [module](self).
#[derive(Clone, Debug)]
pub struct Tree {
    arrangement: Arrangement,
    folds: Folds,
    /// The first is the invisible root.
    entries: Vec<Entry>,
    families: Vec<Family>,
    index: HashMap<Node, u32>,
    /// By resource; `NONE` for one that is not in the tree.
    resources: Vec<u32>,
}

impl Tree {
    /// A tree without nodes.
    pub fn empty(arrangement: Arrangement, folds: Folds) -> Self {
        Self {
            arrangement,
            folds,
            entries: vec![Entry {
                node: Node::Outputs,
                parent: NONE,
                slot: 0,
                family: 0,
                depth: 0,
                open: true,
            }],
            families: vec![Family::default()],
            index: HashMap::new(),
            resources: Vec::new(),
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.families[0].rows.total()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What lies below what.
    pub fn arrangement(&self) -> Arrangement {
        self.arrangement
    }

    /// Which nodes are open.
    pub fn folds(&self) -> &Folds {
        &self.folds
    }

    /// What is in row `row`, counted from 0.
    pub fn at(&self, row: usize) -> Option<Place> {
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
                return Some(Place {
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
        let mut entry = self.entry(node)?;
        let mut row = 0;
        loop {
            let Entry { parent, slot, .. } = self.entries[entry as usize];
            if parent == NONE {
                return Some(row);
            }
            let above = &self.entries[parent as usize];
            if !above.open {
                return None;
            }
            let family = self.family(parent)?;
            row += family.rows.before(slot as usize);
            if above.parent != NONE {
                row += 1 + family.extra as usize;
            }
            entry = parent;
        }
    }

    /// The row of `node`, else of the innermost node around it that has one.
    pub fn nearest_row(&self, node: Node) -> Option<usize> {
        let mut node = Some(node);
        while let Some(inner) = node {
            if let Some(row) = self.row(inner) {
                return Some(row);
            }
            node = self.parent(inner);
        }
        None
    }

    /// Whether the node is in the tree, be it below a closed one.
    pub fn contains(&self, node: Node) -> bool {
        self.entry(node).is_some()
    }

    /// The node above; `None` at the top.
    pub fn parent(&self, node: Node) -> Option<Node> {
        let parent = self.entries[self.entry(node)? as usize].parent;
        (parent != 0 && parent != NONE).then(|| self.entries[parent as usize].node)
    }

    /// The sibling `step` places further on (or back), or the last on the way; `None` if there is none in that direction.
    pub fn sibling(&self, node: Node, step: isize) -> Option<Node> {
        let entry = &self.entries[self.entry(node)? as usize];
        let family = self.family(entry.parent)?;
        let last = family.children.len().checked_sub(1)?;
        let slot = (entry.slot as usize).saturating_add_signed(step).min(last);
        (slot != entry.slot as usize).then(|| self.entries[family.children[slot] as usize].node)
    }

    /// The first child; `None` if there is none.
    pub fn first_child(&self, node: Node) -> Option<Node> {
        let family = self.family(self.entry(node)?)?;
        let child = *family.children.first()?;
        Some(self.entries[child as usize].node)
    }

    /// How many children a node has.
    pub fn n_children(&self, node: Node) -> usize {
        self.entry(node)
            .and_then(|entry| self.family(entry))
            .map_or(0, |family| family.children.len())
    }

    /// How many resources lie below a node, however deep.
    pub fn n_resources(&self, node: Node) -> usize {
        self.entry(node)
            .and_then(|entry| self.family(entry))
            .map_or(0, |family| family.n_resources as usize)
    }

    /// Whether a node shows what is below it.
    pub fn is_open(&self, node: Node) -> bool {
        self.entry(node)
            .is_some_and(|entry| self.entries[entry as usize].open)
    }

    /// Opens or closes one node.
    pub fn set_open(&mut self, node: Node, open: bool) {
        let Some(entry) = self.entry(node) else {
            return;
        };
        self.folds.exceptions.insert(node, open);
        let before = self.rows_of(entry);
        self.entries[entry as usize].open = open;
        let after = self.rows_of(entry);
        self.passed_up(entry, before, after);
    }

    /// Opens everything around `node`, so that it has a row.
    pub fn open_around(&mut self, node: Node) {
        let mut above = self.parent(node);
        while let Some(node) = above {
            if !self.is_open(node) {
                self.set_open(node, true);
            }
            above = self.parent(node);
        }
    }

    /// Opens all nodes with children that are less deep than `level`, closes the others, and forgets exceptions.
    pub fn set_level(&mut self, level: u16) {
        let after = Folds {
            level,
            exceptions: HashMap::new(),
        };
        let before = std::mem::replace(&mut self.folds, after);
        // Leaves are open only by hand.
        for node in before.exceptions.into_keys() {
            if let Some(entry) = self.entry(node) {
                self.entries[entry as usize].open = false;
            }
        }
        self.open_families(|entry| entry.depth <= level);
    }

    /// Opens the nodes with children for which this holds, closes the other ones, and counts anew. Leaves stay.
    fn open_families(&mut self, is_open: impl Fn(&Entry) -> bool) {
        for family in self.families.iter().skip(1) {
            let entry = &mut self.entries[family.owner as usize];
            entry.open = !family.children.is_empty() && is_open(entry);
        }
        self.recount();
    }

    /// Opens or closes a node and all below it.
    pub fn set_open_below(&mut self, node: Node, open: bool) {
        let Some(start) = self.entry(node) else {
            return;
        };
        let before = self.rows_of(start);
        let mut found = vec![start];
        let mut next = 0;
        while let Some(entry) = found.get(next).copied() {
            next += 1;
            if let Some(family) = self.family(entry) {
                found.extend_from_slice(&family.children);
            }
        }
        for entry in found.iter().rev().copied() {
            let children = self.family(entry).is_some_and(|it| !it.children.is_empty());
            if children || !open {
                self.entries[entry as usize].open = open;
                self.folds
                    .exceptions
                    .insert(self.entries[entry as usize].node, open);
            }
            self.recount_one(entry);
        }
        let after = self.rows_of(start);
        self.passed_up(start, before, after);
    }

    /// Gives a node `extra` further rows, shown while it is open.
    pub fn set_extra(&mut self, node: Node, extra: usize) {
        let Some(entry) = self.entry(node) else {
            return;
        };
        let before = self.rows_of(entry);
        let family = self.family_mut(entry);
        family.extra = u32::try_from(extra).unwrap_or(u32::MAX);
        let after = self.rows_of(entry);
        self.passed_up(entry, before, after);
    }

    /// Puts the resources of `stack` from number `from` on into the tree, behind the others.
    pub fn extend(&mut self, stack: &Stack, from: usize) {
        for id in stack.ids().skip(from) {
            build::add(self, stack, id);
        }
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

    /// Adds a node below `parent` and returns it; counts of rows above are kept right.
    fn attach(&mut self, parent: u32, node: Node) -> u32 {
        let entry = self.push(parent, node);
        self.count_resource(parent, node);
        let before = self.rows_of(parent);
        self.family_mut(parent).rows.push(1);
        let after = self.rows_of(parent);
        if parent != 0 {
            self.passed_up(parent, before, after);
        }
        entry
    }

    /// Adds a node below `parent` without counting rows: [`Tree::recount`] must follow.
    fn push(&mut self, parent: u32, node: Node) -> u32 {
        let entry = u32::try_from(self.entries.len()).unwrap_or(NONE);
        let depth = self.entries[parent as usize].depth + 1;
        let family = self.family_mut(parent);
        let slot = u32::try_from(family.children.len()).unwrap_or(NONE);
        family.children.push(entry);
        if slot == 0 && parent != 0 {
            // The first child makes the parent a thing that the level opens.
            let above = &self.entries[parent as usize];
            let open = self.folds.exceptions.get(&above.node).copied();
            let open =
                open.unwrap_or(above.depth <= self.folds.level && is_opened_by_level(above.node));
            let before = self.rows_of(parent);
            self.entries[parent as usize].open = open;
            let after = self.rows_of(parent);
            self.passed_up(parent, before, after);
        }
        let open = self.folds.exceptions.get(&node).copied().unwrap_or(false);
        self.entries.push(Entry {
            node,
            parent,
            slot,
            family: NONE,
            depth,
            open,
        });
        if let Node::Resource(id) = node {
            if self.resources.len() <= id.index() {
                self.resources.resize(id.index() + 1, NONE);
            }
            self.resources[id.index()] = entry;
        } else {
            self.index.insert(node, entry);
        }
        entry
    }

    fn count_resource(&mut self, parent: u32, node: Node) {
        if !matches!(node, Node::Resource(_)) {
            return;
        }
        let mut above = parent;
        while above != NONE {
            self.family_mut(above).n_resources += 1;
            above = self.entries[above as usize].parent;
        }
    }

    fn passed_up(&mut self, entry: u32, mut before: u32, mut after: u32) {
        let mut entry = entry;
        while before != after {
            let Entry { parent, slot, .. } = self.entries[entry as usize];
            if parent == NONE {
                return;
            }
            let outer_before = self.rows_of(parent);
            self.family_mut(parent)
                .rows
                .change(slot as usize, before, after);
            let outer_after = self.rows_of(parent);
            (entry, before, after) = (parent, outer_before, outer_after);
        }
    }

    fn recount_one(&mut self, entry: u32) {
        let Some(family) = self.family(entry) else {
            return;
        };
        let rows: Vec<u32> = family
            .children
            .iter()
            .map(|child| self.rows_of(*child))
            .collect();
        self.family_mut(entry).rows = Sums::new(rows);
    }

    fn recount(&mut self) {
        // A leaf has one row, so that only nodes with children are looked at.
        for family in &mut self.families {
            family.rows.fill_with_ones(family.children.len());
        }
        let mut owners: Vec<u32> = self.families.iter().map(|family| family.owner).collect();
        owners.sort_unstable();
        // Children stand behind their parents, so that from the back every child is right before its parent asks.
        for owner in owners.into_iter().rev() {
            let family = self.entries[owner as usize].family;
            self.families[family as usize].rows.sum_up();
            let rows = self.rows_of(owner);
            let Entry { parent, slot, .. } = self.entries[owner as usize];
            if parent != NONE {
                self.family_mut(parent).rows.put(slot as usize, rows);
            }
        }
    }
}

/// Folders of things that one rarely looks for stay closed until they are opened by hand.
fn is_opened_by_level(node: Node) -> bool {
    !matches!(node, Node::Providers)
}

#[cfg(test)]
mod tests;
