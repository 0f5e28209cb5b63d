//! Arrangements of the list of changes: groups in a tree, with the changes of each in some order.
//!
//! The list by action in file order grows batch by batch and is kept by the pane itself. Every other list is an [`Arranged`],
//! which a job makes from a snapshot of the stack. A row is found by binary search in the row counts of the groups, so a key
//! costs the same among ten changes and among a hundred thousand. Folding a group costs as much as there are groups.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::{Folds, GroupKey, ListKey, ListRow, Topic, own_name};
use crate::stack::{Action, ChangeId, Flags, GroupId, ResourceId, Stack};
use crate::tree::{MAX_DEPTH, natural};
use crate::tui::outline::{Extent, Groups};
use crate::tui::rows::shown;

/// The grouping of the list.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Arrangement {
    /// By story, as on the page of the brief. No groups are made for it.
    Story,
    /// By action, destructive ones first.
    #[default]
    Action,
    /// By module or component, as a tree.
    Module,
    /// By type.
    Type,
    /// One list.
    Flat,
}

impl Arrangement {
    /// The next one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Module => Self::Type,
            Self::Type => Self::Action,
            Self::Action => Self::Flat,
            Self::Flat => Self::Story,
            Self::Story => Self::Module,
        }
    }

    /// Its name in titles and messages.
    pub fn name(self, stack: &Stack) -> &'static str {
        match self {
            Self::Story => "by story",
            Self::Action => "by action",
            Self::Module if stack.header.kind.is_pulumi() => "by component",
            Self::Module => "by module",
            Self::Type => "by type",
            Self::Flat => "one list",
        }
    }
}

/// The order of the changes in a group.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
    /// That of the file.
    #[default]
    File,
    /// By name.
    Name,
    /// By type.
    Type,
    /// By action, destructive ones first.
    Danger,
}

impl Order {
    /// The next one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::File => Self::Name,
            Self::Name => Self::Type,
            Self::Type => Self::Danger,
            Self::Danger => Self::File,
        }
    }

    /// Its name in titles and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file order",
            Self::Name => "name",
            Self::Type => "type",
            Self::Danger => "danger",
        }
    }
}

/// The only changes to list.
#[derive(Clone, Default, Debug)]
pub struct Only {
    /// The resources, ascending.
    pub resources: Arc<Vec<ResourceId>>,
    /// The outputs, by their positions in the stack.
    pub outputs: Arc<HashSet<usize>>,
}

/// A wanted list.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// The grouping. Of stories, only some of whose changes are listed or that have another order, it is the one by module.
    pub arrangement: Arrangement,
    /// The order in each group.
    pub order: Order,
    /// The only changes to list; `None` for all.
    pub only: Option<Only>,
    /// The closed sections and groups.
    pub folds: Folds,
}

/// The thing around changes that have a heading: a module, a component, or a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Around<'s> {
    Module(GroupId),
    Component(ResourceId),
    Type(&'s str),
}

const NOOP: Topic = Topic::Change(Action::Noop);

/// Sections that keep their own heading in every arrangement, because they may be closed.
const STARTS_CLOSED: [Topic; 3] = [NOOP, Topic::Drift, Topic::Change(Action::Move)];

/// A group of changes.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its identity.
    pub id: GroupKey,
    /// The text of the heading.
    pub label: String,
    /// Depth in the tree.
    pub depth: usize,
    /// The changes in the group itself.
    pub ids: Vec<ResourceId>,
    /// The changes of a section that are not those of resources. They stand after these.
    beside: Vec<ChangeId>,
    /// Resources listed in other sections that count in this one too because they are also imported or moved.
    pub also: BTreeSet<ResourceId>,
    /// Number of groups below it, which follow it.
    n_below: usize,
    /// Number of changes in it and below it, by topic.
    pub sums: Vec<(Topic, usize)>,
    /// True if its rows are listed.
    pub open: bool,
}

