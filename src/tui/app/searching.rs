//! Commands about searching: the bar, the filter of the tree, and going from hit to hit.

use std::collections::HashSet;
use std::sync::Arc;

use super::App;
use super::filtering::Filtered;
use crate::path::{Glob, GlobSegment, Segment};
use crate::search::{
    Advice, At, Facts, Goal, OutputPlace, Query, Reading, SearchResult, Searched, Target, examples,
};
use crate::stack::{ChangeId, ResourceId};
use crate::tree::Node;
use crate::tui::aims::{self, ValueAim};
use crate::tui::any_job::Takes;
use crate::tui::command::{Command, SearchCommand, View};
use crate::tui::hit_cursor::HitCursor;
use crate::tui::jobs::search::{Advise, Found, Search, SharedIndex};
use crate::tui::keymap;
use crate::tui::overlays::find_rows::RowSearch;
use crate::tui::overlays::search::{SearchBar, Seek};
use crate::tui::overlays::{Outcome, language};
use crate::tui::panes::{Filter, found_outputs};
use crate::tui::rows::{Spot, shown};
use crate::tui::session::Visited;
use crate::tui::views::ViewState as _;
use crate::tui::widgets::text::plural;

/// The state of searching while no bar is open.
#[derive(Debug, Default)]
pub(super) struct Searching {
    /// The search index of the stack.
    pub(super) index: SharedIndex,
    /// True if the filter in the bar is set as soon as the search is complete.
    is_accepted: bool,
    /// True if the bar wants advice as soon as there is an index.
    awaits_index: bool,
    /// True if the file is read to its end and the tree waits for the result of the filter.
    pub(super) unsettled: bool,
    /// The purpose of the search under way.
    pub(super) purpose: Option<SearchPurpose>,
    /// The query of the search under way, and the person's marks and reviews at its start.
    asked: (Query, Facts),
    /// The rows of a view that were found last.
    pub(super) rows: Option<RowSearch>,
    /// The hits that `n` and `N` go through.
    pub(super) walk: Option<HitCursor>,
    /// The queries that were used, latest first, without repetitions. Kept in memory only.
    recent: Vec<String>,
    /// The search that starts as soon as the brief is known.
    pub(super) waiting: Option<Box<WantedSearch>>,
    /// A value to go to as soon as its resource is read.
    aim: Option<(ResourceId, ValueAim)>,
}

/// A search to start.
#[derive(Debug)]
pub(super) struct WantedSearch {
    pub(super) query: Query,
    pub(super) goal: Goal,
    /// True to search the changes first.
    pub(super) among_changes: bool,
    pub(super) purpose: SearchPurpose,
}

/// The purpose of a search: the one that its answer is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchPurpose {
    /// The bar lists the hits.
    Bar,
    /// A list is filtered again.
    Filter(Filtered),
    /// The hits are gone through from the one that was chosen before the search was over, else from the best one.
    Walk,
    /// The hits are gone through from the cursor, this many at first.
    Step(isize),
}

impl App {
    pub(super) fn search_command(&mut self, command: SearchCommand) {
        match command {
            SearchCommand::Filter => self.open_bar_here(Goal::Filter),
            SearchCommand::NextHit => self.go_hit_here(1),
            SearchCommand::PrevHit => self.go_hit_here(-1),
            SearchCommand::SearchKey => self.search_alike(1),
            SearchCommand::SearchKeyBack => self.search_alike(-1),
            SearchCommand::Open => self.open_bar_here(Goal::Go),
            SearchCommand::Language => self.open_language(),
        }
    }

    /// Drops the index after resources changed. The search under way goes on with the old one.
    pub(super) fn outdate_search(&mut self) {
        self.searching.index = SharedIndex::default();
    }

    /// Opens the bar that searches the view in front.
    fn open_bar_here(&mut self, goal: Goal) {
        if self.session.document.is_none() {
            self.say_error("nothing to search: no file is open");
        } else if !self.open_row_bar(goal) {
            self.open_bar(goal, "");
        }
    }

    /// Goes to a hit of the last search in the view in front, else of the last search among resources.
    pub(super) fn go_hit_here(&mut self, steps: isize) {
        if !self.go_row_hit(steps) {
            self.go_hit(steps);
        }
    }

