//! The search index of a stack: data on names, types and property paths that is computed before a query comes.

use hashbrown::HashMap;

use super::word;
use crate::path::{Glob, Path, Segment};
use crate::stack::{PathId, PrefixId, ResourceId, Section, ShapeId, Stack};

/// The class of a resource that is never a hit. Drift in a plan is a second record of the same resource, and the first record
/// represents both.
pub(super) const ELSEWHERE: u32 = u32::MAX;

/// First letter of a name that is not all ASCII.
pub(super) const OTHER: u8 = u8::MAX;

/// The index of a stack: 14 bytes for each resource, and the text of each distinct property path.
#[derive(Clone, Debug)]
pub struct Index {
    stack: Stack,
    /// The letter mask of each name.
    pub(super) names: Vec<u64>,
    /// The length of each name in bytes, at most 255.
    pub(super) lens: Vec<u8>,
    /// The first letter of each name in lower case, 0 if it is empty, [`OTHER`] if the name is not all ASCII.
    pub(super) firsts: Vec<u8>,
    /// True if each resource starts in the file after the end of the one before it, so that none is inside another.
    pub(super) is_in_file_order: bool,
    /// Byte offset of the end of the last resource.
    end: u64,
    /// The class of each resource, or [`ELSEWHERE`].
    pub(super) class_of: Vec<u32>,
    /// The prefix and shape that the resources of a class share. There are few: a type mostly has one shape.
    pub(super) classes: Vec<(PrefixId, ShapeId)>,
    class_ids: HashMap<(PrefixId, ShapeId), u32>,
    /// The entries of property paths, by [`PathId`].
    pub(super) paths: Vec<PathEntry>,
    /// Number of resources with each shape.
    pub(super) shapes: Vec<u32>,
    /// Number of resources with each prefix.
    prefixes: Vec<u32>,
}

/// The index entry of a distinct property path.
#[derive(Clone, Debug)]
pub(super) struct PathEntry {
    pub(super) text: String,
    pub(super) mask: u64,
    /// Byte offset of the last key in the text; the length of the text if the last step is some element.
    pub(super) tail: usize,
}

impl Index {
    /// The index of `stack`, as far as it is loaded.
    pub fn new(stack: &Stack) -> Self {
        let mut index = Self {
            stack: stack.clone(),
            names: Vec::new(),
            lens: Vec::new(),
            firsts: Vec::new(),
            is_in_file_order: true,
            end: 0,
            class_of: Vec::new(),
            classes: Vec::new(),
            class_ids: HashMap::new(),
            paths: Vec::new(),
            shapes: Vec::new(),
            prefixes: Vec::new(),
        };
        index.extend(stack);
        index
    }

    /// Adds the resources and paths of `stack` that are not indexed yet. `stack` is a later state of the indexed one.
    pub fn extend(&mut self, stack: &Stack) {
        self.stack = stack.clone();
        let tables = &stack.tables;
        for node in &tables.paths[self.paths.len().min(tables.paths.len())..] {
            let entry = entry(
                node.parent
                    .map(|parent| &*self.paths[parent.0 as usize].text),
                node.segment.as_ref(),
            );
            self.paths.push(entry);
        }
        self.shapes.resize(tables.shapes.len(), 0);
        self.prefixes.resize(tables.prefixes.len(), 0);
        let n_new = stack.len().saturating_sub(self.names.len());
        self.names.reserve(n_new);
        self.lens.reserve(n_new);
        self.firsts.reserve(n_new);
        self.class_of.reserve(n_new);
        for id in stack.ids().skip(self.names.len()) {
            let name = stack.name(id);
            let letters = word::mask(name);
            self.names.push(letters);
            self.firsts.push(match name.bytes().next() {
                _ if !word::is_ascii(letters) => OTHER,
                Some(first) => first.to_ascii_lowercase(),
                None => 0,
            });
            self.lens.push(u8::try_from(name.len()).unwrap_or(u8::MAX));
            let record = stack.record(id);
            let shape = record.shape;
            self.is_in_file_order &= record.span.is_in_file() && record.span.offset >= self.end;
            self.end = record.span.offset + u64::from(record.span.len);
            let class = if record.flags.is_second_entry() {
                ELSEWHERE
            } else {
                self.class((record.prefix, shape))
            };
            self.class_of.push(class);
            if let Some(count) = self.shapes.get_mut(shape.0 as usize) {
                *count += 1;
            }
            if let Some(count) = self.prefixes.get_mut(record.prefix.0 as usize) {
                *count += 1;
            }
        }
    }

