//! Words: the terms that are searched for in names, types and paths.

use std::ops::Range;

use wide::i8x16;

/// The bytes of a text that a word matched.
pub(super) type Match = Range<usize>;

/// The position that a word has to have in a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Anchor {
    /// Anywhere, also scattered.
    Fuzzy,
    /// Anywhere, as written (`'word`).
    Exact,
    /// At the start (`^word`).
    Start,
    /// At the end (`word$`).
    End,
    /// The text is the word (`^word$`).
    Whole,
}

/// A word with its anchor. Case is ignored unless the word has an upper case letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    text: String,
    anchor: Anchor,
    fold: bool,
    mask: u64,
    is_ascii: bool,
}

/// The best match of a word in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fit {
    /// True if the letters are not adjacent.
    pub(super) scattered: bool,
    /// Score of the match; higher is better.
    pub(super) score: i32,
    /// The byte offset after the last letter.
    pub(super) end: usize,
}

/// The bit of texts that are not all ASCII.
const OTHER_SCRIPT: u64 = 1 << 63;

/// The letters of a text as a bit set: one bit for each letter of the Latin alphabet and each digit, hashed bits for the rest. A
/// text that lacks a bit of a word cannot contain the word.
pub(super) fn mask(text: &str) -> u64 {
    if text.is_ascii() {
        return text
            .bytes()
            .fold(0, |mask, byte| mask | BITS[usize::from(byte & 0x7f)]);
    }
    text.chars()
        .flat_map(char::to_lowercase)
        .filter_map(|char| u8::try_from(char).ok().filter(u8::is_ascii))
        .fold(OTHER_SCRIPT, |mask, byte| mask | bit(byte))
}

/// True if a text with these letters is all ASCII.
pub(super) fn is_ascii(mask: u64) -> bool {
    mask & OTHER_SCRIPT == 0
}

/// The bit of each ASCII character.
const BITS: [u64; 128] = {
    let mut bits = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        bits[byte as usize] = bit(byte);
        byte += 1;
    }
    bits
};

const fn bit(byte: u8) -> u64 {
    match byte.to_ascii_lowercase() {
        letter @ b'a'..=b'z' => 1 << (letter - b'a'),
        digit @ b'0'..=b'9' => 1 << (26 + digit - b'0'),
        other => 1 << (36 + other % 27),
    }
}

impl Word {
    /// The word `text` at `anchor`.
    pub fn new(text: &str, anchor: Anchor) -> Self {
        let fold = !text.chars().any(char::is_uppercase);
        Self {
            mask: mask(text),
            is_ascii: text.is_ascii(),
            text: text.to_owned(),
            anchor,
            fold,
        }
    }

    /// The text as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if the word is all ASCII.
    pub(super) fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// The letter mask that a text needs.
    pub(super) fn letters(&self) -> u64 {
        self.mask
    }

    /// The letter, in lower case, that an ASCII text has to start with; 0 if it may be any.
    pub(super) fn needs_first(&self) -> u8 {
        match (self.anchor, self.text.bytes().next()) {
            (Anchor::Start | Anchor::Whole, Some(first)) if self.is_ascii => {
                first.to_ascii_lowercase()
            }
            _ => 0,
        }
    }

    /// True if the letter mask of an ASCII text decides the match: each letter and digit has a separate bit.
    pub(super) fn is_told_by_letters(&self) -> bool {
        let is_one = matches!(self.text.as_bytes(), [byte] if byte.is_ascii_alphanumeric());
        is_one && self.fold && matches!(self.anchor, Anchor::Fuzzy | Anchor::Exact)
    }

    /// True for a URN, or the beginning of one.
    pub(super) fn is_urn(&self) -> bool {
        self.text.starts_with("urn:")
    }

    /// The position that the word has to have.
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// True if a text with these letters may contain the word.
    pub(super) fn fits_mask(&self, mask: u64) -> bool {
        mask & self.mask == self.mask
    }

    /// The best place of the word in `text` as written (never scattered).
    pub fn find(&self, text: &str) -> Option<Match> {
        let len = self.text.len();
        match self.anchor {
            Anchor::Whole => self.at(text, 0).filter(|found| found.end == text.len()),
            Anchor::Start => self.at(text, 0),
            Anchor::End => (0..=text.len())
                .rev()
                .filter(|start| text.is_char_boundary(*start))
                // Folding may change lengths, by no more than a few bytes for each letter.
                .take_while(|start| text.len() - start <= 3 * len)
                .find_map(|start| self.at(text, start).filter(|found| found.end == text.len())),
            Anchor::Fuzzy | Anchor::Exact => self.best(text),
        }
    }

    /// The places of the word in `text` as written, whatever its anchor. They do not overlap.
    pub(super) fn all_in(&self, text: &str) -> Vec<Match> {
        let mut places: Vec<Match> = Vec::new();
        for (start, _) in text.char_indices() {
            if places.last().is_none_or(|last| last.end <= start) {
                places.extend(self.at(text, start));
            }
        }
        places
    }

