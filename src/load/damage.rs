//! Damage: the place and the kind of an error in a file, in words.

use std::io;

use crate::format::Source;
use crate::format::event_log::BrokenLine;
use crate::index::scan::ScanError;
use crate::stack::{Damage, Span};

/// Number of bytes that are read at once to count lines.
const STEP: u32 = 1 << 20;

/// Damage at the place of `error`, and a line of advice.
pub(super) fn of_scan(error: &ScanError, source: &dyn Source) -> (Damage, &'static str) {
    const CUT: &str = "The file was not written or copied to its end.";
    const NOT_JSON: &str = "The file is not JSON from here on.";
    let is_cut = matches!(error.found, None | Some(0));
    // A file that was extended before its contents were written ends in zero bytes.
    let end = match error.found {
        None => end_of_text(error.offset, source),
        Some(_) => error.offset,
    };
    let place = TextPosition::of(end, source);
    let title = |what: &str| format!("{what} at line {}", place.line);
    let damage = |title: String, message: String| Damage { title, message };
    if place.is_conflict {
        let message = title("a merge conflict");
        let advice = "The file holds two versions with conflict markers between them: resolve the conflict first.";
        return (damage(title("merge conflict"), message), advice);
    }
    if let Some(start) = open_string(error.offset, source) {
        let start = TextPosition::of(start, source);
        let title = format!("string without end at line {}", start.line);
        let message = format!("the string that starts at {start} has no closing quote");
        return (damage(title, message), NOT_JSON);
    }
    if is_cut {
        let is_padded = end < error.offset || error.found.is_some();
        let why = if is_padded {
            "only zero bytes follow".to_owned()
        } else {
            format!("{} is missing", error.expected)
        };
        let message = format!("the file is cut off at {place}: {why}");
        return (damage(title("cut off"), message), CUT);
    }
    let found = error.found.map_or_else(String::new, byte_text);
    let message = format!("expected {} at {place}, found {found}", error.expected);
    (damage(title("broken"), message), NOT_JSON)
}

/// Damage where reading stopped in `line`.
pub(super) fn of_io(error: &io::Error, line: u64) -> Damage {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return Damage {
            title: format!("cut off at line {line}"),
            message: format!("the compressed file is cut off: its contents end at line {line}"),
        };
    }
    Damage {
        title: format!("broken at line {line}"),
        message: format!("reading stopped at line {line}: {error}"),
    }
}

/// The line of a byte offset, from 1.
pub(super) fn line_of(offset: u64, source: &dyn Source) -> u64 {
    TextPosition::of(offset, source).line
}

/// Damage by bytes after the end of the document, of which `first` is in `line` at `offset`.
pub(super) fn trailing(line: u64, offset: u64, first: u8) -> Damage {
    let found = byte_text(first);
    Damage {
        title: format!("trailing data at line {line}"),
        message: format!(
            "trailing data at line {line} (byte {offset}): expected the end of the file after the document, found {found}"
        ),
    }
}

/// Damage by the lines of a log that are not whole events.
pub(super) fn of_lines(broken: &BrokenLine) -> Damage {
    let line = broken.line;
    if broken.is_cut {
        return Damage {
            title: format!("cut off at line {line}"),
            message: format!("the log is cut off at line {line}, within an event"),
        };
    }
    let more = match broken.count {
        0 | 1 => String::new(),
        count => format!(", and {} more", count - 1),
    };
    Damage {
        title: format!("broken at line {line}"),
        message: format!("line {line} of the log is only part of an event{more}"),
    }
}

/// True for an error of a decompressor about its input, as opposed to an error of the system about a file.
pub(super) fn is_of_contents(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
        && error.raw_os_error().is_none()
}

fn byte_text(byte: u8) -> String {
    if byte.is_ascii_graphic() {
        format!("`{}`", char::from(byte))
    } else {
        format!("byte 0x{byte:02x}")
    }
}

/// The offset of the first string before `until` that has no end of its own. It goes on to the next quote, which begins another
/// string: over a line break, which no string of JSON contains, or up to a letter right after it.
fn open_string(until: u64, source: &dyn Source) -> Option<u64> {
    #[derive(Clone, Copy)]
    enum Place {
        Outside,
        Inside {
            start: u64,
            is_escaped: bool,
        },
        /// Right after the end of a string.
        After {
            start: u64,
        },
    }
    let (mut at, mut place) = (0, Place::Outside);
    while at < until {
        let len = u32::try_from((until - at).min(u64::from(STEP))).unwrap_or(STEP);
        let bytes = source.read(Span { offset: at, len }).ok()?;
        for (offset, byte) in (at..).zip(bytes.iter()) {
            place = match (place, byte) {
                (Place::Inside { start, .. }, b'\n' | b'\r') => return Some(start),
                (
                    Place::Inside {
                        start,
                        is_escaped: true,
                    },
                    _,
                ) => Place::Inside {
                    start,
                    is_escaped: false,
                },
                (Place::Inside { start, .. }, b'\\') => Place::Inside {
                    start,
                    is_escaped: true,
                },
                (Place::Inside { start, .. }, b'"') => Place::After { start },
                (Place::Inside { .. }, _) => place,
                (Place::After { start }, byte) if byte.is_ascii_alphanumeric() => {
                    return Some(start);
                }
                (Place::Outside | Place::After { .. }, b'"') => Place::Inside {
                    start: offset,
                    is_escaped: false,
                },
                (Place::Outside | Place::After { .. }, _) => Place::Outside,
            };
        }
        at += u64::from(len);
    }
    None
}

/// The offset after the last byte before `end` that is not zero.
fn end_of_text(end: u64, source: &dyn Source) -> u64 {
    let mut at = end;
    while at > 0 {
        let len = u32::try_from(at.min(u64::from(STEP))).unwrap_or(STEP);
        let offset = at - u64::from(len);
        let Ok(bytes) = source.read(Span { offset, len }) else {
            return end;
        };
        if let Some(last) = bytes.iter().rposition(|byte| *byte != 0) {
            return offset + last as u64 + 1;
        }
        at = offset;
    }
    end
}

/// A place in a file.
struct TextPosition {
    offset: u64,
    /// From 1.
    line: u64,
    /// In bytes, from 1.
    column: u64,
    /// True if the line is a marker of a merge conflict.
    is_conflict: bool,
}

impl std::fmt::Display for TextPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            offset,
            line,
            column,
            ..
        } = self;
        write!(f, "line {line}, column {column} (byte {offset})")
    }
}

impl TextPosition {
    fn of(offset: u64, source: &dyn Source) -> Self {
        let (mut at, mut line, mut line_start) = (0, 1, 0);
        while at < offset {
            let len = u32::try_from((offset - at).min(u64::from(STEP))).unwrap_or(STEP);
            let Ok(bytes) = source.read(Span { offset: at, len }) else {
                break;
            };
            line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
            if let Some(last) = memchr::memrchr(b'\n', &bytes) {
                line_start = at + last as u64 + 1;
            }
            at += u64::from(len);
        }
        let text = (1..=16).rev().find_map(|len| {
            let span = Span {
                offset: line_start,
                len,
            };
            source.read(span).ok()
        });
        let text = text.unwrap_or_default();
        let markers: [&[u8]; 3] = [b"<<<<<<<", b"=======", b">>>>>>>"];
        Self {
            offset,
            line,
            column: offset - line_start + 1,
            is_conflict: markers
                .iter()
                .any(|it| text.trim_ascii_start().starts_with(it)),
        }
    }
}
