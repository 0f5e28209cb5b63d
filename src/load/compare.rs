//! Two files as one: the differences from the old file to the new one, as a stack with changes.
//!
//! Two resources are the same if they have the same name. Resources with equal names are paired in the order of their files.
//! The resources of the new file keep their ids; deleted ones come after them. A resource is read from both files when it is
//! shown.
//!
//! Both files are indexed at the same time. A resource is reported as soon as it is found in the new file. Once both files are
//! whole, the resources are paired: a pair with bytes of the same hash has no change, and the action of another one follows when
//! a judge thread has read and compared both versions.

mod compared;
mod comparison;
mod judge;
mod tables;

pub use compared::Compared;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use compared::Halves;
use comparison::{Comparison, Reading};
use hashbrown::DefaultHashBuilder;

use super::{Input, Limits, LoadError, LoadEvent, name, stream_digested};
use crate::stack::ResourceId;

/// Marks the spans of the old file among those of both. No file is that long.
const OLD: u64 = 1 << 63;

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
    std::thread::scope(|scope| {
        let [old, new] = [old, new].map(|input| {
            let (tell, events) = mpsc::channel();
            let (stop, digest) = (&stop, &digest);
            let thread = scope.spawn(move || {
                let mut end = End {
                    stop,
                    is_early: true,
                };
                // If the receiver is gone, `stop` is set already.
                let mut tell = |event| drop(tell.send(event));
                let read = stream_digested(input, limits, stop, Some(digest), &mut tell);
                end.is_early = read.is_err();
                read
            });
            Reading {
                name: name(input),
                events,
                thread,
            }
        });
        let _end = End {
            stop: &stop,
            is_early: true,
        };
        Comparison::new(cancel, &stop, limits.allow_damaged, sink).run(old, new)
    })
}

/// Stops both readers when it is dropped early: after an error, or a panic of ours, the other file is useless.
struct End<'s> {
    stop: &'s AtomicBool,
    is_early: bool,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.stop.fetch_or(self.is_early, Ordering::Relaxed);
    }
}
