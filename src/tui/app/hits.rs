//! Going from hit to hit: through all of them, in the order of the file, with the outputs of the stack last.
//!
//! A search keeps only its best hits, but it knows all resources that have hits. The hits of one resource are searched again on
//! arrival, in the background, so that a key costs the same in any file. Steps for keys that come before the answer are counted
//! as owed.

use crate::tui::command::{Command, ReviewCommand, SearchCommand};
use crate::tui::keymap;
use std::sync::Arc;

use super::{App, Message};
use crate::search::Target;
use crate::search::{At, Facts, Hit, Query, SearchResult};
use crate::stack::{Action, ResourceId};
use crate::tui::any_job::Takes;
use crate::tui::command::{Hits as Ways, View};
use crate::tui::jobs::search::{FoundHits, Hits};
use crate::tui::panes::changes::Topic;
use crate::tui::rows::{Spot, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::text::count;

/// The hits that `n` and `N` go through.
#[derive(Debug)]
pub(super) struct HitCursor {
    query: Query,
    facts: Facts,
    found: Arc<SearchResult>,
    /// Every hit in order, if the search kept them all.
    all: Vec<Target>,
    /// Index in `found.resources` of the current resource; their number at the outputs of the stack.
    stop: usize,
    /// The hits there, in order. Empty while the position is before the stop.
    here: Vec<Target>,
    at: usize,
    /// Steps to go as soon as hits are known.
    owed: isize,
    waits: Option<Wait>,
    /// The reason why the hit is not shown in the view of the search.
    why_elsewhere: Option<&'static str>,
    /// True if nothing was found on the way so far. Twice in a row means the whole way round.
    has_missed: bool,
}

/// The answer that the next step waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wait {
    /// The end of the search.
    Search,
    /// The other hits of the current resource.
    Fill,
    /// The hits of the next resource.
    Step,
}

impl HitCursor {
    /// True if its search is still under way.
    pub(super) fn is_searched(&self) -> bool {
        matches!(self.waits, Some(Wait::Search))
    }

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
            found: Arc::default(),
            all: Vec::new(),
            stop: 0,
            here: Vec::new(),
            at: 0,
            owed: 0,
            waits: None,
            why_elsewhere: None,
            has_missed: false,
        }
    }

    /// Takes a search result. The position is at `here`, or before the first hit at or after `near`.
    fn start(&mut self, found: Arc<SearchResult>, here: Option<Target>, near: Option<ResourceId>) {
        if let Some(query) = &found.query {
            self.query = Query::clone(query);
        }
        let n_kept = found.hits.len() + found.outputs.len();
        self.all.clear();
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
        self.stop = match found_at {
            Some(Ok(stop) | Err(stop)) => stop,
            None if here.is_some() => found.resources.len(),
            None => 0,
        };
        self.here = here.into_iter().filter(|_| is_at).collect();
        self.at = 0;
        self.found = found;
        if self.is_at_outputs() && !self.here.is_empty() {
            let current = self.here.pop();
            self.here = self.outputs();
            self.at = position(&self.here, current.as_ref());
        }
    }

    fn outputs(&self) -> Vec<Target> {
        let mut all: Vec<_> = self.found.outputs.iter().map(Target::of_output).collect();
        all.sort();
        all
    }

    fn is_at_outputs(&self) -> bool {
        self.stop == self.found.resources.len()
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
        !self.here.is_empty() && self.stop_of_outputs(stack_resource) == Some(self.stop)
    }

    fn n_stops(&self) -> usize {
        self.found.resources.len() + usize::from(!self.found.outputs.is_empty())
    }

    fn next_stop(&self, forward: bool) -> usize {
        let n = self.n_stops();
        match (forward, self.here.is_empty()) {
            (true, true) => self.stop % n,
            (true, false) => (self.stop + 1) % n,
            (false, _) => (self.stop + n - 1) % n,
        }
    }

    /// Takes a step among the loaded hits.
    fn step_here(&mut self, forward: bool) -> bool {
        let next = self.at.checked_add_signed(if forward { 1 } else { -1 });
        let Some(next) = next.filter(|next| *next < self.here.len()) else {
            return false;
        };
        self.at = next;
        true
    }

    fn arrive(&mut self, stop: usize, here: Vec<Target>, forward: bool) {
        self.at = if forward {
            0
        } else {
            here.len().saturating_sub(1)
        };
        self.stop = stop;
        self.here = here;
        self.has_missed = false;
    }

    /// The message with the current position.
    fn line(&self) -> String {
        format!("{} {}", self.place(), shown(&self.query.text))
    }

    /// The position among all hits.
    fn place(&self) -> String {
        let current = self.here.get(self.at);
        if let Some(index) = current.and_then(|it| self.all.binary_search(it).ok()) {
            return format!("[{}/{}]", index + 1, self.all.len());
        }
        let (at, here) = (self.at + 1, self.here.len());
        if self.is_at_outputs() {
            return format!("[output {at}/{here}]");
        }
        let (stop, stops) = (self.stop as u64 + 1, self.found.resources.len() as u64);
        format!("[resource {}/{} · {at}/{here}]", count(stop), count(stops))
    }
}

