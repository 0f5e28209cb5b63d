//! Buckets of states: their objects are listed, and several are read at the same time. Nothing is written anywhere.
//!
//! The name of an object is only shown. No answer of a bucket decides anything about this machine.

use std::collections::HashMap;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::super::remote::{self, Address, Judge, Listed, Object, Wanted};
use super::super::{Limits, LoadError, memory, prepare};
use super::roots::is_fleet;
use super::versions::{self, Recorded, StateFile};
use super::walk::{Found, LEFT_OUT, candidate, older_forms};
use super::{Archive, Candidate, Ended, MAX_WAITING, Place, Role, Version, archive, is_archive};
use crate::format;

/// Maximum number of objects that are read at the same time: most of the time goes into waiting for the server.
const MAX_AT_ONCE: usize = 32;

/// Finds the candidates below an address, in the order of their names. Of those whose name tells what they are, only those that
/// `is_asked` says are read.
pub(super) fn find(
    address: &Address,
    limits: Limits,
    is_asked: &dyn Fn(&Candidate) -> bool,
    ended: &mut Ended,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    let itself = || candidate(Place::Object(address.clone()), None, true);
    let failed = |source| Candidate {
        trouble: Some(LoadError::reading(&address.to_string(), source)),
        ..itself()
    };
    let Listed { objects, trouble } = match address.is_folder() {
        Ok(false) if is_fleet(&Archive::Object(address.clone())) => {
            return archive::find(&Archive::Object(address.clone()), limits, ended, found);
        }
        // Loading it tells what is wrong with it.
        Ok(false) => return found(itself()),
        Ok(true) => match address.list() {
            Ok(listed) => listed,
            Err(source) => return found(failed(source)),
        },
        Err(source) => return found(failed(source)),
    };
    let written = |object: &Object| (object.address.path().to_path_buf(), object.modified);
    let older = older_forms(&objects.iter().map(written).collect::<Vec<_>>());
    let mut versions = versions(&objects, limits);
    let mut batch = Batch::default();
    for object in objects {
        let path = object.address.path();
        if is_left_out(path) {
            continue;
        }
        if is_archive(path) {
            ended.archives.push(path.to_path_buf());
            continue;
        }
        let mut candidate = Candidate {
            bytes: object.bytes,
            modified: object.modified,
            ..candidate(Place::Object(object.address.clone()), None, false)
        };
        candidate.set_version(versions.remove(path));
        if older.iter().any(|older| older == path) {
            candidate.role = Role::Backup;
        }
        if let Err(source) = limits.whole().check(object.bytes) {
            candidate.trouble = Some(LoadError::reading(&object.address.to_string(), source));
        }
        if batch.is_full_with(object.bytes) {
            std::mem::take(&mut batch).read(ended, found)?;
        }
        let is_wanted = !candidate.is_sure || is_asked(&candidate);
        batch.add(candidate, object, is_wanted);
    }
    batch.read(ended, found)?;
    trouble.map_or(ControlFlow::Continue(()), |source| found(failed(source)))
}

/// The versions of the stacks among the objects of each folder, by path.
pub(super) fn versions(objects: &[Object], limits: Limits) -> HashMap<PathBuf, Version> {
    let mut folders: HashMap<&Path, Vec<&Object>> = HashMap::new();
    for object in objects {
        let path = object.address.path();
        if versions::may_be_state(path) && !is_left_out(path) {
            let folder = path.parent().unwrap_or(path);
            folders.entry(folder).or_default().push(object);
        }
    }
    let several = folders.into_values().filter(|files| files.len() > 1);
    let several: Vec<&Object> = several.flatten().collect();
    let parts = several.chunks(MAX_AT_ONCE);
    let heads = parts.flat_map(|part| remote::heads(part, versions::HEAD as u64));
    let states = several.iter().zip(heads).filter_map(|(object, head)| {
        let modified = object.modified.map(Duration::from_secs);
        Some(StateFile {
            path: object.address.path().to_path_buf(),
            is_here: false,
            modified: modified.map(|since| UNIX_EPOCH + since),
            recorded: Recorded::in_head(&versions::unpacked(head.ok()?))?,
            contents: None,
        })
    });
    let mut states: Vec<StateFile> = states.collect();
    add_contents(&mut states, &several, limits);
    versions::rank(states)
}

/// Reads the states that share their serial with another one of their stack: a copy is no version of its own.
fn add_contents(states: &mut [StateFile], objects: &[&Object], limits: Limits) {
    let key = |it: &StateFile| {
        let Recorded {
            lineage, serial, ..
        } = &it.recorded;
        (
            it.path.parent().map(Path::to_path_buf),
            lineage.clone(),
            *serial,
        )
    };
    let mut counts: HashMap<_, usize> = HashMap::new();
    for state in states.iter() {
        *counts.entry(key(state)).or_default() += 1;
    }
    let by_path: HashMap<&Path, &Object> =
        objects.iter().map(|it| (it.address.path(), *it)).collect();
    let contents = |state: &StateFile| {
        let bytes = by_path.get(&*state.path)?.address.read(limits.whole());
        let unpacked = prepare::unpacking(Box::new(Cursor::new(bytes.ok()?)), limits);
        versions::contents(unpacked.ok()?)
    };
    for state in states.iter_mut().filter(|state| counts[&key(state)] > 1) {
        state.contents = contents(state);
    }
}

/// True for objects in folders of tools in which no states are.
fn is_left_out(path: &Path) -> bool {
    path.components().any(|part| {
        LEFT_OUT
            .iter()
            .any(|name| part == Component::Normal(name.as_ref()))
    })
}

/// Objects that are read at the same time.
#[derive(Default)]
struct Batch {
    candidates: Vec<Candidate>,
    /// The objects to read, in the order of those candidates that need their bytes.
    wanted: Vec<Wanted<'static>>,
    bytes: u64,
}

impl Batch {
    fn is_full_with(&self, bytes: u64) -> bool {
        self.wanted.len() >= MAX_AT_ONCE || self.bytes > 0 && self.bytes + bytes > MAX_WAITING
    }

    fn add(&mut self, candidate: Candidate, object: Object, is_wanted: bool) {
        if is_wanted && candidate.trouble.is_none() {
            self.bytes += object.bytes;
            let judge: &'static Judge<'static> = &format::may_be_known;
            self.wanted
                .push((object, (!candidate.is_sure).then_some(judge)));
        }
        self.candidates.push(candidate);
    }

    fn read(self, ended: &mut Ended, found: &mut Found<'_>) -> ControlFlow<()> {
        memory::expect_bytes(self.bytes);
        let read = remote::read_all(&self.wanted);
        let mut read = self.wanted.iter().zip(read).peekable();
        for mut candidate in self.candidates {
            let is_its = |(wanted, _): &(&Wanted<'static>, _)| {
                Place::Object(wanted.0.address.clone()) == candidate.place
            };
            match read.next_if(is_its) {
                Some((_, Ok(Some(bytes)))) => {
                    candidate.bytes = bytes.len() as u64;
                    candidate.contents = Some(bytes.into());
                }
                Some((_, Ok(None))) => {
                    ended.n_others += 1;
                    continue;
                }
                Some((_, Err(source))) => {
                    let name = candidate.place.to_string();
                    candidate.trouble = Some(LoadError::reading(&name, source));
                }
                None => {}
            }
            found(candidate)?;
        }
        ControlFlow::Continue(())
    }
}
