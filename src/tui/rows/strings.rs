//! Strings on rows: quoted and escaped, long ones by their size, documents in them as containers.

use super::{Span, preview, shown};
use crate::change::decode::{Contents, MAX_DOCUMENT, contents};
use crate::text::plural;
use crate::tui::theme::Role;
use crate::value::{Payload, Shown, Text, Value};

/// Maximum number of bytes of a string that a row can need.
const MAX_SHOWN: usize = 2000;

/// The contents of a string, if it is worth opening.
pub fn decoded(value: &Value) -> Option<Contents> {
    contents(value, MAX_DOCUMENT)
}

/// The value part of the row of a string whose contents are known.
pub(super) fn document_body(value: &Value, contents: &Contents, open: bool) -> Vec<Span> {
    let n_bytes = match value.payload() {
        Payload::String(text) => text.as_bytes().len(),
        _ => 0,
    };
    let brackets = match contents.value.payload() {
        Payload::Array(_) => "[]",
        _ => "{}",
    };
    let format = &contents.format;
    let head = format!("{brackets} {format} in a string, {}", bytes(n_bytes));
    let mut spans = vec![Span::new(head, Role::Container)];
    if !open {
        spans.extend(preview(&contents.value));
    }
    spans
}

/// True if the text is long enough to deserve a separate view.
pub fn is_long(text: &Text) -> bool {
    text.as_bytes().len() > 120 || text.is_multi_line()
}

/// A string on one row.
pub(super) fn string(text: &Text) -> Span {
    if text.is_multi_line() {
        let n_lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        let size = bytes(text.as_bytes().len());
        let n_lines = plural(n_lines, "line");
        return Span::new(format!("<text> {n_lines}, {size}"), Role::Container);
    }
    let bytes = text.as_bytes();
    let (start, dots) = if bytes.len() > MAX_SHOWN {
        (&bytes[..MAX_SHOWN], "…")
    } else {
        (bytes, "")
    };
    let start = String::from_utf8_lossy(start);
    let escaped = start.replace('\\', "\\\\").replace('"', "\\\"");
    Span::new(format!("\"{}\"{dots}", shown(&escaped)), Role::String)
}

/// A number of bytes for a person: `412 B`, `1.2 KB`.
pub(super) fn bytes(n: usize) -> String {
    crate::render::plain::size(n as u64)
}

/// The text of a value that is a string or a literal asset and not secret, with its line breaks.
pub fn lossless_text(value: &Value) -> Option<String> {
    match value.shown() {
        Shown::Plain(Payload::String(text)) => Some(text.to_str_lossy().into_owned()),
        Shown::Plain(Payload::Asset(asset)) => asset
            .text
            .as_ref()
            .map(|text| text.to_str_lossy().into_owned()),
        _ => None,
    }
}
