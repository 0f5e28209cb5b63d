//! A brief: the changes of a file, condensed. One pass over the changed resources, on all cores. The brief of a file without changes
//! is what policies say about it.
//!
//! [`Brief::of`] reads; [`page`] has what a person sees of it, independent of how it is drawn.

mod findings;
mod followers;
mod known;
mod links;
mod outputs;
pub mod page;
pub mod plans;
mod policies;
mod sections;
mod slice;
pub mod stack_findings;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError, mpsc};

pub use findings::{Alarm, Findings, Place};
pub use known::{Known, Striking};
use slice::{Reading, Slice};

use super::Document;
use super::workers::n_workers;
use crate::change::difference::Extent;
use crate::change::groups::grouped;
use crate::change::kinds::Partition;
use crate::change::leaves::Leaf;
use crate::change::mechanisms::Notice;
use crate::change::pairs::Shift;
use crate::change::rules::{Mute, Rules};
use crate::stack::{Action, Resource, ResourceId, Stack};
use crate::terraform::schema::Schemas;

/// The changes of a file, condensed.
#[derive(PartialEq, Default, Debug)]
pub struct Brief {
    /// The stories.
    pub partition: Partition,
    /// The components that come or go whole, in words. They are the wholes of stories after the shifts.
    pub components: Vec<Arc<str>>,
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
    /// The findings of the mechanisms, the heaviest first.
    pub notices: Vec<Notice>,
    /// The values that became known, of a plan beside a state of its outcome.
    pub known: Vec<Known>,
    /// The things that are muted.
    pub muted: Muted,
    /// The changed resources that change an output with them, by its number.
    pub outputs: BTreeMap<usize, ResourceId>,
}

/// The things that are muted.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Muted {
    /// The mutes that leave something out, each with the changed resources of which it does, sorted by name.
    pub by: Vec<(Arc<Mute>, Vec<ResourceId>)>,
    /// The mutes whose last day is over.
    pub over: Vec<Arc<Mute>>,
    /// The resources of which nothing is told that changed outside, because a mute leaves it out.
    pub outside: BTreeSet<ResourceId>,
}

impl Muted {
    fn of(stack: &Stack, rules: &Rules, muted: Vec<(usize, ResourceId)>) -> Self {
        let by = grouped(muted).into_iter();
        let by = by.map(|(mute, ids)| (Arc::clone(&rules.mutes()[mute]), stack.by_name(ids)));
        Self {
            by: by.collect(),
            over: rules.mutes_over().to_vec(),
            outside: BTreeSet::new(),
        }
    }

    /// Adds what changed outside, where mutes leave out all of it.
    fn add_outside(&mut self, document: &Document, schemas: &Schemas, rules: &Rules) {
        let stack = &document.stack;
        if rules.mutes().is_empty() || stack.is_comparison {
            return;
        }
        for id in sections::drifted(stack) {
            let of_type = rules.mutes_of(stack.ty(id));
            let found = stack.drift_entry(id).unwrap_or(id);
            let leaves = (!of_type.is_empty()).then(|| leaves_in(document, found, schemas));
            let mut leaves = leaves.flatten().unwrap_or_default();
            leaves.retain(|leaf| !leaf.is_without_effect());
            let by = leaves.iter().map(|leaf| rules.muter(&of_type, leaf));
            let by: Option<BTreeSet<usize>> = by.collect();
            for mute in by.into_iter().flatten() {
                self.outside.insert(id);
                let mute = &rules.mutes()[mute];
                match self.by.iter_mut().find(|(it, _)| Arc::ptr_eq(it, mute)) {
                    Some((_, ids)) if ids.contains(&id) => {}
                    Some((_, ids)) => ids.push(id),
                    None => self.by.push((Arc::clone(mute), vec![id])),
                }
            }
        }
    }

    /// The mute that leaves out changes of a resource.
    pub fn of_resource(&self, id: ResourceId) -> Option<&Mute> {
        let by = self.by.iter().find(|(_, ids)| ids.contains(&id));
        by.map(|(mute, _)| &**mute)
    }
}

/// A brief in the making.
pub struct Progress<'p> {
    /// Number of changed resources that are read.
    pub n_read: usize,
    slice: &'p Slice,
    stack: &'p Stack,
}

impl Progress<'_> {
    /// The brief as far as it is known: the findings of the rules.
    pub fn so_far(&self) -> Brief {
        self.slice.so_far(self.stack)
    }
}

