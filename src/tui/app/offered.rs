//! The commands that the help and the palette list.

use super::App;
use crate::tui::command::{
    Command, CopyCommand, DepsCommand, GoCommand, MarkCommand, Panes, ReviewCommand, SearchCommand,
    View,
};
use crate::tui::keymap::{Binding, Scope, bindings};

impl App {
    /// All keys for the help: those of this view first, then the others in the order in which a person learns them.
    pub(super) fn keys_for_help(&self) -> Vec<&'static Binding> {
        /// The groups after those of the view: these, those of the other views, and those at the end. The groups of overlays
        /// follow in the order of the table.
        const FIRST: [&str; 5] = ["Move", "Fold", "Views", "Search", "Goto"];
        const LAST: [&str; 4] = ["History", "Yank", "Secrets", "Other"];
        let of_views = View::ALL.map(|view| view.row().group);
        let groups: Vec<&str> = FIRST.into_iter().chain(of_views).chain(LAST).collect();
        let own = self.window.view.row().group;
        let is_open = self.updates.timeline.is_some();
        let mut keys: Vec<_> = bindings().iter().filter(|it| !it.help.is_empty()).collect();
        keys.sort_by_key(|binding| {
            let is_own = binding.group == own || is_open && binding.scope == Scope::Timeline;
            let place = groups.iter().position(|group| *group == binding.group);
            (!is_own, place.unwrap_or(groups.len()))
        });
        keys
    }

    /// The commands that can be run now, for the palette.
    pub(super) fn possible_commands(&self) -> Vec<&'static Binding> {
        let scopes = self.scopes();
        let possible = bindings().iter().filter(|it| {
            let is_here = scopes.contains(&it.scope) || it.scope == Scope::Yank;
            let has_text = !it.help.is_empty() && !it.name.is_empty();
            is_here && has_text && self.is_possible(it.command)
        });
        possible.collect()
    }

    /// True if the view in front has something to list.
    pub fn has_rows(&self) -> bool {
        let stack = self.session.stack();
        let is_empty = stack.is_empty() && stack.outputs.is_empty();
        match self.window.view {
            View::Changes => stack.holds_changes(),
            View::Brief | View::Resources | View::Outputs | View::Deps | View::Problems => {
                !is_empty || !stack.notes.is_empty()
            }
        }
    }

    /// True if a command does something now: the palette and the hints offer no other one.
    pub fn is_possible(&self, command: Command) -> bool {
        use Command as C;
        let is_file_open = self.session.document.is_some();
        let has_resource = self.selected().is_some();
        let has_value = self.spot().is_some();
        match command {
            C::View(_)
            | C::Themes
            | C::Mouse
            | C::Reload
            | C::Palette
            | C::Help
            | C::Suspend
            | C::Quit
            | C::Updates(_)
            | C::Cancel
            | C::Count => true,
            C::Deps(DepsCommand::Way) => self.session.marks.len() == 2,
            C::Deps(_) | C::Go(GoCommand::Parent | GoCommand::Provider) => has_resource,
            C::Go(GoCommand::Back) => self.has_place_before(),
            // The brief of a state has entries too.
            C::Review(ReviewCommand::NextChange | ReviewCommand::PrevChange)
                if self.window.view == View::Brief =>
            {
                self.has_rows()
            }
            C::Review(_) => self.window.view.row().reviews && self.session.stack().holds_changes(),
            // The brief is searched, not filtered.
            C::Search(SearchCommand::Filter) => self.has_rows() && self.window.view != View::Brief,
            C::Search(_) | C::List(_) => self.has_rows(),
            C::Mark(MarkCommand::Clear) => !self.session.marks.is_empty(),
            C::Move(_)
            | C::Fold(_)
            | C::Wrap
            | C::Go(_)
            | C::Mark(MarkCommand::Selected | MarkCommand::All) => is_file_open,
            C::Text | C::Types | C::Decode | C::Verify => has_value,
            C::Reveal | C::Copy(CopyCommand::Secret) => self.is_on_secret(),
            C::Copy(_) => has_resource || has_value,
            C::NextPane | C::PrevPane => self.window.view.row().panes != Panes::One,
            C::Section => is_file_open && self.window.view == View::Resources,
            C::Zoom | C::Narrower | C::Wider => self.window.view.has_two_panes(),
            C::Unzoom => self.window.zoomed,
            C::Source => !self.session.stack().sources.files.is_empty(),
            C::HideAll => self.session.revealed.is_some(),
            C::Unlock => self.session.is_pulumi() && self.session.stack().counts.secrets > 0,
            C::Accept | C::Complete => false,
        }
    }
}
