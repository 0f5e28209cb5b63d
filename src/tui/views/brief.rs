//! The Brief view: all changes of a plan, a preview or a comparison on one page. It says how big the whole is, what can hurt, what is
//! noise, and what is left to read.
//!
//! A job makes the page ([`Listed`]) once the file is read. The view never says that a plan is safe. The Changes view has the same list
//! beside the difference: the cursor, the folds and the marks are those of one list.

mod draw;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use ratatui::buffer::Buffer;

use super::{Ctx, NextFile, ViewState, Views, steer};
use crate::change::pairs::Shift;
use crate::change::rules::Level;
use crate::change::sections::{Sections, Title};
use crate::load::brief::page::Entry;
use crate::stack::{ChangeId, ResourceId};
use crate::tui::brief::{Form, Listed, Row};
use crate::tui::command::{FoldCommand, FoldStep, ReviewCommand, View};
use crate::tui::layout::Pane;
use crate::tui::outline::Laid;
use crate::tui::overlays::Outcome;
use crate::tui::overlays::find_rows::RowTexts;
use crate::tui::review::Alike;
use crate::tui::row_key::RowKey;
use crate::tui::session::Session;
use crate::tui::since::Since;
use crate::tui::widgets::cursor::Cursor;

/// The page, or the reason that there is none.
#[derive(Default, Debug)]
enum Contents {
    /// The file is being read, or the page is being made.
    #[default]
    Awaited,
    /// Making the page failed.
    Failed,
    /// The page.
    Known(Box<Listed>),
}

/// The row to go to after the same file was read again.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Resumes {
    /// The first entry: it is another file.
    #[default]
    AtFirst,
    /// The entry about the current resource.
    AtEntry,
    /// The row of the current resource in its group.
    InGroup,
}

/// The Brief view.
#[derive(Default, Debug)]
pub struct BriefView {
    /// The selected row.
    pub cursor: Cursor,
    contents: Contents,
    /// The texts of the rows, once a search wants them.
    texts: OnceCell<RowTexts>,
    /// Number of changed resources that are read, while the page is not whole.
    n_read: Option<usize>,
    /// Number of other stacks that read an output that changes.
    n_readers: usize,
    /// True if the person moved on the page. Until then it shows its beginning.
    was_moved: bool,
    /// The row that the page shows once it is there, if the file was read again.
    resumes: Resumes,
    /// True if the page was on the screen. At first it shows its beginning, whatever resource is the current one.
    was_seen: bool,
}

impl BriefView {
    /// Counts the other stacks that read an output that changes.
    pub fn count_readers(&mut self, ctx: &Ctx<'_>) {
        let among = ctx.session.among.as_ref();
        self.n_readers = among.map_or(0, |it| it.n_readers_of_changes(ctx.session.stack()));
    }

    /// Takes the page, or with `n_read` as much as is known after this number of resources. The cursor stays on its row, and the row
    /// at its place on the screen. Until the person moves, the page shows its beginning. A whole page stays until the next whole one.
    pub fn take(&mut self, mut listed: Box<Listed>, n_read: Option<usize>, ctx: &Ctx<'_>) {
        if n_read.is_some() && !self.is_awaited() && !self.is_empty() {
            return;
        }
        listed.reshape(Form::of(ctx.screen.view), []);
        let (selected, current) = (self.one_selected(), ctx.session.current);
        let old = self.listed();
        let anchor = old.and_then(|old| old.anchor(self.cursor.row));
        let n_above = self.line_on_screen(ctx);
        for change in &ctx.session.reviewed {
            listed.count_reviewed(*change, 1);
        }
        listed.take_alike(&ctx.session.review.alike(), &ctx.session.reviewed);
        let since = ctx.session.since.as_ref();
        listed.since = since.map(Since::words).unwrap_or_default();
        if let Some(old) = old {
            listed.keep_folds(old);
        }
        let row = anchor.as_ref().and_then(|anchor| listed.row_at(anchor));
        self.contents = Contents::Known(listed);
        self.texts = OnceCell::new();
        self.count_readers(ctx);
        self.n_read = n_read;
        match row {
            Some(row) if self.was_moved => self.put(row, n_above, ctx),
            None if self.was_moved => {
                if let Some(id) = selected.or(current) {
                    self.lead_to(id, ctx);
                }
            }
            Some(_) | None => {
                self.cursor = Cursor::default();
                self.go_entry(1, ctx);
                self.cursor = Cursor::at(self.cursor.row, 0);
            }
        }
        if let Some(id) = current {
            self.resume(id, ctx);
        }
        self.fit(ctx);
    }

