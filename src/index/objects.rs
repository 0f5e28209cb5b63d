//! Assigns the steps of an update to changes.

use hashbrown::HashMap;

/// The object that a step works on, as hashes of its names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    pub(crate) urn: u64,
    /// The provider's id; `None` if it is not known.
    pub(crate) id: Option<u64>,
    /// True for an old copy that only waits for deletion.
    pub(crate) is_copy: bool,
}

/// The change of each object: all steps of one URN are one change, except those of an old copy that waits for deletion and is not
/// the object that the live change begins with. Such a copy is left over from an earlier run, and has its own change.
#[derive(Default, Debug)]
pub(crate) struct Objects {
    /// By URN: the change of the live object.
    live: HashMap<u64, u32>,
    /// By URN and id.
    known: HashMap<(u64, u64), u32>,
    /// By URN: the change that counts as its resource.
    counted: HashMap<u64, u32>,
}

impl Objects {
    /// The change that a step of `object` belongs to; `next` is the number of a new change.
    pub(crate) fn change_of(&mut self, object: Object, next: u32) -> u32 {
        let Object { urn, id, is_copy } = object;
        let same = id.and_then(|id| self.known.get(&(urn, id)).copied());
        let is_apart = is_copy && id.is_some();
        let live = self.live.get(&urn).copied().filter(|_| !is_apart);
        let change = live.or(same).unwrap_or(next);
        if !is_apart {
            self.live.entry(urn).or_insert(change);
        }
        if let Some(id) = id {
            self.known.entry((urn, id)).or_insert(change);
        }
        change
    }

    /// True for the one change of a URN that counts as its resource: the first one that asks.
    pub(crate) fn is_counted(&mut self, urn: u64, change: u32) -> bool {
        *self.counted.entry(urn).or_insert(change) == change
    }
}
