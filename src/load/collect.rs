//! The collector: takes the findings of the workers in the order of the file, and turns them into batches for the stack.

mod by_key;
mod drift;
mod edges;
mod integrity;
mod intern;
mod keys;
mod links;
mod merging;
mod modules;

use std::sync::Arc;

use by_key::ByKey;
use drift::Drift;
use edges::Edges;
use hashbrown::HashMap;
use indexmap::IndexSet;
use integrity::Integrity;
use intern::{MAX_MODULES, Numbers, PathKey};
use keys::Keys;
pub(super) use merging::Merged;
use merging::Merging;
use modules::{Module, Modules};

use crate::index::hash::Hasher;
use crate::index::indexer::{Counted, Findings, Indexer, Row};
use crate::index::trie::Folds;
use crate::stack::{
    Action, Amendment, Batch, Broken, Chunk, Counts, EdgeKind, Flags, Header, Kind, Note, PathId,
    Prefix, PrefixId, ProviderId, Record, Renewed, ResourceId, Severity, ShapeId, Span, Stack,
    Tables,
};
use crate::terraform::address::ObjectName;
use crate::text::count;

/// Maximum number of notes of each severity on the resources of a file; further ones are counted.
const MAX_NOTES: usize = 1_000;

/// The first [`MAX_NOTES`] notes of each severity. The rest are counted, in notes at `place`.
pub(super) fn bounded(mut notes: Vec<Note>, place: &str) -> Vec<Note> {
    let mut n_alike = [0_usize; Severity::COUNT];
    notes.retain(|note| {
        let n_alike = &mut n_alike[note.severity as usize];
        *n_alike += 1;
        *n_alike <= MAX_NOTES
    });
    notes.extend(not_listed(n_alike, place));
    notes
}

/// Notes with the number of unlisted notes, given the number of notes of each severity.
fn not_listed(n_alike: [usize; Severity::COUNT], place: &str) -> impl Iterator<Item = Note> {
    let severities = [
        Severity::Error,
        Severity::Failure,
        Severity::Warning,
        Severity::Info,
    ];
    severities.into_iter().filter_map(move |severity| {
        let n_more = n_alike[severity as usize].saturating_sub(MAX_NOTES);
        (n_more > 0).then(|| {
            let n = count(n_more as u64);
            let message = format!("{n} more notes of this severity are not listed");
            Note::new(severity, place, message)
        })
    })
}

/// Collects the rows of all workers into one stack.
pub(super) struct Collector {
    kind: Kind,
    hasher: Hasher,
    workers: Vec<Numbers>,
    n_records: u32,
    prefixes: HashMap<Arc<str>, PrefixId>,
    modules: Modules,
    /// By resource: its module instance.
    module_of: Vec<Module>,
    providers: HashMap<Arc<str>, ProviderId>,
    /// The words of changes, by their index in the counts.
    words: HashMap<Arc<str>, usize>,
    paths: HashMap<PathKey, PathId>,
    /// By path: its hash, as workers compute it.
    path_hashes: Vec<u64>,
    /// By path: the hashes of its children that have a key.
    children: HashMap<PathId, Vec<u64>>,
    folds: Arc<Folds>,
    /// The shapes by the sum of the hashes of their paths.
    shapes: HashMap<u64, ShapeId>,
    /// By path: the number of the shape that last asked for it.
    asked: Vec<u32>,
    n_asked: u32,
    /// The first resource with a key wins for parents.
    keys: Keys,
    /// The hashes of the addresses without deposed keys. Terraform only: the keys of Pulumi are its URNs.
    addresses: Keys,
    /// The resources by their keys, once all are known.
    by_key: ByKey,
    integrity: Integrity,
    edges: Edges,
    /// The resources that the plan deletes or forgets, with the hashes of their addresses.
    leaving: HashMap<u32, u64>,
    /// The entries of the prior state of a plan, by the hashes of their addresses.
    entries_before: Vec<(u64, Span)>,
    /// The needs of the resources that leave, as the hash of an address and a key, sorted.
    needs_before: Vec<(u64, u64)>,
    /// Resources whose parent was not found yet.
    orphans: Vec<(u32, u64)>,
    counts: Counts,
    /// The resource that is the stack itself, and its span.
    root: Option<(u32, Span)>,
    any_urn: Option<String>,
    /// True if modules nest deeper than they are followed.
    has_deep_modules: bool,
    /// Number of notes so far.
    n_notes: usize,
    /// Number of notes about resources, by severity.
    n_of_resources: [usize; Severity::COUNT],
    /// Notes on a place without a resource so far.
    waiting_notes: Vec<(usize, String)>,
    /// The records that may have secrets or messages, with their names. Unused for logs, which track secrets separately.
    hiding: Chunk,
    hiding_ids: Vec<ResourceId>,
    /// The changes outside of the program, if the file lists them.
    drift: Option<Drift>,
    /// True if a provider comes from OpenTofu's registry.
    has_opentofu: bool,
    /// The elements that are steps of one change, in formats where several may be.
    merging: Option<Merging>,
    /// The contribution of each record to the counts, in files where records may be renewed.
    tallies: Option<Vec<Tally>>,
    /// The edges of renewed records; they replace the earlier edges of these records.
    renewed_edges: HashMap<u32, Vec<(u64, EdgeKind)>>,
    batch: Batch,
}

