//! The Changes view: the list of changes, and the difference of the selected change.
//!
//! The list of a plan is the page of the brief, beside the difference: the same rows, cursor, folds and marks as in the Brief view. Its
//! other arrangements, and what a filter or an order leaves of it, are groups of single changes.
//!
//! The rows on the screen are explained in the background: the properties that change, and why. The difference follows the list as
//! soon as its resource is read.

mod why;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::why::{MAX_TOGETHER, name_of};
use super::brief::BriefView;
use super::{Ctx, NextFile, ViewState, Views, line_on_screen, steer};
use crate::change::audit::schema_of;
use crate::change::causes::Causes;
use crate::format::ReadError;
use crate::path::Segment;
use crate::search::{Index, SearchResult};
use crate::stack::{Action, ChangeId, Flags, Resource, ResourceId, Stack};
use crate::tui::brief::Listed;
use crate::tui::changes::Explained;
use crate::tui::command::{Command, FoldCommand, FoldStep, ListCommand, ReviewCommand};
use crate::tui::jobs::arrange::ArrangeChanges;
use crate::tui::jobs::explain::Explain;
use crate::tui::keymap;
use crate::tui::layout::Pane;
use crate::tui::outline::Laid;
use crate::tui::overlays::Outcome;
use crate::tui::overlays::actions::Actions;
use crate::tui::overlays::menu::MenuPopup;
use crate::tui::panes::Filter;
use crate::tui::panes::changes::{Arranged, Arrangement, ChangesPane, Topic, is_reviewed};
use crate::tui::panes::diff::{DiffPane, SIDES_FROM, Shows};
use crate::tui::preferences::MAX_CONTEXT;
use crate::tui::row_key::RowKey;
use crate::tui::rows::{Part, Spot};
use crate::tui::session::Session;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::text::plural;

/// The Changes view.
#[derive(Default, Debug)]
pub struct ChangesView {
    /// The stories of the brief, which are also the Brief view.
    pub stories: BriefView,
    /// The list of changes in every other arrangement.
    pub list: ChangesPane,
    /// The difference of the selected change.
    pub difference: DiffPane,
    /// True if the person moved in this view since the file was opened.
    was_moved: bool,
    /// The arrangement before the search in the bar listed a change that no story tells.
    before_found: Option<Arrangement>,
}

impl ChangesView {
    /// True if the list is the stories.
    pub fn lists_stories(&self) -> bool {
        self.list.lists_stories()
    }

    /// The selected change. Of a row about several resources it is the current one, else the first. Of a resource that only changed
    /// outside it is the entry that says so.
    pub fn selected_change(&self, session: &Session) -> Option<ChangeId> {
        if !self.lists_stories() {
            return self.list.selected_change();
        }
        let stack = session.stack();
        let own = session.current.map(|id| stack.own_record(id));
        let change = self.stories.change_beside(own)?;
        let is_still = |id: &ResourceId| {
            let topic = Topic::of(stack, *id);
            topic.is_none_or(|topic| topic == Topic::Change(Action::Noop))
        };
        let entry = change.resource().filter(is_still);
        let entry = entry.and_then(|id| stack.drift_entry(id));
        Some(entry.map_or(change, ChangeId::Resource))
    }

    /// Selects a change, and opens what it is folded into. The sections list a change that no story does. False if it is not in
    /// the list.
    pub fn select(&mut self, change: ChangeId, ctx: &Ctx<'_>) -> bool {
        if !self.lists_stories() {
            return self.list.select(change);
        }
        if self.stories.reveal(change, ctx) {
            return true;
        }
        let is_listed = self.list.select(change);
        if is_listed {
            self.before_found.get_or_insert(self.list.arrangement());
            self.list.chosen = Some(Arrangement::Action);
        }
        is_listed
    }

    /// Keeps what an earlier search changed.
    pub fn keep_found(&mut self) {
        self.before_found = None;
        if let Some(page) = &mut self.stories.page {
            page.keep_found();
        }
    }

    /// Takes back what a search changed that the person left: the arrangement, and the folds that it opened.
    pub fn forget_found(&mut self, ctx: &Ctx<'_>) {
        if let Some(chosen) = self.before_found.take() {
            self.list.chosen = Some(chosen);
        }
        self.stories.close_found(ctx);
    }

