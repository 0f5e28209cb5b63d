//! Byte streams: bytes from any origin, in order, with a source to read them from again.

use std::io::{self, Read};
use std::sync::{Arc, RwLock};

use zeroize::Zeroizing;

use super::identity::FileSource;
use crate::format::{Source, SourceError};
use crate::stack::Span;

/// Bytes that are read once, in order.
pub(super) struct ByteStream {
    reader: Box<dyn Read + Send>,
    /// Keeps bytes that cannot be read again.
    kept: Option<Arc<Kept>>,
    source: Arc<dyn Source>,
    total: Option<u64>,
}

impl ByteStream {
    /// The bytes of a file, which stays on its disk. `reader` gives them from its current position.
    pub(super) fn of_file(reader: Box<dyn Read + Send>, source: FileSource) -> Self {
        let total = Some(source.len());
        Self {
            reader,
            kept: None,
            source: Arc::new(source),
            total,
        }
    }

    /// Bytes from a pipe or a decompressor, which are kept in memory; `head` has been read already.
    pub(super) fn of_stream(reader: Box<dyn Read + Send>, head: &[u8]) -> Self {
        let kept = Arc::new(Kept::default());
        kept.push(head);
        Self {
            reader,
            kept: Some(kept.clone()),
            source: kept,
            total: None,
        }
    }

    /// Bytes in memory, of which the first `n_read` have been read already.
    pub(super) fn of_bytes(bytes: Held, n_read: usize) -> Self {
        let total = Some(bytes.as_ref().len() as u64);
        let source: Arc<dyn Source> = Arc::new(InHand(bytes.clone()));
        Self {
            reader: {
                let mut cursor = io::Cursor::new(bytes);
                cursor.set_position(n_read as u64);
                Box::new(cursor)
            },
            kept: None,
            source,
            total,
        }
    }

    /// The bytes that were not read yet.
    pub(super) fn into_stream(self) -> Box<dyn Read + Send> {
        self.reader
    }

    /// The source to read the bytes from again.
    pub(super) fn source(&self) -> Arc<dyn Source> {
        self.source.clone()
    }

    /// Number of bytes in total, if known.
    pub(super) fn total(&self) -> Option<u64> {
        self.total
    }

    /// Fills `buffer` from its start with all bytes that are available at once. Returns their number, which is at least one
    /// unless the end is reached or the system returns an error.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>) {
        let mut end = 0;
        let outcome = loop {
            match self.reader.read(&mut buffer[end..]) {
                Ok(0) => break Ok(()),
                Ok(n_read) => {
                    end += n_read;
                    // A pipe gives the bytes that it has: a person who watches should not wait for more.
                    if end == buffer.len() || self.kept.is_some() {
                        break Ok(());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        if let Some(kept) = &self.kept {
            kept.push(&buffer[..end]);
        }
        (end, outcome)
    }
}

/// Bytes in memory as a whole.
#[derive(Clone)]
pub(super) enum Held {
    /// As they were read.
    Plain(Arc<[u8]>),
    /// Decrypted: zeroed when the last owner drops them.
    Wiped(Arc<Zeroizing<Vec<u8>>>),
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Wiped(bytes) => bytes,
        }
    }
}

impl From<Vec<u8>> for Held {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Plain(bytes.into())
    }
}

struct InHand(Held);

impl Source for InHand {
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        bytes.clear();
        let start = usize::try_from(span.offset).unwrap_or(usize::MAX);
        let found = self.0.as_ref();
        let found = found.get(start..start.saturating_add(span.len as usize));
        bytes.extend_from_slice(found.ok_or_else(out_of_range)?);
        Ok(())
    }

    fn whole(&self) -> Option<Vec<u8>> {
        Some(self.0.as_ref().to_vec())
    }
}

/// Bytes kept in memory as they were read, in chunks. Never on a disk, because they may hold secrets.
#[derive(Default)]
pub(super) struct Kept {
    chunks: RwLock<Chunks>,
}

#[derive(Default)]
struct Chunks {
    /// Full chunks, each of [`CHUNK`] bytes; `last` is the one being filled.
    full: Vec<Box<[u8]>>,
    last: Vec<u8>,
}

const CHUNK: usize = 1 << 20;

impl Kept {
    fn push(&self, mut bytes: &[u8]) {
        let mut chunks = self
            .chunks
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        while !bytes.is_empty() {
            let room = CHUNK - chunks.last.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            chunks.last.extend_from_slice(now);
            bytes = later;
            if chunks.last.len() == CHUNK {
                let full = std::mem::take(&mut chunks.last);
                chunks.full.push(full.into());
            }
        }
    }
}

impl Kept {
    fn append(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        let chunks = self
            .chunks
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut at = usize::try_from(span.offset).map_err(|_| out_of_range())?;
        while bytes.len() < span.len as usize {
            let chunk = match at / CHUNK {
                full if full < chunks.full.len() => &*chunks.full[full],
                last if last == chunks.full.len() => &*chunks.last,
                _ => return Err(out_of_range()),
            };
            let rest = chunk.get(at % CHUNK..).unwrap_or_default();
            if rest.is_empty() {
                return Err(out_of_range());
            }
            let wanted = (span.len as usize - bytes.len()).min(rest.len());
            bytes.extend_from_slice(&rest[..wanted]);
            at += wanted;
        }
        Ok(())
    }
}

impl Source for Kept {
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        bytes.clear();
        let outcome = self.append(span, bytes);
        if outcome.is_err() {
            bytes.clear();
        }
        outcome
    }

    fn whole(&self) -> Option<Vec<u8>> {
        let chunks = self
            .chunks
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let full = chunks.full.iter().map(|chunk| &**chunk);
        Some(full.chain([&*chunks.last]).collect::<Vec<_>>().concat())
    }
}

fn out_of_range() -> SourceError {
    SourceError::Io {
        file: "the bytes in memory".to_owned(),
        message: "nothing stands there".to_owned(),
    }
}
