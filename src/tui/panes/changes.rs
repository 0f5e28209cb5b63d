//! The list of changes: destructive ones first, then updates and creations, then groups of less urgent ones.
//!
//! The list has fourteen sections: two for what failed and what runs in a run, one for each action, one for drift and one for invoked actions. A section is a list of resources
//! in file order that grows batch by batch. The rows on the screen are computed from the lengths of the sections, so that a
//! hundred thousand changes cost no more than ten. Other arrangements, orders and filters are made by a job
//! ([`Arranged`]).

mod columns;
mod draw;
mod tally;

pub use crate::tui::changes::{
    Arranged, Arrangement, BriefGroups, Folds, ListKey, ListRow, Order, Request, Topic,
};

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::search::{Reading, SearchResult};
use crate::stack::{Action, ResourceId, Severity, Stack};
use crate::tui::changes::Explained;
use crate::tui::widgets::cursor::Cursor;

#[derive(Clone, Debug)]
struct Section {
    topic: Topic,
    ids: Vec<ResourceId>,
    /// Resources listed in other sections that count here too because they are also imported or moved.
    also: BTreeSet<ResourceId>,
    /// Number of invoked actions. Zero in all sections but theirs.
    n_invoked: usize,
}

impl Section {
    /// Moves resources into and out of the section. `topics` holds the resources in ascending order, each with its new section.
    /// All are moved at once because there may be many.
    fn renew(&mut self, topics: &[(ResourceId, Option<Topic>)]) {
        let find = |id: &ResourceId| topics.binary_search_by_key(id, |(id, _)| *id);
        let Some((first, _)) = topics.first() else {
            return;
        };
        if self.topic == Topic::Running {
            self.ids.sort();
        }
        // Resources before the first moved one stay in place.
        let kept = self.ids.partition_point(|id| id < first);
        let mut later = self.ids.split_off(kept);
        later.retain(|id| find(id).is_err());
        let here = topics
            .iter()
            .filter(|(_, topic)| *topic == Some(self.topic));
        later.extend(here.map(|(id, _)| *id));
        later.sort();
        self.ids.append(&mut later);
    }

    /// Index of a resource. Sections are in file order, except for the few running changes.
    fn position(&self, id: ResourceId) -> Option<usize> {
        if self.topic == Topic::Running {
            return self.ids.iter().position(|it| *it == id);
        }
        self.ids.binary_search(&id).ok()
    }

