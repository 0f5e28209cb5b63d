//! Resources of the old file that wait for the one that they are in the new file.

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::stack::{Flags, ResourceId, Stack};

/// Whether a resource is one to be paired: what a plan found drifted, it lists once more beside the resource itself.
pub(super) fn is_resource(stack: &Stack, id: ResourceId) -> bool {
    !stack.record(id).flags.contains(Flags::DRIFT_ENTRY)
}

/// The resources of a stack that are to be paired, in the order of the file.
pub(super) fn resources(stack: &Stack) -> impl DoubleEndedIterator<Item = ResourceId> + use<'_> {
    stack.ids().filter(|id| is_resource(stack, *id))
}

/// What has to be the same for two resources to be one: what the person calls it, and whether it is an old copy.
///
/// The address for Terraform, since a URN made from it has the name of the file in it.
fn key(stack: &Stack, id: ResourceId) -> (&str, &str, bool) {
    let record = stack.record(id);
    let prefix = match stack.address(id) {
        Some(_) => "",
        None => stack.tables.prefix(record.prefix).text(),
    };
    let is_old_copy = record.flags.contains(Flags::PENDING_DELETE);
    (prefix, stack.name(id), is_old_copy)
}

/// See the [module](self).
pub(super) struct Waiting {
    hasher: DefaultHashBuilder,
    /// For each key the first resource that has it and waits.
    first: HashTable<ResourceId>,
    /// By resource: the next one with its key.
    next: Vec<Option<ResourceId>>,
}

impl Waiting {
    /// All of `old` wait.
    pub(super) fn new(old: &Stack) -> Self {
        let mut waiting = Self {
            hasher: DefaultHashBuilder::default(),
            first: HashTable::with_capacity(old.len()),
            next: vec![None; old.len()],
        };
        for id in resources(old).rev() {
            match waiting.entry(old, old, id) {
                (Entry::Occupied(mut entry), next) => {
                    next[id.index()] = Some(std::mem::replace(entry.get_mut(), id));
                }
                (Entry::Vacant(entry), _) => {
                    entry.insert(id);
                }
            }
        }
        waiting
    }

    /// The first that waits for `id` of `new`; it waits no more.
    pub(super) fn take(&mut self, old: &Stack, new: &Stack, id: ResourceId) -> Option<ResourceId> {
        let (Entry::Occupied(mut entry), next) = self.entry(old, new, id) else {
            return None;
        };
        let found = *entry.get();
        match next[found.index()] {
            Some(next) => *entry.get_mut() = next,
            None => {
                entry.remove();
            }
        }
        Some(found)
    }

    /// What waits still, in the order of the file; nothing waits any more.
    pub(super) fn rest(&mut self) -> impl Iterator<Item = ResourceId> + use<> {
        let mut rest = Vec::new();
        for first in self.first.drain() {
            let mut at = Some(first);
            while let Some(id) = at {
                rest.push(id);
                at = self.next[id.index()];
            }
        }
        rest.sort_unstable();
        rest.into_iter()
    }

    /// Where the key of `id` of `stack` stands among those of `old`; with what comes next.
    fn entry(
        &mut self,
        old: &Stack,
        stack: &Stack,
        id: ResourceId,
    ) -> (Entry<'_, ResourceId>, &mut Vec<Option<ResourceId>>) {
        let Self {
            hasher,
            first,
            next,
        } = self;
        let hash = |stack: &Stack, id: ResourceId| hasher.hash_one(key(stack, id));
        let own = key(stack, id);
        let entry = first.entry(
            hash(stack, id),
            |other| key(old, *other) == own,
            |other| hash(old, *other),
        );
        (entry, next)
    }
}
