//! The tape: where everything stands in a JSON text, found in one pass, and a cursor that walks it.
//!
//! [`super::Reader`] needs nothing but the text and says what is wrong with it. The tape is for texts that are walked once and are
//! right nearly always: 64 bytes at a time it notes where strings begin and end, where brackets, commas and colons stand outside of
//! them, and where numbers and words begin. The cursor then goes from mark to mark and never looks at what lies between. Both accept
//! the same texts, up to a nesting of values that are skipped.

use super::block::{Block, LEN, Strings};
use super::reader::plain_number_end as number_end;
use super::text::unit;

/// The text is not JSON, or nests deeper than a cursor follows; a [`super::Reader`] tells more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotWalked;

/// Marks of a text; to be used again for the next one.
#[derive(Default, Debug)]
pub(crate) struct Tape {
    /// Offsets; those behind the marks of the text at hand are of an earlier one.
    marks: Vec<u32>,
}

/// How many marks are kept for the next text.
const KEPT: usize = 1 << 18;

impl Tape {
    /// Marks `text`, which is one value without white space around it. The cursor stands before it.
    ///
    /// # Errors
    ///
    /// If a string does not end or an escape is none, or the text is longer than 4 GB.
    pub(crate) fn read<'t>(&'t mut self, text: &'t [u8]) -> Result<Cursor<'t>, NotWalked> {
        if u32::try_from(text.len() + LEN).is_err() {
            return Err(NotWalked);
        }
        if self.marks.len() > KEPT {
            self.marks.truncate(KEPT);
            self.marks.shrink_to_fit();
        }
        let mut strings = Strings::default();
        let mut n_marks = 0;
        let mut base = 0_u32;
        // Whether the block before ended in a number or word.
        let mut in_plain = 0;
        for piece in text.chunks(LEN) {
            let mut padded = [b' '; LEN];
            let block = piece.first_chunk().unwrap_or_else(|| {
                padded[..piece.len()].copy_from_slice(piece);
                &padded
            });
            let block = Block::new(block);
            let quoted = strings.next(&block);
            let operators = block.operators() & !quoted.inside;
            let plain = !(quoted.inside | quoted.quotes | operators | block.spaces());
            let starts = plain & !(plain << 1 | in_plain);
            in_plain = plain >> 63;
            let escapes = quoted.escaped & quoted.inside;
            if escapes != 0 && !are_escapes(text, base, escapes & !block.equal(b'"')) {
                return Err(NotWalked);
            }
            if self.marks.len() < n_marks + LEN {
                self.marks.resize((2 * n_marks).max(16 * LEN), 0);
            }
            let room = self.marks[n_marks..].first_chunk_mut();
            n_marks += write(quoted.quotes | operators | starts, base, room);
            base += 64;
        }
        if strings.inside {
            return Err(NotWalked);
        }
        Ok(Cursor {
            text,
            marks: &self.marks[..n_marks],
            next: 0,
        })
    }
}

/// Whether what stands at the offsets of `bits` may stand behind a backslash.
fn are_escapes(text: &[u8], base: u32, mut bits: u64) -> bool {
    while bits != 0 {
        let at = base as usize + bits.trailing_zeros() as usize;
        let is_escape = match text.get(at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
            Some(b'u') => is_unicode(text, at - 1),
            _ => false,
        };
        if !is_escape {
            return false;
        }
        bits &= bits - 1;
    }
    true
}

/// Writes the offsets of `bits`; how many there are.
#[inline]
fn write(mut bits: u64, base: u32, room: Option<&mut [u32; LEN]>) -> usize {
    let Some(room) = room else { return 0 };
    let n_bits = bits.count_ones() as usize;
    // In whole groups, so that the number of rounds is guessed right: what is written too much is written over.
    for group in room.chunks_exact_mut(8) {
        for slot in group {
            *slot = base + bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
        }
        if bits == 0 {
            break;
        }
    }
    n_bits
}

/// Whether the escape at `at`, which begins with `\u`, means a character: it is neither broken nor half of a surrogate pair.
fn is_unicode(text: &[u8], at: usize) -> bool {
    let unit_at = |at: usize| text.get(at..).and_then(unit);
    let is_low = |unit: u32| (0xdc00..0xe000).contains(&unit);
    match unit_at(at) {
        None => false,
        Some(0xd800..0xdc00) => unit_at(at + 6).is_some_and(is_low),
        Some(low) if is_low(low) => at.checked_sub(6).is_some_and(|high| {
            let before = text[..high].iter().rev();
            let is_escaped = before.take_while(|byte| **byte == b'\\').count() % 2 == 1;
            !is_escaped && matches!(unit_at(high), Some(0xd800..0xdc00))
        }),
        Some(_) => true,
    }
}

/// A value that a cursor came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Met<'t> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number,
    /// A string, as it stands between its quotes; its escapes are right.
    String(&'t [u8]),
    /// `[`.
    Array,
    /// `{`.
    Map,
}

/// A place in a text whose marks are known.
///
/// Who walks knows what comes: [`Cursor::value`] where a value has to stand, then, after [`Met::Map`], [`Cursor::key`] until it
/// gives `None`, with the value of each key between; after [`Met::Array`] likewise [`Cursor::item`].
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t [u8],
    marks: &'t [u32],
    next: usize,
}

/// Whether an array or map was just opened or had something in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Where {
    /// Behind its opening bracket.
    First,
    /// Behind something in it.
    Later,
}

impl<'t> Cursor<'t> {
    /// The text.
    pub(crate) fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Where the next token begins.
    pub(crate) fn start(&self) -> usize {
        self.marks
            .get(self.next)
            .map_or(self.text.len(), |mark| *mark as usize)
    }

