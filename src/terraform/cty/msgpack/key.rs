//! Map keys that are not UTF-8.
//!
//! In cty a key is any bytes; here it is a text. A byte that is not UTF-8 becomes U+FFFD with its value in parentheses, as in
//! `a�(ff)b`. A U+FFFD that is already followed by such a value is itself written as three of these bytes, so different keys stay
//! different, and [`key_bytes`] gives back the bytes of every key. All other keys are as they are.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use crate::terraform::cty::normal::normal_text;
use crate::types::cty::normal_name;
use crate::value::Text;

/// Begins an escaped byte.
const MARK: char = '\u{fffd}';

/// The key of these bytes, in normalization form C.
pub fn key(bytes: &[u8]) -> Arc<str> {
    match str::from_utf8(bytes) {
        Ok(text) if !text.contains(MARK) => normal_name(&Arc::from(text)),
        _ => escaped(normal_text(&Text::from(bytes)).as_bytes()).into(),
    }
}

/// The bytes of a key that [`key`] gave.
pub fn key_bytes(key: &str) -> Cow<'_, [u8]> {
    if !key.contains(MARK) {
        return Cow::Borrowed(key.as_bytes());
    }
    let mut bytes = Vec::with_capacity(key.len());
    let mut rest = key;
    while let Some(at) = rest.find(MARK) {
        bytes.extend(rest[..at].bytes());
        rest = &rest[at..];
        if let Some((byte, after)) = split_escape(rest) {
            bytes.push(byte);
            rest = after;
        } else {
            let (mark, after) = rest.split_at(MARK.len_utf8());
            bytes.extend(mark.bytes());
            rest = after;
        }
    }
    bytes.extend(rest.bytes());
    Cow::Owned(bytes)
}

fn escaped(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    let escape = |out: &mut String, bytes: &[u8]| {
        for byte in bytes {
            // Writing to a `String` cannot fail.
            _ = write!(out, "{MARK}({byte:02x})");
        }
    };
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        for (at, char) in valid.char_indices() {
            if split_escape(&valid[at..]).is_some() {
                escape(&mut out, char.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                out.push(char);
            }
        }
        escape(&mut out, chunk.invalid());
    }
    out
}

/// The byte that is escaped at the start of the text, and the text after it.
fn split_escape(text: &str) -> Option<(u8, &str)> {
    let (digits, rest) = text
        .strip_prefix(MARK)?
        .strip_prefix('(')?
        .split_once(')')?;
    match digits.as_bytes() {
        [b'8' | b'9' | b'a'..=b'f', b'0'..=b'9' | b'a'..=b'f'] => {
            Some((u8::from_str_radix(digits, 16).ok()?, rest))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], want: &str) {
        let got = key(bytes);
        assert_eq!(&*got, want);
        assert_eq!(&*key_bytes(&got), bytes);
    }

    #[test]
    fn bytes_that_are_no_text_are_escaped() {
        check(b"a", "a");
        check(b"a\xffb", "a\u{fffd}(ff)b");
        check(b"\xfe\xc3", "\u{fffd}(fe)\u{fffd}(c3)");
        check("a\u{fffd}b".as_bytes(), "a\u{fffd}b");
        check("\u{fffd}(ff".as_bytes(), "\u{fffd}(ff");
        check("\u{fffd}(7f)".as_bytes(), "\u{fffd}(7f)");
        check("\u{fffd}(FF)".as_bytes(), "\u{fffd}(FF)");
    }

    #[test]
    fn a_text_that_looks_escaped_stays_apart() {
        check(
            "\u{fffd}(ff)".as_bytes(),
            "\u{fffd}(ef)\u{fffd}(bf)\u{fffd}(bd)(ff)",
        );
        check(b"\xef\xbf\xbd\xff", "\u{fffd}\u{fffd}(ff)");
        check(b"\xef\xbf\xbd(\xff)", "\u{fffd}(\u{fffd}(ff))");
    }
}
