//! What changed outside of the program: alike changes in one line, each with what the plan makes of it.

use indexmap::IndexMap;

use super::super::leaves_of;
use super::super::sections::drifted;
use super::changes::varied;
use super::story::joined;
use super::{Detail, Entry, MAX_DETAILS, MAX_ENTRIES, Maker, Part, Title, notes, short};
use crate::change::kinds::{pattern, told};
use crate::change::leaves::Leaf;
use crate::stack::{Action, Resource, ResourceId};

/// What was found of a resource, without its values.
#[derive(PartialEq, Eq, Hash)]
struct Drift {
    ty: String,
    says: &'static str,
    /// The places, with what the plan makes of each.
    lines: Vec<(String, String)>,
}

/// The resources of which the same was found, with their names and leaves.
#[derive(Default)]
struct Alike {
    ids: Vec<ResourceId>,
    leaves: Vec<Vec<(String, Leaf)>>,
}

impl Maker<'_> {
    /// The drift. A comparison of two files has none: it lists their differences. What the plan sets back is told with its change.
    pub(super) fn outside(&self) -> Part {
        let stack = &self.document.stack;
        if stack.is_comparison {
            return Part::empty(Title::Outside);
        }
        let is_muted = |id: &ResourceId| self.brief.muted.outside.contains(id);
        let mut ids = stack.by_name(drifted(stack).filter(|id| !is_muted(id)));
        ids.truncate(MAX_ENTRIES);
        let mut alike: IndexMap<Drift, Alike> = IndexMap::new();
        for id in ids {
            let (drift, leaves) = self.drift(id);
            let is_undone = match &drift.lines[..] {
                [] => drift.says == RESTORED,
                lines => lines.iter().all(|(_, plan)| plan == SET_BACK),
            };
            if is_undone && self.changed.contains(&id) {
                continue;
            }
            let same = alike.entry(drift).or_default();
            same.ids.push(id);
            same.leaves.resize_with(leaves.len(), Vec::new);
            for (all, leaf) in same.leaves.iter_mut().zip(leaves) {
                all.push((stack.identity(id), leaf));
            }
        }
        let entries = alike.into_iter().map(|(drift, same)| {
            let lines = drift.lines.iter().zip(&same.leaves);
            let details = lines.map(|((_, plan), all)| {
                let own = all.iter().map(|(name, leaf)| (&**name, leaf));
                let own = varied(&all[0].1, own);
                Detail {
                    note: joined(&own.note, plan),
                    ..own
                }
            });
            // Who goes there asks what changed outside, and not what the plan changes.
            let records = same
                .ids
                .iter()
                .map(|id| stack.drift_entry(*id).unwrap_or(*id));
            Entry {
                n_more: drift.lines.len().saturating_sub(MAX_DETAILS),
                details: details.take(MAX_DETAILS).collect(),
                action: None,
                about: records.collect(),
                ..self.aside(same.ids, drift.says.to_owned())
            }
        });
        let entries: Vec<Entry> = entries.collect();
        Part {
            title: Title::Outside,
            count: entries.iter().map(Entry::n_changes).sum(),
            entries,
        }
    }

    /// What changed of a resource outside, and what the plan makes of it.
    fn drift(&self, id: ResourceId) -> (Drift, Vec<Leaf>) {
        let stack = &self.document.stack;
        let ty = stack.ty(id).to_owned();
        let bare = |says| {
            let (ty, lines) = (ty.clone(), Vec::new());
            (Drift { ty, says, lines }, Vec::new())
        };
        let listed = stack.drift_entry(id);
        let Ok(found) = self.document.resource(listed.unwrap_or(id)) else {
            return bare("");
        };
        let planned = listed.and_then(|_| self.document.resource(id).ok());
        if found.after.is_none() {
            let is_restored = stack.record(id).action == Some(Action::Create);
            return bare(if is_restored {
                RESTORED
            } else {
                "deleted outside"
            });
        }
        let mut leaves = told(leaves_of(stack, &found, self.schemas));
        leaves.retain(|leaf| !leaf.is_without_effect());
        if leaves.is_empty() {
            return bare("without effect");
        }
        let lines = leaves.iter().map(|leaf| {
            let plan = planned.as_ref().and_then(|planned| outcome(planned, leaf));
            let note = notes(leaf).join("  ");
            (
                format!("{} {note}", pattern(&leaf.path)),
                plan.unwrap_or_default(),
            )
        });
        let (lines, says) = (lines.collect(), "");
        (Drift { ty, says, lines }, leaves)
    }
}

/// The words for a resource that the plan creates again.
const RESTORED: &str = "deleted outside, created again";

/// The words for a value that the plan sets back.
const SET_BACK: &str = "the plan sets it back";

/// The words for what the plan makes of a value that was found changed.
fn outcome(planned: &Resource, leaf: &Leaf) -> Option<String> {
    if leaf.document.is_some() {
        return None;
    }
    let state = planned.after.as_ref()?;
    let value = leaf.path.get(state.section(leaf.section)?);
    let value = value.cloned().unwrap_or_default();
    Some(if value == leaf.after {
        "the plan keeps it".to_owned()
    } else if value == leaf.before {
        SET_BACK.to_owned()
    } else {
        let is_secret = leaf.before.is_secret() || leaf.after.is_secret();
        format!(
            "planned {}",
            short(&value.clone().with_secret(is_secret || value.is_secret()))
        )
    })
}