    /// Opens the bar that searches the changes from a view about them, or else the resources.
    pub(super) fn open_bar(&mut self, goal: Goal, typed: &str) {
        self.searching.rows = None;
        self.views.changes.keep_found();
        let before = self.stop();
        let in_changes = match self.window.view {
            View::Changes => true,
            View::Brief => self.session.stack().holds_changes(),
            View::Resources | View::Outputs | View::Deps | View::Problems | View::Stacks => false,
        };
        let (view, searched) = if in_changes {
            (View::Changes, Searched::Changes)
        } else {
            (View::Resources, Searched::Resources)
        };
        let text = match (self.views.filter(view), goal) {
            (Some(filter), Goal::Filter) => filter.query.clone(),
            (Some(_), Goal::Go) | (None, _) => typed.to_owned(),
        };
        self.set_view(view);
        let examples = examples(self.session.stack(), in_changes);
        let recent = &self.searching.recent;
        let bar = SearchBar::new(goal, searched, before, &text, recent, examples);
        self.overlays.push(bar);
        self.typed_in_bar();
    }

    fn open_language(&mut self) {
        let width = self.areas().body.width;
        self.overlays.push(language::page(width));
    }

    /// Remembers a query that was used.
    fn note_query(&mut self, query: &Query) {
        let most = self.preferences.n_queries;
        let recent = &mut self.searching.recent;
        if !query.is_empty() {
            recent.retain(|other| *other != query.text);
            recent.insert(0, query.text.clone());
            recent.truncate(most);
        }
    }

    /// Lets the scrollbar mark the hits of the search in the bar, else of the last search.
    pub(super) fn show_hits(&mut self) {
        // The rows of a filter are its hits.
        let walk = self.searching.walk.as_ref();
        let walk = walk
            .filter(|walk| !self.is_filter(walk))
            .map(|walk| &walk.found);
        let bar = self.overlays.get::<SearchBar>();
        let hits = bar.map(|bar| &bar.found).or(walk);
        let hits = hits.map_or(&[][..], |found| &found.resources);
        self.views.resources.tree.set_hits(hits);
    }

    /// The query to mark on the screen: that of the last search in the view in front. The bar marks its own hits.
    pub(in crate::modules::tui) fn marked_query(&self) -> Option<&Query> {
        if !self.overlays.is_empty() {
            return None;
        }
        let rows = self.searching.rows.as_ref();
        let rows = rows.filter(|_| self.is_finding_rows());
        let walk = self.searching.walk.as_ref().map(|walk| &walk.query);
        rows.map(|rows| &rows.marked).or(walk)
    }

    /// The search bar, perhaps below the page about its language.
    fn bar(&mut self) -> Option<&mut SearchBar> {
        self.overlays.get_mut()
    }

    /// Searches for the new text of the bar, and asks for advice on it.
    pub(super) fn typed_in_bar(&mut self) {
        let Some(bar) = self.bar() else { return };
        let query = bar.read();
        self.ask_advice();
        let Some((query, bar)) = query.zip(self.bar()) else {
            return;
        };
        // Only a complete answer limits the possible hits of a longer query.
        let is_narrower = bar.done && !bar.query.is_empty() && query.narrows(&bar.query);
        let is_narrower =
            is_narrower && !bar.found.is_beyond && bar.found.reading == Reading::Written;
        let narrowed = is_narrower.then(|| Arc::clone(&bar.found));
        bar.expect(query.clone());
        let goal = bar.goal;
        if query.is_empty() {
            return self.drop_search();
        }
        let wanted = WantedSearch {
            query,
            goal,
            among_changes: self.window.view == View::Changes,
            purpose: SearchPurpose::Bar,
        };
        self.ask_search(wanted, narrowed);
    }

    /// Ends the search under way. Its answer is no longer wanted.
    fn drop_search(&mut self) {
        self.session.tickets.forget::<Search>();
        self.searching.is_accepted = false;
        self.searching.purpose = None;
        self.searching.waiting = None;
    }

    /// True if a search was accepted whose hit nobody knows yet.
    pub(super) fn awaits_hit(&self) -> bool {
        let walk = self.searching.walk.as_ref();
        let is_unknown = walk.is_some_and(|walk| walk.current().is_none());
        let awaits = self.searching.is_accepted
            || is_unknown && self.searching.purpose == Some(SearchPurpose::Walk);
        awaits && self.session.tickets.holds::<Search>()
    }

    /// Waits for no hit any more.
    pub(super) fn stop_waiting(&mut self) {
        self.drop_search();
        self.searching.aim = None;
    }

    fn ask_advice(&mut self) {
        let index = self.searching.index.get();
        self.searching.awaits_index = index.is_none();
        let before = self
            .bar()
            .and_then(|bar| Some((bar.wants_advice()?, bar.searched)));
        if let Some((index, (before, searched))) = index.zip(before) {
            self.start(Advise(index, before, searched));
        }
    }

