//! Masks: walks over the part of a file that marks values as unknown or sensitive.
//!
//! # Law
//!
//! A mask hides what [`crate::change::masks`] folds into the values, or the walk gives up. The tests `the_fast_index_…` of the
//! formats compare the two. With masks built as values first, loading takes 59 % more processor time for a plan and 44 % more
//! for `show -json`.

use super::{Container, Frame, N_CONTAINERS, Odd, Seen};
use crate::index::indexer::Indexer;
use crate::index::repeats;
use crate::index::trie::Trie;
use crate::json::tape::{Cursor, Met, Where};
use crate::json::{MAX_DEPTH, Str};
use crate::stack::Section;

/// The entry of a mask for a place.
enum Says {
    /// It marks it.
    Marked {
        /// True if the place is in an array.
        in_array: bool,
    },
    /// Null: it says nothing about the place.
    Null,
    /// It has this array or map there.
    Container(Container),
}

/// Walks the next mask and calls `say` with each path and its entry. If the mask marks all, the path is that of the top.
fn mask(
    cursor: &mut Cursor<'_>,
    indexer: &mut Indexer,
    say: &mut dyn FnMut(&mut Indexer, u32, Says) -> Result<(), Odd>,
) -> Result<(), Odd> {
    let mut open = std::mem::take(&mut indexer.frames);
    let outcome = mask_in(cursor, indexer, &mut open, say);
    open.clear();
    indexer.frames = open;
    outcome
}

/// Like [`mask`], with a buffer: `open` is empty before, and has no meaningful contents after.
fn mask_in(
    cursor: &mut Cursor<'_>,
    indexer: &mut Indexer,
    open: &mut Vec<Frame>,
    say: &mut dyn FnMut(&mut Indexer, u32, Says) -> Result<(), Odd>,
) -> Result<(), Odd> {
    let mut path = Trie::root(Section::Outputs);
    let top = cursor.start();
    let mut given = Given::default();
    loop {
        let start = cursor.start();
        match cursor.value()? {
            Met::Map | Met::Array if open.len() >= MAX_DEPTH => return Err(Odd),
            met @ (Met::Map | Met::Array) => {
                let mut frame = Frame::new(path, start, met == Met::Map);
                frame.indexes = open.last().map_or(0, Frame::indexes_below);
                open.push(frame);
            }
            Met::Bool(true) => {
                let in_array = open.iter().any(|frame| !frame.is_map);
                say(indexer, path, Says::Marked { in_array })?;
            }
            Met::Bool(false) => {}
            Met::Null => say(indexer, path, Says::Null)?,
            Met::Number | Met::String(_) => return Err(Odd),
        }
        path = loop {
            let Some(frame) = open.last_mut() else {
                if !given.is_known && repeats::any_below(cursor.text(), top)? {
                    return Err(Odd);
                }
                return Ok(());
            };
            let place = std::mem::replace(&mut frame.place, Where::Later);
            if !frame.is_map {
                if cursor.item(place)? {
                    frame.n_entries += 1;
                    break indexer.trie().item(frame.node);
                }
            } else if let Some(raw) = cursor.key(place)? {
                frame.n_entries += 1;
                let key = Str::of_raw(raw).decode();
                let trie = indexer.trie();
                let child = trie.child(frame.node, &key);
                if given.repeats(frame.start, child, trie.is_any(child)) {
                    return Err(Odd);
                }
                break child;
            }
            let container = Container {
                node: frame.node,
                place: frame.indexes,
                n_items: (!frame.is_map).then_some(frame.n_entries),
                is_empty: frame.n_entries == 0,
            };
            say(indexer, container.node, Says::Container(container))?;
            open.pop();
        };
    }
}

/// Number of keys of a mask that are remembered one by one.
const N_GIVEN: usize = 32;

/// The keys that the maps of a mask gave.
struct Given {
    /// The start of the map, and the path of the key.
    keys: [(usize, u32); N_GIVEN],
    n_keys: usize,
    /// True if all keys were remembered.
    is_known: bool,
}

impl Default for Given {
    fn default() -> Self {
        Self {
            keys: [(0, 0); N_GIVEN],
            n_keys: 0,
            is_known: true,
        }
    }
}

impl Given {
    /// Takes the path of a key of the map that begins at `start`. True if it is known to have come before. A path that
    /// represents `many` keys cannot show that.
    fn repeats(&mut self, start: usize, path: u32, many: bool) -> bool {
        let key = (start, path);
        match self.keys.get_mut(self.n_keys) {
            Some(slot) if !many => *slot = key,
            _ => {
                self.is_known = false;
                return false;
            }
        }
        self.n_keys += 1;
        self.keys[..self.n_keys - 1].contains(&key)
    }
}

