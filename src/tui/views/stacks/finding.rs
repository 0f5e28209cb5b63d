//! The search through the contents of all stacks.

use std::sync::Arc;

use crate::load::fleet::Fleet;
use crate::search::{Query, Searched};
use crate::tui::command::View;
use crate::tui::effect::Effect;
use crate::tui::jobs::Ticket;
use crate::tui::jobs::stacks::{FoundStacks, SearchStacks};
use crate::tui::stacks::FleetHits;

/// The search for the typed query, and its hits so far.
#[derive(Default, Debug)]
pub(super) struct Finding {
    /// The hits of each stack.
    pub(super) hits: Arc<FleetHits>,
    /// Number of hits.
    pub(super) n_hits: u64,
    /// Number of files that were searched.
    pub(super) n_searched: usize,
    /// The reason why the typed text is no query.
    pub(super) error: Option<String>,
    /// The query to search for, before its search starts.
    wanted: Option<Query>,
    /// The search, which ends with this value.
    ticket: Ticket,
    /// True until all stacks are searched.
    pub(super) is_running: bool,
}

impl Finding {
    /// Searches for another text. The search under way ends, and its hits are dropped.
    pub(super) fn ask(&mut self, typed: &str) {
        *self = Self::default();
        match Query::parse(typed) {
            Err(error) => self.error = Some(error.reason()),
            Ok(query) => {
                if let Some((_, field)) = query.misplaced(Searched::Resources) {
                    let changes = View::Changes.name();
                    let why = format!("{}: works in the {changes} view only", field.name);
                    self.error = Some(why);
                } else if !query.is_empty() {
                    self.wanted = Some(query);
                    self.is_running = true;
                }
            }
        }
    }

    /// The search to start.
    pub(super) fn next_search(&mut self, fleet: &Fleet) -> Option<Effect> {
        let query = self.wanted.take()?;
        let fleet = fleet.clone();
        let job = Box::new(SearchStacks { fleet, query });
        Some(Effect::Start(self.ticket.flag(), job))
    }

    /// Takes hits. True if there are new ones.
    pub(super) fn take(&mut self, found: FoundStacks) -> bool {
        self.n_searched += found.n_searched;
        self.is_running = !found.is_done;
        let has_more = !found.hits.is_empty();
        self.n_hits += found.hits.iter().map(|(_, hits)| hits.total).sum::<u64>();
        Arc::make_mut(&mut self.hits).extend(found.hits);
        has_more
    }
}
