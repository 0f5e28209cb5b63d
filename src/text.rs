//! Texts: quoting, escaping for display, scanning, parse errors, the words of names, hexadecimal digits.
//!
//! | to | use |
//! |---|---|
//! | show a text of a file on a terminal | [`escape_into`], [`escaped`], and [`escaped_lines`], which keeps line breaks |
//! | quote a text as Go does | [`write_quoted`], [`unquote`] |
//! | parse a text of one line | `Scanner` |
//! | report where a parser stopped, and why | [`ParseError`] |
//! | split a name into its words, or compare names of any style | `words`, `pieces`, `has_word`, `joined`, `folded`, `singular`, `with_name` |
//! | find the word that a mistyped one means | [`nearest`], and [`or_nearest`] at the end of a message; [`alike`] for several; [`misspelled`] where a wrong guess does harm |
//! | write a number, or a number with its noun | [`count`], [`plural`] |
//! | show the beginning of a long text or value | [`cut`] |
//! | read a file up to a limit | [`Limit`] |
//! | read a time of RFC 3339 | `seconds` |
//! | cut a text, or join ranges of one | `head`, `join_ranges` |
//! | write or read hexadecimal digits | [`hex`], [`from_hex`] |
//!
//! Quoting that belongs to one language stays with that language: JSON's in [`crate::json`], HCL's in
//! [`crate::terraform::address`], a shell's with the copies.

mod escape;
mod limit;
mod names;
mod nearest;
mod number;
mod quote;
mod scanner;
mod time;

use std::fmt::{self, Display, Write as _};
use std::ops::Range;

pub use escape::{escape_into, escaped, escaped_lines, is_unsafe_to_show};
pub use limit::Limit;
pub(crate) use names::{NAME, folded, has_word, joined, pieces, singular, with_name, words};
pub use nearest::{alike, misspelled, nearest, or_nearest};
pub use number::{count, counted, plural};
pub use quote::{is_printable, quoted, unquote, write_quoted};
pub use scanner::ParseError;
pub(crate) use scanner::Scanner;
pub(crate) use time::seconds;

/// Sorts ranges and joins those that touch. Empty ones go.
pub(crate) fn join_ranges(ranges: &mut Vec<Range<usize>>) {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges.drain(..).filter(|range| !range.is_empty()) {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    *ranges = joined;
}

/// The whole characters in the first `n` bytes of a text.
pub(crate) fn head(text: &str, n: usize) -> &str {
    let mut to = text.len().min(n);
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    &text[..to]
}

/// The first `n_chars` characters of `shown`, and `…` if there are more. The rest of a long value is not even written.
///
/// ```
/// use stacklens::text::cut;
/// assert_eq!(cut(&"four", 4), "four");
/// assert_eq!(cut(&"longer", 4), "long…");
/// ```
pub fn cut(shown: &dyn Display, n_chars: usize) -> String {
    struct Start {
        text: String,
        room: usize,
    }

    impl fmt::Write for Start {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for char in text.chars() {
                self.room = self.room.checked_sub(1).ok_or(fmt::Error)?;
                self.text.push(char);
            }
            Ok(())
        }
    }

    let text = String::new();
    let mut start = Start {
        text,
        room: n_chars,
    };
    match write!(start, "{shown}") {
        Ok(()) => start.text,
        Err(_) => start.text + "…",
    }
}

/// Hexadecimal digits in lower case, two for each byte.
///
/// ```
/// assert_eq!(stacklens::text::hex(&[0, 0xaf]), "00af");
/// ```
pub fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect()
}

/// Decodes pairs of hexadecimal digits. `None` if the text is something else.
///
/// ```
/// use stacklens::text::from_hex;
/// assert_eq!(from_hex("00aF"), Some(vec![0, 0xaf]));
/// assert_eq!(from_hex("0"), None);
/// ```
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = text.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => u8::try_from(digit(*high)? << 4 | digit(*low)?).ok(),
        _ => None,
    });
    pairs.collect()
}
