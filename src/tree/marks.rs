//! Marks: the resources that change or have a problem, summed per node.
//!
//! # Laws
//!
//! - A closed node has a mark if a row below it has one ([`Tree::has_mark`]), and [`Tree::changes`] counts the changes. So neither
//!   changes when nodes open and close.
//! - [`Tree::has_mark`] agrees with looking at each row (`a_range_has_a_mark_if_one_of_its_rows_has`). It takes the depth times
//!   `log n` steps.

use std::ops::Range;

use super::build::rank;
use super::{NONE, Node, Tree, TreeNode};
use crate::stack::{Action, Flags, ResourceId, Stack};

/// Flags of resources with which something is wrong.
const PROBLEMS: Flags = Flags::BROKEN
    .and(Flags::PENDING_DELETE)
    .and(Flags::DEPOSED)
    .and(Flags::TAINTED)
    .and(Flags::PENDING_REPLACEMENT)
    .and(Flags::PENDING_OPERATION)
    .and(Flags::INIT_ERRORS)
    .and(Flags::FAILED);

/// The marks of one resource in a byte: its action, and a bit for a problem.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Own(u8);

/// Number of actions with a mark. [`Action::Noop`] is the last one and has none.
const N_ACTIONS: usize = Action::ALL.len() - 1;

const PROBLEM: u8 = 0x80;

impl Own {
    /// The marks of a resource of `stack`. Drift is not a planned change.
    pub(super) fn of(stack: &Stack, id: ResourceId, is_noted: bool) -> Self {
        let record = stack.record(id);
        let is_drift = record.flags.is_drift() && !stack.is_comparison;
        let action = rank(stack.effect(id).filter(|_| !is_drift));
        let action = if action < N_ACTIONS { action + 1 } else { 0 };
        let is_problem = is_noted || record.flags.intersects(PROBLEMS);
        let problem = if is_problem { PROBLEM } else { 0 };
        Self(u8::try_from(action).unwrap_or(0) | problem)
    }

    /// Index of the action in the order of review.
    fn action(self) -> Option<usize> {
        usize::from(self.0 & !PROBLEM).checked_sub(1)
    }

    fn is_marked(self) -> bool {
        self.0 != 0
    }
}

/// Number of resources for each action.
pub(super) type Tally = [u32; N_ACTIONS];

impl Tree {
    /// The changes below some nodes, at any depth: each action with its number, destructive ones first.
    pub fn changes(&self, nodes: &[Node]) -> impl Iterator<Item = (Action, usize)> {
        let mut tally: Tally = [0; N_ACTIONS];
        let entries = nodes.iter().filter_map(|node| self.entry(*node));
        for family in entries.filter_map(|entry| self.family(entry)) {
            for (sum, n) in tally.iter_mut().zip(family.changes) {
                *sum += n;
            }
        }
        Action::ALL
            .into_iter()
            .zip(tally)
            .filter_map(|(action, n)| (n > 0).then_some((action, n as usize)))
    }

    /// True if one of these rows has a mark, or has one folded below it.
    pub fn has_mark(&self, rows: Range<usize>) -> bool {
        self.has_mark_below(0, rows)
    }

    /// Updates the marks of resources that changed.
    pub fn renew(&mut self, stack: &Stack, ids: &[ResourceId]) {
        for id in ids {
            let Some(entry) = self.entry(Node::Resource(*id)) else {
                continue;
            };
            let own = Own::of(stack, *id, false);
            let before = std::mem::replace(&mut self.entries[entry as usize].own, own);
            let mut above = self.entries[entry as usize].parent;
            while above != NONE {
                let changes = &mut self.family_mut(above).changes;
                if let Some(action) = before.action() {
                    changes[action] -= 1;
                }
                if let Some(action) = own.action() {
                    changes[action] += 1;
                }
                above = self.entries[above as usize].parent;
            }
            self.pass_mark_up(entry);
        }
    }

    /// Counts a new resource in the nodes above it.
    pub(super) fn count_resource(&mut self, entry: u32, own: Own) {
        self.entries[entry as usize].own = own;
        let mut above = self.entries[entry as usize].parent;
        while above != NONE {
            let family = self.family_mut(above);
            family.n_resources += 1;
            if let Some(action) = own.action() {
                family.changes[action] += 1;
            }
            above = self.entries[above as usize].parent;
        }
        if own.is_marked() {
            self.pass_mark_up(entry);
        }
    }

    fn pass_mark_up(&mut self, mut entry: u32) {
        loop {
            let is_marked = u32::from(self.is_marked(entry));
            let TreeNode { parent, slot, .. } = self.entries[entry as usize];
            if parent == NONE {
                return;
            }
            let (marked, slot) = (&mut self.family_mut(parent).marked, slot as usize);
            let was_marked = u32::from(marked.between(slot..slot + 1) > 0);
            if is_marked == was_marked {
                return;
            }
            marked.reach(slot);
            marked.change(slot, was_marked, is_marked);
            entry = parent;
        }
    }

    /// True if a node or anything below it has a mark.
    fn is_marked(&self, entry: u32) -> bool {
        let below = self.family(entry).is_some_and(|it| it.marked.total() > 0);
        below || self.entries[entry as usize].own.is_marked()
    }

    /// True if one of the rows below `owner`, counted from its first child, has a mark.
    fn has_mark_below(&self, owner: u32, rows: Range<usize>) -> bool {
        let Some(family) = self.family(owner) else {
            return false;
        };
        let end = rows.end.min(family.rows.total());
        let (Some(first), Some(last)) = (
            family.rows.find(rows.start),
            end.checked_sub(1).and_then(|last| family.rows.find(last)),
        ) else {
            return false;
        };
        if rows.start >= end {
            return false;
        }
        let child = |slot: usize| family.children[slot];
        if first.0 == last.0 {
            return self.has_mark_in(child(first.0), first.1..last.1 + 1);
        }
        family.marked.between(first.0 + 1..last.0) > 0
            || self.has_mark_in(child(first.0), first.1..usize::MAX)
            || self.has_mark_in(child(last.0), 0..last.1 + 1)
    }

    /// True if one of the rows of a node, counted from its own row, has a mark.
    fn has_mark_in(&self, entry: u32, rows: Range<usize>) -> bool {
        let n_rows = self.rows_of(entry) as usize;
        if rows.start == 0 && rows.end >= n_rows {
            return self.is_marked(entry);
        }
        let before = 1 + self.family(entry).map_or(0, |family| family.extra as usize);
        let own = rows.start == 0 && self.entries[entry as usize].own.is_marked();
        let below = rows.start.saturating_sub(before)..rows.end.saturating_sub(before);
        own || self.has_mark_below(entry, below)
    }
}