    /// Just behind the last token, which is a bracket or a string.
    pub(crate) fn behind_bracket(&self) -> usize {
        let last = self.next.checked_sub(1);
        last.map_or(0, |last| self.marks[last] as usize + 1)
    }

    /// Whether nothing comes any more.
    pub(crate) fn is_done(&self) -> bool {
        self.next == self.marks.len()
    }

    /// Passes what a value begins with; all of it, unless it is an array or map.
    #[inline]
    pub(crate) fn value(&mut self) -> Result<Met<'t>, NotWalked> {
        let start = *self.marks.get(self.next).ok_or(NotWalked)? as usize;
        self.next += 1;
        match self.text[start] {
            b'"' => {
                let end = *self.marks.get(self.next).ok_or(NotWalked)? as usize;
                self.next += 1;
                Ok(Met::String(&self.text[start + 1..end]))
            }
            b'{' => Ok(Met::Map),
            b'[' => Ok(Met::Array),
            b't' => self.word(start, b"true", Met::Bool(true)),
            b'f' => self.word(start, b"false", Met::Bool(false)),
            b'n' => self.word(start, b"null", Met::Null),
            b'-' | b'0'..=b'9' => match number_end(self.text, start) {
                Ok(end) if self.ends(end) => Ok(Met::Number),
                _ => Err(NotWalked),
            },
            _ => Err(NotWalked),
        }
    }

    /// Passes the next key of a map with its colon and gives it as it stands between its quotes, or passes the end of the map.
    #[inline]
    pub(crate) fn key(&mut self, place: Where) -> Result<Option<&'t [u8]>, NotWalked> {
        match (self.byte(), place) {
            (b'}', _) => {
                self.next += 1;
                return Ok(None);
            }
            (b',', Where::Later) => self.next += 1,
            (_, Where::Later) => return Err(NotWalked),
            (_, Where::First) => {}
        }
        let Some([start, end, colon, ..]) = self.marks.get(self.next..) else {
            return Err(NotWalked);
        };
        let (start, end) = (*start as usize, *end as usize);
        if self.text[start] != b'"' || self.text[*colon as usize] != b':' {
            return Err(NotWalked);
        }
        self.next += 3;
        Ok(Some(&self.text[start + 1..end]))
    }

    /// Whether an array has a further item, which comes next; passes the end of the array otherwise.
    #[inline]
    pub(crate) fn item(&mut self, place: Where) -> Result<bool, NotWalked> {
        match (self.byte(), place) {
            (b']', _) => {
                self.next += 1;
                Ok(false)
            }
            (b',', Where::Later) => {
                self.next += 1;
                Ok(true)
            }
            (_, Where::Later) => Err(NotWalked),
            (_, Where::First) => Ok(true),
        }
    }

    /// Passes a value with all that is in it; where it begins.
    pub(crate) fn skip(&mut self) -> Result<usize, NotWalked> {
        let start = self.start();
        let mut open = Open::default();
        let place = self.skip_value(&mut open)?;
        self.skip_open(open, place)?;
        Ok(start)
    }

    /// Passes the rest of a map, of which a key and its value were passed.
    pub(crate) fn skip_rest_of_map(&mut self) -> Result<(), NotWalked> {
        let mut open = Open::default();
        open.push(true)?;
        self.skip_open(open, Where::Later)
    }

    fn skip_value(&mut self, open: &mut Open) -> Result<Where, NotWalked> {
        let is_map = match self.value()? {
            Met::Map => true,
            Met::Array => false,
            _ => return Ok(Where::Later),
        };
        open.push(is_map)?;
        Ok(Where::First)
    }

    fn skip_open(&mut self, mut open: Open, mut place: Where) -> Result<(), NotWalked> {
        while let Some(is_map) = open.innermost_is_map() {
            let goes_on = if is_map {
                self.key(place)?.is_some()
            } else {
                self.item(place)?
            };
            if goes_on {
                place = self.skip_value(&mut open)?;
            } else {
                open.pop();
                place = Where::Later;
            }
        }
        Ok(())
    }

    /// The byte at the next mark; 0 behind the last.
    #[inline]
    fn byte(&self) -> u8 {
        self.marks
            .get(self.next)
            .map_or(0, |mark| self.text[*mark as usize])
    }

    #[inline]
    fn word(&self, start: usize, word: &[u8], met: Met<'t>) -> Result<Met<'t>, NotWalked> {
        if self.text[start..].starts_with(word) && self.ends(start + word.len()) {
            Ok(met)
        } else {
            Err(NotWalked)
        }
    }

    /// Whether a number or word may end at an offset; what stands there otherwise has no mark of its own.
    #[inline]
    fn ends(&self, at: usize) -> bool {
        matches!(
            self.text.get(at),
            None | Some(
                b',' | b'}' | b']' | b'\n' | b' ' | b'\r' | b'\t' | b':' | b'{' | b'[' | b'"'
            )
        )
    }
}

/// The kinds of the open brackets, one bit each.
#[derive(Clone, Copy, Default)]
struct Open {
    maps: u64,
    depth: u32,
}

impl Open {
    fn push(&mut self, is_map: bool) -> Result<(), NotWalked> {
        if self.depth == u64::BITS {
            return Err(NotWalked);
        }
        self.maps = self.maps << 1 | u64::from(is_map);
        self.depth += 1;
        Ok(())
    }

    fn pop(&mut self) {
        self.maps >>= 1;
        self.depth -= 1;
    }

    fn innermost_is_map(self) -> Option<bool> {
        (self.depth > 0).then_some(self.maps & 1 == 1)
    }
}

#[cfg(test)]
mod tests;
