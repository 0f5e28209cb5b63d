//! The tree of property paths, as one worker sees it, and the shapes made of its nodes.
//!
//! A file has millions of properties and a few hundred different paths. Each path is a number; a resource's shape is the set of its
//! paths. Both are found again mostly by guessing right: the key that followed last time follows again.

use std::collections::HashMap;

use crate::stack::Section;

/// How many different keys a node may have; further ones fold into `*` (labels, annotations, data).
pub(crate) const MAX_CHILDREN: u32 = 1024;

/// How many paths there may be in all; beyond it everything new folds into `*`.
const MAX_PATHS: usize = 1 << 20;

/// How deep paths are followed.
const MAX_DEPTH: u16 = 256;

/// A path as its worker knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LocalPath {
    /// The path above, as a number of the worker.
    pub(crate) parent: u32,
    /// The key; `None` for all elements of an array, and for the fold.
    pub(crate) key: Option<Box<[u8]>>,
}

#[derive(Debug)]
struct Node {
    /// Where its key is in the arena; empty for `*`.
    key: (u32, u32),
    n_children: u32,
    depth: u16,
    /// `*` below this node, 0 if there is none yet.
    any: u32,
    /// The child that was asked for last.
    last: u32,
    /// The sibling that was asked for after this node.
    follower: u32,
    parent: u32,
    /// The shape that saw it last.
    seen: u32,
}

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct Trie {
    nodes: Vec<Node>,
    keys: Vec<u8>,
    index: HashMap<(u32, Box<[u8]>), u32>,
    fresh: Vec<LocalPath>,
    fresh_shapes: Vec<Box<[u32]>>,
    /// The paths of the resource at hand, in the order in which they were seen.
    shape: Vec<u32>,
    /// The number of that resource.
    stamp: u32,
    shapes: HashMap<Box<[u32]>, u32>,
}

impl Default for Trie {
    fn default() -> Self {
        let root = || Node {
            key: (0, 0),
            n_children: 0,
            depth: 0,
            any: 0,
            last: 0,
            follower: 0,
            parent: 0,
            seen: 0,
        };
        Self {
            // 0 is nothing, then the tops of the two sections.
            nodes: vec![root(), root(), root()],
            keys: Vec::new(),
            index: HashMap::new(),
            fresh: Vec::new(),
            fresh_shapes: Vec::new(),
            shape: Vec::new(),
            stamp: 1,
            shapes: HashMap::from([(Box::default(), 0)]),
        }
    }
}

impl Trie {
    /// How many numbers of paths are taken before the first path: nothing, and the tops.
    pub(crate) const FIRST: u32 = 3;

    /// The top of a section.
    pub(crate) fn root(section: Section) -> u32 {
        match section {
            Section::Inputs => 1,
            Section::Outputs => 2,
        }
    }

    /// The path one key below `parent`.
    pub(crate) fn child(&mut self, parent: u32, key: &[u8]) -> u32 {
        if self.nodes[parent as usize].depth >= MAX_DEPTH {
            return parent;
        }
        let last = self.nodes[parent as usize].last;
        if last != 0 {
            for guess in [self.nodes[last as usize].follower, last] {
                if guess != 0 && self.is(guess, key) {
                    self.nodes[last as usize].follower = guess;
                    self.nodes[parent as usize].last = guess;
                    return guess;
                }
            }
        }
        let child = self.look_up(parent, key);
        if last != 0 {
            self.nodes[last as usize].follower = child;
        }
        self.nodes[parent as usize].last = child;
        child
    }

    /// The path of all elements below `parent`.
    pub(crate) fn item(&mut self, parent: u32) -> u32 {
        let any = self.nodes[parent as usize].any;
        if any != 0 {
            return any;
        }
        let any = self.add(parent, None);
        self.nodes[parent as usize].any = any;
        any
    }

    /// Adds a path to the shape of the resource at hand.
    pub(crate) fn see(&mut self, path: u32) {
        let node = &mut self.nodes[path as usize];
        if node.seen != self.stamp {
            node.seen = self.stamp;
            self.shape.push(path);
        }
    }

