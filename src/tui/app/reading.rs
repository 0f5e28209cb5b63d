//! Reading resources one by one, and updating the panes beside a list when its cursor moves.

use std::sync::Arc;

use super::App;
use crate::format::ReadError;
use crate::stack::{Resource, ResourceId};
use crate::tree::Node;
use crate::tui::command::View;
use crate::tui::jobs::Job;

impl App {
    /// Returns a resource that was read recently. Otherwise requests it and returns `None`.
    pub fn resource(&mut self, id: ResourceId) -> Option<Arc<Resource>> {
        if let Some(resource) = self.session.resources.get(id) {
            return Some(Arc::clone(resource));
        }
        let document = self.session.document.clone()?;
        if self.session.resources.request(id) {
            self.start(Job::Read(document, id));
        }
        None
    }

    pub(super) fn read(&mut self, id: ResourceId, resource: &Result<Arc<Resource>, ReadError>) {
        let kept = resource.as_ref().ok().map(Arc::clone);
        let is_outdated = self.session.resources.take(id, kept);
        if let Err(ReadError::Source(crate::format::SourceError::Changed { .. })) = resource {
            self.file_changed();
        }
        if self.views.changes.difference.subject == Some(id) {
            self.set_difference(id, resource);
        }
        // One that cannot be read would be requested again, forever.
        if resource.is_ok() {
            self.drift_was_read(id);
        }
        let pulumi = self.session.is_pulumi();
        if self.views.resources.detail.id() == Some(id)
            && (self.views.resources.detail.resource.is_none() || is_outdated)
        {
            self.views.resources.detail.set_resource(resource.clone());
            self.remake_detail();
            self.take_aim();
        }
        if self.window.view == View::Deps {
            let (views, ctx) = self.lend();
            views.deps.explain(id, &ctx);
        }
        self.explain_ripple();
        self.copy_awaited(id, resource);
        let node = Node::Resource(id);
        let is_wanted = if self.views.resources.tree.has_props(node) {
            is_outdated
        } else {
            self.views.resources.tree.tree.is_open(node)
                && !self.views.resources.is_folder(self.session.stack(), id)
        };
        if is_wanted && let Ok(resource) = resource {
            self.views.resources.tree.set_resource(id, resource, pulumi);
            let height = self.pane_height(0);
            self.views.resources.tree.settle(height);
        }
    }

    /// Updates the pane beside a list to match the cursor of the list.
    pub(super) fn follow(&mut self) {
        self.explain_ripple();
        if self.window.view == View::Changes {
            self.follow_changes();
        }
        let view = self.window.view;
        let (views, ctx) = self.lend();
        let outcome = views.follow(view, &ctx);
        self.apply(outcome);
    }

    pub(super) fn remake_detail(&mut self) {
        let (views, ctx) = self.lend();
        views.resources.remake_detail(&ctx);
    }
}
