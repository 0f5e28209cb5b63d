//! Two files as one: what differs from the old one to the new one, as a stack with changes.
//!
//! Resources are one if they have one name; those with the same name are paired in the order of their files. The resources of the
//! new file keep their ids, those that are gone come behind them. A resource is read from both files when somebody looks at it.
//!
//! Both files are indexed at the same time. A resource is told as soon as it is found in the new file, and what happened to it as
//! soon as that is known: at once if the old file had it before with bytes of the same hash, else when it comes there, or when
//! others have read both and compared them. What is new or gone is known when the other file is whole.

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

/// How many threads compare resources that are written differently.
const N_JUDGES: usize = 2;

/// The old file, or the new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Old,
    New,
}

/// A resource that both files have.
#[derive(Clone, Copy, Debug)]
struct Pair {
    old: ResourceId,
    new: ResourceId,
}

/// What comes to the thread that puts all together.
enum Told {
    /// One of the files goes on.
    Read(Side, LoadEvent),
    /// One of the files is over.
    Ended(Side, Result<(), LoadError>),
    /// Pairs of a comparison were judged.
    Judged(Arc<Compared>, Vec<Verdict>),
    /// A thread ended in a bug of ours, which its end tells.
    Broken,
}

/// Tells it when a thread panics, so that nobody waits for it.
struct Leaving<'t>(&'t Sender<Told>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            drop(self.0.send(Told::Broken));
        }
    }
}

/// Reads both files at once and tells `sink` piece by piece of a stack whose changes lead from `old` to `new`. If it is stopped
/// before the end, nothing is said to be gone, and what was not compared is said to be neither new nor changed. Likewise if one of
/// them is cut off: resources that are missing in it are neither new nor gone.
///
/// # Errors
///
/// If either cannot be shown at all or is cut off while `limits` do not allow that, or the two are not of one tool.
pub(super) fn stream(
    old: &Input,
    new: &Input,
    limits: Limits,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    let stop = AtomicBool::new(cancel.load(Ordering::Relaxed));
    // Both files are hashed with one key, and nobody knows it.
    let digest = DefaultHashBuilder::default();
    let (tell, told) = mpsc::channel();
    let (to_judges, cases) = mpsc::channel();
    let cases = Mutex::new(cases);
    std::thread::scope(|scope| {
        for (side, input) in [(Side::Old, old), (Side::New, new)] {
            let (tell, stop, digest) = (tell.clone(), &stop, &digest);
            scope.spawn(move || {
                let _leaving = Leaving(&tell);
                // Who does not listen any more has said stop.
                let mut read = |event| drop(tell.send(Told::Read(side, event)));
                let outcome = stream_digested(input, limits, stop, Some(digest), &mut read);
                drop(tell.send(Told::Ended(side, outcome)));
            });
        }
        for _ in 0..N_JUDGES {
            let (tell, stop, cases) = (tell.clone(), &stop, &cases);
            scope.spawn(move || judge::work(cases, &tell, stop));
        }
        let names = [name(old), name(new)];
        let comparison = Comparison::new(names, limits.allow_damaged, to_judges, sink);
        let outcome = comparison.run(&told, cancel, &stop);
        // After an error the other file is of no use.
        stop.store(true, Ordering::Relaxed);
        outcome
    })
}
