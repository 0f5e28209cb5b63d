//! The Stacks view: states, plans and copies below some places, to open one, to compare two, or to search all. It outlives files.
//!
//! The names come first. Then each file is read, and its row says what it contains. A job puts the rows in order
//! ([`Arranged`]); until its answer the old order stays. A query filters the names at once and searches the contents of all
//! stacks; hits come below their stack as they are found.

mod draw;
mod finding;
mod walking;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use self::finding::Finding;
use self::walking::Walking;
use super::{Ctx, NextFile, ViewState, Views};
use crate::load::Input;
use crate::load::fleet::{Copies, Ended, Fleet, Place, Roots};
use crate::stack::graph::Direction;
use crate::tui::any_job::AnyJob;
use crate::tui::command::{
    Command, DepsCommand, FoldCommand, FoldStep, ListCommand, MarkCommand, SearchCommand,
};
use crate::tui::effect::Effect;
use crate::tui::jobs::Ticket;
use crate::tui::jobs::stacks::{ArrangeStacks, FoundStacks, ListStacks, Listing};
use crate::tui::layout::Pane;
use crate::tui::outline::{Laid, Strip};
use crate::tui::overlays::Outcome;
use crate::tui::overlays::stack_search::StackSearch;
use crate::tui::row_key::RowKey;
use crate::tui::rows::shown;
use crate::tui::stacks::{Arranged, Arrangement, Contents, Folds, Key, Order, Request, StackRow};
use crate::tui::widgets::cursor::{Cursor, Page};

/// The list of many stacks.
#[derive(Default, Debug)]
pub struct StacksView {
    /// The places, and the options of their files. `None` until somebody wants a list.
    fleet: Option<Fleet>,
    /// The jobs about the files, which end with the list.
    ticket: Ticket,
    work: Work,
    /// The members, in the order in which they were found.
    rows: Arc<Vec<Arc<StackRow>>>,
    by_place: HashMap<Place, usize>,
    /// The things that are no members, once all are read.
    ended: Option<Ended>,
    /// The time of the list, in seconds since 1970.
    now: u64,
    order: Order,
    arrangement: Arrangement,
    folds: Folds,
    /// The rows as they are shown.
    arranged: Arranged,
    /// The selected line.
    cursor: Cursor,
    /// True if the line is to stay selected. Otherwise the cursor is on the first row, or on the first hit.
    has_chosen: bool,
    /// The stack to select as soon as it is listed, unless the person chooses another line before.
    wanted: Option<Place>,
    /// Up to two files marked for comparison, in the order of marking.
    marked: Vec<Place>,
    /// The typed words or query.
    filter: String,
    finding: Finding,
    walking: Walking,
}

/// The state of the jobs that list and arrange the members.
#[derive(Default, Debug)]
struct Work {
    /// True once the job that lists them was started.
    is_listed: bool,
    /// True while a job arranges the rows.
    is_arranging: bool,
    /// True if something changed since that job began.
    is_outdated: bool,
}

/// The subject of a line: a heading or a stack, and a hit in it. It outlives every arrangement.
type Subject = (Key, Option<usize>);

impl StacksView {
    /// The list of these places. `like` has the options of every file. The one that is open is to be selected.
    pub fn of(roots: Roots, like: Input, open: Option<Place>) -> Self {
        Self {
            fleet: Some(Fleet {
                roots,
                like,
                copies: Copies::Leave,
            }),
            wanted: open,
            ..Self::default()
        }
    }

    /// The places; `None` if no list was made.
    pub fn roots(&self) -> Option<&Roots> {
        self.fleet.as_ref().map(|fleet| &fleet.roots)
    }

    /// Takes a part of the list.
    pub fn take(&mut self, listing: Listing) {
        match listing {
            Listing::Found(rows, now) => {
                self.now = now;
                for row in rows {
                    self.put(row);
                }
            }
            Listing::Ended(ended) => {
                self.ended = Some(ended);
                // They were there when the names were listed.
                let rows = Arc::make_mut(&mut self.rows);
                for row in rows
                    .iter_mut()
                    .filter(|row| row.contents == Contents::Unread)
                {
                    let gone = "it is gone since it was listed".to_owned();
                    Arc::make_mut(row).contents = Contents::Failed(gone);
                }
            }
        }
        self.work.is_outdated = true;
    }

