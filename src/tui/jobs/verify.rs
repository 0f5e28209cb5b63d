//! Comparing an asset or an archive on disk with its recorded hash.

use std::path::PathBuf;

use super::pace::Pace;
use super::{Answer, Cancel};
use crate::load::asset::{self, Blob, Disk, Verdict};
use crate::pulumi::asset::{Format, Listing};
use crate::value::{Payload, Value};

/// Minimum time between two reports of progress, in milliseconds.
const PATIENCE: u64 = 40;

/// The result of verifying an asset or an archive.
pub struct Verified {
    /// The comparison of the contents with the recorded hash, or why they could not be read.
    pub verdict: Result<Verdict, String>,
    /// The contents of an archive file; `None` for anything else and for a file that was not read.
    pub listing: Option<Result<Listing, String>>,
}

/// Hashes an asset or an archive on disk, and lists an archive file. Reports its progress now and then.
pub(super) fn run(value: &Value, base: PathBuf, stop: &Cancel, send: &mut dyn FnMut(Answer)) {
    let disk = Disk::new(base);
    let blob = match value.payload() {
        Payload::Asset(asset) => Blob::Asset(asset),
        Payload::Archive(archive) => Blob::Archive(archive),
        _ => return,
    };
    let size = asset::size(blob, &disk);
    let mut pace = Pace::new(PATIENCE);
    let mut progress = asset::stop_at(stop.flag(), |n_read| {
        pace.answer(|| send(Answer::Verifying { n_read, size }));
    });
    let verdict = asset::verify(blob, &disk, &mut progress).map_err(|error| error.to_string());
    let path = match blob {
        Blob::Archive(archive) => archive.path.as_str().filter(|path| !path.is_empty()),
        Blob::Asset(_) => None,
    };
    let is_there = matches!(
        verdict,
        Ok(Verdict::Match | Verdict::Mismatch { .. } | Verdict::NotRecorded { .. })
    );
    let listing: Option<Result<Listing, String>> = path
        .filter(|path| is_there && Format::of_name(path).is_some())
        .map(|path| asset::list(path, &disk, &mut progress).map_err(|error| error.to_string()));
    drop(progress);
    send(Answer::Verified(Verified { verdict, listing }));
}
