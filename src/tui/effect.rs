//! Requests from the explorer to the world outside.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::any_job::AnyJob;
use super::jobs::Cancel;
use super::review::Recorded;

/// A request, performed by `run`.
pub enum Effect {
    /// Start a job. Its answers come as events with this flag.
    Start(Cancel, Box<dyn AnyJob>),
    /// Watch these files, in place of those watched before.
    Watch(Vec<PathBuf>),
    /// Send an event with this number after this time.
    Wake(u64, Duration),
    /// Find the route by which a text would be copied.
    Route,
    /// Put a text on the clipboard.
    Copy {
        /// The name of the text, for the message.
        what: String,
        /// The text.
        text: String,
    },
    /// Write the record of the review.
    Record(Arc<Recorded>),
    /// Redraw every cell: the terminal may have lost some.
    Redraw,
    /// Turn mouse capture on, or leave the mouse to the terminal.
    Mouse(bool),
    /// Suspend the program, as ^Z does.
    Suspend,
    /// Quit.
    Quit,
}
