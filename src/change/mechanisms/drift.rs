//! Drift undone: the plan sets back what somebody changed by hand, or creates again what is gone.

use super::{Fact, Notice, Reader, Seen, by_name};
use crate::change::rules::Level;
use crate::stack::{Action, Flags, Others, Resource, ResourceId, Section, Stack, State};
use crate::value::Value;

/// Changes that are undone.
#[derive(Clone, Default, Debug)]
pub(super) struct Drift {
    undone: Vec<(ResourceId, Vec<Fact>)>,
    restored: Vec<ResourceId>,
}

impl Drift {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        let is_known = seen.stack.record(seen.id).flags.contains(Flags::DRIFTED);
        if !is_known {
            return;
        }
        let Some(entry) = entry_of(seen.stack, seen.id).and_then(|id| (seen.read)(id)) else {
            return;
        };
        if entry.after.is_none() {
            if seen.action == Action::Create {
                self.restored.push(seen.id);
            }
            return;
        }
        let facts = undone(seen, &entry);
        if !facts.is_empty() {
            self.undone.push((seen.id, facts));
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.undone.extend(other.undone);
        self.restored.extend(other.restored);
    }

    pub(super) fn finish(self, reader: &Reader<'_>) -> Vec<Notice> {
        let undone = self.undone.into_iter().map(|(id, facts)| Notice {
            level: Level::Warning,
            mechanism: "drift-undone",
            yields: false,
            ids: by_name(reader.stack, vec![id]),
            says: "the plan sets back what was changed outside".to_owned(),
            facts,
        });
        let mut notices: Vec<Notice> = undone.collect();
        if !self.restored.is_empty() {
            notices.push(Notice {
                level: Level::Warning,
                mechanism: "drift-undone",
                yields: false,
                ids: by_name(reader.stack, self.restored),
                says: "deleted outside, and the plan creates it again".to_owned(),
                facts: Vec::new(),
            });
        }
        notices
    }
}

/// The record that lists a resource for its drift.
pub fn entry_of(stack: &Stack, id: ResourceId) -> Option<ResourceId> {
    let Some(Others::Few(members)) = stack.siblings.of(id) else {
        return None;
    };
    let is_entry = |other: &&ResourceId| stack.record(**other).flags.contains(Flags::DRIFT_ENTRY);
    members.iter().find(is_entry).copied()
}

/// The places where the plan goes back from the value that was found to the value that was applied.
fn undone(seen: &Seen<'_>, entry: &Resource) -> Vec<Fact> {
    let at = |state: &Option<State>, leaf: &crate::change::leaves::Leaf| -> Option<Value> {
        let value = state.as_ref()?.section(leaf.section)?;
        leaf.path.get(value).cloned()
    };
    let leaves = seen
        .leaves
        .iter()
        .filter(|leaf| leaf.section == Section::Outputs && leaf.document.is_none());
    let facts = leaves.filter_map(|leaf| {
        let (applied, found) = (at(&entry.before, leaf), at(&entry.after, leaf));
        let planned = at(&seen.resource.after, leaf);
        // Null and a missing property are the same.
        let plain = |value: &Option<Value>| value.clone().unwrap_or_default();
        let is_undone = plain(&applied) != plain(&found) && plain(&planned) == plain(&applied);
        is_undone.then(|| {
            let is_secret = leaf.before.is_secret() || leaf.after.is_secret();
            let applied = plain(&applied).with_secret(is_secret || plain(&applied).is_secret());
            Fact {
                id: seen.id,
                path: leaf.path.clone(),
                before: Some(leaf.before.clone()),
                after: Some(leaf.after.clone()),
                note: format!(
                    "applied last {}, found {}",
                    short(&applied),
                    short(&leaf.before)
                ),
            }
        })
    });
    facts.collect()
}

/// Maximum length of a value in a note, in characters.
const MAX_VALUE: usize = 40;

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
