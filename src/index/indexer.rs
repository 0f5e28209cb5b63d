//! Indexers: each collects the findings of one worker in one piece of a file, before the contents of the earlier pieces are known.
//!
//! Texts that many resources share (prefixes of URNs, modules, providers, property paths) are numbered by each worker
//! separately. [`Indexer::take`] hands over the rows of a piece with the entries that are new since the last one. The loader
//! translates the numbers into those of the stack.

use std::sync::Arc;

use hashbrown::HashMap;

use super::hash::Hasher;
use super::objects::Object;
use super::trie::{Folds, LocalPath, Trie};
use super::walk::Frame;
use crate::stack::{Action, EdgeKind, Flags, Note, Section, Span};
use crate::terraform::address::LastModule;
use crate::value::{Payload, Value};

/// One resource as a worker sees it. Numbers refer to the worker's tables; 0 is the empty text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The span of its bytes.
    pub(crate) span: Span,
    /// Its yes-or-no facts.
    pub(crate) flags: Flags,
    /// The action that is planned for it.
    pub(crate) action: Option<Action>,
    /// The part of its URN before the name.
    pub(crate) prefix: u32,
    /// Its module.
    pub(crate) group: u32,
    pub(crate) provider: u32,
    /// Its property paths.
    pub(crate) shape: u32,
    /// The action in the words of the file, unless [`Findings::words`] has it.
    pub(crate) words: u32,
    /// The hash of the name that other resources refer to it by: the URN, or the address in its configuration.
    pub(crate) key: u64,
    /// The hash of the URN of its parent, 0 if it has none.
    pub(crate) parent: u64,
    /// Number of outermost secret values.
    pub(crate) secrets: u32,
    /// Its role in the counts.
    pub(crate) counted: Counted,
    /// See [`Draft::may_hide`].
    pub(crate) may_hide: bool,
    /// The end of its name, as an index in the texts.
    pub(crate) name_end: u32,
    /// The end of its id, as an index in the texts.
    pub(crate) id_end: u32,
}

/// The role of an element in the counts of a file's resources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counted {
    /// As a resource.
    Resource,
    /// As a deposed object beside the resources.
    Deposed,
    /// Not at all.
    No,
}

/// A resource that is about to be added to an [`Indexer`].
#[derive(Clone, Debug)]
pub(crate) struct Draft<'a> {
    /// The span of its bytes.
    pub(crate) span: Span,
    /// Its yes-or-no facts.
    pub(crate) flags: Flags,
    /// The action that is planned for it.
    pub(crate) action: Option<Action>,
    /// The part of its URN before the name; "" for an invalid URN.
    pub(crate) prefix: &'a str,
    /// The rest of its URN.
    pub(crate) name: &'a str,
    /// The provider's id.
    pub(crate) id: &'a str,
    /// Its module.
    pub(crate) group: &'a str,
    pub(crate) provider: &'a str,
    /// The URN of its parent.
    pub(crate) parent: &'a str,
    /// The name that other resources refer to it by.
    pub(crate) key: &'a str,
    /// The action in the words of the file.
    pub(crate) words: &'a str,
    /// Number of outermost secret values.
    pub(crate) secrets: u32,
    /// Its role in the counts.
    pub(crate) counted: Counted,
    /// True if the configuration of the plan, which comes later, may call something in it secret.
    pub(crate) may_hide: bool,
}

/// The rows of a piece and the new entries of the worker's tables.
#[derive(Default, Debug)]
pub(crate) struct Findings {
    /// The resources in the order of the file.
    pub(crate) rows: Vec<Row>,
    /// Names and ids, concatenated.
    pub(crate) texts: String,
    /// The hash of the bytes of each row, if digests are wanted.
    pub(crate) digests: Vec<u64>,
    /// For a row, the hash of a resource that it needs, and the kind of the need.
    pub(crate) edges: Vec<(u32, u64, EdgeKind)>,
    /// The entries of the prior state of a plan: the hash of the address of a resource, and its bytes.
    pub(crate) prior: Vec<(u64, Span)>,
    /// For a row, the hash of the resource that one of its values refers to.
    pub(crate) references: Vec<(u32, u64)>,
    /// The rows that break a rule on their own data.
    pub(crate) odd: Vec<u32>,
    /// For a row, a step of its change in the words of the file, and the number of times that it is done.
    pub(crate) words: Vec<(u32, u32, u32)>,
    /// For a row, the object that its step works on, in files where several rows may be one change.
    pub(crate) objects: Vec<(u32, Object)>,
    /// Messages for the user, with the row where the message is about one.
    pub(crate) notes: Vec<(Option<u32>, Note)>,
    /// New prefixes, groups, providers, words.
    pub(crate) fresh: [Vec<Arc<str>>; 4],
    /// New property paths.
    pub(crate) paths: Vec<LocalPath>,
    /// New shapes.
    pub(crate) shapes: Vec<Box<[u32]>>,
}

