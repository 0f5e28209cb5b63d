//! File formats: the table of formats, sniffing, and the scanner that finds elements.
//!
//! A format is a few pure functions over bytes; [`crate::load`] is the only one that knows files, pipes, threads and offsets.

use std::fmt;

use crate::stack::{Resource, ResourceId, Span, Stack};

/// The bytes of a loaded file, for reading a resource again.
pub trait Source: Send + Sync {
    /// The bytes of `span`.
    ///
    /// # Errors
    ///
    /// If the file changed or went away since it was indexed: bytes of another version are never returned.
    fn read(&self, span: Span) -> Result<Vec<u8>, SourceError>;
}

/// Why bytes cannot be read again.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum SourceError {
    /// The file is not the one that was indexed any more.
    #[error("{file} changed since it was opened; reload it")]
    Changed {
        /// The file.
        file: String,
    },
    /// The system refused.
    #[error("reading {file}: {message}")]
    Io {
        /// The file.
        file: String,
        /// The system's words.
        message: String,
    },
}

/// Why one resource, or the whole file, cannot be read.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The bytes are not there.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The bytes are not what the format says.
    #[error("expected {expected} at {place}, found {found}")]
    Unexpected {
        /// Where: a path in the file, or line and column.
        place: String,
        /// What the format asks for.
        expected: String,
        /// What is there.
        found: String,
    },
}

impl ReadError {
    /// The text `expected EXPECTED at PLACE, found FOUND`.
    pub fn unexpected(
        place: impl fmt::Display,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Self {
        Self::Unexpected {
            place: place.to_string(),
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}

/// The whole of one resource, read from its bytes.
///
/// # Errors
///
/// If the bytes cannot be had again, or are not a resource of the format.
pub fn resource(stack: &Stack, id: ResourceId, source: &dyn Source) -> Result<Resource, ReadError> {
    let _bytes = source.read(stack.record(id).span)?;
    Err(ReadError::unexpected(
        stack.identity(id),
        "a known format",
        stack.header.kind,
    ))
}

/// The bytes of a loaded file for a search.
pub struct Supplied<'s>(pub &'s dyn Source);

impl crate::search::Supply for Supplied<'_> {
    fn bytes(&self, span: Span, bytes: &mut Vec<u8>) -> bool {
        self.0.read(span).map(|read| *bytes = read).is_ok()
    }

    fn resource(&self, stack: &Stack, id: ResourceId) -> Option<Resource> {
        resource(stack, id, self.0).ok()
    }
}
