//! A part of the resources of a file, as a brief sees them: each resource read once, and kept as hashes and counts.
//!
//! [`Slice::add_changed`] adds a changed resource, [`Slice::append`] joins another part of the file, and [`Slice::finish`] draws the
//! conclusions. New mechanisms belong to [`mechanisms`](crate::change::mechanisms), not here.
//!
//! # Laws
//!
//! 1. The brief does not depend on the parts that a file is divided into, nor on the order in which they are added.
//! 2. Nothing but the values of findings is kept of a resource, and these only of the first ones of each rule.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use hashbrown::HashSet;

use super::followers::Followers;
use super::links::{Found, WHOLE, links};
use super::outputs::Outputs;
use super::{Brief, Findings, Muted, on_workers, until};
use crate::change::apply_order::creates_first;
use crate::change::audit::schema_of;
use crate::change::causes::{is_by_provider, possible_sources};
use crate::change::difference::Extent;
use crate::change::empties;
use crate::change::kinds::{Components, Kinds, LeafPrint, Subject, has_effect, told};
use crate::change::leaves::{Leaf, leaves};
use crate::change::mechanisms::{Documents, Mechanisms, Notice, Reader, Seen, is_asked};
use crate::change::pairs::{Pairs, joined};
use crate::change::review::{SectionDiff, forcing_paths, properties, review_of};
use crate::change::rules::{Changed, Finding, Level, Rules};
use crate::format::Source;
use crate::load::Document;
use crate::load::ahead::Ahead;
use crate::path::Path;
use crate::stack::{Action, Flags, Resource, ResourceId, Stack};
use crate::terraform::schema::Schemas;
use crate::value::Value;

/// Everything that is read while a brief is made.
#[derive(Clone, Copy)]
pub(super) struct Reading<'r> {
    pub(super) document: &'r Document,
    pub(super) schemas: &'r Schemas,
    pub(super) rules: &'r Rules,
}

/// The resources read so far.
#[derive(Default)]
pub(super) struct Slice {
    /// Number of changed resources.
    pub(super) n_changes: usize,
    findings: Findings,
    kinds: Kinds,
    pairs: Pairs,
    followers: Followers,
    mechanisms: Mechanisms,
    /// The resources with values that are not known before the apply, with the number of these values.
    unknown: Vec<(ResourceId, usize)>,
    unread: Vec<ResourceId>,
    /// The resources of which a mute leaves something out, with its number.
    muted: Vec<(usize, ResourceId)>,
    outputs: Outputs,
    /// The replaced resources that their providers may replace.
    by_provider: HashSet<ResourceId>,
}

impl Slice {
    /// No resources yet, which are looked at with these rules.
    pub(super) fn of(rules: &Rules) -> Self {
        Self {
            findings: Findings::of(rules),
            ..Self::default()
        }
    }

    /// Reads some resources.
    pub(super) fn read(reading: Reading<'_>, ids: &[ResourceId]) -> Self {
        let stack = &reading.document.stack;
        let mut slice = Self {
            outputs: Outputs::of(stack),
            ..Self::default()
        };
        let is_changed =
            |id: &ResourceId| !matches!(stack.record(*id).action, None | Some(Action::Noop));
        let ahead = Ahead::new(
            &*reading.document.source,
            stack,
            ids.iter().copied().filter(is_changed),
        );
        for id in ids {
            slice.add(reading, *id, &ahead);
        }
        slice
    }

    fn add(&mut self, reading: Reading<'_>, id: ResourceId, source: &dyn Source) {
        let stack = &reading.document.stack;
        let name = stack.identity(id);
        let subject = Subject {
            id,
            name: &name,
            ty: stack.ty(id),
            action: stack.effect(id).unwrap_or(Action::Noop),
            is_missed: stack.record(id).flags.contains(Flags::NOT_DONE),
            is_in_order: !reading.rules.knows(stack.ty(id)),
            mute: None,
        };
        if subject.action == Action::Noop {
            self.pairs.keep(&name);
            return;
        }
        self.n_changes += 1;
        let Ok(resource) = reading.document.resource_from(id, source) else {
            self.unread.push(id);
            self.kinds.add(subject, &[], &|_| false, &|_| true);
            return;
        };
        self.add_changed(reading, subject, &resource);
    }

