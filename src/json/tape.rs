//! The tape: where the strings of a JSON text begin and end, found in one pass, and a cursor that walks the text with it.
//!
//! [`super::Reader`] needs nothing but the text and says what is wrong with it. The tape is for texts that are walked once and are
//! right nearly always: 64 bytes at a time it notes which bytes are quotes that begin or end a string. The cursor then looks at each
//! byte outside of strings and passes from the quote that begins a string to the one that ends it, however long that is. Both accept
//! the same texts, up to a nesting of values that are skipped.

use std::ops::Range;

use wide::i8x16;

use super::block::{Block, LEN, Marks, Part, Strings};
use super::reader::plain_number_end as number_end;
use super::text::unit;

/// The text is not JSON, or nests deeper than a cursor follows; a [`super::Reader`] tells more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotWalked;

/// The quotes of a text, or of those parts of it that are going to be walked; to be used again for the next one.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tape {
    /// A bit for each byte, the lowest for the first.
    quotes: Vec<u64>,
    /// Words with a bit for each byte other than a quote that stands behind a backslash, where there is one, ascending.
    escapes: Vec<(usize, u64)>,
}

/// How many words are kept for the next text.
const KEPT: usize = 1 << 16;

impl Tape {
    /// Forgets the text.
    pub(crate) fn clear(&mut self) {
        self.quotes.clear();
        self.quotes.shrink_to(KEPT);
        self.escapes.clear();
    }

    /// Finds the quotes of `text`, which is one value without white space around it.
    pub(crate) fn read<'t>(&'t mut self, text: &'t [u8]) -> Taped<'t> {
        self.clear();
        let mut strings = Strings::default();
        for (number, piece) in text.chunks(LEN).enumerate() {
            let mut padded = [b' '; LEN];
            let marks = if let Some(block) = piece.first_chunk() {
                strings.marks(&Block::new(block), Part::ALL)
            } else {
                padded[..piece.len()].copy_from_slice(piece);
                strings.marks(&Block::new(&padded), Part::new(0, piece.len()))
            };
            self.note(number, &marks);
        }
        self.taped(text, 0..text.len())
    }

    /// Makes room for the quotes of a text of `len` bytes.
    pub(crate) fn reserve(&mut self, len: usize) {
        let n_words = len.div_ceil(LEN);
        self.quotes
            .reserve(n_words.saturating_sub(self.quotes.len()));
    }

    /// Notes what was found in the part of a text, of which this tape is, that begins at 64 times `number`. Parts come in their
    /// order, and may come again with more.
    #[inline]
    pub(crate) fn note(&mut self, number: usize, marks: &Marks) {
        if number == self.quotes.len() {
            self.quotes.push(marks.quotes);
        } else {
            self.note_apart(number, marks.quotes);
        }
        if marks.escaped != 0 {
            self.escapes.push((number, marks.escaped));
        }
    }

    #[cold]
    fn note_apart(&mut self, number: usize, quotes: u64) {
        if number >= self.quotes.len() {
            self.quotes.resize(number + 1, 0);
        }
        self.quotes[number] |= quotes;
    }

    /// Becomes the tape of what follows the text of `before`, where the bytes from `keep` on are given once more: a little more of
    /// them, from the offset on that is returned.
    pub(crate) fn follow(&mut self, before: &Self, keep: usize) -> usize {
        self.clear();
        let first = keep / LEN;
        let quotes = before.quotes.get(first..).unwrap_or_default();
        self.quotes.extend_from_slice(quotes);
        let escapes = before.escapes.iter();
        let kept = escapes.filter(|(number, _)| *number >= first);
        self.escapes
            .extend(kept.map(|(number, bits)| (number - first, *bits)));
        first * LEN
    }

    /// The value that stands at `range` of the text that this tape is of.
    pub(crate) fn taped<'t>(&'t self, text: &'t [u8], range: Range<usize>) -> Taped<'t> {
        Taped {
            tape: self,
            text,
            range,
        }
    }
}

