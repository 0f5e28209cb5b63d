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

    /// Puts the bytes of `span` into `bytes` in place of what was there, so that one buffer serves for many reads. It is empty
    /// after an error.
    ///
    /// # Errors
    ///
    /// As [`Source::read`].
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError>;

    /// Where in the file the bytes of `span` begin that a path into the file leads to: those of one step, where the bytes are those
    /// of several.
    fn place(&self, span: Span) -> Span {
        span
    }
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
