//! Locating: finds the path from the top of a JSON file to the value that starts at a byte.

use std::sync::Arc;

use super::{Source, SourceError, table};
use crate::json::{self, Numbers};
use crate::path::{Path, Segment};
use crate::render::copy::Location;
use crate::stack::{ResourceId, Span, Stack};

/// Number of bytes that are read at once.
const STRIDE: u32 = 1 << 20;

/// The paths of resources in their file, in the order of the file. `None` if the file is not one JSON document, or is
/// translated before it is read (a plan file, a state of an old version). If `cancelled` returned true, the remaining ones are
/// missing.
///
/// Reads the file up to the last resource. That takes as long as indexing up to there, so this is work for the background.
///
/// # Errors
///
/// If the bytes cannot be read any more.
pub fn locations(
    stack: &Stack,
    ids: &[ResourceId],
    source: &dyn Source,
    cancelled: &dyn Fn() -> bool,
) -> Result<Vec<(ResourceId, Option<Location>)>, SourceError> {
    let place = |id: ResourceId| source.place(stack.record(id).span);
    let mut ids = ids.to_vec();
    ids.sort_by_key(|id| place(*id).offset);
    let Some(written) = table::of(&stack.header).and_then(|format| format.written) else {
        return Ok(ids.into_iter().map(|id| (id, None)).collect());
    };
    let mut locator = Locator::new();
    let mut found = Vec::new();
    for id in ids {
        let span = place(id);
        while locator.at < span.offset {
            if cancelled() {
                return Ok(found);
            }
            let offset = locator.at;
            let len = u32::try_from(span.offset - offset).map_or(STRIDE, |rest| rest.min(STRIDE));
            let bytes = source.read(Span { offset, len })?;
            if bytes.is_empty() {
                break;
            }
            locator.feed(&bytes);
        }
        let element = source.read(span)?;
        let parsed = json::parse(&element, Numbers::Exact).ok();
        let trail = (locator.at == span.offset)
            .then(|| locator.trail())
            .flatten();
        let location = trail.zip(parsed).map(|(trail, parsed)| Location {
            trail,
            element: parsed.value,
            has_others: span != stack.record(id).span,
            written,
        });
        found.push((id, location));
    }
    Ok(found)
}

/// Follows the structure of a JSON text, which arrives in pieces cut anywhere.
struct Locator {
    /// Number of bytes fed so far.
    at: u64,
    frames: Vec<Frame>,
    state: State,
    /// Number of documents that have begun; with more than one the file is not a JSON document.
    documents: u32,
}

enum Frame {
    Array(usize),
    Map {
        /// The last key, as written between its quotes.
        key: Vec<u8>,
        /// True if the next string is a key.
        expects_key: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Outside,
    /// In a string; `key` is true if it is a key.
    Text {
        key: bool,
    },
    /// After a backslash in such a string.
    Escape {
        key: bool,
    },
}

impl Locator {
    fn new() -> Self {
        Self {
            at: 0,
            frames: Vec::new(),
            state: State::Outside,
            documents: 0,
        }
    }

    /// Takes the next bytes.
    fn feed(&mut self, bytes: &[u8]) {
        self.at += bytes.len() as u64;
        let mut at = 0;
        while at < bytes.len() {
            at = match self.state {
                State::Outside => self.outside(bytes, at),
                State::Text { key } => self.text(bytes, at, key),
                State::Escape { key } => {
                    self.keep(key, &bytes[at..=at]);
                    self.state = State::Text { key };
                    at + 1
                }
            };
        }
    }

    fn outside(&mut self, bytes: &[u8], at: usize) -> usize {
        match bytes[at] {
            b'{' => {
                self.open(Frame::Map {
                    key: Vec::new(),
                    expects_key: true,
                });
            }
            b'[' => self.open(Frame::Array(0)),
            b'}' | b']' => {
                self.frames.pop();
            }
            b',' => match self.frames.last_mut() {
                Some(Frame::Array(index)) => *index += 1,
                Some(Frame::Map { expects_key, .. }) => *expects_key = true,
                None => {}
            },
            b'"' => {
                let mut is_key = false;
                if let Some(Frame::Map { key, expects_key }) = self.frames.last_mut()
                    && *expects_key
                {
                    key.clear();
                    *expects_key = false;
                    is_key = true;
                }
                self.state = State::Text { key: is_key };
            }
            _ => {}
        }
        at + 1
    }

    fn open(&mut self, frame: Frame) {
        if self.frames.is_empty() {
            self.documents += 1;
        }
        self.frames.push(frame);
    }

    fn text(&mut self, bytes: &[u8], at: usize, key: bool) -> usize {
        let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at..]) else {
            self.keep(key, &bytes[at..]);
            return bytes.len();
        };
        let end = at + found;
        self.keep(key, &bytes[at..end]);
        if bytes[end] == b'"' {
            self.state = State::Outside;
        } else {
            self.keep(key, b"\\");
            self.state = State::Escape { key };
        }
        end + 1
    }

    /// Remembers a piece of a key.
    fn keep(&mut self, is_key: bool, piece: &[u8]) {
        if let (true, Some(Frame::Map { key, .. })) = (is_key, self.frames.last_mut()) {
            key.extend_from_slice(piece);
        }
    }

    /// The path of the value that starts right after the bytes fed so far.
    fn trail(&self) -> Option<Path> {
        if self.documents > 1 {
            return None;
        }
        self.frames
            .iter()
            .map(|frame| match frame {
                Frame::Array(index) => Some(Segment::Index(*index)),
                Frame::Map { key, .. } => {
                    let text = [b"\"", key.as_slice(), b"\""].concat();
                    let parsed = json::parse(&text, Numbers::Exact).ok()?;
                    Some(Segment::Key(Arc::from(parsed.value.as_str()?)))
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: &str, trail: Option<&str>) {
        let target = text.find(wanted).unwrap();
        for step in [1, 2, 7, text.len()] {
            let mut locator = Locator::new();
            for piece in text.as_bytes()[..target].chunks(step) {
                locator.feed(piece);
            }
            let found = locator.trail().map(|path| path.to_json_pointer());
            assert_eq!(found.as_deref(), trail, "in pieces of {step}");
        }
    }

    #[test]
    fn the_way_goes_through_maps_and_arrays() {
        check(
            r#"{"a": [1, {"b": 2}, {"c": "HERE"}]}"#,
            "\"HERE\"",
            Some("/a/2/c"),
        );
        check(
            r#"{"a": {"x": [[]]}, "b": [ [3], HERE]}"#,
            "HERE",
            Some("/b/1"),
        );
        check("HERE", "HERE", Some(""));
    }

    #[test]
    fn strings_hide_their_brackets_and_quotes() {
        check(
            r#"{"a\"]}": "}],\\", "é\u0041/": [",", HERE]}"#,
            "HERE",
            Some("/éA~1/1"),
        );
    }

    #[test]
    fn a_file_of_many_documents_has_no_way() {
        check("{\"a\":1}\n{\"b\":HERE}", "HERE", None);
    }

    #[test]
    fn broken_text_ends_somewhere() {
        check("]]}},,\"\"HERE", "HERE", Some(""));
    }
}