    fn len(&self) -> usize {
        self.ids.len() + self.n_invoked
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

const NOOP: Topic = Topic::Change(Action::Noop);

/// The filter of the list.
#[derive(Clone, Debug)]
pub struct ChangesFilter {
    /// The query.
    pub query: String,
    /// The resources that it finds, ascending.
    pub ids: Arc<Vec<ResourceId>>,
    /// Number of resources of the stack that were searched.
    pub n_seen: usize,
    /// The way in which the words of the query were matched.
    pub reading: Reading,
}

/// The list of changes.
#[derive(Clone, Debug)]
pub struct ChangesPane {
    /// The selected row.
    pub cursor: Cursor,
    /// Properties and reasons of changes, as far as they are known.
    pub whys: HashMap<ResourceId, Arc<Explained>>,
    /// Changes whose explanation is under way, in the order of the answers.
    pub asked: Vec<ResourceId>,
    /// The grouping that the person chose.
    pub chosen: Option<Arrangement>,
    /// The groups of the brief, once it is known.
    pub brief: Option<Arc<BriefGroups>>,
    /// True if the same file was shown before, so that a row of it was chosen.
    pub is_reloaded: bool,
    /// True for a plan or a preview, whose list is arranged by danger unless the person chooses otherwise.
    pub is_plan: bool,
    /// The wanted order.
    pub order: Order,
    /// The filter.
    pub filter: Option<ChangesFilter>,
    /// The closed sections and groups.
    pub folds: Folds,
    /// The reason for which nothing can be listed, if it is not in the file.
    pub nothing: Option<&'static str>,
    /// True for a comparison and for a kind of file that reports changes, even if there are none.
    pub is_review: bool,
    /// The drift entry of each resource that changed outside of the program, by the name of the resource.
    pub drifted: HashMap<String, ResourceId>,
    /// The first error of each change that failed in a run.
    errors: HashMap<ResourceId, String>,
    sections: Vec<Section>,
    /// The list in another arrangement, order or with a filter; `None` for the sections themselves.
    arranged: Option<Arranged>,
    /// All changes, for searches among them.
    all: Option<Arc<SearchResult>>,
}

impl Default for ChangesPane {
    fn default() -> Self {
        Self {
            cursor: Cursor::default(),
            whys: HashMap::new(),
            asked: Vec::new(),
            chosen: None,
            brief: None,
            is_reloaded: false,
            is_plan: false,
            order: Order::default(),
            filter: None,
            arranged: None,
            all: None,
            folds: Folds::default(),
            nothing: None,
            is_review: false,
            drifted: HashMap::new(),
            errors: HashMap::new(),
            sections: Topic::ALL
                .map(|topic| Section {
                    topic,
                    ids: Vec::new(),
                    also: BTreeSet::new(),
                    n_invoked: 0,
                })
                .into(),
        }
    }
}

impl ChangesPane {
    /// Adds the resources of the stack from index `from` on.
    pub fn extend(&mut self, stack: &Stack, from: usize) {
        for id in stack.ids().skip(from) {
            let topic = Topic::of(stack, id);
            if topic == Some(Topic::Drift) {
                self.drifted.insert(stack.name(id).to_owned(), id);
            }
            if let Some(section) = self.sections.iter_mut().find(|it| Some(it.topic) == topic) {
                section.ids.push(id);
            }
            self.count_also(stack, id);
        }
        let mut sections = self.sections.iter_mut();
        if let Some(running) = sections.find(|it| it.topic == Topic::Running) {
            // The longest running ones come first.
            running
                .ids
                .sort_by_key(|id| (stack.started.get(id).copied(), *id));
        }
    }

    fn count_also(&mut self, stack: &Stack, id: ResourceId) {
        for topic in Topic::also(stack, id) {
            if let Some(section) = self.sections.iter_mut().find(|it| it.topic == topic) {
                section.also.insert(id);
            }
        }
    }

    /// Sets the number of invoked actions, which is known at the end of the file.
    pub fn set_invoked(&mut self, n_invoked: usize) {
        let mut sections = self.sections.iter_mut();
        if let Some(section) = sections.find(|it| it.topic == Topic::Invoked) {
            section.n_invoked = n_invoked;
        }
    }

    /// Adds the resources from index `from` on and updates the `renewed` ones. The selected row stays selected and keeps its
    /// place on the screen.
    pub fn renew(&mut self, stack: &Stack, from: usize, renewed: &[ResourceId]) {
        let selected = self.selected_key();
        self.all = None;
        if !renewed.is_empty() {
            let mut topics: Vec<_> = renewed
                .iter()
                .map(|id| (*id, Topic::of(stack, *id)))
                .collect();
            topics.sort_unstable_by_key(|(id, _)| *id);
            topics.dedup_by_key(|(id, _)| *id);
            for section in &mut self.sections {
                section.renew(&topics);
                for id in renewed {
                    section.also.remove(id);
                }
            }
            for id in renewed {
                self.count_also(stack, *id);
            }
        }
        self.extend(stack, from);
        self.settle(selected.as_ref());
    }

    /// Puts the cursor on a row again after rows came or went, or on the heading that hides it. The row keeps its place on the
    /// screen.
    fn settle(&mut self, selected: Option<&ListKey>) {
        let row =
            selected.and_then(|key| self.row_of_key(key).or_else(|| self.heading_around(key)));
        if let Some(row) = row {
            let top = (self.cursor.top + row).saturating_sub(self.cursor.row);
            self.cursor = Cursor::at(row, top);
        }
    }

    /// The identity of the selected row.
    pub fn selected_key(&self) -> Option<ListKey> {
        let row = self.row(self.cursor.row)?;
        match &self.arranged {
            Some(arranged) => arranged.key(row),
            None => Arranged::default().key(row),
        }
    }

    /// The row with this identity, if it is listed.
    pub fn row_of_key(&self, key: &ListKey) -> Option<usize> {
        if let Some(arranged) = &self.arranged {
            return arranged.row_of_key(key);
        }
        match key {
            ListKey::Change(id) => self.row_of(*id),
            ListKey::Heading(topic) => self.row_of_heading(*topic),
            ListKey::Group(_) => None,
            ListKey::Invocation(index) => {
                let row = self.row_of_heading(Topic::Invoked)? + 1 + index;
                (self.row(row) == Some(ListRow::Invocation(*index))).then_some(row)
            }
        }
    }

    /// The row of the innermost listed heading around a row, which may be folded away itself.
    pub fn heading_around(&self, key: &ListKey) -> Option<usize> {
        if let Some(arranged) = &self.arranged {
            return arranged.heading_around(key);
        }
        match key {
            ListKey::Change(id) => {
                let mut sections = self.sections.iter();
                let section = sections.find(|it| it.position(*id).is_some())?;
                self.row_of_heading(section.topic)
            }
            ListKey::Invocation(_) => self.row_of_heading(Topic::Invoked),
            ListKey::Heading(_) | ListKey::Group(_) => None,
        }
    }

    /// Goes to the heading around the selected row. False if there is none.
    pub fn go_around(&mut self) -> bool {
        let around = self
            .selected_key()
            .and_then(|key| self.heading_around(&key));
        if let Some(row) = around {
            self.cursor.select(row);
        }
        around.is_some()
    }

    /// Opens the headings of the outer `level` levels, and closes the other ones. Unchanged resources stay listed or hidden. False
    /// if nothing opens or closes.
    pub fn set_level(&mut self, level: u16) -> bool {
        let mut folds = self.folds.clone();
        if let Some(arranged) = &self.arranged {
            arranged.set_level(level, &mut folds);
        } else {
            let sections = self.sections.iter().filter(|it| !it.is_empty());
            let topics = sections.map(|section| section.topic);
            for topic in topics.filter(|topic| topic.is_group() && *topic != NOOP) {
                folds.set(topic, level > 0);
            }
        }
        self.refold(folds)
    }

    /// Opens the selected heading and those below it. False if nothing opens.
    pub fn open_below(&mut self) -> bool {
        let mut folds = self.folds.clone();
        match (self.row(self.cursor.row), &self.arranged) {
            (Some(ListRow::Heading(topic)), _) => folds.list(topic),
            (Some(ListRow::Group(at)), Some(arranged)) => arranged.open_below(at, &mut folds),
            (Some(ListRow::Group(_) | ListRow::Change(_) | ListRow::Invocation(_)) | None, _) => {}
        }
        self.refold(folds)
    }

    /// Takes other folds. The selected row stays selected, or the heading that hides it is. False if they are the same.
    fn refold(&mut self, folds: Folds) -> bool {
        if self.folds == folds {
            return false;
        }
        let selected = self.selected_key();
        self.folds = folds;
        if let Some(arranged) = &mut self.arranged {
            arranged.fold(&self.folds);
        }
        self.settle(selected.as_ref());
        true
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
            folds.list(NOOP);
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
        self.filter = query.map(|query| ChangesFilter {
            query,
            ids: Arc::default(),
            n_seen: 0,
            reading: Reading::default(),
        });
    }

    /// The grouping of the list. Before the brief is known, the sections stand for the one by danger.
    pub fn arrangement(&self) -> Arrangement {
        match self.chosen.unwrap_or(self.usual_arrangement()) {
            Arrangement::Danger if self.brief.is_none() => Arrangement::Action,
            arrangement => arrangement,
        }
    }

    /// The grouping of the list if the person chooses none.
    pub fn usual_arrangement(&self) -> Arrangement {
        if self.is_plan && self.brief.is_some() {
            Arrangement::Danger
        } else {
            Arrangement::Action
        }
    }

    /// Changes to the next grouping.
    pub fn arrange_next(&mut self) {
        self.chosen = Some(self.arrangement().next(self.brief.as_deref()));
    }

    /// True if the list has a row for a change, perhaps in a closed group.
    pub fn can_show(&self, id: ResourceId) -> bool {
        let arranged = self.arranged.as_ref();
        self.row_of(id).is_some() || arranged.is_some_and(|it| it.groups_change(id))
    }

    /// The first row with a change.
    pub fn first_change(&self) -> Option<usize> {
        (0..self.row_count()).find(|row| matches!(self.row(*row), Some(ListRow::Change(_))))
    }

    /// The list to make, or `None` if the sections themselves are wanted.
    pub fn request(&self) -> Option<Request> {
        let arrangement = self.arrangement();
        let is_own = arrangement == Arrangement::Action
            && self.order == Order::default()
            && self.filter.is_none();
        (!is_own).then(|| Request {
            arrangement,
            brief: self.brief.clone().unwrap_or_default(),
            order: self.order,
            only: self.filter.as_ref().map(|filter| Arc::clone(&filter.ids)),
            folds: self.folds.clone(),
        })
    }

    /// Takes another list, or the sections themselves. The selected change stays selected and keeps its place on the screen.
    pub fn set_arranged(&mut self, arranged: Option<Arranged>) {
        let selected = self.selected_key();
        self.arranged = arranged;
        if let Some(arranged) = &mut self.arranged {
            arranged.fold(&self.folds);
            if let Some(ListKey::Change(id)) = selected {
                arranged.open_around(id, &mut self.folds);
            }
        }
        self.settle(selected.as_ref());
    }

    /// The list in another arrangement, if it is shown.
    pub fn arranged(&self) -> Option<&Arranged> {
        self.arranged.as_ref()
    }

    /// All listed changes as the result of a search, which limits another search to them.
    pub fn all(&mut self) -> Arc<SearchResult> {
        let sections = &self.sections;
        let noop = Topic::Change(Action::Noop);
        let all = self.all.get_or_insert_with(|| {
            let listed = sections.iter().filter(|section| section.topic != noop);
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
    pub fn select(&mut self, id: ResourceId) -> bool {
        if let Some(arranged) = &mut self.arranged {
            arranged.open_around(id, &mut self.folds);
        } else if self.row_of(id).is_none() {
            let mut sections = self.sections.iter().filter(|it| it.topic != NOOP);
            if let Some(section) = sections.find(|it| it.position(id).is_some()) {
                self.folds.list(section.topic);
            }
        }
        let Some(row) = self.row_of(id) else {
            return false;
        };
        self.cursor.select(row);
        true
    }

    /// The sections that are not empty, in list order. Each comes with its number of entries and true if they are listed.
    pub fn counts(&self) -> impl Iterator<Item = (Topic, usize, bool)> {
        self.sections
            .iter()
            .filter(|section| !section.is_empty())
            .map(|section| {
                let is_listed = self.folds.lists(section.topic);
                (section.topic, section.len(), is_listed)
            })
    }

    /// Like [`Self::counts`], but entries listed in other sections count too. The last item is `None` if the section itself lists
    /// none. Sections that count nothing are left out.
    pub fn totals(&self) -> impl Iterator<Item = (Topic, usize, Option<bool>)> {
        let totals = self.sections.iter().map(|section| {
            let is_listed = (!section.is_empty()).then(|| self.folds.lists(section.topic));
            (section.topic, section.len() + section.also.len(), is_listed)
        });
        totals.filter(|(_, total, _)| *total > 0)
    }

    /// Opens the drift section if there is nothing else to look at, as in a plan that only refreshes. Returns the row of its
    /// first resource if so.
    pub fn open_lone_drift(&mut self) -> Option<usize> {
        let mut others = self.sections.iter();
        let is_other = |topic| !matches!(topic, Topic::Drift | Topic::Change(Action::Noop));
        if others.any(|section| is_other(section.topic) && !section.is_empty()) {
            return None;
        }
        let drift = self.sections.iter().find(|it| it.topic == Topic::Drift)?;
        let first = *drift.ids.first()?;
        self.folds.list(Topic::Drift);
        self.row_of(first)
    }

    /// Lists or hides a section.
    pub fn toggle(&mut self, topic: Topic) {
        let mut folds = self.folds.clone();
        folds.toggle(topic);
        self.refold(folds);
    }

    /// Number of reviewed changes and number of changes to review.
    pub fn progress(&self, stack: &Stack, reviewed: &BTreeSet<ResourceId>) -> (usize, usize) {
        // During a run, a reviewed change may become something else.
        let reviewed = reviewed.iter().filter(|id| is_reviewed(stack, **id));
        (reviewed.count(), self.n_to_review())
    }

    /// Number of changes to review.
    pub fn n_to_review(&self) -> usize {
        let to_review = self.sections.iter().filter(|it| it.topic.is_reviewed());
        to_review.map(Section::len).sum()
    }

    /// Number of rows in the list.
    pub fn row_count(&self) -> usize {
        if let Some(arranged) = &self.arranged {
            return arranged.row_count();
        }
        self.sections.iter().map(|it| self.n_rows(it)).sum()
    }

    fn n_rows(&self, section: &Section) -> usize {
        if section.is_empty() {
            return 0;
        }
        match (section.topic, self.folds.lists(section.topic)) {
            (NOOP, false) => 0,
            (topic, true) => usize::from(topic.is_group()) + section.len(),
            (topic, false) => usize::from(topic.is_group()),
        }
    }

    /// The row at a position.
    pub fn row(&self, mut position: usize) -> Option<ListRow> {
        if let Some(arranged) = &self.arranged {
            return arranged.row(position);
        }
        for section in &self.sections {
            let n_rows = self.n_rows(section);
            if position >= n_rows {
                position -= n_rows;
                continue;
            }
            let heading = usize::from(section.topic.is_group());
            return match position.checked_sub(heading) {
                None => Some(ListRow::Heading(section.topic)),
                Some(index) if section.topic == Topic::Invoked => Some(ListRow::Invocation(index)),
                Some(index) => section.ids.get(index).copied().map(ListRow::Change),
            };
        }
        None
    }

    /// The row of a resource, if it is listed.
    pub fn row_of(&self, id: ResourceId) -> Option<usize> {
        if let Some(arranged) = &self.arranged {
            return arranged.row_of(id);
        }
        let mut first = 0;
        for section in &self.sections {
            // The order of the file is the order of the ids.
            let is_listed = self.folds.lists(section.topic);
            if let (true, Some(index)) = (is_listed, section.position(id)) {
                return Some(first + usize::from(section.topic.is_group()) + index);
            }
            first += self.n_rows(section);
        }
        None
    }

    fn row_of_heading(&self, topic: Topic) -> Option<usize> {
        let mut first = 0;
        for section in &self.sections {
            let n_rows = self.n_rows(section);
            if section.topic == topic {
                return (n_rows > 0 && topic.is_group()).then_some(first);
            }
            first += n_rows;
        }
        None
    }

    /// The selected resource.
    pub fn selected(&self) -> Option<ResourceId> {
        match self.row(self.cursor.row)? {
            ListRow::Change(id) => Some(id),
            ListRow::Heading(_) | ListRow::Group(_) | ListRow::Invocation(_) => None,
        }
    }

    /// The selected action, by its position in the stack.
    pub fn invocation(&self) -> Option<usize> {
        match self.row(self.cursor.row)? {
            ListRow::Invocation(index) => Some(index),
            ListRow::Heading(_) | ListRow::Group(_) | ListRow::Change(_) => None,
        }
    }

    /// Opens or closes the section whose heading is selected. False if no heading is selected.
    pub fn toggle_selected(&mut self) -> bool {
        match self.row(self.cursor.row) {
            Some(ListRow::Heading(topic)) => self.toggle(topic),
            Some(ListRow::Group(at)) => {
                if let Some(arranged) = &mut self.arranged {
                    arranged.toggle(at, &mut self.folds);
                }
            }
            Some(ListRow::Change(_) | ListRow::Invocation(_)) | None => return false,
        }
        true
    }

    /// True if the section of the selected heading is open; `None` if no heading is selected.
    pub fn is_selected_open(&self) -> Option<bool> {
        match self.row(self.cursor.row)? {
            ListRow::Heading(topic) => Some(self.folds.lists(topic)),
            ListRow::Group(at) => Some(self.arranged.as_ref()?.group(at)?.open),
            ListRow::Change(_) | ListRow::Invocation(_) => None,
        }
    }

    /// The next row with a change that is still to be reviewed, from `from` on and wrapping around at the end.
    /// Costs as much as there are reviewed changes on the way.
    pub fn next_unreviewed(&self, reviewed: &BTreeSet<ResourceId>, from: usize) -> Option<usize> {
        let next = self.unreviewed(from, reviewed);
        next.or_else(|| self.unreviewed(0, reviewed))
    }

    /// A change in a closed group that is still to be reviewed.
    pub fn unreviewed_in_closed(&self, reviewed: &BTreeSet<ResourceId>) -> Option<ResourceId> {
        self.arranged.as_ref()?.unreviewed_in_closed(reviewed)
    }

    fn unreviewed(&self, from: usize, reviewed: &BTreeSet<ResourceId>) -> Option<usize> {
        if let Some(arranged) = &self.arranged {
            return arranged.unreviewed(from, reviewed);
        }
        let mut next = 0;
        self.sections.iter().find_map(|section| {
            let start = next + usize::from(section.topic.is_group());
            next += self.n_rows(section);
            if !section.topic.is_reviewed() || next <= start {
                return None;
            }
            let skipped = from.saturating_sub(start);
            let mut ids = section.ids.iter().skip(skipped);
            let index = ids.position(|id| !reviewed.contains(id))?;
            Some(start + skipped + index)
        })
    }

    /// The resources of the rows on the screen.
    pub fn on_screen(&self, height: usize) -> impl Iterator<Item = ResourceId> {
        self.ids(self.cursor.top..self.cursor.top + height)
    }

    /// The resources of some rows.
    pub fn ids(&self, rows: std::ops::Range<usize>) -> impl Iterator<Item = ResourceId> {
        rows.map_while(|row| self.row(row))
            .filter_map(|row| match row {
                ListRow::Change(id) => Some(id),
                ListRow::Heading(_) | ListRow::Group(_) | ListRow::Invocation(_) => None,
            })
    }
}

/// True if a resource is a change that counts toward review progress.
pub fn is_reviewed(stack: &Stack, id: ResourceId) -> bool {
    Topic::of(stack, id).is_some_and(Topic::is_reviewed)
}

#[cfg(test)]
mod tests;
