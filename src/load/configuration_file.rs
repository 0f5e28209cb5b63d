//! The text of the configuration file.

use std::fs::File;
use std::io;
use std::path::Path;

use super::LoadError;
use crate::text::Limit;

const LIMIT: Limit = Limit {
    bytes: 1 << 20,
    advice: "--config names another file of settings",
};

/// The text of the configuration file. `None` if there is no such file.
///
/// # Errors
///
/// If the file cannot be read, or is too large.
pub fn text(file: &Path) -> Result<Option<String>, LoadError> {
    match File::open(file).and_then(|file| LIMIT.read_text(file)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(LoadError::io(file, source)),
    }
}