/// Finds containers that are mostly asked for in their order: a mask has the order of its properties.
struct Lookup<'c> {
    all: &'c [Container],
    /// The index after the one that was found last.
    next: usize,
    /// All, sorted by path and place; empty if there are few, or as long as they are asked for in their order.
    sorted: Vec<Container>,
}

impl<'c> Lookup<'c> {
    /// Number of containers that are looked at one by one.
    const FEW: usize = 32;

    fn of(all: &'c [Container]) -> Self {
        Self {
            all,
            next: 0,
            sorted: Vec::new(),
        }
    }

    /// The container of this path, at this place.
    fn find(&mut self, node: u32, place: u64) -> Option<Container> {
        let is_wanted = |it: &Container| it.node == node && it.place == place;
        let ahead = &self.all[self.next..];
        let ahead = &ahead[..ahead.len().min(Self::FEW)];
        if let Some(index) = ahead.iter().position(is_wanted) {
            self.next += index + 1;
            return Some(ahead[index]);
        }
        if self.all.len() <= Self::FEW {
            return self.all[..self.next].iter().copied().find(is_wanted);
        }
        let key = |container: &Container| (container.node, container.place);
        if self.sorted.is_empty() {
            self.sorted = self.all.to_vec();
            self.sorted.sort_unstable_by_key(key);
        }
        let found = self.sorted.binary_search_by_key(&(node, place), key);
        found.ok().map(|index| self.sorted[index])
    }
}

/// The places of the current properties that masks hide.
#[derive(Default, Debug)]
pub(crate) struct Hidden {
    /// The path of each place that is marked.
    paths: Vec<u32>,
    /// The arrays and maps of the mask, in the order in which they end.
    containers: Vec<Container>,
}

impl Hidden {
    /// Walks a mask of sensitive places. A mask that marks something in an array is odd: a place that is marked in one element
    /// need not be marked in the other elements, whose paths are the same.
    pub(crate) fn read(
        &mut self,
        cursor: &mut Cursor<'_>,
        indexer: &mut Indexer,
    ) -> Result<(), Odd> {
        let top = Trie::root(Section::Outputs);
        mask(cursor, indexer, &mut |indexer, path, says| {
            match says {
                Says::Marked { in_array: false } if !indexer.trie().is_any(path) => self.add(path),
                Says::Null if path == top => {}
                Says::Marked { .. } | Says::Null => return Err(Odd),
                Says::Container(container) => {
                    if self.containers.is_empty() {
                        self.containers.reserve(N_CONTAINERS);
                    }
                    self.containers.push(container);
                }
            }
            Ok(())
        })
    }

    /// Checks that the mask has the shape of its properties, or is empty where these have nothing yet.
    pub(crate) fn fits(
        &self,
        seen: &Seen<'_>,
        unknown: &Unknown,
        indexer: &mut Indexer,
    ) -> Result<(), Odd> {
        let top = Trie::root(Section::Outputs);
        let mut lookup = Lookup::of(&seen.containers);
        for own in &self.containers {
            if own.node == top {
                if own.n_items.is_some() {
                    return Err(Odd);
                }
                continue;
            }
            let fits = if let Some(found) = lookup.find(own.node, own.place) {
                found.n_items == own.n_items
            } else {
                let is_nothing = unknown.has(own.node) || !indexer.trie().sees(own.node);
                own.is_empty && own.place == 0 && is_nothing
            };
            if !fits {
                return Err(Odd);
            }
        }
        Ok(())
    }

    /// Checks that the containers of each marked place are maps on both sides of a change, if there are two. A value of another
    /// kind is hidden as a whole. Both sides were [found to fit](Self::fits).
    pub(crate) fn lies_in_maps(
        &self,
        sides: [&Seen<'_>; 2],
        indexer: &mut Indexer,
    ) -> Result<(), Odd> {
        if !sides.iter().all(|side| side.is_there) {
            return Ok(());
        }
        let mut sides = sides.map(|side| Lookup::of(&side.containers));
        let is_map = |side: &mut Lookup<'_>, path: u32| {
            let found = side.find(path, 0);
            found.is_some_and(|container| container.n_items.is_none())
        };
        let trie = indexer.trie();
        for path in &self.paths {
            let mut around = trie.parent(*path);
            while around >= Trie::FIRST {
                if !sides.iter_mut().all(|side| is_map(side, around)) {
                    return Err(Odd);
                }
                around = trie.parent(around);
            }
        }
        Ok(())
    }