impl Brief {
    /// Reads all changed resources of a file. `None` as soon as `is_cancelled`.
    pub fn of(
        document: &Document,
        schemas: &Schemas,
        rules: &Rules,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        Self::watched(document, schemas, rules, is_cancelled, &mut |_| {})
    }

    /// Like [`Brief::of`]. `watch` gets the progress after each piece.
    pub fn watched(
        document: &Document,
        schemas: &Schemas,
        rules: &Rules,
        is_cancelled: &dyn Fn() -> bool,
        watch: &mut dyn FnMut(&Progress<'_>),
    ) -> Option<Self> {
        let stack = &document.stack;
        let policies = || policies::notices(rules.policies(), document, is_cancelled);
        if !stack.holds_changes() {
            return Some(Self {
                notices: policies(),
                ..Self::default()
            });
        }
        let reading = Reading {
            document,
            schemas,
            rules,
        };
        let ids = in_reading_order(stack);
        let mut whole = Slice::of(rules);
        let is_whole = on_workers(&ids, &|ids| Slice::read(reading, ids), &mut |slice| {
            whole.append(stack, slice);
            watch(&Progress {
                n_read: whole.n_changes,
                slice: &whole,
                stack,
            });
            until(is_cancelled)
        });
        is_whole.then(|| {
            let mut brief = whole.finish(document, rules, policies(), is_cancelled);
            brief.known = known::known(document, is_cancelled);
            brief.muted.add_outside(document, schemas, rules);
            brief
        })
    }
}

/// Deletions and replacements come first: most of what hurts is among them.
fn weight(stack: &Stack, id: ResourceId) -> u8 {
    match stack.effect(id) {
        Some(Action::Delete | Action::Replace) => 0,
        Some(action) if action != Action::Noop => 1,
        None | Some(_) => 2,
    }
}

/// All resources but those that only drifted, in the order in which they are read.
fn in_reading_order(stack: &Stack) -> Vec<ResourceId> {
    let ids = stack.ids().filter(|id| !stack.record(*id).flags.is_drift());
    let mut ids: Vec<ResourceId> = ids.collect();
    ids.sort_by_key(|id| weight(stack, *id));
    ids
}

/// Number of resources that are read in one go.
const PIECE: usize = 256;

/// Number of resources of the first piece, which is small so that its findings come soon. Each further one is twice as large.
const FIRST_PIECE: usize = 16;

/// Goes on until nobody waits for the answer.
fn until(is_cancelled: &dyn Fn() -> bool) -> ControlFlow<()> {
    if is_cancelled() {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Reads all pieces on several threads and passes them to `take` as they come. False if `take` ended it.
fn on_workers<T: Send>(
    ids: &[ResourceId],
    read: &(dyn Fn(&[ResourceId]) -> T + Sync),
    take: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> bool {
    let next = Mutex::new((ids, FIRST_PIECE));
    let piece = || {
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        let (rest, size) = *next;
        let (piece, rest) = rest.split_at(size.min(rest.len()));
        *next = (rest, PIECE.min(2 * size));
        (!piece.is_empty()).then_some(piece)
    };
    let work = || Some(read(piece()?));
    let n_others = n_workers().min(ids.len().div_ceil(PIECE)).saturating_sub(1);
    let (to_taker, from_workers) = mpsc::sync_channel(16);
    std::thread::scope(|scope| {
        for _ in 0..n_others {
            let (work, to_taker) = (&work, to_taker.clone());
            scope.spawn(move || {
                while let Some(slice) = work() {
                    if to_taker.send(slice).is_err() {
                        return;
                    }
                }
            });
        }
        drop(to_taker);
        while let Some(slice) = work() {
            let slices = std::iter::once(slice).chain(from_workers.try_iter());
            if slices.map(&mut *take).any(|flow| flow.is_break()) {
                return false;
            }
        }
        from_workers
            .into_iter()
            .all(|slice| take(slice).is_continue())
    })
}

/// The changed leaves of a resource. Those of Terraform are compared as its schema says.
pub fn leaves_of(stack: &Stack, resource: &Resource, schemas: &Schemas) -> Vec<Leaf> {
    slice::differences(stack, resource, schemas, Extent::Changes).1
}

/// The changed leaves of the resource `id`; `None` if it cannot be read.
fn leaves_in(document: &Document, id: ResourceId, schemas: &Schemas) -> Option<Vec<Leaf>> {
    let stack = &document.stack;
    let resource = document.resource(id).ok()?;
    Some(leaves_of(stack, &resource, schemas))
}

#[cfg(test)]
mod tests;