/// For a row, a word of the file, and the number of times that it counts.
type Word = (u32, u32, u32);

/// The contribution of a record to the counts.
#[derive(Clone, Default)]
struct Tally {
    resource: bool,
    deposed: bool,
    secrets: u32,
    /// Words of the file, by their place in the counts, each with its number.
    words: Vec<(usize, u64)>,
}

impl Collector {
    pub(super) fn new(kind: Kind, hasher: Hasher) -> Self {
        let mut batch = Batch::default();
        // The shape 0 has no path.
        batch.tables.shapes.push(&[]);
        Self {
            kind,
            hasher,
            workers: vec![Numbers::default()],
            n_records: 0,
            prefixes: HashMap::new(),
            modules: Modules::default(),
            module_of: Vec::new(),
            providers: HashMap::new(),
            words: HashMap::new(),
            paths: HashMap::new(),
            path_hashes: Vec::new(),
            children: HashMap::new(),
            folds: Arc::default(),
            // The shape 0 has no path.
            shapes: HashMap::from_iter([(0, ShapeId(0))]),
            asked: Vec::new(),
            n_asked: 0,
            keys: Keys::default(),
            addresses: Keys::default(),
            by_key: ByKey::default(),
            integrity: Integrity::of(kind),
            edges: Edges::default(),
            entries_before: Vec::new(),
            needs_before: Vec::new(),
            leaving: HashMap::new(),
            orphans: Vec::new(),
            counts: Counts::default(),
            root: None,
            any_urn: None,
            has_deep_modules: false,
            n_notes: 0,
            n_of_resources: [0; Severity::COUNT],
            waiting_notes: Vec::new(),
            hiding: Chunk::default(),
            hiding_ids: Vec::new(),
            drift: (!kind.is_pulumi() && kind.has_changes()).then(Drift::default),
            has_opentofu: false,
            merging: (kind == Kind::PulumiPreview).then(Merging::default),
            tallies: (kind == Kind::PulumiPreview).then(Vec::new),
            renewed_edges: HashMap::new(),
            batch,
        }
    }

    /// An empty indexer for a worker.
    pub(super) fn indexer(&self) -> Indexer {
        Indexer::new(self.hasher, self.folds.clone())
    }

    /// Prepares for the findings of this many workers besides the first.
    pub(super) fn expect(&mut self, n_helpers: usize) {
        self.workers.resize_with(n_helpers + 1, Numbers::default);
    }

    /// A collector for a log, whose steps may be renewed.
    pub(super) fn of_log(kind: Kind, hasher: Hasher) -> Self {
        Self {
            tallies: Some(Vec::new()),
            ..Self::new(kind, hasher)
        }
    }

