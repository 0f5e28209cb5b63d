//! Going from hit to hit. A job ([`StepHits`]) takes the steps, and searches the hits of one resource again on arrival, so that a key costs the same in any file. Steps for keys that come before its answer
//! are counted as owed.

use std::sync::Arc;

use super::searching::SearchPurpose;
use super::{App, Message};
use crate::search::{At, SearchResult, Target};
use crate::stack::{Action, ResourceId};
use crate::tui::aims;
use crate::tui::any_job::Takes;
use crate::tui::command::{Command, Hits as Ways, ReviewCommand, SearchCommand, View};
use crate::tui::hit_cursor::HitCursor;
use crate::tui::jobs::search::{HitPlace, StepHits, Stepped};
use crate::tui::keymap;
use crate::tui::panes::changes::Topic;
use crate::tui::rows::shown;
use crate::tui::theme::Role;

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
            // There the keys for the hits go through the changes again.
            let next = keymap::key_of(Command::Review(ReviewCommand::NextChange));
            let next = row.reviews.then(|| format!(" · {next} next change"));
            self.say(format!("search ended{}", next.unwrap_or_default()));
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
        let is_output = self.window.view == View::Changes
            && aims::output_of(self.session.stack(), target).is_some();
        match target {
            Target::Resource(id, at) if !is_output => {
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
        self.message = Some(Message {
            text: walk.line(),
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
        match self.spot() {
            Some((id, spot)) => aims::target_of(&self.session, id, &spot, found),
            None => Some(Target::Resource(self.selected()?, At::Resource)),
        }
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
