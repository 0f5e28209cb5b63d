//! Sums over stacks: of a heading, and of the whole list.

use super::{Contents, Order, StackRow};
use crate::load::fleet::StackSummary;

/// The sums over some members.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    /// Number of stacks, without copies.
    pub n_stacks: u64,
    /// Number of stacks that are broken, wholly or in part.
    pub n_broken: u64,
    /// Number of older copies.
    pub n_copies: u64,
    /// Number of twins of other members.
    pub n_twins: u64,
    /// Number of members that are not read yet.
    pub n_unread: u64,
    /// Number of resources.
    pub n_resources: u64,
    /// Number of resources that changed outside of the program.
    pub n_drifted: u64,
    /// Number of resources that wait for something.
    pub n_pending: u64,
    /// Number of problems.
    pub n_problems: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// The latest change, in seconds since 1970.
    pub changed: Option<u64>,
    /// The latest change by which it is sorted.
    pub(super) sorted_by: Option<u64>,
}

impl Totals {
    /// The facts of one member.
    pub(super) fn of(row: &StackRow) -> Self {
        let number = |of: fn(&StackSummary) -> u64| row.summary().map_or(0, of);
        let is_copy = row.member.role.is_older_copy();
        Self {
            n_stacks: u64::from(row.is_original()),
            n_broken: u64::from(row.is_original() && row.trouble().is_some()),
            n_copies: u64::from(is_copy),
            n_twins: u64::from(!is_copy && row.member.twin.is_some()),
            n_unread: u64::from(row.contents == Contents::Unread),
            n_resources: number(|it| it.n_resources),
            n_drifted: number(|it| it.n_drifted),
            n_pending: number(|it| it.n_pending),
            n_problems: number(|it| it.n_problems),
            bytes: row.member.bytes,
            changed: row.changed(),
            sorted_by: None,
        }
    }

    /// Adds those of other members.
    pub(super) fn add(&mut self, other: &Self) {
        self.n_stacks += other.n_stacks;
        self.n_broken += other.n_broken;
        self.n_copies += other.n_copies;
        self.n_twins += other.n_twins;
        self.n_unread += other.n_unread;
        self.n_resources += other.n_resources;
        self.n_drifted += other.n_drifted;
        self.n_pending += other.n_pending;
        self.n_problems += other.n_problems;
        self.bytes += other.bytes;
        self.changed = self.changed.max(other.changed);
        self.sorted_by = self.sorted_by.max(other.sorted_by);
    }

    /// The number by which an order sorts, the highest first. Equal ones are sorted by name.
    pub(super) fn rank(&self, order: Order) -> [u64; 2] {
        match order {
            Order::Name => [0, 0],
            Order::Changed => [self.sorted_by.unwrap_or(0), 0],
            Order::Resources => [self.n_resources, 0],
            Order::Problems => [self.n_broken, self.n_problems + self.n_pending],
            Order::Size => [self.bytes, 0],
        }
    }
}