    /// The match that starts at byte `start`.
    fn at(&self, text: &str, start: usize) -> Option<Match> {
        let rest = text.get(start..)?;
        if !self.fold {
            return rest
                .starts_with(&self.text)
                .then(|| start..start + self.text.len());
        }
        if self.text.is_ascii() {
            // Only the bytes that the word would take are looked at: a row may be long.
            let taken = rest.as_bytes().get(..self.text.len())?;
            if taken.is_ascii() {
                return taken
                    .eq_ignore_ascii_case(self.text.as_bytes())
                    .then(|| start..start + self.text.len());
            }
        }
        let mut wanted = self.text.chars().flat_map(char::to_lowercase).peekable();
        let mut end = start;
        for char in rest.chars() {
            if wanted.peek().is_none() {
                break;
            }
            for lower in char.to_lowercase() {
                if wanted.next() != Some(lower) {
                    return None;
                }
            }
            end += char.len_utf8();
        }
        wanted.peek().is_none().then_some(start..end)
    }

    /// The first match at the start of a part of the name, else the first match.
    fn best(&self, text: &str) -> Option<Match> {
        let Some(first) = self.text.bytes().next() else {
            return Some(0..0);
        };
        let mut found = None;
        let mut consider = |start: usize| {
            if let Some(here) = self.at(text, start) {
                if is_part_start(text, start) {
                    return Some(here);
                }
                found.get_or_insert(here);
            }
            None
        };
        if text.is_ascii() && self.text.is_ascii() {
            let (lower, upper) = if self.fold {
                (first.to_ascii_lowercase(), first.to_ascii_uppercase())
            } else {
                (first, first)
            };
            for start in memchr::memchr2_iter(lower, upper, text.as_bytes()) {
                if let Some(here) = consider(start) {
                    return Some(here);
                }
            }
        } else {
            for (start, _) in text.char_indices() {
                if let Some(here) = consider(start) {
                    return Some(here);
                }
            }
        }
        found
    }

    /// The best match of the word in `text`; `None` if there is none.
    pub(super) fn fit(&self, text: &str) -> Option<Fit> {
        if let Some(found) = self.find(text) {
            return Some(Fit {
                scattered: false,
                score: written_score(text, &found),
                end: found.end,
            });
        }
        if self.anchor != Anchor::Fuzzy {
            return None;
        }
        let window = self.scatter(text)?;
        let width = i32::try_from(window.len()).unwrap_or(i32::MAX).min(400);
        Some(Fit {
            scattered: true,
            score: 400 - width,
            end: window.end,
        })
    }

    /// True if the word is in `text`, whose letters are `mask`. Much cheaper than [`Word::fit`], with the same answer. `text_on`
    /// is the text and the bytes after it in memory, so that it can be read in blocks.
    pub(super) fn is_in(&self, text: &str, text_on: &[u8], mask: u64) -> bool {
        if self.anchor == Anchor::Fuzzy && self.fits_mask(mask) {
            // A word that occurs as written also occurs in order.
            return if self.plain_bytes(text, mask).is_some() {
                self.is_told_by_letters() || self.is_in_order(text_on, text.len())
            } else {
                self.find(text).is_some() || self.scatter(text).is_some()
            };
        }
        self.is_written_in(text, mask)
    }

    /// True if the word occurs as written in `text`, whose letters are `mask`: same answer as [`Word::find`].
    pub(super) fn is_written_in(&self, text: &str, mask: u64) -> bool {
        if !self.fits_mask(mask) {
            return false;
        }
        let Some(bytes) = self.plain_bytes(text, mask) else {
            return self.find(text).is_some();
        };
        let wanted = self.text.as_bytes();
        let is_at = |start: usize| {
            let here = bytes.get(start..start + wanted.len());
            here.is_some_and(|here| here.eq_ignore_ascii_case(wanted))
        };
        match self.anchor {
            Anchor::Start => is_at(0),
            Anchor::Whole => bytes.len() == wanted.len() && is_at(0),
            Anchor::End => bytes.len().checked_sub(wanted.len()).is_some_and(is_at),
            Anchor::Fuzzy | Anchor::Exact => {
                let Some(first) = wanted.first() else {
                    return true;
                };
                let fold = case_bit(*first);
                let mut starts = bytes.iter().enumerate();
                starts.any(|(start, byte)| byte | fold == *first && is_at(start))
            }
        }
    }