impl Group {
    fn new(id: GroupKey) -> Self {
        Self {
            id,
            label: String::new(),
            depth: 0,
            ids: Vec::new(),
            beside: Vec::new(),
            also: BTreeSet::new(),
            n_below: 0,
            sums: Vec::new(),
            open: true,
        }
    }

    /// The topic, if the group is one.
    pub fn topic(&self) -> Option<Topic> {
        match self.id {
            GroupKey::Topic(topic) => Some(topic),
            GroupKey::Around(_) | GroupKey::Type(_) | GroupKey::Rest => None,
        }
    }

    /// A resource of the type, if the group is one.
    pub fn type_of(&self) -> Option<ResourceId> {
        let is_type = matches!(self.id, GroupKey::Type(_));
        self.ids.first().copied().filter(|_| is_type)
    }

    /// Number of rows for its heading.
    fn n_headings(&self) -> usize {
        usize::from(match self.id {
            GroupKey::Rest => false,
            // The heading of unchanged resources is hidden with them.
            GroupKey::Topic(NOOP) => self.open && self.n_entries() > 0,
            GroupKey::Topic(topic) => topic.is_group() && self.n_entries() > 0,
            GroupKey::Around(_) | GroupKey::Type(_) => true,
        })
    }

    /// True if its changes count toward review progress.
    fn is_reviewed(&self) -> bool {
        self.topic().is_none_or(Topic::is_reviewed)
    }

    /// Number of entries in the group itself.
    pub fn n_entries(&self) -> usize {
        self.ids.len() + self.beside.len()
    }

    /// The changes in the group itself.
    fn changes(&self) -> impl Iterator<Item = ChangeId> {
        let resources = self.ids.iter().copied().map(ChangeId::Resource);
        resources.chain(self.beside.iter().copied())
    }

    /// Index of a resource in a section. Sections are in file order, except for the few running changes.
    fn position(&self, id: ResourceId) -> Option<usize> {
        if self.topic() == Some(Topic::Running) {
            return self.ids.iter().position(|it| *it == id);
        }
        self.ids.binary_search(&id).ok()
    }

    /// Moves resources into and out of a section. `topics` holds the resources in ascending order, each with its new section.
    /// All are moved at once because there may be many.
    fn renew(&mut self, topics: &[(ResourceId, Option<Topic>)]) {
        let find = |id: &ResourceId| topics.binary_search_by_key(id, |(id, _)| *id);
        let Some((first, _)) = topics.first() else {
            return;
        };
        if self.topic() == Some(Topic::Running) {
            self.ids.sort();
        }
        // Resources before the first moved one stay in place.
        let kept = self.ids.partition_point(|id| id < first);
        let mut later = self.ids.split_off(kept);
        later.retain(|id| find(id).is_err());
        let here = topics.iter().filter(|(_, topic)| *topic == self.topic());
        later.extend(here.map(|(id, _)| *id));
        later.sort();
        self.ids.append(&mut later);
    }

    /// Counts a change that is in the group or below it.
    fn add(&mut self, topic: Topic) {
        match self.sums.iter_mut().find(|(other, _)| *other == topic) {
            Some((_, n)) => *n += 1,
            None => self.sums.push((topic, 1)),
        }
    }
}

/// An arranged list.
#[derive(Clone, Debug)]
pub struct Arranged {
    /// The groups, parents before children.
    groups: Vec<Group>,
    /// The rows of the groups.
    rows: Groups,
    /// The group of each change, and its index there. `None` for sections, whose changes are sorted.
    places: Option<HashMap<ResourceId, (usize, usize)>>,
    /// Number of changes listed, without unchanged resources and drift.
    pub n_changes: usize,
    /// Number of resources of the stack it was made from.
    pub n_seen: usize,
}

