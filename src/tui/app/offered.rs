//! The commands that the help and the palette list.

use super::App;
use crate::stack::{Action, ChangeId};
use crate::tui::changes::Topic;
use crate::tui::command::{Command, Needs, Panes, View};
use crate::tui::keymap::{Binding, Scope, bindings};
use crate::tui::panes::changes::is_reviewed;
use crate::tui::rows::Opening;

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
        let is_open = self.timeline.is_some();
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

    /// True if the list of the view in front has a row, which a filter may leave out.
    pub fn lists_rows(&self) -> bool {
        match self.window.view {
            View::Changes => {
                self.views.changes.lists_stories() || self.views.changes.list.rows().row_count() > 0
            }
            View::Resources => !self.views.resources.tree.tree.is_empty(),
            View::Brief | View::Outputs | View::Deps | View::Problems => self.has_rows(),
        }
    }

    /// True if a command does something now: the palette and the hints offer no other one.
    pub fn is_possible(&self, command: Command) -> bool {
        let view = self.window.view;
        let stack = self.session.stack();
        let are_reviewed = || view.row().reviews && stack.holds_changes();
        match command.needs() {
            Needs::Nothing => true,
            Needs::Popup => false,
            Needs::File => self.session.document.is_some(),
            Needs::SourceFiles => !stack.sources.files.is_empty() || self.is_declared_nearby(),
            Needs::SecretsOfPulumi => self.session.is_pulumi() && stack.counts.secrets > 0,
            Needs::Rows => self.has_rows(),
            Needs::Actions => {
                let mut counts = self.views.changes.list.counts();
                are_reviewed() && counts.any(|(topic, ..)| topic != Topic::Change(Action::Noop))
            }
            Needs::Change => {
                let first = self.views.of(view).first_change(&self.session);
                let first = first.and_then(ChangeId::resource);
                are_reviewed() && first.is_some_and(|id| Topic::of(stack, id).is_some())
            }
            Needs::ChangesOfRow => {
                let first = self.views.of(view).first_change(&self.session);
                are_reviewed() && first.is_some_and(|change| is_reviewed(stack, change))
            }
            // The brief of a state has entries too.
            Needs::Dangers if view == View::Brief => are_reviewed() || self.has_rows(),
            Needs::Changes | Needs::Dangers => are_reviewed() && self.lists_rows(),
            Needs::Resource => self.selected().is_some() || self.walks_from_outputs(command),
            Needs::Value => self.spot().is_some(),
            Needs::ResourceOrValue => self.selected().is_some() || self.spot().is_some(),
            Needs::Secret => {
                let opening = self.opening();
                opening.is_some_and(|it| !matches!(it, Opening::Nothing(_)))
            }
            Needs::PlainSecret => self.opening() == Some(Opening::Reveal),
            Needs::Revealed => self.session.revealed.is_some(),
            Needs::Marks => !self.session.marks.is_empty(),
            Needs::TwoMarks => self.session.marks.len() == 2,
            Needs::PlaceBefore => self.has_place_before(),
            Needs::Panes => view.row().panes != Panes::One,
            Needs::TwoPanes => view.has_two_panes(),
            Needs::Zoom => self.window.zoomed,
            Needs::Details => self.session.document.is_some() && view == View::Resources,
        }
    }
}
