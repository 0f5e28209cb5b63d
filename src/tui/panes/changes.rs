//! The list of changes: destructive ones first, then updates and creations, then groups of less urgent ones.
//!
//! The list has fifteen sections: two for what failed and what runs in a run, one for each action, one for drift, one for outputs and one for invoked actions. A section is a list of changes
//! in file order that grows batch by batch. The rows on the screen are computed from the lengths of the sections, so that a
//! hundred thousand changes cost no more than ten. Other arrangements, orders and filters are made by a job
//! ([`Arranged`]).

mod columns;
mod draw;
mod tally;

pub use crate::tui::changes::{
    Arranged, Arrangement, Findings, Folds, Group, GroupKey, ListKey, ListRow, Only, Order,
    Request, Topic, is_reviewed,
};

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::load::brief::page::Detail;
use crate::search::SearchResult;
use crate::stack::{Action, ChangeId, ResourceId, Severity, Stack};
use crate::tui::changes::Explained;
use crate::tui::command::FoldStep;
use crate::tui::panes::Filter;
use crate::tui::rows::shown;
use crate::tui::widgets::cursor::Cursor;

const NOOP: Topic = Topic::Change(Action::Noop);

/// The list of changes.
#[derive(Clone, Default, Debug)]
pub struct ChangesPane {
    /// The selected row.
    pub cursor: Cursor,
    /// Properties and reasons of changes, as far as they are known.
    pub whys: HashMap<ResourceId, Arc<Explained>>,
    /// Changes whose explanation is under way, in the order of the answers.
    pub asked: Vec<ResourceId>,
    /// The grouping that the person chose.
    pub chosen: Option<Arrangement>,
    /// The findings of the brief, once it is whole.
    pub findings: Option<Arc<Findings>>,
    /// True if the page of the brief is whole and tells changes.
    pub has_stories: bool,
    /// True if the same file was shown before, so that a row of it was chosen.
    pub is_reloaded: bool,
    /// The grouping if the person chooses none: by story for a plan or a preview.
    pub usual: Arrangement,
    /// The wanted order.
    pub order: Order,
    /// The filter.
    pub filter: Option<Filter>,
    /// The closed sections and groups.
    pub folds: Folds,
    /// The reason for which nothing can be listed, if it is not in the file.
    pub nothing: Option<&'static str>,
    /// True for a comparison and for a kind of file that reports changes, even if there are none.
    pub is_review: bool,
    /// The drift entry of each resource that changed outside of the program, by the name of the resource.
    pub drifted: HashMap<String, ResourceId>,
    /// The changes of outputs, by the positions of these in the stack.
    outputs: HashMap<usize, Detail>,
    /// The first error of each change that failed in a run.
    errors: HashMap<ResourceId, String>,
    sections: Arranged,
    /// The list in another arrangement, order or with a filter; `None` for the sections themselves.
    arranged: Option<Arranged>,
    /// All changes, for searches among them.
    all: Option<Arc<SearchResult>>,
}

impl ChangesPane {
    /// The sections, each with its topic.
    fn sections(&self) -> impl Iterator<Item = (Topic, &Group)> {
        let sections = self.sections.groups().iter();
        sections.filter_map(|section| Some((section.topic()?, section)))
    }

    /// The rows: the sections, unless a job arranged others.
    pub fn rows(&self) -> &Arranged {
        self.arranged.as_ref().unwrap_or(&self.sections)
    }

    /// Takes what changes beside the resources, which is known at the end of the file.
    pub fn take_beside(&mut self, stack: &Stack) {
        let changed = stack.outputs.iter().enumerate();
        let changed = changed.filter(|(_, output)| output.is_changed());
        let details = changed.map(|(at, output)| {
            let mut detail = Detail::of_output((at, output));
            detail.place = shown(&output.name);
            (at, detail)
        });
        self.outputs = details.collect();
        self.sections.take_beside(stack);
        self.sections.fold(&self.folds);
    }

    /// Adds the resources from index `from` on and updates the `renewed` ones. The selected row stays selected and keeps its
    /// place on the screen.
    pub fn renew(&mut self, stack: &Stack, from: usize, renewed: &[ResourceId]) {
        let selected = self.selected_key();
        self.all = None;
        if !renewed.is_empty() {
            self.sections.renew(stack, renewed);
        }
        let is_drift = |id: &ResourceId| Topic::of(stack, *id) == Some(Topic::Drift);
        let drifted = stack.ids().skip(from).filter(is_drift);
        let drifted = drifted.map(|id| (stack.name(id).to_owned(), id));
        self.drifted.extend(drifted);
        self.sections.extend(stack, from);
        self.sections.fold(&self.folds);
        self.settle(selected.as_ref());
    }

    /// Puts the cursor on a row again after rows came or went, or on the heading that hides it. The row keeps its place on the
    /// screen.
    fn settle(&mut self, selected: Option<&ListKey>) {
        let row = selected.and_then(|key| self.rows().nearest_row(key));
        if let Some(row) = row {
            let top = (self.cursor.top + row).saturating_sub(self.cursor.row);
            self.cursor = Cursor::at(row, top);
        }
    }

