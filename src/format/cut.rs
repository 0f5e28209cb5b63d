//! Maps in the text of an element, whose entries can be cut out of it.
//!
//! # Law
//!
//! The text that is left is the element without some of its unchanged entries, so it reads as the same change. An
//! unusual element is not cut. The tests of [`crate::load::brief`] compare the briefs of both.

use crate::change::rules::Wanted;
use crate::change::unchanged::Unchanged;
use crate::index::walk::{Odd, fields};
use crate::json::tape::{Cursor, Met, Where};
use crate::likely;

/// An entry of a map: its key, its value, and a cursor before the value.
pub(super) struct Entry<'t> {
    pub(super) key: &'t [u8],
    pub(super) value: &'t [u8],
    pub(super) cursor: Cursor<'t>,
    pub(super) is_cut: bool,
    /// A map, some of whose entries are cut.
    pub(super) inner: Option<Part<'t>>,
}

/// Number of entries of most maps: the room that is made for them at once.
const N_ENTRIES: usize = 16;

/// A map in the text.
#[derive(Default)]
pub(super) struct Part<'t> {
    start: usize,
    end: usize,
    pub(super) entries: Vec<Entry<'t>>,
}

impl Entry<'_> {
    pub(super) fn is_map(&self) -> bool {
        self.value.first() == Some(&b'{')
    }
}

impl<'t> Entry<'t> {
    /// The entry with the value that is next.
    fn read(key: &'t [u8], cursor: &mut Cursor<'t>, twin: Option<&[u8]>) -> Result<Self, Odd> {
        let own = cursor.clone();
        let start = cursor.start();
        if !twin.is_some_and(|value| cursor.passes(value)) {
            cursor.skip()?;
        }
        let value = cursor.text().get(start..cursor.offset()).ok_or(Odd)?;
        Ok(Self {
            key,
            value,
            cursor: own,
            is_cut: false,
            inner: None,
        })
    }
}

impl<'t> Part<'t> {
    pub(super) fn read(cursor: &mut Cursor<'t>) -> Result<Self, Odd> {
        let start = cursor.start();
        let mut entries = Vec::with_capacity(N_ENTRIES);
        fields(cursor, |key, cursor| {
            entries.push(Entry::read(key, cursor, None)?);
            Ok(())
        })?;
        Ok(Self {
            start,
            end: cursor.offset(),
            entries,
        })
    }

    /// Like `read`, for a map that is probably a twin of `other`: it has the same keys in the same order, and many of its values.
    /// These are compared as text, and nothing in them is looked at.
    pub(super) fn read_like(cursor: &mut Cursor<'t>, other: Option<&Self>) -> Result<Self, Odd> {
        let mut own = cursor.clone();
        let twin = other.and_then(|other| Self::twin(&mut own, other));
        match twin {
            Some(twin) => {
                *cursor = own;
                Ok(twin)
            }
            None => Self::read(cursor),
        }
    }

    /// The next map; `None` if it has other keys than `other`.
    fn twin(cursor: &mut Cursor<'t>, other: &Self) -> Option<Self> {
        let start = cursor.start();
        let is_map = cursor.value().is_ok_and(|met| met == Met::Map);
        let mut place = Where::First;
        let mut entries = Vec::with_capacity(other.entries.len());
        for entry in is_map.then_some(&other.entries)? {
            if !cursor.passes_key(place, entry.key) {
                return None;
            }
            entries.push(Entry::read(entry.key, cursor, Some(entry.value)).ok()?);
            place = Where::Later;
        }
        let is_end = cursor.key(place).ok()?.is_none();
        is_end.then(|| Self {
            start,
            end: cursor.offset(),
            entries,
        })
    }

    pub(super) fn of_key(&self, key: &[u8]) -> Option<&Entry<'t>> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub(super) fn find(&mut self, key: &[u8]) -> Option<&mut Entry<'t>> {
        self.entries.iter_mut().find(|entry| entry.key == key)
    }

    /// Like `find`. Both sides of a change nearly always have their keys in the same places.
    pub(super) fn find_near(&mut self, place: usize, key: &[u8]) -> Option<&mut Entry<'t>> {
        if self.entries.get(place).is_some_and(|it| it.key == key) {
            return self.entries.get_mut(place);
        }
        self.find(key)
    }

    /// Writes the map without the entries that are cut.
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        let kept = self.entries.iter().filter(|entry| !entry.is_cut);
        for (number, entry) in kept.enumerate() {
            out.extend_from_slice(if number == 0 { b"\"" } else { &b",\""[..] });
            out.extend_from_slice(entry.key);
            out.extend_from_slice(b"\":");
            match &entry.inner {
                Some(inner) => inner.write(out),
                None => out.extend_from_slice(entry.value),
            }
        }
        out.push(b'}');
    }
}

/// Cuts the entries that two maps have in common. Tags are the most frequent change, and most of them stay the same.
pub(super) fn cut_inside<'t>(
    entry: &mut Entry<'t>,
    other: &mut Entry<'t>,
    wanted: &Wanted,
    unchanged: &mut Unchanged<'t>,
) -> Result<(), Odd> {
    let mut before = Part::read(&mut entry.cursor.clone())?;
    let mut after = Part::read_like(&mut other.cursor.clone(), Some(&before))?;
    for (place, entry) in before.entries.iter_mut().enumerate() {
        let Some(other) = after.find_near(place, entry.key) else {
            continue;
        };
        let key = std::str::from_utf8(entry.key).map_err(|_| Odd)?;
        let is_same = other.value == entry.value
            && !wanted.has(key)
            && !likely::may_name(key)
            && !likely::is_in(key, entry.value);
        if is_same {
            unchanged.add_inner(entry.value);
            (entry.is_cut, other.is_cut) = (true, true);
        }
    }
    (entry.inner, other.inner) = (Some(before), Some(after));
    Ok(())
}

/// The text without the entries that are cut out of its parts.
pub(super) fn left(text: &[u8], mut parts: Vec<&Part<'_>>) -> Vec<u8> {
    parts.retain(|part| part.start < part.end);
    parts.sort_by_key(|part| part.start);
    let mut left = Vec::new();
    let mut at = 0;
    for part in parts {
        left.extend_from_slice(&text[at..part.start]);
        part.write(&mut left);
        at = part.end;
    }
    left.extend_from_slice(&text[at..]);
    left
}