impl Findings {
    /// The rows, each with its number, its name and its id.
    pub(crate) fn named_rows(&self) -> impl Iterator<Item = (u32, &Row, &str, &str)> {
        let mut start = 0_usize;
        (0..).zip(&self.rows).map(move |(number, row)| {
            let (name_end, id_end) = (row.name_end as usize, row.id_end as usize);
            let name = self.texts.get(start..name_end).unwrap_or_default();
            let id = self.texts.get(name_end..id_end).unwrap_or_default();
            start = id_end;
            (number, row, name, id)
        })
    }
}

/// A table of texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Names {
    /// Prefixes of URNs.
    Prefixes,
    /// Modules.
    Groups,
    Providers,
    /// Changes in the words of the file.
    Words,
}

/// The rows and names that one worker has collected since the last [`take`](Self::take).
pub(crate) struct Indexer {
    names: [HashMap<Arc<str>, u32>; 4],
    trie: Trie,
    hasher: Hasher,
    /// The frames around the value that is being walked. Empty between walks, and lent to each walk.
    pub(crate) frames: Vec<Frame>,
    /// The module of the last resource, in formats with addresses.
    pub(crate) last_module: LastModule,
    found: Findings,
    /// Lengths of the findings of complete rows; later entries belong to the next row.
    whole: Marks,
}

/// Lengths of the lists of findings that grow before their row is added.
#[derive(Clone, Copy, Default, Debug)]
struct Marks {
    edges: usize,
    references: usize,
    odd: usize,
    words: usize,
    objects: usize,
}

impl Marks {
    fn of(findings: &Findings) -> Self {
        Self {
            edges: findings.edges.len(),
            references: findings.references.len(),
            odd: findings.odd.len(),
            words: findings.words.len(),
            objects: findings.objects.len(),
        }
    }
}

impl Indexer {
    /// An empty indexer that hashes with `hasher` and folds the paths that `folds` reports.
    pub(crate) fn new(hasher: Hasher, folds: Arc<Folds>) -> Self {
        Self {
            names: Default::default(),
            trie: Trie::new(hasher, folds),
            hasher,
            frames: Vec::new(),
            last_module: LastModule::default(),
            found: Findings::default(),
            whole: Marks::default(),
        }
    }

    /// Takes the findings since the last call.
    pub(crate) fn take(&mut self) -> Findings {
        self.found.paths = self.trie.take_fresh_paths();
        self.found.shapes = self.trie.take_fresh_shapes();
        self.whole = Marks::default();
        // The next piece is likely to hold about as much.
        let next = Findings {
            rows: Vec::with_capacity(self.found.rows.len()),
            texts: String::with_capacity(self.found.texts.len()),
            edges: Vec::with_capacity(self.found.edges.len()),
            ..Findings::default()
        };
        std::mem::replace(&mut self.found, next)
    }

    /// Adds an edge of the next resource.
    pub(crate) fn edge(&mut self, target: &str, kind: EdgeKind) {
        let row = self.next_row();
        self.found
            .edges
            .push((row, self.hasher.hash(target.as_bytes()), kind));
    }

    /// Adds the bytes of a resource, which has a row elsewhere, before the change.
    pub(crate) fn prior(&mut self, address: &str, span: Span) {
        let hash = self.hash(address);
        self.found.prior.push((hash, span));
    }

    /// Adds a reference among the values of the next resource.
    pub(crate) fn reference(&mut self, target: &str) {
        let hash = self.hasher.hash(target.as_bytes());
        self.found.references.push((self.next_row(), hash));
    }

    /// Marks the next row as odd.
    pub(crate) fn odd(&mut self) {
        self.found.odd.push(self.next_row());
    }

    /// Adds a step of the change of the next resource, in the words of the file.
    pub(crate) fn word(&mut self, word: &str, times: u32) {
        let number = self.name(Names::Words, word);
        if times > 0 && number > 0 {
            self.found.words.push((self.next_row(), number, times));
        }
    }

    /// True if the steps of the next resource are listed one by one.
    pub(crate) fn has_words(&self) -> bool {
        self.found.words.len() > self.whole.words
    }

