//! Reading resources one by one, and explaining changes. The answers go to the views.

use std::sync::Arc;

use super::App;
use crate::format::ReadError;
use crate::stack::{ChangeId, Resource, ResourceId};
use crate::terraform::schema::Schemas;
use crate::tui::any_job::Takes;
use crate::tui::changes;
use crate::tui::command::View;
use crate::tui::jobs::Job;
use crate::tui::jobs::arrange::ArrangeChanges;
use crate::tui::jobs::explain::Explain;
use crate::tui::jobs::read::Read;
use crate::tui::panes::changes::is_reviewed;
use crate::tui::widgets::text::plural;

impl App {
    /// Returns a resource that was read recently. Otherwise requests it and returns `None`.
    pub fn resource(&mut self, id: ResourceId) -> Option<Arc<Resource>> {
        if let Some(resource) = self.session.resources.get(id) {
            return Some(Arc::clone(resource));
        }
        let document = self.session.document.clone()?;
        if self.session.resources.request(id) {
            self.start(Read(document, id));
        }
        None
    }

    /// Drops the requests for explanations and makes them again for the rows on the screen.
    fn explain_again(&mut self) {
        self.session.tickets.forget::<Explain>();
        self.views.changes.list.asked.clear();
        self.follow();
    }

    /// Takes the schemas of the providers. Differences use them from now on.
    pub(super) fn take_schemas(&mut self, schemas: Arc<Schemas>) {
        self.session.schemas = Some(schemas);
        self.views.changes.list.whys.clear();
        self.explain_again();
        self.with_views(|views, ctx| views.changes.renew_difference(ctx));
        self.make_brief();
    }

    /// Marks changes as reviewed and goes on to the next one. If all are marked, removes the marks.
    pub(super) fn review(&mut self, mut changes: Vec<ChangeId>) {
        let stack = self.session.stack();
        changes.retain(|change| is_reviewed(stack, *change));
        if changes.is_empty() {
            self.say_error("only changes can be marked as reviewed");
            return;
        }
        let reviewed = &self.session.reviewed;
        if changes.iter().all(|change| reviewed.contains(change)) {
            for change in changes {
                self.unmark_reviewed(change);
            }
            self.say("not reviewed");
            return;
        }
        let n = changes.len();
        for change in changes {
            self.mark_reviewed(change);
        }
        if self.window.view == View::Brief || self.views.changes.lists_stories() {
            self.say(format!("{} reviewed", plural(n, "change")));
        }
        if self.window.view == View::Brief {
            self.with_views(|views, ctx| views.changes.stories.go_unreviewed(ctx));
        } else {
            self.with_views(|views, ctx| views.changes.go_on(ctx));
        }
    }

    pub(super) fn mark_reviewed(&mut self, change: ChangeId) {
        if self.session.reviewed.insert(change) {
            self.count_reviewed(change, 1);
        }
    }

    fn unmark_reviewed(&mut self, change: ChangeId) {
        if self.session.reviewed.remove(&change) {
            self.count_reviewed(change, -1);
        }
    }

    fn count_reviewed(&mut self, change: ChangeId, step: isize) {
        if let Some(page) = &mut self.views.changes.stories.page {
            page.count_reviewed(change, step);
        }
        self.record(change);
    }
}

impl Takes<Read> for App {
    fn take(&mut self, (id, resource): <Read as Job>::Answer) {
        let kept = resource.as_ref().ok().map(Arc::clone);
        let is_outdated = self.session.resources.take(id, kept);
        if let Err(ReadError::Source(crate::format::SourceError::Changed { .. })) = resource {
            self.file_changed();
        }
        self.with_views(|views, ctx| views.take(id, &resource, is_outdated, ctx));
        self.take_aim();
    }

    fn lose(&mut self) {
        self.session.resources.forget_requests();
    }
}

impl Takes<Explain> for App {
    fn take(&mut self, (id, explained): <Explain as Job>::Answer) {
        self.with_views(|views, ctx| views.changes.take_explained(id, explained, ctx));
        self.follow();
    }

    /// Requests the others again. The one that crashed stays empty: it would crash again.
    fn lose(&mut self) {
        let list = &mut self.views.changes.list;
        if let Some(first) = list.asked.first() {
            list.whys.insert(*first, Arc::default());
        }
        self.explain_again();
    }
}

impl Takes<ArrangeChanges> for App {
    fn take(&mut self, arranged: changes::Arranged) {
        let (views, ctx) = self.lend();
        views.changes.take_arranged(arranged, &ctx);
        self.follow();
    }
}