    /// Takes what moved since the file was read before, in words.
    pub fn take_since(&mut self, words: &str) {
        if let Contents::Known(listed) = &mut self.contents {
            words.clone_into(&mut listed.since);
        }
    }

    /// Goes to a resource after the same file was read again, unless the person moved meanwhile.
    pub fn resume(&mut self, id: ResourceId, ctx: &Ctx<'_>) {
        match self.resumes {
            Resumes::AtEntry if !self.was_moved => self.lead_to(id, ctx),
            Resumes::InGroup if !self.was_moved => _ = self.reveal(id.into(), ctx),
            Resumes::AtFirst | Resumes::AtEntry | Resumes::InGroup => {}
        }
    }

    /// The line of the selected row on the screen.
    fn line_on_screen(&self, ctx: &Ctx<'_>) -> usize {
        let rows = self.rows(ctx, [0, 0], ctx.screen.panes[0]);
        rows.with_page(|page| self.cursor.line_on_screen(page))
    }

    /// Puts the cursor on a row, and the row on this line of the screen.
    fn put(&mut self, row: usize, n_above: usize, ctx: &Ctx<'_>) {
        steer(self, 0, ctx, |cursor, page| cursor.put(row, n_above, page));
    }

    /// Puts the cursor on a change that was selected in another list, on this line of the screen.
    pub fn put_change(&mut self, change: ChangeId, n_above: usize, ctx: &Ctx<'_>) {
        self.was_moved = true;
        let row = match &mut self.contents {
            Contents::Known(listed) => listed.reveal(change),
            Contents::Awaited | Contents::Failed => None,
        };
        if let Some(row) = row {
            self.put(row, n_above, ctx);
        }
    }

    /// Puts the cursor on the row of a change, and opens what it is folded into. False if no row is about it.
    pub fn reveal(&mut self, change: ChangeId, ctx: &Ctx<'_>) -> bool {
        let Contents::Known(listed) = &mut self.contents else {
            return false;
        };
        let row = self.cursor.row;
        let is_there = |id: ResourceId| match listed.row(row) {
            Some(Row::Member(..) | Row::Along(..)) => listed.leads_to(row, id),
            Some(own @ Row::Entry(..)) => listed.head(own) == [id],
            Some(_) | None => false,
        };
        if change.resource().is_some_and(is_there) {
            return true;
        }
        let row = listed.reveal(change);
        if let Some(row) = row {
            self.go(row, ctx);
        }
        row.is_some()
    }

    /// Takes that the page could not be made.
    pub fn fail(&mut self) {
        self.contents = Contents::Failed;
        self.n_read = None;
    }

    /// Notes that the page is on the screen.
    pub fn see(&mut self) {
        self.was_seen |= !self.is_empty();
    }

    /// True while the page is not there, or not whole.
    pub fn is_awaited(&self) -> bool {
        matches!(self.contents, Contents::Awaited) || self.n_read.is_some()
    }

    /// True if nothing of the page is there.
    pub fn is_empty(&self) -> bool {
        self.listed().is_none()
    }

    /// The resources of each section; none before the page is there.
    pub fn sections(&self) -> Arc<Sections> {
        let listed = self.listed();
        listed.map_or_else(Arc::default, |listed| Arc::clone(&listed.page.sections))
    }

