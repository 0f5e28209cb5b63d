//! Events that reach the explorer.

use crossterm::event::{KeyEvent, MouseEvent};

use super::any_job::AnyAnswer;
use super::app::App;
use super::jobs::Cancel;
use super::theme::Rgb;

/// Something the explorer must know about.
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was used.
    Mouse(MouseEvent),
    /// A text was pasted.
    Paste(String),
    /// The size of the screen changed.
    Resize(u16, u16),
    /// A job has an answer. Late answers are dropped.
    Answer(Cancel, Box<dyn AnyAnswer>),
    /// The route by which a text would be copied is known.
    Routed(Result<Route, String>),
    /// The timer with this number ran out.
    Woke(u64),
    /// A text was copied, or copying failed.
    Copied {
        /// The name of the text, for the message: `path`.
        what: String,
        /// Length of the text in characters.
        n_chars: usize,
        /// The route, or why there was none.
        result: Result<String, String>,
    },
    /// The record of the review could not be written.
    NotRecorded(String),
    /// A background thread panicked.
    Crashed {
        /// The work that was under way.
        what: &'static str,
        /// The reaction of the explorer.
        lose: fn(&mut App),
    },
    /// The terminal reports the color of its background.
    Background(Rgb),
    /// The file changed since it was opened.
    FileChanged,
    /// The system asks the program to end.
    Terminate,
}

/// A route to the person's clipboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    /// Its name: `OSC 52 through tmux`.
    pub name: String,
    /// Maximum size of a text in bytes, if the route has a limit.
    pub max_bytes: Option<usize>,
}
