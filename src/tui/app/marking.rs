//! Marks: rows that a person chose, to copy them together or to find the way between two.

use super::App;
use crate::tui::command::{MarkCommand, Motion};
use crate::tui::views::ViewCommand;
use crate::tui::widgets::text::plural;

/// Maximum number of resources marked at once: as many as fit in a clipboard.
const MAX_MARKED: usize = 10_000;

impl App {
    pub(super) fn mark_command(&mut self, command: MarkCommand) {
        match command {
            MarkCommand::Selected => {
                let Some(id) = self.selected() else {
                    self.say_error("select a resource to mark it");
                    return;
                };
                if !self.session.marks.remove(&id) {
                    self.session.marks.insert(id);
                }
                self.tell(ViewCommand::Move(Motion::Down));
            }
            MarkCommand::All => {
                let view = self.window.view;
                let listed = self.views.of(view).listed(&self.session, MAX_MARKED);
                let Some(ids) = listed else {
                    self.say_error("outputs cannot be marked, resources can");
                    return;
                };
                self.session.marks.extend(ids);
            }
            MarkCommand::Clear => {
                self.session.marks.clear();
                self.say("marks cleared");
                return;
            }
        }
        let n = plural(self.session.marks.len(), "resource");
        self.say(format!("{n} marked"));
    }
}