impl Default for Arranged {
    /// A section for each topic, all empty.
    fn default() -> Self {
        Self {
            groups: Topic::ALL.map(|it| Group::new(GroupKey::Topic(it))).into(),
            rows: Groups::default(),
            places: None,
            n_changes: 0,
            n_seen: 0,
        }
    }
}

impl Arranged {
    /// Arranges the changes of a stack.
    pub fn new<'s>(stack: &'s Stack, request: &Request) -> Self {
        let mut changes: Vec<(ResourceId, Topic)> = match &request.only {
            Some(only) => topics(stack, only.resources.iter().copied()).collect(),
            None => topics(stack, stack.ids()).collect(),
        };
        let folds = &request.folds;
        // A filter is about changes.
        let lists_noop = request.only.is_none() && folds.lists(NOOP);
        changes.retain(|(_, topic)| *topic != NOOP || lists_noop);
        sort(stack, request.order, &mut changes);
        let apart = match request.arrangement {
            Arrangement::Action => &Topic::ALL[..],
            Arrangement::Story | Arrangement::Module | Arrangement::Type | Arrangement::Flat => {
                &STARTS_CLOSED[..]
            }
        };
        let (mut main, rest): (Vec<_>, Vec<_>) = changes
            .into_iter()
            .partition(|(_, topic)| !apart.contains(topic));
        main.retain(|(_, topic)| folds.lists(*topic));
        let around: fn(&'s Stack, ResourceId) -> Option<Around<'s>> = match request.arrangement {
            Arrangement::Story | Arrangement::Module => around,
            Arrangement::Type => |stack, id| Some(Around::Type(stack.ty(id))),
            Arrangement::Flat | Arrangement::Action => |_, _| None,
        };
        let mut groups = grouped(stack, &main, around);
        if request.arrangement == Arrangement::Type {
            groups.sort_by(|one, other| natural(&one.label, &other.label));
        }
        for group in &mut groups {
            group.sums.sort_by_key(|(topic, _)| rank(*topic));
        }
        for topic in Topic::ALL {
            let mut group = Group::new(GroupKey::Topic(topic));
            let own = rest.iter().filter(|(_, other)| *other == topic);
            group.ids = own.map(|(id, _)| *id).collect();
            group.beside = topic.beside(stack);
            if let Some(only) = &request.only {
                let is_found =
                    |it: &ChangeId| matches!(it, ChangeId::Output(at) if only.outputs.contains(at));
                group.beside.retain(is_found);
            }
            if group.n_entries() > 0 {
                groups.push(group);
            }
        }
        let mut places = HashMap::new();
        for (at, group) in groups.iter().enumerate() {
            let own = group.ids.iter().enumerate();
            places.extend(own.map(|(index, id)| (*id, (at, index))));
        }
        let reviewed = groups.iter().filter(|it| it.is_reviewed());
        let mut arranged = Self {
            n_changes: reviewed.map(|group| group.ids.len()).sum(),
            groups,
            places: Some(places),
            n_seen: stack.len(),
            ..Self::default()
        };
        arranged.fold(folds);
        arranged
    }

    /// The sections, which have changes of one topic each.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Adds the changes of a stack from resource `from` on to the sections.
    pub fn extend(&mut self, stack: &Stack, from: usize) {
        for (id, topic) in topics(stack, stack.ids().skip(from)) {
            if let Some(section) = self.section(topic) {
                section.ids.push(id);
            }
            self.count_also(stack, id);
        }
        // The one that has been running longest comes first.
        if let Some(running) = self.section(Topic::Running) {
            let started = |id: &ResourceId| (stack.started.get(id).copied(), *id);
            running.ids.sort_by_key(started);
        }
    }

    /// Moves resources to the sections of their new topics.
    pub fn renew(&mut self, stack: &Stack, renewed: &[ResourceId]) {
        let topics = renewed.iter().map(|id| (*id, Topic::of(stack, *id)));
        let mut topics: Vec<_> = topics.collect();
        topics.sort_unstable_by_key(|(id, _)| *id);
        topics.dedup_by_key(|(id, _)| *id);
        for section in &mut self.groups {
            section.renew(&topics);
            for id in renewed {
                section.also.remove(id);
            }
        }
        for id in renewed {
            self.count_also(stack, *id);
        }
    }

    fn count_also(&mut self, stack: &Stack, id: ResourceId) {
        for topic in Topic::also(stack, id) {
            if let Some(section) = self.section(topic) {
                section.also.insert(id);
            }
        }
    }

    /// Lists what changes beside the resources of a stack in the sections.
    pub fn take_beside(&mut self, stack: &Stack) {
        for section in &mut self.groups {
            let beside = section.topic().map(|topic| topic.beside(stack));
            section.beside = beside.unwrap_or_default();
        }
    }

    fn section(&mut self, topic: Topic) -> Option<&mut Group> {
        let mut sections = self.groups.iter_mut();
        sections.find(|section| section.topic() == Some(topic))
    }

    /// The group of a change, and its index there.
    fn place(&self, id: ResourceId) -> Option<(usize, usize)> {
        if let Some(places) = &self.places {
            return places.get(&id).copied();
        }
        let mut sections = self.groups.iter().enumerate();
        sections.find_map(|(at, section)| Some((at, section.position(id)?)))
    }

    /// Opens and closes the groups.
    pub fn fold(&mut self, folds: &Folds) {
        for group in &mut self.groups {
            group.open = folds.is_open(&group.id);
        }
        self.count();
    }

    /// Counts the rows of each group.
    fn count(&mut self) {
        let extents = self.groups.iter().map(|group| Extent {
            n_own: group.n_headings(),
            n_inside: group.n_entries(),
            n_below: group.n_below,
            is_open: group.open,
        });
        self.rows = Groups::new(extents.collect());
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.rows.n_rows()
    }

    /// The row at a position.
    pub fn row(&self, position: usize) -> Option<ListRow> {
        let (at, offset) = self.rows.find(position)?;
        let group = self.groups.get(at)?;
        Some(match offset.checked_sub(group.n_headings()) {
            None => ListRow::Group(at),
            Some(index) => ListRow::Change(match index.checked_sub(group.ids.len()) {
                None => ChangeId::Resource(group.ids[index]),
                Some(beside) => *group.beside.get(beside)?,
            }),
        })
    }

    /// The row of a change, if it is listed.
    pub fn row_of(&self, id: ResourceId) -> Option<usize> {
        self.row_of_key(&ListKey::Change(id.into()))
    }

    /// Opens the groups around a change.
    pub fn open_around(&mut self, change: ChangeId, folds: &mut Folds) {
        let Some((inner, _)) = self.place_of(&ListKey::Change(change)) else {
            return;
        };
        for at in [inner].into_iter().chain(self.rows.around(inner)) {
            let group = &mut self.groups[at];
            if !group.open && group.topic() != Some(NOOP) {
                folds.set_open(&group.id, true);
                group.open = true;
            }
        }
        self.count();
    }

    /// The level of a group that folds. Unchanged resources stay listed or hidden at every level.
    pub fn level(&self, at: usize) -> Option<u16> {
        let group = &self.groups[at];
        let level = match group.topic() {
            Some(NOOP) => 0,
            Some(_) | None => u16::try_from(group.depth + 1).unwrap_or(u16::MAX),
        };
        (group.n_headings() > 0).then_some(level)
    }

    /// The rows of the groups.
    pub fn rows(&self) -> &Groups {
        &self.rows
    }

    /// The group of a row, and the number of rows of the group before it.
    fn place_of(&self, key: &ListKey) -> Option<(usize, usize)> {
        let mut groups = self.groups.iter().enumerate();
        let (at, index) = match key {
            ListKey::Group(id) => return Some((groups.position(|(_, it)| it.id == *id)?, 0)),
            ListKey::Change(ChangeId::Resource(id)) => self.place(*id)?,
            ListKey::Change(beside) => groups.find_map(|(at, group)| {
                let index = group.beside.iter().position(|it| it == beside)?;
                Some((at, group.ids.len() + index))
            })?,
        };
        Some((at, self.groups[at].n_headings() + index))
    }

    /// The row with this identity, if it is listed.
    pub fn row_of_key(&self, key: &ListKey) -> Option<usize> {
        let (at, offset) = self.place_of(key)?;
        match key {
            ListKey::Group(_) => self.rows.heading(at),
            ListKey::Change(_) => self.rows.row(at, offset),
        }
    }

    /// The row with this identity, or the innermost listed heading around it.
    pub fn nearest_row(&self, key: &ListKey) -> Option<usize> {
        let (at, offset) = self.place_of(key)?;
        self.rows.nearest(at, offset)
    }

    /// The identity of a row.
    pub fn key(&self, row: ListRow) -> ListKey {
        match row {
            ListRow::Change(id) => ListKey::Change(id),
            ListRow::Group(at) => ListKey::Group(self.groups[at].id.clone()),
        }
    }

    /// The first row from `from` on with a change to review that is not reviewed.
    pub fn unreviewed(&self, from: usize, reviewed: &BTreeSet<ChangeId>) -> Option<usize> {
        let (first, _) = self.rows.find(from)?;
        let mut groups = self.groups.iter().enumerate().skip(first);
        groups.find_map(|(at, group)| {
            if !group.is_reviewed() {
                return None;
            }
            let start = self.rows.row(at, group.n_headings())?;
            let skipped = from.saturating_sub(start);
            let mut changes = group.changes().skip(skipped);
            let index = changes.position(|id| !reviewed.contains(&id))?;
            Some(start + skipped + index)
        })
    }

    /// A change in a closed group that is not reviewed.
    pub fn unreviewed_in_closed(&self, reviewed: &BTreeSet<ChangeId>) -> Option<ResourceId> {
        let groups = self.groups.iter().filter(|group| group.topic().is_none());
        let mut ids = groups.flat_map(|group| &group.ids);
        ids.find(|id| !reviewed.contains(&ChangeId::Resource(**id)))
            .copied()
    }

    /// True if a change is in a group, which may be closed, and not in a section.
    pub fn groups_change(&self, id: ResourceId) -> bool {
        let place = self.place(id);
        place.is_some_and(|(at, _)| self.groups[at].topic().is_none())
    }

    /// True if a heading above a change names its module or component.
    pub fn names_module(&self, id: ResourceId) -> bool {
        let place = self.place(id);
        place.is_some_and(|(at, _)| matches!(self.groups[at].id, GroupKey::Around(_)))
    }
}

