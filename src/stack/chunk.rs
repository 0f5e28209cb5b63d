//! Records and the chunks that hold them.

use std::sync::Arc;

use super::graph::Graph;
use super::{
    Action, Flags, GroupId, Header, Note, PrefixId, ProviderId, ResourceId, ShapeId, Span, Tables,
};

/// Number of records in a chunk. All chunks but the last are full.
pub(super) const LEN: usize = 4096;

/// The indexed data of a resource.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Record {
    /// Span of its bytes in the file.
    pub span: Span,
    /// Boolean facts.
    pub flags: Flags,
    /// Everything in its URN before the name.
    pub prefix: PrefixId,
    /// The module that contains the resource.
    pub group: Option<GroupId>,
    /// The parent resource.
    pub parent: Option<ResourceId>,
    /// The provider that manages it.
    pub provider: Option<ProviderId>,
    /// The set of its property paths.
    pub shape: ShapeId,
    /// The action on the resource.
    pub action: Option<Action>,
}

impl Record {
    /// See [`Stack::actions`](super::Stack::actions).
    pub(super) fn actions(&self) -> impl Iterator<Item = Action> + use<> {
        let own = self.action.filter(|_| !self.flags.is_drift());
        let along = [
            (Flags::IMPORTED, Action::Import),
            (Flags::MOVED, Action::Move),
        ];
        let flags = self.flags;
        // A plan defers a change as a whole.
        let along = along.into_iter().filter(move |(flag, action)| {
            let is_other = own.is_some_and(|own| own != *action && own != Action::Defer);
            is_other && flags.contains(*flag)
        });
        own.into_iter().chain(along.map(|(_, action)| action))
    }
}

/// Up to `LEN` records in the order of the file, and their texts.
#[derive(Clone, Default, Debug)]
pub struct Chunk {
    pub(crate) records: Vec<Record>,
    /// Names and provider ids, concatenated: name, id, name, id…
    texts: String,
    /// End offsets of these texts; two for each record.
    ends: Vec<u32>,
}

impl Chunk {
    /// Adds a record with its name and its provider id ("" if it has none).
    pub fn push(&mut self, record: Record, name: &str, provider_id: &str) {
        self.records.push(record);
        for text in [name, provider_id] {
            self.texts.push_str(text);
            self.ends
                .push(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        }
    }

    /// Number of records.
    pub fn n_records(&self) -> usize {
        self.records.len()
    }

    pub(super) fn name(&self, index: usize) -> &str {
        self.text(2 * index)
    }

    /// The name, and the bytes of the name with the texts after it.
    pub(super) fn name_with_rest(&self, index: usize) -> (&str, &[u8]) {
        let start = match index.checked_sub(1) {
            Some(before) => self.ends[2 * before + 1] as usize,
            None => 0,
        };
        let rest = self.texts.get(start..).unwrap_or_default();
        let len = (self.ends[2 * index] as usize).saturating_sub(start);
        (rest.get(..len).unwrap_or_default(), rest.as_bytes())
    }

    pub(super) fn provider_id(&self, index: usize) -> &str {
        self.text(2 * index + 1)
    }

    /// Replaces a record.
    fn renew(&mut self, index: usize, record: Record, provider_id: &str) {
        let Some(slot) = self.records.get_mut(index) else {
            return;
        };
        *slot = record;
        let old = self.provider_id(index);
        if old == provider_id {
            return;
        }
        let (start, end) = (self.ends[2 * index] as usize, self.ends[2 * index + 1]);
        self.texts.replace_range(start..end as usize, provider_id);
        let new_end = u32::try_from(start + provider_id.len()).unwrap_or(u32::MAX);
        for later in &mut self.ends[2 * index + 1..] {
            *later = (*later - end).saturating_add(new_end);
        }
    }

    fn text(&self, position: usize) -> &str {
        let start = position
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        self.texts
            .get(start..self.ends[position] as usize)
            .unwrap_or_default()
    }
}

/// A batch that a loader appends to a stack: new records, and the table entries that they are the first to use.
#[derive(Clone, Default, Debug)]
pub struct Batch {
    /// The records.
    pub chunk: Chunk,
    /// The hash of the bytes of each record, 0 for a record without bytes. Empty if nobody asked for it. Not part of the
    /// stack.
    pub digests: Vec<u64>,
    /// Entries to append to the stack's tables.
    pub tables: Tables,
    /// Notes to add.
    pub notes: Vec<Note>,
    /// Corrections of records, of this batch or an earlier one.
    pub amendments: Vec<Amendment>,
    /// Records of earlier batches that have changed: the steps of a run in progress.
    pub renewed: Vec<Renewed>,
    /// Pairs of records about the same object; the first is the earliest one about it.
    pub siblings: Vec<[ResourceId; 2]>,
    /// The resource of an earlier note, by the index of the note, if it became known later.
    pub attributions: Vec<(usize, ResourceId)>,
    /// The metadata of the file, if there is more than before.
    pub header: Option<Box<Header>>,
    /// The times of the first and of the last event of a log, in seconds since 1970.
    pub clock: Option<[u64; 2]>,
    /// The steps of a run that began, each with its time.
    pub started: Vec<(ResourceId, u64)>,
    /// The dependencies so far, if a run goes on and some of it failed: they say what the failure holds up.
    pub graph: Option<Graph>,
}

/// A record that has changed. The name never changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Renewed {
    /// The resource.
    pub resource: ResourceId,
    /// The new record.
    pub record: Record,
    /// The new provider id.
    pub provider_id: String,
}

/// Facts about a resource that became known later: a parent that comes after it in the file, an operation that was under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amendment {
    /// The resource.
    pub resource: ResourceId,
    /// The parent, if it became known.
    pub parent: Option<ResourceId>,
    /// Flags to add.
    pub flags: Flags,
    /// The action, if it turned out to be different.
    pub action: Option<Action>,
}

/// Corrects a record. Does nothing if the record does not exist.
pub(super) fn amend(chunks: &mut [Arc<Chunk>], amendment: &Amendment) {
    let index = amendment.resource.index();
    if let Some(chunk) = chunks.get_mut(index / LEN)
        && let Some(record) = Arc::make_mut(chunk).records.get_mut(index % LEN)
    {
        record.parent = amendment.parent.or(record.parent);
        record.flags |= amendment.flags;
        record.action = amendment.action.or(record.action);
    }
}

/// Replaces a record. Does nothing if the record does not exist.
pub(super) fn renew(chunks: &mut [Arc<Chunk>], renewed: &Renewed) {
    let index = renewed.resource.index();
    if let Some(chunk) = chunks.get_mut(index / LEN) {
        Arc::make_mut(chunk).renew(index % LEN, renewed.record, &renewed.provider_id);
    }
}

/// Appends records to the last chunk and opens new chunks as needed.
pub(super) fn append(chunks: &mut Vec<Arc<Chunk>>, new: Chunk) {
    if new.n_records() == LEN && chunks.last().is_none_or(|last| last.n_records() == LEN) {
        chunks.push(Arc::new(new));
        return;
    }
    for (index, record) in new.records.iter().enumerate() {
        if chunks.last().is_none_or(|last| last.n_records() == LEN) {
            chunks.push(Arc::default());
        }
        if let Some(last) = chunks.last_mut() {
            let last = Arc::make_mut(last);
            last.push(*record, new.name(index), new.provider_id(index));
            if last.n_records() == LEN {
                last.texts.shrink_to_fit();
            }
        }
    }
}
