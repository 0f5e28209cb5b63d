//! Small companion files of the opened one: read with a limit, and only if they are regular files.
//!
//! An untrusted folder may hold a pipe that never ends, a device, or a huge file.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use crate::text::Limit;

/// The limit of a file with a few words, such as the name of a workspace.
const WORDS: Limit = Limit {
    bytes: 1 << 16,
    advice: "a few words are expected",
};

/// The bytes of a regular file up to a limit.
///
/// # Errors
///
/// If it is something else or larger, or the system refuses.
pub(super) fn read(path: &Path, limit: Limit) -> io::Result<Vec<u8>> {
    limit.read(open(path)?)
}

/// The first bytes of a regular file.
pub(super) fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(WORDS.bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn open(path: &Path) -> io::Result<File> {
    // Opening a pipe waits for its other end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    File::open(path)
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
