//! A thread that writes the record of the review. The record is shared, so a slow disk leads to fewer writes, not to a queue.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use crate::tui::event::Event;
use crate::tui::review::Recorded;

/// The thread, started with the first record. It ends, after the last write, when this is dropped.
#[derive(Default)]
pub(super) struct Recorder {
    thread: Option<(Sender<Arc<Recorded>>, JoinHandle<()>)>,
}

impl Recorder {
    /// Writes a record soon.
    pub(super) fn write(&mut self, recorded: Arc<Recorded>, events: &Sender<Event>) {
        let (sender, _) = self.thread.get_or_insert_with(|| {
            let (sender, inbox) = mpsc::channel::<Arc<Recorded>>();
            let events = events.clone();
            let thread = thread::spawn(move || {
                while let Ok(mut recorded) = inbox.recv() {
                    while let Ok(newer) = inbox.try_recv() {
                        recorded = newer;
                    }
                    if let Err(error) = recorded.save() {
                        // The loop may have ended.
                        _ = events.send(Event::NotRecorded(error.to_string()));
                    }
                }
            });
            (sender, thread)
        });
        // The thread ends only with this sender.
        _ = sender.send(recorded);
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            // A panic there was reported.
            _ = thread.join();
        }
    }
}
