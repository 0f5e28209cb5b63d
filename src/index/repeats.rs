//! Finds keys that a map gives twice, without building values.
//!
//! Keys are compared by their hashes: those of a small map as they come, those of a large one sorted.

use super::hash::Hasher;
use crate::json::{ParseError, Reader, Token};

/// True if the value that begins at `start` of `text`, or a map in it, gives a key twice.
///
/// # Errors
///
/// If the value is not valid JSON.
pub(crate) fn any_below(text: &[u8], start: usize) -> Result<bool, ParseError> {
    let mut reader = Reader::at(text, start);
    // For each open bracket, the keys of its map; an array has none.
    let mut open: Vec<Keys> = Vec::new();
    loop {
        match reader.next()? {
            Some(Token::Key(key)) => {
                if let Some(keys) = open.last_mut() {
                    keys.take(&key.decode());
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
        keys.take(&key.decode());
        reader.skip_value()?;
    }
    Ok(keys.has_repeats())
}

/// Number of keys of a map that are compared as they come: enough for the fields of a resource.
const N_FIRST: usize = 32;

/// The keys of a map, as hashes.
#[derive(Debug)]
pub(crate) struct Keys {
    first: [u64; N_FIRST],
    n_first: usize,
    /// The keys after the first ones.
    more: Vec<u64>,
    /// True if one of the first keys came twice.
    has_repeats: bool,
}

/// The key of the hash is known to everybody, and a file may be made of keys that collide. That costs nothing: the hashes are
/// sorted, not kept in a table, and a map with a collision is read again as a value, like a map that does give a key twice.
const HASHER: Hasher = Hasher::fixed();

impl Default for Keys {
    fn default() -> Self {
        Self {
            first: [0; N_FIRST],
            n_first: 0,
            more: Vec::new(),
            has_repeats: false,
        }
    }
}

impl Keys {
    /// Takes the next key, without escapes.
    #[inline]
    pub(crate) fn take(&mut self, key: &[u8]) {
        let hash = HASHER.hash(key);
        match self.first.get_mut(self.n_first) {
            Some(slot) => {
                *slot = hash;
                let known = &self.first[..self.n_first];
                // Without a jump out of the loop, several are compared at once.
                let n_alike = known.iter().filter(|known| **known == hash).count();
                self.has_repeats |= n_alike > 0;
                self.n_first += 1;
            }
            None => self.more.push(hash),
        }
    }

    /// True if a key came twice. Two keys with the same hash count as one: the caller looks closer if there are repeats.
    pub(crate) fn has_repeats(mut self) -> bool {
        if self.has_repeats || self.more.is_empty() {
            return self.has_repeats;
        }
        self.more.extend(self.first);
        self.more.sort_unstable();
        self.more.windows(2).any(|pair| pair[0] == pair[1])
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
        }
    }
}
