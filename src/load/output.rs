//! Files that a person asks the program to write.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file as a whole: under its name is the old content or the new one, never a part.
///
/// # Errors
///
/// If the file cannot be written, or `write` fails. Then the old content is still there.
pub fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A link leads to the file to replace.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let (part, file) = create_beside(&path)?;
    let written = fill(file, write).and_then(|()| {
        if let Ok(old) = fs::metadata(&path) {
            fs::set_permissions(&part, old.permissions())?;
        }
        fs::rename(&part, &path)
    });
    if written.is_err() {
        // The first error is the one to report.
        _ = fs::remove_file(&part);
    }
    written
}

/// True if both names lead to one file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        (Err(_), _) | (_, Err(_)) => false,
    }
}

/// A new file in the folder of `path`.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let number = RandomState::new().hash_one(path);
    let part = format!(".{}.{number:x}.part", name.to_string_lossy());
    let part = path.with_file_name(part);
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&part)?;
    Ok((part, file))
}

fn fill(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.into_inner()?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("brief.html");
        write(&path, |out| out.write_all(b"one")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        let failed = write(&path, |out| {
            out.write_all(b"two")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(&path, |out| out.write_all(b"three")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        let names = fs::read_dir(folder.path()).unwrap();
        assert_eq!(names.count(), 1, "no part is left");
        assert!(write(folder.path(), |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert!(is_same_file(&file, &link));
        assert!(!is_same_file(&file, folder.path()));
    }
}