    /// Starts a search, which ends the previous one. `narrowed` is a result that holds all its possible hits.
    pub(super) fn ask_search(&mut self, wanted: WantedSearch, narrowed: Option<Arc<SearchResult>>) {
        let Some(document) = self.session.document.clone() else {
            return;
        };
        if self.searching.purpose == Some(SearchPurpose::Walk) {
            self.searching.walk = None;
        }
        self.drop_search();
        let awaits_brief =
            self.views.changes.list.is_review && self.views.changes.stories.is_awaited();
        if awaits_brief && wanted.query.reads_sections() {
            self.searching.waiting = Some(Box::new(wanted));
            self.say("waiting for the brief of the changes…");
            return;
        }
        let WantedSearch {
            query,
            goal,
            among_changes,
            purpose,
        } = wanted;
        let among = among_changes.then(|| self.views.changes.list.all());
        self.searching.purpose = Some(purpose);
        let index = self.searching.index.clone();
        let marked: HashSet<ResourceId> = self.session.marks.iter().copied().collect();
        let facts = Facts {
            marked: Arc::new(marked),
            reviewed: Arc::new(self.session.reviewed_resources().collect()),
            fresh: self
                .session
                .since
                .as_ref()
                .map(|it| Arc::clone(&it.fresh))
                .unwrap_or_default(),
            sections: self.views.changes.stories.sections(),
            schemas: self.session.schemas.clone(),
        };
        self.searching.asked = (query.clone(), facts.clone());
        self.start(Search {
            document,
            index,
            query,
            goal,
            among,
            narrowed,
            facts,
        });
    }

    /// Starts the search that waits for the brief, or renews the filter of the changes if it depends on the brief.
    pub(super) fn search_with_brief(&mut self) {
        if let Some(wanted) = self.searching.waiting.take() {
            return self.ask_search(*wanted, None);
        }
        let has_schemas = self.session.schemas.is_some();
        let Some(filter) = &mut self.views.changes.list.filter else {
            return;
        };
        let is_dependent = Query::parse(&filter.query)
            .is_ok_and(|it| it.reads_sections() || has_schemas && it.reads_changes());
        if is_dependent {
            filter.n_seen = 0;
            self.renew_filter();
        }
    }

    /// Puts the cursors on a hit.
    pub(super) fn show_target(&mut self, target: &Target) {
        self.searching.aim = None;
        let in_changes = self.window.view == View::Changes;
        let output = aims::output_of(self.session.stack(), target);
        let change = output.as_ref().map(|(at, _)| ChangeId::Output(*at));
        let change = change.filter(|_| in_changes);
        if change.is_some_and(|change| self.select_change(change)) {
            return self.follow();
        }
        let (id, aim) = match target {
            Target::Resource(id, At::Property(place)) => {
                (Some(*id), Some(ValueAim::Place(place.clone())))
            }
            Target::Resource(id, _) => (Some(*id), self.sought()),
            Target::Output(_) => (None, None),
        };
        if in_changes {
            if let Some(id) = id
                && self.select_change(id.into())
            {
                self.choose(id);
                self.follow();
                return self.aim(id, aim);
            }
            // The list of changes stays until the hit is chosen.
            if self.bar().is_some() {
                return;
            }
        }
        if let Some((_, place)) = output {
            return self.show_output(&place);
        }
        let Some(id) = id else { return };
        self.choose(id);
        self.set_view(View::Resources);
        let height = self.pane_height(0);
        self.views.resources.tree.select(Node::Resource(id), height);
        self.follow();
        self.aim(id, aim);
    }

    /// The values that the search in the bar, or else the last one, finds resources for.
    pub(super) fn sought(&self) -> Option<ValueAim> {
        let bar = self.overlays.get::<SearchBar>().map(|bar| &bar.query);
        let walk = self.searching.walk.as_ref().map(|walk| &walk.query);
        ValueAim::of(bar.or(walk)?)
    }

    /// Puts the cursor of the Outputs view on a value.
    pub(super) fn show_output(&mut self, place: &OutputPlace) {
        self.set_view(View::Outputs);
        let spot = aims::output_spot(self.session.stack(), place);
        let (views, ctx) = self.lend();
        views.outputs.select(&spot, &ctx);
    }

    /// Moves the cursor of the details to a value of a resource, now or as soon as the resource is read.
    pub(super) fn aim_at(&mut self, id: ResourceId, spot: Spot) {
        self.aim(id, Some(ValueAim::Spot(spot)));
    }

    fn aim(&mut self, id: ResourceId, aim: Option<ValueAim>) {
        self.searching.aim = aim.map(|aim| (id, aim));
        self.take_aim();
    }

