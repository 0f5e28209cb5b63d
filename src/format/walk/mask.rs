//! Masks: walks over what a file says beside its values, that they are unknown or sensitive.

use super::{Frame, Odd};
use crate::format::repeats;
use crate::format::sheet::Sheet;
use crate::format::trie::Trie;
use crate::json::tape::{Cursor, Met, Where};
use crate::json::{MAX_DEPTH, Str};
use crate::stack::Section;

/// Walks a mask that comes next and calls `marked` with each path that it marks: the top itself, where it marks all.
pub(in crate::format) fn mask(
    cursor: &mut Cursor<'_>,
    sheet: &mut Sheet,
    marked: &mut dyn FnMut(&mut Sheet, u32),
) -> Result<(), Odd> {
    let mut open = std::mem::take(&mut sheet.frames);
    let outcome = mask_in(cursor, sheet, &mut open, marked);
    open.clear();
    sheet.frames = open;
    outcome
}

/// The same; `open` is empty, and what is left in it of no use.
fn mask_in(
    cursor: &mut Cursor<'_>,
    sheet: &mut Sheet,
    open: &mut Vec<Frame>,
    marked: &mut dyn FnMut(&mut Sheet, u32),
) -> Result<(), Odd> {
    let mut path = Trie::root(Section::Outputs);
    let top = cursor.start();
    let mut given = Given::default();
    loop {
        let start = cursor.start();
        match cursor.value()? {
            Met::Map | Met::Array if open.len() >= MAX_DEPTH => return Err(Odd),
            Met::Map => open.push(Frame::new(path, start, true)),
            Met::Array => open.push(Frame::new(path, start, false)),
            Met::Bool(true) => marked(sheet, path),
            Met::Bool(false) | Met::Null => {}
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
                    break sheet.trie().item(frame.node);
                }
            } else if let Some(raw) = cursor.key(place)? {
                let key = Str::of_raw(raw).decode();
                let trie = sheet.trie();
                let child = trie.child(frame.node, &key);
                if given.repeats(frame.start, child, trie.is_any(child)) {
                    return Err(Odd);
                }
                break child;
            }
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
pub(in crate::format) struct Hidden {
    /// The path of each place that is marked; elements of an array share theirs.
    paths: Vec<u32>,
}

impl Hidden {
    /// Walks a mask of sensitive places.
    pub(in crate::format) fn read(
        &mut self,
        cursor: &mut Cursor<'_>,
        sheet: &mut Sheet,
    ) -> Result<(), Odd> {
        mask(cursor, sheet, &mut |_, path| self.add(path))
    }

    /// Hides what is below `path`.
    pub(in crate::format) fn add(&mut self, path: u32) {
        self.paths.push(path);
    }

    /// How many of the marked places there are: a mask may speak of more than the value has.
    pub(in crate::format) fn count(&self, sheet: &mut Sheet) -> u32 {
        let seen = self.paths.iter().filter(|path| sheet.trie().sees(**path));
        u32::try_from(seen.count()).unwrap_or(u32::MAX)
    }

    /// Takes what is below the marked places out of the shape. Whether the property `id` is hidden.
    pub(in crate::format) fn apply(&mut self, sheet: &mut Sheet) -> bool {
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

/// Walks a mask of unknown places: each is a path of the properties.
pub(in crate::format) fn unknown(cursor: &mut Cursor<'_>, sheet: &mut Sheet) -> Result<bool, Odd> {
    let mut any = false;
    mask(cursor, sheet, &mut |sheet, path| {
        any = true;
        if path >= Trie::FIRST {
            sheet.trie().see_with_parents(path);
        }
    })?;
    Ok(any)
}

/// A path of a state's sensitive attributes that is walked in the tree of paths; hidden as far as it leads.
pub(in crate::format) fn sensitive_path(
    cursor: &mut Cursor<'_>,
    sheet: &mut Sheet,
    hidden: &mut Hidden,
) -> Result<(), Odd> {
    let value = super::value(cursor)?;
    let Some(steps) = crate::format::terraform_state::sensitive_path(&value) else {
        return Ok(());
    };
    let mut path = Trie::root(Section::Outputs);
    for step in steps {
        path = match step {
            crate::format::masks::Step::Key(key) => sheet.trie().child(path, key.as_bytes()),
            crate::format::masks::Step::Index(_) => sheet.trie().item(path),
        };
    }
    hidden.add(path);
    Ok(())
}
