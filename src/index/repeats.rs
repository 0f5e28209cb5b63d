//! Finds keys that a map gives twice, without building values.
//!
//! Programs write maps sorted, or with a few fixed keys. In the common case each key is compared with its neighbor only. The
//! keys are remembered only where they are not sorted.

use std::borrow::Cow;

use super::hash::Hasher;
use crate::json::{ParseError, Reader, Str, Token};

/// Number of fields that are remembered one by one. The text of a map with more fields is read again.
const N_FIELDS: usize = 40;

/// The keys of a map with few fields, as written between their quotes, without escapes.
pub(crate) struct Fields<'a> {
    /// Index in the text at which the map begins.
    start: usize,
    keys: [&'a [u8]; N_FIELDS],
    n_keys: usize,
    /// One bit for each value of [`sum`] modulo 64 that was seen: most keys are told apart by it alone.
    sorts: u64,
}

impl<'a> Fields<'a> {
    /// Starts without keys, for the map that begins at `start` of its text.
    pub(crate) fn of(start: usize) -> Self {
        Self {
            start,
            keys: [&[]; N_FIELDS],
            n_keys: 0,
            sorts: 0,
        }
    }

    /// Takes a key. True if the key is known to have come before.
    #[inline]
    pub(crate) fn repeats(&mut self, key: &'a [u8]) -> bool {
        let sort = 1 << (sum(key) % 64);
        let known = &self.keys[..self.n_keys.min(N_FIELDS)];
        let is_known = self.sorts & sort != 0 && known.contains(&key);
        self.sorts |= sort;
        if let Some(slot) = self.keys.get_mut(self.n_keys) {
            *slot = key;
        }
        self.n_keys += 1;
        is_known
    }

    /// True if the map gives a key twice that [`Fields::repeats`] did not report. Call it after all keys were taken.
    ///
    /// # Errors
    ///
    /// If `text` is not valid JSON.
    pub(crate) fn hide_repeats(&self, text: &[u8]) -> Result<bool, ParseError> {
        Ok(self.n_keys > N_FIELDS && any_in(text, self.start)?)
    }
}

/// A cheap hash of the key.
#[inline]
fn sum(key: &[u8]) -> usize {
    let at = |index: usize| key.get(index).copied().map_or(0, usize::from);
    let last = key.len().saturating_sub(1);
    key.len() + 5 * at(0) + 17 * at(key.len() / 2) + 3 * at(last)
}

/// True if the value that begins at `start` of `text`, or a map in it, gives a key twice.
///
/// # Errors
///
/// If the value is not valid JSON.
pub(crate) fn any_below(text: &[u8], start: usize) -> Result<bool, ParseError> {
    let mut reader = Reader::at(text, start);
    // For each open bracket, the keys of its map; an array has none.
    let mut open: Vec<Keys<'_>> = Vec::new();
    loop {
        match reader.next()? {
            Some(Token::Key(key)) => {
                if let Some(keys) = open.last_mut() {
                    keys.take(key);
                }
            }
            Some(Token::MapStart | Token::ArrayStart) => open.push(Keys::default()),
            Some(Token::MapEnd | Token::ArrayEnd) => {
                let closed = open.pop().unwrap_or_default();
                if closed.has_repeats() {
                    return Ok(true);
                }
            }
            _ => {}
        }
        if open.is_empty() {
            return Ok(false);
        }
    }
}

/// True if the map that begins at `start` of `text` gives a key twice. Maps inside its values are not looked at.
///
/// # Errors
///
/// If the map is not valid JSON.
pub(crate) fn any_in(text: &[u8], start: usize) -> Result<bool, ParseError> {
    let mut reader = Reader::at(text, start);
    let mut keys = Keys::default();
    reader.next()?;
    while let Some(Token::Key(key)) = reader.next()? {
        keys.take(key);
        reader.skip_value()?;
    }
    Ok(keys.has_repeats())
}

/// The keys of a map of any size, as hashes. Keys that ascend are all different: `is_mixed` is true once one does not.
#[derive(Default)]
struct Keys<'a> {
    last: Cow<'a, [u8]>,
    hashes: Vec<u64>,
    is_mixed: bool,
}

/// The key of the hash is known to everybody, and a file may be made of keys that collide. That costs nothing: the hashes are
/// sorted, not kept in a table, and a map with a collision is read again as a value, like a map that does give a key twice.
const HASHER: Hasher = Hasher::fixed();

impl<'a> Keys<'a> {
    fn take(&mut self, key: Str<'a>) {
        let key = key.decode();
        let hash = HASHER.hash(&key);
        self.is_mixed |= !self.hashes.is_empty() && self.last >= key;
        self.hashes.push(hash);
        self.last = key;
    }

    /// Two keys with the same hash count as one: the caller looks closer if there are repeats.
    fn has_repeats(mut self) -> bool {
        if !self.is_mixed {
            return false;
        }
        self.hashes.sort_unstable();
        self.hashes.windows(2).any(|pair| pair[0] == pair[1])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json::{self, NoteKind, Numbers};

    #[track_caller]
    fn check(text: &str, in_it: bool, below: bool) {
        assert_eq!(any_in(text.as_bytes(), 0), Ok(in_it), "{text}");
        assert_eq!(any_below(text.as_bytes(), 0), Ok(below), "{text}");
    }

    #[test]
    fn keys_are_compared_as_what_they_mean() {
        check(r#"{"a":1,"b":2,"a":3}"#, true, true);
        check(r#"{"a":1,"\u0061":3}"#, true, true);
        check(r#"{"a":{"x":1,"x":2},"b":2}"#, false, true);
        check(r#"{"b":{"a":1},"a":[{"a":1},{"a":1}]}"#, false, false);
        check(r#"{"":1,"":2}"#, true, true);
        check("{}", false, false);
        assert_eq!(any_below(b"[1]", 0), Ok(false));
    }

    #[test]
    fn fields_tell_repeats_of_any_length() {
        for keys in [&["", "a", "ab", "abc", "b"][..], &["urn", "type", "id"]] {
            let mut fields = Fields::of(0);
            assert!(keys.iter().all(|key| !fields.repeats(key.as_bytes())));
            assert!(keys.iter().all(|key| fields.repeats(key.as_bytes())));
        }
    }

    proptest! {
        #[test]
        fn what_is_read_whole_says_the_same(
            keys in prop_oneof![
                prop::collection::vec("[a-c]{0,2}", 0..12),
                prop::collection::vec("[a-z]{0,3}", 0..60),
            ],
        ) {
            let entries: Vec<_> = keys.iter().map(|key| format!("\"{key}\":1")).collect();
            let text = format!("{{{}}}", entries.join(","));
            let parsed = json::parse(text.as_bytes(), Numbers::Exact).unwrap();
            let is_told = parsed.notes.iter().any(|note| note.kind == NoteKind::DuplicateKey);
            prop_assert_eq!(any_in(text.as_bytes(), 0), Ok(is_told));
            let mut fields = Fields::of(0);
            let repeats = keys.iter().filter(|key| fields.repeats(key.as_bytes())).count();
            let hides = fields.hide_repeats(text.as_bytes()).unwrap();
            prop_assert_eq!(repeats > 0 || hides, is_told);
        }
    }
}
