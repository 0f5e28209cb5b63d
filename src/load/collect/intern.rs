//! Assigns one number to each text, path and shape of the file, for all workers.

use std::sync::Arc;

use super::Collector;
use crate::index::indexer::Findings;
use crate::index::trie::{LocalPath, MAX_CHILDREN, MAX_PATHS, Trie};
use crate::path::Segment;
use crate::stack::{
    Group, GroupId, PathId, PathNode, Prefix, PrefixId, ProviderId, Section, ShapeId,
};

/// Maximum depth of modules that are followed: the address of each is kept, and it contains those of the modules around it.
pub(super) const MAX_MODULES: usize = 100;

/// A path by its parent, its section and its key.
pub(super) type PathKey = (Option<PathId>, Section, Option<Arc<str>>);

/// The stack's numbers for a worker's numbers. Index 0 is the empty text.
pub(super) struct Numbers {
    pub(super) prefixes: Vec<PrefixId>,
    pub(super) groups: Vec<Option<GroupId>>,
    pub(super) providers: Vec<Option<ProviderId>>,
    pub(super) words: Vec<usize>,
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

impl Collector {
    /// Takes over the new entries of a worker's tables.
    pub(super) fn learn(&mut self, worker: usize, findings: &mut Findings) {
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
            self.has_opentofu |= crate::format::is_of_opentofu(text);
            let next = ProviderId(number(self.providers.len()));
            let id = *self.providers.entry(text.clone()).or_insert(next);
            if id == next {
                self.batch.tables.providers.push(text.clone());
            }
            self.workers[worker].providers.push(Some(id));
        }
        for text in words {
            let changes = &mut self.counts.changes;
            let index = *self.words.entry(text.clone()).or_insert_with(|| {
                changes.push((text.to_string(), 0));
                changes.len() - 1
            });
            self.workers[worker].words.push(index);
        }
        let numbers = &mut self.workers[worker];
        numbers
            .path_ids
            .resize(numbers.path_ids.len() + findings.paths.len(), None);
        numbers.paths.append(&mut findings.paths);
        numbers
            .shapes
            .resize(numbers.shapes.len() + findings.shapes.len(), None);
        numbers.local_shapes.append(&mut findings.shapes);
    }

    pub(super) fn prefix(&mut self, text: &Arc<str>) -> PrefixId {
        let next = PrefixId(number(self.prefixes.len()));
        let id = *self.prefixes.entry(text.clone()).or_insert(next);
        if id == next {
            if self.any_urn.is_none() && !text.is_empty() {
                self.any_urn = Some(format!("{text}::"));
            }
            let prefix = Prefix::new(text, !self.kind.is_pulumi());
            self.batch.tables.prefixes.push(prefix);
        }
        id
    }

    /// The module of this address, with the modules around it. If it nests deeper than [`MAX_MODULES`], the outermost ones.
    fn group(&mut self, path: &Arc<str>) -> GroupId {
        let bounded = crate::terraform::address::outer_modules(path, MAX_MODULES);
        self.has_deep_modules |= bounded.len() < path.len();
        // From the module outwards to a known one, then inwards again: modules may be nested deeply.
        let mut way = Vec::new();
        let mut known = None;
        let mut at = Some(bounded);
        while let Some(path) = at {
            known = self.modules.find(path);
            if known.is_some() {
                break;
            }
            way.push(Arc::<str>::from(path));
            at = crate::terraform::address::parent_module(path);
        }
        for path in way.into_iter().rev() {
            let parent = known;
            known = Some(self.modules.add(&path, parent));
            self.batch.tables.groups.push(Group { path, parent });
        }
        known.expect("the module itself was added if it was not known")
    }

    pub(super) fn shape(&mut self, worker: usize, local: u32) -> ShapeId {
        let local = local as usize;
        if let Some(Some(id)) = self.workers[worker].shapes.get(local) {
            return *id;
        }
        let Some(paths) = self.workers[worker].local_shapes.get_mut(local) else {
            return ShapeId(0);
        };
        // From now on its number is enough.
        let paths = std::mem::take(paths);
        let mut ids: Vec<PathId> = Vec::with_capacity(paths.len());
        let mut hash = 0_u64;
        self.n_asked = self.n_asked.wrapping_add(1).max(1);
        for path in &paths {
            let index = path.wrapping_sub(Trie::FIRST) as usize;
            let known = self.workers[worker].path_ids.get(index);
            let Some(id) = known
                .copied()
                .flatten()
                .or_else(|| self.path(worker, *path))
            else {
                continue;
            };
            // Several paths of a worker may have been folded into one.
            let asked = &mut self.asked[id.0 as usize];
            if *asked != self.n_asked {
                *asked = self.n_asked;
                hash = hash.wrapping_add(self.hasher.hash_number(id.0));
                ids.push(id);
            }
        }
        let next = ShapeId(number(self.shapes.len()));
        let id = *self.shapes.entry(hash).or_insert(next);
        if id == next {
            ids.sort_unstable();
            self.batch.tables.shapes.push(&ids);
        }
        if let Some(slot) = self.workers[worker].shapes.get_mut(local) {
            *slot = Some(id);
        }
        id
    }

    /// The stack's number for a worker's path; `None` for the top of a section.
    fn path(&mut self, worker: usize, local: u32) -> Option<PathId> {
        let index = local.checked_sub(Trie::FIRST)?;
        let known = self.workers[worker].path_ids.get(index as usize);
        if let Some(Some(id)) = known {
            return Some(*id);
        }
        // From the path up to a known one, then down again: paths may be deep.
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
            // The top of a section is a separate node: its children have a parent.
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
        // Workers know more paths than a stack keeps.
        let has_all = parent
            .and_then(|parent| self.children.get(&parent))
            .is_some_and(|children| children.len() >= MAX_CHILDREN as usize);
        if key.is_some() && (has_all || self.paths.len() >= MAX_PATHS) {
            return self.intern_path(parent, section, None);
        }
        let id = PathId(number(self.paths.len()));
        self.paths.insert((parent, section, key.clone()), id);
        self.asked.push(0);
        let hash = match parent {
            None => self.hasher.hash_number(Trie::root(section)),
            Some(parent) => {
                let above = self.path_hashes[parent.0 as usize];
                let bytes = key.as_ref().map(|key| key.as_bytes());
                let hash = self.hasher.hash_below(above, bytes);
                if bytes.is_some() {
                    let children = self.children.entry(parent).or_default();
                    children.push(hash);
                    if children.len() == MAX_CHILDREN as usize {
                        self.folds.tell(above, children.iter().copied().collect());
                    }
                }
                hash
            }
        };
        self.path_hashes.push(hash);
        self.batch.tables.paths.push(PathNode {
            parent,
            segment: key.map(Segment::Key),
            section,
        });
        id
    }
}

pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
