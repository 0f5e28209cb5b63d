//! Exchanging the file: no id of one stack is ever used on another stack.
//!
//! A [`ResourceId`](crate::stack::ResourceId) is a position in one stack. In another stack the same number is a different
//! resource or does not exist. Two rules keep them apart:
//!
//! 1. Everything that holds ids is cleared in the step that exchanges the document. [`App::exchange`],
//!    [`Session::exchange`](crate::tui::session::Session::exchange) and [`Views::clear`](crate::tui::views::Views::clear) name
//!    every field, so that a new field does not compile until it is handled there.
//! 2. Answers carry the flag of a ticket. The exchange drops all tickets about the old stack
//!    ([`Tickets::forget_stack`](crate::tui::jobs::Tickets::forget_stack)).
//!
//! Choices cross over by name only (`tui/restore_selection.rs`).

use super::App;
use super::history::History;
use super::searching::Searching;
use crate::load::Document;
use crate::tui::overlays::popup::Popup;
use crate::tui::views::NextFile;

impl App {
    /// Replaces the open document with another one, still without resources, and forgets everything that belongs to the old one.
    pub(super) fn exchange(&mut self, opened: Option<Document>) {
        let next = match self.session.remembered {
            Some(_) => NextFile::Same,
            None => NextFile::Other,
        };
        let Self {
            session,
            views,
            overlays,
            history,
            searching,
            // State of the person, the screen and the folder; resources are named by URN.
            theme: _,
            preferences: _,
            window: _,
            message: _,
            change: _,
            keys: _,
            timeline: _,
            fleet: _,
            effects: _,
        } = self;
        session.exchange(opened);
        views.clear(next);
        overlays.retain(<dyn Popup>::outlives_file);
        *history = History::default();
        *searching = Searching::default();
    }
}
