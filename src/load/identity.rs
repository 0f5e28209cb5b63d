//! The identity of an opened file, and its bytes: all code here that depends on the platform.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::format::{Source, SourceError};
use crate::stack::Span;

/// The version of a file: its location, its length, and the times of its last write and last change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    device: u64,
    inode: u64,
    len: u64,
    modified: Option<SystemTime>,
    changed: (i64, i64),
}

#[cfg(unix)]
fn numbers(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// The number of a file is not available here. A file that replaces another one has another creation time.
#[cfg(windows)]
fn numbers(metadata: &Metadata) -> (u64, u64) {
    use std::os::windows::fs::MetadataExt;
    (
        metadata.creation_time(),
        u64::from(metadata.file_attributes()),
    )
}

#[cfg(not(any(unix, windows)))]
fn numbers(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// The time of the last change, which no program can set: a rewritten file has another one even if its other time was restored.
/// A change of its permissions counts too, and costs no more than reading the file again.
#[cfg(unix)]
fn changed(metadata: &Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.ctime(), metadata.ctime_nsec())
}

/// The standard library does not give that time here.
#[cfg(not(unix))]
fn changed(_: &Metadata) -> (i64, i64) {
    (0, 0)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::os::unix::fs::FileExt;
    file.read_exact_at(bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        match file.seek_read(bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                bytes = &mut bytes[n..];
                offset += n as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek};
    // A separate handle: a shared one would share its position with all readers.
    let mut own = file.try_clone()?;
    own.seek(io::SeekFrom::Start(offset))?;
    own.read_exact(bytes)?;
    file.rewind()
}

impl Identity {
    /// The identity of the file that is at `path` now; `None` if its metadata cannot be read.
    pub fn at(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().as_ref().map(Self::of)
    }

    fn of(metadata: &Metadata) -> Self {
        let (device, inode) = numbers(metadata);
        Self {
            device,
            inode,
            len: metadata.len(),
            modified: metadata.modified().ok(),
            changed: changed(metadata),
        }
    }
}

/// A file that was indexed.
#[derive(Debug)]
pub(super) struct FileSource {
    file: File,
    path: PathBuf,
    identity: Identity,
}

impl FileSource {
    pub(super) fn new(path: &Path, file: &File) -> io::Result<Self> {
        Ok(Self {
            file: file.try_clone()?,
            path: path.to_owned(),
            identity: Identity::of(&file.metadata()?),
        })
    }

    pub(super) fn len(&self) -> u64 {
        self.identity.len
    }

    fn fill(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        self.check()?;
        if span.offset.saturating_add(u64::from(span.len)) > self.identity.len {
            return Err(self.changed());
        }
        // Old bytes of a longer buffer are overwritten: only a shorter buffer is filled first.
        bytes.resize(span.len as usize, 0);
        let outcome = read_at(&self.file, bytes, span.offset);
        // The bytes do not count if the file changed meanwhile.
        self.check()?;
        outcome.map_err(|error| SourceError::Io {
            file: self.path.display().to_string(),
            message: error.to_string(),
        })
    }

    fn changed(&self) -> SourceError {
        SourceError::Changed {
            file: self.path.display().to_string(),
        }
    }

    fn check(&self) -> Result<(), SourceError> {
        // By name and by handle: a file may be written in place or be replaced by another one.
        let same = Identity::at(&self.path) == Some(self.identity)
            && self
                .file
                .metadata()
                .is_ok_and(|metadata| Identity::of(&metadata) == self.identity);
        if same { Ok(()) } else { Err(self.changed()) }
    }
}

impl Source for FileSource {
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        let outcome = self.fill(span, bytes);
        if outcome.is_err() {
            bytes.clear();
        }
        outcome
    }

    fn whole(&self) -> Option<Vec<u8>> {
        let len = u32::try_from(self.file.metadata().ok()?.len()).ok()?;
        self.read(Span { offset: 0, len }).ok()
    }
}

// Elsewhere the system may give a file the dates of an earlier file with the same name.
#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::{FileSource, Identity};
    use crate::format::{Source, SourceError};
    use crate::stack::Span;

    #[test]
    fn a_file_put_in_the_place_of_another_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let (file, next) = (folder.path().join("state"), folder.path().join("next"));
        assert_eq!(Identity::at(&file), None);
        fs::write(&file, "{}").unwrap();
        let first = Identity::at(&file);
        assert_eq!(Identity::at(&file), first);
        // As long as the first file, and written at the same time.
        fs::write(&next, "[]").unwrap();
        let modified = fs::metadata(&file).unwrap().modified().unwrap();
        let handle = fs::File::options().write(true).open(&next).unwrap();
        handle.set_modified(modified).unwrap();
        fs::rename(&next, &file).unwrap();
        assert_ne!(Identity::at(&file), first);
    }

    #[test]
    fn a_file_written_anew_is_another_even_if_its_time_is_restored() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state");
        fs::write(&file, "{}").unwrap();
        let source = FileSource::new(&file, &fs::File::open(&file).unwrap()).unwrap();
        let (first, span) = (Identity::at(&file), Span { offset: 0, len: 2 });
        assert_eq!(source.read(span).unwrap(), b"{}");
        let modified = fs::metadata(&file).unwrap().modified().unwrap();
        // Clocks of file systems tick a few hundred times a second.
        std::thread::sleep(std::time::Duration::from_millis(30));
        fs::write(&file, "[]").unwrap();
        let handle = fs::File::options().write(true).open(&file).unwrap();
        handle.set_modified(modified).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), modified);
        assert_ne!(Identity::at(&file), first);
        assert!(matches!(
            source.read(span),
            Err(SourceError::Changed { .. })
        ));
    }
}
