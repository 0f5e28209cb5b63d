//! Text from values.

use std::fmt::{self, Write};

use crate::text::is_unsafe_to_show;
use crate::value::{Array, Map, Number, Payload, Reference, ReferenceId, Shown, Text, Value};

/// Prints `value` on one line, without spaces between tokens.
pub fn to_compact(value: &Value) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    _ = write_compact(&mut out, value);
    out
}

/// Prints one element or key a line, indented by two spaces a level, without a final line feed. Empty containers are `[]` and
/// `{}`.
pub fn to_pretty(value: &Value) -> String {
    let mut out = String::new();
    let indent = Some(0);
    // Writing to a `String` cannot fail.
    _ = Printer {
        out: &mut out,
        indent,
    }
    .value(value);
    out
}

/// Like [`to_compact`], but writes to `out`.
pub fn write_compact(out: &mut impl Write, value: &Value) -> fmt::Result {
    Printer { out, indent: None }.value(value)
}

/// Writes `text` as a JSON string with quotes. Escapes `"`, `\` and every character that must not reach a terminal.
pub fn write_string(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    write_escaped(out, text)?;
    out.write_char('"')
}

struct Printer<'o, W> {
    out: &'o mut W,
    /// The current level; `None` to print everything on one line.
    indent: Option<usize>,
}

impl<W: Write> Printer<'_, W> {
    fn value(&mut self, value: &Value) -> fmt::Result {
        let payload = match value.shown() {
            Shown::Secret => return self.out.write_str("\"[secret]\""),
            Shown::Plain(payload) => payload,
        };
        match payload {
            Payload::Null => self.out.write_str("null"),
            Payload::Bool(bool) => write!(self.out, "{bool}"),
            Payload::Number(number) => self.number(number),
            Payload::String(text) => self.text(text),
            Payload::Array(array) => self.array(array),
            Payload::Map(map) => self.map(map),
            Payload::Computed(_) => self.out.write_str("\"[unknown]\""),
            Payload::Sealed(_) => self.out.write_str("\"[secret]\""),
            Payload::Asset(_) | Payload::Archive(_) => {
                let fields = value.fields().unwrap_or_default();
                self.value(&fields)
            }
            Payload::Reference(reference) => self.reference(reference),
        }
    }

    fn array(&mut self, array: &Array) -> fmt::Result {
        self.open('[')?;
        for (index, item) in array.iter().enumerate() {
            self.separate(index)?;
            self.value(item)?;
        }
        self.close(']', array.is_empty())
    }

    fn map(&mut self, map: &Map) -> fmt::Result {
        self.open('{')?;
        for (index, (key, value)) in map.iter().enumerate() {
            self.key(index, key)?;
            self.value(value)?;
        }
        self.close('}', map.is_empty())
    }

    fn reference(&mut self, reference: &Reference) -> fmt::Result {
        let unknown = Text::from("[unknown]");
        let id = match &reference.id {
            ReferenceId::None => None,
            ReferenceId::Unknown => Some(&unknown),
            ReferenceId::Known(id) => Some(id),
        };
        self.fields(&[
            ("urn", Some(&reference.urn)),
            ("id", id),
            ("packageVersion", present(&reference.package_version)),
        ])
    }

    /// A map of the fields that have a value.
    fn fields(&mut self, fields: &[(&str, Option<&Text>)]) -> fmt::Result {
        self.open('{')?;
        let present = fields
            .iter()
            .filter_map(|(name, text)| Some((name, (*text)?)));
        for (index, (name, text)) in present.enumerate() {
            self.key(index, name)?;
            self.text(text)?;
        }
        // A reference always has a URN.
        self.close('}', false)
    }

    fn open(&mut self, bracket: char) -> fmt::Result {
        if let Some(indent) = &mut self.indent {
            *indent += 1;
        }
        self.out.write_char(bracket)
    }

    fn close(&mut self, bracket: char, is_empty: bool) -> fmt::Result {
        if let Some(indent) = &mut self.indent {
            *indent -= 1;
        }
        if !is_empty {
            self.line()?;
        }
        self.out.write_char(bracket)
    }

    fn separate(&mut self, index: usize) -> fmt::Result {
        if index > 0 {
            self.out.write_char(',')?;
        }
        self.line()
    }

    fn key(&mut self, index: usize, key: &str) -> fmt::Result {
        self.separate(index)?;
        write_string(self.out, key)?;
        self.out
            .write_str(if self.indent.is_some() { ": " } else { ":" })
    }

    fn line(&mut self) -> fmt::Result {
        if let Some(indent) = self.indent {
            self.out.write_char('\n')?;
            for _ in 0..indent {
                self.out.write_str("  ")?;
            }
        }
        Ok(())
    }

    /// JSON has no NaN and no infinities, so they print as strings.
    fn number(&mut self, number: &Number) -> fmt::Result {
        if number.is_finite() {
            write!(self.out, "{number}")
        } else {
            write!(self.out, "\"{number}\"")
        }
    }

    fn text(&mut self, text: &Text) -> fmt::Result {
        if let Some(text) = text.as_str() {
            return write_string(self.out, text);
        }
        self.out.write_char('"')?;
        write_bytes(self.out, text.as_bytes())?;
        self.out.write_char('"')
    }
}

fn present(text: &Text) -> Option<&Text> {
    (!text.as_bytes().is_empty()).then_some(text)
}

/// Writes bytes that are not UTF-8: lone surrogates as escapes, as they were in the text; all other invalid bytes as U+FFFD.
fn write_bytes(out: &mut impl Write, mut bytes: &[u8]) -> fmt::Result {
    while !bytes.is_empty() {
        let (valid, wrong) = match std::str::from_utf8(bytes) {
            Ok(text) => return write_escaped(out, text),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                bytes =
                    &rest[surrogate(rest).map_or(error.error_len().unwrap_or(rest.len()), |_| 3)..];
                (valid, rest)
            }
        };
        write_escaped(out, &String::from_utf8_lossy(valid))?;
        match surrogate(wrong) {
            Some(unit) => write!(out, "\\u{unit:04x}")?,
            None => out.write_str("\\ufffd")?,
        }
    }
    Ok(())
}

/// The surrogate encoded in generalized UTF-8 at the start of `bytes`.
fn surrogate(bytes: &[u8]) -> Option<u16> {
    match bytes {
        [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, ..] => {
            Some(0xd000 | (u16::from(*second & 0x3f) << 6) | u16::from(*third & 0x3f))
        }
        _ => None,
    }
}

fn write_escaped(out: &mut impl Write, text: &str) -> fmt::Result {
    let mut rest = text;
    while let Some(at) = rest.find(|char| matches!(char, '"' | '\\') || is_unsafe_to_show(char)) {
        out.write_str(&rest[..at])?;
        let char = rest[at..]
            .chars()
            .next()
            .expect("`find` points at a character");
        write_escape(out, char)?;
        rest = &rest[at + char.len_utf8()..];
    }
    out.write_str(rest)
}

fn write_escape(out: &mut impl Write, char: char) -> fmt::Result {
    match char {
        '"' => out.write_str("\\\""),
        '\\' => out.write_str("\\\\"),
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        _ => {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}")?;
            }
            Ok(())
        }
    }
}
