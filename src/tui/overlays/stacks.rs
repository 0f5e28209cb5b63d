//! The view of many stacks: states, plans and copies below some places, to open one, to compare two, or to search all.
//!
//! The names come first. Then each file is read, and its row says what it contains. A job puts the rows in order
//! ([`Arranged`]); until its answer the old order stays. A query filters the names at once and searches the contents of all
//! stacks; hits come below their stack as they are found.

mod draw;
mod finding;
mod folding;
mod walking;

use std::collections::HashMap;
use std::sync::Arc;

use ratatui::layout::{Constraint, Layout, Rect};

use self::finding::Finding;
use self::walking::Walking;
use super::popup::{Popup, RowUse};
use super::{Outcome, boxed, language};
use crate::load::Input;
use crate::load::fleet::{Copies, Ended, Fleet, Place, Roots};
use crate::stack::graph::Direction;
use crate::tui::command::{
    Command, DepsCommand, FoldCommand, GoCommand, ListCommand, MarkCommand, SearchCommand,
};
use crate::tui::effect::Effect;
use crate::tui::jobs::Ticket;
use crate::tui::jobs::stacks::{ArrangeStacks, FoundStacks, ListStacks, Listing, OpenStacks};
use crate::tui::keymap::Scope;
use crate::tui::popup::Stage;
use crate::tui::stacks::{
    Arranged, Arrangement, Contents, FleetHits, Folds, Key, ListLine, Order, Request, StackRow,
    Times,
};
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::{Cursor, Page};
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::prompt::{Prompt, Typing};
use ratatui::buffer::Buffer;

/// The list of many stacks.
#[derive(Debug)]
pub struct Stacks {
    /// The places, and the options of their files.
    fleet: Fleet,
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
    pub(super) cursor: Cursor,
    /// True if the person chose the line. Otherwise the cursor is on the first row, on the open file, or on the first hit.
    has_chosen: bool,
    /// The file that is open. The cursor is on it until the person chooses another line.
    pub open: Option<Place>,
    /// Up to two files marked for comparison, in the order of marking.
    marked: Vec<Place>,
    /// The typed words or query.
    filter: Prompt,
    /// True while it is typed.
    is_typing: bool,
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

/// The subject of a line: it outlives every arrangement.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Selected {
    key: Key,
    hit: Option<usize>,
}

impl Selected {
    fn of(place: ListLine<'_>) -> Self {
        Self {
            key: place.branch.key.clone(),
            hit: place.hit,
        }
    }

    fn row(row: usize) -> Self {
        Self {
            key: Key::Row(row),
            hit: None,
        }
    }
}

impl Stacks {
    /// The list of these places. `like` has the options of every file.
    pub fn new(roots: Roots, like: Input) -> Self {
        Self {
            fleet: Fleet {
                roots,
                like,
                copies: Copies::Leave,
            },
            ticket: Ticket::default(),
            work: Work::default(),
            rows: Arc::default(),
            by_place: HashMap::new(),
            ended: None,
            now: 0,
            order: Order::default(),
            arrangement: Arrangement::default(),
            folds: Folds::default(),
            arranged: Arranged::default(),
            cursor: Cursor::default(),
            has_chosen: false,
            open: None,
            marked: Vec::new(),
            filter: Prompt::new(""),
            is_typing: false,
            finding: Finding::default(),
            walking: Walking::default(),
        }
    }

    /// A new list of the same places, in the same order.
    fn again(&self) -> Self {
        Self {
            order: self.order,
            arrangement: self.arrangement,
            folds: self.folds.clone(),
            open: self.open.clone(),
            ..Self::new(self.fleet.roots.clone(), self.fleet.like.clone())
        }
    }

    /// The places.
    pub fn roots(&self) -> &Roots {
        &self.fleet.roots
    }

    /// The job that lists the members.
    pub fn list(&mut self) -> Effect {
        self.work.is_listed = true;
        let job = Box::new(ListStacks(self.fleet.clone()));
        Effect::Start(self.ticket.flag(), job)
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
        if !self.work.is_listed {
            return Some(self.list());
        }
        if self.work.is_outdated && !self.work.is_arranging {
            self.work.is_arranging = true;
            self.work.is_outdated = false;
            let job = ArrangeStacks(Request {
                rows: Arc::clone(&self.rows),
                hits: Arc::clone(&self.finding.hits),
                filter: self.filter.text().to_owned(),
                order: self.order,
                arrangement: self.arrangement,
                now: self.now,
                times: if self.ended.is_some() {
                    Times::Recorded
                } else {
                    Times::OfFiles
                },
            });
            return Some(Effect::Start(self.ticket.flag(), Box::new(job)));
        }
        let search = self.finding.next_search(&self.fleet);
        search.or_else(|| self.next_tying())
    }

