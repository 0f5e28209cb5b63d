//! Facts beside the changes: guards and sizes, reasons, moves and imports, checks and errors.

use indexmap::IndexSet;

use super::super::stack_findings::{self, StackFinding};
use super::said::Item;
use super::{Detail, Entry, MAX_DETAILS, Maker, Part, Title, short};
use crate::change::causes;
use crate::change::loss;
use crate::render::remarks;
use crate::stack::{Action, ChangeId, Flags, Position, ResourceId};
use crate::text::escaped;

impl Maker<'_> {
    /// True if the plan deletes or replaces a resource.
    fn goes(&self, id: ResourceId) -> bool {
        let stack = &self.document.stack;
        let action = stack.effect(id).filter(|_| !stack.is_comparison);
        matches!(action, Some(Action::Delete | Action::Replace))
    }

    /// The guards and the size of a resource that goes; none for another one.
    pub(super) fn guards(&self, id: ResourceId) -> Option<Detail> {
        if !self.goes(id) {
            return None;
        }
        let resource = self.resource(id)?;
        // A notice names the guard that forbids the deletion.
        let told = loss::forbids(&resource).map(|(path, _)| path);
        let facts = loss::facts(&resource).into_iter();
        let facts = facts.filter(|(path, _)| told.as_ref() != Some(path));
        let facts =
            facts.map(|(path, value)| format!("{} {}", escaped(&path.to_string()), short(&value)));
        let facts: Vec<String> = facts.collect();
        (!facts.is_empty()).then(|| Detail {
            id: Some(ChangeId::Resource(id)),
            ..Detail::of_words(facts.join(" · "))
        })
    }

    /// The reason that the file gives for a deletion or replacement, if no change gives it, and the root that a chain of causes
    /// leads to, unless the resource stands below it.
    pub(super) fn reasons(&self, id: ResourceId, is_along: bool) -> Option<Detail> {
        let stack = &self.document.stack;
        if !self.goes(id) {
            return None;
        }
        let leaves = self.leaves(id);
        let is_told = leaves.iter().any(|(_, leaf)| leaf.replaces);
        let chain = causes::why(stack, id, &mut |id| self.resource(id));
        let reasons = chain.first().map_or(&[][..], |own| &own.reasons);
        let is_new = |reason: &&String| !is_told || *reason != causes::CANNOT_UPDATE;
        let mut words: Vec<String> = reasons
            .iter()
            .filter(is_new)
            .map(|it| escaped(it))
            .collect();
        if let [_, .., last] = &chain[..]
            && !is_along
        {
            words.push(format!("from {}", self.name(last.id)));
        }
        (!words.is_empty()).then(|| Detail {
            id: Some(ChangeId::Resource(id)),
            ..Detail::of_words(words.join("  "))
        })
    }

    /// The line that declares all of these resources. A file of Pulumi is asked for one resource only: it would be read for each.
    pub(super) fn position(&self, ids: &[ResourceId]) -> Option<Position> {
        let is_asked = ids.len() == 1 || !self.document.stack.header.kind.is_pulumi();
        let mut all = ids.iter().filter(|_| is_asked);
        let first = self.document.position(*all.next()?)?;
        all.all(|id| self.document.position(*id).as_ref() == Some(&first))
            .then_some(first)
    }

    /// The moves, imports and deferrals of some resources, in words, each once.
    pub(super) fn remarks_on(&self, ids: &[ResourceId]) -> Vec<String> {
        let stack = &self.document.stack;
        // A word for each of many would bury the rest of the line.
        let few = ids.iter().take(MAX_DETAILS).filter(|id| {
            let flags = stack.record(**id).flags;
            let is_deferred = flags.contains(Flags::DEFERRED);
            is_deferred
                || ids.len() == 1
                    && (stack.header.kind.is_pulumi()
                        || flags.intersects(Flags::MOVED | Flags::IMPORTED))
        });
        let mut found: Vec<String> = Vec::new();
        for resource in few.filter_map(|id| self.resource(*id)) {
            for remark in remarks::of_change(&resource) {
                let remark = escaped(&remark);
                if !found.contains(&remark) {
                    found.push(remark);
                }
            }
        }
        found
    }

    /// The differences beside the properties of some resources of two files, in words, each once.
    pub(super) fn reasons_of(&self, ids: &[ResourceId]) -> IndexSet<String> {
        let read = ids.iter().take(MAX_DETAILS);
        let changes = read.filter_map(|id| self.resource(*id)?.change.clone());
        let reasons = changes.flat_map(|change| change.reasons);
        reasons.map(|reason| escaped(&reason)).collect()
    }

    /// The checks that did not pass and the errors of a run, without those of a change. Those of a plan are findings.
    pub(super) fn checks(&self) -> Part {
        let stack = &self.document.stack;
        let is_run = stack.header.kind.is_log();
        let failures = stack_findings::failures(stack).filter(|it| {
            let is_told = it.resource.is_some_and(|id| self.changed.contains(&id));
            is_run && !is_told
        });
        let entries: Vec<Entry> = failures.map(|it| self.failure(&it)).collect();
        Part::of(Title::Checks, entries.len(), entries)
    }

    /// A failure as an entry.
    pub(super) fn failure(&self, it: &StackFinding) -> Entry {
        let name = it.resource.map(|id| self.name(id));
        let said = self.said(&Item::Failure(it.clone()), &[]);
        Entry {
            action: it
                .resource
                .and_then(|id| self.document.stack.record(id).action),
            names: vec![name.unwrap_or_else(|| escaped(&it.place)).into()].into(),
            about: it.resource.into_iter().collect(),
            says: said.says.clone(),
            said: vec![said],
            ..Entry::default()
        }
    }
}
