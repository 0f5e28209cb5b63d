//! Commands about dependencies.

use super::Model;
use crate::tui::command::{Command, View};

impl Model {
    pub(super) fn deps_command(&mut self, _command: Command) {
        if self.selected().is_none() {
            self.say_error("select a resource first");
            return;
        }
        self.set_view(View::Deps);
    }
}
