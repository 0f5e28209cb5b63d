//! The brief: that of changes is made in the background as soon as the file is read, that of a state when somebody opens it.

use std::sync::Arc;

use super::App;
use crate::path::{Path, Segment};
use crate::search::OutputPlace;
use crate::stack::ChangeId;
use crate::tui::any_job::Takes;
use crate::tui::command::View;
use crate::tui::jobs::brief::{Briefed, MakeBrief};
use crate::tui::panes::Filter;

impl App {
    /// Requests the page of the brief, if the file was read to its end and has changes, or the view is in front.
    pub(super) fn make_brief(&mut self) {
        let is_review = self.views.changes.list.is_review;
        if is_review || self.window.view == View::Brief {
            self.request_brief();
        }
        if is_review && self.session.loading.is_none() {
            self.recall();
        }
    }

    fn request_brief(&mut self) {
        if self.session.loading.is_some() {
            return;
        }
        if let Some(document) = self.session.document.clone() {
            self.start(MakeBrief {
                document,
                schemas: self.session.schemas.clone(),
                rules: self.session.rules.clone(),
                costs: self.session.input.costs.clone(),
            });
        }
    }

    /// Makes the brief again, with the changes and findings that are muted or without them.
    pub(super) fn toggle_muted(&mut self) {
        if let Some(rules) = self.session.muting.take() {
            self.session.rules = Some(rules);
            self.say("muted changes are left out");
        } else {
            let rules = self.session.rules.as_ref();
            let Some(rules) = rules.filter(|rules| !rules.mutes().is_empty()) else {
                self.say("nothing is muted");
                return;
            };
            let all = rules.as_ref().clone().without_mutes();
            self.session.muting = self.session.rules.replace(Arc::new(all));
            self.say("muted changes are told too");
        }
        self.make_brief();
    }

    /// Shows a view. The brief of a state is made when somebody wants it.
    pub(super) fn open_view(&mut self, view: View) {
        self.set_view(view);
        let is_asked = view == View::Brief && self.views.changes.stories.is_empty();
        if is_asked && !self.session.stack().holds_changes() {
            self.request_brief();
        }
    }

    /// Lists the resources that a query finds.
    pub(super) fn list_query(&mut self, query: String) {
        self.remember();
        self.set_view(View::Resources);
        self.views.resources.tree.filter = Some(Filter::new(query));
        self.renew_filter();
    }

    /// Goes to a change in the Changes view and remembers the current place. Opens what it is folded into. A resource that the list
    /// does not hold, or that its filter hides, is shown among the resources, and an output among the outputs.
    pub(super) fn go_to_change(&mut self, change: ChangeId) {
        let is_listed = self.select_change(change);
        match change {
            ChangeId::Resource(id) if !is_listed => {
                // A resource that only changed outside is listed by the entry that says so.
                let entry = self.session.stack().drift_entry(id);
                return match entry.filter(|entry| *entry != id) {
                    Some(entry) => self.go_to_change(ChangeId::Resource(entry)),
                    None => self.go_to(id),
                };
            }
            _ => self.remember(),
        }
        match change {
            ChangeId::Resource(id) => self.choose(id),
            ChangeId::Output(at) if !is_listed => return self.show_output_at(at),
            ChangeId::Output(_) | ChangeId::Invocation(_) => {}
        }
        self.set_view(View::Changes);
        // The view shows the current resource first, and an output is none.
        if change.resource().is_none() && self.select_change(change) {
            self.follow();
        }
    }

    /// Selects a change in the Changes view, and opens what it is folded into. False if it is not listed there.
    pub(super) fn select_change(&mut self, change: ChangeId) -> bool {
        let (views, ctx) = self.lend();
        views.changes.select(change, &ctx)
    }

    fn show_output_at(&mut self, at: usize) {
        if let Some(output) = self.session.stack().outputs.get(at) {
            let name = Segment::Key(Arc::clone(&output.name));
            self.show_output(&OutputPlace {
                before: false,
                path: Path(vec![name]),
            });
        }
    }
}

impl Takes<MakeBrief> for App {
    fn take(&mut self, Briefed { listed, n_read }: Briefed) {
        self.with_views(|views, ctx| views.changes.take_page(listed, n_read, ctx));
        self.follow();
        if n_read.is_none() {
            self.search_with_brief();
        }
        if self.window.view == View::Brief || self.session.remembered.is_some() {
            // The first entry is not a choice.
            self.window.shown = None;
        }
    }

    fn lose(&mut self) {
        self.views.changes.lose_page();
        self.search_with_brief();
    }
}
