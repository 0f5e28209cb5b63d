//! Drift: the changes outside of the program that a plan found and lists beside its own changes.

use std::collections::HashSet;

use crate::stack::Flags;

/// The names of a plan's resources, and those that drifted.
#[derive(Default)]
pub(super) struct Drift {
    /// By record: the hash of its name, and true if it is an entry of drift.
    names: Vec<(u64, bool)>,
    /// The names that drifted. Resources that only moved are not among them.
    drifted: HashSet<u64>,
}

impl Drift {
    /// Adds the next record.
    pub(super) fn add(&mut self, name: u64, flags: Flags) {
        let is_entry = flags.contains(Flags::DRIFT_ENTRY);
        self.names.push((name, is_entry));
        if is_entry && flags.contains(Flags::DRIFTED) {
            self.drifted.insert(name);
        }
    }

    /// The names of the records that are no entries of drift.
    fn own(&self) -> HashSet<u64> {
        let own = self.names.iter().filter(|(_, is_entry)| !is_entry);
        own.map(|(name, _)| *name).collect()
    }

    /// By record: true for the drift entry of a resource that has a record of its own. Empty if there is none.
    pub(super) fn second_entries(&self) -> Vec<bool> {
        let own = self.own();
        let is_second = |(name, is_entry): &(u64, bool)| *is_entry && own.contains(name);
        if !self.names.iter().any(is_second) {
            return Vec::new();
        }
        self.names.iter().map(is_second).collect()
    }

    /// The flags to add: either the resource itself drifted, or the drift entry is its only record.
    pub(super) fn settle(&self) -> Vec<(u32, Flags)> {
        if !self.names.iter().any(|(_, is_entry)| *is_entry) {
            return Vec::new();
        }
        let own = self.own();
        let records = (0..).zip(&self.names);
        let found = records.filter_map(|(record, (name, is_entry))| match is_entry {
            true if !own.contains(name) => Some((record, Flags::DRIFT_ONLY)),
            false if self.drifted.contains(name) => Some((record, Flags::DRIFTED)),
            _ => None,
        });
        found.collect()
    }
}
