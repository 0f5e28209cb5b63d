//! Notices that a file changed since it was opened.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use crate::load::Identity;
use crate::tui::event::Event;
use crate::tui::jobs::Cancel;

/// Time between two checks.
const EVERY: Duration = Duration::from_millis(700);

/// Sends one event when any of the files is written to, replaced or removed, unless `done` ends the watch first.
pub(super) fn watch(paths: Vec<PathBuf>, done: Cancel, events: Sender<Event>) {
    let look = move || -> Vec<_> { paths.iter().map(|path| Identity::at(path)).collect() };
    let opened = look();
    thread::spawn(move || {
        while !done.is_cancelled() {
            thread::sleep(EVERY);
            if look() != opened && !done.is_cancelled() {
                let _ = events.send(Event::FileChanged);
                return;
            }
        }
    });
}