/// A value of a text, with the tape of the text.
#[derive(Clone, Debug)]
pub(crate) struct Taped<'t> {
    tape: &'t Tape,
    text: &'t [u8],
    range: Range<usize>,
}

impl<'t> Taped<'t> {
    /// The value.
    pub(crate) fn bytes(&self) -> &'t [u8] {
        self.text.get(self.range.clone()).unwrap_or_default()
    }

    /// Before the value.
    ///
    /// # Errors
    ///
    /// If an escape is none.
    pub(crate) fn cursor(&self) -> Result<Cursor<'t>, NotWalked> {
        let Range { start, end } = self.range;
        let first = start / LEN;
        let escapes = &self.tape.escapes;
        let from = escapes.partition_point(|(number, _)| *number < first);
        for (number, bits) in &escapes[from..] {
            let base = number * LEN;
            if base >= end {
                break;
            }
            let part = Part::new(start.saturating_sub(base), (end - base).min(LEN));
            // Outside of a string a backslash is wrong whatever stands behind it.
            if !are_escapes(self.bytes(), start, base, bits & part.bits()) {
                return Err(NotWalked);
            }
        }
        Ok(Cursor {
            text: self.bytes(),
            quotes: self.tape.quotes.get(first..).unwrap_or_default(),
            shift: start % LEN,
            at: 0,
        })
    }
}

