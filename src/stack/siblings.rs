//! Siblings: the records of one file that are about the same object of the program.
//!
//! A plan lists a resource a second time for its drift, and a Pulumi state keeps an old copy that waits for its deletion. A value
//! that one of them calls secret is secret in all of them.

use std::collections::HashMap;

use super::ResourceId;

/// Maximum number of siblings that are read for each other. The properties of a larger group are hidden if one of them has a
/// secret, because reading all for each takes quadratic time.
const MAX_READ: usize = 16;

/// The groups of records about one object.
#[derive(Clone, Default, Debug)]
pub struct Siblings {
    group_of: HashMap<ResourceId, usize>,
    groups: Vec<Group>,
}

#[derive(Clone, Default, Debug)]
struct Group {
    /// In the order of the file.
    members: Vec<ResourceId>,
    /// True if a record of the group has a secret.
    has_secrets: bool,
}

/// The other records about the object of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others<'s> {
    /// These records, and the record itself.
    Few(&'s [ResourceId]),
    /// Too many to be read. True if one of them has a secret.
    Many(bool),
}

impl Siblings {
    /// Adds `later` to the group of `first`.
    pub(super) fn add(&mut self, [first, later]: [ResourceId; 2], has_secrets: bool) {
        let next = self.groups.len();
        let number = *self.group_of.entry(first).or_insert(next);
        if number == next {
            self.groups.push(Group {
                members: vec![first],
                has_secrets: false,
            });
        }
        self.group_of.insert(later, number);
        let group = &mut self.groups[number];
        group.members.push(later);
        group.has_secrets |= has_secrets;
    }

    /// Records that `id` has a secret now.
    pub(super) fn add_secret(&mut self, id: ResourceId) {
        if let Some(number) = self.group_of.get(&id) {
            self.groups[*number].has_secrets = true;
        }
    }

    /// The siblings of a record; `None` if it has none.
    pub fn of(&self, id: ResourceId) -> Option<Others<'_>> {
        let group = &self.groups[*self.group_of.get(&id)?];
        Some(if group.members.len() <= MAX_READ {
            Others::Few(&group.members)
        } else {
            Others::Many(group.has_secrets)
        })
    }
}