    /// Changes the list. The selected change stays selected, if another list comes in its place.
    fn rearrange(&mut self, ctx: &Ctx<'_>, change: impl FnOnce(&mut ChangesPane)) -> Outcome {
        let had_stories = self.lists_stories();
        let selected = self.selected_change(ctx.session);
        change(&mut self.list);
        if let Some(selected) = selected.filter(|_| had_stories != self.lists_stories()) {
            if had_stories {
                self.list.select(selected);
            } else if let Some(id) = selected.resource() {
                self.stories.lead_to(id, ctx);
            } else {
                self.stories.reveal(selected, ctx);
            }
        }
        self.renew(ctx)
    }

    /// Puts the cursor on a row of the list of groups. The stories in their place keep their own.
    pub fn go(&mut self, row: usize, ctx: &Ctx<'_>) {
        if !self.lists_stories() {
            steer(self, 0, ctx, |cursor, page| cursor.go(row, page));
        }
    }

    /// Goes to a resource after the same file was read again.
    pub fn resume(&mut self, id: ResourceId, ctx: &Ctx<'_>) {
        if self.lists_stories() {
            self.stories.resume(id, ctx);
        } else if let Some(row) = self.list.rows().row_of(id) {
            self.go(row, ctx);
        }
    }

    /// Opens and closes sections and groups.
    fn fold_list(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        let step = command.on(self.list.is_selected_open());
        if step == FoldStep::Enter {
            return Outcome::Focus(1);
        }
        if !self.list.fold(step) {
            return Outcome::Nothing;
        }
        self.fit(ctx);
        Outcome::Done
    }

    /// Shows more of a long value, goes to the cause of a change, or back to the list.
    fn fold_difference(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        match command.on(None) {
            FoldStep::Out => Outcome::Focus(0),
            FoldStep::Enter if self.difference.show_more() => Outcome::Done,
            FoldStep::Enter if command == FoldCommand::Activate => {
                self.follow_cause(ctx.session.stack())
            }
            FoldStep::Toggle
            | FoldStep::Into
            | FoldStep::OutAndClose
            | FoldStep::Enter
            | FoldStep::Below
            | FoldStep::Level(_)
            | FoldStep::Nothing => Outcome::Nothing,
        }
    }

    /// Brings the difference to the front after a command that only it shows, if the list hides it.
    fn to_difference(&self, outcome: Outcome, ctx: &Ctx<'_>) -> Outcome {
        let is_hidden = !ctx.screen.shows_both && ctx.screen.focus == 0;
        if is_hidden && self.selected(ctx.session).is_some() {
            return Outcome::All(vec![Outcome::Focus(1), outcome]);
        }
        outcome
    }

    fn go_change(&mut self, step: isize) -> Outcome {
        let difference = &self.difference;
        if difference.subject.is_none() && difference.beside.is_none() {
            return Outcome::Say("this row has no difference to go through".to_owned());
        }
        match self.difference.go_change(step) {
            true => Outcome::Done,
            false if step > 0 => Outcome::Say("no change below".to_owned()),
            false => Outcome::Say("no change above".to_owned()),
        }
    }

    /// Goes on after the selected change was marked as reviewed.
    pub fn go_on(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let mut outcomes = Vec::new();
        if ctx.screen.focus == 0 {
            outcomes.push(self.go_unreviewed(ctx));
        }
        let (stack, reviewed) = (ctx.session.stack(), &ctx.session.reviewed);
        let (reviewed, all) = self.list.progress(stack, reviewed);
        if reviewed == all {
            let said = match all {
                1 => "the only change is reviewed".to_owned(),
                all => format!("all {all} changes are reviewed"),
            };
            outcomes.push(Outcome::Say(said));
        }
        Outcome::All(outcomes)
    }

    fn go_unreviewed(&mut self, ctx: &Ctx<'_>) -> Outcome {
        if self.lists_stories() {
            return self.stories.go_unreviewed(ctx);
        }
        let here = self.list.cursor.row;
        let reviewed = &ctx.session.reviewed;
        if let Some(row) = self.list.next_unreviewed(reviewed, here + 1) {
            if row == here {
                return Outcome::Say("no other listed change is left to review".to_owned());
            }
            self.go(row, ctx);
            return Outcome::Done;
        }
        let Some(id) = self.list.rows().unreviewed_in_closed(reviewed) else {
            return Outcome::Say("all listed changes are reviewed".to_owned());
        };
        self.list.select(id.into());
        self.fit(ctx);
        Outcome::Done
    }

