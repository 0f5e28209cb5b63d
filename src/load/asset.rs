//! Assets and archives on this machine's disk: compares them with the hashes that a state recorded.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::pulumi::asset::{self, AccessError, Files, Format, Listing, Opened, Progress};
use crate::value::{Archive, Asset, Text};

/// The files of this machine; relative paths begin at `base`, the folder of the program that made the stack.
#[derive(Clone, Debug)]
pub struct Disk {
    base: PathBuf,
}

impl Disk {
    /// Files with relative paths below `base`.
    pub fn new(base: impl Into<PathBuf>) -> Self {
        Self { base: base.into() }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.base.join(path)
    }
}

/// Maximum depth of nested folders that are walked.
const MAX_FOLDERS: usize = 128;

/// Maximum number of files in one folder that are walked.
const MAX_FILES: usize = 1_000_000;

impl Files for Disk {
    fn open(&self, path: &str) -> io::Result<Opened> {
        let path = self.at(path);
        let metadata = fs::metadata(&path)?;
        // A pipe or a device would never end.
        if !metadata.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(Opened {
            length: metadata.len(),
            bytes: Box::new(fs::File::open(&path)?),
        })
    }

    fn walk(&self, path: &str) -> io::Result<Option<Vec<String>>> {
        let path = self.at(path);
        if !fs::metadata(&path)?.is_dir() {
            return Ok(None);
        }
        let mut names = Vec::new();
        // Links to folders are left out, and so is `.pulumi`, even if it is the folder itself.
        let is_left_out = fs::symlink_metadata(&path)?.is_symlink()
            || path.file_name().is_some_and(|name| name == ".pulumi");
        if !is_left_out {
            walk(&path, "", 0, &mut names)?;
        }
        Ok(Some(names))
    }
}

fn walk(folder: &Path, below: &str, depth: usize, names: &mut Vec<String>) -> io::Result<()> {
    if depth > MAX_FOLDERS {
        return Err(io::Error::other("folders nest too deep"));
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().into_string();
        let name = name.map_err(|_| io::Error::other("a file name is not UTF-8"))?;
        entries.push((name, entry.file_type()?, entry.path()));
    }
    entries.sort_unstable_by(|(a, ..), (b, ..)| a.cmp(b));
    for (name, kind, path) in entries {
        if name == ".pulumi" {
            continue;
        }
        let name = format!("{below}{name}");
        if kind.is_dir() {
            walk(&path, &format!("{name}/"), depth + 1, names)?;
        } else if !(kind.is_symlink() && fs::metadata(&path)?.is_dir()) {
            if names.len() >= MAX_FILES {
                return Err(io::Error::other("too many files"));
            }
            names.push(name);
        }
    }
    Ok(())
}

/// The asset or archive to verify.
#[derive(Clone, Copy, Debug)]
pub enum Blob<'v> {
    /// One blob.
    Asset(&'v Asset),
    /// A collection of blobs.
    Archive(&'v Archive),
}

impl Blob<'_> {
    fn hash(&self) -> &Text {
        match self {
            Self::Asset(asset) => &asset.hash,
            Self::Archive(archive) => &archive.hash,
        }
    }

    fn path(&self) -> &Text {
        match self {
            Self::Asset(asset) => &asset.path,
            Self::Archive(archive) => &archive.path,
        }
    }
}

/// The result of comparing the contents with the recorded hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The contents have the recorded hash.
    Match,
    /// The contents have another hash.
    Mismatch {
        /// The hash of the contents.
        found: String,
    },
    /// There is no such file.
    Missing,
    /// The file records no hash; `found` is the hash of the contents.
    NotRecorded {
        /// The hash of the contents.
        found: String,
    },
}

/// The SHA-256 of `blob` as it is on disk, lower-case hexadecimal.
pub fn hash(blob: Blob<'_>, disk: &Disk, progress: Progress<'_>) -> Result<String, AccessError> {
    match blob {
        Blob::Asset(asset) => asset::hash_asset(asset, disk, progress),
        Blob::Archive(archive) => asset::hash_archive(archive, disk, progress),
    }
}

/// Hashes `blob` as it is on disk and compares. `progress` gets the number of bytes so far (see [`size`] for the total) and
/// stops the work by breaking.
///
/// # Errors
///
/// If the contents exist but cannot be read, or if the work is stopped.
pub fn verify(blob: Blob<'_>, disk: &Disk, progress: Progress<'_>) -> Result<Verdict, AccessError> {
    let found = match hash(blob, disk, progress) {
        Ok(found) => found,
        Err(AccessError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(Verdict::Missing);
        }
        Err(err) => return Err(err),
    };
    let recorded = blob.hash().as_bytes();
    Ok(if recorded.is_empty() {
        Verdict::NotRecorded { found }
    } else if recorded.eq_ignore_ascii_case(found.as_bytes()) {
        Verdict::Match
    } else {
        Verdict::Mismatch { found }
    })
}

/// Number of bytes that [`verify`] will read, for a progress bar; `None` if that is not known at once.
pub fn size(blob: Blob<'_>, disk: &Disk) -> Option<u64> {
    let path = blob.path().as_str().filter(|path| !path.is_empty())?;
    let metadata = fs::metadata(disk.at(path)).ok()?;
    if metadata.is_file() {
        return Some(metadata.len());
    }
    let names = disk.walk(path).ok()??;
    let sizes = names
        .iter()
        .filter_map(|name| fs::metadata(disk.at(path).join(name)).ok());
    Some(sizes.map(|metadata| metadata.len()).sum())
}

/// Lists the archive file at `path`.
///
/// # Errors
///
/// If it cannot be opened, or nothing in it can be read in the format that its name gives.
pub fn list(path: &str, disk: &Disk, progress: Progress<'_>) -> Result<Listing, AccessError> {
    let format = Format::of_name(path).ok_or_else(|| AccessError::NotArchive(path.to_owned()))?;
    let opened = disk.open(path).map_err(|source| AccessError::Io {
        path: path.to_owned(),
        source,
    })?;
    asset::list(path, format, opened, progress)
}

/// A progress callback that stops the work once `flag` is set: for a worker that a person may cancel.
pub fn stop_at(
    flag: &std::sync::atomic::AtomicBool,
    mut tell: impl FnMut(u64),
) -> impl FnMut(u64) -> ControlFlow<()> {
    move |n_read| {
        tell(n_read);
        if flag.load(std::sync::atomic::Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[cfg(test)]
mod tests;