    fn add_changed(&mut self, reading: Reading<'_>, mut subject: Subject<'_>, resource: &Resource) {
        let stack = &reading.document.stack;
        let Subject { id, action, .. } = subject;
        self.pairs.add(id, subject.name, resource);
        // Nobody asks for the parts of a resource that goes, unless somebody changed them.
        let goes = matches!(action, Action::Delete | Action::Forget);
        let is_drift = stack.record(id).flags.contains(Flags::DRIFTED);
        let extent = if goes && !is_drift {
            Extent::Root
        } else {
            Extent::Changes
        };
        let (parts, leaves) = differences(stack, resource, reading.schemas, extent);
        let mut leaves = told(leaves);
        let changed = Changed {
            ty: subject.ty,
            action,
            is_created_first: creates_first(stack, id),
            parts: &parts,
            leaves: &leaves,
            unchanged: &properties(resource),
        };
        let mut found = reading.rules.check(&changed);
        if stack.is_outcome() {
            // The apply is over.
            found.retain(|it| !it.rule.is_about_apply());
        }
        self.outputs.add(stack, id, &leaves);
        let muted = mute(reading.rules, subject, &mut leaves, &mut found);
        subject.mute = muted.first().copied();
        self.muted.extend(muted.into_iter().map(|mute| (mute, id)));
        let heavy = found.iter().filter(|it| it.rule.level < Level::Note);
        let judged: Vec<Path> = heavy.map(|it| it.path.clone()).collect();
        let sources = &LazyCell::new(|| possible_sources(stack, id, resource));
        self.mechanisms.add(&Seen {
            stack,
            id,
            action,
            resource,
            leaves: &leaves,
            origins: &|| &**sources,
            rules: reading.rules,
            found: &found,
            read: &|id| reading.document.resource(id).ok(),
            documents: &Documents::default(),
        });
        self.findings.add(stack, reading.rules, id, found);
        self.followers.add_giver(stack, id, resource, &leaves);
        let is_judged = |leaf: &Leaf| {
            let mut paths = judged.iter().filter(|path| !path.0.is_empty());
            paths.any(|path| path.contains(&leaf.path) || leaf.path.contains(path))
        };
        let is_asked = |leaf: &Leaf| is_asked(stack, resource, action, leaf.section, &leaf.path);
        let prints = self.kinds.add(subject, &leaves, &is_judged, &is_asked);
        if matches!(action, Action::Update | Action::Replace) {
            let own = leaves.iter().zip(prints);
            let own: Vec<(&Leaf, LeafPrint)> =
                own.filter(|(leaf, _)| has_effect(action, leaf)).collect();
            let unknown = own.iter().filter(|(leaf, _)| leaf.after.is_computed());
            let n_unknown = unknown.count();
            if n_unknown > 0 {
                self.unknown.push((id, n_unknown));
            }
            self.followers.add(stack, id, (resource, sources), &own);
        }
        if let Some(change) = resource.change.as_ref()
            && action == Action::Replace
            && is_by_provider(change, &forcing_paths(change))
        {
            self.by_provider.insert(id);
        }
        if action == Action::Read {
            // A data source is read during the apply because it waits for something.
            self.followers.add_waiting(stack, id, sources, &leaves);
        }
    }

    /// Adds another part of the file.
    pub(super) fn append(&mut self, stack: &Stack, other: Self) {
        self.n_changes += other.n_changes;
        self.findings.append(stack, other.findings);
        self.kinds.append(other.kinds);
        self.pairs.append(other.pairs);
        self.followers.append(other.followers);
        self.mechanisms.append(other.mechanisms);
        self.unknown.extend(other.unknown);
        self.unread.extend(other.unread);
        self.muted.extend(other.muted);
        self.outputs.append(stack, other.outputs);
        self.by_provider.extend(other.by_provider);
    }

    /// The brief of what rules find in these resources.
    pub(super) fn so_far(&self, stack: &Stack) -> Brief {
        let mut findings = self.findings.clone();
        findings.settle(stack);
        let components = WHOLE.map(|action| Components::of(stack, action));
        let (links, components) = links(
            stack,
            Found {
                components: &components,
                findings: &findings,
                notices: &[],
                shifts: &[],
                followers: &BTreeMap::new(),
                by_provider: &self.by_provider,
            },
        );
        Brief {
            partition: self.kinds.found(&links).finish(&links),
            components,
            findings,
            ..Brief::default()
        }
    }

