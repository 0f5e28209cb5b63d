//! The Brief view: all changes of a plan, a preview or a comparison on one page. It says how big the whole is, what can hurt, what is
//! noise, and what is left to read.
//!
//! A job makes the page ([`Listed`]) once the file is read. The view never says that a plan is safe. The Changes view has the same list
//! beside the difference: the cursor, the folds and the marks are those of one list.

mod draw;

use std::sync::Arc;

use ratatui::buffer::Buffer;

use super::{Ctx, NextFile, ViewState, Views, line_on_screen, steer};
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
use crate::tui::row_key::RowKey;
use crate::tui::session::Session;
use crate::tui::widgets::cursor::Cursor;

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
    /// The page, once it is made.
    pub page: Option<Box<Listed>>,
    /// True if making the page failed.
    has_failed: bool,
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
        let old = self.page.as_deref();
        let anchor = old.and_then(|old| old.anchor(self.cursor.row));
        let n_above = line_on_screen(self, 0, ctx);
        for change in &ctx.session.reviewed {
            listed.count_reviewed(*change, 1);
        }
        listed.take_alike(&ctx.session.review.alike(), &ctx.session.reviewed);
        if let Some(old) = old {
            listed.keep_folds(old);
        }
        let row = anchor.as_ref().and_then(|anchor| listed.row_at(anchor));
        (self.page, self.has_failed) = (Some(listed), false);
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

    /// Goes to a resource after the same file was read again, unless the person moved meanwhile.
    pub fn resume(&mut self, id: ResourceId, ctx: &Ctx<'_>) {
        match self.resumes {
            Resumes::AtEntry if !self.was_moved => self.lead_to(id, ctx),
            Resumes::InGroup if !self.was_moved => _ = self.reveal(id.into(), ctx),
            Resumes::AtFirst | Resumes::AtEntry | Resumes::InGroup => {}
        }
    }

    /// Puts the cursor on a row, and the row on this line of the screen.
    fn put(&mut self, row: usize, n_above: usize, ctx: &Ctx<'_>) {
        steer(self, 0, ctx, |cursor, page| cursor.put(row, n_above, page));
    }

    /// Puts the cursor on a change that was selected in another list, on this line of the screen.
    pub fn put_change(&mut self, change: ChangeId, n_above: usize, ctx: &Ctx<'_>) {
        self.was_moved = true;
        let page = self.page.as_mut();
        if let Some(row) = page.and_then(|page| page.reveal(change)) {
            self.put(row, n_above, ctx);
        }
    }

    /// Puts the cursor on the row of a change, and opens what it is folded into. False if no row is about it.
    pub fn reveal(&mut self, change: ChangeId, ctx: &Ctx<'_>) -> bool {
        let Some(page) = &mut self.page else {
            return false;
        };
        let row = self.cursor.row;
        let is_there = |id: ResourceId| match page.row(row) {
            Some(Row::Member(..) | Row::Along(_)) => page.leads_to(row, id),
            Some(own @ Row::Entry(_)) => own.ids() == [id],
            Some(_) | None => false,
        };
        if change.resource().is_some_and(is_there) {
            return true;
        }
        let row = page.reveal(change);
        if let Some(row) = row {
            self.go(row, ctx);
        }
        row.is_some()
    }

    /// Takes that the page could not be made.
    pub fn fail(&mut self) {
        (self.page, self.has_failed, self.n_read) = (None, true, None);
    }

    /// Notes that the page is on the screen.
    pub fn see(&mut self) {
        self.was_seen |= !self.is_empty();
    }

    /// True while the page is not there, or not whole.
    pub fn is_awaited(&self) -> bool {
        self.page.is_none() && !self.has_failed || self.n_read.is_some()
    }

    /// True if nothing of the page is there.
    pub fn is_empty(&self) -> bool {
        self.page.is_none()
    }

    /// The resources of each section; none before the page is there.
    pub fn sections(&self) -> Arc<Sections> {
        let page = self.page.as_ref();
        page.map_or_else(Arc::default, |it| Arc::clone(&it.page.sections))
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.page.as_ref().map_or(0, |page| page.n_rows())
    }

    fn row(&self) -> Option<Row<'_>> {
        self.page.as_ref()?.row(self.cursor.row)
    }

    /// The resources of the selected row.
    pub fn selected_ids(&self) -> &[ResourceId] {
        self.row().map_or(&[], Row::ids)
    }

    /// The changes of the selected row, with the outputs that it tells.
    pub fn selected_changes(&self) -> impl Iterator<Item = ChangeId> {
        self.row().into_iter().flat_map(Row::changes)
    }

    /// Closes what a search opened. The cursor stays on its row, or goes to the one that hides it.
    pub fn close_found(&mut self, ctx: &Ctx<'_>) {
        let Some(page) = &mut self.page else {
            return;
        };
        let anchor = page.anchor(self.cursor.row);
        page.close_found();
        let row = anchor.and_then(|anchor| page.row_at(&anchor));
        self.go(row.unwrap_or_default(), ctx);
    }

    /// The change of the selected row that has a difference: of several resources the current one, else the first.
    pub fn change_beside(&self, current: Option<ResourceId>) -> Option<ChangeId> {
        let (page, row) = (self.page.as_ref()?, self.row()?);
        if let Some(output) = row.output() {
            return Some(ChangeId::Output(output));
        }
        let id = current.filter(|id| page.leads_to(self.cursor.row, *id));
        let id = id.or_else(|| row.ids().first().copied());
        id.map(ChangeId::Resource).or_else(|| row.changes().next())
    }

    /// True if the group or the section of the selected row is open; `None` if the row does not fold.
    pub fn is_open(&self) -> Option<bool> {
        self.page.as_ref()?.is_open(self.cursor.row)
    }

    /// The resource of the selected row, if it has one. What comes along with it does not count.
    fn one_selected(&self) -> Option<ResourceId> {
        match self.selected_ids() {
            [id] => Some(*id),
            [] | [_, _, ..] => None,
        }
    }

    /// The change of identity in the selected row, or else the first one that `id` is a part of.
    pub fn shift(&self, id: Option<ResourceId>) -> Option<&Shift> {
        let own = match self.row() {
            Some(Row::Entry(entry) | Row::Detail(entry, _)) => entry.shift.as_ref(),
            _ => None,
        };
        let mut shifts = self.entries().filter_map(|entry| entry.shift.as_ref());
        let has = |shift: &&Shift| {
            let mut pairs = shift.pairs.iter();
            pairs.any(|pair| [pair.gone, pair.new].map(Some).contains(&id))
        };
        own.filter(|_| id.is_none()).or_else(|| shifts.find(has))
    }

    /// The resources of all entries.
    pub fn resources(&self) -> impl Iterator<Item = ResourceId> {
        self.entries().flat_map(Entry::all_ids)
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        let parts = self.page.iter().flat_map(|it| &it.page.parts);
        parts.flat_map(|part| &part.entries)
    }

    /// Puts the cursor on a row.
    pub fn go(&mut self, row: usize, ctx: &Ctx<'_>) {
        steer(self, 0, ctx, |cursor, page| cursor.go(row, page));
    }

    /// Puts the cursor on the first entry about a resource, unless the selected row is about it.
    pub fn lead_to(&mut self, id: ResourceId, ctx: &Ctx<'_>) {
        let page = self.page.as_ref();
        let page = page.filter(|page| !page.is_about(self.cursor.row, id));
        if let Some(row) = page.and_then(|page| page.row_of(id.into())) {
            self.go(row, ctx);
        }
    }

    /// The row of the nearest block after (or before) the selected row that is wanted.
    fn next(&self, step: isize, is_wanted: fn(&Listed, usize) -> bool) -> Option<usize> {
        self.page.as_ref()?.next(self.cursor.row, step, is_wanted)
    }

    fn go_entry(&mut self, step: isize, ctx: &Ctx<'_>) -> Outcome {
        let next = self.next(step, Listed::is_entry);
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
        let next = self.next(1, Listed::is_entry);
        let part = next.and_then(|row| self.page.as_ref()?.part_of(row));
        match part.and_then(|part| part.title.level()) {
            Some(Level::Danger) => "next danger",
            Some(Level::Warning) => "next warning",
            Some(Level::Note) | None => "next entry",
        }
    }

    /// Goes to the next entry with a change that is not reviewed. After the last entry the first one follows.
    pub fn go_unreviewed(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let next = self.next(1, Listed::is_left).or_else(|| {
            let page = self.page.as_ref()?;
            page.next(0, 1, Listed::is_left)
        });
        self.go_or_say(next, "all changes of this page are reviewed", ctx)
    }

    /// Obeys a step of folding. The cursor stays on its row, or goes to the one that hides it. False if it does nothing.
    fn fold_page(&mut self, step: FoldStep, ctx: &Ctx<'_>) -> bool {
        let Some(page) = &mut self.page else {
            return false;
        };
        let folded = page
            .groups()
            .fold(self.cursor.row, step, |it| page.level(it));
        let Some((row, flipped)) = folded else {
            return false;
        };
        let place = page.groups().find(row);
        page.flip(&flipped);
        let row = place.and_then(|(block, offset)| page.groups().nearest(block, offset));
        self.cursor.select(row.unwrap_or(0));
        self.fit(ctx);
        true
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
        let (page, row) = (self.page.as_ref()?, self.row()?);
        if let Some(query) = row.query() {
            return Some(Outcome::List(query.to_owned()));
        }
        let entry = row.entry();
        if let Some(output) = row.output() {
            return Some(Outcome::GoToChange(ChangeId::Output(output)));
        }
        if let [id, ..] = row.ids() {
            return Some(Outcome::GoToChange(ChangeId::Resource(*id)));
        }
        if let Some([output]) = entry.map(|entry| &entry.outputs[..]) {
            return Some(Outcome::GoToChange(ChangeId::Output(*output)));
        }
        let title = page.part_of(self.cursor.row)?.title;
        if let Row::Rest(_) = row {
            return Some(Outcome::Show(leads_to(title)));
        }
        let is_failure = title == Title::Checks || entry.is_some_and(Entry::is_failure);
        (entry.is_some() && is_failure).then_some(Outcome::Show(View::Problems))
    }
}

