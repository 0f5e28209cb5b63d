//! Arranging: the rows of the list in their order, below headings, filtered.
//!
//! A family is a stack with its older copies and versions. Plans come directly after the only state of their folder.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::cells::{self, Column, N_COLUMNS, badges};
use super::{FleetHits, Folds, Key, OPEN_IF_AT_MOST, StackRow, Totals};
use crate::load::fleet::{StackSummary, Version};
use crate::load::folder::Role as FileRole;
use crate::tree::natural;
use crate::tui::outline::{Extent, Groups};
use crate::tui::rows::shown;
use crate::tui::widgets::pen::width_of;
use crate::tui::widgets::text::width;

/// Number of rows up to which headings are open from the start.
const OPEN_HEADINGS: usize = 200;

/// Maximum depth of headings. The folders below are part of the names.
const MAX_DEPTH: usize = 12;

/// The order of the stacks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
    /// The latest change first.
    #[default]
    Changed,
    /// By name.
    Name,
    /// The most resources first.
    Resources,
    /// Broken ones first, then the most problems.
    Problems,
    /// The largest first.
    Size,
}

impl Order {
    /// All orders, as a key goes through them.
    const ALL: [Self; 5] = [
        Self::Changed,
        Self::Name,
        Self::Resources,
        Self::Problems,
        Self::Size,
    ];

    /// The next order.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// Its name: `sorted by name`.
    pub fn name(self) -> &'static str {
        ["last change", "name", "resources", "problems", "size"][self as usize]
    }

    /// The column by which it sorts; `None` for the names.
    pub fn column(self) -> Option<Column> {
        match self {
            Self::Changed => Some(Column::Changed),
            Self::Name => None,
            Self::Resources => Some(Column::Facts),
            Self::Problems => Some(Column::Problems),
            Self::Size => Some(Column::Size),
        }
    }

    /// The order while the stacks are read. It needs nothing that only their contents say, so that rows keep their places.
    #[must_use]
    pub fn until_read(self) -> Self {
        match self {
            Self::Changed | Self::Resources | Self::Problems => Self::Changed,
            Self::Name | Self::Size => self,
        }
    }
}

/// The headings of the list.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Arrangement {
    /// None: one list.
    #[default]
    List,
    /// The folders.
    Folders,
    /// The projects.
    Projects,
}

impl Arrangement {
    /// The next arrangement.
    #[must_use]
    pub fn next(self) -> Self {
        [Self::Folders, Self::Projects, Self::List][self as usize]
    }

    /// Its name: `arranged by folder`.
    pub fn name(self) -> &'static str {
        ["one list", "by folder", "by project"][self as usize]
    }
}

/// A request to arrange the list.
#[derive(Debug)]
pub struct Request {
    /// The members.
    pub rows: Arc<Vec<Arc<StackRow>>>,
    /// The hits of the query.
    pub hits: Arc<FleetHits>,
    /// The typed text. Names and kinds that contain all of its words match.
    pub filter: String,
    /// The order.
    pub order: Order,
    /// The headings.
    pub arrangement: Arrangement,
    /// The time, in seconds since 1970.
    pub now: u64,
    /// True if all members are read. Before that contents move no row, and the times of the files sort them.
    pub is_read: bool,
}

/// A heading or a stack, with the rows below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// Its identity.
    pub key: Key,
    /// Its name on the screen.
    pub label: String,
    /// The numbers of everything below, and its own.
    pub totals: Totals,
    /// Number of lines for its hits, which come before its children.
    pub n_hits: usize,
    /// Number of branches around it.
    pub depth: usize,
    /// True if it opens and closes.
    pub is_foldable: bool,
    /// True if it is open until somebody closes it.
    pub(super) starts_open: bool,
    children: Vec<Self>,
}

impl Branch {
    fn new(key: Key, label: String, totals: Totals, children: Vec<Self>) -> Self {
        Self {
            key,
            label,
            totals,
            n_hits: 0,
            depth: 0,
            is_foldable: false,
            starts_open: false,
            children,
        }
    }
}

