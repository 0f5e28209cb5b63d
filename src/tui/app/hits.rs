//! Going from hit to hit: through all of them, in the order of the file, with the outputs of the stack last.
//!
//! A search keeps only its best hits, but it knows all resources that have hits. A job ([`StepHits`]) takes the steps, and searches
//! the hits of one resource again on arrival, so that a key costs the same in any file. Steps for keys that come before its answer
//! are counted as owed.

use crate::tui::command::{Command, ReviewCommand, SearchCommand};
use crate::tui::keymap;
use std::sync::Arc;

use super::searching::SearchPurpose;
use super::{App, Message};
use crate::search::Target;
use crate::search::{At, Facts, Hit, Query, SearchResult};
use crate::stack::{Action, ResourceId};
use crate::tui::any_job::Takes;
use crate::tui::command::{Hits as Ways, View};
use crate::tui::jobs::search::{HitPlace, StepHits, Stepped};
use crate::tui::panes::changes::Topic;
use crate::tui::rows::{Spot, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::text::count;

/// The hits that `n` and `N` go through.
#[derive(Default, Debug)]
pub(super) struct HitCursor {
    query: Query,
    facts: Facts,
    found: Arc<SearchResult>,
    /// Every hit in order, if the search kept them all.
    all: Vec<Target>,
    /// The indices of the hit that was shown first, and of its resource. Hits are counted from there, because the walk goes around.
    first: Option<(usize, usize)>,
    /// The position.
    place: HitPlace,
    /// Steps to go as soon as hits are known.
    owed: isize,
    /// True while a job takes steps.
    is_walking: bool,
    /// The reason why the hit is not shown in the view of the search.
    why_elsewhere: Option<&'static str>,
}

impl HitCursor {
    /// The query of the search.
    pub(super) fn query(&self) -> &Query {
        &self.query
    }

    /// The result of the search.
    pub(super) fn found(&self) -> &Arc<SearchResult> {
        &self.found
    }

    pub(super) fn new(query: Query, facts: Facts) -> Self {
        Self {
            query,
            facts,
            ..Self::default()
        }
    }

    /// Takes a search result. The position is at `here`, or before the first hit at or after `near`.
    fn start(&mut self, found: Arc<SearchResult>, here: Option<Target>, near: Option<ResourceId>) {
        if let Some(query) = &found.query {
            self.query = Query::clone(query);
        }
        let n_kept = found.hits.len() + found.outputs.len();
        self.all.clear();
        self.first = None;
        if found.total == n_kept as u64 {
            self.all.extend(found.hits.iter().map(Target::of_hit));
            self.all.extend(found.outputs.iter().map(Target::of_output));
            self.all.sort();
        }
        let resource = match &here {
            Some(Target::Output(_)) => None,
            Some(Target::Resource(id, _)) => Some(*id),
            None => near,
        };
        let found_at = resource.map(|id| found.resources.binary_search(&id));
        let is_at = matches!(found_at, Some(Ok(_)))
            || here
                .as_ref()
                .is_some_and(|it| matches!(it, Target::Output(_)));
        self.place = HitPlace {
            stop: match found_at {
                Some(Ok(stop) | Err(stop)) => stop,
                None if here.is_some() => found.resources.len(),
                None => 0,
            },
            here: Arc::new(here.into_iter().filter(|_| is_at).collect()),
            at: 0,
        };
        self.found = found;
    }

    /// The same, at a hit of a search that is not over yet if one was chosen.
    pub(super) fn at(mut self, hit: Option<Target>) -> Self {
        self.place.here = Arc::new(hit.into_iter().collect());
        self
    }

    /// The current hit.
    pub(super) fn current(&self) -> Option<&Target> {
        self.place.here.get(self.place.at)
    }

    /// The stop with the hits among the outputs of the stack. Those of Pulumi are properties of a resource.
    fn stop_of_outputs(&self, stack_resource: Option<ResourceId>) -> Option<usize> {
        if !self.found.outputs.is_empty() {
            return Some(self.found.resources.len());
        }
        self.found.resources.binary_search(&stack_resource?).ok()
    }

    /// True if the position is at a hit among the outputs of the stack.
    fn is_at_outputs_of(&self, stack_resource: Option<ResourceId>) -> bool {
        let stop = self.stop_of_outputs(stack_resource);
        self.current().is_some() && stop == Some(self.place.stop)
    }

    /// The message with the current position.
    fn line(&mut self) -> String {
        format!("{} {}", self.place(), shown(&self.query.text))
    }

    /// The position among all hits, counted from the one that was shown first.
    fn place(&mut self) -> String {
        let index = self
            .current()
            .and_then(|it| self.all.binary_search(it).ok());
        let HitPlace { stop, here, at } = &self.place;
        let (at, here, n_stops) = (at + 1, here.len(), self.found.resources.len());
        let own = (index.unwrap_or_default(), stop % n_stops.max(1));
        let (first, first_stop) = *self.first.get_or_insert(own);
        let from = |first: usize, at: usize, n: usize| (at + n - first) % n + 1;
        if let Some(index) = index {
            let n = self.all.len();
            return format!("[{}/{n}]", from(first, index, n));
        }
        if *stop == n_stops {
            return format!("[output {at}/{here}]");
        }
        let stop = from(first_stop, *stop, n_stops);
        let [stop, n_stops] = [stop, n_stops].map(|n| count(n as u64));
        format!("[resource {stop}/{n_stops} · {at}/{here}]")
    }
}

impl App {
    /// Starts going through the hits of a search, from `here` or from the selected resource.
    pub(super) fn walk_hits(
        &mut self,
        mut walk: HitCursor,
        found: Arc<SearchResult>,
        here: Option<Target>,
    ) {
        let near = self.views.resources.tree.resource();
        walk.start(found, here, near);
        let is_at_hit = walk.current().is_some();
        self.searching.walk = Some(walk);
        if is_at_hit {
            // Reads the other hits of this resource.
            self.ask_steps(0);
        } else {
            self.walk_on();
        }
    }

    /// True if there is a search to go through.
    pub(super) fn is_searching(&self) -> bool {
        self.searching.walk.is_some() || self.is_finding_rows()
    }

    /// Forgets the hits of the last search. False if there is none, or if a filter of the tree ends first.
    pub(super) fn end_search(&mut self) -> bool {
        let row = self.window.view.row();
        if !row.reviews && self.views.resources.tree.filter.is_some() {
            return false;
        }
        let is_forgotten = self.searching.walk.take().is_some();
        if is_forgotten {
            let next = keymap::key_of(Command::Review(ReviewCommand::NextChange));
            self.say(format!("search ended · {next} next change"));
        }
        is_forgotten
    }

    /// True for the search that filters the tree: the rows are its hits.
    pub(super) fn is_filter(&self, walk: &HitCursor) -> bool {
        let filter = self.views.resources.tree.filter.as_ref();
        filter.is_some_and(|it| it.query == walk.query.text)
    }

    /// Adds steps to take.
    pub(super) fn go_hit(&mut self, steps: isize) {
        let stack_resource = self.session.stack_resource();
        let Some(walk) = &mut self.searching.walk else {
            let search = keymap::key_of(Command::Search(SearchCommand::Open));
            self.say_error(format!("no search yet · {search} search"));
            return;
        };
        if self.searching.purpose == Some(SearchPurpose::Walk) {
            walk.owed += steps;
            return self.walk_on();
        }
        match self.window.view.row().hits {
            Ways::Rows => self.go_found_row(steps),
            Ways::Outputs if !walk.is_at_outputs_of(stack_resource) => {
                self.go_found_output(steps);
            }
            Ways::All | Ways::Outputs => {
                walk.owed += steps;
                self.walk_on();
            }
        }
    }

    /// Goes to the next row of the view whose resource was found, or to the previous one.
    fn go_found_row(&mut self, steps: isize) {
        let view = self.window.view;
        let Some(walk) = &self.searching.walk else {
            return;
        };
        let (query, found) = (shown(&walk.query.text), Arc::clone(&walk.found));
        let (views, ctx) = self.lend();
        match views.go_found(view, steps, &found.resources, &ctx) {
            Some((at, n)) => self.say(format!("[{at}/{n}] {query}")),
            None => self.miss_hits("in this list"),
        }
    }

    /// Goes to the first hit among the outputs of the stack, or to the last one.
    fn go_found_output(&mut self, steps: isize) {
        let stack_resource = self.session.stack_resource();
        let Some(walk) = &mut self.searching.walk else {
            return;
        };
        let Some(stop) = walk.stop_of_outputs(stack_resource) else {
            return self.miss_hits("among the outputs");
        };
        walk.place = HitPlace {
            stop: if steps > 0 { stop } else { stop + 1 },
            ..HitPlace::default()
        };
        walk.owed = steps;
        self.walk_on();
    }

    /// Says that the search found nothing here, and where its hits are.
    fn miss_hits(&mut self, place: &str) {
        let query = self.searching.walk.as_ref().map(|walk| &walk.query.text);
        let query = query.map(|text| shown(text)).unwrap_or_default();
        let key = keymap::key_of(Command::View(View::Resources));
        self.say_error(format!("no hits {place} for {query} · {key} resources"));
    }

    /// Starts a walk from the current hit.
    fn ask_steps(&mut self, steps: isize) {
        let index = self.searching.index.get();
        let (Some(walk), Some(document), Some(index)) = (
            &mut self.searching.walk,
            self.session.document.clone(),
            index,
        ) else {
            return;
        };
        walk.is_walking = true;
        let job = StepHits {
            document,
            index,
            query: walk.query.clone(),
            facts: walk.facts.clone(),
            found: Arc::clone(&walk.found),
            from: walk.place.clone(),
            steps,
        };
        self.start(job);
    }

    /// Takes the steps that are owed.
    fn walk_on(&mut self) {
        let Some(walk) = &mut self.searching.walk else {
            return;
        };
        let owed = walk.owed;
        if owed == 0 {
            return;
        }
        let is_searched = self.searching.purpose == Some(SearchPurpose::Walk);
        if !walk.is_walking && !is_searched {
            if walk.found.resources.is_empty() && walk.found.outputs.is_empty() {
                walk.owed = 0;
                self.say_error("no hits");
                return;
            }
            self.ask_steps(owed);
        }
        self.say("looking for the next hit…");
    }

    /// Goes to a hit: to the resource in the tree, to its value in the details, to an output.
    pub(super) fn enter(&mut self, target: &Target) {
        let mut why = None;
        match target {
            Target::Resource(id, at) if self.change_of_output(target).is_none() => {
                if !self.is_listed_change(*id) {
                    why = self.why_unlisted(*id);
                    self.go_to(*id);
                }
                self.show_target(target);
                let is_value = matches!(at, At::Property(_)) || self.sought().is_some();
                self.window.focus = usize::from(is_value);
            }
            Target::Resource(..) | Target::Output(_) => {
                self.remember();
                self.show_target(target);
            }
        }
        if let Some(walk) = &mut self.searching.walk {
            walk.why_elsewhere = why;
        }
        self.say_hit();
    }

    /// Says which hit this is, and why it is shown in another view.
    fn say_hit(&mut self) {
        let Some(walk) = &mut self.searching.walk else {
            return;
        };
        let line = walk.line();
        self.message = Some(Message {
            text: match &walk.why_elsewhere {
                Some(why) => format!("{why}: shown among the resources · {line}"),
                None => line,
            },
            role: Role::Good,
            is_of_hit: true,
        });
    }

    /// The reason why the Changes view is left for a resource. `None` in other views.
    fn why_unlisted(&self, id: ResourceId) -> Option<&'static str> {
        let list = &self.views.changes.list;
        if self.window.view != View::Changes {
            return None;
        }
        Some(match Topic::of(self.session.stack(), id) {
            None | Some(Topic::Change(Action::Noop)) => "this resource does not change",
            Some(topic) if !list.folds.lists(topic) => "its action is not listed",
            Some(_) => "the filter hides this change",
        })
    }

    /// True if the Changes view is shown and lists a resource.
    fn is_listed_change(&mut self, id: ResourceId) -> bool {
        self.window.view == View::Changes && self.select_change(id.into())
    }

    /// The item under the cursor, as a search would find it.
    pub(super) fn target_here(&self, found: &SearchResult) -> Option<Target> {
        let (id, spot) = match self.spot() {
            Some((Some(id), spot)) => (id, spot),
            Some((None, spot)) => return Some(self.output_target(&spot)),
            None => return self.selected().map(|id| Target::Resource(id, At::Resource)),
        };
        let is_it = |hit: &&Hit| {
            let resource = self.session.resources.get(id);
            let place = resource.zip(super::searching::place_of(hit));
            let at = place.map(|(resource, place)| super::searching::spot_of(place, resource));
            hit.resource == id && at.is_some_and(|at| spot.is_value(&at))
        };
        // The search keeps its best hits only. The hit under the cursor may be missing: it is found with the others of the
        // resource.
        let hit = found.hits.iter().find(is_it).map(Target::of_hit);
        hit.or_else(|| {
            let resource = self.session.resources.get(id)?;
            let place = spot.place(resource)?;
            Some(Target::Resource(id, At::Property(place)))
        })
    }

    fn output_target(&self, spot: &Spot) -> Target {
        let place = crate::search::OutputPlace {
            before: spot.part.starts_closed(),
            path: spot.path.clone(),
        };
        if self.session.is_pulumi()
            && let Some(id) = self.session.stack_resource()
        {
            let place = crate::search::PropertyAddress {
                before: place.before,
                section: crate::stack::Section::Outputs,
                path: place.path,
            };
            return Target::Resource(id, At::Property(place));
        }
        Target::Output(place)
    }
}

impl Takes<StepHits> for App {
    fn take(&mut self, Stepped { steps, place }: Stepped) {
        let walk = self.searching.walk.as_mut();
        let Some(walk) = walk.filter(|walk| walk.is_walking) else {
            return;
        };
        walk.is_walking = false;
        let Some(place) = place else {
            walk.owed = 0;
            self.say_error("no more hits");
            return;
        };
        walk.owed -= steps;
        walk.place = place;
        let is_there = steps != 0 && walk.owed == 0;
        if let Some(target) = walk.current().cloned().filter(|_| is_there) {
            self.enter(&target);
        } else if self.message.as_ref().is_some_and(|it| it.is_of_hit) {
            // The message on arrival did not count the other hits yet.
            self.say_hit();
        }
        self.walk_on();
    }
}