    /// Takes the arranged rows.
    pub fn take_arranged(&mut self, arranged: Arranged, body: Rect) {
        self.work.is_arranging = false;
        self.rearrange(body, |it| it.arranged = arranged);
    }

    /// Changes the rows or their folds. The cursor stays on its line, at its height on the screen.
    fn rearrange(&mut self, body: Rect, change: impl FnOnce(&mut Self)) {
        let before = self.selected();
        let n_above = self.cursor.line_on_screen(self.page(body));
        change(self);
        self.arranged.fold(&self.folds);
        let is_listed = |key: &mut Key| self.arranged.of_key.contains_key(key);
        let arrived = self.walking.wanted.take_if(is_listed);
        let arrived = arrived.map(|key| Selected { key, hit: None });
        let kept = arrived.or(before).filter(|_| self.has_chosen);
        let wanted = kept.or_else(|| self.first());
        let line = wanted.and_then(|wanted| self.line_of(&wanted)).unwrap_or(0);
        self.cursor.put(line, n_above, self.page(body));
    }

    /// Takes hits in some stacks.
    pub fn take_hits(&mut self, found: FoundStacks) {
        self.work.is_outdated |= self.finding.take(found);
    }

    /// Takes the end of a job that failed.
    pub fn forget_arranging(&mut self) {
        self.work.is_arranging = false;
    }

    /// The line to show as long as the person chose none: what the filter found, or the open file.
    fn first(&self) -> Option<Selected> {
        if !self.filter.text().is_empty() {
            if let Some(row) = self.arranged.match_by_name {
                return Some(Selected::row(row));
            }
            let mut lines = (0..self.len()).map_while(|line| self.arranged.at(line));
            return lines.find(|it| it.hit.is_some()).map(Selected::of);
        }
        let open = self.by_place.get(self.open.as_ref()?)?;
        Some(Selected::row(*open))
    }

    fn selected(&self) -> Option<Selected> {
        self.arranged.at(self.cursor.row).map(Selected::of)
    }

    /// The line of a row, or of the nearest one around it that is shown.
    fn line_of(&self, selected: &Selected) -> Option<usize> {
        let at = *self.arranged.of_key.get(&selected.key)?;
        let groups = &self.arranged.groups;
        let hit = selected.hit.map_or(0, |hit| 1 + hit);
        let mut around = [at].into_iter().chain(groups.around(at));
        let line = groups.row(at, hit);
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
    fn len(&self) -> usize {
        self.arranged.groups.n_rows()
    }

    /// Filters by the typed text, and searches for it.
    fn find(&mut self) {
        self.finding.ask(self.filter.text());
        self.work.is_outdated = true;
    }

    /// Marks the selected file for comparison, or removes its mark. A third mark removes the first one.
    fn mark(&mut self, body: Rect) -> Outcome {
        let Some(place) = self.member().map(|(row, _)| row.member.place.clone()) else {
            return Outcome::Nothing;
        };
        match self.marked.iter().position(|marked| *marked == place) {
            Some(at) => {
                self.marked.remove(at);
            }
            None => self.marked.push(place),
        }
        if self.marked.len() > 2 {
            self.marked.remove(0);
        }
        self.cursor.step(1, self.page(body));
        Outcome::Done
    }

    /// The two marked files, the older one first; `None` if there are no two.
    pub fn pair(&self) -> Option<[&StackRow; 2]> {
        let [first, second] = &self.marked[..] else {
            return None;
        };
        let (first, second) = (self.row(first)?, self.row(second)?);
        // A copy is older than its original, even if both were written at once.
        let age = |row: &StackRow| (row.member.modified, std::cmp::Reverse(row.member.role));
        let serials = [first, second].map(|row| row.member.version.as_ref());
        let by_serial = match serials {
            [Some(first), Some(second)] => first.order(second),
            [..] => None,
        };
        let by_age = age(first).cmp(&age(second));
        Some(if by_serial.unwrap_or(by_age).then(by_age).is_gt() {
            [second, first]
        } else {
            [first, second]
        })
    }

    /// True if the marked files are of two tools.
    fn are_unlike(&self) -> bool {
        let is_pulumi = |row: &StackRow| row.summary().map(|it| it.kind.is_pulumi());
        self.pair().is_some_and(|pair| {
            let [old, new] = pair.map(is_pulumi);
            old.is_some() && new.is_some() && old != new
        })
    }

    /// Opens the difference of the two marked files, else the selected file, at the selected hit.
    fn open_chosen(&mut self, body: Rect) -> Outcome {
        if self.are_unlike() {
            let why = "a file of Pulumi and one of Terraform cannot be compared";
            return Outcome::Complain(why.to_owned());
        }
        let place = |row: &StackRow| row.member.place.clone();
        let (places, aim) = match (self.pair(), self.member()) {
            (Some(pair), _) => (pair.map(place).to_vec(), None),
            (None, Some((row, hit))) => {
                let hits = self.finding.hits.get(&row.member.place).zip(hit);
                let hit = hits.and_then(|(it, hit)| it.hits.get(hit));
                (vec![place(row)], hit.map(|hit| hit.aim.clone()))
            }
            (None, None) => return self.fold(FoldCommand::Toggle, body),
        };
        self.has_chosen = true;
        let like = self.fleet.like.clone();
        Outcome::OpenStacks(Box::new(OpenStacks { places, like }), aim)
    }

    /// The titles of the columns, the rows, the lines about the selected one, and the last line.
    fn parts(&self, body: Rect) -> [Rect; 4] {
        let inner = boxed(body).inner;
        let n_titles = u16::from(inner.height >= MIN_FOR_TITLES);
        let heights = [
            Constraint::Length(n_titles),
            Constraint::Min(0),
            Constraint::Length(self.n_edge_lines(inner)),
            Constraint::Length(1),
        ];
        Layout::vertical(heights).areas(inner)
    }

    fn page(&self, body: Rect) -> Page<'static> {
        let list = self.list_area(body);
        Page::flat(list.len, list.height())
    }