    /// Takes the findings of one piece; pieces come in the order of the file.
    pub(super) fn add(&mut self, worker: usize, mut findings: Findings) {
        let first_row = self.n_records;
        if !findings.digests.is_empty() {
            let digests = &mut self.batch.digests;
            digests.resize(self.batch.chunk.n_records(), 0);
            digests.append(&mut findings.digests);
        }
        self.learn(worker, &mut findings);
        if self.merging.is_some() {
            self.add_steps(worker, findings);
            return;
        }
        for (index, row, name, id) in findings.named_rows() {
            let tally = self.tally(worker, (index, row), &findings.words);
            self.row(worker, row, tally, name, id);
        }
        for (row, target, kind) in &findings.edges {
            self.edges.push(first_row + row, *target, *kind);
        }
        self.entries_before.append(&mut findings.prior);
        let integrity = &mut self.integrity;
        if integrity.is_wanted {
            let references = findings.references.iter();
            let references = references.map(|(row, target)| (first_row + row, *target));
            integrity.references.extend(references);
            let odd = findings.odd.iter().map(|row| first_row + row);
            integrity.suspects.extend(odd);
        }
        for (row, note) in findings.notes {
            self.note_of_resource(row.map(|row| first_row + row), note);
        }
    }

    fn note_of_resource(&mut self, resource: Option<u32>, mut note: Note) {
        let n_alike = &mut self.n_of_resources[note.severity as usize];
        *n_alike += 1;
        if *n_alike > MAX_NOTES {
            return;
        }
        note.resource = resource.map(ResourceId);
        note.resource = note.resource.filter(|id| id.0 < self.n_records);
        self.n_notes += 1;
        self.batch.notes.push(note);
    }

    /// Takes the findings of a record that exists already and has changed.
    pub(super) fn renew(&mut self, id: ResourceId, mut findings: Findings) {
        self.learn(0, &mut findings);
        if let Some(row) = findings.rows.first() {
            let tally = self.tally(0, (0, row), &findings.words);
            self.replace(id, &findings, &tally);
        }
    }

    /// Replaces a record with the first row of `findings`.
    fn replace(&mut self, id: ResourceId, findings: &Findings, tally: &Tally) {
        let Some((_, row, _, provider_id)) = findings.named_rows().next() else {
            return;
        };
        let record = self.record(0, id.0, row);
        self.keep_hiding(id, record, "", row);
        let slot = self.tallies.as_mut().and_then(|it| it.get_mut(id.index()));
        if let Some(slot) = slot {
            let before = std::mem::replace(slot, tally.clone());
            self.uncount(&before);
            self.count(tally);
        }
        let edges = findings.edges.iter().map(|(_, to, kind)| (*to, *kind));
        self.renewed_edges.insert(id.0, edges.collect());
        self.batch.renewed.push(Renewed {
            resource: id,
            record,
            provider_id: provider_id.to_owned(),
        });
    }

    /// Takes the times of a log: of its first and last event, and of the steps that began.
    pub(super) fn times(&mut self, clock: Option<[u64; 2]>, started: Vec<(usize, u64)>) {
        self.batch.clock = clock;
        let started = started.into_iter().filter_map(|(number, time)| {
            let number = u32::try_from(number).ok()?;
            Some((ResourceId(number), time))
        });
        self.batch.started.extend(started);
    }

    /// Adds a note on a resource, which may not be found yet.
    pub(super) fn note(&mut self, mut note: Note) {
        note.resource = note.resource.or_else(|| self.find(&note.place));
        if note.resource.is_none() && !note.place.is_empty() {
            self.waiting_notes.push((self.n_notes, note.place.clone()));
        }
        self.n_notes += 1;
        self.batch.notes.push(note);
    }