    /// The identity of the selected row.
    pub fn selected_key(&self) -> Option<ListKey> {
        let row = self.rows().row(self.cursor.row);
        row.map(|row| self.rows().key(row))
    }

    /// Obeys a step of folding. The selected row stays selected, or the heading that hides it is. False if it does nothing.
    pub fn fold(&mut self, step: FoldStep) -> bool {
        let rows = self.rows();
        let folded = rows.rows().fold(self.cursor.row, step, |at| rows.level(at));
        let Some((row, flipped)) = folded else {
            return false;
        };
        let groups = flipped.iter().map(|at| rows.groups()[*at].id.clone());
        let groups: Vec<GroupKey> = groups.collect();
        self.cursor.select(row);
        self.flip(&groups);
        true
    }

    /// Opens or closes groups. The selected row stays selected, or the heading that hides it is.
    fn flip(&mut self, groups: &[GroupKey]) {
        let selected = self.selected_key();
        for group in groups {
            self.folds.toggle(group);
        }
        for rows in self.arranged.iter_mut().chain([&mut self.sections]) {
            rows.fold(&self.folds);
        }
        self.settle(selected.as_ref());
    }

    /// Takes the errors of a run from the notes of its log.
    pub fn take_errors(&mut self, stack: &Stack) {
        self.errors.clear();
        for note in stack.notes.iter() {
            if let (Severity::Failure, Some(id)) = (note.severity, note.resource) {
                self.errors
                    .entry(id)
                    .or_insert_with(|| note.message.clone());
            }
        }
    }

    /// Forgets the file but keeps the choices that are not about its contents.
    pub fn clear(&mut self) {
        let mut folds = Folds::default();
        if self.folds.lists(NOOP) {
            folds.set_open(&GroupKey::Topic(NOOP), true);
        }
        *self = Self {
            folds,
            chosen: self.chosen,
            order: self.order,
            ..Self::default()
        };
    }

    /// Forgets the file but keeps all choices, because the same file is read again. The filter is searched again.
    pub fn clear_to_reload(&mut self) {
        let folds = self.folds.clone();
        let query = self.filter.take().map(|filter| filter.query);
        self.clear();
        self.folds = folds;
        self.is_reloaded = true;
        self.filter = query.map(Filter::new);
    }

    /// The grouping of the list. Before the brief is known, the sections stand for the stories.
    pub fn arrangement(&self) -> Arrangement {
        self.possible(self.chosen.unwrap_or(self.usual))
    }

    /// The grouping of the list if the person chooses none.
    pub fn usual_arrangement(&self) -> Arrangement {
        self.possible(self.usual)
    }

    fn possible(&self, arrangement: Arrangement) -> Arrangement {
        match arrangement {
            Arrangement::Story if !self.has_stories => Arrangement::Action,
            arrangement => arrangement,
        }
    }

    /// Chooses the next grouping.
    pub fn choose_next(&mut self) {
        let mut next = self.arrangement().next();
        if next == Arrangement::Story && !self.has_stories {
            next = next.next();
        }
        self.chosen = Some(next);
    }

    /// True if the rows are the stories of the brief. These have their own order, and all changes.
    pub fn lists_stories(&self) -> bool {
        self.arrangement() == Arrangement::Story
            && self.order == Order::default()
            && self.filter.is_none()
    }

    /// True if the list has a row for a change, perhaps in a closed group.
    pub fn can_show(&self, id: ResourceId) -> bool {
        self.rows().row_of(id).is_some() || self.rows().groups_change(id)
    }

    /// The first row with a change.
    pub fn first_change(&self) -> Option<usize> {
        let is_change = |row: &usize| self.rows().row(*row)?.change();
        (0..self.rows().row_count()).find(|row| is_change(row).is_some())
    }

    /// The list to make, or `None` if the sections themselves or the stories are wanted.
    pub fn request(&self) -> Option<Request> {
        let arrangement = self.arrangement();
        let is_own = arrangement == Arrangement::Action
            && self.order == Order::default()
            && self.filter.is_none();
        (!is_own && !self.lists_stories()).then(|| Request {
            arrangement,
            order: self.order,
            only: self.filter.as_ref().map(|filter| Only {
                resources: Arc::clone(&filter.ids),
                outputs: Arc::clone(&filter.outputs),
            }),
            folds: self.folds.clone(),
        })
    }

    /// Takes another list, or the sections themselves. The selected change stays selected and keeps its place on the screen.
    pub fn set_arranged(&mut self, arranged: Option<Arranged>) {
        let selected = self.selected_key();
        self.arranged = arranged;
        if let Some(arranged) = &mut self.arranged {
            arranged.fold(&self.folds);
            if let Some(ListKey::Change(ChangeId::Resource(id))) = selected {
                arranged.open_around(id.into(), &mut self.folds);
            }
        }
        self.sections.fold(&self.folds);
        self.settle(selected.as_ref());
    }