    /// Adds a member, or replaces what is known about it.
    fn put(&mut self, row: StackRow) {
        let rows = Arc::make_mut(&mut self.rows);
        let place = row.member.place.clone();
        let at = *self.by_place.entry(place).or_insert(rows.len());
        match rows.get_mut(at) {
            Some(known) => *known = Arc::new(row),
            None => rows.push(Arc::new(row)),
        }
    }

    /// The start of the next job that the list needs.
    pub fn next_job(&mut self) -> Option<Effect> {
        let fleet = self.fleet.as_ref()?;
        let work = &mut self.work;
        let job: Box<dyn AnyJob> = if !std::mem::replace(&mut work.is_listed, true) {
            Box::new(ListStacks(fleet.clone()))
        } else if work.is_outdated && !work.is_arranging {
            work.is_arranging = true;
            work.is_outdated = false;
            Box::new(ArrangeStacks(Request {
                rows: Arc::clone(&self.rows),
                hits: Arc::clone(&self.finding.hits),
                filter: self.filter.clone(),
                order: self.shown_order(),
                arrangement: self.arrangement,
                now: self.now,
                is_read: self.ended.is_some(),
            }))
        } else if let Some(search) = self.finding.next_search(fleet) {
            return Some(search);
        } else if self.ended.is_some() {
            self.walking.next_job(fleet)?
        } else {
            return None;
        };
        Some(Effect::Start(self.ticket.flag(), job))
    }

    /// Takes the arranged rows.
    pub fn take_arranged(&mut self, arranged: Arranged, ctx: &Ctx<'_>) {
        self.work.is_arranging = false;
        self.rearrange(ctx, |it| it.arranged = arranged);
    }

    /// Changes the rows or their folds. The cursor stays on its line, at its height on the screen.
    fn rearrange(&mut self, ctx: &Ctx<'_>, change: impl FnOnce(&mut Self)) {
        let before = self.subject(self.cursor.row);
        let n_above = self.cursor.line_on_screen(self.page(ctx));
        change(self);
        self.arranged.fold(&self.folds);
        let kept = before.filter(|_| self.has_chosen);
        let kept = kept.or_else(|| self.first());
        let line = kept.and_then(|kept| self.line_of(&kept)).unwrap_or(0);
        self.cursor.put(line, n_above, self.page(ctx));
        if let Some(wanted) = self.wanted.take() {
            self.reveal(wanted, ctx);
        }
    }

    /// Takes hits in some stacks.
    pub fn take_hits(&mut self, found: FoundStacks) {
        self.work.is_outdated |= self.finding.take(found);
    }

    /// Takes the end of a job that failed.
    pub fn forget_arranging(&mut self) {
        self.work.is_arranging = false;
    }

    /// The line to show as long as the person chose none: what the filter found.
    fn first(&self) -> Option<Subject> {
        if self.filter.is_empty() {
            return None;
        }
        let by_name = self.arranged.match_by_name;
        let by_name = by_name.map(|row| (Key::Row(row), None));
        let mut lines = (0..self.n_lines()).map_while(|line| self.subject(line));
        by_name.or_else(|| lines.find(|(_, hit)| hit.is_some()))
    }

    fn subject(&self, line: usize) -> Option<Subject> {
        let place = self.arranged.at(line)?;
        Some((place.branch.key.clone(), place.hit))
    }

    /// The line of a row, or of the nearest one around it that is shown.
    fn line_of(&self, (key, hit): &Subject) -> Option<usize> {
        let at = *self.arranged.of_key.get(key)?;
        let groups = &self.arranged.groups;
        let mut around = [at].into_iter().chain(groups.around(at));
        let line = groups.row(at, hit.map_or(0, |hit| 1 + hit));
        line.or_else(|| around.find_map(|at| groups.row(at, 0)))
    }

    /// The member of the selected line, and the hit.
    fn member(&self) -> Option<(&StackRow, Option<usize>)> {
        let place = self.arranged.at(self.cursor.row)?;
        match place.branch.key {
            Key::Row(row) => Some((self.rows.get(row)?, place.hit)),
            Key::Heading(_) => None,
        }
    }

