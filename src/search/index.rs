//! The search index of a stack: data on names, types and property paths that is computed before a query comes.

use hashbrown::HashMap;

use super::word;
use super::{FIELDS, Query, TermKind};
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
    shapes: Vec<u32>,
}

/// The index entry of a distinct property path.
#[derive(Clone, Debug)]
pub(super) struct PathEntry {
    pub(super) text: String,
    pub(super) mask: u64,
    /// Byte offset of the last key in the text; the length of the text if the last step is some element.
    pub(super) tail: usize,
}

/// A possible next key, for completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// Text that replaces the range given by [`Index::complete`] in the query.
    pub text: String,
    /// Number of resources that have the key.
    pub n_resources: u64,
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
    fn states(&self, pattern: &Glob) -> Vec<Vec<bool>> {
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

    /// Number of the first steps of `pattern` that lead to some property, and number of resources that have it.
    pub fn longest_prefix(&self, pattern: &Glob) -> (usize, u64) {
        let states = self.states(pattern);
        (1..=pattern.0.len())
            .rev()
            .map(|done| {
                let reached: Vec<bool> = states.iter().map(|states| states[done]).collect();
                (done, self.count(&reached))
            })
            .find(|(_, count)| *count > 0)
            .unwrap_or((0, self.names.len() as u64))
    }

    /// Number of resources with one of the property paths that are set.
    fn count(&self, paths: &[bool]) -> u64 {
        self.shapes
            .iter()
            .zip(self.stack.tables.shapes.iter())
            .filter(|(_, shape)| {
                let mut of_shape = shape.clone();
                of_shape.any(|path| paths.get(path.0 as usize) == Some(&true))
            })
            .map(|(count, _)| u64::from(*count))
            .sum()
    }

    /// Completions for the end of `text` up to byte `cursor`: keys for a property pattern, most frequent first, else the fields
    /// whose names start with the text. The range is the bytes that they replace.
    pub fn complete(&self, text: &str, cursor: usize) -> (std::ops::Range<usize>, Vec<Completion>) {
        let head = text.get(..cursor).unwrap_or(text);
        let ends = |char: char| char.is_whitespace() || char == '|';
        let term = head.rfind(ends).map_or(0, |blank| blank + 1);
        let word = &head[term..];
        let bare = word.trim_start_matches('!');
        let is_path = bare.starts_with(['@', '.', '[', '*']) || bare.starts_with("root.") || {
            matches!(
                Query::parse(word).ok().and_then(|query| query.terms().next().cloned()),
                Some(term) if matches!(term.kind, TermKind::Pattern { .. })
            )
        };
        if !is_path {
            let start = term + word.len() - bare.len();
            let fields = FIELDS.iter().map(|field| format!("{}:", field.name));
            let fields = fields
                .filter(|text| text.starts_with(bare))
                .map(|text| Completion {
                    text,
                    n_resources: 0,
                })
                .collect();
            return (start..head.len(), fields);
        }
        let cut = bare
            .rfind(['.', '[', '@'])
            .map_or(0, |at| at + usize::from(!bare[at..].starts_with('[')));
        let (above, partial) = bare.split_at(cut);
        let above = above.trim_start_matches('@').trim_start_matches('.');
        let pattern = Glob::parse_tolerant(above.strip_suffix('.').unwrap_or(above));
        let range = head.len() - partial.len()..head.len();
        let Ok(pattern) = pattern else {
            return (range, Vec::new());
        };
        (range, self.keys_below(&pattern, partial))
    }

    /// The keys starting with `partial` in the properties that `pattern` fits.
    fn keys_below(&self, pattern: &Glob, partial: &str) -> Vec<Completion> {
        let (fits, _) = self.fitting(pattern);
        let mut found: Vec<(String, Vec<bool>)> = Vec::new();
        for (index, node) in self.stack.tables.paths[..self.paths.len()]
            .iter()
            .enumerate()
        {
            let Some(parent) = node.parent.filter(|parent| fits[parent.0 as usize]) else {
                continue;
            };
            let above = &self.paths[parent.0 as usize].text;
            let text = &self.paths[index].text[above.len()..];
            let text = text.strip_prefix('.').unwrap_or(text);
            if !text.starts_with(partial) {
                continue;
            }
            let position = found
                .iter()
                .position(|(other, _)| other == text)
                .unwrap_or_else(|| {
                    found.push((text.to_owned(), vec![false; self.paths.len()]));
                    found.len() - 1
                });
            found[position].1[index] = true;
            // A map of labels may have a thousand keys; this is enough to choose from.
            if found.len() >= 100 {
                break;
            }
        }
        let mut completions: Vec<_> = found
            .into_iter()
            .map(|(text, paths)| Completion {
                n_resources: self.count(&paths),
                text,
            })
            .collect();
        completions.sort_by(|one, other| {
            other
                .n_resources
                .cmp(&one.n_resources)
                .then_with(|| one.text.cmp(&other.text))
        });
        completions
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
