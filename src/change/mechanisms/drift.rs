//! Drift undone: the plan sets back what somebody changed by hand, or creates again what is gone.

use std::collections::{BTreeMap, HashSet};

use super::arguments::{manager, places, short};
use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen};
use crate::change::leaves::Leaf;
use crate::change::quantity::number;
use crate::change::rules::Level;
use crate::stack::{Action, Flags, Resource, ResourceId, Section, Stack};
use crate::value::Value;

/// A resource with the places where the plan undoes a change; with none if it creates the resource again.
pub(super) type Drifted = (ResourceId, Vec<Fact>);

/// The resource, if the plan undoes what was done to it.
pub(super) fn find(seen: &Seen<'_>) -> Option<Drifted> {
    let is_known = seen.stack.record(seen.id).flags.contains(Flags::DRIFTED);
    let facts = if is_known {
        let entry = seen
            .stack
            .drift_entry(seen.id)
            .and_then(|id| (seen.read)(id))?;
        if entry.after.is_none() {
            return (seen.action == Action::Create).then(|| (seen.id, Vec::new()));
        }
        undone(seen, &entry)
    } else {
        set_back(seen)
    };
    (!facts.is_empty()).then_some((seen.id, facts))
}

/// A notice about each change that is undone, and about those that one cause may explain.
pub(super) fn notices(drifted: Vec<Drifted>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let notice = |level: Level, ids: Vec<ResourceId>, says: String| {
        Notice::of_all(stack, ids, level, "drift-undone", says)
    };
    let mut notices = Vec::new();
    let mut by_provider: BTreeMap<String, Vec<ResourceId>> = BTreeMap::new();
    for (id, facts) in drifted {
        if facts.is_empty() {
            by_provider.entry(manager(stack, id)).or_default().push(id);
            continue;
        }
        let level = if facts.iter().any(halves) {
            Level::Danger
        } else {
            Level::Warning
        };
        let says = "the plan sets back what was changed outside".to_owned();
        notices.push(notice(level, vec![id], says).with(facts));
    }
    let mut rest = Vec::new();
    let keeping = keeping(stack, &by_provider);
    for (provider, ids) in by_provider {
        let is_kept = keeping.contains(&provider) || keeping.contains(stack.provider(ids[0]));
        if ids.len() < MIN_GONE || is_kept {
            rest.extend(ids);
            continue;
        }
        let mut says = format!(
            "all {} resources of {provider} are gone, and the plan creates them again: the provider may look elsewhere",
            ids.len()
        );
        let places = places(stack, ids[0]);
        if !places.is_empty() {
            says.push_str(": ");
            says.push_str(&places.join(", "));
        }
        // The rest stays behind, and nothing manages it any longer.
        notices.push(notice(Level::Danger, ids, says));
    }
    if !rest.is_empty() {
        let says = "deleted outside, and the plan creates it again".to_owned();
        notices.push(notice(Level::Warning, rest, says));
    }
    notices
}

/// True if a capacity that somebody raised is set back to half of it, or to less.
fn halves(fact: &Fact) -> bool {
    let is_capacity = fact.path.has_word(&WORDS.capacity);
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
    use Action::{Delete, Move, Noop, Replace, Update};
    let is_there = |id: &ResourceId| {
        let record = stack.record(*id);
        // The configuration has no word about what is forgotten, so nobody knows whose it is.
        matches!(record.action, Some(Noop | Update | Replace | Delete | Move))
            && !record.flags.intersects(Flags::DATA.and(Flags::DRIFT_ENTRY))
    };
    let ids = stack.ids().filter(|_| !restored.is_empty());
    ids.filter(is_there).map(|id| manager(stack, id)).collect()
}

/// The places where the plan goes back from the value that was found to the value that was applied.
fn undone(seen: &Seen<'_>, entry: &Resource) -> Vec<Fact> {
    // Null and a missing property are the same.
    let at = |sides: [Option<&Value>; 2], leaf: &Leaf| {
        sides.map(|side| {
            side.and_then(|it| leaf.path.get(it))
                .cloned()
                .unwrap_or_default()
        })
    };
    let leaves = seen
        .leaves
        .iter()
        .filter(|leaf| leaf.section == Section::Outputs && leaf.document.is_none());
    let facts = leaves.filter_map(|leaf| {
        let [applied, found] = at(entry.sides(leaf.section), leaf);
        let [_, planned] = at(seen.resource.sides(leaf.section), leaf);
        (applied != found && planned == applied).then(|| {
            let is_secret = leaf.before.is_secret() || leaf.after.is_secret();
            let applied = applied
                .clone()
                .with_secret(is_secret || applied.is_secret());
            let [applied, found] = [&applied, &leaf.before].map(short);
            Fact::of(seen.id, leaf).with_note(format!("applied last {applied}, found {found}"))
        })
    });
    facts.collect()
}

/// The places of a preview that change although the program asks for what it asked for before: somebody changed them by hand.
fn set_back(seen: &Seen<'_>) -> Vec<Fact> {
    let is_update = seen.action == Action::Update && seen.stack.header.kind.is_pulumi();
    // Changed inputs are asked for.
    let mut others = seen
        .leaves
        .iter()
        .filter(|leaf| leaf.section != Section::Inputs);
    if !is_update || others.next().is_none() {
        return Vec::new();
    }
    let resource = seen.resource;
    let inputs = resource.sides(Section::Inputs);
    let leaves = seen.properties().filter(|leaf| {
        leaf.document.is_none() && leaf.reason.is_none() && !leaf.after.is_computed()
    });
    let facts = leaves.filter_map(|leaf| {
        let [Some(before), Some(after)] = inputs.map(|it| leaf.path.get(it?)) else {
            return None;
        };
        let is_set_back = before == after && *after == leaf.after && leaf.before != *before;
        is_set_back.then(|| {
            let [before, found] = [before, &leaf.before].map(short);
            Fact::of(seen.id, leaf).with_note(format!("asked for before {before}, found {found}"))
        })
    });
    facts.collect()
}