    /// The name of the stack at a place.
    pub fn name(&self, place: &Place) -> Option<String> {
        self.row(place).map(|row| row.member.name.clone())
    }

    fn row(&self, place: &Place) -> Option<&StackRow> {
        let row = self.by_place.get(place)?;
        self.rows.get(*row).map(|row| &**row)
    }

    /// Number of lines.
    pub fn n_lines(&self) -> usize {
        self.arranged.groups.n_rows()
    }

    /// Filters by a text, and searches for it. Without a text the selected stack stays selected.
    pub fn search(&mut self, text: String) {
        self.has_chosen = text.is_empty();
        self.finding.ask(&text);
        self.filter = text;
        self.work.is_outdated = true;
    }

    /// Marks the selected file for comparison, or removes its mark. A third mark removes the first one.
    fn mark(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let Some((row, _)) = self.member() else {
            return Outcome::Nothing;
        };
        let place = row.member.place.clone();
        if let Some(at) = self.marked.iter().position(|marked| *marked == place) {
            self.marked.remove(at);
        } else {
            let other = self.marked.last().and_then(|other| self.row(other));
            if let Some(why) = other.and_then(|other| unread(&[other, row])) {
                return Outcome::Complain(why);
            }
            self.marked.push(place);
            let n_over = self.marked.len().saturating_sub(2);
            self.marked.drain(..n_over);
        }
        self.cursor.step(1, self.page(ctx));
        Outcome::Done
    }

    /// The two marked files, the older one first, and the reason for their order; `None` if there are no two.
    fn pair(&self) -> Option<([&StackRow; 2], &'static str)> {
        let [first, second] = &self.marked[..] else {
            return None;
        };
        let (first, second) = (self.row(first)?, self.row(second)?);
        let versions = (&first.member.version, &second.member.version);
        let by_serial = match versions {
            (Some(first), Some(second)) => first.order(second),
            (None, _) | (_, None) => None,
        };
        let is_copy = |row: &StackRow| row.member.role.is_older_copy();
        let reasons = [
            (
                by_serial.unwrap_or(Ordering::Equal),
                "older first, by serial",
            ),
            (
                first.changed().cmp(&second.changed()),
                "older first, by last change",
            ),
            // A copy is older than its original, even if both were written at once.
            (is_copy(second).cmp(&is_copy(first)), "the copy first"),
        ];
        let mut reasons = reasons.into_iter();
        Some(match reasons.find(|(order, _)| order.is_ne()) {
            Some((Ordering::Greater, why)) => ([second, first], why),
            Some((_, why)) => ([first, second], why),
            None => ([first, second], "as they were marked"),
        })
    }