/// Whether what stands at the offsets of `bits`, counted from `base`, may stand behind a backslash; `text` begins at `start`.
fn are_escapes(text: &[u8], start: usize, base: usize, mut bits: u64) -> bool {
    while bits != 0 {
        let at = base + bits.trailing_zeros() as usize - start;
        let is_escape = match text.get(at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
            Some(b'u') => at > 0 && is_unicode(text, at - 1),
            _ => false,
        };
        if !is_escape {
            return false;
        }
        bits &= bits - 1;
    }
    true
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

/// A place in a text whose strings are known.
///
/// Who walks knows what comes: [`Cursor::value`] where a value has to stand, then, after [`Met::Map`], [`Cursor::key`] until it
/// gives `None`, with the value of each key between; after [`Met::Array`] likewise [`Cursor::item`].
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t [u8],
    quotes: &'t [u64],
    /// Where the text begins among the bits of `quotes`.
    shift: usize,
    /// Just behind the last token.
    at: usize,
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
    #[inline]
    pub(crate) fn start(&mut self) -> usize {
        self.at = self.space(self.at);
        self.at
    }

    /// Just behind the last token.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Goes to where the next token begins, or to the text of a string.
    #[inline]
    pub(crate) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Passes a string whose opening quote was passed: what stands between its quotes.
    #[inline]
    pub(crate) fn rest_of_string(&mut self) -> Result<&'t [u8], NotWalked> {
        let start = self.at;
        let end = self.quote(start).ok_or(NotWalked)?;
        self.at = end + 1;
        self.text.get(start..end).ok_or(NotWalked)
    }

    /// Whether nothing comes any more.
    pub(crate) fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    /// Passes what a value begins with; all of it, unless it is an array or map.
    #[inline]
    pub(crate) fn value(&mut self) -> Result<Met<'t>, NotWalked> {
        let start = self.space(self.at);
        match self.byte(start) {
            b'"' => Ok(Met::String(self.string(start)?)),
            b'{' => {
                self.at = start + 1;
                Ok(Met::Map)
            }
            b'[' => {
                self.at = start + 1;
                Ok(Met::Array)
            }
            b't' => self.word(start, b"true", Met::Bool(true)),
            b'f' => self.word(start, b"false", Met::Bool(false)),
            b'n' => self.word(start, b"null", Met::Null),
            b'-' | b'0'..=b'9' => {
                self.at = number_end(self.text, start).map_err(|_| NotWalked)?;
                Ok(Met::Number)
            }
            _ => Err(NotWalked),
        }
    }

    /// Passes the next key of a map with its colon and gives it as it stands between its quotes, or passes the end of the map.
    #[inline]
    pub(crate) fn key(&mut self, place: Where) -> Result<Option<&'t [u8]>, NotWalked> {
        let mut start = self.space(self.at);
        match (self.byte(start), place) {
            (b'}', _) => {
                self.at = start + 1;
                return Ok(None);
            }
            (b',', Where::Later) => start = self.space(start + 1),
            (_, Where::Later) => return Err(NotWalked),
            (_, Where::First) => {}
        }
        if self.byte(start) != b'"' {
            return Err(NotWalked);
        }
        let key = self.string(start)?;
        let colon = self.space(self.at);
        if self.byte(colon) != b':' {
            return Err(NotWalked);
        }
        self.at = colon + 1;
        Ok(Some(key))
    }

    /// Whether an array has a further item, which comes next; passes the end of the array otherwise.
    #[inline]
    pub(crate) fn item(&mut self, place: Where) -> Result<bool, NotWalked> {
        let start = self.space(self.at);
        match (self.byte(start), place) {
            (b']', _) => {
                self.at = start + 1;
                Ok(false)
            }
            (b',', Where::Later) => {
                self.at = start + 1;
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

    /// The byte at an offset; 0, which is no token, behind the end.
    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// Passes the string whose opening quote stands at `start`: what stands between its quotes.
    #[inline]
    fn string(&mut self, start: usize) -> Result<&'t [u8], NotWalked> {
        self.at = start + 1;
        self.rest_of_string()
    }

    /// The first quote from `at` on.
    #[inline]
    fn quote(&self, at: usize) -> Option<usize> {
        let (word, bit) = ((at + self.shift) / LEN, (at + self.shift) % LEN);
        if let Some([low, high]) = self.quotes.get(word..)?.first_chunk() {
            // The next 64 bytes, wherever they begin: most strings end there, and nothing has to be guessed.
            let bits = low >> bit | high << 1 << (LEN - 1 - bit);
            if bits != 0 {
                return Some(at + bits.trailing_zeros() as usize);
            }
        }
        self.quote_later(at, word, bit)
    }

    /// The same, one word after the other.
    fn quote_later(&self, at: usize, word: usize, bit: usize) -> Option<usize> {
        let mut rest = self.quotes.get(word..)?.iter();
        let mut bits = rest.next()? >> bit << bit;
        // The first word may begin before the text.
        let mut base = at.wrapping_sub(bit);
        while bits == 0 {
            bits = *rest.next()?;
            base = base.wrapping_add(LEN);
        }
        Some(base.wrapping_add(bits.trailing_zeros() as usize))
    }

    /// Where the next byte is that is not white space.
    #[inline]
    fn space(&self, at: usize) -> usize {
        match self.byte(at) {
            b' ' if self.byte(at + 1) > b' ' => at + 1,
            byte if byte > b' ' => at,
            _ => self.indentation(at),
        }
    }

    /// The same where a line break and many spaces are likely.
    #[inline]
    fn indentation(&self, at: usize) -> usize {
        let mut at = at + usize::from(self.byte(at) == b'\n');
        while let Some(piece) = self
            .text
            .get(at..)
            .and_then(|rest| rest.first_chunk::<16>())
        {
            let piece = i8x16::new(piece.map(u8::cast_signed));
            let others = !piece.simd_eq(i8x16::splat(b' '.cast_signed())).to_bitmask();
            let n_spaces = others.trailing_zeros().min(16) as usize;
            at += n_spaces;
            if n_spaces < 16 {
                break;
            }
        }
        while let b' ' | b'\n' | b'\r' | b'\t' = self.byte(at) {
            at += 1;
        }
        at
    }

    #[inline]
    fn word(&mut self, start: usize, word: &[u8], met: Met<'t>) -> Result<Met<'t>, NotWalked> {
        if !self.text[start..].starts_with(word) {
            return Err(NotWalked);
        }
        self.at = start + word.len();
        Ok(met)
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