fn topics(
    stack: &Stack,
    ids: impl Iterator<Item = ResourceId>,
) -> impl Iterator<Item = (ResourceId, Topic)> {
    ids.filter_map(|id| Some((id, Topic::of(stack, id)?)))
}

fn rank(topic: Topic) -> usize {
    let all = Topic::ALL.iter();
    all.take_while(|other| **other != topic).count()
}

fn sort(stack: &Stack, order: Order, changes: &mut [(ResourceId, Topic)]) {
    let by_name = |one: ResourceId, other: ResourceId| -> Ordering {
        natural(own_name(stack, one), own_name(stack, other))
    };
    match order {
        Order::File => {}
        Order::Name => changes.sort_by(|one, other| by_name(one.0, other.0)),
        Order::Type => changes.sort_by(|one, other| {
            let types = stack.ty(one.0).cmp(stack.ty(other.0));
            types.then_with(|| by_name(one.0, other.0))
        }),
        Order::Danger => changes.sort_by_key(|(_, topic)| rank(*topic)),
    }
}

/// The module or the component around a resource; `None` at the top.
fn around(stack: &Stack, id: ResourceId) -> Option<Around<'_>> {
    let record = stack.record(id);
    if let Some(group) = record.group {
        return Some(Around::Module(group));
    }
    // A file may claim cycles of parents.
    let mut parent = record.parent;
    for _ in 0..MAX_DEPTH {
        let id = parent?;
        let record = stack.record(id);
        if record.flags.contains(Flags::STACK) {
            return None;
        }
        if record.flags.contains(Flags::COMPONENT) {
            return Some(Around::Component(id));
        }
        parent = record.parent;
    }
    None
}