    /// The changes that are reviewed with the selected row. Beside the list it is the one of the difference.
    fn changes_of_row(&self, ctx: &Ctx<'_>) -> Vec<ChangeId> {
        if self.lists_stories() && ctx.screen.focus == 0 {
            return self.stories.selected_changes().collect();
        }
        let change = self.selected_change(ctx.session);
        change.into_iter().collect()
    }

    fn set_context(&mut self, context: usize) -> Outcome {
        let context = context.min(MAX_CONTEXT);
        self.difference.context = context;
        self.difference.remake();
        Outcome::Say(format!("{context} unchanged values around each change"))
    }

    /// Shows or hides a section of changes, in the sections if the stories are listed: these have all actions. The selected change
    /// stays selected.
    pub fn toggle(&mut self, topic: Topic, ctx: &Ctx<'_>) -> Outcome {
        if self.lists_stories() {
            _ = self.rearrange(ctx, |list| list.chosen = Some(Arrangement::Action));
        }
        self.toggle_section(topic, ctx)
    }

    fn toggle_section(&mut self, topic: Topic, ctx: &Ctx<'_>) -> Outcome {
        self.list.toggle(topic);
        self.renew(ctx)
    }

    fn toggle_noise(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let shows = self.difference.shows.next();
        self.difference.shows = shows;
        let noop = Topic::Change(Action::Noop);
        let is_told = self.lists_stories();
        let outcome = if (shows == Shows::All) == self.list.folds.lists(noop) {
            Outcome::Done
        } else {
            self.toggle_section(noop, ctx)
        };
        self.difference.remake();
        let mut said = shows.words().to_owned();
        if is_told && shows == Shows::All {
            let arrange = keymap::key_of(Command::List(ListCommand::Arrange));
            said = format!("{said} · {arrange} lists unchanged resources too");
        }
        Outcome::All(vec![outcome, Outcome::Say(said)])
    }

    /// Lists only the changes that a search found.
    pub fn filter(&mut self, filter: Filter, ctx: &Ctx<'_>) -> Outcome {
        let n = plural(filter.ids.len() + filter.outputs.len(), "change");
        let said = Outcome::Say(format!("filtered to {n}{}", filter.reading.words()));
        let filtered = self.rearrange(ctx, |list| list.filter = Some(filter));
        Outcome::All(vec![filtered, said])
    }

    /// Takes the new result of the filter.
    pub fn renew_filter(&mut self, found: &SearchResult, index: &Index, ctx: &Ctx<'_>) -> Outcome {
        let Some(filter) = self.list.filter.take() else {
            return Outcome::Done;
        };
        self.list.filter = Some(filter.with(found, index));
        self.renew(ctx)
    }

    /// Makes the list as it is wanted now.
    pub fn renew(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let Some(request) = self.list.request() else {
            self.list.set_arranged(None);
            self.fit(ctx);
            return Outcome::Done;
        };
        let stack = ctx.session.stack().clone();
        Outcome::Start(Box::new(ArrangeChanges(stack, request)))
    }

    /// Makes an arranged list again after resources were added or these changed.
    pub fn renew_arranged(&mut self, renewed: &[ResourceId], ctx: &Ctx<'_>) -> Outcome {
        let seen = self.list.arranged().map_or(0, |it| it.n_seen);
        let is_changed = !renewed.is_empty() && ctx.session.loading.is_none();
        if is_changed || ctx.session.is_due(seen) {
            return self.renew(ctx);
        }
        Outcome::Done
    }

    /// Takes an arranged list, unless the list is no longer wanted in an arrangement. Before the first key no row was chosen, and
    /// the cursor is on the first change.
    pub fn take_arranged(&mut self, arranged: Arranged, ctx: &Ctx<'_>) {
        if self.list.request().is_none() {
            return;
        }
        let is_chosen = ctx.session.touched || self.list.is_reloaded;
        if !is_chosen {
            // No row.
            self.list.cursor.select(usize::MAX);
        }
        self.list.set_arranged(Some(arranged));
        self.fit(ctx);
        if let Some(first) = self.list.first_change().filter(|_| !is_chosen) {
            self.list.cursor = Cursor::at(first, 0);
            self.fit(ctx);
        }
    }

