//! The kinds of change in a file: one pass over the changed resources, in the order of the file.

use super::Document;
use crate::change::audit::schema_of;
use crate::change::kinds::{Kinds, Partition, Subject, siblings};
use crate::change::leaves::{Leaf, leaves};
use crate::change::review::review;
use crate::stack::{Action, Resource, ResourceId};
use crate::terraform::schema::Schemas;

/// The changes of a file, condensed.
pub struct Brief {
    /// The kinds of change.
    pub partition: Partition,
    /// The resources that could not be read. They are in the kinds with their action alone.
    pub unread: Vec<ResourceId>,
}

impl Brief {
    /// Reads all changed resources of a file.
    pub fn of(document: &Document, schemas: &Schemas) -> Self {
        let stack = &document.stack;
        let mut kinds = Kinds::default();
        let mut unread = Vec::new();
        for id in stack.ids().filter(|id| !stack.record(*id).flags.is_drift()) {
            let action = stack.record(id).action.unwrap_or(Action::Noop);
            let (name, family) = (stack.identity(id), siblings::family(stack, id));
            let subject = Subject {
                id,
                name: &name,
                ty: stack.ty(id),
                family: &family,
                action,
            };
            if action == Action::Noop {
                kinds.add_unchanged(subject);
                continue;
            }
            let leaves = document
                .resource(id)
                .map(|resource| leaves_of(&resource, schemas));
            if leaves.is_err() {
                unread.push(id);
            }
            let leaves = leaves.unwrap_or_default();
            kinds.add(subject, &leaves);
        }
        Self {
            partition: kinds.finish(),
            unread,
        }
    }
}

/// The changed leaves of a resource. Those of Terraform are compared as its schema says.
pub fn leaves_of(resource: &Resource, schemas: &Schemas) -> Vec<Leaf> {
    let schema = schema_of(resource, schemas);
    leaves(&review(
        resource,
        schema.as_ref().map(|schema| &schema.block),
    ))
}