    fn class(&mut self, class: (PrefixId, ShapeId)) -> u32 {
        // Adjacent resources are often alike.
        if let Some(last) = self.class_of.last()
            && self.classes.get(*last as usize) == Some(&class)
        {
            return *last;
        }
        *self.class_ids.entry(class).or_insert_with(|| {
            self.classes.push(class);
            u32::try_from(self.classes.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// The stack that is indexed.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// Number of indexed resources.
    pub fn n_resources(&self) -> usize {
        self.names.len()
    }

    /// The text of a property path, with `[*]` for elements: `ingress[*].cidr`. "" for the top.
    pub fn path_text(&self, id: PathId) -> &str {
        &self.paths[id.0 as usize].text
    }

    /// The section of a property path.
    pub fn section(&self, id: PathId) -> Section {
        self.stack.tables.paths[id.0 as usize].section
    }

    /// The steps of a property path from the top. A step is `None` if it is any element of an array.
    pub(super) fn segments(&self, id: PathId) -> Vec<Option<&Segment>> {
        let nodes = &self.stack.tables.paths;
        let mut segments = Vec::new();
        let mut node = &nodes[id.0 as usize];
        while let Some(parent) = node.parent {
            segments.push(node.segment.as_ref());
            node = &nodes[parent.0 as usize];
        }
        segments.reverse();
        segments
    }

    /// For each property path, the state of `pattern` there: the result of [`Glob::advance`].
    pub(super) fn states(&self, pattern: &Glob) -> Vec<Vec<bool>> {
        let mut all: Vec<Vec<bool>> = Vec::with_capacity(self.paths.len());
        for node in &self.stack.tables.paths[..self.paths.len()] {
            let states = match node.parent {
                Some(parent) => pattern.advance(&all[parent.0 as usize], node.segment.as_ref()),
                None => pattern.start(),
            };
            all.push(states);
        }
        all
    }

    /// For each property path, two flags: true if `pattern` may fit it, and true if `pattern` may fit it or one above it.
    pub(super) fn fitting(&self, pattern: &Glob) -> (Vec<bool>, Vec<bool>) {
        let fits: Vec<bool> = self
            .states(pattern)
            .iter()
            .map(|states| states.last() == Some(&true))
            .collect();
        let mut covers = Vec::with_capacity(fits.len());
        for (node, fits) in self.stack.tables.paths.iter().zip(&fits) {
            let above = node.parent.is_some_and(|parent| covers[parent.0 as usize]);
            covers.push(*fits || above);
        }
        (fits, covers)
    }

    /// Every type with its number of resources.
    pub(super) fn types(&self) -> Vec<(&str, u64)> {
        let prefixes = self.stack.tables.prefixes.iter().zip(&self.prefixes);
        let mut types: HashMap<&str, u64> = HashMap::new();
        for (prefix, count) in prefixes {
            *types.entry(prefix.ty()).or_default() += u64::from(*count);
        }
        types.into_iter().collect()
    }

    /// The name of a resource, as hits mark it.
    pub(super) fn name(&self, id: ResourceId) -> &str {
        self.stack.name(id)
    }
}

fn entry(parent: Option<&str>, segment: Option<&Segment>) -> PathEntry {
    let Some(parent) = parent else {
        // The top of a section.
        return PathEntry {
            text: String::new(),
            mask: 0,
            tail: 0,
        };
    };
    let last = segment.map_or_else(
        || "[*]".to_owned(),
        |segment| Path(vec![segment.clone()]).to_string(),
    );
    let dot = if parent.is_empty() || last.starts_with('[') {
        ""
    } else {
        "."
    };
    let text = format!("{parent}{dot}{last}");
    PathEntry {
        mask: word::mask(&text),
        tail: if segment.is_some() {
            parent.len()
        } else {
            text.len()
        },
        text,
    }
}