    /// Takes the page of the brief, or with `n_read` as much as is known after this number of resources. The difference is made
    /// again with its findings. A change that the person selected before stays selected, at its place on the screen.
    pub fn take_page(
        &mut self,
        listed: Box<Listed>,
        n_read: Option<usize>,
        ctx: &Ctx<'_>,
    ) -> Outcome {
        let had_stories = self.lists_stories();
        let selected = self.list.selected_change();
        let n_above = line_on_screen(self, 0, ctx);
        let (findings, has_changes) = (Arc::clone(&listed.findings), listed.has_changes());
        self.stories.take(listed, n_read, ctx);
        if n_read.is_some() || !self.list.is_review {
            return Outcome::Done;
        }
        self.list.findings = Some(findings);
        self.list.has_stories = has_changes;
        let is_new = self.lists_stories() && !had_stories;
        if let Some(change) = selected.filter(|_| is_new && self.was_moved) {
            self.stories.put_change(change, n_above, ctx);
        }
        self.fit(ctx);
        self.renew_difference(ctx)
    }

    /// Takes that the page could not be made.
    pub fn lose_page(&mut self) {
        self.stories.fail();
        self.list.findings = None;
        self.list.has_stories = false;
    }

    /// Requests the explanations of the selected story: the difference names its causes.
    pub fn explain_stories(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let ids = self.stories.selected_ids();
        let n = if ids.len() > MAX_TOGETHER {
            1
        } else {
            ids.len()
        };
        let own = ctx.session.current;
        let own = own.map(|id| ctx.session.stack().own_record(id));
        let beside = self.stories.change_beside(own);
        let beside = beside.and_then(ChangeId::resource).into_iter();
        let is_change = |id: &ResourceId| Topic::of(ctx.session.stack(), *id).is_some();
        let wanted = beside.chain(ids[..n].iter().copied()).filter(is_change);
        let wanted: Vec<_> = wanted.collect();
        self.request(&wanted, ctx)
    }

    /// Requests the explanations of the rows on the screen.
    fn explain_rows(&mut self, ctx: &Ctx<'_>) -> Outcome {
        if self.lists_stories() {
            return self.explain_stories(ctx);
        }
        let stack = ctx.session.stack();
        let selected = self.list.selected();
        let on_screen = self.list.on_screen(ctx.height(0));
        let on_screen = on_screen.filter(|id| Some(*id) != selected && is_explained(stack, *id));
        let wanted: Vec<_> = selected.into_iter().chain(on_screen).collect();
        self.request(&wanted, ctx)
    }

    /// Requests the explanations that are not known. One request is under way at a time, so that a person who scrolls fast never
    /// waits for rows that are gone from the screen.
    fn request(&mut self, wanted: &[ResourceId], ctx: &Ctx<'_>) -> Outcome {
        let list = &mut self.list;
        let is_unknown = |id: &&ResourceId| !list.whys.contains_key(*id);
        let ids: Vec<_> = wanted.iter().filter(is_unknown).copied().collect();
        // Dependencies are unknown until the end of the file.
        let is_free = ctx.session.loading.is_none() && list.asked.is_empty();
        match &ctx.session.document {
            Some(document) if is_free && !ids.is_empty() => {
                list.asked.clone_from(&ids);
                Outcome::Start(Box::new(Explain {
                    document: document.clone(),
                    ids,
                    schemas: ctx.session.schemas.clone(),
                }))
            }
            Some(_) | None => Outcome::Done,
        }
    }

    /// Takes the explanation of a change. The difference of the change is made again.
    pub fn take_explained(
        &mut self,
        id: ResourceId,
        explained: Explained,
        ctx: &Ctx<'_>,
    ) -> Outcome {
        self.list.whys.insert(id, Arc::new(explained));
        self.list.asked.retain(|asked| *asked != id);
        if self.difference.subject == Some(id) {
            return self.renew_difference(ctx);
        }
        Outcome::Done
    }

