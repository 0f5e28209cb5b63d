//! Commands that copy.

use super::Model;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::widgets::text::plural;

impl Model {
    pub(super) fn copy_command(&mut self, _command: Command) {
        if let Some((_, spot)) = self.spot() {
            let text = spot.path.to_string();
            self.copy("path", text);
        } else if let Some(id) = self.selected() {
            let text = self.stack().identity(id);
            let what = if self.is_pulumi() { "URN" } else { "address" };
            self.copy(what, text);
        } else {
            self.say_error("nothing to copy here; select a resource or a value");
        }
    }

    /// Asks for `text` to be put into the clipboard.
    pub fn copy(&mut self, what: &str, text: String) {
        self.ask(Effect::Copy {
            what: what.to_owned(),
            text,
        });
    }

    pub(super) fn copied(&mut self, what: &str, n_chars: usize, result: Result<String, String>) {
        match result {
            Ok(route) => self.say(format!(
                "copied {what}, {}, via {route}",
                plural(n_chars, "char")
            )),
            Err(message) => self.say_error(format!("{what} not copied: {message}")),
        }
    }
}