    /// The word for Enter.
    pub fn enter_word(&self) -> &'static str {
        match self.pair() {
            Some(_) => "compare",
            None => "open",
        }
    }

    /// Opens the difference of the two marked files, else the selected file, at the selected hit.
    fn open_chosen(&mut self, ctx: &Ctx<'_>) -> Outcome {
        if let Some((pair, _)) = self.pair() {
            let places = pair.map(|row| row.member.place.clone());
            return match unread(&pair).or_else(|| unlike(&pair)) {
                Some(why) => Outcome::Complain(why),
                None => Outcome::OpenStacks(places.to_vec(), None),
            };
        }
        let Some((row, hit)) = self.member() else {
            if self.n_lines() == 0 && self.finding.is_running {
                return Outcome::Say("still searching all stacks".to_owned());
            }
            return self.fold(FoldCommand::Toggle, ctx);
        };
        let hits = self.finding.hits.get(&row.member.place).zip(hit);
        let hit = hits.and_then(|(it, hit)| it.hits.get(hit));
        let aim = hit.map(|hit| hit.aim.clone());
        Outcome::OpenStacks(vec![row.member.place.clone()], aim)
    }

    /// Opens or closes branches, and remembers it for later arrangements.
    fn choose_open(&mut self, branches: Vec<usize>, is_open: bool) {
        for at in &branches {
            let key = self.arranged.branches[*at].key.clone();
            self.folds.changed.insert(key, is_open);
        }
        self.arranged.groups.set_open(branches, is_open);
    }

    /// True for an open branch; `None` for one that does not fold.
    fn is_open(&self, at: usize) -> Option<bool> {
        let is_foldable = self.arranged.branches[at].is_foldable;
        is_foldable.then(|| self.arranged.groups.is_open(at))
    }

    /// Opens this many levels, and closes the rest.
    fn open_levels(&mut self, level: u16, ctx: &Ctx<'_>) -> Outcome {
        let branches = self.arranged.branches.iter().enumerate();
        let mut folded = branches.filter_map(|(at, it)| Some((it.depth, self.is_open(at)?)));
        if folded.all(|(depth, is_open)| is_open == (depth < usize::from(level))) {
            return Outcome::Nothing;
        }
        self.rearrange(ctx, |it| {
            it.folds = Folds {
                level: Some(level),
                changed: HashMap::new(),
            };
        });
        Outcome::Done
    }

    /// The order of the rows. While they are read it may be another one than the chosen one.
    fn shown_order(&self) -> Order {
        match &self.ended {
            Some(_) => self.order,
            None => self.order.until_read(),
        }
    }

    /// The branch around the selected line.
    fn around(&self) -> Option<usize> {
        let place = self.arranged.at(self.cursor.row)?;
        let mut around = self.arranged.groups.around(place.at);
        place.hit.map(|_| place.at).or_else(|| around.next())
    }

    /// Goes to the line of a branch.
    fn go_to_branch(&mut self, at: usize, ctx: &Ctx<'_>) {
        let line = self.arranged.groups.row(at, 0);
        self.cursor.go(line.unwrap_or(0), self.page(ctx));
    }

    /// The titles of the columns, the rows, and the lines about the selected one.
    fn parts(&self, pane: Pane) -> [Rect; 3] {
        let heights = [
            Constraint::Length(u16::from(pane.inner.height >= MIN_FOR_TITLES)),
            Constraint::Min(0),
            Constraint::Length(self.n_edge_lines(pane.inner)),
        ];
        Layout::vertical(heights).areas(pane.inner)
    }

    fn page(&self, ctx: &Ctx<'_>) -> Page<'static> {
        let [_, rows, _] = self.parts(ctx.screen.panes[0]);
        Page::flat(self.n_lines(), usize::from(rows.height))
    }
}

impl ViewState for StacksView {
    fn fold(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        let Some(place) = self.arranged.at(self.cursor.row) else {
            return Outcome::Nothing;
        };
        let (at, is_hit) = (place.at, place.hit.is_some());
        let is_open = if is_hit { None } else { self.is_open(at) };
        match (command.on(is_open), self.around()) {
            _ if command == FoldCommand::Activate => return self.open_chosen(ctx),
            (FoldStep::Level(level), _) => return self.open_levels(level, ctx),
            (FoldStep::Toggle, _) => self.choose_open(vec![at], is_open == Some(false)),
            (FoldStep::Into, _) => self.cursor.step(1, self.page(ctx)),
            (FoldStep::Out, Some(around)) => self.go_to_branch(around, ctx),
            (FoldStep::OutAndClose, Some(around)) => {
                self.choose_open(vec![around], false);
                self.go_to_branch(around, ctx);
            }
            (FoldStep::Below, _) => {
                let below = [at].into_iter().chain(self.arranged.groups.below(at));
                let closed = below.filter(|at| self.is_open(*at) == Some(false));
                let closed: Vec<usize> = closed.collect();
                if closed.is_empty() {
                    return Outcome::Nothing;
                }
                self.choose_open(closed, true);
            }
            (FoldStep::Out | FoldStep::OutAndClose | FoldStep::Enter | FoldStep::Nothing, _) => {
                return Outcome::Nothing;
            }
        }
        Outcome::Done
    }

    fn arrange(&mut self, command: ListCommand, _ctx: &Ctx<'_>) -> Outcome {
        let said = match command {
            ListCommand::Sort => {
                self.order = self.order.next();
                let name = self.order.name();
                if self.shown_order() == self.order {
                    format!("sorted by {name}")
                } else {
                    format!("sorted by {name} once all are read")
                }
            }
            ListCommand::Arrange => {
                self.arrangement = self.arrangement.next();
                format!("arranged: {}", self.arrangement.name())
            }
            ListCommand::Noise => return Outcome::Nothing,
        };
        self.work.is_outdated = true;
        Outcome::Say(said)
    }