    /// The lines on the screen.
    fn list_area(&self, body: Rect) -> ListArea {
        let [_, rows, ..] = self.parts(body);
        ListArea::new(rows, self.len())
    }
}

impl Popup for Stacks {
    fn area(&self, stage: Stage) -> Rect {
        stage.body
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        self.draw(theme, stage.body, buffer);
    }

    fn outlives_file(&mut self) -> bool {
        true
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        Some((self.list_area(stage.body), self.cursor))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(&mut self.cursor)
    }

    fn row_use(&self, _: usize) -> RowUse {
        RowUse::Open(Command::Accept)
    }

    /// From now on the list keeps its line.
    fn moved(&mut self) -> Outcome {
        self.has_chosen = true;
        Outcome::Done
    }

    fn scopes(&self) -> &'static [Scope] {
        if self.is_typing {
            &[Scope::StackSearch]
        } else {
            &[Scope::Stacks, Scope::List]
        }
    }

    /// Takes a key press or a pasted text while the filter is typed. True if the filter changed.
    fn input(&mut self, typing: Typing<'_>, _: Stage) -> Outcome {
        let before = self.filter.text().to_owned();
        let is_taken = self.is_typing && self.filter.input(typing);
        if is_taken && before != self.filter.text() {
            self.has_chosen = false;
            self.find();
        }
        Outcome::Done
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        let body = stage.body;
        match command {
            Command::Move(motion) => {
                self.has_chosen = true;
                self.cursor.obey(motion, self.page(body));
            }
            Command::Fold(command) => return self.fold(command, body),
            Command::Mark(MarkCommand::Selected) => return self.mark(body),
            Command::Deps(DepsCommand::DependsOn) => {
                return self.walk(Direction::DependsOn, body);
            }
            Command::Deps(DepsCommand::UsedBy) => return self.walk(Direction::UsedBy, body),
            Command::Go(GoCommand::Back) => return self.walk_back(body),
            Command::Search(SearchCommand::Open) => self.is_typing = true,
            Command::Search(SearchCommand::Language) => {
                let page = language::page(body.width);
                return Outcome::Open(Box::new(page));
            }
            Command::List(ListCommand::Sort) => {
                self.order = self.order.next();
                self.work.is_outdated = true;
                return Outcome::Say(format!("sorted by {}", self.order.name()));
            }
            Command::List(ListCommand::Arrange) => {
                self.arrangement = self.arrangement.next();
                self.work.is_outdated = true;
                return Outcome::Say(format!("arranged: {}", self.arrangement.name()));
            }
            Command::Cancel if !self.filter.text().is_empty() => {
                self.filter = Prompt::new("");
                self.is_typing = false;
                // The selected stack stays selected.
                self.has_chosen = true;
                self.find();
            }
            Command::Cancel | Command::Accept if self.is_typing => self.is_typing = false,
            Command::Cancel => return Outcome::Close,
            Command::Accept => return self.open_chosen(body),
            Command::Reload => *self = self.again(),
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }
}

/// Minimum height of the list for a line with the titles of the columns.
const MIN_FOR_TITLES: u16 = 10;

/// The hits by file.
type Hits = Arc<FleetHits>;
