//! Properties: lines of `key=value`, as servers are configured with and as environments are written in files.

use super::{DecodeError, Decoder};
use crate::value::{Map, Text, Value};

/// Decodes lines of `key=value`. Blank lines and lines that start with `#` or `!` are comments. A key that occurs twice, a section and a
/// line that goes on in the next one are no properties: they mean something else in each of the formats that look alike.
pub(super) fn decode(bytes: &[u8]) -> Result<Value, DecodeError> {
    let entry = |line| {
        let (key, value) = entry(line)?;
        let key = str::from_utf8(key).ok()?;
        Some((key, Value::from(Text::from(value.to_vec()))))
    };
    let entries: Option<Vec<(&str, Value)>> = lines(bytes).map(entry).collect();
    let entries = entries.ok_or_else(malformed)?;
    let n_lines = entries.len();
    let map: Map = entries.into_iter().collect();
    if map.len() == n_lines {
        Ok(map.into())
    } else {
        Err(malformed())
    }
}

/// True if the first two lines that are no comments are properties. One alone may be anything, such as base64.
pub(super) fn is_likely(head: &[u8]) -> bool {
    let first = lines(head).take(2);
    first.filter(|line| entry(line).is_some()).count() == 2
}

fn malformed() -> DecodeError {
    Decoder::Properties.malformed("a key, `=` and a value in each line")
}

/// The lines that are no comments, without the blanks around them.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !matches!(line.first(), None | Some(b'#' | b'!')))
}

fn entry(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(b'=', line)?;
    let (key, value) = (
        line[..at].trim_ascii_end(),
        line[at + 1..].trim_ascii_start(),
    );
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/".contains(byte);
    let is_entry = !key.is_empty() && key.iter().all(is_of_key) && !value.ends_with(b"\\");
    is_entry.then_some((key, value))
}