    /// The list in another arrangement, if it is shown.
    pub fn arranged(&self) -> Option<&Arranged> {
        self.arranged.as_ref()
    }

    /// All listed changes as the result of a search, which limits another search to them.
    pub fn all(&mut self) -> Arc<SearchResult> {
        let sections = &self.sections;
        let all = self.all.get_or_insert_with(|| {
            let listed = sections
                .groups()
                .iter()
                .filter(|it| it.topic() != Some(NOOP));
            let mut resources: Vec<_> = listed.flat_map(|section| &section.ids).copied().collect();
            // Each section is sorted already. A stable sort merges them.
            resources.sort();
            Arc::new(SearchResult {
                resources,
                ..SearchResult::default()
            })
        });
        Arc::clone(all)
    }

    /// Selects a change, and opens the section around it. False if it is not in the list.
    pub fn select(&mut self, change: ChangeId) -> bool {
        let shown = self.arranged.as_mut().unwrap_or(&mut self.sections);
        shown.open_around(change, &mut self.folds);
        let Some(row) = self.rows().row_of_key(&ListKey::Change(change)) else {
            return false;
        };
        self.cursor.select(row);
        true
    }

    /// Number of changes that count in a section, and are listed in another one, because they are also imported or moved.
    fn n_also(&self, topic: Topic) -> usize {
        let section = self.sections().find(|(other, _)| *other == topic);
        section.map_or(0, |(_, section)| section.also.len())
    }

    /// The sections that are not empty, in list order. Each comes with its number of entries and true if they are listed.
    pub fn counts(&self) -> impl Iterator<Item = (Topic, usize, bool)> {
        let counts = self.sections().map(|(topic, section)| {
            let is_listed = self.folds.lists(topic);
            (topic, section.n_entries(), is_listed)
        });
        counts.filter(|(_, n, _)| *n > 0)
    }

    /// Like [`Self::counts`], but entries listed in other sections count too. The last item is `None` if the section itself lists
    /// none. Sections that count nothing are left out.
    pub fn totals(&self) -> impl Iterator<Item = (Topic, usize, Option<bool>)> {
        let totals = self.sections().map(|(topic, section)| {
            let n = section.n_entries();
            let is_listed = (n > 0).then(|| self.folds.lists(topic));
            (topic, n + section.also.len(), is_listed)
        });
        totals.filter(|(_, total, _)| *total > 0)
    }

    /// Lists or hides a section.
    pub fn toggle(&mut self, topic: Topic) {
        self.flip(&[GroupKey::Topic(topic)]);
    }

    /// Number of reviewed changes and number of changes to review.
    pub fn progress(&self, stack: &Stack, reviewed: &BTreeSet<ChangeId>) -> (usize, usize) {
        // During a run, a reviewed change may become something else.
        let reviewed = reviewed.iter().filter(|id| is_reviewed(stack, **id));
        (reviewed.count(), self.n_to_review())
    }

    /// The sections whose changes are reviewed.
    fn reviewed_sections(&self) -> impl Iterator<Item = &Group> {
        let reviewed = self.sections().filter(|(topic, _)| topic.is_reviewed());
        reviewed.map(|(_, section)| section)
    }

    /// Number of changes to review: of resources and of outputs.
    pub fn n_to_review(&self) -> usize {
        self.reviewed_sections().map(Group::n_entries).sum()
    }

    /// Number of resources that change.
    pub fn n_changes(&self) -> usize {
        self.reviewed_sections().map(|it| it.ids.len()).sum()
    }

    /// The selected change.
    pub fn selected_change(&self) -> Option<ChangeId> {
        self.rows().row(self.cursor.row)?.change()
    }

    /// The selected resource.
    pub fn selected(&self) -> Option<ResourceId> {
        self.selected_change().and_then(ChangeId::resource)
    }

    /// True if the section of the selected heading is open; `None` if no heading is selected.
    pub fn is_selected_open(&self) -> Option<bool> {
        match self.rows().row(self.cursor.row)? {
            ListRow::Group(at) => Some(self.rows().groups()[at].open),
            ListRow::Change(_) => None,
        }
    }

    /// The next row with a change that is still to be reviewed, from `from` on and wrapping around at the end.
    /// Costs as much as there are reviewed changes on the way.
    pub fn next_unreviewed(&self, reviewed: &BTreeSet<ChangeId>, from: usize) -> Option<usize> {
        let next = self.rows().unreviewed(from, reviewed);
        next.or_else(|| self.rows().unreviewed(0, reviewed))
    }

    /// The resources of the rows on the screen.
    pub fn on_screen(&self, height: usize) -> impl Iterator<Item = ResourceId> {
        self.ids(self.cursor.top..self.cursor.top + height)
    }

    /// The resources of some rows.
    pub fn ids(&self, rows: std::ops::Range<usize>) -> impl Iterator<Item = ResourceId> {
        rows.map_while(|row| self.rows().row(row))
            .filter_map(|row| row.change()?.resource())
    }
}

#[cfg(test)]
mod tests;