    /// The bytes of `text`, if they can be compared with those of the word ignoring ASCII case.
    fn plain_bytes<'t>(&self, text: &'t str, mask: u64) -> Option<&'t [u8]> {
        (self.fold && self.is_ascii && is_ascii(mask)).then_some(text.as_bytes())
    }

    /// True if the letters are in the first `len` bytes of `text` in this order. For ASCII texts and words without capitals.
    fn is_in_order(&self, text: &[u8], len: usize) -> bool {
        let mut letters = self.text.bytes();
        let Some(mut letter) = letters.next() else {
            return true;
        };
        for start in (0..len).step_by(BLOCK) {
            let block = block(&text[start..]);
            // The positions not yet checked.
            let mut rest = (1_u32 << (len - start).min(BLOCK)) - 1;
            loop {
                let folded = block | i8x16::splat(case_bit(letter).cast_signed());
                let found = folded.simd_eq(i8x16::splat(letter.cast_signed()));
                let found = found.to_bitmask() & rest;
                if found == 0 {
                    break;
                }
                // The positions after the first of them.
                rest &= !(found ^ (found - 1));
                let Some(next) = letters.next() else {
                    return true;
                };
                letter = next;
            }
        }
        false
    }

    /// Upper bound of [`Word::fit`] for an ASCII text of `len` bytes whose first letter in lower case is `first`.
    pub(super) fn best_score(&self, len: usize, first: u8) -> i32 {
        let own = self.text.bytes().next();
        let may_start = own.is_none_or(|own| own.to_ascii_lowercase() == first);
        let rest = i32::try_from(len.saturating_sub(self.text.len())).unwrap_or(140);
        match rest {
            0 if may_start => 1400,
            rest if may_start => 1200 - rest.min(140),
            rest => 1150 - rest.min(140),
        }
    }

    /// The bytes from the first to the last letter if all letters are there in order: the earliest end, then the latest start for
    /// that end.
    fn scatter(&self, text: &str) -> Option<Match> {
        if self.text.is_ascii() && text.is_ascii() {
            return self.scatter_ascii(text.as_bytes());
        }
        let same = |one: char, other: char| {
            one == other || self.fold && one.to_lowercase().eq(other.to_lowercase())
        };
        let mut end = 0;
        let mut chars = text.char_indices();
        for wanted in self.text.chars() {
            let (at, char) = chars.find(|(_, char)| same(*char, wanted))?;
            end = at + char.len_utf8();
        }
        let mut start = end;
        let mut chars = text[..end].char_indices();
        for wanted in self.text.chars().rev() {
            (start, _) = chars.rfind(|(_, char)| same(*char, wanted))?;
        }
        Some(start..end)
    }

    fn scatter_ascii(&self, text: &[u8]) -> Option<Match> {
        let same =
            |one: u8, other: u8| one == other || self.fold && one.eq_ignore_ascii_case(&other);
        let mut end = 0;
        for wanted in self.text.bytes() {
            end += 1 + text[end..].iter().position(|byte| same(*byte, wanted))?;
        }
        let mut start = end;
        for wanted in self.text.bytes().rev() {
            start = text[..start].iter().rposition(|byte| same(*byte, wanted))?;
        }
        Some(start..end)
    }
}

/// Number of bytes to compare at once.
const BLOCK: usize = 16;

/// The first bytes of `text`, padded with zeros.
fn block(text: &[u8]) -> i8x16 {
    let bytes = text.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [0; BLOCK];
        bytes[..text.len()].copy_from_slice(text);
        bytes
    });
    i8x16::new(bytes.map(u8::cast_signed))
}

/// The bit in which the two cases of a lower case letter differ; 0 for any other byte.
fn case_bit(byte: u8) -> u8 {
    u8::from(byte.is_ascii_lowercase()) << 5
}

/// 1000 and more: whole text, start, start of a part, anywhere. Short texts score above long ones.
fn written_score(text: &str, found: &Match) -> i32 {
    let place = if found.start == 0 && found.end == text.len() {
        400
    } else if found.start == 0 {
        200
    } else if is_part_start(text, found.start) {
        150
    } else {
        0
    };
    let rest = i32::try_from(text.len() - found.len())
        .unwrap_or(i32::MAX)
        .min(140);
    1000 + place - rest
}

/// True if a part of a name starts at byte `at`: after a separator, or at a capital after a lower case letter.
pub(super) fn is_part_start(text: &str, at: usize) -> bool {
    if at > 0
        && let (Some(before), Some(here)) = (text.as_bytes().get(at - 1), text.as_bytes().get(at))
        && before.is_ascii()
        && here.is_ascii()
    {
        return !before.is_ascii_alphanumeric()
            || before.is_ascii_lowercase() && here.is_ascii_uppercase()
            || !before.is_ascii_digit() && here.is_ascii_digit();
    }
    let Some(before) = text.get(..at).and_then(|head| head.chars().next_back()) else {
        return true;
    };
    let Some(here) = text.get(at..).and_then(|tail| tail.chars().next()) else {
        return false;
    };
    !before.is_alphanumeric()
        || before.is_lowercase() && here.is_uppercase()
        || !before.is_numeric() && here.is_numeric()
}

#[cfg(test)]
mod tests;
