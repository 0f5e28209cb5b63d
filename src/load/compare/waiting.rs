//! Resources of either file that wait for their counterpart in the other file.

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Halves, WhichFile};
use crate::stack::{Flags, ResourceId, Stack};

/// True if a resource takes part in pairing. Drift entries do not: a plan lists them in addition to the resource itself.
pub(super) fn is_resource(stack: &Stack, id: ResourceId) -> bool {
    !stack.record(id).flags.contains(Flags::DRIFT_ENTRY)
}

/// The key that two paired resources share: the name that a person uses, and true for an old copy.
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

/// The resources that wait with one key, in the order of their file. All are of one file: resources in both files are paired.
#[derive(Clone, Copy)]
struct Queue {
    hash: u64,
    side: WhichFile,
    first: ResourceId,
    last: ResourceId,
}

/// A queue of resources for each identity.
#[derive(Default)]
pub(super) struct Waiting {
    hasher: DefaultHashBuilder,
    queues: HashTable<Queue>,
    /// For each side by resource: the next one in its queue.
    next: [Vec<Option<ResourceId>>; 2],
}

impl Waiting {
    /// Removes and returns the first resource of the other file that waits for `id` of `side`. Without one, `id` starts to
    /// wait.
    pub(super) fn meet(
        &mut self,
        halves: &Halves,
        side: WhichFile,
        id: ResourceId,
    ) -> Option<ResourceId> {
        let own = key(halves.stack(side), id);
        let hash = self.hasher.hash_one(own);
        let is_own =
            |queue: &Queue| queue.hash == hash && key(halves.stack(queue.side), queue.first) == own;
        match self.queues.entry(hash, is_own, |queue| queue.hash) {
            Entry::Vacant(entry) => {
                entry.insert(Queue {
                    hash,
                    side,
                    first: id,
                    last: id,
                });
                None
            }
            Entry::Occupied(mut entry) if entry.get().side == side => {
                let next = &mut self.next[side as usize];
                let last = std::mem::replace(&mut entry.get_mut().last, id);
                if next.len() <= last.index() {
                    next.resize(last.index() + 1, None);
                }
                next[last.index()] = Some(id);
                None
            }
            Entry::Occupied(mut entry) => {
                let queue = entry.get_mut();
                let found = queue.first;
                let next = self.next[queue.side as usize].get(found.index());
                match next.copied().flatten() {
                    Some(next) => queue.first = next,
                    None => drop(entry.remove()),
                }
                Some(found)
            }
        }
    }

    /// The remaining waiting resources of one file, in its order; none of them waits any more.
    pub(super) fn rest(&mut self, side: WhichFile) -> Vec<ResourceId> {
        let mut rest = Vec::new();
        let next = &self.next[side as usize];
        self.queues.retain(|queue| {
            let is_of_side = queue.side == side;
            let mut at = Some(queue.first).filter(|_| is_of_side);
            while let Some(id) = at {
                rest.push(id);
                at = next.get(id.index()).copied().flatten();
            }
            !is_of_side
        });
        rest.sort_unstable();
        rest
    }
}