impl<'s> Around<'s> {
    fn above(self, stack: &'s Stack) -> Option<Self> {
        match self {
            Self::Module(group) => stack.tables.group(group).parent.map(Self::Module),
            Self::Component(id) => around(stack, id),
            Self::Type(_) => None,
        }
    }

    /// It and those around it, the outermost first.
    fn path(self, stack: &'s Stack) -> Vec<Self> {
        let mut path = vec![self];
        while let Some(above) = path.last().and_then(|it| it.above(stack)) {
            // A file may claim cycles. The last one within the depth is at the top.
            if path.len() == usize::from(MAX_DEPTH) || path.contains(&above) {
                break;
            }
            path.push(above);
        }
        path.reverse();
        path
    }

    /// Its group. The heading of a module at the top has its whole path.
    fn group(self, stack: &Stack, depth: usize) -> Group {
        let (id, label) = match self {
            Self::Module(group) => {
                let group = stack.tables.group(group);
                let parent = group.parent.filter(|_| depth > 0);
                let parent = parent.map(|parent| &*stack.tables.group(parent).path);
                let own = parent.and_then(|it| group.path.strip_prefix(it)?.strip_prefix('.'));
                let label = shown(own.unwrap_or(&group.path));
                (GroupKey::Around((*group.path).to_owned()), label)
            }
            Self::Component(id) => {
                let label = shown(stack.short_name(id));
                (GroupKey::Around(stack.urn(id)), label)
            }
            Self::Type(ty) => (GroupKey::Type(ty.to_owned()), shown(ty)),
        };
        Group {
            label,
            depth,
            ..Group::new(id)
        }
    }
}

