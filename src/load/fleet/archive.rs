//! Archives of states: their entries are read one after another, and nothing is written anywhere.
//!
//! The name of an entry is only shown. Of links and devices in an archive nothing is read. An archive in a bucket is held in memory as it
//! is packed.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use super::super::remote::Address;
use super::super::{Limits, LoadError, memory, prepare, run};
use super::versions::{self, Recorded, StateFile};
use super::walk::{Found, candidate};
use super::{Candidate, Ended, MAX_WAITING, Place, Version, is_archive};
use crate::format;
use crate::text::Limit;

/// Maximum size of an archive that is read twice, to find the versions of its states first.
const MAX_PACKED: u64 = 16 << 20;

/// The place of an archive.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Archive {
    /// A file.
    File(PathBuf),
    /// An object in a bucket, or behind HTTP.
    Object(Address),
}

/// The bytes of an archive.
trait Packed: Read + Seek + Send {}

impl<T: Read + Seek + Send> Packed for T {}

impl Archive {
    /// The path by which it is named, without secrets of a URL.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Object(address) => address.path(),
        }
    }

    /// The name of an entry with that of the archive.
    pub(super) fn entry_name(&self, entry: &str) -> String {
        format!("{}!/{entry}", self.path().display())
    }

    fn open(&self, limits: Limits) -> io::Result<Box<dyn Packed>> {
        Ok(match self {
            Self::File(path) => Box::new(File::open(path)?),
            Self::Object(address) => {
                let bytes = address.read(limits.whole())?;
                memory::expect_bytes(bytes.len() as u64);
                Box::new(Cursor::new(bytes))
            }
        })
    }

    /// True for a plan file, which is a zip archive too.
    pub(super) fn is_plan(&self, limits: Limits) -> bool {
        let is_zip = self.path().extension().is_some_and(|it| it == "zip");
        let names_plan = |packed: Box<dyn Packed>| {
            let archive = zip::ZipArchive::new(packed).ok()?;
            archive.index_for_name("tfplan")
        };
        // A remote archive is opened only if its name says zip, because opening fetches it a second time.
        (is_zip || matches!(self, Self::File(_)))
            && self.open(limits).ok().and_then(names_plan).is_some()
    }
}

/// An entry of an archive.
struct Entry<'e> {
    name: String,
    bytes: &'e mut dyn Read,
    /// Maximum number of bytes.
    limit: Limit,
    modified: Option<u64>,
}

/// Takes an entry.
type Take<'t> = dyn FnMut(Entry<'_>) -> ControlFlow<()> + 't;

/// Finds the candidates in an archive, in its order.
pub(super) fn find(
    archive: &Archive,
    limits: Limits,
    ended: &mut Ended,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    let mut flow = ControlFlow::Continue(());
    let mut versions = versions(archive, limits);
    let outcome = entries(archive, limits, &mut |mut entry| {
        if is_archive(Path::new(&entry.name)) {
            ended.archives.push(archive.path().join(&entry.name));
            return ControlFlow::Continue(());
        }
        let version = versions.remove(Path::new(&entry.name));
        flow = take(archive, &mut entry, version, ended, found);
        flow
    });
    if let Err(source) = outcome
        && flow.is_continue()
    {
        let trouble = LoadError::reading(&archive.path().display().to_string(), source);
        let place = match archive {
            Archive::File(path) => Place::File(path.clone()),
            Archive::Object(address) => Place::Object(address.clone()),
        };
        flow = found(Candidate {
            trouble: Some(trouble),
            ..candidate(place, None, true)
        });
    }
    flow
}

/// Reads an entry, unless its first bytes say that it is no member.
fn take(
    archive: &Archive,
    entry: &mut Entry<'_>,
    version: Option<Version>,
    ended: &mut Ended,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    let place = Place::Entry {
        archive: archive.clone(),
        name: entry.name.clone(),
    };
    let mut candidate = Candidate {
        modified: entry.modified,
        ..candidate(place, None, false)
    };
    candidate.set_version(version);
    let mut bytes = Vec::new();
    let outcome = (|| {
        let head = entry.limit.bytes.min(run::HEAD as u64);
        (&mut *entry.bytes).take(head).read_to_end(&mut bytes)?;
        if !candidate.is_sure && !format::may_be_known(&bytes) {
            return Ok(false);
        }
        entry.limit.read_to(&mut *entry.bytes, &mut bytes)?;
        Ok(true)
    })();
    candidate.bytes = bytes.len() as u64;
    match outcome {
        Ok(false) => {
            ended.n_others += 1;
            return ControlFlow::Continue(());
        }
        Ok(true) => {
            memory::expect_bytes(candidate.bytes);
            candidate.contents = Some(bytes.into());
        }
        Err(source) => {
            let name = candidate.place.to_string();
            candidate.trouble = Some(LoadError::reading(&name, source));
        }
    }
    found(candidate)
}

