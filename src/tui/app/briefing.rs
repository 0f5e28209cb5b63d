//! The brief of the changes: it is made in the background as soon as the file is read.

use std::sync::Arc;

use super::App;
use crate::stack::ResourceId;
use crate::tui::brief::Listed;
use crate::tui::command::View;
use crate::tui::jobs::Job;
use crate::tui::jobs::brief::BriefRequest;
use crate::tui::overlays::Outcome;

impl App {
    /// Requests the page of the brief, if the file has changes and was read to its end.
    pub(super) fn make_brief(&mut self) {
        if !self.views.changes.list.is_review || self.session.loading.is_some() {
            return;
        }
        if let Some(document) = self.session.document.clone() {
            self.start(Job::Brief(BriefRequest {
                document,
                schemas: self.session.schemas.clone(),
                rules: self.session.rules.clone(),
            }));
        }
        self.recall();
    }

    /// Takes the page; `n_read` is the number of resources read so far, if it is not whole.
    pub(super) fn briefed(&mut self, listed: Box<Listed>, n_read: Option<usize>) {
        let groups = n_read.is_none().then(|| Arc::clone(&listed.groups));
        self.with_views(|views, ctx| {
            views.brief.take(listed, n_read, ctx);
            match groups {
                Some(groups) => views.changes.take_brief(groups, ctx),
                None => Outcome::Done,
            }
        });
        self.follow();
        if n_read.is_none() {
            self.search_with_brief();
        }
        if self.window.view == View::Brief {
            // The first entry is not a choice.
            self.window.shown = None;
        }
    }

    /// Shows a view, unless the file has nothing for it.
    pub(super) fn open_view(&mut self, view: View) {
        if view.row().needs_changes && !self.views.changes.list.is_review {
            let why = match self.session.document {
                Some(_) => "this file holds no changes; open a plan, a preview, or two files",
                None => "no file is open",
            };
            self.say_error(format!("no {}: {why}", view.name().to_lowercase()));
            return;
        }
        self.set_view(view);
    }

    /// Goes to a change in the Changes view and remembers the current place. Opens what it is folded into. A resource that the list
    /// does not hold, or that its filter hides, is shown among the resources.
    pub(super) fn go_to_change(&mut self, id: ResourceId) {
        if !self.views.changes.list.select(id) {
            self.go_to(id);
            return;
        }
        self.remember();
        self.choose(id);
        self.set_view(View::Changes);
    }
}