fn position(all: &[Target], wanted: Option<&Target>) -> usize {
    let at = all.iter().position(|it| Some(it) == wanted);
    at.unwrap_or(0)
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
        self.searching.walk = Some(walk);
        self.fill();
    }

    /// Starts going through the hits of a search that is not over yet, from `here`.
    pub(super) fn walk_when_done(&mut self, mut walk: HitCursor, here: Target) {
        walk.here = vec![here];
        walk.waits = Some(Wait::Search);
        self.searching.walk = Some(walk);
    }

    /// Takes the complete answer of a search that was unfinished when a hit was chosen. False if no walk waits for it.
    pub(super) fn walk_found(&mut self, found: &Arc<SearchResult>) -> bool {
        let walk = &mut self.searching.walk;
        let Some(mut walk) = walk.take_if(|walk| walk.is_searched()) else {
            return false;
        };
        walk.waits = None;
        let here = walk.here.pop();
        self.walk_hits(walk, Arc::clone(found), here);
        true
    }

    /// True if there is a search to go through.
    pub(super) fn is_searching(&self) -> bool {
        self.searching.walk.is_some()
    }

    /// Forgets the hits of the last search. False if there is none.
    pub(super) fn end_search(&mut self) -> bool {
        let is_forgotten = self.searching.walk.take().is_some();
        if is_forgotten {
            let next = keymap::key_of(Command::Review(ReviewCommand::NextChange));
            self.say(format!("search ended · {next} next change"));
        }
        is_forgotten
    }

    /// Adds steps to take.
    pub(super) fn go_hit(&mut self, steps: isize) {
        let stack_resource = self.stack_resource();
        let Some(walk) = &mut self.searching.walk else {
            let search = keymap::key_of(Command::Search(SearchCommand::Open));
            self.say_error(format!("no search yet · {search} search"));
            return;
        };
        if walk.is_searched() {
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
        match views.of_mut(view).go_found(steps, &found.resources, &ctx) {
            Some((at, n)) => self.say(format!("[{at}/{n}] {query}")),
            None => self.miss_hits("in this list"),
        }
    }

    /// Goes to the first hit among the outputs of the stack, or to the last one.
    fn go_found_output(&mut self, steps: isize) {
        let stack_resource = self.stack_resource();
        let Some(walk) = &mut self.searching.walk else {
            return;
        };
        let Some(stop) = walk.stop_of_outputs(stack_resource) else {
            return self.miss_hits("among the outputs");
        };
        walk.here.clear();
        walk.stop = if steps > 0 { stop } else { stop + 1 };
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

    /// Requests the other hits of the current resource.
    fn fill(&mut self) {
        let Some(walk) = &self.searching.walk else {
            return;
        };
        if walk.here.is_empty() || walk.is_at_outputs() {
            self.walk_on();
        } else {
            self.ask_hits(walk.stop, true, Wait::Fill);
        }
    }

    fn ask_hits(&mut self, stop: usize, forward: bool, wait: Wait) {
        let index = self.searching.index.get();
        let (Some(walk), Some(document), Some(index)) = (
            &mut self.searching.walk,
            self.session.document.clone(),
            index,
        ) else {
            return;
        };
        walk.waits = Some(wait);
        let job = Hits {
            document,
            index,
            query: walk.query.clone(),
            facts: walk.facts.clone(),
            found: Arc::clone(&walk.found),
            stop,
            forward,
        };
        self.start(job);
    }

    /// Takes the owed steps as far as hits are known, and requests more hits.
    fn walk_on(&mut self) {
        let Some(walk) = &mut self.searching.walk else {
            return;
        };
        if walk.owed == 0 {
            return;
        }
        if walk.waits.is_some() {
            self.say("looking for the next hit…");
            return;
        }
        if walk.n_stops() == 0 {
            walk.owed = 0;
            self.say_error("no hits");
            return;
        }
        let forward = walk.owed > 0;
        if walk.step_here(forward) {
            self.stepped();
            return;
        }
        let stop = walk.next_stop(forward);
        if stop < walk.found.resources.len() {
            self.ask_hits(stop, forward, Wait::Step);
            self.say("looking for the next hit…");
            return;
        }
        let outputs = walk.outputs();
        walk.arrive(stop, outputs, forward);
        self.stepped();
    }

    /// Finishes a step of the walk.
    fn stepped(&mut self) {
        let Some(walk) = &mut self.searching.walk else {
            return;
        };
        walk.owed -= walk.owed.signum();
        if walk.owed != 0 {
            self.walk_on();
            return;
        }
        if let Some(target) = walk.here.get(walk.at).cloned() {
            self.enter(&target);
        }
    }

    /// Goes to a hit: to the resource in the tree, to its value in the details, to an output.
    pub(super) fn enter(&mut self, target: &Target) {
        let mut why = None;
        match target {
            Target::Resource(id, at) if self.is_listed_change(*id) => {
                self.show_target(target);
                self.window.focus = usize::from(matches!(at, At::Property(_)));
            }
            Target::Resource(id, at) => {
                why = self.why_unlisted(*id);
                self.go_to(*id);
                self.show_target(target);
                self.window.focus = usize::from(matches!(at, At::Property(_)));
            }
            Target::Output(_) => {
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
        let Some(walk) = &self.searching.walk else {
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
        self.window.view == View::Changes && self.views.changes.list.select(id)
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
            && let Some(id) = self.stack_resource()
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

impl Takes<Hits> for App {
    /// Takes the hits of a resource; `None` if there are no more in that direction.
    fn take(&mut self, found: Option<FoundHits>) {
        let Some(walk) = &mut self.searching.walk else {
            return;
        };
        let forward = walk.owed > 0;
        match (walk.waits, found) {
            (Some(Wait::Fill), found) => {
                walk.waits = None;
                if let Some(FoundHits { hits, .. }) = found.filter(|it| it.stop == walk.stop) {
                    let current = walk.here.get(walk.at).cloned();
                    let targets: Vec<_> = hits.iter().map(Target::of_hit).collect();
                    // The hit may be shown at a different place than its own.
                    if current.as_ref().is_some_and(|it| targets.contains(it)) {
                        walk.at = position(&targets, current.as_ref());
                        walk.here = targets;
                    }
                }
                // The message on arrival did not count the other hits yet.
                if self.message.as_ref().is_some_and(|it| it.is_of_hit) {
                    self.say_hit();
                }
                self.walk_on();
            }
            (Some(Wait::Step), Some(FoundHits { stop, hits })) => {
                walk.waits = None;
                let here = hits.iter().map(Target::of_hit).collect();
                walk.arrive(stop, here, forward);
                self.stepped();
            }
            (Some(Wait::Step), None) => {
                walk.waits = None;
                // The position is now before the end of the list, or before its start. The next step wraps around.
                walk.here.clear();
                walk.stop = if forward {
                    walk.found.resources.len()
                } else {
                    0
                };
                if std::mem::replace(&mut walk.has_missed, true) {
                    walk.owed = 0;
                    self.say_error("no more hits");
                } else {
                    self.walk_on();
                }
            }
            (Some(Wait::Search) | None, _) => {}
        }
    }
}
