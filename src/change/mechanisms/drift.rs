//! Drift undone: the plan sets back what somebody changed by hand, or creates again what is gone.

use std::collections::{BTreeMap, HashSet};

use super::arguments::{places, short};
use super::{Fact, Notice, Reader, Seen, by_name};
use crate::change::quantity::number;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, Flags, Others, Resource, ResourceId, Section, Stack, State};
use crate::terraform::address::config_address;
use crate::text::has_word;
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
            let facts = set_back(seen);
            if !facts.is_empty() {
                self.undone.push((seen.id, facts));
            }
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
        let stack = reader.stack;
        let notice = |level: Level, ids: Vec<ResourceId>, says: String| Notice {
            ids: by_name(stack, ids),
            says,
            ..Notice::new(level, "drift-undone")
        };
        let undone = self.undone.into_iter().map(|(id, facts)| {
            let level = if facts.iter().any(halves) {
                Level::Danger
            } else {
                Level::Warning
            };
            let says = "the plan sets back what was changed outside".to_owned();
            Notice {
                facts,
                ..notice(level, vec![id], says)
            }
        });
        let mut notices: Vec<Notice> = undone.collect();
        let mut by_provider: BTreeMap<String, Vec<ResourceId>> = BTreeMap::new();
        for id in self.restored {
            by_provider.entry(manager(stack, id)).or_default().push(id);
        }
        let mut rest = Vec::new();
        let keeping = keeping(stack, &by_provider);
        for (provider, ids) in by_provider {
            let of_any_alias = || {
                ids.first()
                    .is_some_and(|id| keeping.contains(stack.provider(*id)))
            };
            if ids.len() < MIN_GONE || keeping.contains(&provider) || of_any_alias() {
                rest.extend(ids);
                continue;
            }
            let places = ids.first().map(|id| places(stack, *id)).unwrap_or_default();
            let mut says = format!(
                "all {} resources of {provider} are gone, and the plan creates them again: the provider may look elsewhere",
                ids.len()
            );
            if !places.is_empty() {
                says.push_str(": ");
                says.push_str(&places.join(", "));
            }
            // What is not gone stays behind, and nothing manages it any longer.
            notices.push(notice(Level::Danger, ids, says));
        }
        if !rest.is_empty() {
            let says = "deleted outside, and the plan creates it again".to_owned();
            notices.push(notice(Level::Warning, rest, says));
        }
        notices
    }
}

/// Words of what a resource has to work with.
const CAPACITY: [&str; 12] = [
    "size",
    "count",
    "capacity",
    "replica",
    "node",
    "instance",
    "desired",
    "max",
    "throughput",
    "iops",
    "memory",
    "cpu",
];

/// True if a capacity that somebody raised is set back to half of it, or to less.
fn halves(fact: &Fact) -> bool {
    let is_capacity = fact.path.0.iter().any(|step| match step {
        Segment::Key(key) => has_word(key, &CAPACITY),
        Segment::Index(_) => false,
    });
    let sides = [&fact.before, &fact.after].map(|it| it.as_ref().and_then(number));
    match sides {
        [Some(found), Some(planned)] => is_capacity && planned > 0.0 && planned * 2.0 <= found,
        [None, _] | [_, None] => false,
    }
}

/// Number of resources from which on one cause is likely if all are gone.
const MIN_GONE: usize = 3;

/// The providers, of those that restore something, that manage resources that the plan does not create.
fn keeping(stack: &Stack, restored: &BTreeMap<String, Vec<ResourceId>>) -> HashSet<String> {
    let is_there = |id: &ResourceId| {
        let record = stack.record(*id);
        match record.action {
            // The configuration has no word about what is forgotten, so nobody knows whose it is.
            None
            | Some(
                Action::Create | Action::Read | Action::Import | Action::Defer | Action::Forget,
            ) => false,
            Some(
                Action::Noop | Action::Update | Action::Replace | Action::Delete | Action::Move,
            ) => !record.flags.intersects(Flags::DATA.and(Flags::DRIFT_ENTRY)),
        }
    };
    let ids = stack.ids().filter(|_| !restored.is_empty());
    ids.filter(is_there).map(|id| manager(stack, id)).collect()
}

/// The provider of a resource, with its alias if the configuration tells.
fn manager(stack: &Stack, id: ResourceId) -> String {
    let address = stack.address(id).map(config_address);
    let own = address.and_then(|address| stack.expressions.provider_of(&address));
    own.unwrap_or_else(|| stack.provider(id).to_owned())
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

/// The places of a preview that change although the program asks for what it asked for before: somebody changed them by hand.
fn set_back(seen: &Seen<'_>) -> Vec<Fact> {
    let is_update = seen.action == Action::Update && seen.stack.header.kind.is_pulumi();
    // What changes among the inputs is asked for.
    let mut others = seen
        .leaves
        .iter()
        .filter(|leaf| leaf.section != Section::Inputs);
    if !is_update || others.next().is_none() {
        return Vec::new();
    }
    let resource = seen.resource;
    let asked = |state: &Option<State>, path: &Path| -> Option<Value> {
        path.get(state.as_ref()?.inputs.as_ref()?).cloned()
    };
    let leaves = seen.leaves.iter().filter(|leaf| {
        let is_value = leaf.section != Section::Options && leaf.document.is_none();
        is_value && leaf.reason.is_none() && !leaf.after.is_computed()
    });
    let facts = leaves.filter_map(|leaf| {
        let before = asked(&resource.before, &leaf.path)?;
        let after = asked(&resource.after, &leaf.path)?;
        let is_set_back = before == after && after == leaf.after && leaf.before != before;
        is_set_back.then(|| Fact {
            id: seen.id,
            path: leaf.path.clone(),
            before: Some(leaf.before.clone()),
            after: Some(leaf.after.clone()),
            note: format!(
                "asked for before {}, found {}",
                short(&before),
                short(&leaf.before)
            ),
        })
    });
    facts.collect()
}
