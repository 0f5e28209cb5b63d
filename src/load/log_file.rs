//! The file of the log, and its clock.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::LoadError;
use crate::log::{Level, install};

/// The start of every line.
const START: &str = "{\"ms\":";

/// Logs into `file` from now on: after what an earlier run logged there. A line has the milliseconds since the start of the program.
///
/// # Errors
///
/// If the file cannot be written, or holds something other than a log.
pub fn open(file: &Path, level: Level) -> Result<(), LoadError> {
    let opened = appended(file).map_err(|source| LoadError::io(file, source))?;
    let (started, opened) = (Instant::now(), Mutex::new(opened));
    let sink = move |line: &str| {
        let line = format!("{START}{},{line}}}\n", started.elapsed().as_millis());
        let mut file = opened.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk must not end the program.
        _ = file.write_all(line.as_bytes());
    };
    install(level, Box::new(sink));
    Ok(())
}

fn appended(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let mut opened = options.read(true).append(true).create(true).open(file)?;
    let mut start = Vec::new();
    let most = START.len() as u64;
    Read::by_ref(&mut opened)
        .take(most)
        .read_to_end(&mut start)?;
    if !start.is_empty() && start != START.as_bytes() {
        let message = "is no log, expected a new file, or the log of an earlier run";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
    }
    Ok(opened)
}

/// The seconds since 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
