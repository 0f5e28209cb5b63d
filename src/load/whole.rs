//! A whole file as one value: provider schemas, and plans that are printed like their own tool prints them.

use std::fs;
use std::io;

use super::memory::Piped;
use super::{Input, Limits, LoadError, Origin, name};
use crate::json::{self, Numbers};
use crate::text::Limit;
use crate::value::Value;

/// The limit of a file that is held in memory as one value.
const LIMIT: Limit = Limit {
    bytes: 512 << 20,
    advice: "leave out what is not needed",
};

/// All of `input` as plain JSON, with exact numbers. For files of a few megabytes: nothing else in the program works like this.
///
/// # Errors
///
/// If the system returns an error, or if the file is not JSON.
pub fn value(input: &Input) -> Result<Value, LoadError> {
    let bytes = bytes(input)?;
    match json::parse(&bytes, Numbers::Exact) {
        Ok(parsed) => Ok(parsed.value),
        Err(error) => Err(LoadError::Unreadable {
            file: name(input),
            message: error.to_string(),
            detail: String::new(),
        }),
    }
}

/// All bytes of `input`.
pub(super) fn bytes(input: &Input) -> Result<Vec<u8>, LoadError> {
    super::memory::expect(input, Limits::default());
    read(input).map_err(|source| LoadError::Io {
        file: name(input),
        source,
    })
}

fn read(input: &Input) -> io::Result<Vec<u8>> {
    if input.older.is_some() {
        return Err(io::Error::other("these are two files, expected one"));
    }
    match &input.origin {
        // The person named it: it may be a pipe.
        Origin::Path(path) => LIMIT.read(Piped::new(fs::File::open(path)?)),
        Origin::Object(address) => address.read(LIMIT),
        Origin::Roots(_) => Err(io::Error::other("these are many files, expected one")),
        Origin::Bytes { bytes, .. } => Ok(bytes.to_vec()),
        Origin::Stdin => LIMIT.read(Piped::new(io::stdin().lock())),
    }
}
