//! A brief: the changes of a file, condensed. One pass over the changed resources, in the order of the file.
//!
//! [`Brief::of`] reads; [`page`] has what a person sees of it, independent of how it is drawn.

mod findings;
pub mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use findings::{Alarm, Findings, Place};

use super::Document;
use crate::change::audit::schema_of;
use crate::change::causes::{Origin, sources};
use crate::change::kinds::{Kinds, Partition, Subject, follows_from_replacement, siblings};
use crate::change::leaves::{Leaf, leaves};
use crate::change::pairs::{Pairs, Shift};
use crate::change::review::{SectionDiff, review};
use crate::change::rules::{Changed, Rules};
use crate::stack::{Action, Resource, ResourceId};
use crate::terraform::schema::Schemas;

/// The changes of a file, condensed.
pub struct Brief {
    /// The kinds of change.
    pub partition: Partition,
    /// The resources that change only because another one changes, with that one. It follows from no other.
    pub followers: BTreeMap<ResourceId, ResourceId>,
    /// The changed resources with values that are not known before the apply, with the number of these values. Values that every
    /// new copy of a resource gets do not count.
    pub unknown: Vec<(ResourceId, usize)>,
    /// The deletions and creations that are one thing, and other changes of identity.
    pub shifts: Vec<Shift>,
    /// The resources that could not be read. They are in the kinds with their action alone.
    pub unread: Vec<ResourceId>,
    /// The findings of the rules.
    pub findings: Findings,
}

impl Brief {
    /// Reads all changed resources of a file. `None` as soon as `is_cancelled`.
    pub fn of(
        document: &Document,
        schemas: &Schemas,
        rules: &Rules,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let stack = &document.stack;
        let mut kinds = Kinds::default();
        let mut brief = Self {
            partition: Partition::default(),
            followers: BTreeMap::new(),
            unknown: Vec::new(),
            shifts: Vec::new(),
            unread: Vec::new(),
            findings: Findings::of(rules),
        };
        let mut pairs = Pairs::default();
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
                pairs.keep(&name);
                continue;
            }
            if is_cancelled() {
                return None;
            }
            let Ok(resource) = document.resource(id) else {
                brief.unread.push(id);
                kinds.add(subject, &[]);
                continue;
            };
            pairs.add(id, &name, &resource);
            let parts = parts(&resource, schemas);
            let changed = Changed {
                ty: stack.ty(id),
                action,
                parts: &parts,
            };
            brief.findings.add(stack, id, rules.check(&changed));
            let leaves = leaves(&parts);
            brief.take(document, id, action, &resource, &leaves);
            kinds.add(subject, &leaves);
        }
        brief.partition = kinds.finish();
        brief.shifts = pairs.finish();
        brief.settle();
        brief.findings.settle();
        Some(brief)
    }

    fn take(
        &mut self,
        document: &Document,
        id: ResourceId,
        action: Action,
        resource: &Resource,
        leaves: &[Leaf],
    ) {
        if !matches!(action, Action::Update | Action::Replace) {
            return;
        }
        let own = leaves
            .iter()
            .filter(|leaf| !leaf.is_without_effect() && !follows_from_replacement(action, leaf));
        let own: Vec<&Leaf> = own.collect();
        let n_unknown = own.iter().filter(|leaf| leaf.after.is_computed()).count();
        if n_unknown > 0 {
            self.unknown.push((id, n_unknown));
        }
        if own.is_empty() {
            return;
        }
        let mut read = |other| document.resource(other).ok().map(Arc::new);
        let origins = sources(&document.stack, id, resource, &mut read);
        let cause = |leaf: &&Leaf| -> Option<ResourceId> {
            let is_cause = |origin: &&Origin| origin.property.contains(&leaf.path);
            origins.iter().find(is_cause).map(|origin| origin.id)
        };
        let causes: Option<BTreeSet<ResourceId>> = own.iter().map(cause).collect();
        if let Some(cause) = causes.and_then(|causes| causes.first().copied()) {
            self.followers.insert(id, cause);
        }
    }

    /// Leads each follower to the first cause of its chain. Of a circle, the first resource follows from none.
    fn settle(&mut self) {
        let direct = std::mem::take(&mut self.followers);
        for id in direct.keys() {
            let (mut cause, mut seen) = (*id, BTreeSet::new());
            while let Some(next) = direct.get(&cause)
                && seen.insert(cause)
            {
                cause = *next;
            }
            let is_circle = direct.contains_key(&cause);
            let cause = if is_circle {
                seen.first().copied().unwrap_or(cause)
            } else {
                cause
            };
            if cause != *id {
                self.followers.insert(*id, cause);
            }
        }
    }
}

/// The changed leaves of a resource. Those of Terraform are compared as its schema says.
pub fn leaves_of(resource: &Resource, schemas: &Schemas) -> Vec<Leaf> {
    leaves(&parts(resource, schemas))
}

fn parts(resource: &Resource, schemas: &Schemas) -> Vec<SectionDiff> {
    let schema = schema_of(resource, schemas);
    review(resource, schema.as_ref().map(|schema| &schema.block))
}
