//! Hashes and contents of assets and archives.
//!
//! An asset is a blob: a literal text, a local file, or a URL. An archive is a collection of blobs: literal members, a local
//! file in a known format, a folder, or a URL. Both may carry the SHA-256 of their contents, by which engines compare them.
//!
//! # Laws
//!
//! 1. The hash of an asset is that of its bytes.
//! 2. The hash of an archive that is a file (`.tar`, `.tgz`, `.tar.gz`, `.zip`, `.jar`) is that of the bytes of the file.
//! 3. The hash of an archive of members or of a folder is that of a tar stream with one header for each member and nothing that
//!    depends on time, owner or machine ([`write_tar`]). The empty archive hashes to [`EMPTY_ARCHIVE`].
//! 4. An asset or archive with a hash but no contents is a placeholder: its contents are not known
//!    ([`AccessError::Placeholder`]).
//! 5. `http` and `https` are never fetched.
//! 6. Nothing is ever unpacked to a disk. An entry with a name outside of the target folder is marked ([`Entry::is_outside`]).
//!
//! Files come from the caller, through [`Files`]: the core opens nothing. All sizes are bytes. Every function that reads contents
//! reports its progress and can be stopped ([`Progress`]).
//!
//! ```
//! use stacklens::pulumi::asset::{self, NoFiles};
//! use stacklens::value::Asset;
//!
//! let asset = Asset { text: Some("hello\n".into()), ..Asset::default() };
//! let hash = asset::hash_asset(&asset, &NoFiles, &mut asset::unwatched)?;
//! assert_eq!(hash, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
//! # Ok::<(), asset::AccessError>(())
//! ```
//!
//! # Source
//!
//! pulumi/pulumi `sdk/go/common/resource/{asset,archive}` and the tar format as Go's `archive/tar` writes it.

mod list;
mod members;
mod name;
mod tar_stream;

use std::io::{self, Read, Seek, Write};
use std::ops::ControlFlow;

use sha2::{Digest, Sha256};

#[cfg(feature = "internals")]
pub use list::{Entry, EntryKind};
pub use list::{Listing, MAX_ENTRIES, MAX_UNPACKED, Stopped, list};
pub use members::MAX_NESTING;
pub use tar_stream::write_tar;

use crate::text::hex;
use crate::value::{Archive, Asset};

/// The hash of the archive without members: 1,024 zero bytes.
pub const EMPTY_ARCHIVE: &str = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";

/// The hash of no bytes.
pub const EMPTY_ASSET: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Called with the total number of bytes read so far; breaks to stop the work.
pub type Progress<'p> = &'p mut dyn FnMut(u64) -> ControlFlow<()>;

/// A progress callback that never stops the work.
pub fn unwatched(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Bytes that can be read from anywhere.
pub trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

/// An opened file.
pub struct Opened {
    /// Its length in bytes.
    pub length: u64,
    /// Its bytes.
    pub bytes: Box<dyn Bytes>,
}

/// The files that assets and archives name. The caller decides the base of relative paths.
pub trait Files {
    /// Opens the file at `path`.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it cannot be read.
    fn open(&self, path: &str) -> io::Result<Opened>;

    /// The names of the files of the folder at `path`, relative to it, with `/` between the parts, each folder's entries in
    /// bytewise order; `None` if `path` is not a folder. Leaves out everything named `.pulumi` and links to folders.
    ///
    /// # Errors
    ///
    /// If there is nothing at `path`, or a folder cannot be read.
    fn walk(&self, path: &str) -> io::Result<Option<Vec<String>>>;
}

/// No files at all: for literal contents.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn open(&self, _: &str) -> io::Result<Opened> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn walk(&self, _: &str) -> io::Result<Option<Vec<String>>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// The reason why contents could not be read or hashed.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// A file cannot be opened or read.
    #[error("cannot read {path:?}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The contents are at a URL, which is never fetched.
    #[error("the contents are at {0:?}, which is not fetched")]
    Remote(String),
    /// Only the hash is known.
    #[error("the contents are not recorded, only their hash is")]
    Placeholder,
    /// A path or a URL that is not UTF-8 or not a `file:` URL of this machine.
    #[error("not a path of this machine: {0:?}")]
    Path(String),
    /// Neither a folder nor a known archive format.
    #[error("{0:?} is neither a folder nor a .tar, .tar.gz, .tgz, .zip or .jar file")]
    NotArchive(String),
    /// An archive file is broken, or has an entry that cannot be hashed (a link, a device).
    #[error("{path:?} is not a whole {format} archive: {why}")]
    Malformed {
        /// The file.
        path: String,
        /// The format, by its name.
        format: &'static str,
        /// The defect, in words.
        why: String,
    },
    /// A member's name does not fit into a tar stream.
    #[error("a member has a name that does not fit into a tar file: {0:?}")]
    Name(String),
    /// A member has more or fewer bytes than its stated size.
    #[error("{name:?} differs from its stated size: expected {expected} bytes")]
    Size {
        /// The member.
        name: String,
        /// The stated size in bytes.
        expected: u64,
    },
    /// Archives are nested deeper than [`MAX_NESTING`].
    #[error("archives nest deeper than {MAX_NESTING}")]
    TooDeep,
    /// The caller stopped the work.
    #[error("stopped")]
    Stopped,
}

/// An archive format, known by the end of the file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `.tar`
    Tar,
    /// `.tar.gz` and `.tgz`
    TarGz,
    /// `.zip` and `.jar`
    Zip,
}

