//! Commands about searching: the bar, the filter of the tree, and going from hit to hit.

use std::collections::HashSet;
use std::sync::Arc;

use super::Model;
use crate::path::{Glob, GlobSegment, Segment};
use crate::search::{At, Found, Hit, Index, Place, Query, Selection};
use crate::stack::{Resource, ResourceId};
use crate::tree::Node;
use crate::tui::command::{Command, View};
use crate::tui::effect::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::search::{Before, Goal, SearchBar};
use crate::tui::panes::detail::Parts;
use crate::tui::panes::tree::Filter;
use crate::tui::rows::{Part, Spot, shown};
use crate::value::Value;

/// What searching remembers while no bar is open.
#[derive(Debug, Default)]
pub(super) struct Searching {
    /// The letters and paths of the stack, once a search has needed them.
    index: Option<Arc<Index>>,
    /// Of the search under way.
    ticket: u64,
    /// Searches up to this ticket looked at a stack that is not so any more.
    outdated: u64,
    /// What to do with the answer if no bar is open.
    then: Option<Then>,
    /// The hits that `n` and `N` go through, in the order of the file, and which one is current.
    hits: Vec<Hit>,
    current: usize,
    query: String,
    /// A value to go to as soon as its resource is read.
    aim: Option<(ResourceId, Aim)>,
}

/// A value of a resource that is read yet or not.
#[derive(Clone, Debug)]
enum Aim {
    Spot(Spot),
    Place(Place),
}

