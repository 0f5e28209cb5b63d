//! Roots: the places that a person names.

use std::fmt;
use std::path::{Path, PathBuf};

use super::super::folder;
use super::super::remote::Address;
use super::super::{Input, Limits, LoadError, Origin, prepare};
use super::{Archive, walk};

/// The places that a person names: files, folders, archives, and `-` for standard input.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Roots {
    /// The places, in the order of the answers.
    pub places: Vec<PathBuf>,
}

/// Maximum size of a list of files in bytes.
const MAX_LIST: u64 = 256 << 20;

/// The ends of names of archives.
const ARCHIVES: [&str; 5] = [".tar", ".tar.gz", ".tgz", ".tar.zst", ".zip"];

/// True if a path names an archive. Single packed states, as backends keep them, are no archives.
pub fn is_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    ARCHIVES.iter().any(|end| name.ends_with(end))
}

/// True if a file or object holds many states, by its name. A plan, which is a zip archive too, holds none.
pub(super) fn is_fleet(file: &Archive) -> bool {
    is_archive(file.path()) && !file.is_plan(Limits::default())
}

impl Roots {
    /// These places.
    pub fn new(places: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            places: places.into_iter().collect(),
        }
    }

    /// Adds the places of a list: one path a line; empty lines are left out. `-` is standard input.
    ///
    /// # Errors
    ///
    /// If the list cannot be read or is empty.
    pub fn add_list(&mut self, list: &Path) -> Result<(), LoadError> {
        let origin = if list.as_os_str() == "-" {
            Origin::Stdin
        } else {
            Origin::Path(list.to_path_buf())
        };
        let limits = Limits {
            advice: "divide the list into several",
            ..Limits::up_to(MAX_LIST)
        };
        let input = Input::from(origin);
        let bytes = prepare::read_whole(&input, limits)?;
        let lines = bytes.split(|byte| *byte == b'\n');
        let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let lines = lines.filter(|line| !line.is_empty());
        let n_before = self.places.len();
        self.places.extend(lines.map(path_of));
        if self.places.len() == n_before {
            let message = "the list is empty, expected a path a line".to_owned();
            return Err(LoadError::unreadable(&super::super::name(&input), message));
        }
        Ok(())
    }

    /// The only file that the roots hold, if it is clear which one is meant: a single file, or the state that is in use or alone in
    /// a folder. `None` if they are several, or nothing.
    pub fn sole(&self) -> Option<PathBuf> {
        let [place] = &self.places[..] else {
            return None;
        };
        if let Some(address) = Address::of(place) {
            // If the store cannot be asked, opening it says why.
            let is_folder = address.is_folder().unwrap_or(false);
            let is_fleet = is_folder || is_fleet(&Archive::Object(address));
            return (!is_fleet).then(|| place.clone());
        }
        if !place.is_dir() {
            return Some(place.clone()).filter(|place| !is_fleet(&Archive::File(place.clone())));
        }
        let entries = folder::list(place).ok()?;
        let chosen = folder::choose(&entries)?;
        let is_listed = |path: &Path| entries.iter().any(|entry| entry.path == path);
        (!walk::has_others(place, &is_listed)).then(|| chosen.path.clone())
    }

    /// The folder that all places share. Members are named by the path from there.
    pub(super) fn base(&self) -> PathBuf {
        let folder = |place: &PathBuf| {
            if let Some(address) = Address::of(place) {
                address.folder().to_path_buf()
            } else if place.is_dir() {
                place.clone()
            } else {
                place.parent().map(Path::to_path_buf).unwrap_or_default()
            }
        };
        let mut folders = self.places.iter().map(folder);
        let Some(mut base) = folders.next() else {
            return PathBuf::new();
        };
        for folder in folders {
            while !folder.starts_with(&base) && base.pop() {}
        }
        base
    }
}

/// The place, or the first of several with their number.
impl fmt::Display for Roots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.places[..] {
            [] => f.write_str("no place"),
            [only] => write!(f, "{}", Address::public(only).display()),
            [first, rest @ ..] => {
                let first = Address::public(first);
                write!(f, "{} and {} more", first.display(), rest.len())
            }
        }
    }
}

#[cfg(unix)]
fn path_of(line: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    Path::new(std::ffi::OsStr::from_bytes(line)).to_path_buf()
}

#[cfg(not(unix))]
fn path_of(line: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(line).into_owned())
}