    /// Notes on the notes and modules that are left out.
    pub(super) fn left_out(&self) -> Vec<Note> {
        let place = "the resources";
        let warn = |place, message| Note::new(Severity::Warning, place, message);
        let deep = self.has_deep_modules.then(|| {
            let what = "what lies deeper is listed with the module that deep";
            let message = format!("modules nest more than {MAX_MODULES} deep; {what}");
            warn(place, message)
        });
        let unjudged = self.counts.unjudged();
        let unjudged = unjudged.map(|message| warn("resource_changes", message));
        let listed = not_listed(self.n_of_resources, place);
        listed.chain(deep).chain(unjudged).collect()
    }

    /// Sets the header of the file.
    pub(super) fn header(&mut self, header: Header) {
        self.batch.header = Some(Box::new(header));
    }

    /// Number of resources so far.
    pub(super) fn n_records(&self) -> u32 {
        self.n_records
    }

    /// The counts at the end. The words of a log are in the order of its records, however the log was cut into pieces.
    pub(super) fn counts(&self) -> Counts {
        let mut counts = self.counts.clone();
        let tallies = self.tallies.iter().flatten().filter(|_| self.kind.is_log());
        let words = tallies.flat_map(|tally| tally.words.iter().map(|(word, _)| *word));
        let order: IndexSet<usize> = words.collect();
        let all = 0..counts.changes.len();
        let rest: Vec<usize> = all.filter(|word| !order.contains(word)).collect();
        let order = order.into_iter().chain(rest);
        counts.changes = order
            .map(|word| self.counts.changes[word].clone())
            .collect();
        counts.changes.retain(|(_, count)| *count > 0);
        counts
    }

    /// The additions to the stack since the last call.
    pub(super) fn take(&mut self) -> Batch {
        let waiting = std::mem::take(&mut self.orphans);
        for (child, parent) in waiting {
            match self.keys.first(parent) {
                Some(parent) if parent != child => self.batch.amendments.push(Amendment {
                    resource: ResourceId(child),
                    parent: Some(ResourceId(parent)),
                    flags: Flags::NONE,
                    action: None,
                }),
                Some(_) => {}
                None => self.orphans.push((child, parent)),
            }
        }
        for (note, place) in std::mem::take(&mut self.waiting_notes) {
            match self.find(&place) {
                Some(id) => self.batch.attributions.push((note, id)),
                None => self.waiting_notes.push((note, place)),
            }
        }
        std::mem::take(&mut self.batch)
    }

    /// Drops what only further findings would need, before the graph takes its memory.
    pub(super) fn close(&mut self) {
        self.workers = Vec::new();
        self.addresses = Keys::default();
        self.shapes = HashMap::new();
        self.paths = HashMap::new();
        self.path_hashes = Vec::new();
        self.children = HashMap::new();
    }

    /// Puts the dependencies so far into the next batch.
    pub(super) fn tell_graph(&mut self) {
        self.batch.graph = Some(self.graph_so_far());
    }

    /// True if a resource names its provider.
    pub(super) fn has_providers(&self) -> bool {
        !self.providers.is_empty()
    }

    /// True if a provider comes from OpenTofu's registry.
    pub(super) fn has_opentofu(&self) -> bool {
        self.has_opentofu
    }

    /// Marks the resources that drifted, now that all are known.
    pub(super) fn settle_drift(&mut self) {
        let found = self.drift.as_ref().map(Drift::settle).unwrap_or_default();
        let amendments = found.into_iter().map(|(resource, flags)| Amendment {
            resource: ResourceId(resource),
            parent: None,
            flags,
            action: None,
        });
        self.batch.amendments.extend(amendments);
    }

    /// The span of the resource that is the stack itself, if there is one.
    pub(super) fn root(&self) -> Option<Span> {
        self.root.map(|(_, span)| span)
    }

    /// The prefix of some URN with a meaningless name.
    pub(super) fn any_urn(&self) -> Option<&str> {
        self.any_urn.as_deref()
    }