    /// True if it hides anything.
    pub(crate) fn is_any(&self) -> bool {
        !self.paths.is_empty()
    }

    /// Hides everything below `path`.
    fn add(&mut self, path: u32) {
        self.paths.push(path);
    }

    /// Hides everything that `other` hides.
    pub(crate) fn join(&mut self, other: Self) {
        self.paths.extend(other.paths);
    }

    /// Number of marked places that the value has, without those inside other marked places. A mask may mark more than the
    /// value has.
    pub(crate) fn count(&mut self, indexer: &mut Indexer) -> u32 {
        self.paths.sort_unstable();
        self.paths.dedup();
        let trie = indexer.trie();
        let is_outermost = |path: u32| {
            let mut above = trie.parent(path);
            while above != 0 && self.paths.binary_search(&above).is_err() {
                above = trie.parent(above);
            }
            above == 0
        };
        let counted = self.paths.iter();
        let counted = counted.filter(|path| trie.sees(**path) && is_outermost(**path));
        u32::try_from(counted.count()).unwrap_or(u32::MAX)
    }

    /// Takes everything below the marked places out of the shape. True if the property `id` is hidden.
    pub(crate) fn apply(&mut self, indexer: &mut Indexer) -> bool {
        if self.paths.is_empty() {
            return false;
        }
        self.paths.sort_unstable();
        self.paths.dedup();
        let top = Trie::root(Section::Outputs);
        let id = indexer.trie().child(top, b"id");
        for path in &self.paths {
            indexer.trie().hide_below(*path);
        }
        self.paths.contains(&top) || self.paths.contains(&id)
    }
}

/// The places that a mask of unknown places marks.
#[derive(Default, Debug)]
pub(crate) struct Unknown {
    /// The paths that it marks, sorted.
    paths: Vec<u32>,
}

impl Unknown {
    /// Walks a mask of unknown places: each is a path of the properties.
    pub(crate) fn read(cursor: &mut Cursor<'_>, indexer: &mut Indexer) -> Result<Self, Odd> {
        let mut paths = Vec::new();
        mask(cursor, indexer, &mut |indexer, path, says| {
            if let Says::Marked { .. } = says {
                paths.push(path);
                if path >= Trie::FIRST {
                    indexer.trie().see_with_parents(path);
                }
            }
            Ok(())
        })?;
        paths.sort_unstable();
        Ok(Self { paths })
    }

    /// True if it marks anything.
    pub(crate) fn is_any(&self) -> bool {
        !self.paths.is_empty()
    }

    fn has(&self, path: u32) -> bool {
        self.paths.binary_search(&path).is_ok()
    }
}

/// Reads a path of a state's sensitive attributes and walks it in the tree of paths. A path that does not lead through keys
/// alone is odd.
pub(crate) fn sensitive_path(
    cursor: &mut Cursor<'_>,
    indexer: &mut Indexer,
    hidden: &mut Hidden,
) -> Result<(), Odd> {
    let value = super::value(cursor)?;
    let mut path = Trie::root(Section::Outputs);
    for step in crate::terraform::sensitive::path(&value) {
        let crate::terraform::sensitive::SensitiveSegment::Key(key) = step else {
            return Err(Odd);
        };
        path = indexer.trie().child(path, key.as_bytes());
        if indexer.trie().is_any(path) {
            return Err(Odd);
        }
    }
    hidden.add(path);
    Ok(())
}

impl Hidden {
    /// Checks for each path of a state that it leads to something, or that its attribute is missing as a whole.
    pub(crate) fn leads(&self, indexer: &mut Indexer) -> Result<(), Odd> {
        let trie = indexer.trie();
        let leads = |path: &u32| trie.sees(*path) || trie.parent(*path) < Trie::FIRST;
        self.paths.iter().all(leads).then_some(()).ok_or(Odd)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_container_is_found_wherever_it_is(
            all in prop::collection::vec((3_u32..9, 0_u64..9), 0..90),
            wanted in prop::collection::vec((3_u32..9, 0_u64..9), 0..20),
        ) {
            let container = |(node, place): (u32, u64)| Container {
                node,
                place,
                n_items: Some(node * 100),
                is_empty: false,
            };
            let containers: Vec<_> = all.iter().copied().map(container).collect();
            let mut lookup = Lookup::of(&containers);
            for (node, place) in all.iter().step_by(3).chain(&wanted).copied() {
                let found = all.contains(&(node, place)).then(|| container((node, place)));
                prop_assert_eq!(lookup.find(node, place), found);
            }
        }
    }
}
