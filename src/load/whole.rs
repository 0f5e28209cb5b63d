//! A whole file as one value: provider schemas, and plans that are to be printed as their own tool would.

use std::fs;
use std::io::{self, Read as _};

use super::{Input, LoadError, name};
use crate::json::{self, Numbers};
use crate::value::Value;

/// All of `input` as plain JSON, with exact numbers. For files of a few megabytes: nothing else of the program works like this.
///
/// # Errors
///
/// If the system refuses, or if it is not JSON.
pub fn value(input: &Input) -> Result<Value, LoadError> {
    let bytes = bytes(input).map_err(|source| LoadError::Io {
        file: name(input),
        source,
    })?;
    match json::parse(&bytes, Numbers::Exact) {
        Ok(parsed) => Ok(parsed.value),
        Err(error) => Err(LoadError::Unreadable {
            file: name(input),
            message: error.to_string(),
            detail: String::new(),
        }),
    }
}

fn bytes(input: &Input) -> io::Result<Vec<u8>> {
    match input {
        Input::Keyed(_) => bytes(input.bare()),
        Input::Path(path) | Input::Folder(path) => fs::read(path),
        Input::Bytes { bytes, .. } => Ok(bytes.to_vec()),
        Input::WithSchemas(both) => bytes(&both.0),
        Input::Pair(_) => Err(io::Error::other("these are two files, expected one")),
        Input::Stdin => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            Ok(bytes)
        }
    }
}
