//! The filters of the tree and of the changes while the file loads: a query is searched again in the background as records
//! arrive and at the end.

use std::sync::Arc;

use super::App;
use super::searching::{SearchPurpose, WantedSearch};
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
            || self.searching.purpose.is_some()
            || self.searching.waiting.is_some();
        if is_searching {
            return;
        }
        let tree = self.views.resources.tree.filter.as_ref();
        let tree = tree.filter(|it| self.searching.unsettled || self.session.is_due(it.n_seen));
        let changes = self.views.changes.list.filter.as_ref();
        let changes = changes.filter(|it| self.session.is_due(it.n_seen));
        let (filtered, query) = match (tree, changes) {
            (Some(filter), _) => (Filtered::Tree, &filter.query),
            (None, Some(filter)) => (Filtered::Changes, &filter.query),
            (None, None) => return,
        };
        let Ok(query) = Query::parse(query) else {
            return;
        };
        let wanted = WantedSearch {
            query,
            goal: Goal::Filter,
            among_changes: false,
            purpose: SearchPurpose::Filter(filtered),
        };
        self.ask_search(wanted, None);
    }

    /// Takes the new result of a filter.
    pub(super) fn filter_renewed(
        &mut self,
        filtered: Filtered,
        index: &Index,
        found: &Arc<SearchResult>,
    ) {
        let n_seen = index.n_resources();
        match filtered {
            Filtered::Changes => {
                self.with_views(|views, ctx| views.changes.renew_filter(found, index, ctx));
            }
            Filtered::Tree => {
                let tree = &mut self.views.resources.tree;
                let Some(filter) = tree.filter.take() else {
                    return;
                };
                tree.filter = Some(filter.with(found, index));
                let is_whole = n_seen >= self.session.stack().len();
                let is_over = is_whole && self.session.loading.is_none();
                if is_over && std::mem::take(&mut self.searching.unsettled) {
                    return self.settle_file();
                }
                self.arrange(self.views.resources.tree.node());
                if !is_whole {
                    self.renew_filter();
                }
            }
        }
    }
}
