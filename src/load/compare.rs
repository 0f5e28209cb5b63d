//! Two files as one: the differences from the old file to the new one, as a stack with changes.
//!
//! Two resources are the same if they have the same name. Resources with equal names are paired in the order of their files.
//! The resources of the new file keep their ids; deleted ones come after them. A resource is read from both files when it is
//! shown.
//!
//! Both files are indexed at the same time. A resource is reported as soon as it is found in the new file. Its action is
//! reported as soon as it is known: at once if the old file had it already, with bytes of the same hash. Otherwise it follows
//! when the old file reaches the resource, or when a judge thread has read and compared both versions. New and deleted
//! resources are known when the other file is whole.

mod arrivals;
mod compared;
mod comparison;
mod judge;
mod tables;
mod waiting;

pub use compared::Compared;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};

use compared::Halves;
use comparison::Comparison;
use hashbrown::DefaultHashBuilder;
use judge::Verdict;

use super::{Input, Limits, LoadError, LoadEvent, name, stream_digested};
use crate::stack::ResourceId;

/// Marks the spans of the old file among those of both. No file is that long.
const OLD: u64 = 1 << 63;

/// Number of threads that compare resources whose bytes differ.
const N_JUDGES: usize = 2;

/// The old file, or the new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WhichFile {
    Old,
    New,
}

/// A resource that both files have.
#[derive(Clone, Copy, Debug)]
struct Pair {
    old: ResourceId,
    new: ResourceId,
}

/// A message to the thread that puts the comparison together.
enum JoinMessage {
    /// An event of one of the files.
    Read(WhichFile, LoadEvent),
    /// The end of one of the files.
    Ended(WhichFile, Result<(), LoadError>),
    /// Pairs of a comparison were judged.
    Judged(Arc<Compared>, Vec<Verdict>),
    /// A thread panicked; joining it gives the panic.
    Broken,
}

/// Sends a message if its thread panics, so that the receiver does not wait for it.
struct Leaving<'t>(&'t Sender<JoinMessage>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            drop(self.0.send(JoinMessage::Broken));
        }
    }
}

/// Reads both files at once and passes `sink` the pieces of a stack whose changes lead from `old` to `new`. If it is stopped
/// before the end, no resource is deleted, and resources that were not compared are neither new nor changed. Likewise if one of
/// the files is cut off: resources that are missing in it are neither new nor deleted.
///
/// # Errors
///
/// If either file cannot be shown at all or is cut off while `limits` do not allow that, or if the two are not of one tool.
pub(super) fn stream(
    old: &Input,
    new: &Input,
    limits: Limits,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    let stop = AtomicBool::new(cancel.load(Ordering::Relaxed));
    // Both files are hashed with one secret key.
    let digest = DefaultHashBuilder::default();
    let (tell, told) = mpsc::channel();
    let (to_judges, cases) = mpsc::channel();
    let cases = Mutex::new(cases);
    std::thread::scope(|scope| {
        for (side, input) in [(WhichFile::Old, old), (WhichFile::New, new)] {
            let (tell, stop, digest) = (tell.clone(), &stop, &digest);
            scope.spawn(move || {
                let _leaving = Leaving(&tell);
                // If the receiver is gone, `stop` is set already.
                let mut read = |event| drop(tell.send(JoinMessage::Read(side, event)));
                let outcome = stream_digested(input, limits, stop, Some(digest), &mut read);
                drop(tell.send(JoinMessage::Ended(side, outcome)));
            });
        }
        for _ in 0..N_JUDGES {
            let (tell, stop, cases) = (tell.clone(), &stop, &cases);
            scope.spawn(move || judge::work(cases, &tell, stop));
        }
        let names = [name(old), name(new)];
        let comparison = Comparison::new(names, limits.allow_damaged, to_judges, sink);
        let outcome = comparison.run(&told, cancel, &stop);
        // After an error the other file is useless.
        stop.store(true, Ordering::Relaxed);
        outcome
    })
}