    fn has_own(&self, command: Command) -> bool {
        matches!(
            command,
            Command::Search(SearchCommand::Open | SearchCommand::Filter)
                | Command::Mark(MarkCommand::Selected)
                | Command::Deps(DepsCommand::DependsOn | DepsCommand::UsedBy)
                | Command::Reload
                | Command::Cancel
        )
    }

    fn obey(&mut self, command: Command, ctx: &Ctx<'_>) -> Outcome {
        match command {
            Command::Search(_) => Outcome::Open(Box::new(StackSearch::new(&self.filter))),
            Command::Mark(_) => self.mark(ctx),
            Command::Deps(DepsCommand::DependsOn) => self.walk_edges(Direction::DependsOn),
            Command::Deps(DepsCommand::UsedBy) => self.walk_edges(Direction::UsedBy),
            Command::Cancel if !self.filter.is_empty() => {
                self.search(String::new());
                Outcome::Done
            }
            Command::Cancel if !self.marked.is_empty() => {
                self.marked.clear();
                Outcome::Say("marks cleared".to_owned())
            }
            Command::Cancel => Outcome::Leave,
            // A new list of the same places, in the same order.
            Command::Reload => {
                let before = std::mem::take(self);
                let selected = before.member().map(|(row, _)| row.member.place.clone());
                *self = Self {
                    wanted: selected.filter(|_| before.has_chosen),
                    fleet: before.fleet,
                    order: before.order,
                    arrangement: before.arrangement,
                    folds: before.folds,
                    ..Self::default()
                };
                Outcome::Done
            }
            _ => Outcome::Nothing,
        }
    }

    fn laid<'a>(&'a self, _part: usize, ctx: &Ctx<'a>) -> Option<Laid<'a>> {
        Some(self.lines(ctx.screen.panes[0]))
    }

    fn view(&self, _all: &Views, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
        self.draw(ctx.of_pane(0), panes[0], buffer);
    }

    /// From now on the list keeps its line.
    fn touch(&mut self) {
        self.has_chosen = true;
        self.wanted = None;
    }

    fn set_cursor(&mut self, _part: usize, cursor: Cursor, _ctx: &Ctx<'_>) {
        self.cursor = cursor;
    }

    fn go_around(&mut self, _part: usize, times: usize, ctx: &Ctx<'_>) -> Outcome {
        for _ in 0..times {
            let Some(around) = self.around() else { break };
            self.go_to_branch(around, ctx);
        }
        Outcome::Done
    }

    fn selected_key(&self) -> Option<RowKey> {
        let (row, _) = self.member()?;
        Some(RowKey::Stack(row.member.place.clone()))
    }

    fn go_to_key(&mut self, key: &RowKey, ctx: &Ctx<'_>) {
        if let RowKey::Stack(place) = key {
            self.reveal(place.clone(), ctx);
        }
    }

    fn cursors(&self) -> [Cursor; 2] {
        [self.cursor; 2]
    }

    fn path_line(&self, room: usize) -> Option<Strip> {
        Some(self.about_selected(room))
    }

    fn has_tab(&self) -> bool {
        self.fleet.is_some()
    }

    /// The list is about no file: it stays as it is.
    fn clear(&mut self, _next: NextFile) {}
}

/// Says that one of two files cannot be compared because it does not open.
fn unread(rows: &[&StackRow; 2]) -> Option<String> {
    let is_failed = |row: &&&StackRow| matches!(row.contents, Contents::Failed(_));
    let failed = rows.iter().find(is_failed)?;
    let name = shown(&failed.member.name);
    Some(format!("{name} does not open, so it cannot be compared"))
}

/// Says that two files cannot be compared because they are of two tools.
fn unlike(rows: &[&StackRow; 2]) -> Option<String> {
    let [one, other] = rows.map(StackRow::summary);
    let is_unlike = one?.kind.is_pulumi() != other?.kind.is_pulumi();
    let why = "a file of Pulumi and one of Terraform cannot be compared";
    is_unlike.then(|| why.to_owned())
}

/// Minimum height of the list for a line with the titles of the columns.
const MIN_FOR_TITLES: u16 = 10;
