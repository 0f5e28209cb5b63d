//! Opening and closing nodes, and updating the row counts above them.

use std::collections::HashMap;

use super::{Folds, Node, Tree, TreeNode};

impl Tree {
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

    /// Opens all nodes above `node`, so that it has a row.
    pub fn open_around(&mut self, node: Node) {
        let mut above = self.parent(node);
        while let Some(node) = above {
            if !self.is_open(node) {
                self.set_open(node, true);
            }
            above = self.parent(node);
        }
    }

    /// Opens all nodes with children at a depth below `level`, closes the rest, and clears the exceptions.
    /// False if all of them are so already.
    pub fn set_level(&mut self, level: u16) -> bool {
        let after = Folds {
            level,
            exceptions: HashMap::new(),
        };
        let before = std::mem::replace(&mut self.folds, after);
        let mut is_changed = false;
        // Leaves are open only by hand.
        for node in before.exceptions.into_keys() {
            if let Some(entry) = self.entry(node).filter(|it| self.family(*it).is_none()) {
                is_changed |= std::mem::take(&mut self.entries[entry as usize].open);
            }
        }
        self.open_families(|entry| entry.depth <= level) || is_changed
    }

    /// Opens the nodes with children for which `is_open` holds, closes the other ones, and recounts. Leaves stay as they are.
    /// False if all of them are so already.
    pub(super) fn open_families(&mut self, is_open: impl Fn(&TreeNode) -> bool) -> bool {
        let mut is_changed = false;
        for family in self.families.iter().skip(1) {
            let entry = &mut self.entries[family.owner as usize];
            let open = !family.children.is_empty() && is_open(entry);
            is_changed |= std::mem::replace(&mut entry.open, open) != open;
        }
        self.recount();
        is_changed
    }

    /// Opens or closes a node and all nodes below it. False if all of them are so already.
    pub fn set_open_below(&mut self, node: Node, open: bool) -> bool {
        let Some(start) = self.entry(node) else {
            return false;
        };
        let mut is_changed = false;
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
                is_changed |= self.entries[entry as usize].open != open;
                self.entries[entry as usize].open = open;
                self.folds
                    .exceptions
                    .insert(self.entries[entry as usize].node, open);
            }
            self.recount_one(entry);
        }
        let after = self.rows_of(start);
        self.passed_up(start, before, after);
        is_changed
    }

    /// Sets the number of further rows of a node, shown while it is open.
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
}