/// The arranged list.
#[derive(Clone, Default, Debug)]
pub struct Arranged {
    /// The headings and stacks, parents before children.
    pub branches: Vec<Branch>,
    /// Their lines: each has one, and one for each hit inside.
    pub groups: Groups,
    /// The index of each heading and stack.
    pub of_key: HashMap<Key, usize>,
    /// The widths that the columns need; 0 for columns without a text.
    pub widths: [usize; N_COLUMNS],
    /// The width that the names need, with their indents.
    pub name_width: usize,
    /// True if a row opens and closes.
    pub has_folds: bool,
    /// The numbers of all members.
    pub totals: Totals,
    /// The first row whose name matches the filter.
    pub match_by_name: Option<usize>,
    /// Number of rows whose names match the filter.
    pub n_by_name: usize,
}

/// The rows that stay together, after the headings above them.
type Unit = (String, Vec<Branch>);

/// A stack with its copies, and the plans beside it.
struct Family {
    head: usize,
    copies: Vec<usize>,
    plans: Vec<Family>,
}

impl Arranged {
    /// Arranges the rows.
    pub fn new(request: &Request) -> Self {
        let listed = Listing::new(request);
        let families = listed.families();
        let units = families.iter();
        let units = units.map(|family| (listed.way(family.head), listed.branches(family)));
        let mut arranged = Self::default();
        for row in request.rows.iter() {
            arranged.totals.add(&Totals::of(row));
        }
        let mut extents = Vec::new();
        for branch in below_headings("", units.collect(), 0, request.order) {
            arranged.add(&listed, branch, 0, &mut extents);
        }
        arranged.groups = Groups::new(extents);
        arranged
    }

    /// Opens and closes the rows as a person wants them.
    pub fn fold(&mut self, folds: &Folds) {
        let all = 0..self.branches.len();
        let (open, closed): (Vec<_>, Vec<_>) =
            all.partition(|at| folds.is_open(&self.branches[*at]));
        self.groups.set_open(open, true);
        self.groups.set_open(closed, false);
    }

    /// The heading or stack on a line.
    pub fn at(&self, line: usize) -> Option<ListLine<'_>> {
        let (at, offset) = self.groups.find(line)?;
        Some(ListLine {
            at,
            branch: &self.branches[at],
            hit: offset.checked_sub(1),
        })
    }

    /// Adds a branch with those below it, and measures it.
    fn add(
        &mut self,
        listed: &Listing<'_>,
        mut branch: Branch,
        depth: usize,
        extents: &mut Vec<Extent>,
    ) {
        let at = extents.len();
        let children = std::mem::take(&mut branch.children);
        let n_all = listed.request.rows.len();
        branch.starts_open = match &branch.key {
            Key::Heading(_) => depth == 0 || listed.is_filtered || n_all <= OPEN_HEADINGS,
            Key::Row(_) => {
                let has_versions = children.iter().any(|it| listed.is_version(it));
                branch.n_hits > 0 || n_all <= OPEN_IF_AT_MOST && !has_versions
            }
        };
        extents.push(Extent {
            n_own: 1,
            n_inside: branch.n_hits,
            n_below: 0,
            is_open: branch.starts_open,
        });
        branch.depth = depth;
        branch.is_foldable = branch.n_hits > 0 || !children.is_empty();
        self.has_folds |= branch.is_foldable;
        self.measure(listed, &branch);
        self.of_key.insert(branch.key.clone(), at);
        self.branches.push(branch);
        for child in children {
            self.add(listed, child, depth + 1, extents);
        }
        extents[at].n_below = extents.len() - at - 1;
    }

    /// Makes room for a branch.
    fn measure(&mut self, listed: &Listing<'_>, branch: &Branch) {
        let mut name_width = 2 * branch.depth + width(&branch.label);
        let now = listed.request.now;
        let cells = match &branch.key {
            Key::Row(row) => {
                name_width += width_of(&badges(listed.row(*row)));
                if listed.is_match(*row) {
                    self.match_by_name.get_or_insert(*row);
                    self.n_by_name += 1;
                }
                cells::cells(listed.row(*row), now)
            }
            Key::Heading(_) => branch.totals.cells(now),
        };
        self.name_width = self.name_width.max(name_width);
        let cells = cells.iter().zip(Column::ALL);
        for (width, (cell, column)) in self.widths.iter_mut().zip(cells) {
            *width = (*width).max(width_of(cell)).min(column.max_width());
        }
    }
}

/// A line of the list.
#[derive(Clone, Copy, Debug)]
pub struct ListLine<'a> {
    /// The index of its heading or stack.
    pub at: usize,
    /// The heading or stack.
    pub branch: &'a Branch,
    /// The hit on the line, if it is not the line of the heading or stack itself.
    pub hit: Option<usize>,
}

