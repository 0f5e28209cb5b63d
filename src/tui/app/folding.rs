//! Commands that open and close, and commands of lists: sort, arrange, mark, hide.

use super::App;
use super::moving::Active;
use crate::tree::Node;
use crate::tui::command::{Command, FoldCommand, ListCommand, MarkCommand, Motion, View};
use crate::tui::keymap;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::text::TextView;
use crate::tui::rows::lossless_text;
use crate::tui::views::ViewCommand;
use crate::tui::widgets::text::plural;

impl App {
    pub(super) fn fold(&mut self, command: FoldCommand) {
        match self.active() {
            Active::Changes => self.fold_changes(command),
            Active::Difference => match command {
                FoldCommand::Collapse => self.window.focus = 0,
                FoldCommand::Activate | FoldCommand::Expand if self.show_more_difference() => {}
                FoldCommand::Activate => self.follow_cause(),
                FoldCommand::Expand
                | FoldCommand::Toggle
                | FoldCommand::Open
                | FoldCommand::Close
                | FoldCommand::OpenBelow
                | FoldCommand::OpenAll
                | FoldCommand::CloseAll
                | FoldCommand::Level(_) => {}
            },
        }
    }

    /// Shows the whole text of the selected string, or of the string that contains the selected value.
    pub(super) fn open_text(&mut self) {
        let Some((id, mut spot)) = self.spot() else {
            return self.miss_value();
        };
        let value = match self.value_at(id, &spot) {
            Some(value) if lossless_text(&value).is_none() && spot.inside.is_some() => {
                spot.inside = None;
                self.value_at(id, &spot)
            }
            value => value,
        };
        let Some(value) = value else {
            return;
        };
        let is_revealed = self.session.revealed_in(id) == Some(&spot);
        let is_secret = value.is_secret();
        let value = if is_revealed { value.reveal() } else { value };
        if let Some(text) = lossless_text(&value) {
            let view = TextView::plain(spot.label(), &text, is_secret);
            self.overlays.push(Overlay::Text(view));
        } else if is_secret {
            self.say(format!(
                "{} reveal this value",
                keymap::key_of(Command::Reveal)
            ));
        } else {
            self.say("this value is not a text");
        }
    }

    pub(super) fn list_command(&mut self, command: ListCommand) {
        match command {
            ListCommand::Noise => self.toggle_noise(),
            ListCommand::Sort => self.sort_changes(),
            ListCommand::Arrange => self.arrange_changes(),
        }
    }

    pub(super) fn mark_command(&mut self, command: MarkCommand) {
        match command {
            MarkCommand::Selected => {
                if let Some(id) = self.selected() {
                    if !self.session.marks.remove(&id) {
                        self.session.marks.insert(id);
                    }
                    let n = self.session.marks.len();
                    self.tell(ViewCommand::Move(Motion::Down));
                    self.say(format!("{} marked", plural(n, "resource")));
                } else {
                    self.say_error("select a resource to mark it");
                }
            }
            MarkCommand::All => self.mark_all(),
            MarkCommand::Clear => {
                self.session.marks.clear();
                self.say("marks cleared");
            }
        }
    }

    /// Marks the resources that the view lists, up to a number that fits in a clipboard.
    fn mark_all(&mut self) {
        const LIMIT: usize = 10_000;
        let (tree, list) = (&self.views.resources.tree.tree, &self.views.changes.list);
        let ids: Vec<_> = match self.window.view {
            View::Resources => (0..tree.len().min(4 * LIMIT))
                .filter_map(|row| tree.at(row))
                .filter(|place| place.offset == 0)
                .filter_map(|place| match place.node {
                    Node::Resource(id) => Some(id),
                    _ => None,
                })
                .take(LIMIT)
                .collect(),
            View::Changes => list.ids(0..4 * LIMIT).take(LIMIT).collect(),
            View::Deps => self.views.deps.neighbors().take(LIMIT).collect(),
            View::Problems => {
                let problems = self.views.problems.resources(self.session.stack());
                problems.take(LIMIT).collect()
            }
            View::Outputs => {
                self.say_error("outputs cannot be marked, resources can");
                return;
            }
        };
        self.session.marks.extend(ids);
        let n = self.session.marks.len();
        self.say(format!("{} marked", plural(n, "resource")));
    }
}