    /// Takes a resource that was read, if the difference shows it or its drift entry.
    pub fn take(
        &mut self,
        id: ResourceId,
        resource: &Result<Arc<Resource>, ReadError>,
        ctx: &Ctx<'_>,
    ) -> Outcome {
        let subject = self.difference.subject;
        if subject == Some(id) {
            return self.set_difference(id, resource, ctx);
        }
        // An entry that cannot be read would be requested again, forever.
        let is_entry = subject.is_some_and(|subject| self.drift_entry(subject, ctx) == Some(id));
        if is_entry && resource.is_ok() {
            return self.renew_difference(ctx);
        }
        Outcome::Done
    }

    /// Makes the difference again, if its resource is loaded.
    pub fn renew_difference(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let subject = self.difference.subject;
        let resource = subject.and_then(|id| Some((id, ctx.session.resources.get(id)?)));
        match resource {
            Some((id, resource)) => self.set_difference(id, &Ok(Arc::clone(resource)), ctx),
            None => Outcome::Done,
        }
    }

    /// Takes the resource of the difference. Requests its drift entry.
    fn set_difference(
        &mut self,
        id: ResourceId,
        resource: &Result<Arc<Resource>, ReadError>,
        ctx: &Ctx<'_>,
    ) -> Outcome {
        let stack = ctx.session.stack();
        let entry = self.drift_entry(id, ctx);
        let drift = entry.and_then(|entry| ctx.session.resources.get(entry).cloned());
        let missing = entry.filter(|_| drift.is_none());
        let schema = match (resource, &ctx.session.schemas) {
            (Ok(resource), Some(schemas)) => schema_of(resource, schemas).map(Arc::new),
            _ => None,
        };
        // The explanation knows the sources. It comes soon, and the difference is made again.
        let explained = self.list.whys.get(&id);
        let sources = explained.map_or_else(Vec::new, |it| it.sources.clone());
        let causes = resource.as_ref().ok().map(|resource| {
            let resource = Arc::clone(resource);
            Causes::of(stack, sources, resource, schema.clone(), drift)
        });
        let origins = causes.iter().flat_map(Causes::origins);
        let names = origins.map(|origin| name_of(stack, origin)).collect();
        let is_drift = stack.record(id).flags.contains(Flags::DRIFT_ENTRY);
        let address = stack.address(id).filter(|_| !is_drift);
        let invoked = address.map_or(&[][..], |address| stack.invocations_of(address));
        self.difference.set_invoked(invoked);
        let findings = self.list.findings.iter();
        let findings = findings.flat_map(|findings| findings.about(id));
        self.difference.set_findings(findings.cloned().collect());
        let schema = schema.as_ref().map(|schema| &schema.block);
        self.difference.set(resource, schema, causes, names);
        missing.map_or(Outcome::Done, Outcome::Read)
    }

    /// The drift entry of a resource, if the plan has one and the resource is not that entry itself.
    fn drift_entry(&self, id: ResourceId, ctx: &Ctx<'_>) -> Option<ResourceId> {
        let address = ctx.session.stack().address(id)?;
        let entry = *self.list.drifted.get(address)?;
        (entry != id).then_some(entry)
    }

    /// Shows both sides of the revealed value in the difference, if it belongs to the same resource.
    pub fn reveal(&mut self, ctx: &Ctx<'_>) {
        let subject = self.difference.subject;
        let is_known = subject.is_some() || self.difference.beside.is_some();
        let revealed = ctx.session.revealed_in(subject).filter(|_| is_known);
        self.difference.reveal(revealed.cloned());
    }
}

impl ViewState for ChangesView {
    fn fold(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        match ctx.screen.focus {
            0 if self.lists_stories() => {
                let is_entered = command.on(self.stories.is_open()) == FoldStep::Enter;
                if is_entered && self.selected_change(ctx.session).is_some() {
                    return Outcome::Focus(1);
                }
                self.stories.fold(command, ctx)
            }
            0 => self.fold_list(command, ctx),
            _ => self.fold_difference(command, ctx),
        }
    }

    fn arrange(&mut self, command: ListCommand, ctx: &Ctx<'_>) -> Outcome {
        let (arranged, said) = match command {
            ListCommand::Noise => return self.toggle_noise(ctx),
            ListCommand::Sort => {
                let sorted = self.rearrange(ctx, |list| list.order = list.order.next());
                (sorted, format!("sorted by {}", self.list.order.name()))
            }
            ListCommand::Arrange => {
                let arranged = self.rearrange(ctx, ChangesPane::choose_next);
                let name = self.list.arrangement().name(ctx.session.stack());
                (arranged, format!("arranged {name}"))
            }
        };
        Outcome::All(vec![arranged, Outcome::Say(said)])
    }

