//! Many stacks: the list, its jobs, and the way into a stack and back.

use super::App;
use crate::load::fleet::{Place, Roots};
use crate::load::folder;
use crate::load::{Input, LoadError, Origin};
use crate::search::Target;
use crate::tui::jobs::stacks::{FoundStacks, Listing, Tied};
use crate::tui::jobs::{Job, Topic};
use crate::tui::overlays::Overlay;
use crate::tui::overlays::stacks::{Opening, Stacks};
use crate::tui::rows::shown;
use crate::tui::stacks::{Aim, Arranged};

impl App {
    /// Shows the list that the file was chosen from, as it was left, or lists the stacks below the folder of the file.
    pub(super) fn open_stacks(&mut self) {
        if let Some(stacks) = self.updates.stacks.take() {
            self.overlays.push(Overlay::Stacks(stacks));
            return;
        }
        let roots = match self.session.input.sole_origin() {
            Some(Origin::Roots(roots)) => Some(roots.clone()),
            Some(Origin::Object(_) | Origin::Stdin | Origin::Bytes { .. }) => {
                self.updates.roots.clone()
            }
            Some(Origin::Path(_)) | None => self.updates.roots.clone().or_else(|| {
                let folder = self.history_file().map(|file| folder::of_file(&file))?;
                Some(Roots::new([folder]))
            }),
        };
        let Some(roots) = roots else {
            self.say_error("this input is not in a folder");
            return;
        };
        let like = Input {
            older: None,
            record: None,
            ..self.session.input.clone()
        };
        self.show_stacks(Stacks::new(roots, like));
    }

    /// Lists the stacks again.
    pub(super) fn list_again(&mut self) {
        match self.stacks().map(|stacks| stacks.again()) {
            Some(again) => {
                self.overlays
                    .retain(|overlay| !matches!(overlay, Overlay::Stacks(_)));
                self.updates.stacks = None;
                self.show_stacks(again);
            }
            None => self.open_stacks(),
        }
    }

    fn show_stacks(&mut self, mut stacks: Stacks) {
        if let Some(file) = self.history_file() {
            stacks.note_open(&file);
        }
        for topic in [Topic::ArrangeStacks, Topic::SearchStacks, Topic::TieStacks] {
            self.session.tickets.forget(topic);
        }
        self.start(stacks.list());
        self.overlays.push(Overlay::Stacks(Box::new(stacks)));
    }

    /// True if the way back leads to the list of stacks.
    pub(super) fn came_from_stacks(&self) -> bool {
        self.updates.stacks.is_some() || self.updates.roots.is_some()
    }

    /// The list, shown or left for a file.
    fn stacks(&mut self) -> Option<&mut Stacks> {
        let shown = self.overlays.iter_mut().find_map(|overlay| match overlay {
            Overlay::Stacks(stacks) => Some(&mut **stacks),
            _ => None,
        });
        shown.or(self.updates.stacks.as_deref_mut())
    }

    /// Starts the jobs that the list needs.
    pub(super) fn work_on_stacks(&mut self) {
        while let Some(job) = self.stacks().and_then(Stacks::next_job) {
            self.start(job);
        }
    }

    pub(super) fn stacks_listed(&mut self, listing: Listing) {
        if let Some(stacks) = self.stacks() {
            stacks.take(listing);
        }
    }

    pub(super) fn stacks_found(&mut self, found: FoundStacks) {
        if let Some(stacks) = self.stacks() {
            stacks.take_hits(found);
        }
    }

    pub(super) fn stacks_tied(&mut self, tied: Tied) {
        if let Some(stacks) = self.stacks() {
            stacks.take_tied(tied);
        }
    }

    pub(super) fn forget_tying(&mut self) {
        if let Some(stacks) = self.stacks() {
            stacks.forget_tying();
        }
    }

    /// Closes the popup above the list, and goes to a stack.
    pub(super) fn show_stack(&mut self, place: &Place) {
        self.overlays.pop();
        let body = self.areas().body;
        if let Some(stacks) = self.stacks() {
            stacks.visit(place, body);
        }
    }

    pub(super) fn stacks_arranged(&mut self, arranged: Arranged) {
        let body = self.areas().body;
        if let Some(stacks) = self.stacks() {
            stacks.take_arranged(arranged, body);
        }
    }

    pub(super) fn forget_arranging(&mut self) {
        if let Some(stacks) = self.stacks() {
            stacks.forget_arranging();
        }
    }

    /// Opens stacks that were chosen from the list.
    pub(super) fn open_members(&mut self, opening: Opening) {
        self.updates.aim = opening.aim;
        self.start(Job::OpenStacks(opening.open));
    }

    /// Leaves the list for a stack. The list stays as it is.
    pub(super) fn stacks_opened(&mut self, input: Result<Input, LoadError>) {
        let input = match input {
            Ok(input) => input,
            Err(error) => {
                self.updates.aim = None;
                self.say_error(shown(&error.to_string()));
                return;
            }
        };
        let overlays = std::mem::take(&mut self.overlays);
        self.updates.stacks = overlays.into_iter().find_map(|overlay| match overlay {
            Overlay::Stacks(stacks) => Some(stacks),
            _ => None,
        });
        let left = self.updates.stacks.as_ref();
        self.updates.roots = left.map(|stacks| stacks.roots().clone());
        self.open(input);
    }

    /// Goes to the hit for which the stack was opened, once it is read. The way back then leads to the list.
    pub(super) fn reach_aim(&mut self) {
        if self.session.loading.is_some() {
            return;
        }
        let Some(Aim { identity, target }) = self.updates.aim.take() else {
            return;
        };
        let stack = self.session.stack();
        let target = match target {
            Target::Output(place) => Target::Output(place),
            Target::Resource(id, at) => {
                let is_same = id.index() < stack.len() && stack.identity(id) == identity;
                let found = if is_same {
                    Some(id)
                } else {
                    stack.find(&identity).first().copied()
                };
                let Some(id) = found else {
                    let identity = shown(&identity);
                    self.say_error(format!("{identity} is no longer in this file"));
                    return;
                };
                Target::Resource(id, at)
            }
        };
        self.enter(&target);
        self.forget_places();
    }
}