    /// Whether the shape at hand has a path; the top of a section is always there.
    pub(crate) fn sees(&self, path: u32) -> bool {
        path < Self::FIRST || self.nodes[path as usize].seen == self.stamp
    }

    /// Adds a path and those above it.
    pub(crate) fn see_with_parents(&mut self, path: u32) {
        let mut at = path;
        while at >= Self::FIRST && self.nodes[at as usize].seen != self.stamp {
            self.see(at);
            at = self.nodes[at as usize].parent;
        }
    }

    /// How many paths the shape at hand has, to go back to.
    pub(crate) fn mark(&self) -> usize {
        self.shape.len()
    }

    /// Takes back what was seen since `mark`.
    pub(crate) fn back_to(&mut self, mark: usize) {
        for path in self.shape.drain(mark.min(self.shape.len())..) {
            self.nodes[path as usize].seen = 0;
        }
    }

    /// Takes all paths below `path` out of the shape.
    pub(crate) fn hide_below(&mut self, path: u32) {
        let mut shape = std::mem::take(&mut self.shape);
        shape.retain(|seen| {
            let hidden = *seen != path && self.is_below(*seen, path);
            if hidden {
                self.nodes[*seen as usize].seen = 0;
            }
            !hidden
        });
        self.shape = shape;
    }

    /// The number of the shape at hand; begins the next one.
    pub(crate) fn close_shape(&mut self) -> u32 {
        let number = if let Some(number) = self.shapes.get(&*self.shape) {
            *number
        } else {
            let number = u32::try_from(self.shapes.len()).unwrap_or(0);
            let shape: Box<[u32]> = self.shape.as_slice().into();
            self.fresh_shapes.push(shape.clone());
            self.shapes.insert(shape, number);
            number
        };
        self.clear_shape();
        number
    }

    /// Forgets the shape at hand.
    pub(crate) fn clear_shape(&mut self) {
        self.shape.clear();
        self.stamp = self.stamp.wrapping_add(1).max(1);
    }

    /// The paths that are new since the last call.
    pub(crate) fn take_fresh_paths(&mut self) -> Vec<LocalPath> {
        std::mem::take(&mut self.fresh)
    }

    /// The shapes that are new since the last call.
    pub(crate) fn take_fresh_shapes(&mut self) -> Vec<Box<[u32]>> {
        std::mem::take(&mut self.fresh_shapes)
    }

    fn is(&self, path: u32, key: &[u8]) -> bool {
        let (start, end) = self.nodes[path as usize].key;
        end > start && self.keys.get(start as usize..end as usize) == Some(key)
    }

    fn is_below(&self, mut path: u32, top: u32) -> bool {
        while path >= Self::FIRST {
            path = self.nodes[path as usize].parent;
            if path == top {
                return true;
            }
        }
        false
    }

    fn look_up(&mut self, parent: u32, key: &[u8]) -> u32 {
        if let Some(child) = self.index.get(&(parent, key.into())) {
            return *child;
        }
        let node = &self.nodes[parent as usize];
        if node.n_children >= MAX_CHILDREN
            || self.nodes.len() >= MAX_PATHS
            || node.depth >= MAX_DEPTH
        {
            return self.item(parent);
        }
        let child = self.add(parent, Some(key));
        self.nodes[parent as usize].n_children += 1;
        self.index.insert((parent, key.into()), child);
        child
    }

    fn add(&mut self, parent: u32, key: Option<&[u8]>) -> u32 {
        let depth = self.nodes[parent as usize].depth;
        if key.is_none() && (depth >= MAX_DEPTH || self.nodes.len() >= 2 * MAX_PATHS) {
            // Deeper than anybody looks: the path stands for all below it.
            return parent;
        }
        let start = self.keys.len();
        self.keys.extend_from_slice(key.unwrap_or_default());
        let range = |at: usize| u32::try_from(at).unwrap_or(0);
        let child = range(self.nodes.len());
        self.nodes.push(Node {
            key: (range(start), range(self.keys.len())),
            n_children: 0,
            depth: depth + 1,
            any: 0,
            last: 0,
            follower: 0,
            parent,
            seen: 0,
        });
        self.fresh.push(LocalPath {
            parent,
            key: key.map(Into::into),
        });
        child
    }
}
