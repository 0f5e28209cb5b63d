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

/// The property that the changes of a group share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Key {
    /// Nothing: they have no heading.
    Rest,
    Topic(Topic),
    Around(Around),
    /// A type, by a resource of it.
    Type(ResourceId),
}

/// A module, or a component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Around {
    Module(GroupId),
    Component(ResourceId),
}

const NOOP: Topic = Topic::Change(Action::Noop);

/// Sections that keep their own heading in every arrangement, because they may be closed.
const STARTS_CLOSED: [Topic; 3] = [NOOP, Topic::Drift, Topic::Change(Action::Move)];

/// A group of changes.
#[derive(Clone, Debug)]
pub struct Group {
    key: Key,
    pub(super) id: GroupKey,
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
    /// True if its rows are hidden at first.
    pub(super) starts_closed: bool,
    /// True if its rows are listed.
    pub open: bool,
}

impl Group {
    fn new(stack: &Stack, key: Key, label: String, depth: usize) -> Self {
        let name = match key {
            Key::Around(Around::Module(group)) => (*stack.tables.group(group).path).to_owned(),
            Key::Around(Around::Component(id)) => stack.urn(id),
            Key::Type(id) => stack.ty(id).to_owned(),
            Key::Rest | Key::Topic(_) => String::new(),
        };
        Self {
            label,
            depth,
            ..Self::of(key, GroupKey::Named(name))
        }
    }

    /// A section.
    fn of_topic(topic: Topic) -> Self {
        Self {
            starts_closed: topic.starts_closed(),
            ..Self::of(Key::Topic(topic), GroupKey::Topic(topic))
        }
    }

    fn of(key: Key, id: GroupKey) -> Self {
        Self {
            key,
            id,
            label: String::new(),
            depth: 0,
            ids: Vec::new(),
            beside: Vec::new(),
            also: BTreeSet::new(),
            n_below: 0,
            sums: Vec::new(),
            starts_closed: false,
            open: true,
        }
    }

    /// The topic, if the group is one.
    pub fn topic(&self) -> Option<Topic> {
        match self.id {
            GroupKey::Topic(topic) => Some(topic),
            GroupKey::Named(_) => None,
        }
    }

    /// True if the group is a module or a component.
    fn is_module(&self) -> bool {
        matches!(self.key, Key::Around(_))
    }

    /// A resource of the type, if the group is one.
    pub fn type_of(&self) -> Option<ResourceId> {
        if let Key::Type(id) = self.key {
            Some(id)
        } else {
            None
        }
    }

    /// Number of rows for its heading.
    fn n_headings(&self) -> usize {
        usize::from(match self.key {
            Key::Rest => false,
            // The heading of unchanged resources is hidden with them.
            Key::Topic(NOOP) => self.open && self.n_entries() > 0,
            Key::Topic(topic) => topic.is_group() && self.n_entries() > 0,
            Key::Around(_) | Key::Type(_) => true,
        })
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

    /// Adds a change to the group.
    fn push(&mut self, id: ResourceId, topic: Topic) {
        self.ids.push(id);
        self.add(topic);
    }

    /// Counts a change that is below the group.
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
            groups: Topic::ALL.map(Group::of_topic).into(),
            rows: Groups::default(),
            places: None,
            n_changes: 0,
            n_seen: 0,
        }
    }
}

