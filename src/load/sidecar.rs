//! Small companion files of the opened one: read with a limit, and only if they are regular files.
//!
//! An untrusted folder may hold a pipe that never ends, a device, or a huge file.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Maximum size in bytes of a file with a few words, such as the name of a workspace.
pub(super) const WORDS: u64 = 1 << 16;

/// The bytes of a regular file of at most `max` bytes.
///
/// # Errors
///
/// If it is something else or larger, or the system refuses.
pub(super) fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe waits for its other end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        let size = crate::format::size(max);
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("larger than {size}"),
        ));
    }
    Ok(bytes)
}

/// The first bytes of a regular file.
pub(super) fn head(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(WORDS).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a regular file of a few words.
///
/// # Errors
///
/// If it is something else or larger, or the system refuses.
pub(super) fn words(path: &Path) -> io::Result<String> {
    let bytes = read(path, WORDS)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