    /// Fills in the names of Pulumi's stack and project from URNs, if the file does not give them.
    pub(super) fn name_stack(&self, header: &mut Header) {
        if let Some(parts) = self.any_urn().and_then(crate::pulumi::urn::parts) {
            if header.stack.is_empty() {
                parts.stack.clone_into(&mut header.stack);
            }
            if header.project.is_empty() {
                parts.project.clone_into(&mut header.project);
            }
        }
    }

    /// Keeps a record that has to be read if a message may repeat its secrets.
    fn keep_hiding(&mut self, id: ResourceId, record: Record, name: &str, row: &Row) {
        // Only a plan has a configuration.
        let is_plan = self.kind.has_changes() && !self.kind.is_pulumi();
        let flags = [Flags::SECRET, Flags::INIT_ERRORS];
        let may_hide =
            is_plan && row.may_hide || flags.into_iter().any(|flag| record.flags.contains(flag));
        if may_hide && !self.kind.is_log() {
            let record = Record {
                group: None,
                parent: None,
                shape: ShapeId::default(),
                ..record
            };
            self.hiding.push(record, name, "");
            self.hiding_ids.push(id);
        }
    }

    /// A stack of the resources that may have secrets or messages, and their ids in the whole stack.
    pub(super) fn take_hiding(&mut self, header: &Header) -> (Stack, Vec<ResourceId>) {
        let mut prefixes: Vec<_> = self.prefixes.iter().collect();
        prefixes.sort_unstable_by_key(|(_, id)| **id);
        let mut providers: Vec<_> = self.providers.iter().collect();
        providers.sort_unstable_by_key(|(_, id)| **id);
        let is_terraform = !self.kind.is_pulumi();
        let prefix = |(text, _): (&Arc<str>, _)| Prefix::new(text, is_terraform);
        let tables = Tables {
            prefixes: prefixes.into_iter().map(prefix).collect(),
            providers: providers
                .into_iter()
                .map(|(text, _)| text.clone())
                .collect(),
            ..Tables::default()
        };
        let mut stack = Stack::new(header.clone());
        stack.extend(Batch {
            chunk: std::mem::take(&mut self.hiding),
            tables,
            ..Batch::default()
        });
        (stack, std::mem::take(&mut self.hiding_ids))
    }

    /// True if a resource has messages of its provider.
    pub(super) fn has_messages(&self) -> bool {
        let mut records = self.hiding.records.iter();
        records.any(|record| record.flags.contains(Flags::INIT_ERRORS))
    }

    /// The first resource with this key.
    pub(super) fn find(&self, key: &str) -> Option<ResourceId> {
        let first = self.keys.first(self.hasher.hash(key.as_bytes()));
        first.map(ResourceId)
    }

    fn row(&mut self, worker: usize, row: &Row, tally: Tally, name: &str, id: &str) {
        let own = self.n_records;
        let record = self.record(worker, own, row);
        self.keep_hiding(ResourceId(own), record, name, row);
        self.batch.chunk.push(record, name, id);
        self.count(&tally);
        if row.flags.contains(Flags::BROKEN) {
            let broken = self.counts.broken.get_or_insert(Broken {
                n: 0,
                offset: row.span.offset,
                line: None,
            });
            broken.n += 1;
        }
        if let Some(tallies) = &mut self.tallies {
            tallies.push(tally);
        }
        if let Some(drift) = &mut self.drift {
            drift.add(self.hasher.hash(name.as_bytes()), row.flags);
        }
        if self.kind == Kind::TerraformPlan
            && matches!(row.action, Some(Action::Delete | Action::Forget))
        {
            let address = ObjectName::parse(name).address;
            self.leaving
                .insert(own, self.hasher.hash(address.as_bytes()));
        }
        let first = self.keys.push(row.key);
        let sibling = if self.kind.is_pulumi() {
            first
        } else {
            let address = ObjectName::parse(name).address;
            let hash = self.hasher.hash(address.as_bytes());
            self.addresses.push(hash)
        };
        if sibling != own {
            let pair = [ResourceId(sibling), ResourceId(own)];
            self.batch.siblings.push(pair);
        }
        if first != own && row.flags.contains(Flags::PENDING_OPERATION) && self.tallies.is_none() {
            self.batch.amendments.push(Amendment {
                resource: ResourceId(first),
                parent: None,
                flags: Flags::PENDING_OPERATION,
                action: None,
            });
        }
        self.integrity.add(own, row.span, row.flags);
        if row.flags.contains(Flags::PROVIDER) {
            let id = self.hasher.hash(id.as_bytes());
            self.integrity.add_provider(row.key, id);
        }
        let group = record.group.map_or(0, |group| group.0 + 1);
        self.module_of.push(group);
        self.n_records += 1;
    }