impl Aim {
    /// Where the value is shown.
    fn spot(self, resource: &Resource) -> Spot {
        match self {
            Self::Spot(spot) => spot,
            Self::Place(place) => Spot {
                part: Part::of(place.section, place.before, resource),
                path: place.path,
                inside: None,
            },
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Then {
    Next,
    Previous,
}

impl Model {
    pub(super) fn search_command(&mut self, command: Command) {
        match command {
            Command::Filter => self.open_bar(Goal::Filter),
            Command::NextHit => self.go_hit(1),
            Command::PrevHit => self.go_hit(-1),
            Command::SearchKey => self.search_alike(Then::Next),
            Command::SearchKeyBack => self.search_alike(Then::Previous),
            _ => self.open_bar(Goal::Go),
        }
    }

    /// Forgets what was made of resources that are not as they were.
    pub(super) fn outdate_search(&mut self) {
        self.searching.index = None;
        self.searching.outdated = self.last_ticket;
    }

    fn open_bar(&mut self, goal: Goal) {
        if self.document.is_none() {
            self.say_error("nothing to search: no file is open");
            return;
        }
        let before = Before {
            view: self.view,
            focus: self.focus,
            node: self.tree.node(),
            spot: self.detail.list.selected().map(|row| row.spot.clone()),
        };
        let text = match (&self.tree.filter, goal) {
            (Some(filter), Goal::Filter) => filter.query.clone(),
            _ => String::new(),
        };
        self.set_view(View::Resources);
        self.overlays.push(Overlay::Search(Box::new(SearchBar::new(
            goal, before, &text,
        ))));
        self.typed_in_bar();
    }

    fn bar(&mut self) -> Option<&mut SearchBar> {
        match self.overlays.last_mut() {
            Some(Overlay::Search(bar)) => Some(bar),
            _ => None,
        }
    }

    /// After the text of the bar changed: asks for what it finds, and says what may come next.
    pub(super) fn typed_in_bar(&mut self) {
        let index = self.searching.index.clone();
        let Some(bar) = self.bar() else { return };
        if let Some(index) = &index {
            bar.advise(index);
        }
        let Some(query) = bar.read() else { return };
        // Only a finished answer tells what a longer query can find at all.
        let within = (bar.done && !bar.query.is_empty() && query.narrows(&bar.query))
            .then(|| Arc::clone(&bar.found));
        bar.query = query.clone();
        bar.done = false;
        bar.has_chosen = false;
        self.ask_search(query, within);
    }

    fn ask_search(&mut self, query: Query, within: Option<Arc<Found>>) {
        let Some(document) = self.document.clone() else {
            return;
        };
        let ticket = self.ticket();
        self.searching.ticket = ticket;
        let index = self.searching.index.clone();
        let marked: HashSet<ResourceId> = self.marks.iter().copied().collect();
        let selection = Selection {
            marked: Arc::new(marked),
            reviewed: Arc::new(self.changes.reviewed.iter().copied().collect()),
        };
        self.ask(Effect::Search {
            ticket,
            document,
            index,
            query,
            within,
            selection,
        });
    }

    /// Takes an answer, which may be a first part of it.
    pub(super) fn found(
        &mut self,
        ticket: u64,
        index: Arc<Index>,
        found: Arc<Found>,
        values: &[Option<Value>],
        done: bool,
    ) {
        let is_first_index = self.searching.index.is_none();
        let is_current = ticket > self.searching.outdated;
        if ticket != self.searching.ticket {
            if is_current {
                self.searching.index.get_or_insert(index);
            }
            return;
        }
        if is_current {
            self.searching.index = Some(Arc::clone(&index));
        }
        let Some(document) = self.document.clone() else {
            return;
        };
        if let Some(bar) = self.bar() {
            bar.take(&document.stack, &index, found, values, done);
            if is_first_index {
                bar.advise(&index);
            }
            self.show_chosen();
        } else if done && let Some(then) = self.searching.then.take() {
            self.remember_hits(&found);
            let here = self.spot().and_then(|(id, spot)| Some((id?, spot)));
            let at = if let Some((id, spot)) = here {
                let resource = self.kept(id).cloned();
                self.searching.hits.iter().position(|hit| {
                    let place = resource.as_ref().zip(place_of(hit));
                    let at = place.map(|(resource, place)| Aim::Place(place).spot(resource));
                    hit.resource == id && at.is_some_and(|at| spot.is_value(&at))
                })
            } else {
                let selected = self.selected();
                let mut hits = self.searching.hits.iter();
                hits.position(|hit| Some(hit.resource) == selected)
            };
            self.searching.current = at.unwrap_or(0);
            self.go_hit(match then {
                Then::Next => 1,
                Then::Previous => -1,
            });
        }
    }

    /// Lets both panes show the chosen hit.
    fn show_chosen(&mut self) {
        let Some(hit) = self.bar().and_then(|bar| bar.hit().cloned()) else {
            return;
        };
        self.show_hit(&hit);
    }

    fn show_hit(&mut self, hit: &Hit) {
        let height = self.pane_height(0);
        self.tree.select(Node::Resource(hit.resource), height);
        self.follow();
        self.searching.aim = place_of(hit).map(|place| (hit.resource, Aim::Place(place)));
        self.take_aim();
    }

    /// Puts the cursor of the details on the value aimed at, as soon as the resource is there.
    pub(super) fn take_aim(&mut self) {
        let Some((id, _)) = self.searching.aim else {
            return;
        };
        if self.detail.id() != Some(id) || self.detail.resource.is_none() {
            return;
        }
        let Some((_, aim)) = self.searching.aim.take() else {
            return;
        };
        if let Some(resource) = self.detail.read() {
            let spot = aim.spot(resource);
            self.select_spot(&spot);
        }
    }

    /// Opens what is around a value of the details and puts the cursor on it.
    fn select_spot(&mut self, spot: &Spot) {
        match spot.part {
            _ if self.detail.parts == Parts::Both => {}
            Part::Inputs => self.detail.parts = Parts::Inputs,
            Part::Outputs => self.detail.parts = Parts::Outputs,
            Part::Before(_) | Part::Fields => {}
        }
        let mut around = Spot::top(spot.part);
        if spot.part.starts_closed() {
            self.detail.list.open.insert(around.clone());
        } else {
            self.detail.list.open.remove(&around);
        }
        for segment in &spot.path.0 {
            around = around.child(segment.clone());
            if around != *spot {
                self.detail.list.open.insert(around.clone());
            }
        }
        self.remake_detail();
        let height = self.value_height();
        self.detail.list.select(spot, height);
    }

    pub(super) fn obey_in_search(&mut self, command: Command) {
        let body = self.areas().body;
        let Some(bar) = self.bar() else { return };
        match command {
            Command::Down => bar.step(1, body),
            Command::Up => bar.step(-1, body),
            Command::PageDown => bar.step(8, body),
            Command::PageUp => bar.step(-8, body),
            Command::Complete => {
                if let Some(index) = self.searching.index.clone()
                    && let Some(bar) = self.bar()
                {
                    bar.complete(&index);
                    self.typed_in_bar();
                }
                return;
            }
            Command::Filter => return self.filter_by_bar(),
            Command::Accept if bar.goal == Goal::Filter => return self.filter_by_bar(),
            Command::Accept => return self.accept_hit(),
            Command::Cancel => return self.leave_bar(),
            _ => return,
        }
        self.show_chosen();
    }

    fn close_bar(&mut self) -> Option<SearchBar> {
        match self.overlays.pop() {
            Some(Overlay::Search(bar)) => {
                self.ask(Effect::StopSearch);
                Some(*bar)
            }
            other => {
                self.overlays.extend(other);
                None
            }
        }
    }

    /// Back to where one was.
    fn leave_bar(&mut self) {
        let Some(bar) = self.close_bar() else { return };
        self.searching.aim = None;
        self.return_before(bar.before);
    }

    fn return_before(&mut self, before: Before) {
        if let Some(node) = before.node {
            let height = self.pane_height(0);
            self.tree.select(node, height);
            self.follow();
            if let (Node::Resource(id), Some(spot)) = (node, before.spot) {
                self.searching.aim = Some((id, Aim::Spot(spot)));
                self.take_aim();
            }
        }
        self.set_view(before.view);
        self.focus = before.focus;
    }

    fn accept_hit(&mut self) {
        let Some(hit) = self.bar().and_then(|bar| bar.hit().cloned()) else {
            self.say_error("nothing found to go to");
            return;
        };
        let Some(bar) = self.close_bar() else { return };
        self.remember_hits(&bar.found);
        self.searching.query = bar.query.text;
        let same = |other: &Hit| other.resource == hit.resource && other.at == hit.at;
        self.searching.current = self.searching.hits.iter().position(same).unwrap_or(0);
        // So that `[` leads back to where one was before searching.
        self.return_before(bar.before);
        self.enter_hit(&hit);
    }

    /// Goes to a hit: to the resource in the tree, or to its value in the details.
    fn enter_hit(&mut self, hit: &Hit) {
        self.go_to(hit.resource);
        self.show_hit(hit);
        self.focus = usize::from(place_of(hit).is_some());
        let (n, all) = (self.searching.current + 1, self.searching.hits.len());
        let query = shown(&self.searching.query);
        self.say(format!("[{n}/{all}] {query}"));
    }

    /// Keeps hits for `n` and `N`, in the order of the file.
    fn remember_hits(&mut self, found: &Found) {
        self.searching.hits.clone_from(&found.hits);
        self.searching
            .hits
            .sort_by(|one, other| (one.resource, &one.at).cmp(&(other.resource, &other.at)));
    }

    fn go_hit(&mut self, step: isize) {
        let len = self.searching.hits.len();
        if len == 0 {
            self.say_error("nothing was searched for yet; / searches");
            return;
        }
        let len = isize::try_from(len).unwrap_or(isize::MAX);
        let current = isize::try_from(self.searching.current).unwrap_or(0);
        let next = (current + step).rem_euclid(len);
        self.searching.current = usize::try_from(next).unwrap_or(0);
        let hit = self.searching.hits[self.searching.current].clone();
        self.enter_hit(&hit);
    }

    /// Looks for other places with the key under the cursor, or for other resources of the type.
    fn search_alike(&mut self, then: Then) {
        let text = match self.spot() {
            Some((Some(_), spot)) => match spot.path.0.last() {
                Some(Segment::Key(key)) => {
                    let glob = Glob(vec![GlobSegment::Deep, GlobSegment::Key(key.clone())]);
                    Some(format!("@{}", glob.to_tolerant()))
                }
                _ => None,
            },
            _ => self
                .selected()
                .map(|id| format!("type:^{}$", self.stack().ty(id))),
        };
        let query = text.and_then(|text| Query::parse(&text).ok());
        let Some(query) = query else {
            self.say_error("put the cursor on a resource or on a key first");
            return;
        };
        self.searching.query.clone_from(&query.text);
        self.searching.then = Some(then);
        self.ask_search(query, None);
    }

    /// Reduces the tree to what the bar found.
    fn filter_by_bar(&mut self) {
        let Some(bar) = self.bar() else { return };
        if !bar.done {
            self.say("still searching; press it again in a moment");
            return;
        }
        if bar.found.resources.is_empty() && !bar.query.is_empty() {
            self.say_error("nothing found, so the tree stays as it is");
            return;
        }
        let Some(bar) = self.close_bar() else { return };
        let node = self.tree.node();
        let n = bar.found.resources.len();
        self.tree.filter = (!bar.query.is_empty()).then(|| Filter {
            query: bar.query.text.clone(),
            ids: bar.found.resources.clone(),
        });
        self.remember_hits(&bar.found);
        self.searching.query = bar.query.text;
        self.focus = 0;
        self.arrange(node);
        if self.tree.filter.is_some() {
            let n = crate::tui::widgets::text::plural(n, "resource");
            self.say(format!("filtered to {n}; Esc shows all"));
        }
    }

    /// Forgets what belongs to a file that is not shown any more.
    pub(super) fn forget_search(&mut self) {
        self.searching = Searching::default();
        self.located = super::copying::Located::default();
    }
}

/// The property that a hit is.
fn place_of(hit: &Hit) -> Option<Place> {
    match &hit.at {
        At::Property(place) => Some(place.clone()),
        At::Resource | At::Indexed(_) => None,
    }
}
