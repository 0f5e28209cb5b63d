//! The Changes view: the list of changes, and the difference of the selected change.

use crate::tui::panes::changes::ChangesPane;
use crate::tui::panes::diff::DiffPane;

/// The Changes view.
#[derive(Default, Debug)]
pub struct ChangesView {
    /// The list of changes.
    pub list: ChangesPane,
    /// The difference of the selected change.
    pub difference: DiffPane,
}