    /// Moves the cursor to the property for which the selected resource is listed, if a filter lists it for one.
    pub(in crate::modules::tui) fn aim_inside(&mut self) {
        let filter = self.views.filter(self.window.view);
        let (Some(id), Some(filter)) = (self.selected(), filter) else {
            return;
        };
        let inside = filter.inside.get(&id);
        let place = inside.and_then(|inside| inside.place.clone());
        let aim = place.map(ValueAim::Place).or_else(|| {
            let query = Query::parse(&filter.query).ok()?;
            ValueAim::of(&query)
        });
        if aim.is_some() {
            self.aim(id, aim);
        }
    }

    /// Moves the cursor of the details, or of the difference, to the wanted value, if its resource is loaded.
    pub(super) fn take_aim(&mut self) {
        let Some((id, _)) = self.searching.aim else {
            return;
        };
        let in_changes = self.window.view == View::Changes;
        let detail = &self.views.resources.detail;
        let resource = if in_changes {
            self.session.resources.get(id)
        } else {
            detail.read().filter(|_| detail.id() == Some(id))
        };
        let Some(resource) = resource.map(Arc::clone) else {
            return;
        };
        let aim = self.searching.aim.take();
        let Some(spot) = aim.and_then(|(_, aim)| aim.spot(&resource)) else {
            return;
        };
        if !in_changes {
            let (views, ctx) = self.lend();
            views.resources.select_value(&spot, &ctx);
        } else if let Some(place) = spot.place(&resource) {
            self.views
                .changes
                .difference
                .aim_at(place.section, place.path);
        }
    }

    /// Does what the search bar asks for.
    pub(super) fn seek(&mut self, request: Seek) {
        match request {
            Seek::Query => self.typed_in_bar(),
            Seek::Show(target) => self.show_target(&target),
            Seek::Filter => self.filter_by_bar(),
            Seek::Go => self.accept_hit(),
            Seek::Leave => self.leave_bar(),
        }
    }

    fn close_bar(&mut self) -> Option<SearchBar> {
        self.overlays.top_as::<SearchBar>()?;
        let bar = self.overlays.take::<SearchBar>()?;
        self.drop_search();
        self.renew_filter();
        Some(*bar)
    }

    /// Leaves the bar and returns to the earlier place.
    fn leave_bar(&mut self) {
        let Some(bar) = self.close_bar() else { return };
        self.searching.aim = None;
        self.with_views(|views, ctx| {
            views.changes.forget_found(ctx);
            Outcome::Done
        });
        self.return_to(bar.before);
    }

    /// Goes back to the place before the search, so that the way back leads there. The changes stay in front if they were searched.
    fn end_preview(&mut self, before: Visited) {
        let view = self.window.view;
        self.return_to(before);
        if view == View::Changes && self.window.view != view {
            self.remember();
            self.set_view(view);
        }
    }

    fn accept_hit(&mut self) {
        let Some(bar) = self.bar() else { return };
        // The best hit is known once the search is over.
        let target = bar.target().filter(|_| bar.done || bar.has_chosen).cloned();
        if target.is_none() && bar.done {
            self.say_error("no hits");
            return;
        }
        let Some(bar) = self.overlays.take::<SearchBar>() else {
            return;
        };
        self.note_query(&bar.query);
        let walk = HitCursor::new(bar.query, self.searching.asked.1.clone());
        self.end_preview(bar.before);
        if bar.done {
            self.walk_hits(walk, bar.found, target.clone());
        } else {
            self.searching.purpose = Some(SearchPurpose::Walk);
            self.searching.walk = Some(walk.at(target.clone()));
        }
        if let Some(target) = target {
            self.enter(&target);
        }
    }

    /// Searches for other places with the key under the cursor, or for other resources of the type.
    fn search_alike(&mut self, steps: isize) {
        let text = match self.spot() {
            Some((_, spot)) => match spot.path.0.last() {
                Some(Segment::Key(key)) => {
                    let glob = Glob(vec![GlobSegment::Deep, GlobSegment::Key(key.clone())]);
                    Some(format!("@{}", glob.to_tolerant()))
                }
                _ => None,
            },
            None => self
                .selected()
                .map(|id| format!("type:^{}$", self.session.stack().ty(id))),
        };
        let query = text.and_then(|text| Query::parse(&text).ok());
        let Some(query) = query else {
            self.say_error("select a resource or a key first");
            return;
        };
        let wanted = WantedSearch {
            query,
            goal: Goal::Go,
            among_changes: false,
            purpose: SearchPurpose::Step(steps),
        };
        self.ask_search(wanted, None);
    }

