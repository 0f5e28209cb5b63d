//! Notices that a file is not as it was when it was opened.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, SystemTime};

use crate::tui::event::Event;

/// How often one looks.
const EVERY: Duration = Duration::from_millis(700);

/// What tells one version of a file from another.
fn version(metadata: &Metadata) -> (u64, Option<SystemTime>) {
    (metadata.len(), metadata.modified().ok())
}

/// Says once when the file at `path` is another than now; ends when `done` is set.
pub(super) fn watch(path: PathBuf, done: Arc<AtomicBool>, events: Sender<Event>) {
    let look = |path: &Path| fs::metadata(path).ok().map(|it| version(&it));
    let opened = look(&path);
    thread::spawn(move || {
        while !done.load(Ordering::Relaxed) {
            thread::sleep(EVERY);
            if look(&path) != opened && !done.load(Ordering::Relaxed) {
                let _ = events.send(Event::FileChanged);
                return;
            }
        }
    });
}
