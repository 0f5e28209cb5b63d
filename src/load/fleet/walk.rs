//! Walks the roots for files that may be members, in the order of their names.

use std::fs::{self, DirEntry, FileType};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::super::folder::role;
use super::super::remote::Address;
use super::super::{Limits, LoadError};
use super::roots::is_fleet;
use super::{
    Archive, Asks, Candidate, Copies, Ended, Fleet, Place, Role, Version, archive, bucket,
    is_archive, versions,
};

/// Folders of tools in which no states are: providers and modules, and versions of other files.
pub(super) const LEFT_OUT: [&str; 2] = [".terraform", ".git"];

/// Maximum number of folders inside each other.
const MAX_DEPTH: usize = 512;

/// Takes a candidate; `Break` ends the walk.
pub(super) type Found<'f> = dyn FnMut(Candidate) -> ControlFlow<()> + 'f;

/// Finds the candidates below the roots of `fleet`.
pub(super) fn find(fleet: &Fleet, asks: Asks, ended: &mut Ended, found: &mut Found<'_>) {
    let places = &fleet.roots.places;
    let roots = places.iter().filter_map(|place| place.canonicalize().ok());
    let mut walk = Walk {
        roots: roots.collect(),
        limits: fleet.like.limits,
        copies: fleet.copies,
        asks,
        ended,
        found,
    };
    for place in places {
        if walk.root(place).is_break() {
            return;
        }
    }
}

/// True if there are states or plans below `folder` besides the listed ones and older copies.
pub(super) fn has_others(folder: &Path, is_listed: &dyn Fn(&Path) -> bool) -> bool {
    let mut has_others = false;
    let found: &mut Found<'_> = &mut |candidate| {
        let Place::File(path) = &candidate.place else {
            return ControlFlow::Continue(());
        };
        if is_listed(path) || candidate.role.is_older_copy() || !candidate.is_sure {
            return ControlFlow::Continue(());
        }
        has_others = true;
        ControlFlow::Break(())
    };
    let mut ended = Ended::default();
    let mut walk = Walk {
        roots: Vec::new(),
        limits: Limits::default(),
        copies: Copies::Leave,
        asks: Asks::Kind,
        ended: &mut ended,
        found,
    };
    _ = walk.folder(folder, 0);
    has_others
}

struct Walk<'w> {
    /// The roots without links.
    roots: Vec<PathBuf>,
    limits: Limits,
    copies: Copies,
    asks: Asks,
    ended: &'w mut Ended,
    found: &'w mut Found<'w>,
}