    /// The record of a row. Also notes whether it is the stack itself, and whether its parent is still missing.
    fn record(&mut self, worker: usize, own: u32, row: &Row) -> Record {
        let shape = self.shape(worker, row.shape);
        let parent = (row.parent != 0 && row.parent != row.key)
            .then(|| self.keys.first(row.parent))
            .flatten();
        if row.parent != 0 && parent.is_none() && row.parent != row.key {
            self.orphans.push((own, row.parent));
        }
        let prefix = match row.prefix {
            0 => self.prefix(&Arc::default()),
            number => self.workers[worker]
                .prefixes
                .get(number as usize - 1)
                .copied()
                .unwrap_or_default(),
        };
        let is_root =
            row.flags.contains(Flags::STACK) && !row.flags.contains(Flags::PENDING_DELETE);
        if is_root && self.root.is_none_or(|(root, _)| root <= own) {
            self.root = Some((own, row.span));
        }
        let numbers = &self.workers[worker];
        Record {
            span: row.span,
            flags: row.flags.with(Flags::SECRET, row.secrets > 0),
            prefix,
            group: numbers.groups.get(row.group as usize).copied().flatten(),
            parent: parent.map(ResourceId),
            provider: numbers
                .providers
                .get(row.provider as usize)
                .copied()
                .flatten(),
            shape,
            action: row.action,
        }
    }

    /// The contribution of a row to the counts; `index` is its place in its piece, `words` those of the rows of the piece.
    fn tally(&self, worker: usize, (index, row): (u32, &Row), words: &[Word]) -> Tally {
        // States count deposed objects beside the resources; plans and the show format count them among the resources.
        let deposed = match row.counted {
            Counted::Deposed => true,
            Counted::Resource => row.flags.contains(Flags::DEPOSED),
            Counted::No => false,
        };
        let place = |word: u32| self.workers[worker].words.get(word as usize).copied();
        let is_change = row.words != 0 && row.counted == Counted::Resource;
        let whole = is_change.then(|| place(row.words)).flatten();
        let start = words.partition_point(|(of, ..)| *of < index);
        let own = words[start..].iter().take_while(|(of, ..)| *of == index);
        let own = own.filter_map(|(_, word, times)| Some((place(*word)?, u64::from(*times))));
        Tally {
            resource: row.counted == Counted::Resource,
            deposed,
            secrets: row.secrets,
            words: whole.map(|word| (word, 1)).into_iter().chain(own).collect(),
        }
    }

    fn count(&mut self, tally: &Tally) {
        self.counts.resources += u64::from(tally.resource);
        self.counts.deposed += u64::from(tally.deposed);
        self.counts.secrets += u64::from(tally.secrets);
        for (word, times) in &tally.words {
            if let Some((_, count)) = self.counts.changes.get_mut(*word) {
                *count += times;
            }
        }
    }

    fn uncount(&mut self, tally: &Tally) {
        self.counts.resources -= u64::from(tally.resource);
        self.counts.deposed -= u64::from(tally.deposed);
        self.counts.secrets -= u64::from(tally.secrets);
        for (word, times) in &tally.words {
            if let Some((_, count)) = self.counts.changes.get_mut(*word) {
                *count -= times;
            }
        }
    }
}
