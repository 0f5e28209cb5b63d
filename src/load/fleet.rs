//! Many stacks: a fleet is every state, plan, preview, history and log below some files, folders, archives and lists.
//!
//! # How to use it
//!
//! [`Roots`] are the places that a person names. A [`Fleet`] is the roots with the options of their files. [`Fleet::ask`] finds the
//! members, asks several at a time, and passes the answers on in the order of names, each as soon as all before it are known:
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::sync::atomic::AtomicBool;
//! use stacklens::load::Input;
//! use stacklens::load::fleet::{Answer, Copies, Fleet, Roots};
//!
//! let fleet = Fleet {
//!     roots: Roots::new(["tests/corpus/backend".into()]),
//!     like: Input::path("-"),       // the keys, schemas and limits of every member
//!     copies: Copies::Leave,        // backups are listed, and not read
//! };
//! let mut told = Vec::new();
//! let ended = fleet.ask(
//!     &AtomicBool::new(false),
//!     // On a worker: the document lives only here.
//!     &|opened| opened.ask(|document| document.stack.len()),
//!     // On this thread, in the order of names.
//!     &mut |member, answer| {
//!         if let Answer::Done(n_resources) = answer {
//!             told.push(format!("{}: {n_resources}", member.name));
//!         }
//!         ControlFlow::Continue(())
//!     },
//! );
//! assert_eq!(told, ["blog/dev: 0", "shop/dev: 4", "shop/prod: 4"]);
//! assert_eq!(ended.n_links, 0);
//! ```
//!
//! A member that a person chooses is opened again by [`Place::input`].
//!
//! # Laws
//!
//! 1. **An error is one member's.** A file that cannot be read, is broken or vanished is an answer, and so is a folder that cannot be
//!    listed. Even a panic ends only the answer.
//! 2. **The order is that of the names**, whichever worker is first.
//! 3. **Memory is bounded.** Documents live on workers. At most [`WINDOW`] answers wait for an earlier one. Of archives, at most
//!    [`MAX_WAITING`] bytes are unpacked ahead.
//! 4. **Nothing outside the roots is read.** Links below a root are not followed: those that stay inside lead to a file that is found
//!    anyway, and those that lead out are counted.
//! 5. **Nothing counts twice.** An older copy is told by its name, or by a state of its lineage beside it that has a higher serial; see
//!    [`Version`]. A twin is told by its contents or by its version; see [`Member::twin`].

mod archive;
mod bucket;
pub mod edges;
mod family;
mod fingerprint;
mod names;
mod opened;
mod roots;
mod scan;
mod summary;
mod versions;
mod walk;
mod workers;

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::folder::Role;
use super::remote::Address;
use super::{Input, LoadError};
pub use archive::Archive;
pub use fingerprint::Fingerprint;
pub use names::Base;
use names::Names;
pub use opened::Opened;
pub use roots::{Roots, is_archive};
pub use summary::StackSummary;
pub use versions::Version;
pub use walk::now;
pub use workers::n_workers;

/// Number of candidates by which the workers may be ahead of the answers.
pub const WINDOW: usize = 256;

/// Number of unpacked bytes that may wait for a worker. A larger entry waits alone.
pub const MAX_WAITING: u64 = 64 << 20;

/// The stacks below some roots, with the options of their files.
#[derive(Clone, Debug)]
pub struct Fleet {
    /// The places to look at.
    pub roots: Roots,
    /// An input with the options of every member: keys, schemas, limits. Its file is not read.
    pub like: Input,
    /// The treatment of older copies.
    pub copies: Copies,
}

/// The treatment of backups and of states of a history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copies {
    /// They are asked like all others.
    Ask,
    /// They are members, but not asked.
    Leave,
}

/// The question of the work to a member.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// Its contents.
    Contents,
    /// Only its kind: a member whose name tells it is not read.
    Kind,
}

/// A file of the fleet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its position in the order of the answers.
    pub number: usize,
    /// A short name, which no other member has: the path without what all members share, and without the usual names of files.
    pub name: String,
    /// Its place.
    pub place: Place,
    /// Size in bytes: on disk, or unpacked from its archive.
    pub bytes: u64,
    /// Time of the last write in seconds since 1970, if the system or the archive gives it.
    pub modified: Option<u64>,
    /// Its role, by its name.
    pub role: Role,
    /// The name of an earlier member with the same contents, or with the same version of the same stack.
    pub twin: Option<String>,
    /// Its version, if other versions of its stack are beside it.
    pub version: Option<Version>,
}

/// The place of a member.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A file.
    File(PathBuf),
    /// An entry of an archive.
    Entry {
        /// The archive.
        archive: Archive,
        /// The name of the entry. It is only shown, never a path on this machine.
        name: String,
    },
    /// An object in a bucket, or a state behind HTTP.
    Object(Address),
    /// Standard input.
    Stdin,
}

impl Place {
    /// The input that opens it, with the options of `like`.
    ///
    /// # Errors
    ///
    /// If it is an entry of an archive that cannot be read any more.
    pub fn input(&self, like: &Input) -> Result<Input, LoadError> {
        let origin = match self {
            Self::File(path) => super::Origin::Path(path.clone()),
            Self::Object(address) => super::Origin::Object(address.clone()),
            Self::Stdin => super::Origin::Stdin,
            Self::Entry { archive, name } => super::Origin::Bytes {
                name: self.to_string(),
                bytes: archive::read(archive, name, like.limits)?,
            },
        };
        Ok(Input {
            origin,
            ..like.clone()
        })
    }

