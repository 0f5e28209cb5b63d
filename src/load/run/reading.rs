//! Reading: the bytes of a file piece by piece, with the elements that end in each.

use std::io;
use std::sync::Arc;

use crate::index::scan::{Element, Outline, ScanError, Scanner};
use crate::json::tape::{Tape, Taped};
use crate::load::byte_source::ByteStream;
use crate::stack::Span;

/// A stretch of the file whose elements have been found.
pub(super) struct Piece {
    pub(super) number: usize,
    /// A buffer that is never cleared; bytes after `len` are of an earlier piece.
    bytes: Vec<u8>,
    len: usize,
    /// The quotes in its elements.
    tape: Tape,
    base: u64,
    pub(super) elements: Vec<Element>,
    /// Number of bytes of the file read so far.
    pub(super) n_read: u64,
}

/// The shared state that the workers lock in turn.
pub(super) struct Reading {
    pub(super) stream: ByteStream,
    pub(super) scanner: Option<Scanner>,
    /// Bytes that are needed again; `tape` has their quotes, and `base` is their byte offset in the file.
    carried: Vec<u8>,
    tape: Tape,
    base: u64,
    pub(super) next_number: usize,
    /// Number of elements in the last piece.
    n_elements: usize,
    /// Buffers to use again.
    spare: Vec<(Vec<u8>, Tape)>,
    pub(super) outcome: Option<Outcome>,
    /// The byte offset of the end of the JSON text.
    pub(super) end: u64,
    /// Bytes read after the end of the JSON text.
    pub(super) trailing: Vec<u8>,
}

/// The result of reading a file.
pub(super) struct Outcome {
    pub(super) rest: Vec<u8>,
    pub(super) error: Option<ScanError>,
    pub(super) io: Option<io::Error>,
    /// A key on the way to the elements that is given twice.
    pub(super) repeated: Option<Arc<str>>,
}

impl Outcome {
    /// True if the JSON text was read to its end.
    pub(super) fn is_whole(&self) -> bool {
        self.error.is_none() && self.io.is_none()
    }
}

impl Piece {
    /// The elements that end in `bytes`, which begin at byte `base` of the file, and with the beginning of a JSON text.
    pub(super) fn alone(bytes: Vec<u8>, base: u64, outline: Outline) -> Self {
        let (mut elements, mut tape) = (Vec::new(), Tape::default());
        Scanner::new(outline, base).feed(&bytes, base, &mut elements, &mut tape);
        Self {
            number: 0,
            len: bytes.len(),
            n_read: base + bytes.len() as u64,
            bytes,
            tape,
            base,
            elements,
        }
    }

    /// The text of an element of this piece.
    pub(super) fn text(&self, element: &Element) -> Taped<'_> {
        let range = self.index(element.start)..self.index(element.end);
        self.tape.taped(&self.bytes[..self.len], range)
    }

    /// The bytes of `span`, if they are in this piece.
    pub(super) fn bytes(&self, span: Span) -> Option<&[u8]> {
        let start = self.index(span.offset);
        self.bytes[..self.len].get(start..start.checked_add(span.len as usize)?)
    }

    fn index(&self, offset: u64) -> usize {
        usize::try_from(offset.wrapping_sub(self.base)).unwrap_or(usize::MAX)
    }
}

impl Reading {
    /// Starts with `head`, the first bytes of the file, which were read from `stream`; the JSON text begins at `start`.
    pub(super) fn new(stream: ByteStream, head: Vec<u8>, outline: Outline, start: usize) -> Self {
        Self {
            stream,
            scanner: Some(Scanner::new(outline, start as u64)),
            carried: head,
            tape: Tape::default(),
            base: 0,
            next_number: 0,
            n_elements: 0,
            spare: Vec::new(),
            outcome: None,
            end: 0,
            trailing: Vec::new(),
        }
    }

    /// Takes back a piece that is no longer needed: its buffers are used again.
    pub(super) fn give_back(&mut self, piece: Piece) {
        self.spare.push((piece.bytes, piece.tape));
    }

    /// Reads `length` more bytes (0: none, only those that were read already) and finds the elements in them; `None` at the
    /// end.
    pub(super) fn next(&mut self, length: usize) -> Option<Piece> {
        let mut scanner = self.scanner.take()?;
        let (mut buffer, spare_tape) = self.spare.pop().unwrap_or_default();
        let carried = self.carried.len();
        // A long value is carried along: reading more each time limits the copying.
        let room = if length == 0 { 0 } else { length.max(carried) };
        if buffer.len() < carried + room {
            buffer.resize(carried + room, 0);
        }
        buffer[..carried].copy_from_slice(&self.carried);
        self.carried.clear();
        let (n_new, outcome) = match room {
            0 => (0, Ok(())),
            room => self.stream.read(&mut buffer[carried..carried + room]),
        };
        let at_end = outcome.is_err() || room > 0 && n_new == 0;
        let len = carried + n_new;
        let bytes = &buffer[..len];
        let base = self.base;
        let mut elements = Vec::with_capacity(self.n_elements);
        let mut tape = std::mem::replace(&mut self.tape, spare_tape);
        let needed = scanner.feed(bytes, base, &mut elements, &mut tape);
        let n_read = base + bytes.len() as u64;
        if at_end || scanner.is_done() {
            self.end = scanner.offset();
            if !scanner.has_failed() {
                let trailing = usize::try_from(self.end.saturating_sub(base)).unwrap_or(0);
                self.trailing = bytes.get(trailing..).unwrap_or_default().to_vec();
            }
            let repeated = scanner.repeated();
            let (rest, error) = scanner.finish(bytes, base, &mut elements);
            self.outcome = Some(Outcome {
                rest,
                error,
                io: outcome.err(),
                repeated,
            });
        } else {
            let keep = usize::try_from(needed.saturating_sub(base)).unwrap_or(bytes.len());
            let keep = self.tape.follow(&tape, keep.min(bytes.len()));
            self.carried.extend_from_slice(&bytes[keep..]);
            self.base = base + keep as u64;
            self.scanner = Some(scanner);
        }
        self.next_number += 1;
        self.n_elements = elements.len();
        Some(Piece {
            number: self.next_number - 1,
            bytes: buffer,
            len,
            tape,
            base,
            elements,
            n_read,
        })
    }
}
