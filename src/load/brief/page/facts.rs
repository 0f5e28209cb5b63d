//! Facts beside the changes: guards and sizes, moves and imports, drift, checks and errors.

use std::sync::Arc;

use super::super::stack_findings::{self, StackFinding};
use super::super::{leaves_in, leaves_of};
use super::{Detail, Entry, MAX_DETAILS, MAX_ENTRIES, Maker, Part, Title, drifted, short};
use crate::change::causes;
use crate::change::difference;
use crate::change::loss;
use crate::change::mechanisms::entry_of;
use crate::change::rules::Level;
use crate::path::Path;
use crate::render::remarks;
use crate::stack::{Action, Flags, Resource, ResourceId};
use crate::text::escaped;
use crate::value::Value;

/// Maximum number of changes that are named as the cause of a replacement.
const MAX_FORCING: usize = 3;

impl Maker<'_> {
    /// The guards and the size of a resource that goes; none for another one.
    pub(super) fn guards(&self, id: ResourceId) -> Vec<Detail> {
        let action = self.document.stack.effect(id);
        let is_lone = self.document.stack.is_comparison;
        if is_lone || !matches!(action, Some(Action::Delete | Action::Replace)) {
            return Vec::new();
        }
        let Ok(resource) = self.document.resource(id) else {
            return Vec::new();
        };
        let facts = loss::facts(&resource).into_iter();
        let detail = |(path, value): (Path, Value)| Detail {
            id: Some(id),
            action: difference::Action::Same,
            place: escaped(&path.to_string()),
            before: Some(short(&value)),
            after: None,
            note: String::new(),
        };
        facts.map(detail).collect()
    }

    /// The causes of a deletion or replacement: the changes that force it, the reason that the file gives, and the root.
    pub(super) fn causes(&self, id: ResourceId) -> Vec<Detail> {
        let stack = &self.document.stack;
        let action = stack.effect(id);
        if stack.is_comparison || !matches!(action, Some(Action::Delete | Action::Replace)) {
            return Vec::new();
        }
        let leaves = leaves_in(self.document, id, self.schemas).unwrap_or_default();
        let forcing = leaves.iter().filter(|leaf| leaf.replaces).take(MAX_FORCING);
        let mut details: Vec<Detail> = forcing.map(|leaf| super::detail(leaf, true)).collect();
        let chain = causes::why(stack, id, &mut |id| {
            self.document.resource(id).ok().map(Arc::new)
        });
        let mut words = Vec::new();
        let reasons = chain.first().map_or(&[][..], |own| &own.reasons);
        let is_told = |reason: &&String| details.is_empty() || *reason != causes::CANNOT_UPDATE;
        words.extend(reasons.iter().filter(is_told).map(|it| escaped(it)));
        let last = match &chain[..] {
            [_, .., last] => Some(last.id),
            [] | [_] => None,
        };
        if let Some(root) = self.brief.followers.get(&id).copied().or(last) {
            words.push(format!("from {}", self.name(root)));
        }
        if !words.is_empty() {
            details.push(Detail {
                id: Some(id),
                action: difference::Action::Same,
                place: String::new(),
                before: None,
                after: None,
                note: words.join("  "),
            });
        }
        details
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
        for resource in few.filter_map(|id| self.document.resource(*id).ok()) {
            for remark in remarks::of_change(&resource) {
                let remark = escaped(&remark);
                if !found.contains(&remark) {
                    found.push(remark);
                }
            }
        }
        found
    }

    /// The drift. A comparison of two files has none: it lists their differences.
    pub(super) fn outside(&self) -> Part {
        let stack = &self.document.stack;
        if stack.is_comparison {
            return Part::empty(Title::Outside);
        }
        let mut drifted: Vec<ResourceId> = drifted(stack).collect();
        drifted.sort_by_cached_key(|id| (stack.identity(*id), *id));
        drifted.truncate(MAX_ENTRIES);
        Part {
            title: Title::Outside,
            count: usize::try_from(stack.n_drifted()).unwrap_or(usize::MAX),
            entries: drifted.into_iter().map(|id| self.drift(id)).collect(),
        }
    }

    /// A resource that changed outside: the values that were applied last and that were found, and what the plan makes of them.
    fn drift(&self, id: ResourceId) -> Entry {
        let stack = &self.document.stack;
        let entry = |says: &str, details: Vec<Detail>| Entry {
            action: None,
            n_more: details.len().saturating_sub(MAX_DETAILS),
            details: details.into_iter().take(MAX_DETAILS).collect(),
            ..self.entry(vec![id], says.to_owned())
        };
        let listed = entry_of(stack, id);
        let Ok(found) = self.document.resource(listed.unwrap_or(id)) else {
            return entry("", Vec::new());
        };
        let planned = listed.and_then(|_| self.document.resource(id).ok());
        if found.after.is_none() {
            let is_restored = stack.record(id).action == Some(Action::Create);
            let says = if is_restored {
                "deleted outside, created again"
            } else {
                "deleted outside"
            };
            return entry(says, Vec::new());
        }
        let leaves = leaves_of(stack, &found, self.schemas);
        let details = leaves
            .iter()
            .filter(|leaf| !leaf.is_without_effect())
            .map(|leaf| {
                let mut detail = super::detail(leaf, true);
                let plan = planned.as_ref().and_then(|planned| outcome(planned, leaf));
                if let Some(plan) = plan {
                    let gap = if detail.note.is_empty() { "" } else { "  " };
                    detail.note.push_str(gap);
                    detail.note.push_str(&plan);
                }
                detail
            });
        entry("", details.collect())
    }

    /// The checks that did not pass, and the errors that the run reported.
    pub(super) fn checks(&self) -> Part {
        let failures = stack_findings::failures(&self.document.stack);
        let entries = failures.map(|it| Entry {
            mechanism: None,
            ..self.failure(&it)
        });
        let entries: Vec<Entry> = entries.collect();
        Part {
            title: Title::Checks,
            count: entries.len(),
            entries: entries.into_iter().take(MAX_ENTRIES).collect(),
        }
    }

    /// The checks and errors of a plan as findings of one level.
    pub(super) fn failed(&self, level: Level) -> impl Iterator<Item = Entry> + '_ {
        let failures = stack_findings::of_plan(&self.document.stack);
        let of_level = failures.filter(move |it| it.level == level);
        of_level.map(|it| {
            let entry = self.failure(&it);
            Entry {
                says: format!("{}  ({})", entry.says, it.mechanism),
                ..entry
            }
        })
    }

    /// A failure as an entry.
    fn failure(&self, it: &StackFinding) -> Entry {
        let first = it.says.lines().next().unwrap_or_default();
        let name = it.resource.map(|id| self.name(id));
        Entry {
            action: it
                .resource
                .and_then(|id| self.document.stack.record(id).action),
            mechanism: Some(it.mechanism),
            names: vec![name.unwrap_or_else(|| escaped(&it.place)).into()].into(),
            ids: it.resource.into_iter().collect(),
            says: super::cut(&escaped(first)),
            ..Entry::default()
        }
    }
}

/// The words for what the plan makes of a value that was found changed.
fn outcome(planned: &Resource, leaf: &crate::change::leaves::Leaf) -> Option<String> {
    if leaf.document.is_some() {
        return None;
    }
    let state = planned.after.as_ref()?;
    let value = leaf.path.get(state.section(leaf.section)?);
    let value = value.cloned().unwrap_or_default();
    Some(if value == leaf.after {
        "the plan keeps it".to_owned()
    } else if value == leaf.before {
        "the plan sets it back".to_owned()
    } else {
        let is_secret = leaf.before.is_secret() || leaf.after.is_secret();
        format!(
            "planned {}",
            short(&value.clone().with_secret(is_secret || value.is_secret()))
        )
    })
}