    fn listed(&self) -> Option<&Listed> {
        match &self.contents {
            Contents::Known(listed) => Some(listed),
            Contents::Awaited | Contents::Failed => None,
        }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.listed().map_or(0, Listed::n_rows)
    }

    fn row(&self) -> Option<Row> {
        self.listed()?.row(self.cursor.row)
    }

    /// The resources of the selected row.
    pub fn selected_ids(&self) -> &[ResourceId] {
        match (self.listed(), self.row()) {
            (Some(listed), Some(row)) => listed.ids(row),
            (None, _) | (_, None) => &[],
        }
    }

    /// The changes of the selected row, with the outputs that it tells.
    pub fn selected_changes(&self) -> impl Iterator<Item = ChangeId> {
        let selected = self.listed().zip(self.row()).into_iter();
        selected.flat_map(|(listed, row)| listed.changes(row))
    }

    /// Leaves open what a search opened.
    pub fn keep_found(&mut self) {
        if let Contents::Known(listed) = &mut self.contents {
            listed.keep_found();
        }
    }

    /// Closes what a search opened. The cursor stays on its row, or goes to the one that hides it.
    pub fn close_found(&mut self, ctx: &Ctx<'_>) {
        let row = self.cursor.row;
        let Contents::Known(listed) = &mut self.contents else {
            return;
        };
        let anchor = listed.anchor(row);
        listed.close_found();
        let row = anchor.and_then(|anchor| listed.row_at(&anchor));
        self.go(row.unwrap_or_default(), ctx);
    }

    /// The change of the selected row that has a difference: of several resources the current one, else the first.
    pub fn change_beside(&self, current: Option<ResourceId>) -> Option<ChangeId> {
        let (listed, row) = (self.listed()?, self.row()?);
        if let Some(output) = listed.output(row) {
            return Some(ChangeId::Output(output));
        }
        let id = current.filter(|id| listed.leads_to(self.cursor.row, *id));
        let id = id.or_else(|| listed.head(row).first().copied());
        id.map(ChangeId::Resource)
            .or_else(|| self.selected_changes().next())
    }

    /// True if the group or the section of the selected row is open; `None` if the row does not fold.
    pub fn is_open(&self) -> Option<bool> {
        self.listed()?.is_open(self.cursor.row)
    }

    /// The resource of the selected row, if it has one. What comes along with it does not count.
    fn one_selected(&self) -> Option<ResourceId> {
        let (listed, row) = (self.listed()?, self.row()?);
        match listed.head(row) {
            [id] => Some(*id),
            [] | [_, _, ..] => None,
        }
    }

    /// The change of identity in the selected row, or else the first one that `id` is a part of.
    pub fn shift(&self, id: Option<ResourceId>) -> Option<&Shift> {
        let listed = self.listed()?;
        let own = match self.row() {
            Some(Row::Entry(part, entry) | Row::Detail(part, entry, _)) => {
                listed.entry(part, entry).and_then(|it| it.shift.as_ref())
            }
            _ => None,
        };
        let parts = listed.page.parts.iter();
        let mut shifts = parts
            .flat_map(|part| &part.entries)
            .filter_map(|entry| entry.shift.as_ref());
        let has = |shift: &&Shift| {
            let mut pairs = shift.pairs.iter();
            pairs.any(|pair| [pair.gone, pair.new].map(Some).contains(&id))
        };
        own.filter(|_| id.is_none()).or_else(|| shifts.find(has))
    }

    /// The resources of all entries.
    pub fn resources(&self) -> impl Iterator<Item = ResourceId> {
        let parts = self.listed().into_iter().flat_map(|it| &it.page.parts);
        let entries = parts.flat_map(|part| &part.entries);
        entries.flat_map(Entry::all_ids)
    }

    /// Puts the cursor on a row.
    pub fn go(&mut self, row: usize, ctx: &Ctx<'_>) {
        steer(self, 0, ctx, |cursor, page| cursor.go(row, page));
    }

