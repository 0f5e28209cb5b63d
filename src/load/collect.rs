//! The collector: takes what workers found, in the order of the file, and makes batches for the stack of it.

mod intern;
mod links;

use std::collections::HashMap;
use std::sync::Arc;

use intern::{Numbers, PathKey};

use crate::format::sheet::{Counted, Findings, Hasher, Row};
use crate::stack::{
    Amendment, Batch, Counts, EdgeKind, Flags, GroupId, PathId, PrefixId, ProviderId, Record,
    ResourceId, Shape, ShapeId, Span,
};

/// See the [module](self).
pub(super) struct Collector {
    is_terraform: bool,
    hasher: Hasher,
    workers: Vec<Numbers>,
    n_records: u32,
    prefixes: HashMap<Arc<str>, PrefixId>,
    groups: HashMap<Arc<str>, GroupId>,
    group_list: Vec<Arc<str>>,
    group_of: Vec<u32>,
    providers: HashMap<Arc<str>, ProviderId>,
    paths: HashMap<PathKey, PathId>,
    n_children: HashMap<PathId, u32>,
    shapes: HashMap<Box<[PathId]>, ShapeId>,
    /// The resources that have a key, by its hash; the first of each wins for parents.
    first: HashMap<u64, u32>,
    keys: Vec<u64>,
    edges: Vec<(u32, u64, EdgeKind)>,
    /// Resources whose parent has not come yet.
    orphans: Vec<(u32, u64)>,
    counts: Counts,
    /// Where the resource that is the stack itself is.
    root: Option<Span>,
    any_urn: Option<String>,
    batch: Batch,
}

impl Collector {
    pub(super) fn new(is_terraform: bool, hasher: Hasher, n_workers: usize) -> Self {
        let mut batch = Batch::default();
        // The shape 0 has no path.
        batch.tables.shapes.push(Shape::default());
        Self {
            is_terraform,
            hasher,
            workers: std::iter::repeat_with(Numbers::default)
                .take(n_workers)
                .collect(),
            n_records: 0,
            prefixes: HashMap::new(),
            groups: HashMap::new(),
            group_list: Vec::new(),
            group_of: Vec::new(),
            providers: HashMap::new(),
            paths: HashMap::new(),
            n_children: HashMap::new(),
            shapes: HashMap::from([(Box::default(), ShapeId(0))]),
            first: HashMap::new(),
            keys: Vec::new(),
            edges: Vec::new(),
            orphans: Vec::new(),
            counts: Counts::default(),
            root: None,
            any_urn: None,
            batch,
        }
    }

    /// Takes the findings of one piece; pieces come in the order of the file.
    pub(super) fn add(&mut self, worker: usize, findings: Findings) {
        let first_row = self.n_records;
        self.learn(worker, &findings);
        let mut start = 0_usize;
        for row in &findings.rows {
            let (name_end, id_end) = (row.name_end as usize, row.id_end as usize);
            let name = findings.texts.get(start..name_end).unwrap_or_default();
            let id = findings.texts.get(name_end..id_end).unwrap_or_default();
            start = id_end;
            self.row(worker, row, name, id);
        }
        self.edges.extend(
            findings
                .edges
                .iter()
                .map(|(row, target, kind)| (first_row + row, *target, *kind)),
        );
        for (row, mut note) in findings.notes {
            note.resource = row
                .map(|row| ResourceId(first_row + row))
                .filter(|id| id.0 < self.n_records);
            self.batch.notes.push(note);
        }
    }

    /// How many resources there are so far.
    pub(super) fn n_records(&self) -> u32 {
        self.n_records
    }

    /// The counts so far.
    pub(super) fn counts(&mut self) -> &mut Counts {
        &mut self.counts
    }

    /// What is to be added to the stack since the last call.
    pub(super) fn take(&mut self) -> Batch {
        let waiting = std::mem::take(&mut self.orphans);
        for (child, parent) in waiting {
            match self.first.get(&parent) {
                Some(parent) if *parent != child => self.batch.amendments.push(Amendment {
                    resource: ResourceId(child),
                    parent: Some(ResourceId(*parent)),
                    flags: Flags::NONE,
                }),
                Some(_) => {}
                None => self.orphans.push((child, parent)),
            }
        }
        std::mem::take(&mut self.batch)
    }

    /// Where the resource that is the stack itself is, if there is one.
    pub(super) fn root(&self) -> Option<Span> {
        self.root
    }

    /// The prefix of some URN with a name that says nothing.
    pub(super) fn any_urn(&self) -> Option<&str> {
        self.any_urn.as_deref()
    }

    /// The first resource with this key.
    pub(super) fn find(&self, key: &str) -> Option<ResourceId> {
        self.first
            .get(&self.hasher.hash(key.as_bytes()))
            .map(|id| ResourceId(*id))
    }

    fn row(&mut self, worker: usize, row: &Row, name: &str, id: &str) {
        let own = self.n_records;
        let shape = self.shape(worker, row.shape);
        let numbers = &self.workers[worker];
        let parent = (row.parent != 0 && row.parent != row.key)
            .then(|| self.first.get(&row.parent).copied())
            .flatten();
        if row.parent != 0 && parent.is_none() && row.parent != row.key {
            self.orphans.push((own, row.parent));
        }
        let prefix = match row.prefix {
            0 => self.prefix(&Arc::default()),
            number => numbers
                .prefixes
                .get(number as usize - 1)
                .copied()
                .unwrap_or_default(),
        };
        let numbers = &self.workers[worker];
        let group = numbers.groups.get(row.group as usize).copied().flatten();
        let record = Record {
            span: row.span,
            flags: row.flags.with(Flags::SECRET, row.secrets > 0),
            prefix,
            group,
            parent: parent.map(ResourceId),
            provider: numbers
                .providers
                .get(row.provider as usize)
                .copied()
                .flatten(),
            shape,
            action: row.action,
        };
        self.batch.chunk.push(record, name, id);
        if row.flags.contains(Flags::STACK) && !row.flags.contains(Flags::PENDING_DELETE) {
            self.root = Some(row.span);
        }
        self.count(worker, row);
        let first = *self.first.entry(row.key).or_insert(own);
        if first != own && row.flags.contains(Flags::PENDING_OPERATION) {
            self.batch.amendments.push(Amendment {
                resource: ResourceId(first),
                parent: None,
                flags: Flags::PENDING_OPERATION,
            });
        }
        self.keys.push(row.key);
        self.group_of.push(group.map_or(0, |group| group.0 + 1));
        self.n_records += 1;
    }

    fn count(&mut self, worker: usize, row: &Row) {
        self.counts.resources += u64::from(row.counted == Counted::Resource);
        // States count them beside the resources, plans and the show format among them.
        let is_deposed = match row.counted {
            Counted::Deposed => true,
            Counted::Resource => row.flags.contains(Flags::DEPOSED),
            Counted::No => false,
        };
        self.counts.deposed += u64::from(is_deposed);
        self.counts.secrets += u64::from(row.secrets);
        if row.words != 0
            && row.counted == Counted::Resource
            && let Some(words) = self.workers[worker].words.get(row.words as usize)
            && let Some((_, count)) = self.counts.changes.get_mut(*words)
        {
            *count += 1;
        }
    }
}
