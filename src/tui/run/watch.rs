//! Notices that a file changed since it was opened.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use crate::load::Identity;
use crate::log::{Level, log};
use crate::tui::event::Event;
use crate::tui::jobs::Cancel;

/// Time between two checks.
const EVERY: Duration = Duration::from_millis(700);

/// The moment at which a change is reported.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Report {
    /// At the first sign of it.
    AtOnce,
    /// When all files are there and did not change between two checks: a program that writes one has probably ended.
    Settled,
}

/// Sends one event when any of the files is written to, replaced or removed, unless `done` ends the watch first.
pub(super) fn watch(paths: Vec<PathBuf>, report: Report, done: Cancel, events: Sender<Event>) {
    let look = move || -> Vec<_> { paths.iter().map(|path| Identity::at(path)).collect() };
    let opened = look();
    thread::spawn(move || {
        let mut last = opened.clone();
        while !done.is_cancelled() {
            thread::sleep(EVERY);
            let now = look();
            let is_settled = now == last && now.iter().all(Option::is_some);
            if now != opened && (is_settled || report == Report::AtOnce) && !done.is_cancelled() {
                log(Level::Info, "file changed", &[]);
                let _ = events.send(Event::FileChanged);
                return;
            }
            last = now;
        }
    });
}
