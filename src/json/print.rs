//! Text from values: `serde_json` writes the tokens and the layout. Our part is the form of a value, the exact digits of its
//! numbers, and the characters that must not reach a terminal.

use std::fmt;
use std::io;

use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, PrettyFormatter};
use serde_json::value::RawValue;

use crate::text::is_unsafe_to_show;
use crate::value::{Number, Payload, Reference, ReferenceId, SECRET, Shown, Text, Value};

/// Prints `value` on one line, without spaces between tokens.
pub fn to_compact(value: &Value) -> String {
    print(&Json(value), CompactFormatter)
}

/// Prints one element or key a line, indented by two spaces a level, without a final line feed. Empty containers are `[]` and
/// `{}`.
pub fn to_pretty(value: &Value) -> String {
    print(&Json(value), PrettyFormatter::new())
}

/// Writes anything that can be serialized, indented by two spaces a level, and a line feed. It need not be in memory as a whole.
pub fn write_pretty(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    write(out, value, PrettyFormatter::new())?;
    out.write_all(b"\n")
}

/// Like [`write_pretty`], without spaces between tokens and without a line feed.
pub fn write_compact(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    write(out, value, CompactFormatter)
}

fn write(
    out: &mut dyn io::Write,
    value: &impl Serialize,
    layout: impl Formatter,
) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, Escaping(layout));
    Ok(value.serialize(&mut serializer)?)
}

/// Writes `text` as a JSON string with quotes. Escapes `"`, `\` and every character that must not reach a terminal.
pub fn write_string(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
    out.write_str(&print(text, CompactFormatter))
}

fn print(value: &(impl Serialize + ?Sized), layout: impl Formatter) -> String {
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Escaping(layout));
    let written = value.serialize(&mut serializer);
    written.expect("memory can be written to, and keys are strings");
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// A value as JSON.
pub(crate) struct Json<'v>(pub(crate) &'v Value);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let payload = match self.0.shown() {
            Shown::Secret(mask) => return to.serialize_str(mask),
            Shown::Plain(payload) => payload,
        };
        match payload {
            Payload::Null => to.serialize_unit(),
            Payload::Bool(bool) => to.serialize_bool(*bool),
            Payload::Number(number) => serialize_number(number, to),
            Payload::String(text) => JsonText(text).serialize(to),
            Payload::Array(array) => to.collect_seq(array.iter().map(Json)),
            Payload::Map(map) => to.collect_map(map.iter().map(|(key, it)| (&**key, Json(it)))),
            Payload::Computed(_) => to.serialize_str("[unknown]"),
            Payload::Sealed(_) => to.serialize_str(SECRET),
            Payload::Asset(_) | Payload::Archive(_) => {
                Json(&self.0.fields().unwrap_or_default()).serialize(to)
            }
            Payload::Reference(reference) => serialize_reference(reference, to),
        }
    }
}

/// JSON has no NaN and no infinities, so they print as strings.
fn serialize_number<S: Serializer>(number: &Number, to: S) -> Result<S::Ok, S::Error> {
    let digits = number.to_string();
    if !number.is_finite() {
        return to.serialize_str(&digits);
    }
    match digits.parse::<i64>() {
        Ok(whole) if digits != "-0" => to.serialize_i64(whole),
        _ => serialize_raw(digits, to),
    }
}

/// Writes JSON as it is.
pub(crate) fn serialize_raw<S: Serializer>(json: String, to: S) -> Result<S::Ok, S::Error> {
    let raw = RawValue::from_string(json).map_err(S::Error::custom)?;
    raw.serialize(to)
}

fn serialize_reference<S: Serializer>(reference: &Reference, to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    map.serialize_entry("urn", &JsonText(&reference.urn))?;
    match &reference.id {
        ReferenceId::None => {}
        ReferenceId::Unknown => map.serialize_entry("id", "[unknown]")?,
        ReferenceId::Known(id) => map.serialize_entry("id", &JsonText(id))?,
    }
    if !reference.package_version.as_bytes().is_empty() {
        map.serialize_entry("packageVersion", &JsonText(&reference.package_version))?;
    }
    map.end()
}

/// A text that may have lone surrogates. They print as escapes, as they were in the file; all other bytes that are not UTF-8
/// print as U+FFFD.
struct JsonText<'t>(&'t Text);

impl Serialize for JsonText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = self.0.as_str() {
            return to.serialize_str(text);
        }
        let (mut json, mut bytes) = (String::from("\""), self.0.as_bytes());
        while let Some(chunk) = bytes.utf8_chunks().next() {
            let valid = print(chunk.valid(), CompactFormatter);
            json.push_str(&valid[1..valid.len() - 1]);
            let wrong = &bytes[chunk.valid().len()..];
            let n_wrong = match surrogate(wrong) {
                Some(unit) => {
                    // Writing to a `String` cannot fail.
                    _ = fmt::Write::write_fmt(&mut json, format_args!("\\u{unit:04x}"));
                    3
                }
                None if wrong.is_empty() => 0,
                None => {
                    json.push_str("\\ufffd");
                    chunk.invalid().len()
                }
            };
            bytes = &wrong[n_wrong..];
        }
        json.push('"');
        serialize_raw(json, to)
    }
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

/// A layout whose strings have no character that must not reach a terminal.
struct Escaping<F>(F);

/// The methods in which the layout differs.
macro_rules! layout {
    ($($method:ident($($is_first:ident)?))*) => {$(
        fn $method<W: ?Sized + io::Write>(&mut self, out: &mut W $(, $is_first: bool)?) -> io::Result<()> {
            self.0.$method(out $(, $is_first)?)
        }
    )*};
}

impl<F: Formatter> Formatter for Escaping<F> {
    layout! {
        begin_array() end_array() begin_array_value(is_first) end_array_value()
        begin_object() end_object() begin_object_key(is_first) begin_object_value() end_object_value()
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        // Of ASCII only DEL is left to be escaped, and the check of a byte is faster than that of a character.
        if text.bytes().all(|byte| byte < 0x7f) {
            return out.write_all(text.as_bytes());
        }
        let mut rest = text;
        while let Some(at) = rest.find(is_unsafe_to_show) {
            let (safe, unsafe_on) = rest.split_at(at);
            out.write_all(safe.as_bytes())?;
            let mut chars = unsafe_on.chars();
            for unit in chars.next().into_iter().flat_map(utf16) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = chars.as_str();
        }
        out.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        match escape {
            // All control characters but line breaks and tabs have the same form.
            CharEscape::Backspace => out.write_all(b"\\u0008"),
            CharEscape::FormFeed => out.write_all(b"\\u000c"),
            escape => self.0.write_char_escape(out, escape),
        }
    }
}

fn utf16(char: char) -> Vec<u16> {
    char.encode_utf16(&mut [0; 2]).to_vec()
}