impl ViewState for BriefView {
    fn fold(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        let step = command.on(self.is_open());
        if step == FoldStep::Enter {
            return self.target().unwrap_or(Outcome::Nothing);
        }
        if self.fold_page(step, ctx) {
            Outcome::Done
        } else {
            Outcome::Nothing
        }
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
        let is_there = self.page.is_some();
        is_there.then(|| self.rows(ctx, [0, 0], ctx.screen.panes[0]))
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
        if let Some(page) = self.page.as_mut().filter(|page| page.form != form) {
            let [row, top] = page.reshape(form, [self.cursor.row, self.cursor.top]);
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
        Some(self.page.as_ref()?.rows_of(found))
    }

    /// Goes by this number of sections.
    fn go_sibling(&mut self, _part: usize, times: isize, ctx: &Ctx<'_>) {
        for _ in 0..times.unsigned_abs() {
            let Some(row) = self.next(times.signum(), Listed::is_title) else {
                return;
            };
            self.go(row, ctx);
        }
    }

    fn go_around(&mut self, _part: usize, times: usize, ctx: &Ctx<'_>) -> Outcome {
        _ = (0..times).all(|_| self.fold_page(FoldStep::Out, ctx));
        Outcome::Done
    }

    fn row_texts(&self, _session: &Session) -> Option<RowTexts> {
        let page = self.page.as_ref();
        page.map(|page| page.texts(self.cursor.row))
    }

    fn find_row(&mut self, key: &RowKey, ctx: &Ctx<'_>) {
        self.touch();
        if let (Some(page), RowKey::Brief(anchor)) = (&mut self.page, key)
            && let Some(row) = page.open_found(anchor)
        {
            self.go(row, ctx);
        }
    }

    fn selected_key(&self) -> Option<RowKey> {
        let anchor = self.page.as_ref()?.anchor(self.cursor.row);
        anchor.map(RowKey::Brief)
    }

    fn go_to_key(&mut self, key: &RowKey, ctx: &Ctx<'_>) {
        let RowKey::Brief(anchor) = key else { return };
        match self.page.as_ref().and_then(|page| page.row_at(anchor)) {
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