    /// The brief of all resources, of which policies say something too. Mechanisms read further ones until `is_cancelled`.
    pub(super) fn finish(
        mut self,
        document: &Document,
        rules: &Rules,
        policies: Vec<Notice>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Brief {
        let stack = &document.stack;
        let components = WHOLE.map(|action| Components::of(stack, action));
        let mut outcome = self.mechanisms.finish(&Reader {
            stack,
            rules,
            gone: &components[0],
            read: &|id| document.resource(id).ok(),
            each_bytes: &|ids, take| {
                let ahead = Ahead::new(&*document.source, stack, ids.iter().copied());
                let mut bytes = Vec::new();
                for id in ids {
                    if ahead.read_into(stack.record(*id).span, &mut bytes).is_ok() {
                        take(*id, &bytes);
                    }
                }
            },
            on_workers: &|ids, work| {
                on_workers(ids, &|ids| work(ids), &mut |()| until(is_cancelled));
            },
            is_cancelled,
            by_type: OnceLock::new(),
        });
        let order = |id: ResourceId| (stack.identity(id), id);
        self.findings.settle(stack);
        self.findings.settle_with(&mut outcome);
        self.unknown.sort_by_cached_key(|(id, _)| order(*id));
        self.unread.sort_by_cached_key(|id| order(*id));
        let shifts = self.pairs.finish(&|id| document.resource(id).ok());
        let mut shifts = joined(stack, shifts);
        self.findings.weigh(&mut shifts);
        outcome.notices.extend(policies);
        outcome.notices.retain(|notice| {
            let mute = silencer(stack, rules, notice);
            let ids = mute
                .into_iter()
                .flat_map(|it| notice.ids.iter().map(move |id| (it, *id)));
            self.muted.extend(ids);
            mute.is_none()
        });
        let followers = self.followers.finish(stack, &self.kinds.common());
        let (links, components) = links(
            stack,
            Found {
                components: &components,
                findings: &self.findings,
                notices: &outcome.notices,
                shifts: &shifts,
                followers: &followers,
                by_provider: &self.by_provider,
            },
        );
        Brief {
            partition: self.kinds.finish(&links),
            components,
            followers,
            unknown: self.unknown,
            shifts,
            unread: self.unread,
            findings: self.findings,
            notices: outcome.notices,
            known: Vec::new(),
            muted: Muted::of(stack, rules, self.muted),
            outputs: self.outputs.finish(stack),
        }
    }
}

/// Takes out the changes and the findings that mutes leave out, and returns the numbers of these.
fn mute(
    rules: &Rules,
    subject: Subject<'_>,
    leaves: &mut Vec<Leaf>,
    found: &mut Vec<Finding>,
) -> Vec<usize> {
    let of_type = rules.mutes_of(subject.ty);
    let mut muted = Vec::new();
    if of_type.is_empty() {
        return muted;
    }
    found.retain(|it| {
        let place = (&it.path, &it.before, &it.after);
        let mute = rules.silencer(&of_type, &it.rule.id, place);
        muted.extend(mute);
        mute.is_none()
    });
    // What destroys, replaces or opens something is never muted by its property alone.
    if subject.action == Action::Update {
        let heavy = found.iter().filter(|it| it.rule.level < Level::Note);
        let heavy: Vec<Path> = heavy.map(|it| it.path.clone()).collect();
        let is_near = |one: &Path, other: &Path| one.contains(other) || other.contains(one);
        let quiet = leaves.extract_if(.., |leaf| {
            let mute = rules.muter(&of_type, leaf);
            let mute = mute.filter(|_| !heavy.iter().any(|path| is_near(path, &leaf.path)));
            muted.extend(mute);
            mute.is_some()
        });
        let quiet: Vec<Leaf> = quiet.collect();
        found.retain(|it| {
            !quiet
                .iter()
                .any(|leaf| !it.path.0.is_empty() && is_near(&leaf.path, &it.path))
        });
    }
    muted.sort_unstable();
    muted.dedup();
    muted
}

/// The mute that takes a notice away: one about all of its resources.
fn silencer(stack: &Stack, rules: &Rules, notice: &Notice) -> Option<usize> {
    let first = rules.mutes_of(stack.ty(*notice.ids.first()?));
    let none = (Path::root(), Value::NULL);
    let fact = notice.facts.first();
    let path = fact.map_or(&none.0, |it| &it.path);
    let value = |value: Option<&Option<Value>>| value.cloned().flatten().unwrap_or_default();
    let (before, after) = (
        value(fact.map(|it| &it.before)),
        value(fact.map(|it| &it.after)),
    );
    let mute = rules.silencer(&first, notice.mechanism, (path, &before, &after))?;
    let mut others = notice.ids.iter();
    others
        .all(|id| rules.mutes_of(stack.ty(*id)).contains(&mute))
        .then_some(mute)
}

/// The differences of a resource, and its changed leaves. Those of Terraform are compared as its schema says.
pub(super) fn differences(
    stack: &Stack,
    resource: &Resource,
    schemas: &Schemas,
    extent: Extent,
) -> (Vec<SectionDiff>, Vec<Leaf>) {
    let schema = schema_of(resource, schemas);
    let block = schema.as_ref().map(|schema| &schema.block);
    let parts = review_of(resource, block, extent);
    let mut leaves = leaves(&parts);
    empties::settle(stack, resource, block, &mut leaves);
    (parts, leaves)
}