/// The rows that the filter lists.
struct Listing<'r> {
    request: &'r Request,
    is_filtered: bool,
    words: Vec<String>,
    rows: Vec<usize>,
}

impl<'r> Listing<'r> {
    fn new(request: &'r Request) -> Self {
        let typed = request.filter.to_lowercase();
        let words: Vec<_> = typed.split_whitespace().map(str::to_owned).collect();
        let mut listing = Self {
            request,
            is_filtered: !words.is_empty(),
            words,
            rows: Vec::new(),
        };
        let rows = (0..request.rows.len()).filter(|row| {
            let place = &listing.row(*row).member.place;
            !listing.is_filtered || listing.is_match(*row) || request.hits.contains_key(place)
        });
        listing.rows = rows.collect();
        listing
    }

    fn row(&self, row: usize) -> &'r StackRow {
        &self.request.rows[row]
    }

    /// The contents of a row, once all rows are read.
    fn summary(&self, row: usize) -> Option<&'r StackSummary> {
        self.row(row).summary().filter(|_| self.request.is_read)
    }

    /// True if the name, the path or the kind of a row contains all typed words.
    fn is_match(&self, row: usize) -> bool {
        if !self.is_filtered {
            return false;
        }
        let row = self.row(row);
        let kind = cells::cells(row, self.request.now);
        let kind: String = kind[..2].iter().flatten().map(|it| &*it.text).collect();
        let text = format!("{}\n{}\n{kind}", row.member.name, row.member.place);
        let text = text.to_lowercase();
        self.words.iter().all(|word| text.contains(word.as_str()))
    }

    /// The listed rows by family.
    fn families(&self) -> Vec<Family> {
        let mut by_key: HashMap<&str, usize> = HashMap::new();
        let mut families: Vec<Family> = Vec::new();
        // A state that could not be written is beside the stack, and never in its place.
        let is_errored = |row: &&usize| self.row(**row).member.role == FileRole::Errored;
        let (errored, others): (Vec<&usize>, Vec<&usize>) = self.rows.iter().partition(is_errored);
        for row in others.into_iter().chain(errored) {
            let at = *by_key
                .entry(&self.row(*row).family)
                .or_insert(families.len());
            match families.get_mut(at) {
                Some(family) if self.is_copy(*row) => family.copies.push(*row),
                Some(family) if self.is_copy(family.head) => {
                    let before = std::mem::replace(&mut family.head, *row);
                    family.copies.push(before);
                }
                Some(_) | None => families.push(Family {
                    head: *row,
                    copies: Vec::new(),
                    plans: Vec::new(),
                }),
            }
        }
        self.with_plans(families)
    }

    /// The families, with plans in those of the only state of their folder.
    fn with_plans(&self, families: Vec<Family>) -> Vec<Family> {
        let (plans, mut states): (Vec<_>, Vec<_>) = families
            .into_iter()
            .partition(|family| self.is_plan(family.head));
        let mut of_folder: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, state) in states.iter().enumerate() {
            let folder = self.folder(state.head);
            of_folder.entry(folder).or_default().push(at);
        }
        for plan in plans {
            let of_folder = of_folder.get(&self.folder(plan.head));
            match of_folder.map(Vec::as_slice) {
                Some([only]) => states[*only].plans.push(plan),
                Some(_) | None => states.push(plan),
            }
        }
        states
    }

    fn is_copy(&self, row: usize) -> bool {
        self.row(row).member.role.is_older_copy()
    }

    /// The version of a state among several of its stack.
    fn version(&self, branch: &Branch) -> Option<&'r Version> {
        match branch.key {
            Key::Row(row) => self.row(row).member.version.as_ref(),
            Key::Heading(_) => None,
        }
    }

    /// True for an older version with a name of its own: tools make no such files by themselves, and there may be many.
    fn is_version(&self, branch: &Branch) -> bool {
        self.version(branch).is_some_and(|it| it.is_older)
    }

    fn is_plan(&self, row: usize) -> bool {
        let by_contents = self.summary(row).map(|summary| summary.kind.has_changes());
        by_contents.unwrap_or(self.row(row).member.role == FileRole::Plan)
    }

    /// The folder of a row.
    fn folder(&self, row: usize) -> String {
        let place = self.row(row).member.place.to_string();
        let folder = place.rsplit_once(['/', '\\']);
        folder.map_or_else(String::new, |(folder, _)| folder.to_owned())
    }

    /// The headings above a row, joined by `/`.
    fn way(&self, row: usize) -> String {
        match self.request.arrangement {
            Arrangement::List => String::new(),
            Arrangement::Folders => split(&self.row(row).member.name).0.to_owned(),
            Arrangement::Projects => {
                let project = self.summary(row).map(|summary| summary.project.clone());
                let project = project.filter(|it| !it.is_empty());
                // A slash would make two headings.
                let project = project.map(|it| it.replace('/', "∕"));
                project.unwrap_or_else(|| "project not known".to_owned())
            }
        }
    }

    /// The rows of a family: the stack with its copies, then its plans.
    fn branches(&self, family: &Family) -> Vec<Branch> {
        let copies = family.copies.iter();
        let copies = copies.map(|row| vec![self.leaf(*row, family)]);
        let mut copies = in_order(copies.collect(), Order::Changed);
        copies.sort_by_key(|copy| Reverse(self.version(copy).map(|it| it.recorded.serial)));
        let mut head = self.leaf(family.head, family);
        head.children = copies;
        let plans = family.plans.iter().map(|plan| self.branches(plan));
        let plans = in_order(plans.collect(), self.request.order);
        [vec![head], plans].concat()
    }

    fn leaf(&self, row: usize, family: &Family) -> Branch {
        let member = &self.row(row).member;
        let name = if row != family.head {
            member.file_name()
        } else if self.request.arrangement == Arrangement::Folders {
            split(&member.name).1.to_owned()
        } else {
            member.name.clone()
        };
        let mut totals = Totals::of(self.row(row));
        totals.sorted_by = if self.request.is_read {
            totals.changed
        } else {
            member.modified
        };
        let mut leaf = Branch::new(Key::Row(row), shown(&name), totals, Vec::new());
        let hits = self.request.hits.get(&member.place);
        leaf.n_hits = hits.map_or(0, |hits| hits.n_lines());
        leaf
    }
}