    /// The path by which it is named: inside an archive, that of the entry.
    fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Entry { name, .. } => Path::new(name),
            Self::Object(address) => address.path(),
            Self::Stdin => Path::new("standard input"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Entry { archive, name } => write!(f, "{}!/{name}", archive.path().display()),
            Self::Object(address) => address.fmt(f),
            Self::Stdin => f.write_str("standard input"),
        }
    }
}

/// The result of the work on a member, with what tells twins.
pub struct Asked<T> {
    /// The result.
    pub result: T,
    /// `None` if a twin does not matter, because there is nothing to count.
    pub fingerprint: Option<Fingerprint>,
}

impl<T> Asked<T> {
    /// A result with nothing to count.
    pub fn uncounted(result: T) -> Self {
        Self {
            result,
            fingerprint: None,
        }
    }
}

/// The answer of a member.
#[derive(Debug)]
pub enum Answer<T> {
    /// The result of the work.
    Done(T),
    /// It cannot be read.
    Failed(LoadError),
    /// It is an older copy, and those are not asked.
    Left,
}

/// The things below the roots that are no members.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ended {
    /// Number of files that are something else.
    pub n_others: u64,
    /// Number of links that lead out of the roots.
    pub n_links: u64,
    /// The archives below the roots, which are opened only if they are named.
    pub archives: Vec<PathBuf>,
    /// True if the answers ended early.
    pub is_cancelled: bool,
}

impl Candidate {
    /// Notes its version among those of its stack. Files that a person kept under names of their own are older copies by it.
    fn set_version(&mut self, version: Option<Version>) {
        if version.as_ref().is_some_and(|version| version.is_older) {
            self.role = Role::History;
        }
        self.version = version;
    }
}

/// A file that may be a member.
struct Candidate {
    place: Place,
    bytes: u64,
    modified: Option<u64>,
    role: Role,
    /// Its version, if other versions of its stack are beside it.
    version: Option<Version>,
    /// True if it is a member whatever it contains: the person named it, only a state has such a name, or it is an empty JSON file.
    is_sure: bool,
    /// False for a pipe, which can be read only once.
    is_regular: bool,
    /// The contents, if they are from an archive.
    contents: Option<std::sync::Arc<[u8]>>,
    /// The reason why it cannot be read.
    trouble: Option<LoadError>,
}

/// The work on a member, on any thread.
pub type Work<'w, T> = dyn Fn(&Opened<'_>) -> Result<Asked<T>, LoadError> + Sync + 'w;

/// Takes the answers in order. `Break` ends the rest of the work.
pub type Take<'t, T> = dyn FnMut(Member, Answer<T>) -> ControlFlow<()> + 't;

impl Fleet {
    /// Passes the members on in order without reading them whole. So it does not tell twins. `cancel` ends it early.
    pub fn list(&self, cancel: &AtomicBool, take: &mut dyn FnMut(Member)) -> Ended {
        let work = |opened: &Opened<'_>| {
            if opened.is_member() {
                return Ok(Asked::uncounted(()));
            }
            let message = "this is no state and no plan".to_owned();
            Err(LoadError::unreadable(&opened.place().to_string(), message))
        };
        self.ask_for(Asks::Kind, cancel, &work, &mut |member, _| {
            take(member);
            ControlFlow::Continue(())
        })
    }

    /// Does `work` for every member, several at a time, and passes the answers on in order. `cancel` ends it early, and is set when
    /// `take` breaks.
    pub fn ask<T: Send>(
        &self,
        cancel: &AtomicBool,
        work: &Work<'_, T>,
        take: &mut Take<'_, T>,
    ) -> Ended {
        self.ask_for(Asks::Contents, cancel, work, take)
    }

    fn ask_for<T: Send>(
        &self,
        asks: Asks,
        cancel: &AtomicBool,
        work: &Work<'_, T>,
        take: &mut Take<'_, T>,
    ) -> Ended {
        let mut names = Names::new(&self.roots);
        let mut twins: HashMap<Fingerprint, String> = HashMap::new();
        let mut number = 0;
        let mut ended = workers::run(self, asks, cancel, work, &mut |candidate, outcome| {
            let (answer, fingerprint) = match outcome {
                Ok(Some(asked)) => (Answer::Done(asked.result), asked.fingerprint),
                Ok(None) => (Answer::Left, None),
                Err(error) => (Answer::Failed(error), None),
            };
            let name = names.name(&candidate.place, candidate.role);
            let is_copy = candidate.role.is_older_copy();
            let fingerprint = fingerprint.filter(|_| !is_copy);
            let twin = fingerprint.and_then(|fingerprint| {
                let first = twins.get(&fingerprint).cloned();
                if first.is_none() {
                    twins.insert(fingerprint, name.clone());
                }
                first
            });
            let member = Member {
                number,
                name,
                place: candidate.place,
                bytes: candidate.bytes,
                modified: candidate.modified,
                role: candidate.role,
                twin,
                version: candidate.version,
            };
            number += 1;
            take(member, answer)
        });
        ended.is_cancelled = cancel.load(Ordering::Relaxed);
        ended
    }
}

#[cfg(test)]
mod tests;
