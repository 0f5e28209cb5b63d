//! Masks: walks over what a file says beside its values, that they are unknown or sensitive.

use super::{Container, Frame, Odd, Seen};
use crate::index::repeats;
use crate::index::sheet::Sheet;
use crate::index::trie::Trie;
use crate::json::tape::{Cursor, Met, Where};
use crate::json::{MAX_DEPTH, Str};
use crate::stack::Section;

/// What a mask says of a place.
enum Says {
    /// It marks it.
    Marked {
        /// Whether the place is in an array.
        in_array: bool,
    },
    /// Nothing that is known: it is null.
    Null,
    /// It has this array or map there.
    Container(Container),
}

/// Walks a mask that comes next and calls `say` with what it says of paths: of the top itself, where it marks all.
fn mask(
    cursor: &mut Cursor<'_>,
    sheet: &mut Sheet,
    say: &mut dyn FnMut(&mut Sheet, u32, Says) -> Result<(), Odd>,
) -> Result<(), Odd> {
    let mut open = std::mem::take(&mut sheet.frames);
    let outcome = mask_in(cursor, sheet, &mut open, say);
    open.clear();
    sheet.frames = open;
    outcome
}

/// The same; `open` is empty, and what is left in it of no use.
fn mask_in(
    cursor: &mut Cursor<'_>,
    sheet: &mut Sheet,
    open: &mut Vec<Frame>,
    say: &mut dyn FnMut(&mut Sheet, u32, Says) -> Result<(), Odd>,
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
                say(sheet, path, Says::Marked { in_array })?;
            }
            Met::Bool(false) => {}
            Met::Null => say(sheet, path, Says::Null)?,
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
                    break sheet.trie().item(frame.node);
                }
            } else if let Some(raw) = cursor.key(place)? {
                frame.n_entries += 1;
                let key = Str::of_raw(raw).decode();
                let trie = sheet.trie();
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
            say(sheet, container.node, Says::Container(container))?;
            open.pop();
        };
    }
}

/// How many keys of a mask are remembered one by one.
const N_GIVEN: usize = 32;

/// The keys that the maps of a mask gave.
struct Given {
    /// Where the map begins, and the path of the key.
    keys: [(usize, u32); N_GIVEN],
    n_keys: usize,
    /// Whether all were remembered.
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
    /// Takes the path of a key of the map that begins at `start`; whether it is known to have come before. A path that stands for
    /// `many` keys tells nothing.
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

/// What masks hide of the properties at hand.
#[derive(Default, Debug)]
pub(crate) struct Hidden {
    /// The path of each place that is marked.
    paths: Vec<u32>,
    /// The arrays and maps of the mask.
    containers: Vec<Container>,
}

impl Hidden {
    /// Walks a mask of sensitive places. One that marks something in an array is odd: what is marked in one element is not marked
    /// in the others, whose paths are the same.
    pub(crate) fn read(&mut self, cursor: &mut Cursor<'_>, sheet: &mut Sheet) -> Result<(), Odd> {
        let top = Trie::root(Section::Outputs);
        mask(cursor, sheet, &mut |sheet, path, says| {
            match says {
                Says::Marked { in_array: false } if !sheet.trie().is_any(path) => self.add(path),
                Says::Null if path == top => {}
                Says::Marked { .. } | Says::Null => return Err(Odd),
                Says::Container(container) => self.containers.push(container),
            }
            Ok(())
        })
    }

    /// Checks that the mask has the shape of the properties that it stands beside, or is empty where these have nothing yet.
    pub(crate) fn fits(
        &self,
        seen: &mut Seen<'_>,
        unknown: &Unknown,
        sheet: &mut Sheet,
    ) -> Result<(), Odd> {
        let top = Trie::root(Section::Outputs);
        seen.containers.sort_unstable();
        for own in &self.containers {
            if own.node == top {
                if own.n_items.is_some() {
                    return Err(Odd);
                }
                continue;
            }
            let key = |container: &Container| (container.node, container.place);
            let found = seen
                .containers
                .binary_search_by_key(&key(own), key)
                .ok()
                .and_then(|index| seen.containers.get(index));
            let fits = if let Some(found) = found {
                found.n_items == own.n_items
            } else {
                let is_nothing = unknown.has(own.node) || !sheet.trie().sees(own.node);
                own.is_empty && own.place == 0 && is_nothing
            };
            if !fits {
                return Err(Odd);
            }
        }
        Ok(())
    }

