//! Exchanging the file: no id of one stack is ever used on another stack.
//!
//! A [`ResourceId`](crate::stack::ResourceId) is a position in one stack. In another stack the same number is a different
//! resource or does not exist. Two rules keep them apart:
//!
//! 1. Everything that holds ids is cleared in the step that exchanges the document. [`App::exchange`] and
//!    [`Session::exchange`](crate::tui::session::Session::exchange) name every field, so that a new field does not compile until
//!    it is handled there.
//! 2. Answers carry a ticket, and tickets only grow. The exchange makes all tickets about the old stack invalid
//!    ([`Tickets::forget_stack`](crate::tui::jobs::Tickets::forget_stack)).
//!
//! Choices cross over by name only (`tui/restore_selection.rs`).

use super::App;
use super::copying::Copying;
use super::history::History;
use super::searching::Searching;
use crate::load::Document;
use crate::tree::Folds;
use crate::tui::overlays::Overlay;
use crate::tui::views::Views;
use crate::tui::views::changes::ChangesView;
use crate::tui::views::outputs::OutputsView;
use crate::tui::views::resources::ResourcesView;

impl App {
    /// Replaces the open document with another one, still without resources, and forgets everything that belongs to the old one.
    pub(super) fn exchange(&mut self, opened: Option<Document>) {
        let is_reload = self.session.remembered.is_some();
        let Self {
            session,
            views,
            overlays,
            history,
            searching,
            copying,
            // State of the person, the screen and the folder; resources are named by URN.
            theme: _,
            window: _,
            message: _,
            keys: _,
            updates: _,
            effects: _,
        } = self;
        let Views {
            resources: ResourcesView { tree, detail },
            changes: ChangesView { list, difference },
            outputs: OutputsView { values },
            deps,
            problems,
        } = views;
        session.exchange(opened);
        match &mut tree.filter {
            // After a reload the filter is searched again.
            Some(filter) if is_reload => {
                filter.ids.clear();
                filter.n_seen = 0;
            }
            filter => *filter = None,
        }
        tree.clear(Folds::default());
        detail.show(None);
        if is_reload {
            list.clear_to_reload();
        } else {
            list.clear();
        }
        difference.show(None);
        values.show(None);
        deps.clear();
        problems.clear();
        overlays.retain_mut(Overlay::outlives_file);
        *history = History::default();
        *searching = Searching::default();
        *copying = Copying::default();
    }
}