impl Format {
    /// The format of a file by the end of its name, case-sensitive; `None` for any other name.
    pub fn of_name(name: &str) -> Option<Self> {
        const ENDS: [(&str, Format); 5] = [
            (".tar", Format::Tar),
            (".tgz", Format::TarGz),
            (".tar.gz", Format::TarGz),
            (".zip", Format::Zip),
            (".jar", Format::Zip),
        ];
        ENDS.iter()
            .find(|(end, _)| name.ends_with(end))
            .map(|(_, format)| *format)
    }

    /// The name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tar => "tar",
            Self::TarGz => "tar.gz",
            Self::Zip => "zip",
        }
    }
}

/// The origin of contents, by the precedence of the engine: a path, else a URL, else the literal.
pub(crate) enum Source<L> {
    Literal(L),
    Path(String),
}

fn outer<L>(
    path: &crate::value::Text,
    uri: &crate::value::Text,
    literal: impl FnOnce() -> Option<L>,
) -> Result<Source<L>, AccessError> {
    if !path.as_bytes().is_empty() {
        return match path.as_str() {
            Some(path) => Ok(Source::Path(path.to_owned())),
            None => Err(AccessError::Path(path.to_str_lossy().into_owned())),
        };
    }
    if !uri.as_bytes().is_empty() {
        return local(&uri.to_str_lossy()).map(Source::Path);
    }
    literal()
        .map(Source::Literal)
        .ok_or(AccessError::Placeholder)
}

/// The path of a `file:` URL without host, query and fragment.
fn local(uri: &str) -> Result<String, AccessError> {
    let Some(rest) = uri.strip_prefix("file:") else {
        return Err(AccessError::Remote(uri.to_owned()));
    };
    let path = rest.strip_prefix("//").unwrap_or(rest);
    if !path.starts_with('/') || path.contains(['?', '#']) {
        return Err(AccessError::Path(uri.to_owned()));
    }
    percent_encoding::percent_decode_str(path)
        .decode_utf8()
        .map(std::borrow::Cow::into_owned)
        .map_err(|_| AccessError::Path(uri.to_owned()))
}

fn asset_source(asset: &Asset) -> Result<Source<&[u8]>, AccessError> {
    outer(&asset.path, &asset.uri, || {
        let text = asset.text.as_ref().map_or(&[][..], |text| text.as_bytes());
        let hash = asset.hash.as_bytes();
        // An empty text with a hash other than its own means that the contents are not known.
        let is_literal = !text.is_empty() || hash.is_empty() || hash == EMPTY_ASSET.as_bytes();
        is_literal.then_some(text)
    })
}

/// The SHA-256 of the contents of `asset`, lower-case hexadecimal. A recorded hash only decides if an empty text is a
/// placeholder.
pub fn hash_asset(
    asset: &Asset,
    files: &dyn Files,
    progress: Progress<'_>,
) -> Result<String, AccessError> {
    let mut sink = Sink::default();
    let mut watch = Watch::new(progress);
    match asset_source(asset)? {
        Source::Literal(text) => {
            sink.hash.update(text);
        }
        Source::Path(path) => hash_file(&path, files, &mut sink, &mut watch)?,
    }
    Ok(sink.hex())
}

/// The SHA-256 by which engines compare `archive`, lower-case hexadecimal. A recorded hash only decides if an archive without
/// members is a placeholder.
pub fn hash_archive(
    archive: &Archive,
    files: &dyn Files,
    progress: Progress<'_>,
) -> Result<String, AccessError> {
    let mut sink = Sink::default();
    match members::source(archive)? {
        Source::Path(path) if Format::of_name(&path).is_some() => {
            hash_file(&path, files, &mut sink, &mut Watch::new(progress))?;
        }
        _ => write_tar(archive, files, &mut sink, progress)?,
    }
    Ok(sink.hex())
}

fn hash_file(
    path: &str,
    files: &dyn Files,
    sink: &mut Sink,
    watch: &mut Watch<'_>,
) -> Result<(), AccessError> {
    let mut opened = open(path, files)?;
    watch.copy(path, &mut opened.bytes, sink)?;
    Ok(())
}

fn open(path: &str, files: &dyn Files) -> Result<Opened, AccessError> {
    files.open(path).map_err(|source| AccessError::Io {
        path: path.to_owned(),
        source,
    })
}

/// A hash that can be written to.
#[derive(Default)]
struct Sink {
    hash: Sha256,
}

impl Sink {
    fn hex(self) -> String {
        hex(&self.hash.finalize())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hash.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Copies and counts bytes, and stops when the progress callback breaks.
pub(crate) struct Watch<'p> {
    progress: Progress<'p>,
    n_read: u64,
    /// Made for the first copy, kept for the next.
    buffer: Vec<u8>,
}

impl<'p> Watch<'p> {
    fn new(progress: Progress<'p>) -> Self {
        Self {
            progress,
            n_read: 0,
            buffer: Vec::new(),
        }
    }

    /// Copies all of `from`, the contents of `path`, and returns the number of bytes.
    fn copy(
        &mut self,
        path: &str,
        from: &mut dyn Read,
        to: &mut dyn Write,
    ) -> Result<u64, AccessError> {
        let io = |source| AccessError::Io {
            path: path.to_owned(),
            source,
        };
        self.buffer.resize(128 << 10, 0);
        let mut n_copied = 0;
        loop {
            let n = match from.read(&mut self.buffer) {
                Ok(0) => return Ok(n_copied),
                Ok(n) => n,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Err(err) => return Err(io(err)),
            };
            to.write_all(&self.buffer[..n]).map_err(io)?;
            n_copied += n as u64;
            self.n_read += n as u64;
            if (self.progress)(self.n_read).is_break() {
                return Err(AccessError::Stopped);
            }
        }
    }
}

#[cfg(test)]
mod tests;
