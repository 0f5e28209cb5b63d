//! Lists the entries of an archive file without unpacking it to a disk.

use std::io::{self, Read};

use super::members::{LongNames, malformed};
use super::{AccessError, Format, Opened, Progress, Watch, name};

/// Maximum number of entries in a listing.
pub const MAX_ENTRIES: usize = 100_000;

/// Maximum number of bytes that are unpacked to list a compressed tar file.
pub const MAX_UNPACKED: u64 = 4 << 30;

/// The entries of an archive file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
    /// The reason why the listing ends before the file does.
    pub stopped: Option<Stopped>,
}

/// The reason why a listing is not whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// After [`MAX_ENTRIES`].
    Entries,
    /// After [`MAX_UNPACKED`].
    Unpacked,
    /// The file is cut short or broken from here on.
    Broken(String),
}

/// One entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name as written, with U+FFFD for bytes that are not UTF-8.
    pub name: String,
    /// The kind: file, folder or other.
    pub kind: EntryKind,
    /// The size of its contents in bytes.
    pub size: u64,
    /// True if a file of this name would be unpacked to a place outside of the target folder.
    pub is_outside: bool,
}

/// The kind of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A link, a device or something else.
    Other,
}

/// Lists an archive file of `format`. The contents in a zip file are not read; those in a tar file are skipped.
///
/// # Errors
///
/// If nothing of the file can be read as this format, or the work is stopped.
pub fn list(
    path: &str,
    format: Format,
    opened: Opened,
    progress: Progress<'_>,
) -> Result<Listing, AccessError> {
    let watch = Watch::new(progress);
    match format {
        Format::Zip => zip(path, opened),
        Format::Tar => tar(
            path,
            format,
            Watched {
                bytes: opened.bytes,
                watch,
            },
        ),
        Format::TarGz => {
            let watched = Watched {
                bytes: opened.bytes,
                watch,
            };
            tar(
                path,
                format,
                flate2::read::MultiGzDecoder::new(watched).take(MAX_UNPACKED),
            )
        }
    }
}

/// A reader that reports its progress.
struct Watched<'p, R> {
    bytes: R,
    watch: Watch<'p>,
}

/// The error of a reader that the caller stopped. Not `Interrupted`, after which a read is retried.
const STOPPED: io::ErrorKind = io::ErrorKind::ConnectionAborted;

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.bytes.read(buffer)?;
        self.watch.n_read += n as u64;
        if (self.watch.progress)(self.watch.n_read).is_break() {
            return Err(STOPPED.into());
        }
        Ok(n)
    }
}

fn tar(path: &str, format: Format, bytes: impl Read) -> Result<Listing, AccessError> {
    let mut listing = Listing {
        entries: Vec::new(),
        stopped: None,
    };
    let mut n_passed = 0u64;
    let mut archive = tar::Archive::new(bytes);
    let mut names = LongNames::default();
    let entries = archive
        .entries()
        .map_err(|err| malformed(path, format, &err))?
        .raw(true);
    for entry in entries {
        let step = entry
            .map_err(|err| (err.kind() == STOPPED, err.to_string()))
            .and_then(|mut entry| {
                let size = entry.header().entry_size();
                let size = size.map_err(|err| (false, err.to_string()))?;
                let name = names.next(&mut entry);
                let name = name.map_err(|why| (false, why.to_owned()))?;
                Ok((name, entry.header().entry_type(), size))
            });
        let (name, kind, size) = match step {
            Ok(step) => step,
            Err((true, _)) => return Err(AccessError::Stopped),
            Err((false, why)) if listing.entries.is_empty() => {
                return Err(malformed(path, format, &why));
            }
            Err((false, why)) => {
                let is_limit = format == Format::TarGz && n_passed >= MAX_UNPACKED;
                listing.stopped = Some(if is_limit {
                    Stopped::Unpacked
                } else {
                    Stopped::Broken(why)
                });
                break;
            }
        };
        n_passed = n_passed.saturating_add(size);
        let Some(name) = name else { continue };
        if listing.entries.len() >= MAX_ENTRIES {
            listing.stopped = Some(Stopped::Entries);
            break;
        }
        let kind = match kind {
            kind if kind.is_dir() => EntryKind::Folder,
            kind if kind.is_file() => EntryKind::File,
            _ => EntryKind::Other,
        };
        listing.entries.push(Entry {
            is_outside: name::is_outside(&name),
            name,
            kind,
            size,
        });
    }
    Ok(listing)
}

fn zip(path: &str, opened: Opened) -> Result<Listing, AccessError> {
    let mut archive =
        zip::ZipArchive::new(opened.bytes).map_err(|err| malformed(path, Format::Zip, &err))?;
    let mut listing = Listing {
        entries: Vec::new(),
        stopped: (archive.len() > MAX_ENTRIES).then_some(Stopped::Entries),
    };
    for index in 0..archive.len().min(MAX_ENTRIES) {
        let entry = match archive.by_index_raw(index) {
            Ok(entry) => entry,
            Err(err) => {
                listing.stopped = Some(Stopped::Broken(err.to_string()));
                break;
            }
        };
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let kind = if name.ends_with('/') {
            EntryKind::Folder
        } else if entry.is_symlink() {
            EntryKind::Other
        } else {
            EntryKind::File
        };
        listing.entries.push(Entry {
            is_outside: name::is_outside(&name),
            name,
            kind,
            size: entry.size(),
        });
    }
    Ok(listing)
}
