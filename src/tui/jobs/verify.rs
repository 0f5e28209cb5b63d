//! Comparing an asset or an archive on disk with its recorded hash.

use std::path::PathBuf;

use super::pace::Pace;
use super::{Cancel, Job, Topic};
use crate::load::asset::{self, Blob, Disk, Verdict};
use crate::pulumi::asset::{Format, Listing};
use crate::value::{Payload, Value};

/// Minimum time between two reports of progress, in milliseconds.
const PATIENCE: u64 = 40;

/// A request to hash an asset or an archive on disk, and to list an archive file.
pub struct HashAsset {
    /// The asset or archive.
    pub value: Value,
    /// The folder that relative paths start from.
    pub base: PathBuf,
}

/// An answer about the hash.
pub enum Hashed {
    /// It is being computed.
    Progress {
        /// Number of bytes read.
        n_read: u64,
        /// Number of bytes in total, if known.
        size: Option<u64>,
    },
    /// It is known.
    Verified(Verified),
}

/// The result of verifying an asset or an archive.
pub struct Verified {
    /// The comparison of the contents with the recorded hash, or why they could not be read.
    pub verdict: Result<Verdict, String>,
    /// The contents of an archive file; `None` for anything else and for a file that was not read.
    pub listing: Option<Result<Listing, String>>,
}

impl Job for HashAsset {
    type Answer = Hashed;

    const TOPIC: Topic = Topic::named("verifying");

    /// Reports the progress now and then.
    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let disk = Disk::new(self.base);
        let blob = match self.value.payload() {
            Payload::Asset(asset) => Blob::Asset(asset),
            Payload::Archive(archive) => Blob::Archive(archive),
            _ => return,
        };
        let size = asset::size(blob, &disk);
        let mut pace = Pace::new(PATIENCE);
        let mut progress = asset::stop_at(cancel.flag(), |n_read| {
            pace.answer(|| say(Hashed::Progress { n_read, size }));
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
        say(Hashed::Verified(Verified { verdict, listing }));
    }
}