    /// Checks that what is around each marked place is a map on both sides of a change, if there are two: a value of another kind is
    /// hidden as a whole. Both sides were [found to fit](Self::fits).
    pub(crate) fn lies_in_maps(&self, sides: [&Seen<'_>; 2], sheet: &mut Sheet) -> Result<(), Odd> {
        if !sides.iter().all(|side| side.is_there) {
            return Ok(());
        }
        let is_map = |side: &Seen<'_>, path: u32| {
            let key = |container: &Container| (container.node, container.place);
            let found = side.containers.binary_search_by_key(&(path, 0), key);
            found.is_ok_and(|index| side.containers[index].n_items.is_none())
        };
        let trie = sheet.trie();
        for path in &self.paths {
            let mut around = trie.parent(*path);
            while around >= Trie::FIRST {
                if !sides.iter().all(|side| is_map(side, around)) {
                    return Err(Odd);
                }
                around = trie.parent(around);
            }
        }
        Ok(())
    }

    /// Hides what is below `path`.
    fn add(&mut self, path: u32) {
        self.paths.push(path);
    }

    /// Hides what `other` hides.
    pub(crate) fn join(&mut self, other: Self) {
        self.paths.extend(other.paths);
    }

    /// How many of the marked places there are, those in others left out: a mask may speak of more than the value has.
    pub(crate) fn count(&mut self, sheet: &mut Sheet) -> u32 {
        self.paths.sort_unstable();
        self.paths.dedup();
        let trie = sheet.trie();
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

    /// Takes what is below the marked places out of the shape. Whether the property `id` is hidden.
    pub(crate) fn apply(&mut self, sheet: &mut Sheet) -> bool {
        if self.paths.is_empty() {
            return false;
        }
        self.paths.sort_unstable();
        self.paths.dedup();
        let top = Trie::root(Section::Outputs);
        let id = sheet.trie().child(top, b"id");
        for path in &self.paths {
            sheet.trie().hide_below(*path);
        }
        self.paths.contains(&top) || self.paths.contains(&id)
    }
}

/// What a mask of unknown places says.
#[derive(Default, Debug)]
pub(crate) struct Unknown {
    /// The paths that it marks, sorted.
    paths: Vec<u32>,
}

impl Unknown {
    /// Walks a mask of unknown places: each is a path of the properties.
    pub(crate) fn read(cursor: &mut Cursor<'_>, sheet: &mut Sheet) -> Result<Self, Odd> {
        let mut paths = Vec::new();
        mask(cursor, sheet, &mut |sheet, path, says| {
            if let Says::Marked { .. } = says {
                paths.push(path);
                if path >= Trie::FIRST {
                    sheet.trie().see_with_parents(path);
                }
            }
            Ok(())
        })?;
        paths.sort_unstable();
        Ok(Self { paths })
    }

    /// Whether it marks anything.
    pub(crate) fn is_any(&self) -> bool {
        !self.paths.is_empty()
    }

    fn has(&self, path: u32) -> bool {
        self.paths.binary_search(&path).is_ok()
    }
}

/// A path of a state's sensitive attributes that is walked in the tree of paths. One that does not lead through keys alone is odd.
pub(crate) fn sensitive_path(
    cursor: &mut Cursor<'_>,
    sheet: &mut Sheet,
    hidden: &mut Hidden,
) -> Result<(), Odd> {
    let value = super::value(cursor)?;
    let mut path = Trie::root(Section::Outputs);
    for step in crate::terraform::sensitive::path(&value) {
        let crate::terraform::sensitive::Step::Key(key) = step else {
            return Err(Odd);
        };
        path = sheet.trie().child(path, key.as_bytes());
        if sheet.trie().is_any(path) {
            return Err(Odd);
        }
    }
    hidden.add(path);
    Ok(())
}

impl Hidden {
    /// Checks that the paths of a state lead to something, or that already their attribute is not there.
    pub(crate) fn leads(&self, sheet: &mut Sheet) -> Result<(), Odd> {
        let trie = sheet.trie();
        let leads = |path: &u32| trie.sees(*path) || trie.parent(*path) < Trie::FIRST;
        self.paths.iter().all(leads).then_some(()).ok_or(Odd)
    }
}
