//! Sources: the bytes of a loaded file, for reading its resources again.

use std::fmt;

use crate::stack::Span;

/// The bytes of a loaded file, for reading a resource again.
pub trait Source: Send + Sync {
    /// The bytes of `span`.
    ///
    /// # Errors
    ///
    /// If the file changed or went away since it was indexed: bytes of another version are never returned.
    fn read(&self, span: Span) -> Result<Vec<u8>, SourceError> {
        let mut bytes = Vec::new();
        self.read_into(span, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads the bytes of `span` into `bytes`, replacing its contents, so that one buffer serves for many reads. The buffer is
    /// empty after an error.
    ///
    /// # Errors
    ///
    /// As [`Source::read`].
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError>;

    /// All bytes of the file; `None` if it is no single document, or cannot be read.
    fn whole(&self) -> Option<Vec<u8>> {
        None
    }

    /// The span in the file for a path that leads into the file. If the bytes are those of several steps, it is the span of one
    /// of them.
    fn place(&self, span: Span) -> Span {
        span
    }
}

/// The reason why bytes cannot be read again.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum SourceError {
    /// The file is no longer the one that was indexed.
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
        /// The system's error message.
        message: String,
    },
}

/// The reason why one resource, or the whole file, cannot be read.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The bytes cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The bytes do not match the format.
    #[error("expected {expected} at {place}, found {found}")]
    Unexpected {
        /// The place: a path in the file, or line and column.
        place: String,
        /// The expected contents.
        expected: String,
        /// The contents that were found.
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
