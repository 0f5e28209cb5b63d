//! Notices that a file changed since it was opened.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use crate::load::Identity;
use crate::tui::event::Event;

/// Time between two checks.
const EVERY: Duration = Duration::from_millis(700);

/// Sends one event when any of the files is written to, replaced or removed. Ends when `done` is set.
pub(super) fn watch(paths: Vec<PathBuf>, done: Arc<AtomicBool>, events: Sender<Event>) {
    let look = move || -> Vec<_> { paths.iter().map(|path| Identity::at(path)).collect() };
    let opened = look();
    thread::spawn(move || {
        while !done.load(Ordering::Relaxed) {
            thread::sleep(EVERY);
            if look() != opened && !done.load(Ordering::Relaxed) {
                let _ = events.send(Event::FileChanged);
                return;
            }
        }
    });
}
