//! Adding nodes, and updating the row counts from a node up to the root.

use super::marks::Own;
use super::sums::Sums;
use super::{NONE, Node, Tree, TreeNode};

impl Tree {
    /// Adds a node below `parent` and returns it. Updates the row counts above.
    pub(super) fn attach(&mut self, parent: u32, node: Node) -> u32 {
        let entry = self.push(parent, node);
        let before = self.rows_of(parent);
        self.family_mut(parent).rows.push(1);
        let after = self.rows_of(parent);
        if parent != 0 {
            self.passed_up(parent, before, after);
        }
        entry
    }

    /// Adds a node below `parent` without counting rows: [`Tree::recount`] must follow.
    pub(super) fn push(&mut self, parent: u32, node: Node) -> u32 {
        let entry = u32::try_from(self.entries.len()).unwrap_or(NONE);
        let depth = self.entries[parent as usize].depth + 1;
        let family = self.family_mut(parent);
        let slot = u32::try_from(family.children.len()).unwrap_or(NONE);
        family.children.push(entry);
        if slot == 0 && parent != 0 {
            // With its first child, the parent becomes a node that the level can open.
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
        self.entries.push(TreeNode {
            node,
            parent,
            slot,
            family: NONE,
            depth,
            open,
            own: Own::default(),
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

    pub(super) fn passed_up(&mut self, entry: u32, mut before: u32, mut after: u32) {
        let mut entry = entry;
        while before != after {
            let TreeNode { parent, slot, .. } = self.entries[entry as usize];
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

    pub(super) fn recount_one(&mut self, entry: u32) {
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

    pub(super) fn recount(&mut self) {
        // A leaf has one row, so only nodes with children need counting.
        for family in &mut self.families {
            family.rows.fill_with_ones(family.children.len());
        }
        let mut owners: Vec<u32> = self.families.iter().map(|family| family.owner).collect();
        owners.sort_unstable();
        // Children come after their parents, so going backwards every child is done before its parent needs it.
        for owner in owners.into_iter().rev() {
            let family = self.entries[owner as usize].family;
            self.families[family as usize].rows.sum_up();
            let rows = self.rows_of(owner);
            let TreeNode { parent, slot, .. } = self.entries[owner as usize];
            if parent != NONE {
                self.family_mut(parent).rows.put(slot as usize, rows);
            }
        }
    }
}

/// True for nodes that the level opens. Folders that are rarely needed stay closed until they are opened by hand.
pub(super) fn is_opened_by_level(node: Node) -> bool {
    !matches!(node, Node::Providers)
}
