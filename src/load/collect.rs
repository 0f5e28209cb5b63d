//! The collector: takes what workers found, in the order of the file, and makes batches for the stack of it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::format::sheet::{Counted, Findings, Hasher, Row};
use crate::format::trie::{LocalPath, MAX_CHILDREN, Trie};
use crate::graph::{Graph, Link};
use crate::path::Segment;
use crate::stack::{
    Amendment, Batch, Counts, Edge, EdgeKind, Flags, Group, GroupId, Note, PathId, PathNode,
    Prefix, PrefixId, ProviderId, Record, ResourceId, Section, Severity, Shape, ShapeId, Span,
};

/// How many links a graph may have; a state in which everything depends on everything is cut there.
const MAX_LINKS: usize = 30_000_000;

/// A path by what is above it, its section and its key.
type PathKey = (Option<PathId>, Section, Option<Arc<str>>);

/// What a worker's own numbers mean for the stack. Index 0 is the empty text.
struct Numbers {
    prefixes: Vec<PrefixId>,
    groups: Vec<Option<GroupId>>,
    providers: Vec<Option<ProviderId>>,
    words: Vec<usize>,
    paths: Vec<LocalPath>,
    path_ids: Vec<Option<PathId>>,
    local_shapes: Vec<Box<[u32]>>,
    shapes: Vec<Option<ShapeId>>,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            prefixes: Vec::new(),
            groups: vec![None],
            providers: vec![None],
            words: vec![0],
            paths: Vec::new(),
            path_ids: Vec::new(),
            local_shapes: vec![Box::default()],
            shapes: vec![None],
        }
    }
}

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

    /// Takes over what is new in a worker's tables.
    fn learn(&mut self, worker: usize, findings: &Findings) {
        let [prefixes, groups, providers, words] = &findings.fresh;
        for text in prefixes {
            let id = self.prefix(text);
            self.workers[worker].prefixes.push(id);
        }
        for text in groups {
            let id = self.group(text);
            self.workers[worker].groups.push(Some(id));
        }
        for text in providers {
            let next = ProviderId(number(self.providers.len()));
            let id = *self.providers.entry(text.clone()).or_insert(next);
            if id == next {
                self.batch.tables.providers.push(text.clone());
            }
            self.workers[worker].providers.push(Some(id));
        }
        for text in words {
            let changes = &mut self.counts.changes;
            let known = changes.iter().position(|(known, _)| **known == **text);
            let index = known.unwrap_or_else(|| {
                changes.push((text.to_string(), 0));
                changes.len() - 1
            });
            self.workers[worker].words.push(index);
        }
        let numbers = &mut self.workers[worker];
        numbers
            .path_ids
            .resize(numbers.path_ids.len() + findings.paths.len(), None);
        numbers.paths.extend(findings.paths.iter().cloned());
        numbers
            .shapes
            .resize(numbers.shapes.len() + findings.shapes.len(), None);
        numbers.local_shapes.extend(findings.shapes.iter().cloned());
    }

    fn prefix(&mut self, text: &Arc<str>) -> PrefixId {
        let next = PrefixId(number(self.prefixes.len()));
        let id = *self.prefixes.entry(text.clone()).or_insert(next);
        if id == next {
            if self.any_urn.is_none() && !text.is_empty() {
                self.any_urn = Some(format!("{text}::"));
            }
            let prefix = Prefix::new(text, self.is_terraform);
            self.batch.tables.prefixes.push(prefix);
        }
        id
    }

    /// The module of this address, with those around it.
    fn group(&mut self, path: &Arc<str>) -> GroupId {
        if let Some(id) = self.groups.get(path) {
            return *id;
        }
        let parent =
            crate::address::parent_module(path).map(|parent| self.group(&Arc::from(parent)));
        let id = GroupId(number(self.group_list.len()));
        self.groups.insert(path.clone(), id);
        self.group_list.push(path.clone());
        self.batch.tables.groups.push(Group {
            path: path.clone(),
            parent,
        });
        id
    }

    fn shape(&mut self, worker: usize, local: u32) -> ShapeId {
        let local = local as usize;
        if let Some(Some(id)) = self.workers[worker].shapes.get(local) {
            return *id;
        }
        let Some(paths) = self.workers[worker].local_shapes.get(local).cloned() else {
            return ShapeId(0);
        };
        let mut ids: Vec<PathId> = paths
            .iter()
            .filter_map(|path| self.path(worker, *path))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let next = ShapeId(number(self.shapes.len()));
        let key: Box<[PathId]> = ids.into();
        let id = *self.shapes.entry(key.clone()).or_insert(next);
        if id == next {
            self.batch.tables.shapes.push(Shape {
                paths: Arc::from(key),
            });
        }
        if let Some(slot) = self.workers[worker].shapes.get_mut(local) {
            *slot = Some(id);
        }
        id
    }

    /// The stack's number of a worker's path; `None` for the top of a section.
    fn path(&mut self, worker: usize, local: u32) -> Option<PathId> {
        // From the path up to one that is known, then down again: paths may be deep.
        let mut way = Vec::new();
        let mut at = local;
        while at >= Trie::FIRST {
            let index = (at - Trie::FIRST) as usize;
            if let Some(Some(_)) = self.workers[worker].path_ids.get(index) {
                break;
            }
            way.push(at);
            at = self.workers[worker].paths.get(index)?.parent;
        }
        let section = self.section(worker, local);
        let mut known = at
            .checked_sub(Trie::FIRST)
            .and_then(|index| self.workers[worker].path_ids[index as usize]);
        if known.is_none() && !way.is_empty() {
            // The top of a section is a node of its own: what lies right below it has a parent.
            known = Some(self.intern_path(None, section, None));
        }
        for local in way.into_iter().rev() {
            let index = (local - Trie::FIRST) as usize;
            let key = self.workers[worker].paths[index]
                .key
                .as_ref()
                .map(|key| Arc::from(String::from_utf8_lossy(key)));
            let id = self.intern_path(known, section, key);
            self.workers[worker].path_ids[index] = Some(id);
            known = Some(id);
        }
        known
    }

    fn section(&self, worker: usize, mut local: u32) -> Section {
        while local >= Trie::FIRST {
            local = self.workers[worker].paths[(local - Trie::FIRST) as usize].parent;
        }
        if local == 1 {
            Section::Inputs
        } else {
            Section::Outputs
        }
    }

    fn intern_path(
        &mut self,
        parent: Option<PathId>,
        section: Section,
        key: Option<Arc<str>>,
    ) -> PathId {
        let known = self.paths.get(&(parent, section, key.clone()));
        if let Some(id) = known {
            return *id;
        }
        // Two workers may know 1024 children each.
        let n_children = parent.map_or(0, |parent| {
            self.n_children.get(&parent).copied().unwrap_or(0)
        });
        if key.is_some() && n_children >= MAX_CHILDREN {
            return self.intern_path(parent, section, None);
        }
        let id = PathId(number(self.paths.len()));
        self.paths.insert((parent, section, key.clone()), id);
        if let Some(parent) = parent {
            *self.n_children.entry(parent).or_default() += 1;
        }
        self.batch.tables.paths.push(PathNode {
            parent,
            segment: key.map(Segment::Key),
            section,
        });
        id
    }

    /// Who depends on whom, and notes of what is missing.
    /// What the configuration says counts for every instance.
    pub(super) fn graph(&mut self, references: &[(Arc<str>, Vec<Edge>)]) -> (Graph, Vec<Note>) {
        self.add_references(references);
        let mut by_key: Vec<(u64, u32)> = self.keys.iter().copied().zip(0..).collect();
        by_key.sort_unstable();
        let mut links = Vec::with_capacity(self.edges.len());
        let mut notes = Vec::new();
        let mut reach = Reach::default();
        for (from, target, kind) in std::mem::take(&mut self.edges) {
            if links.len() >= MAX_LINKS {
                break;
            }
            let start = by_key.partition_point(|(key, _)| *key < target);
            let same_key = &by_key[start..];
            let link = |to| {
                (
                    ResourceId(from),
                    Link {
                        to: ResourceId(to),
                        kind,
                    },
                )
            };
            if self.is_terraform {
                let found = self.reached(&mut reach, from, target, same_key);
                links.extend(found.iter().map(|to| link(*to)));
            } else {
                let found = same_key.iter().take_while(|(key, _)| *key == target);
                links.extend(found.map(|(_, to)| link(*to)));
            }
        }
        if links.len() >= MAX_LINKS {
            notes.push(Note {
                severity: Severity::Warning,
                place: "dependencies".to_owned(),
                message: "too many dependencies to show them all".to_owned(),
                resource: None,
            });
        }
        (Graph::new(self.n_records as usize, links), notes)
    }

    fn add_references(&mut self, references: &[(Arc<str>, Vec<Edge>)]) {
        if references.is_empty() {
            return;
        }
        let by_key: HashMap<u64, &Vec<Edge>> = references
            .iter()
            .map(|(address, edges)| (self.hasher.hash(address.as_bytes()), edges))
            .collect();
        for (from, key) in (0..).zip(&self.keys) {
            for edge in by_key.get(key).into_iter().flat_map(|edges| edges.iter()) {
                let target = self.hasher.hash(edge.target.as_bytes());
                self.edges.push((from, target, edge.kind));
            }
        }
    }

    /// The instances that a dependency by configuration means: modules that both ends are in must be the same instances. What one
    /// resource of a module reaches, all of the module reach.
    fn reached<'r>(
        &self,
        reach: &'r mut Reach,
        from: u32,
        target: u64,
        same_key: &[(u64, u32)],
    ) -> &'r [u32] {
        let group = |id: u32| self.group_of.get(id as usize).copied().unwrap_or(0);
        let own = group(from);
        let Reach { known, agreeing } = reach;
        known.entry((own, target)).or_insert_with(|| {
            same_key
                .iter()
                .take_while(|(key, _)| *key == target)
                .map(|(_, id)| *id)
                .filter(|id| {
                    let other = group(*id);
                    *agreeing
                        .entry((own, other))
                        .or_insert_with(|| self.agree(own, other))
                })
                .collect()
        })
    }

    fn agree(&self, a: u32, b: u32) -> bool {
        let path = |group: u32| {
            let index = (group as usize).checked_sub(1);
            index.map_or("", |index| &*self.group_list[index])
        };
        a == b || crate::address::modules_agree(path(a), path(b))
    }
}

/// What was found out while dependencies are followed.
#[derive(Default)]
struct Reach {
    /// The resources that a module reaches under a key.
    known: HashMap<(u32, u64), Box<[u32]>>,
    /// Whether two modules may depend on each other.
    agreeing: HashMap<(u32, u32), bool>,
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
