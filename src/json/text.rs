//! Strings as written between quotes, and their escapes.

use std::borrow::Cow;

use super::build::NoteKind;

/// A string token: the bytes between the quotes, not decoded yet. The reader has checked its escapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Str<'a> {
    raw: &'a [u8],
    escaped: bool,
}

impl<'a> Str<'a> {
    pub(super) fn new(raw: &'a [u8], escaped: bool) -> Self {
        Self { raw, escaped }
    }

    /// The string with the bytes `raw` between the quotes. Its escapes have been checked.
    pub(crate) fn of_raw(raw: &'a [u8]) -> Self {
        Self::new(raw, memchr::memchr(b'\\', raw).is_some())
    }

    /// True if the string has a backslash, so that decoding has to copy.
    pub fn is_escaped(&self) -> bool {
        self.escaped
    }

    /// The decoded bytes: UTF-8, except that a lone surrogate is three bytes (WTF-8) and that invalid UTF-8 in the file is kept.
    pub fn decode(&self) -> Cow<'a, [u8]> {
        if self.escaped {
            Cow::Owned(unescape(self.raw))
        } else {
            Cow::Borrowed(self.raw)
        }
    }

    /// The decoded text, with U+FFFD for anything that is not Unicode. For keys, which are always texts.
    pub fn decode_lossy(&self) -> Cow<'a, str> {
        match self.decode() {
            Cow::Borrowed(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(bytes),
            },
            Cow::Owned(bytes) => Cow::Owned(match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            }),
        }
    }

    /// True if the decoded string is exactly `text`.
    pub fn is(&self, text: &str) -> bool {
        if self.escaped {
            unescape(self.raw) == text.as_bytes()
        } else {
            self.raw == text.as_bytes()
        }
    }

    /// The oddity of the string, which decodes to these bytes, and to `decoded` if they are a text.
    pub(super) fn oddity(&self, decoded: Option<&str>) -> Option<NoteKind> {
        if decoded.is_none() {
            let in_file = std::str::from_utf8(self.raw).is_err();
            return Some(if in_file {
                NoteKind::NotUtf8
            } else {
                NoteKind::LoneSurrogate
            });
        }
        let raw_control = self.raw.iter().any(|byte| *byte < 0x20);
        raw_control.then_some(NoteKind::ControlCharacter)
    }
}

/// Replaces the escapes of `raw`; a broken escape is kept as written.
fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let length = unescape_one(rest, &mut out);
        rest = &rest[length..];
    }
    out.extend_from_slice(rest);
    out
}

/// Decodes the escape at the start of `rest` and returns its length in bytes.
fn unescape_one(rest: &[u8], out: &mut Vec<u8>) -> usize {
    let plain = match rest.get(1) {
        Some(b'b') => 0x08,
        Some(b'f') => 0x0c,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(b'u') => return unescape_unit(rest, out),
        Some(other) => *other,
        None => {
            out.push(b'\\');
            return 1;
        }
    };
    out.push(plain);
    2
}

fn unescape_unit(rest: &[u8], out: &mut Vec<u8>) -> usize {
    let Some(unit) = unit(rest) else {
        out.extend_from_slice(&rest[..2]);
        return 2;
    };
    if (0xd800..0xdc00).contains(&unit)
        && let Some(low) = rest.get(6..).and_then(self::unit)
        && (0xdc00..0xe000).contains(&low)
    {
        let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        push_code(code, out);
        return 12;
    }
    push_code(unit, out);
    6
}

/// The UTF-16 unit of the `\uXXXX` at the start of `rest`.
pub(super) fn unit(rest: &[u8]) -> Option<u32> {
    let digits = rest.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, digit| {
        Some(unit * 16 + char::from(*digit).to_digit(16)?)
    })
}

/// Writes a code point as UTF-8 would, surrogates included (generalized UTF-8).
fn push_code(code: u32, out: &mut Vec<u8>) {
    if let Some(char) = char::from_u32(code) {
        let mut buffer = [0; 4];
        out.extend_from_slice(char.encode_utf8(&mut buffer).as_bytes());
        return;
    }
    let byte = |shift: u32, mask: u32, mark: u32| {
        u8::try_from(((code >> shift) & mask) | mark).expect("the mask and the mark fit a byte")
    };
    out.extend_from_slice(&[
        byte(12, 0x0f, 0xe0),
        byte(6, 0x3f, 0x80),
        byte(0, 0x3f, 0x80),
    ]);
}
