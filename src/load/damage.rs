//! Damage: where and how a file stops being what it should be, in words.

use crate::format::Source;
use crate::format::scan::ScanError;
use crate::stack::Span;

/// How many bytes are read at once to count lines.
const STEP: u32 = 1 << 20;

/// One line that says what is wrong and where, and what it means.
pub(super) fn describe(error: &ScanError, source: &dyn Source) -> (String, String) {
    let (line, column, text) = place(error.offset, source);
    let at = format!("line {line}, column {column} (byte {})", error.offset);
    let marker = ["<<<<<<<", "=======", ">>>>>>>"]
        .iter()
        .any(|marker| text.trim_start().starts_with(marker));
    if marker {
        return (
            format!("a merge conflict at line {line}"),
            "The file holds two versions with conflict markers between them: settle the conflict first.".to_owned(),
        );
    }
    match error.found {
        None => (
            format!("the file is cut off at {at}: {} is missing", error.expected),
            "What was being written or copied stopped too early.".to_owned(),
        ),
        Some(byte) => (
            format!(
                "expected {} at {at}, found {}",
                error.expected,
                byte_text(byte)
            ),
            "The file is not JSON from here on.".to_owned(),
        ),
    }
}

fn byte_text(byte: u8) -> String {
    if byte.is_ascii_graphic() {
        format!("`{}`", char::from(byte))
    } else {
        format!("byte 0x{byte:02x}")
    }
}

/// Line and column of an offset, both from 1 (the column in bytes), and the beginning of that line.
fn place(offset: u64, source: &dyn Source) -> (u64, u64, String) {
    let (mut at, mut lines, mut line_start) = (0, 1, 0);
    while at < offset {
        let len = u32::try_from((offset - at).min(u64::from(STEP))).unwrap_or(STEP);
        let Ok(bytes) = source.read(Span { offset: at, len }) else {
            break;
        };
        lines += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        if let Some(last) = memchr::memrchr(b'\n', &bytes) {
            line_start = at + last as u64 + 1;
        }
        at += u64::from(len);
    }
    let text = (1..=16)
        .rev()
        .find_map(|len| {
            let span = Span {
                offset: line_start,
                len,
            };
            source.read(span).ok()
        })
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    (lines, offset - line_start + 1, text)
}