    /// Sets the object that the step of the next resource works on.
    pub(crate) fn object(&mut self, urn: &str, id: &str, is_copy: bool) {
        let object = Object {
            urn: self.hash(urn),
            id: (!id.is_empty()).then(|| self.hash(id)),
            is_copy,
        };
        self.found.objects.push((self.next_row(), object));
    }

    fn next_row(&self) -> u32 {
        u32::try_from(self.found.rows.len()).unwrap_or(u32::MAX)
    }

    /// The property paths of the next resource.
    pub(crate) fn trie(&mut self) -> &mut Trie {
        &mut self.trie
    }

    /// Closes the shape of the paths given so far and returns its number, for a resource that is pushed later.
    pub(crate) fn close_shape(&mut self) -> u32 {
        self.trie.close_shape()
    }

    /// The hash of a name, for an edge that is added later.
    pub(crate) fn hash(&self, name: &str) -> u64 {
        self.hasher.hash(name.as_bytes())
    }

    /// The hash of a key.
    pub(crate) fn hash_of(&self, key: &[u8]) -> u64 {
        self.hasher.hash(key)
    }

    /// Adds an edge of the next resource, to the resource with this hash.
    pub(crate) fn edge_to(&mut self, target: u64, kind: EdgeKind) {
        self.found.edges.push((self.next_row(), target, kind));
    }

    /// Adds a resource with the edges and paths given before it.
    pub(crate) fn push(&mut self, draft: &Draft<'_>) {
        let shape = self.trie.close_shape();
        self.push_shaped(draft, shape);
    }

    /// Adds a resource whose shape was closed before.
    pub(crate) fn push_shaped(&mut self, draft: &Draft<'_>, shape: u32) {
        let parent = if draft.parent.is_empty() {
            0
        } else {
            self.hasher.hash(draft.parent.as_bytes())
        };
        self.found.texts.push_str(draft.name);
        let name_end = length(&self.found.texts);
        self.found.texts.push_str(draft.id);
        let id_end = length(&self.found.texts);
        let row = Row {
            span: draft.span,
            flags: draft.flags,
            action: draft.action,
            prefix: self.name(Names::Prefixes, draft.prefix),
            group: self.name(Names::Groups, draft.group),
            provider: self.name(Names::Providers, draft.provider),
            shape,
            words: self.name(Names::Words, draft.words),
            key: self.hasher.hash(draft.key.as_bytes()),
            parent,
            secrets: draft.secrets,
            counted: draft.counted,
            may_hide: draft.may_hide,
            name_end,
            id_end,
        };
        self.found.rows.push(row);
        self.whole = Marks::of(&self.found);
    }

    /// Forgets the edges and paths of a resource that was given up.
    pub(crate) fn abandon(&mut self) {
        self.found.edges.truncate(self.whole.edges);
        self.found.references.truncate(self.whole.references);
        self.found.odd.truncate(self.whole.odd);
        self.found.words.truncate(self.whole.words);
        self.found.objects.truncate(self.whole.objects);
        self.trie.clear_shape();
    }

    /// Adds a note; `about_next` if it is about the next resource.
    pub(crate) fn note(&mut self, note: Note, about_next: bool) {
        let row = about_next.then(|| self.next_row());
        self.found.notes.push((row, note));
    }

    /// Adds the paths of a set of properties to the next resource.
    pub(crate) fn properties(&mut self, section: Section, properties: &Value) {
        if properties.is_secret() {
            return;
        }
        let root = Trie::root(section);
        self.paths_below(root, properties);
    }

    pub(crate) fn paths_below(&mut self, node: u32, value: &Value) {
        match value.payload() {
            Payload::Map(map) => {
                for (key, value) in map {
                    let child = self.trie.child(node, key.as_bytes());
                    self.trie.see(child);
                    if !value.is_secret() {
                        self.paths_below(child, value);
                    }
                }
            }
            Payload::Array(items) => {
                for value in items {
                    let child = self.trie.item(node);
                    self.trie.see(child);
                    if !value.is_secret() {
                        self.paths_below(child, value);
                    }
                }
            }
            _ => {}
        }
    }

    fn name(&mut self, table: Names, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let names = &mut self.names[table as usize];
        if let Some(number) = names.get(text) {
            return *number;
        }
        let number = u32::try_from(names.len() + 1).unwrap_or(0);
        let text: Arc<str> = text.into();
        names.insert(text.clone(), number);
        self.found.fresh[table as usize].push(text);
        number
    }
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}
