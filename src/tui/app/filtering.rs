//! The filter of the tree while the file loads: its query is searched again in the background as records arrive and at the end.

use std::sync::Arc;

use super::App;
use super::hits::HitCursor;
use crate::search::{Index, Query, SearchResult};
use crate::tui::overlays::Overlay;

impl App {
    /// Searches the filter's query again among the new records. Runs one search at a time, and none while the person searches.
    pub(super) fn renew_filter(&mut self) {
        if self.resources.tree.filter.is_none() && std::mem::take(&mut self.searching.unsettled) {
            self.settle_file();
            return;
        }
        let is_searching = matches!(self.overlays.last(), Some(Overlay::Search(_)))
            || self.searching.is_renewing
            || self
                .searching
                .walk
                .as_ref()
                .is_some_and(HitCursor::is_searched)
            || self.searching.then.is_some();
        let Some(filter) = self
            .resources
            .tree
            .filter
            .as_ref()
            .filter(|_| !is_searching)
        else {
            return;
        };
        let (seen, len) = (filter.n_seen, self.session.stack().len());
        // While loading, every search covers a quarter more than the last one, so that all of them together cost as much as a
        // few.
        let is_due = match self.session.loading {
            Some(_) => len > seen + seen / 4 || self.session.is_live(),
            None => self.searching.unsettled || len > seen,
        };
        if !is_due {
            return;
        }
        let Ok(query) = Query::parse(&filter.query) else {
            return;
        };
        self.ask_search(query, None);
        self.searching.is_renewing = true;
    }

    /// Takes the new result of the filter.
    pub(super) fn filter_renewed(&mut self, index: &Index, found: &Arc<SearchResult>) {
        self.searching.is_renewing = false;
        let Some(filter) = &mut self.resources.tree.filter else {
            return;
        };
        filter.ids.clone_from(&found.resources);
        filter.n_seen = index.n_resources();
        if filter.n_seen < self.session.stack().len() {
            self.arrange(self.resources.tree.node());
            self.renew_filter();
        } else if self.session.loading.is_none() && std::mem::take(&mut self.searching.unsettled) {
            self.settle_file();
        } else {
            self.arrange(self.resources.tree.node());
        }
    }
}
