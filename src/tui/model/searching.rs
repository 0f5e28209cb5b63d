//! Commands about searching.

use super::Model;
use crate::tui::command::Command;

impl Model {
    pub(super) fn search_command(&mut self, _command: Command) {
        self.say_error("no search yet");
    }
}
