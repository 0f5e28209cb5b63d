//! The commands that the help and the palette list.

use super::App;
use crate::stack::{Action, ChangeId};
use crate::tui::changes::Topic;
use crate::tui::command::{
    Command, CopyCommand, DepsCommand, GoCommand, MarkCommand, Panes, ReviewCommand, View,
};
use crate::tui::keymap::{Binding, Scope, bindings};
use crate::tui::panes::changes::is_reviewed;
use crate::tui::rows::Opening;

impl App {
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
            View::Stacks => self.views.stacks.n_lines() > 0,
            View::Brief | View::Resources | View::Outputs | View::Deps | View::Problems => {
                !is_empty || !stack.notes.is_empty()
            }
        }
    }

    /// True if the list of the view in front has a row, which a filter may leave out.
    pub fn lists_rows(&self) -> bool {
        match self.window.view {
            View::Changes => {
                self.views.changes.lists_stories() || self.views.changes.list.rows().row_count() > 0
            }
            View::Resources => !self.views.resources.tree.tree.is_empty(),
            View::Brief | View::Outputs | View::Deps | View::Problems | View::Stacks => {
                self.has_rows()
            }
        }
    }

    /// True if a command does something now: the palette and the hints offer no other one.
    pub fn is_possible(&self, command: Command) -> bool {
        use Command as C;
        let (session, view) = (&self.session, self.window.view);
        let stack = session.stack();
        let is_open = session.document.is_some();
        match command {
            C::View(View::Stacks)
            | C::Themes
            | C::Mouse
            | C::Muted
            | C::Reload
            | C::Palette
            | C::Help
            | C::Suspend
            | C::Quit
            | C::Cancel
            | C::Count => true,
            C::View(_) | C::Updates(_) => !self.lists_only(),
            _ if self.is_own(command) => true,
            // Only popups obey these.
            C::OtherDirection | C::InSource(_) | C::Accept | C::Complete => false,
            C::Deps(DepsCommand::Way) => session.marks.len() == 2,
            C::Deps(_)
            | C::Side(_)
            | C::Go(GoCommand::Parent | GoCommand::Provider)
            | C::Mark(MarkCommand::Selected) => {
                self.selected().is_some() || self.walks_from_outputs(command)
            }
            C::Mark(MarkCommand::Clear) => !session.marks.is_empty(),
            C::Go(GoCommand::Back) => self.has_place_before(),
            C::Wrap | C::Go(_) | C::Mark(MarkCommand::All) => is_open,
            C::Review(command) => self.can_review(command),
            // The list of stacks has a search of its own.
            C::Search(_) if view == View::Stacks => false,
            C::Move(_) | C::Fold(_) | C::Search(_) | C::List(_) => self.has_rows(),
            C::Text | C::Types | C::Verify => self.spot().is_some(),
            C::Copy(CopyCommand::Secret) => self.opening() == Some(Opening::Reveal),
            C::Copy(_) => self.selected().is_some() || self.spot().is_some(),
            C::Reveal => {
                let opening = self.opening();
                opening.is_some_and(|it| !matches!(it, Opening::Nothing(_)))
            }
            C::HideAll => session.revealed.is_some(),
            C::Unlock => session.is_pulumi() && stack.counts.secrets > 0,
            C::NextPane | C::PrevPane => view.row().panes != Panes::One,
            C::Zoom | C::Narrower | C::Wider => view.has_two_panes(),
            C::Unzoom => self.window.zoomed,
            C::Section => is_open && view == View::Resources,
            C::Source => !stack.sources.files.is_empty() || self.is_declared_nearby(),
        }
    }

    /// True if a command of the review does something now.
    fn can_review(&self, command: ReviewCommand) -> bool {
        use ReviewCommand as R;
        let (stack, view) = (self.session.stack(), self.window.view);
        let are_reviewed = view.row().reviews && stack.holds_changes();
        let first = self.views.of(view).first_change(&self.session);
        match command {
            // The brief of a state has entries too.
            R::NextChange | R::PrevChange if view == View::Brief => are_reviewed || self.has_rows(),
            R::Why => {
                let first = first.and_then(ChangeId::resource);
                are_reviewed && first.is_some_and(|id| Topic::of(stack, id).is_some())
            }
            R::Reviewed | R::Note => are_reviewed && first.is_some_and(|it| is_reviewed(stack, it)),
            R::Actions => {
                let mut counts = self.views.changes.list.counts();
                are_reviewed && counts.any(|(topic, ..)| topic != Topic::Change(Action::Noop))
            }
            R::NextChange
            | R::PrevChange
            | R::NextUnreviewed
            | R::SideBySide
            | R::MoreContext
            | R::LessContext => are_reviewed && self.lists_rows(),
        }
    }
}
