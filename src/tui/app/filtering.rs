//! The filters of the tree and of the changes while the file loads: a query is searched again in the background as records
//! arrive and at the end.

use std::sync::Arc;

use super::App;
use super::hits::HitCursor;
use crate::search::{Goal, Index, Query, SearchResult};
use crate::tui::overlays::search::SearchBar;

/// A list with a filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Filtered {
    /// The tree of resources.
    Tree,
    /// The list of changes.
    Changes,
}

impl App {
    /// Searches the query of a filter again among the new records. Runs one search at a time, and none while the person searches.
    pub(super) fn renew_filter(&mut self) {
        if self.views.resources.tree.filter.is_none()
            && std::mem::take(&mut self.searching.unsettled)
        {
            self.settle_file();
        }
        let is_searching = self.overlays.get::<SearchBar>().is_some()
            || self.searching.renewing.is_some()
            || self
                .searching
                .walk
                .as_ref()
                .is_some_and(HitCursor::is_searched)
            || self.searching.then.is_some();
        if is_searching {
            return;
        }
        let len = self.session.stack().len();
        // While loading, every search covers a quarter more than the last one, so that all of them together cost as much as a
        // few.
        let is_due = |seen: usize| match self.session.loading {
            Some(_) => len > seen + seen / 4 || self.session.is_live(),
            None => len > seen,
        };
        let tree = self.views.resources.tree.filter.as_ref();
        let tree = tree.filter(|it| self.searching.unsettled || is_due(it.n_seen));
        let changes = self.views.changes.list.filter.as_ref();
        let changes = changes.filter(|it| is_due(it.n_seen));
        let (filtered, query) = match (tree, changes) {
            (Some(filter), _) => (Filtered::Tree, &filter.query),
            (None, Some(filter)) => (Filtered::Changes, &filter.query),
            (None, None) => return,
        };
        let Ok(query) = Query::parse(query) else {
            return;
        };
        self.ask_search(query, Goal::Filter, None, None);
        self.searching.renewing = Some(filtered);
    }

    /// Takes the new result of a filter.
    pub(super) fn filter_renewed(
        &mut self,
        filtered: Filtered,
        index: &Index,
        found: &Arc<SearchResult>,
    ) {
        self.searching.renewing = None;
        match filtered {
            Filtered::Tree => self.tree_filter_renewed(index, found),
            Filtered::Changes => {
                let n_seen = index.n_resources();
                self.with_views(|views, ctx| views.changes.renew_filter(found, n_seen, ctx));
            }
        }
    }

    fn tree_filter_renewed(&mut self, index: &Index, found: &Arc<SearchResult>) {
        let Some(filter) = &mut self.views.resources.tree.filter else {
            return;
        };
        filter.ids.clone_from(&found.resources);
        filter.n_seen = index.n_resources();
        if filter.n_seen < self.session.stack().len() {
            self.arrange(self.views.resources.tree.node());
            self.renew_filter();
        } else if self.session.loading.is_none() && std::mem::take(&mut self.searching.unsettled) {
            self.settle_file();
        } else {
            self.arrange(self.views.resources.tree.node());
        }
    }
}
