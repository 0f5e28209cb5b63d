//! Reading resources one by one, and updating the panes beside a list when its cursor moves.

use std::sync::Arc;

use super::Model;
use crate::format::ReadError;
use crate::stack::{Resource, ResourceId};
use crate::tree::Node;
use crate::tui::command::View;
use crate::tui::jobs::Job;
use crate::tui::widgets::text::plural;

/// Maximum number of resources that are kept after they were read.
const MAX_KEPT: usize = 256;

impl Model {
    /// Returns a resource that was read recently. Otherwise requests it and returns `None`.
    pub fn resource(&mut self, id: ResourceId) -> Option<Arc<Resource>> {
        if let Some(resource) = self.kept.get(&id) {
            return Some(Arc::clone(resource));
        }
        let document = self.document.clone()?;
        if self.reading.insert(id) {
            self.start(Job::Read(document, id));
        }
        None
    }

    /// A resource that was read recently.
    pub fn kept(&self, id: ResourceId) -> Option<&Arc<Resource>> {
        self.kept.get(&id)
    }

    pub(super) fn read(&mut self, id: ResourceId, resource: &Result<Arc<Resource>, ReadError>) {
        self.reading.remove(&id);
        let is_outdated = self.outdated.remove(&id);
        if let Err(ReadError::Source(crate::format::SourceError::Changed { .. })) = resource {
            self.file_changed();
        }
        if let Ok(resource) = resource {
            self.keep(id, Arc::clone(resource));
        }
        if self.difference.subject == Some(id) {
            self.set_difference(id, resource);
        }
        // One that cannot be read would be requested again, forever.
        if resource.is_ok() {
            self.drift_was_read(id);
        }
        let pulumi = self.is_pulumi();
        if self.detail.id() == Some(id) && (self.detail.resource.is_none() || is_outdated) {
            self.detail.set_resource(resource.clone());
            self.remake_detail();
            self.take_aim();
        }
        if self.view == View::Deps {
            self.explain_dep(id);
        }
        self.copy_awaited(id, resource);
        let node = Node::Resource(id);
        let is_wanted = if self.tree.has_props(node) {
            is_outdated
        } else {
            self.tree.tree.is_open(node) && !self.is_folder(id)
        };
        if is_wanted && let Ok(resource) = resource {
            self.tree.set_resource(id, resource, pulumi);
            let height = self.pane_height(0);
            self.tree.settle(height);
        }
    }

    fn keep(&mut self, id: ResourceId, resource: Arc<Resource>) {
        if self.kept.insert(id, resource).is_none() {
            self.kept_order.push_back(id);
        }
        while self.kept_order.len() > MAX_KEPT {
            if let Some(oldest) = self.kept_order.pop_front() {
                self.kept.remove(&oldest);
            }
        }
    }

    /// Updates the pane beside a list to match the cursor of the list.
    pub(super) fn follow(&mut self) {
        if self.view == View::Deps {
            self.center_deps();
        }
        match self.view {
            View::Resources => self.follow_tree(),
            View::Changes => self.follow_changes(),
            View::Outputs | View::Deps | View::Problems => {}
        }
    }

    fn follow_tree(&mut self) {
        let node = self.tree.node();
        if self.detail.subject == node {
            return;
        }
        self.detail.show(node);
        match node {
            Some(Node::Resource(id)) => {
                if let Some(resource) = self.resource(id) {
                    self.detail.set_resource(Ok(resource));
                }
            }
            Some(Node::Outputs) => {
                let stack = self.stack().clone();
                self.detail.set_outputs(&stack);
            }
            Some(node) => {
                let n = plural(self.tree.tree.n_resources(node), "resource");
                let what = match node {
                    Node::Group(_) => "in this module and the modules in it",
                    Node::Type(_) => "of this type",
                    _ => "that manage the other resources",
                };
                self.detail.set_summary(format!("{n} {what}"));
            }
            None => {}
        }
        self.remake_detail();
    }

    pub(super) fn remake_detail(&mut self) {
        let height = self.value_height();
        let pulumi = self.is_pulumi();
        let revealed = self
            .revealed
            .as_ref()
            .filter(|it| it.id == self.detail.id())
            .map(|it| it.spot.clone());
        self.detail.remake(revealed.as_ref(), pulumi, height);
    }

    pub(super) fn cycle_parts(&mut self) {
        self.detail.parts = self.detail.parts.next();
        self.remake_detail();
        let name = self.detail.parts.name();
        self.say(format!("showing {name}"));
    }
}