    fn unfilter(&mut self, ctx: &Ctx<'_>) -> Outcome {
        if self.list.filter.is_none() {
            return Outcome::Nothing;
        }
        let cleared = self.rearrange(ctx, |list| list.filter = None);
        Outcome::All(vec![cleared, Outcome::unfiltered()])
    }

    fn review(&mut self, command: ReviewCommand, ctx: &Ctx<'_>) -> Outcome {
        match command {
            ReviewCommand::NextChange => self.go_change(1),
            ReviewCommand::PrevChange => self.go_change(-1),
            ReviewCommand::Reviewed => Outcome::review(self.changes_of_row(ctx)),
            ReviewCommand::Note => {
                let mut changes = self.changes_of_row(ctx);
                changes.retain(|it| is_reviewed(ctx.session.stack(), *it));
                Outcome::note(changes)
            }
            ReviewCommand::NextUnreviewed => self.go_unreviewed(ctx),
            ReviewCommand::Actions => {
                let actions = Actions::new(ctx.session.stack(), self.list.counts().collect());
                Outcome::Open(Box::new(MenuPopup::new(actions)))
            }
            ReviewCommand::Why if self.lists_stories() && ctx.screen.focus == 0 => {
                self.why_of(self.stories.selected_ids(), ctx)
            }
            ReviewCommand::Why => self.why(ctx),
            ReviewCommand::SideBySide => {
                self.difference.side_by_side = !self.difference.side_by_side;
                let is_narrow = ctx.screen.panes[1].inner.width < SIDES_FROM;
                let said = match self.difference.side_by_side {
                    true if is_narrow => format!(
                        "side by side needs a wider pane · {} and {} widen it",
                        keymap::key_of(Command::Narrower),
                        keymap::key_of(Command::Zoom)
                    ),
                    true => "side by side".to_owned(),
                    false => "unified".to_owned(),
                };
                self.to_difference(Outcome::Say(said), ctx)
            }
            ReviewCommand::MoreContext => {
                let said = self.set_context(self.difference.context + 1);
                self.to_difference(said, ctx)
            }
            ReviewCommand::LessContext => {
                let said = self.set_context(self.difference.context.saturating_sub(1));
                self.to_difference(said, ctx)
            }
        }
    }

    fn laid<'a>(&'a self, part: usize, ctx: &Ctx<'a>) -> Option<Laid<'a>> {
        let pane = ctx.screen.panes[part.min(1)];
        Some(match part {
            0 if self.lists_stories() => return self.stories.laid(part, ctx),
            0 => self.list.laid(ctx.session, pane),
            _ => self.difference.laid(pane),
        })
    }

    fn set_cursor(&mut self, part: usize, cursor: Cursor, _ctx: &Ctx<'_>) {
        match part {
            0 if self.lists_stories() => self.stories.cursor = cursor,
            0 => self.list.cursor = cursor,
            _ => self.difference.cursor = cursor,
        }
    }

    fn view(&self, _all: &Views, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
        let [left, right] = panes;
        if !left.outer.is_empty() && self.lists_stories() {
            let row = self.stories.cursor.words(self.stories.n_rows());
            self.list.frame(ctx.of_pane(0), left, row, buffer);
            self.stories.draw_rows(ctx, &self.list, left, buffer);
        } else if !left.outer.is_empty() {
            self.list.view(ctx.of_pane(0), left, buffer);
        }
        if !right.outer.is_empty() {
            self.difference.view(ctx.of_pane(1), right, buffer);
        }
    }

    fn follow(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let explain = self.explain_rows(ctx);
        let change = self.selected_change(ctx.session);
        let selected = change.and_then(ChangeId::resource);
        if let Some(beside) = change.filter(|it| it.resource().is_none()) {
            if self.difference.beside != change {
                self.difference.show_beside(beside, ctx.session.stack());
            }
            return explain;
        }
        if self.difference.subject == selected && self.difference.beside.is_none() {
            return explain;
        }
        self.difference.show(selected);
        let difference = match selected {
            Some(id) if ctx.session.resources.get(id).is_none() => Outcome::Read(id),
            Some(_) | None => self.renew_difference(ctx),
        };
        Outcome::All(vec![explain, difference])
    }