/// The versions of the stacks in an archive. A large archive, and one in a bucket, is not read twice for them.
pub(super) fn versions(archive: &Archive, limits: Limits) -> HashMap<PathBuf, Version> {
    let is_small = |path: &PathBuf| fs::metadata(path).is_ok_and(|it| it.len() <= MAX_PACKED);
    if !matches!(archive, Archive::File(path) if is_small(path)) {
        return HashMap::new();
    }
    let mut states = Vec::new();
    // Whoever reads the archive meets the same error, and reports it.
    _ = entries(archive, limits, &mut |mut entry| {
        let path = PathBuf::from(&entry.name);
        if versions::may_be_state(&path) {
            states.extend(state(path, &mut entry));
        }
        ControlFlow::Continue(())
    });
    versions::rank(states)
}

/// The state that an entry is.
fn state(path: PathBuf, entry: &mut Entry<'_>) -> Option<StateFile> {
    let mut head = Vec::new();
    let mut bytes = (&mut *entry.bytes).take(entry.limit.bytes);
    (&mut bytes)
        .take(versions::HEAD as u64)
        .read_to_end(&mut head)
        .ok()?;
    Some(StateFile {
        path,
        is_here: false,
        modified: entry
            .modified
            .map(|it| UNIX_EPOCH + Duration::from_secs(it)),
        recorded: Recorded::in_head(&head)?,
        contents: versions::contents(Cursor::new(head).chain(bytes)),
    })
}

/// The bytes of some entries in the order of `wanted`; `None` for those beyond [`MAX_WAITING`] bytes.
pub(super) fn read_all(
    archive: &Archive,
    wanted: &[(PathBuf, Version)],
    limits: Limits,
) -> Vec<Option<Arc<[u8]>>> {
    let mut contents: Vec<Option<Arc<[u8]>>> = vec![None; wanted.len()];
    let mut left = MAX_WAITING;
    _ = entries(archive, limits, &mut |entry| {
        let at = wanted
            .iter()
            .position(|(path, _)| *path == Path::new(&entry.name));
        if let Some(at) = at {
            let limit = Limit {
                bytes: entry.limit.bytes.min(left),
                ..entry.limit
            };
            let bytes = limit.read(&mut *entry.bytes).ok();
            left -= bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
            contents[at] = bytes.map(Into::into);
        }
        ControlFlow::Continue(())
    });
    contents
}

/// The bytes of one entry, read again.
pub(super) fn read(archive: &Archive, name: &str, limits: Limits) -> Result<Arc<[u8]>, LoadError> {
    let file = archive.entry_name(name);
    let mut bytes = None;
    let outcome = entries(archive, limits, &mut |entry| {
        if entry.name != name {
            return ControlFlow::Continue(());
        }
        bytes = Some(entry.limit.read(&mut *entry.bytes));
        ControlFlow::Break(())
    });
    match (bytes, outcome) {
        (Some(Ok(bytes)), _) => Ok(bytes.into()),
        (Some(Err(source)), _) | (None, Err(source)) => Err(LoadError::reading(&file, source)),
        (None, Ok(())) => Err(LoadError::Io {
            file,
            source: io::ErrorKind::NotFound.into(),
        }),
    }
}

/// Passes the files in an archive to `take`, until it breaks.
fn entries(archive: &Archive, limits: Limits, take: &mut Take<'_>) -> io::Result<()> {
    let mut packed = archive.open(limits)?;
    let mut magic = [0; 4];
    let n_read = packed.read(&mut magic)?;
    packed.rewind()?;
    if magic[..n_read].starts_with(b"PK") {
        zipped(packed, limits, take)
    } else {
        let unpacked = prepare::unpacking(Box::new(packed), limits)?;
        taped(unpacked, limits, take)
    }
}

fn taped(reader: Box<dyn Read + Send>, limits: Limits, take: &mut Take<'_>) -> io::Result<()> {
    let mut archive = tar::Archive::new(reader);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let modified = entry.header().mtime().ok();
        let entry = Entry {
            name,
            bytes: &mut entry,
            limit: limits.whole(),
            modified,
        };
        if take(entry).is_break() {
            return Ok(());
        }
    }
    Ok(())
}

fn zipped(packed: Box<dyn Packed>, limits: Limits, take: &mut Take<'_>) -> io::Result<()> {
    let broken = |error: zip::result::ZipError| match error {
        zip::result::ZipError::Io(error) => error,
        error => io::Error::new(io::ErrorKind::InvalidData, error.to_string()),
    };
    let mut archive = zip::ZipArchive::new(packed).map_err(broken)?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(broken)?;
        if !entry.is_file() {
            continue;
        }
        let max = if limits.any_ratio {
            limits.max_bytes
        } else {
            prepare::most(entry.compressed_size()).min(limits.max_bytes)
        };
        let name = match entry.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
        };
        let entry = Entry {
            name,
            limit: Limit {
                bytes: max,
                ..limits.whole()
            },
            modified: None,
            bytes: &mut entry,
        };
        if take(entry).is_break() {
            return Ok(());
        }
    }
    Ok(())
}
