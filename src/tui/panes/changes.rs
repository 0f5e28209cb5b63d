//! The list of changes: destructive ones first, then updates and creations, then groups of less urgent ones.
//!
//! The list has twelve sections: one for each action, one for drift and one for invoked actions. A section is a list of resources
//! in file order that grows batch by batch. The rows on the screen are computed from the lengths of the sections, so that a
//! hundred thousand changes cost no more than ten.

mod draw;
mod tally;
mod topic;
pub(in crate::tui) mod words;

pub use topic::Topic;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::change::causes::ChainLink;
use crate::stack::{Action, ResourceId, Stack};
use crate::tui::widgets::cursor::Cursor;

/// One row of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListRow {
    /// The heading of a section.
    Heading(Topic),
    /// A resource.
    Change(ResourceId),
    /// An invoked action, by its position in the stack.
    Invocation(usize),
}

#[derive(Clone, Debug)]
struct Section {
    topic: Topic,
    ids: Vec<ResourceId>,
    /// Resources listed in other sections that count here too because they are also imported or moved.
    also: BTreeSet<ResourceId>,
    /// Number of invoked actions. Zero in all sections but theirs.
    n_invoked: usize,
    /// True if the rows of the section are listed.
    open: bool,
}

impl Section {
    /// Moves resources into and out of the section. `topics` holds the resources in ascending order, each with its new section.
    /// All are moved at once because there may be many.
    fn renew(&mut self, topics: &[(ResourceId, Option<Topic>)]) {
        let find = |id: &ResourceId| topics.binary_search_by_key(id, |(id, _)| *id);
        let Some((first, _)) = topics.first() else {
            return;
        };
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

    fn len(&self) -> usize {
        self.ids.len() + self.n_invoked
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The list of changes.
#[derive(Clone, Debug)]
pub struct ChangesPane {
    /// The selected row.
    pub cursor: Cursor,
    /// Reasons for changes, as far as they were asked for.
    pub whys: HashMap<ResourceId, Arc<Vec<ChainLink>>>,
    /// True if unchanged resources are listed too.
    pub show_unchanged: bool,
    /// Why nothing can be listed, if the reason is not in the file.
    pub nothing: Option<&'static str>,
    /// True for a comparison and for a kind of file that reports changes, even if there are none.
    pub is_review: bool,
    /// The drift entry of each resource that changed outside of the program, by the name of the resource.
    pub drifted: HashMap<String, ResourceId>,
    sections: Vec<Section>,
}

impl Default for ChangesPane {
    fn default() -> Self {
        let is_open = |topic| {
            !matches!(
                topic,
                Topic::Drift | Topic::Change(Action::Move | Action::Noop)
            )
        };
        Self {
            cursor: Cursor::default(),
            whys: HashMap::new(),
            show_unchanged: false,
            nothing: None,
            is_review: false,
            drifted: HashMap::new(),
            sections: Topic::ALL
                .map(|topic| Section {
                    topic,
                    ids: Vec::new(),
                    also: BTreeSet::new(),
                    n_invoked: 0,
                    open: is_open(topic),
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
        let selected = self.row(self.cursor.row);
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
        let row = match selected {
            Some(ListRow::Change(id)) => self.row_of(id),
            Some(ListRow::Heading(topic)) => self.row_of_heading(topic),
            Some(ListRow::Invocation(_)) | None => None,
        };
        if let Some(row) = row {
            self.cursor.top = (self.cursor.top + row).saturating_sub(self.cursor.row);
            self.cursor.row = row;
        }
    }

    /// Forgets the file but keeps `show_unchanged`.
    pub fn clear(&mut self) {
        *self = Self {
            show_unchanged: self.show_unchanged,
            ..Self::default()
        };
    }

    /// The sections that are not empty, in list order. Each comes with its number of entries and true if they are listed.
    pub fn counts(&self) -> impl Iterator<Item = (Topic, usize, bool)> {
        self.sections
            .iter()
            .filter(|section| !section.is_empty())
            .map(|section| (section.topic, section.len(), section.open))
    }

    /// Like [`Self::counts`], but entries listed in other sections count too. The last item is `None` if the section itself lists
    /// none. Sections that count nothing are left out.
    pub fn totals(&self) -> impl Iterator<Item = (Topic, usize, Option<bool>)> {
        let totals = self.sections.iter().map(|section| {
            let is_listed = Some(section.open).filter(|_| !section.is_empty());
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
        let drift = self
            .sections
            .iter_mut()
            .find(|it| it.topic == Topic::Drift)?;
        let first = *drift.ids.first()?;
        drift.open = true;
        self.row_of(first)
    }

    /// Lists or hides a section.
    pub fn toggle(&mut self, topic: Topic) {
        if let Some(section) = self.sections.iter_mut().find(|it| it.topic == topic) {
            section.open = !section.open;
            if topic == Topic::Change(Action::Noop) {
                self.show_unchanged = section.open;
            }
        }
    }

    /// Lists or hides unchanged resources.
    pub fn toggle_unchanged(&mut self) {
        self.toggle(Topic::Change(Action::Noop));
    }

    /// Number of reviewed changes and number of changes to review.
    pub fn progress(&self, reviewed: &BTreeSet<ResourceId>) -> (usize, usize) {
        let to_review = self.sections.iter().filter(|it| it.topic.is_reviewed());
        (reviewed.len(), to_review.map(Section::len).sum())
    }

    /// Number of rows in the list.
    pub fn row_count(&self) -> usize {
        self.sections.iter().map(|it| self.n_rows(it)).sum()
    }

    fn n_rows(&self, section: &Section) -> usize {
        if section.is_empty() {
            return 0;
        }
        let is_noop = section.topic == Topic::Change(Action::Noop);
        if is_noop && !self.show_unchanged {
            return 0;
        }
        usize::from(section.topic.is_group()) + if section.open { section.len() } else { 0 }
    }

    /// The row at a position.
    pub fn row(&self, mut position: usize) -> Option<ListRow> {
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
        let mut first = 0;
        for section in &self.sections {
            // The order of the file is the order of the ids.
            if let (true, Ok(index)) = (section.open, section.ids.binary_search(&id)) {
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
            ListRow::Heading(_) | ListRow::Invocation(_) => None,
        }
    }

    /// The selected action, by its position in the stack.
    pub fn invocation(&self) -> Option<usize> {
        match self.row(self.cursor.row)? {
            ListRow::Invocation(index) => Some(index),
            ListRow::Heading(_) | ListRow::Change(_) => None,
        }
    }

    /// The selected section, if its heading is selected.
    pub fn heading(&self) -> Option<Topic> {
        match self.row(self.cursor.row)? {
            ListRow::Heading(topic) => Some(topic),
            ListRow::Change(_) | ListRow::Invocation(_) => None,
        }
    }

    /// The next row with a change that is still to be reviewed, from `from` on and wrapping around at the end.
    pub fn next_unreviewed(&self, reviewed: &BTreeSet<ResourceId>, from: usize) -> Option<usize> {
        let len = self.row_count();
        (0..len)
            .map(|step| (from + step) % len)
            .find(|row| match self.row(*row) {
                Some(ListRow::Change(id)) => {
                    !reviewed.contains(&id) && self.topic(*row).is_some_and(Topic::is_reviewed)
                }
                _ => false,
            })
    }

    fn topic(&self, mut position: usize) -> Option<Topic> {
        self.sections.iter().find_map(|section| {
            let n_rows = self.n_rows(section);
            let inside = position < n_rows;
            position = position.saturating_sub(n_rows);
            inside.then_some(section.topic)
        })
    }

    /// The resources of the rows on the screen.
    pub fn on_screen(&self, height: usize) -> impl Iterator<Item = ResourceId> {
        let rows = self.cursor.top..self.cursor.top + height;
        rows.map_while(|row| self.row(row))
            .filter_map(|row| match row {
                ListRow::Change(id) => Some(id),
                ListRow::Heading(_) | ListRow::Invocation(_) => None,
            })
    }
}

#[cfg(test)]
mod tests;
