//! The text of the configuration file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::LoadError;

/// Maximum size of a configuration file, in bytes.
const MAX: u64 = 1 << 20;

/// The text of the configuration file. `None` if there is no such file.
///
/// # Errors
///
/// If the file cannot be read.
pub fn text(file: &Path) -> Result<Option<String>, LoadError> {
    let read = || -> io::Result<String> {
        let mut text = String::new();
        File::open(file)?.take(MAX).read_to_string(&mut text)?;
        Ok(text)
    };
    match read() {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(LoadError::Io {
            file: file.display().to_string(),
            source,
        }),
    }
}
