//! The list of changes in other arrangements and orders, and filtered.

use std::sync::Arc;

use super::App;
use crate::search::SearchResult;
use crate::tui::jobs::{Job, Topic};
use crate::tui::panes::changes::{Arranged, ChangesFilter};
use crate::tui::widgets::text::plural;

impl App {
    /// Sorts the list of changes in the next order.
    pub(super) fn sort_changes(&mut self) {
        self.views.changes.list.order = self.views.changes.list.order.next();
        self.make_changes();
        self.say(format!(
            "sorted by {}",
            self.views.changes.list.order.name()
        ));
    }

    /// Arranges the list of changes in the next way.
    pub(super) fn arrange_changes(&mut self) {
        self.views.changes.list.arrangement = self.views.changes.list.arrangement.next();
        self.make_changes();
        let name = self
            .views
            .changes
            .list
            .arrangement
            .name(self.session.stack());
        self.say(format!("arranged {name}"));
    }

    /// Lists only the changes that a search found.
    pub(super) fn filter_changes(&mut self, query: String, found: &SearchResult, n_seen: usize) {
        self.views.changes.list.filter = Some(ChangesFilter {
            query,
            ids: Arc::new(found.resources.clone()),
            n_seen,
            reading: found.reading,
        });
        self.make_changes();
        let n = plural(found.resources.len(), "change");
        self.say(format!("filtered to {n}"));
    }

    /// Lists all changes again. False if there is no filter.
    pub(super) fn clear_changes_filter(&mut self) -> bool {
        let had_filter = self.views.changes.list.filter.take().is_some();
        if had_filter {
            self.make_changes();
            self.say("filter cleared");
        }
        had_filter
    }

    /// Makes the list of changes as it is wanted now.
    pub(super) fn make_changes(&mut self) {
        if let Some(request) = self.views.changes.list.request() {
            let stack = self.session.stack().clone();
            self.start(Job::ArrangeChanges(stack, request));
        } else {
            self.session.tickets.forget(Topic::ArrangeChanges);
            let height = self.pane_height(0);
            self.views.changes.list.set_arranged(None, height);
        }
    }

    /// Makes an arranged list again after a choice about its contents.
    pub(super) fn remake_changes(&mut self) {
        if self.views.changes.list.request().is_some() {
            self.make_changes();
        }
    }

    /// Makes an arranged list again after resources were added or changed. While a file is read, each list covers a quarter more
    /// than the one before, so that all of them together cost as much as a few.
    pub(super) fn renew_changes(&mut self, is_changed: bool) {
        if self.views.changes.list.request().is_none() {
            return;
        }
        let seen = self.views.changes.list.arranged().map_or(0, |it| it.n_seen);
        let len = self.session.stack().len();
        let is_due = match self.session.loading {
            Some(_) => self.session.is_live() || len > seen + seen / 4,
            None => is_changed || len > seen,
        };
        if is_due {
            self.make_changes();
        }
    }

    /// Takes the new list of changes.
    pub(super) fn changes_arranged(&mut self, arranged: Arranged) {
        let height = self.pane_height(0);
        self.views.changes.list.set_arranged(Some(arranged), height);
        self.follow();
    }
}
