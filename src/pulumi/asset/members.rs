//! The members of an archive in order, including those of nested archives.

use std::io::{Read, Seek, SeekFrom};

use super::{
    AccessError, EMPTY_ARCHIVE, Files, Format, Opened, Source, asset_source, name, open, outer,
};
use crate::value::{Archive, Asset, Member};

/// Maximum nesting depth of archives inside of archives.
pub const MAX_NESTING: usize = 64;

/// The longest name that an extended header of a tar file may hold, in bytes.
pub(super) const MAX_NAME: u64 = 1 << 20;

/// Takes a member: its name, its size and its contents, which need not be read to the end.
pub(super) type Take<'t> = &'t mut dyn FnMut(&str, u64, &mut dyn Read) -> Result<(), AccessError>;

/// The source of the contents of an archive.
pub(super) fn source(archive: &Archive) -> Result<Source<&Archive>, AccessError> {
    outer(&archive.path, &archive.uri, || {
        let has_members = archive
            .assets
            .as_ref()
            .is_some_and(|assets| !assets.is_empty());
        let hash = archive.hash.as_bytes();
        // The members are unknown, so this must not hash like an empty archive.
        let is_literal = has_members || hash.is_empty() || hash == EMPTY_ARCHIVE.as_bytes();
        is_literal.then_some(archive)
    })
}

/// Calls `take` with every member, in hash order.
pub(super) fn walk(
    archive: &Archive,
    files: &dyn Files,
    depth: usize,
    take: Take<'_>,
) -> Result<(), AccessError> {
    if depth > MAX_NESTING {
        return Err(AccessError::TooDeep);
    }
    let path = match source(archive)? {
        Source::Literal(archive) => return literal(archive, files, depth, take),
        Source::Path(path) => path,
    };
    if let Some(format) = Format::of_name(&path) {
        return file(&path, format, open(&path, files)?, take);
    }
    let names = files.walk(&path).map_err(|source| AccessError::Io {
        path: path.clone(),
        source,
    })?;
    let Some(names) = names else {
        return Err(AccessError::NotArchive(path));
    };
    for name in names {
        let mut opened = open(&format!("{path}/{name}"), files)?;
        take(&name, opened.length, &mut opened.bytes)?;
    }
    Ok(())
}

fn literal(
    archive: &Archive,
    files: &dyn Files,
    depth: usize,
    take: Take<'_>,
) -> Result<(), AccessError> {
    let mut members: Vec<_> = archive.assets.iter().flatten().collect();
    members.sort_unstable_by_key(|(name, _)| *name);
    for (outer, member) in members {
        match member {
            Member::Asset(asset) => one(outer, asset, files, take)?,
            Member::Archive(inner) => walk(inner, files, depth + 1, &mut |name, size, bytes| {
                take(&name::join(outer, name), size, bytes)
            })?,
        }
    }
    Ok(())
}

fn one(name: &str, asset: &Asset, files: &dyn Files, take: Take<'_>) -> Result<(), AccessError> {
    match asset_source(asset)? {
        Source::Literal(mut text) => take(name, text.len() as u64, &mut text),
        Source::Path(path) => {
            let mut opened = open(&path, files)?;
            take(name, opened.length, &mut opened.bytes)
        }
    }
}

fn file(path: &str, format: Format, opened: Opened, take: Take<'_>) -> Result<(), AccessError> {
    match format {
        Format::Tar => tar(path, format, opened.bytes, take),
        Format::TarGz => {
            let unpacked = flate2::read::MultiGzDecoder::new(opened.bytes);
            tar(path, format, unpacked, take)
        }
        Format::Zip => zip(path, opened, take),
    }
}

pub(super) fn malformed(path: &str, format: Format, why: &dyn std::fmt::Display) -> AccessError {
    AccessError::Malformed {
        path: path.to_owned(),
        format: format.name(),
        why: why.to_string(),
    }
}

fn tar(path: &str, format: Format, bytes: impl Read, take: Take<'_>) -> Result<(), AccessError> {
    let wrong = |why: &dyn std::fmt::Display| malformed(path, format, why);
    let mut archive = tar::Archive::new(bytes);
    let mut names = LongNames::default();
    for entry in archive.entries().map_err(|err| wrong(&err))?.raw(true) {
        let mut entry = entry.map_err(|err| wrong(&err))?;
        let Some(name) = names.next(&mut entry).map_err(|why| wrong(&why))? else {
            continue;
        };
        let kind = entry.header().entry_type();
        if kind.is_dir() || (kind.is_file() && name.ends_with('/')) {
            continue;
        }
        if !kind.is_file() {
            return Err(wrong(&"an entry is neither a file nor a folder"));
        }
        let size = entry.header().entry_size().map_err(|err| wrong(&err))?;
        take(&name::clean(&name), size, &mut entry)?;
    }
    Ok(())
}

/// The names that extended headers give to the entry after them.
#[derive(Default)]
pub(super) struct LongNames {
    pending: Option<String>,
}

impl LongNames {
    /// The name of `entry`, or `None` if it is itself the extended header of another.
    pub(super) fn next<R: Read>(
        &mut self,
        entry: &mut tar::Entry<'_, R>,
    ) -> Result<Option<String>, &'static str> {
        let kind = entry.header().entry_type();
        let is_extension = kind.is_gnu_longname() || kind.is_pax_local_extensions();
        if is_extension {
            let mut contents = Vec::new();
            entry
                .take(MAX_NAME + 1)
                .read_to_end(&mut contents)
                .map_err(|_| "an extended header is cut short")?;
            if contents.len() as u64 > MAX_NAME {
                return Err("an extended header is too long");
            }
            if kind.is_gnu_longname() {
                while contents.last() == Some(&0) {
                    contents.pop();
                }
                self.pending = Some(String::from_utf8_lossy(&contents).into_owned());
                return Ok(None);
            }
            for record in tar::PaxExtensions::new(&contents) {
                let record = record.map_err(|_| "an extended header is broken")?;
                match record.key_bytes() {
                    b"path" => {
                        let name = String::from_utf8_lossy(record.value_bytes());
                        self.pending = Some(name.into_owned());
                    }
                    b"size" => return Err("an entry is larger than 8 GiB"),
                    _ => {}
                }
            }
            return Ok(None);
        }
        if kind.is_pax_global_extensions() || kind.is_gnu_longlink() {
            return Ok(None);
        }
        let own = || String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        Ok(Some(self.pending.take().unwrap_or_else(own)))
    }
}

fn zip(path: &str, opened: Opened, take: Take<'_>) -> Result<(), AccessError> {
    let wrong = |why: &dyn std::fmt::Display| malformed(path, Format::Zip, why);
    let mut bytes = opened.bytes;
    bytes.seek(SeekFrom::Start(0)).map_err(|err| wrong(&err))?;
    let mut archive = zip::ZipArchive::new(bytes).map_err(|err| wrong(&err))?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|err| wrong(&err))?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        if name.ends_with('/') || entry.is_dir() {
            continue;
        }
        let size = entry.size();
        take(&name::clean(&name), size, &mut entry)?;
    }
    Ok(())
}
