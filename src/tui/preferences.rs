//! The person's choices for the explorer, from the settings.

use super::command::View;
use super::theme::Theme;

/// Maximum number of unchanged neighbors around a change.
pub const MAX_CONTEXT: usize = 99;

/// Number of queries that are remembered, unless the person says another.
pub const N_QUERIES: usize = 50;

/// The person's choices for the explorer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preferences {
    /// The colors and styles.
    pub theme: Theme,
    /// The view that a file opens on; `None` for the brief of a plan, and the resources of a state.
    pub first_view: Option<View>,
    /// Number of unchanged neighbors shown around a change.
    pub context: usize,
    /// The way to the clipboard.
    pub clipboard: ClipboardChoice,
    /// True to capture the mouse from the start.
    pub mouse: bool,
    /// True to read the file again when it changes.
    pub watch: bool,
    /// Maximum number of queries that are remembered.
    pub n_queries: usize,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            first_view: None,
            context: 0,
            clipboard: ClipboardChoice::Auto,
            mouse: false,
            watch: false,
            n_queries: N_QUERIES,
        }
    }
}

/// The way to the clipboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClipboardChoice {
    /// The system's clipboard, or the terminal's; over SSH both.
    Auto,
    /// The system's clipboard alone.
    System,
    /// The terminal's alone, by OSC 52.
    Terminal,
}
