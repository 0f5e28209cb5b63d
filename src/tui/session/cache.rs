//! The resources that were read from the file.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::stack::{Resource, ResourceId};

/// Maximum number of resources that are kept.
const MAX_KEPT: usize = 256;

/// The resources that were read, and those that were requested.
#[derive(Default, Debug)]
pub struct Cache {
    entries: HashMap<ResourceId, Entry>,
    /// The resources that were read, in that order.
    order: VecDeque<ResourceId>,
}

#[derive(Default, Debug)]
struct Entry {
    resource: Option<Arc<Resource>>,
    is_requested: bool,
    /// True if it could not be read. Another request would have the same answer.
    is_unreadable: bool,
    /// True if the screen shows the resource as it was before it changed.
    is_outdated: bool,
}

impl Cache {
    /// A resource that was read recently.
    pub fn get(&self, id: ResourceId) -> Option<&Arc<Resource>> {
        self.entries.get(&id)?.resource.as_ref()
    }

    /// True if a resource could not be read.
    pub fn is_unreadable(&self, id: ResourceId) -> bool {
        self.entries.get(&id).is_some_and(|it| it.is_unreadable)
    }

    /// The resources that were read or requested.
    pub fn ids(&self) -> impl Iterator<Item = ResourceId> {
        self.entries.keys().copied()
    }

    /// Records that a resource is requested. False if it was already.
    pub fn request(&mut self, id: ResourceId) -> bool {
        let entry = self.entries.entry(id).or_default();
        !std::mem::replace(&mut entry.is_requested, true)
    }

    /// Takes the answer to a request; `None` if the resource could not be read. Returns true if the screen shows the resource as
    /// it was before it changed.
    pub fn take(&mut self, id: ResourceId, resource: Option<Arc<Resource>>) -> bool {
        let entry = self.entries.entry(id).or_default();
        entry.is_requested = false;
        entry.is_unreadable = resource.is_none();
        let was_outdated = std::mem::take(&mut entry.is_outdated);
        if let Some(resource) = resource
            && entry.resource.replace(resource).is_none()
        {
            self.order.push_back(id);
        }
        while self.order.len() > MAX_KEPT {
            if let Some(oldest) = self.order.pop_front() {
                self.entries.remove(&oldest);
            }
        }
        was_outdated
    }

    /// Forgets the requests under way: they have no answer any more.
    pub fn forget_requests(&mut self) {
        self.entries.retain(|_, entry| {
            entry.is_requested = false;
            entry.resource.is_some() || entry.is_outdated || entry.is_unreadable
        });
    }

    /// Drops a resource that changed since it was read. An answer under way may be from before the change, so the next request
    /// is a new one.
    pub fn drop(&mut self, id: ResourceId) {
        let entry = self.entries.remove(&id);
        if entry.is_some_and(|entry| entry.resource.is_some()) {
            self.order.retain(|kept| *kept != id);
        }
    }

    /// Records that the screen shows the resource as it was before it changed.
    pub fn outdate(&mut self, id: ResourceId) {
        self.entries.entry(id).or_default().is_outdated = true;
    }
}