    /// Filters the tree by the result in the bar.
    fn filter_by_bar(&mut self) {
        let Some(bar) = self.overlays.get::<SearchBar>() else {
            return;
        };
        if !bar.done {
            self.searching.is_accepted = true;
            return;
        }
        let in_changes = self.window.view == View::Changes;
        let lists_output =
            in_changes && !found_outputs(&bar.found, self.session.stack()).is_empty();
        if bar.found.resources.is_empty() && !lists_output && !bar.query.is_empty() {
            let is_output = bar.found.total > 0;
            let (wanted, hint) = (shown(&bar.query.text), bar.hint());
            self.say_error(match (self.window.view, is_output) {
                (View::Changes, _) => {
                    format!("no change found for {wanted}: the list stays as it is{hint}")
                }
                (_, true) => "only outputs found, so the tree stays as it is".to_owned(),
                (_, false) => {
                    format!("no resource found for {wanted}, so the tree stays as it is{hint}")
                }
            });
            return;
        }
        let Some(bar) = self.close_bar() else { return };
        self.note_query(&bar.query);
        let filter = (!bar.query.is_empty()).then(|| {
            let filter = Filter::new(bar.query.text.clone());
            match &bar.index {
                Some(index) => filter.with(&bar.found, index),
                None => filter,
            }
        });
        if in_changes {
            self.end_preview(bar.before);
            // The Brief view has the list, and not what a filter leaves of it.
            self.set_view(View::Changes);
            self.with_views(|views, ctx| match filter {
                Some(filter) => views.changes.filter(filter, ctx),
                None => views.changes.unfilter(ctx),
            });
            return self.renew_filter();
        }
        let node = self.views.resources.tree.node();
        self.views.resources.tree.filter.clone_from(&filter);
        self.searching.walk = None;
        if filter.is_some() {
            let walk = HitCursor::new(bar.query, self.searching.asked.1.clone());
            self.walk_hits(walk, bar.found, None);
        }
        self.set_view(View::Resources);
        self.window.focus = 0;
        self.arrange(node);
        self.renew_filter();
        if let Some(filter) = filter {
            let n = plural(filter.ids.len(), "resource") + filter.reading.words();
            let back = keymap::key_of(Command::Cancel);
            self.say(format!("filtered to {n} · {back} show all"));
        }
    }

    /// Forgets everything that belongs to a file that is no longer shown.
    pub(super) fn forget_search(&mut self) {
        self.searching = Searching {
            recent: std::mem::take(&mut self.searching.recent),
            ..Searching::default()
        };
        self.session.tickets.forget::<Search>();
    }
}

impl Takes<Search> for App {
    fn take(&mut self, answer: Found) {
        let Found {
            index,
            found,
            values,
            done,
        } = answer;
        let purpose = self.searching.purpose;
        if done {
            self.searching.purpose = None;
        }
        match purpose {
            Some(SearchPurpose::Bar) => {
                if let Some(bar) = self.bar() {
                    bar.take(&index, found, values, done);
                    let shown = bar.show();
                    let is_accepted = done && std::mem::take(&mut self.searching.is_accepted);
                    if std::mem::take(&mut self.searching.awaits_index) {
                        self.ask_advice();
                    }
                    self.apply(shown);
                    if is_accepted {
                        self.filter_by_bar();
                    }
                }
            }
            Some(SearchPurpose::Filter(filtered)) if done => {
                self.filter_renewed(filtered, &index, &found);
            }
            Some(SearchPurpose::Walk) if done => {
                if let Some(walk) = self.searching.walk.take() {
                    let chosen = walk.current().cloned();
                    let is_chosen = chosen.is_some();
                    let here = chosen.or_else(|| found.best());
                    self.walk_hits(walk, found, here.clone());
                    match here {
                        Some(best) if !is_chosen => self.enter(&best),
                        Some(_) => {}
                        None => self.say_error("no hits"),
                    }
                }
            }
            Some(SearchPurpose::Step(steps)) if done => {
                let here = self.target_here(&found);
                let (query, facts) = self.searching.asked.clone();
                self.walk_hits(HitCursor::new(query, facts), found, here);
                if steps != 0 {
                    self.go_hit(steps);
                }
            }
            Some(SearchPurpose::Filter(_) | SearchPurpose::Walk | SearchPurpose::Step(_))
            | None => {}
        }
        if done {
            self.renew_filter();
        }
        self.take_held();
    }

    fn lose(&mut self) {
        self.stop_waiting();
        self.take_held();
    }
}

impl Takes<Advise> for App {
    fn take(&mut self, advice: Advice) {
        if self.bar().is_some_and(|bar| bar.take_advice(advice)) {
            self.typed_in_bar();
        }
    }
}