/// The changes in groups, each after the one around it, those in one in the order in which they first occur.
fn grouped<'s>(
    stack: &'s Stack,
    changes: &[(ResourceId, Topic)],
    around: fn(&'s Stack, ResourceId) -> Option<Around<'s>>,
) -> Vec<Group> {
    // Each group with the indices of those around it. The changes outside of all groups come first.
    let mut groups = vec![(Vec::new(), Group::new(GroupKey::Rest))];
    let mut known: HashMap<Option<Around<'s>>, usize> = HashMap::from([(None, 0)]);
    for (id, topic) in changes {
        let key = around(stack, *id);
        let at = known.get(&key).copied().unwrap_or_else(|| {
            let path = key.into_iter().flat_map(|key| key.path(stack));
            path.fold(0, |outer, key| {
                *known.entry(Some(key)).or_insert_with(|| {
                    let around = groups[outer].0.iter().copied().chain([outer]);
                    let around: Vec<usize> = around.filter(|at| *at > 0).collect();
                    for outer in &around {
                        groups[*outer].1.n_below += 1;
                    }
                    let group = key.group(stack, around.len());
                    groups.push((around, group));
                    groups.len() - 1
                })
            })
        });
        groups[at].1.ids.push(*id);
        for outer in groups[at].0.clone().into_iter().chain([at]) {
            groups[outer].1.add(*topic);
        }
    }
    let paths = groups.into_iter().enumerate();
    let mut paths: Vec<_> = paths
        .map(|(at, (around, group))| ([around, vec![at]].concat(), group))
        .collect();
    paths.sort_by(|(one, _), (other, _)| one.cmp(other));
    let groups = paths.into_iter().map(|(_, group)| group);
    groups
        .filter(|it| it.n_headings() + it.ids.len() > 0)
        .collect()
}