    fn touch(&mut self) {
        self.was_moved = true;
        if self.lists_stories() {
            self.stories.touch();
        }
    }

    fn fit(&mut self, ctx: &Ctx<'_>) {
        if self.lists_stories() {
            self.stories.fit(ctx);
        } else {
            steer(self, 0, ctx, Cursor::fit);
        }
        steer(self, 1, ctx, Cursor::fit);
    }

    fn go_sibling(&mut self, part: usize, times: isize, ctx: &Ctx<'_>) {
        if part == 0 && self.lists_stories() {
            return self.stories.go_sibling(part, times, ctx);
        }
        steer(self, part, ctx, |cursor, page| cursor.step(times, page));
    }

    fn show(&mut self, id: ResourceId, ctx: &Ctx<'_>) -> Outcome {
        if self.lists_stories() {
            self.stories.see();
            self.stories.lead_to(id, ctx);
        } else if self.list.selected() != Some(id) && self.list.can_show(id) {
            self.list.select(id.into());
            self.fit(ctx);
        }
        Outcome::Done
    }

    fn go_to_key(&mut self, key: &RowKey, ctx: &Ctx<'_>) {
        let RowKey::Change(key) = key else { return };
        if let Some(row) = self.list.rows().nearest_row(key) {
            self.go(row, ctx);
        }
    }

    fn clear(&mut self, next: NextFile) {
        match next {
            NextFile::Other => self.list.clear(),
            NextFile::Same => self.list.clear_to_reload(),
        }
        self.difference.show(None);
        self.was_moved = false;
    }

    fn n_panes(&self) -> usize {
        2
    }

    fn go_around(&mut self, part: usize, times: usize, ctx: &Ctx<'_>) -> Outcome {
        if part == 1 {
            return Outcome::Focus(0);
        }
        if self.lists_stories() {
            return self.stories.go_around(part, times, ctx);
        }
        _ = (0..times).all(|_| self.list.fold(FoldStep::Out));
        self.fit(ctx);
        Outcome::Done
    }

    fn beside_selected(&self, pane: usize, ctx: &Ctx<'_>) -> Option<Rect> {
        let is_beside = pane == 0 && ctx.screen.shows_both;
        is_beside.then(|| self.difference.drawn_area(ctx.screen.panes[1]))
    }

    fn selected_key(&self) -> Option<RowKey> {
        if self.lists_stories() {
            return self.stories.selected_key();
        }
        self.list.selected_key().map(RowKey::Change)
    }

    fn cursors(&self) -> [Cursor; 2] {
        let list = if self.lists_stories() {
            self.stories.cursor
        } else {
            self.list.cursor
        };
        [list, self.difference.cursor]
    }

    fn listed(&self, session: &Session, limit: usize) -> Option<Vec<ResourceId>> {
        if self.lists_stories() {
            return ViewState::listed(&self.stories, session, limit);
        }
        Some(self.list.ids(0..4 * limit).take(limit).collect())
    }

    fn number(&self) -> usize {
        self.list.n_changes()
    }

    fn first_change(&self, session: &Session) -> Option<ChangeId> {
        self.selected_change(session)
    }

    fn selected(&self, session: &Session) -> Option<ResourceId> {
        self.selected_change(session).and_then(ChangeId::resource)
    }

    fn spot(&self, pane: usize, session: &Session) -> Option<(Option<ResourceId>, Spot)> {
        if pane == 1 {
            return Some((self.difference.subject, self.difference.spot()?));
        }
        // An output is a value of the stack.
        let ChangeId::Output(at) = self.selected_change(session)? else {
            return None;
        };
        let name = Arc::clone(&session.stack().outputs.get(at)?.name);
        Some((None, Spot::top(Part::Outputs).child(Segment::Key(name))))
    }

    fn is_secret(&self, pane: usize) -> bool {
        pane == 1 && self.difference.is_on_secret()
    }
}

/// True if the row of a change names properties and a cause.
fn is_explained(stack: &Stack, id: ResourceId) -> bool {
    let action = stack.record(id).action;
    let is_explained = |it| {
        matches!(
            it,
            Action::Replace | Action::Update | Action::Delete | Action::Forget
        )
    };
    action.is_some_and(is_explained)
}