    /// Puts the cursor on the first entry about a resource, unless the selected row is about it.
    pub fn lead_to(&mut self, id: ResourceId, ctx: &Ctx<'_>) {
        let Some(listed) = self.listed() else {
            return;
        };
        if !listed.is_about(self.cursor.row, id)
            && let Some(row) = listed.row_of(id.into())
        {
            self.go(row, ctx);
        }
    }

    fn go_entry(&mut self, step: isize, ctx: &Ctx<'_>) -> Outcome {
        let row = self.cursor.row;
        let next = self
            .listed()
            .and_then(|listed| listed.next(row, step, Listed::is_entry));
        let side = if step > 0 { "below" } else { "above" };
        self.go_or_say(next, &format!("no entry {side}"), ctx)
    }

    /// Goes to a row. Says why there is none.
    fn go_or_say(&mut self, row: Option<usize>, none: &str, ctx: &Ctx<'_>) -> Outcome {
        match row {
            Some(row) => {
                self.go(row, ctx);
                Outcome::Done
            }
            None => Outcome::Say(none.to_owned()),
        }
    }

    /// The words for the next entry.
    pub fn next_word(&self) -> &'static str {
        let next = self.listed().and_then(|listed| {
            let row = listed.next(self.cursor.row, 1, Listed::is_entry)?;
            listed.part(listed.row(row)?.part()?)
        });
        match next.and_then(|part| part.title.level()) {
            Some(Level::Danger) => "next danger",
            Some(Level::Warning) => "next warning",
            Some(Level::Note) | None => "next entry",
        }
    }

    /// Goes to the next entry with a change that is not reviewed. After the last entry the first one follows.
    pub fn go_unreviewed(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let next = self.listed().and_then(|listed| {
            let below = listed.next(self.cursor.row, 1, Listed::is_left);
            below.or_else(|| listed.next(0, 1, Listed::is_left))
        });
        self.go_or_say(next, "all changes of this page are reviewed", ctx)
    }

    /// Takes the changes that are like a reviewed one of the record.
    pub fn take_alike(&mut self, alike: &Arc<Alike>, reviewed: &BTreeSet<ChangeId>) {
        if let Contents::Known(listed) = &mut self.contents {
            listed.take_alike(alike, reviewed);
        }
    }

    /// Adds `step` to the number of reviewed changes wherever this one is mentioned.
    pub fn count_reviewed(&mut self, change: ChangeId, step: isize) {
        if let Contents::Known(listed) = &mut self.contents {
            listed.count_reviewed(change, step);
        }
    }

    /// Goes from a detail to its entry, and from an entry to the title of its section. False for any other row.
    fn go_out(&mut self, ctx: &Ctx<'_>) -> bool {
        let Some(listed) = self.listed() else {
            return false;
        };
        let row = match self.row() {
            Some(Row::Detail(..) | Row::More(..) | Row::Along(..) | Row::Member(..)) => {
                Some(listed.first_row(listed.block_of(self.cursor.row)))
            }
            Some(Row::Entry(..) | Row::Rest(_)) => {
                listed.next(self.cursor.row, -1, Listed::is_title)
            }
            Some(Row::Head | Row::Title(_) | Row::Remarks) | None => None,
        };
        if let Some(row) = row {
            self.go(row, ctx);
        }
        row.is_some()
    }

    /// Closes the group or the section around the selected row, and goes to its first row. False if there is none.
    fn close_around(&mut self, ctx: &Ctx<'_>) -> bool {
        if !self.go_out(ctx) {
            return false;
        }
        let row = self.cursor.row;
        let Contents::Known(listed) = &mut self.contents else {
            return false;
        };
        match listed.is_open(row) {
            Some(true) => listed.toggle(row),
            // An entry that is no group folds with its section.
            Some(false) | None => return self.close_around(ctx),
        }
        true
    }

    /// Opens this many levels. The cursor stays on its entry, or goes to the title of its section. False if they are open, and
    /// no other ones.
    fn open_levels(&mut self, n: usize) -> bool {
        let Contents::Known(listed) = &mut self.contents else {
            return false;
        };
        let block = listed.block_of(self.cursor.row);
        let is_changed = listed.open_levels(n);
        self.cursor.select(listed.first_row(block));
        is_changed
    }

    /// The word for Enter on the selected row. `None` if it does nothing there.
    pub fn enter_word(&self) -> Option<&'static str> {
        match self.is_open() {
            Some(true) => Some("close"),
            Some(false) => Some("open"),
            None => self.target().map(|_| "go there"),
        }
    }

    /// The step to what the selected row speaks of. `None` if there is nothing to go to.
    fn target(&self) -> Option<Outcome> {
        let (listed, row) = (self.listed()?, self.row()?);
        if let Some(query) = listed.query(row) {
            return Some(Outcome::List(query.to_owned()));
        }
        let entry = listed.entry_of(row);
        if let Some(output) = listed.output(row) {
            return Some(Outcome::GoToChange(ChangeId::Output(output)));
        }
        if let [id, ..] = listed.ids(row) {
            return Some(Outcome::GoToChange(ChangeId::Resource(*id)));
        }
        if let Some([output]) = entry.map(|entry| &entry.outputs[..]) {
            return Some(Outcome::GoToChange(ChangeId::Output(*output)));
        }
        let title = listed.part(row.part()?)?.title;
        let is_failure = title == Title::Checks || entry.is_some_and(Entry::is_failure);
        if let Row::Rest(_) = row {
            return Some(Outcome::Show(leads_to(title)));
        }
        let is_told = matches!(row, Row::Entry(..) | Row::Detail(..) | Row::More(..));
        (is_told && is_failure).then_some(Outcome::Show(View::Problems))
    }
}