impl Walk<'_> {
    /// A place that the person named: it is followed if it is a link, and a member whatever it is.
    fn root(&mut self, place: &Path) -> ControlFlow<()> {
        if place.as_os_str() == "-" {
            return (self.found)(candidate(Place::Stdin, None, true));
        }
        if let Some(address) = Address::of(place) {
            let (asks, copies) = (self.asks, self.copies);
            let is_asked = move |candidate: &Candidate| match (asks, copies) {
                (Asks::Kind, _) => false,
                (Asks::Contents, Copies::Ask) => true,
                (Asks::Contents, Copies::Leave) => !candidate.role.is_older_copy(),
            };
            return bucket::find(&address, self.limits, &is_asked, self.ended, self.found);
        }
        match fs::metadata(place) {
            Err(source) => self.trouble(place, source),
            Ok(metadata) if metadata.is_dir() => self.folder(place, 0),
            Ok(_) if is_fleet(&Archive::File(place.to_path_buf())) => {
                let archive = Archive::File(place.to_path_buf());
                archive::find(&archive, self.limits, self.ended, self.found)
            }
            Ok(metadata) => {
                let place = Place::File(place.to_path_buf());
                (self.found)(candidate(place, Some(&metadata), true))
            }
        }
    }

    fn trouble(&mut self, place: &Path, source: io::Error) -> ControlFlow<()> {
        let trouble = LoadError::io(place, source);
        let place = Place::File(place.to_path_buf());
        (self.found)(Candidate {
            trouble: Some(trouble),
            ..candidate(place, None, true)
        })
    }

    fn folder(&mut self, folder: &Path, depth: usize) -> ControlFlow<()> {
        if depth > MAX_DEPTH {
            return self.trouble(folder, io::Error::other("folders nest too deep"));
        }
        let children = match fs::read_dir(folder).and_then(Iterator::collect) {
            Ok(children) => children,
            Err(source) => return self.trouble(folder, source),
        };
        let mut children: Vec<DirEntry> = children;
        children.sort_unstable_by_key(DirEntry::file_name);
        let older = older_forms(&states(&children));
        let mut versions = versions::among(files(&children));
        for child in children {
            let path = child.path();
            match child.file_type() {
                Err(source) => self.trouble(&path, source)?,
                Ok(kind) if kind.is_dir() => {
                    if !LEFT_OUT.iter().any(|name| child.file_name() == *name) {
                        self.folder(&path, depth + 1)?;
                    }
                }
                Ok(kind) => {
                    let siblings = Siblings {
                        has_newer_form: older.contains(&path),
                        version: versions.remove(&path),
                    };
                    self.file(&path, &child, kind, siblings)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn file(
        &mut self,
        path: &Path,
        child: &DirEntry,
        kind: FileType,
        siblings: Siblings,
    ) -> ControlFlow<()> {
        if kind.is_symlink() {
            // A link that leads nowhere, or to itself, leads to no state either.
            let target = path.canonicalize().ok();
            let leads_out =
                target.is_some_and(|target| !self.roots.iter().any(|it| target.starts_with(it)));
            self.ended.n_links += u64::from(leads_out);
            return ControlFlow::Continue(());
        }
        if !kind.is_file() {
            // Opening a pipe waits for its other end.
            self.ended.n_others += 1;
            return ControlFlow::Continue(());
        }
        if is_archive(path) {
            self.ended.archives.push(path.to_path_buf());
            return ControlFlow::Continue(());
        }
        let metadata = child.metadata().ok();
        let mut candidate = candidate(Place::File(path.to_path_buf()), metadata.as_ref(), false);
        candidate.set_version(siblings.version);
        if siblings.has_newer_form {
            candidate.role = Role::Backup;
        }
        (self.found)(candidate)
    }
}

/// The things about a file that the others of its folder decide.
struct Siblings {
    has_newer_form: bool,
    version: Option<Version>,
}

/// The paths of the files among the children of a folder.
fn files(children: &[DirEntry]) -> impl Iterator<Item = PathBuf> {
    let is_file = |child: &&DirEntry| child.file_type().is_ok_and(|it| it.is_file());
    children.iter().filter(is_file).map(DirEntry::path)
}

/// A file, and the time of its last write.
type Written = (PathBuf, Option<SystemTime>);

/// The states of a backend among the files of a folder that may have another form there.
fn states(children: &[DirEntry]) -> Vec<Written> {
    let named = children.iter().filter_map(|child| {
        let name = child.file_name();
        let (_, stack) = role::of_backend_file(name.to_str()?)?;
        Some((stack.to_owned(), child))
    });
    let named: Vec<(String, &DirEntry)> = named.collect();
    let written = |child: &DirEntry| child.metadata().ok().and_then(|it| it.modified().ok());
    // Asking each file for its time would cost as much as the rest of the walk.
    let several = named
        .chunk_by(|one, other| one.0 == other.0)
        .filter(|forms| forms.len() > 1);
    several
        .flatten()
        .map(|(_, child)| (child.path(), written(child)))
        .collect()
}

/// The files of a backend that are an older form of another one: packed and not. The newest counts. The files are in the order of their
/// paths, each with the time of its last write.
pub(super) fn older_forms<T: Ord + Copy>(files: &[(PathBuf, Option<T>)]) -> Vec<PathBuf> {
    let states = files.iter().filter_map(|(path, written)| {
        let is_state = role::of_path(path)? == STATE_OF_BACKEND;
        let name = path.file_name()?.to_str()?;
        let stack = role::of_backend_file(name).map(|(_, stack)| stack.to_owned())?;
        is_state.then_some(((path.parent(), stack), *written, path))
    });
    let states: Vec<_> = states.collect();
    let mut older = Vec::new();
    // The names are in order, and those of one stack differ only at their end.
    for forms in states.chunk_by(|one, other| one.0 == other.0) {
        if forms.len() > 1 {
            let newest = forms.iter().max_by_key(|(_, written, _)| *written);
            let is_older = |path: &&PathBuf| newest.is_some_and(|(.., newest)| newest != path);
            let paths = forms.iter().map(|(.., path)| *path);
            older.extend(paths.filter(is_older).cloned());
        }
    }
    older
}

const STATE_OF_BACKEND: role::Named = role::Named {
    role: Role::State,
    is_sure: true,
};

/// A candidate with the role that its path gives.
pub(super) fn candidate(
    place: Place,
    metadata: Option<&fs::Metadata>,
    is_named: bool,
) -> Candidate {
    let named = role::of_path(place.path());
    let modified = metadata.and_then(|metadata| metadata.modified().ok());
    Candidate {
        bytes: metadata.map_or(0, fs::Metadata::len),
        modified: modified.and_then(seconds),
        role: named.map_or(Role::Other, |named| named.role),
        is_sure: is_named
            || named.is_some_and(|named| named.is_sure)
            || metadata.is_some_and(|metadata| is_empty_json(place.path(), metadata)),
        is_regular: metadata.is_some_and(fs::Metadata::is_file),
        place,
        version: None,
        contents: None,
        trouble: None,
    }
}

/// True for a JSON file without a byte: the tool that should have filled it failed.
fn is_empty_json(path: &Path, metadata: &fs::Metadata) -> bool {
    metadata.is_file() && metadata.len() == 0 && path.extension().is_some_and(|it| it == "json")
}

/// The time now, in seconds since 1970.
pub fn now() -> u64 {
    seconds(SystemTime::now()).unwrap_or_default()
}

fn seconds(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.ok().map(|since| since.as_secs())
}