impl Arranged {
    /// Arranges the changes of a stack.
    pub fn new(stack: &Stack, request: &Request) -> Self {
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
        let n_main = main.len();
        let mut groups = match request.arrangement {
            Arrangement::Action => Vec::new(),
            Arrangement::Story | Arrangement::Module => by_module(stack, &main),
            Arrangement::Type => by_type(stack, &main),
            Arrangement::Flat => {
                let mut all = Group::new(stack, Key::Rest, String::new(), 0);
                all.ids = main.iter().map(|(id, _)| *id).collect();
                vec![all]
            }
        };
        for group in &mut groups {
            group.sums.sort_by_key(|(topic, _)| rank(*topic));
        }
        let mut n_rest = 0;
        for topic in Topic::ALL {
            let mut group = Group::of_topic(topic);
            let own = rest.iter().filter(|(_, other)| *other == topic);
            group.ids = own.map(|(id, _)| *id).collect();
            group.beside = topic.beside(stack);
            if let Some(only) = &request.only {
                let is_found =
                    |it: &ChangeId| matches!(it, ChangeId::Output(at) if only.outputs.contains(at));
                group.beside.retain(is_found);
            }
            if topic.is_reviewed() {
                n_rest += group.ids.len();
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
        let mut arranged = Self {
            groups,
            places: Some(places),
            n_changes: n_main + n_rest,
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
            group.open = folds.is_open(group);
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
        let (at, index) = self.place(id)?;
        self.rows.row(at, self.groups[at].n_headings() + index)
    }

    /// Opens the groups around a change.
    pub fn open_around(&mut self, change: ChangeId, folds: &mut Folds) {
        let Some(inner) = self.group_of(&ListKey::Change(change)) else {
            return;
        };
        for at in [inner].into_iter().chain(self.rows.around(inner)) {
            let group = &mut self.groups[at];
            if !group.open && group.topic() != Some(NOOP) {
                folds.set_open(group, true);
                group.open = true;
            }
        }
        self.count();
    }

    /// Opens the groups of the outer `level` levels in the folds, and closes the other ones. Unchanged resources stay as they are.
    pub fn set_level(&self, level: u16, folds: &mut Folds) {
        let groups = self.groups.iter().filter(|it| it.topic() != Some(NOOP));
        for group in groups.filter(|it| it.n_headings() > 0) {
            folds.set_open(group, group.depth < usize::from(level));
        }
    }

    /// Opens a group and those below it in the folds.
    pub fn open_below(&self, at: usize, folds: &mut Folds) {
        let n_below = self.group(at).map_or(0, |group| group.n_below);
        for group in self.groups.iter().skip(at).take(1 + n_below) {
            folds.set_open(group, true);
        }
    }

    /// The row of the heading of a group, if it is listed.
    fn row_of_heading(&self, at: usize) -> Option<usize> {
        let has_heading = self.groups[at].n_headings() > 0;
        self.rows.row(at, 0).filter(|_| has_heading)
    }

    /// The group that holds a row's change, or the group of the row itself.
    fn group_of(&self, key: &ListKey) -> Option<usize> {
        let mut groups = self.groups.iter();
        match key {
            ListKey::Change(ChangeId::Resource(id)) => self.place(*id).map(|(at, _)| at),
            ListKey::Change(beside) => groups.position(|it| it.beside.contains(beside)),
            ListKey::Group(id) => groups.position(|it| it.id == *id),
        }
    }

    /// The row with this identity, if it is listed.
    pub fn row_of_key(&self, key: &ListKey) -> Option<usize> {
        match key {
            ListKey::Change(ChangeId::Resource(id)) => self.row_of(*id),
            ListKey::Group(_) => self.row_of_heading(self.group_of(key)?),
            ListKey::Change(beside) => {
                let at = self.group_of(key)?;
                let group = self.group(at)?;
                let index = group.beside.iter().position(|it| it == beside)?;
                let before = group.n_headings() + group.ids.len();
                self.rows.row(at, before + index)
            }
        }
    }

    /// The row of the innermost listed heading around a row, which may be folded away itself.
    pub fn heading_around(&self, key: &ListKey) -> Option<usize> {
        let inner = self.group_of(key)?;
        let is_heading = matches!(key, ListKey::Group(_));
        let own = Some(inner).filter(|_| !is_heading);
        let mut around = own.into_iter().chain(self.rows.around(inner));
        around.find_map(|at| self.row_of_heading(at))
    }

    /// The identity of a row.
    pub fn key(&self, row: ListRow) -> Option<ListKey> {
        Some(match row {
            ListRow::Change(id) => ListKey::Change(id),
            ListRow::Group(at) => ListKey::Group(self.group(at)?.id.clone()),
        })
    }

    /// The first row from `from` on with a change to review that is not reviewed.
    pub fn unreviewed(&self, from: usize, reviewed: &BTreeSet<ChangeId>) -> Option<usize> {
        let (first, _) = self.rows.find(from)?;
        let mut groups = self.groups.iter().enumerate().skip(first);
        groups.find_map(|(at, group)| {
            if !group.topic().is_none_or(Topic::is_reviewed) {
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
        place.is_some_and(|(at, _)| self.groups[at].is_module())
    }

    /// The group with this index.
    pub fn group(&self, at: usize) -> Option<&Group> {
        self.groups.get(at)
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

fn by_type(stack: &Stack, changes: &[(ResourceId, Topic)]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (id, topic) in changes {
        let ty = stack.ty(*id);
        let at = *known.entry(ty).or_insert_with(|| {
            let label = shown(ty);
            groups.push(Group::new(stack, Key::Type(*id), label, 0));
            groups.len() - 1
        });
        groups[at].ids.push(*id);
        groups[at].add(*topic);
    }
    groups.sort_by(|one, other| natural(&one.label, &other.label));
    groups
}

/// The module or the component around a resource; `None` at the top.
fn around(stack: &Stack, id: ResourceId) -> Option<Around> {
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

impl Around {
    fn above(self, stack: &Stack) -> Option<Self> {
        match self {
            Self::Module(group) => stack.tables.group(group).parent.map(Self::Module),
            Self::Component(id) => around(stack, id),
        }
    }

    /// It and those around it, the outermost first.
    fn path(self, stack: &Stack) -> Vec<Self> {
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

    /// The text of its heading. A module at the top has its whole path.
    fn label(self, stack: &Stack, depth: usize) -> String {
        let group = match self {
            Self::Module(group) => stack.tables.group(group),
            Self::Component(id) => return shown(stack.short_name(id)),
        };
        let parent = group.parent.filter(|_| depth > 0);
        let parent = parent.map(|parent| &*stack.tables.group(parent).path);
        let own = parent
            .and_then(|parent| group.path.strip_prefix(parent)?.strip_prefix('.'))
            .unwrap_or(&group.path);
        shown(own)
    }
}

/// The changes in a module or component, and the places of those in it, in the order in which they first occur.
#[derive(Default)]
struct Place {
    own: Vec<(ResourceId, Topic)>,
    below: Vec<(Around, usize)>,
}

fn by_module(stack: &Stack, changes: &[(ResourceId, Topic)]) -> Vec<Group> {
    // The first place is the top.
    let mut places = vec![Place::default()];
    let mut known: HashMap<Option<Around>, usize> = HashMap::from([(None, 0)]);
    for (id, topic) in changes {
        let key = around(stack, *id);
        let at = known.get(&key).copied().unwrap_or_else(|| {
            let path = key.into_iter().flat_map(|key| key.path(stack));
            path.fold(0, |outer, key| {
                *known.entry(Some(key)).or_insert_with(|| {
                    let at = places.len();
                    places.push(Place::default());
                    places[outer].below.push((key, at));
                    at
                })
            })
        });
        places[at].own.push((*id, *topic));
    }
    let mut groups = Vec::new();
    if !places[0].own.is_empty() {
        let mut top = Group::new(stack, Key::Rest, String::new(), 0);
        for (id, topic) in &places[0].own {
            top.push(*id, *topic);
        }
        groups.push(top);
    }
    let mut waiting: Vec<(Around, usize, usize)> = Vec::new();
    let below = |at: usize, depth: usize| {
        let below = places[at].below.iter().rev();
        below.map(move |(key, at)| (*key, *at, depth))
    };
    waiting.extend(below(0, 0));
    // Indexes of the groups around the current one.
    let mut open: Vec<usize> = Vec::new();
    while let Some((key, at, depth)) = waiting.pop() {
        open.truncate(depth);
        let label = key.label(stack, depth);
        let mut group = Group::new(stack, Key::Around(key), label, depth);
        for (id, topic) in &places[at].own {
            group.push(*id, *topic);
            for outer in &open {
                groups[*outer].add(*topic);
            }
        }
        for outer in &open {
            groups[*outer].n_below += 1;
        }
        open.push(groups.len());
        groups.push(group);
        waiting.extend(below(at, depth + 1));
    }
    groups
}