impl ViewState for BriefView {
    fn fold(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        let row = self.cursor.row;
        let is_done = match (command.on(self.is_open()), &mut self.contents) {
            (FoldStep::Toggle, Contents::Known(listed)) => {
                listed.toggle(row);
                true
            }
            (FoldStep::Below, Contents::Known(listed)) => listed.open_below(row),
            (FoldStep::Enter, _) => return self.target().unwrap_or(Outcome::Nothing),
            (FoldStep::Out, _) => self.go_out(ctx),
            (FoldStep::OutAndClose, _) => self.close_around(ctx),
            (FoldStep::Level(level), _) => self.open_levels(usize::from(level)),
            (FoldStep::Toggle | FoldStep::Below | FoldStep::Into | FoldStep::Nothing, _) => false,
        };
        if !is_done {
            return Outcome::Nothing;
        }
        self.fit(ctx);
        Outcome::Done
    }

    fn review(&mut self, command: ReviewCommand, ctx: &Ctx<'_>) -> Outcome {
        match command {
            ReviewCommand::NextChange => self.go_entry(1, ctx),
            ReviewCommand::PrevChange => self.go_entry(-1, ctx),
            ReviewCommand::NextUnreviewed => self.go_unreviewed(ctx),
            ReviewCommand::Reviewed => Outcome::review(self.selected_changes().collect()),
            ReviewCommand::Note => Outcome::note(self.selected_changes().collect()),
            ReviewCommand::Why
            | ReviewCommand::Actions
            | ReviewCommand::SideBySide
            | ReviewCommand::MoreContext
            | ReviewCommand::LessContext => Outcome::Nothing,
        }
    }

    fn laid<'a>(&'a self, _part: usize, ctx: &Ctx<'a>) -> Option<Laid<'a>> {
        self.listed()?;
        Some(self.rows(ctx, [0, 0], ctx.screen.panes[0]))
    }

    fn set_cursor(&mut self, _part: usize, cursor: Cursor, _ctx: &Ctx<'_>) {
        self.cursor = cursor;
    }

    fn view(&self, all: &Views, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
        self.draw(ctx, &all.changes.list, panes[0], buffer);
    }