/// The folder in a name, and the rest of the name.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

/// Puts units in order. A unit stays together, and its first row and the latest change of all decide.
fn in_order(mut units: Vec<Vec<Branch>>, order: Order) -> Vec<Branch> {
    let rank = |unit: &[Branch]| {
        let sorted_by = unit.iter().map(|branch| branch.totals.sorted_by).max();
        let totals = Totals {
            sorted_by: sorted_by.flatten(),
            ..unit[0].totals
        };
        totals.rank(order)
    };
    units.sort_by(|one, other| {
        let by_rank = rank(other).cmp(&rank(one));
        by_rank.then_with(|| natural(&one[0].label, &other[0].label))
    });
    units.into_iter().flatten().collect()
}

/// Puts the units below their headings. A heading with one heading below it, and nothing else, is one line with it.
fn below_headings(path: &str, units: Vec<Unit>, depth: usize, order: Order) -> Vec<Branch> {
    let mut own = Vec::new();
    let mut below: BTreeMap<String, Vec<Unit>> = BTreeMap::new();
    for (way, unit) in units {
        if way.is_empty() {
            own.push(unit);
            continue;
        }
        let (first, rest) = match way.split_once('/') {
            Some((first, rest)) if depth < MAX_DEPTH => (first.to_owned(), rest.to_owned()),
            Some(_) | None => (way, String::new()),
        };
        below.entry(first).or_default().push((rest, unit));
    }
    for (name, units) in below {
        let own_path = format!("{path}/{name}");
        let mut children = below_headings(&own_path, units, depth + 1, order);
        let is_chain = matches!(&children[..], [only] if matches!(only.key, Key::Heading(_)));
        if is_chain && let Some(mut only) = children.pop() {
            only.label = format!("{}/{}", shown(&name), only.label);
            own.push(vec![only]);
            continue;
        }
        let mut totals = Totals::default();
        // A mere twin counts elsewhere.
        for child in children.iter().filter(|child| child.totals.n_stacks > 0) {
            totals.add(&child.totals);
        }
        let key = Key::Heading(own_path);
        own.push(vec![Branch::new(key, shown(&name), totals, children)]);
    }
    in_order(own, order)
}
