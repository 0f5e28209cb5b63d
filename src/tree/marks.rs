//! Marks: the worst state of each resource, summed per node.
//!
//! # Laws
//!
//! - A closed node's mark is the worst of the rows below it ([`Tree::worst`]), and [`Tree::changes`] counts them. So neither
//!   changes when nodes open and close.
//! - [`Tree::worst`] agrees with looking at each row (`the_worst_of_a_range_is_the_worst_of_its_rows`). It takes the depth times
//!   `log n` steps.

use std::ops::Range;

use super::build::rank;
use super::{NONE, Node, Tree, TreeNode};
use crate::stack::{Action, Flags, ResourceId, Stack};

/// The state of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The resource changes.
    Change(Action),
    /// Something is wrong with it. Worse than any change.
    Problem,
}

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

    /// A number that is higher for a worse mark; 0 without a mark.
    fn level(self) -> u8 {
        let actions = u8::try_from(N_ACTIONS).unwrap_or(u8::MAX);
        match self.0 {
            0 => 0,
            own if own & PROBLEM != 0 => actions + 1,
            own => actions + 1 - own,
        }
    }
}

fn mark(level: u8) -> Option<Mark> {
    let place = (N_ACTIONS + 1).checked_sub(usize::from(level))?;
    match place.checked_sub(1) {
        None => Some(Mark::Problem),
        Some(N_ACTIONS) => None,
        Some(action) => Some(Mark::Change(Action::ALL[action])),
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

    /// The worst mark among these rows.
    pub fn worst(&self, rows: Range<usize>) -> Option<Mark> {
        mark(self.worst_below(0, rows))
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
            self.pass_level_up(entry);
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
        if own.level() > 0 {
            self.pass_level_up(entry);
        }
    }

    fn pass_level_up(&mut self, mut entry: u32) {
        loop {
            let level = self.level(entry);
            let TreeNode { parent, slot, .. } = self.entries[entry as usize];
            if parent == NONE {
                return;
            }
            let worst = &mut self.family_mut(parent).worst;
            if worst.of(slot as usize..slot as usize + 1) == level {
                return;
            }
            worst.set(slot as usize, level);
            entry = parent;
        }
    }

    /// The worst level of a node and everything below it.
    fn level(&self, entry: u32) -> u8 {
        let below = self.family(entry).map_or(0, |family| family.worst.all());
        self.entries[entry as usize].own.level().max(below)
    }

    /// The worst level among rows below `owner`, counted from its first child.
    fn worst_below(&self, owner: u32, rows: Range<usize>) -> u8 {
        let Some(family) = self.family(owner) else {
            return 0;
        };
        let end = rows.end.min(family.rows.total());
        let (Some(first), Some(last)) = (
            family.rows.find(rows.start),
            end.checked_sub(1).and_then(|last| family.rows.find(last)),
        ) else {
            return 0;
        };
        if rows.start >= end {
            return 0;
        }
        let child = |slot: usize| family.children[slot];
        if first.0 == last.0 {
            return self.worst_in(child(first.0), first.1..last.1 + 1);
        }
        let ends = self
            .worst_in(child(first.0), first.1..usize::MAX)
            .max(self.worst_in(child(last.0), 0..last.1 + 1));
        family.worst.of(first.0 + 1..last.0).max(ends)
    }

    /// The worst level among rows of a node, counted from its own row.
    fn worst_in(&self, entry: u32, rows: Range<usize>) -> u8 {
        let n_rows = self.rows_of(entry) as usize;
        if rows.start == 0 && rows.end >= n_rows {
            return self.level(entry);
        }
        let before = 1 + self.family(entry).map_or(0, |family| family.extra as usize);
        let own = match rows.start {
            0 => self.entries[entry as usize].own.level(),
            _ => 0,
        };
        let below = rows.start.saturating_sub(before)..rows.end.saturating_sub(before);
        own.max(self.worst_below(entry, below))
    }
}