    /// The rows are those of the view in front. The cursor stays on its row, or on the entry around it.
    fn fit(&mut self, ctx: &Ctx<'_>) {
        let form = Form::of(ctx.screen.view);
        if let Contents::Known(listed) = &mut self.contents
            && listed.form != form
        {
            let [row, top] = listed.reshape(form, [self.cursor.row, self.cursor.top]);
            self.cursor = Cursor::at(row, top);
        }
        steer(self, 0, ctx, Cursor::fit);
    }

    fn touch(&mut self) {
        // Keys that come before the page have moved nothing.
        self.was_moved |= !self.is_empty();
    }

    fn show(&mut self, id: ResourceId, ctx: &Ctx<'_>) -> Outcome {
        if std::mem::replace(&mut self.was_seen, true) {
            self.lead_to(id, ctx);
        }
        Outcome::Done
    }

    fn rows_about(&self, found: &[ResourceId], _session: &Session) -> Option<Vec<usize>> {
        Some(self.listed()?.rows_of(found))
    }

    /// Goes by this number of sections.
    fn go_sibling(&mut self, _part: usize, times: isize, ctx: &Ctx<'_>) {
        for _ in 0..times.unsigned_abs() {
            let (row, step) = (self.cursor.row, times.signum());
            let next = self
                .listed()
                .and_then(|it| it.next(row, step, Listed::is_title));
            let Some(row) = next else {
                return;
            };
            self.go(row, ctx);
        }
    }

    fn go_around(&mut self, _part: usize, times: usize, ctx: &Ctx<'_>) -> Outcome {
        (0..times.min(2)).for_each(|_| _ = self.go_out(ctx));
        Outcome::Done
    }

    fn row_texts(&self, _session: &Session) -> Option<RowTexts> {
        let listed = self.listed()?;
        let rows = self.texts.get_or_init(|| RowTexts {
            texts: Arc::clone(&listed.texts),
            keys: Arc::new(listed.anchors().map(RowKey::Brief).collect()),
            ..RowTexts::default()
        });
        Some(RowTexts {
            at: listed.index_of(self.cursor.row),
            without: if listed.searches_groups {
                ""
            } else {
                "the resources of groups were"
            },
            ..rows.clone()
        })
    }

    fn find_row(&mut self, key: &RowKey, ctx: &Ctx<'_>) {
        self.touch();
        if let (Contents::Known(listed), RowKey::Brief(anchor)) = (&mut self.contents, key)
            && let Some(row) = listed.open_found(anchor)
        {
            self.go(row, ctx);
        }
    }

    fn selected_key(&self) -> Option<RowKey> {
        let anchor = self.listed()?.anchor(self.cursor.row);
        anchor.map(RowKey::Brief)
    }

    fn go_to_key(&mut self, key: &RowKey, ctx: &Ctx<'_>) {
        let RowKey::Brief(anchor) = key else { return };
        match self.listed().and_then(|listed| listed.row_at(anchor)) {
            Some(row) => self.go(row, ctx),
            None => self.find_row(key, ctx),
        }
    }

    fn clear(&mut self, next: NextFile) {
        let is_member = matches!(self.row(), Some(Row::Member(..)));
        *self = Self {
            resumes: match next {
                NextFile::Other => Resumes::AtFirst,
                NextFile::Same if is_member => Resumes::InGroup,
                NextFile::Same => Resumes::AtEntry,
            },
            ..Self::default()
        };
    }

    fn cursors(&self) -> [Cursor; 2] {
        [self.cursor; 2]
    }

    fn listed(&self, _session: &Session, limit: usize) -> Option<Vec<ResourceId>> {
        Some(self.resources().take(limit).collect())
    }

    fn selected(&self, _session: &Session) -> Option<ResourceId> {
        self.one_selected()
    }

    fn first_change(&self, _session: &Session) -> Option<ChangeId> {
        self.selected_changes().next()
    }
}

/// The view with the resources of a section that have no entry.
fn leads_to(title: Title) -> View {
    if title == Title::Outputs {
        View::Outputs
    } else if title == Title::Checks {
        View::Problems
    } else {
        View::Changes
    }
}
