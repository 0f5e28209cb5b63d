//! Leftovers: resources that the plan forgets, so that they keep running without anybody who manages them. One that the same file manages under
//! another address is no leftover.

use std::collections::HashMap;
use std::iter;

use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen, is_there};
use crate::change::difference::{Context, describe};
use crate::change::leaves::leaves;
use crate::change::review::SectionDiff;
use crate::change::rules::{Changed, Level};
use crate::stack::{Action, Flags, Mode, Resource, ResourceId, Section, State};
use crate::text::words;
use crate::value::Value;

/// A forgotten resource, with the sentences of the rules that fire for a new one like it.
#[derive(Clone, Debug)]
pub(super) struct Forgotten {
    id: ResourceId,
    exposes: Vec<Fact>,
    /// Its ids other than `id`.
    ids: Vec<String>,
}

/// The resource, if the plan forgets it.
pub(super) fn find(seen: &Seen<'_>) -> Option<Forgotten> {
    let resource = seen.resource;
    if seen.action != Action::Forget || !seen.is_managed() {
        return None;
    }
    let before = resource.before.as_ref().or(resource.after.as_ref())?;
    let value = before.sets().next().unwrap_or(&Value::NULL);
    let diff = describe(&Value::NULL, value, Context::default());
    let parts = [SectionDiff {
        section: Section::Outputs,
        diff,
    }];
    let changed = Changed {
        ty: seen.stack.ty(seen.id),
        action: Action::Create,
        is_created_first: false,
        parts: &parts,
        leaves: &leaves(&parts),
        unchanged: &Value::NULL,
    };
    let found = seen.rules.check(&changed);
    let heavy = found
        .into_iter()
        .filter(|it| !it.is_open && it.rule.level != Level::Note && !it.path.0.is_empty());
    let exposes = heavy.map(|finding| {
        let now = Fact::now(seen.id, finding.path, finding.after);
        now.with_note(finding.rule.says.clone())
    });
    Some(Forgotten {
        id: seen.id,
        exposes: exposes.collect(),
        ids: ids_of(resource),
    })
}

/// A notice about each object that exposes something, and one about all others.
pub(super) fn notices(forgotten: Vec<Forgotten>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let managed = managed_elsewhere(&forgotten, reader);
    let (exposed, quiet): (Vec<_>, Vec<_>) = forgotten
        .into_iter()
        .filter(|it| !managed.contains_key(&it.id))
        .partition(|it| !it.exposes.is_empty());
    let open = "is forgotten and keeps running with what it exposes";
    let notice = |it: Forgotten| Notice {
        facts: it.exposes,
        ..Notice::about(it.id, Level::Danger, "forgotten", open)
    };
    let kept = managed.iter().map(|(id, other)| {
        let other = stack.spoken_name(*other);
        let says = format!("is forgotten here, and managed as {other}");
        Notice::about(*id, Level::Note, "forgotten", says)
    });
    let mut notices: Vec<Notice> = exposed.into_iter().map(notice).chain(kept).collect();
    if !quiet.is_empty() {
        let says = "is forgotten: it keeps running, and nothing manages it any longer";
        notices.push(Notice {
            ids: stack.by_name(quiet.iter().map(|it| it.id)),
            says: says.to_owned(),
            ..Notice::new(Level::Warning, "forgotten")
        });
    }
    notices
}

/// The forgotten resources that the plan manages under another address, with the resource there: one of the same type and id, or one of
/// another type that is imported by a text that is an id of the forgotten one.
fn managed_elsewhere(
    forgotten: &[Forgotten],
    reader: &Reader<'_>,
) -> HashMap<ResourceId, ResourceId> {
    let stack = reader.stack;
    let key = |id: ResourceId| (stack.ty(id), stack.compared_id(id));
    let own = forgotten.iter().map(|it| (key(it.id), it.id));
    let own: HashMap<(&str, &str), ResourceId> =
        own.filter(|((_, id), _)| !id.is_empty()).collect();
    let texts = forgotten
        .iter()
        .flat_map(|it| it.ids.iter().zip(iter::repeat(it.id)));
    let texts: HashMap<&str, ResourceId> = texts.map(|(text, id)| (&**text, id)).collect();
    let mut managed = HashMap::new();
    for other in stack.ids().filter(|_| !own.is_empty() || !texts.is_empty()) {
        let is_imported = stack.record(other).flags.contains(Flags::IMPORTED);
        let of_other_type = || texts.get(stack.compared_id(other)).filter(|_| is_imported);
        let Some(id) = own.get(&key(other)).or_else(of_other_type) else {
            continue;
        };
        let is_managed = stack.mode(other) == Mode::Managed && is_there(stack, other);
        if other == *id || !is_managed || managed.contains_key(id) {
            continue;
        }
        let pair = (reader.read)(*id).zip((reader.read)(other));
        if pair.is_some_and(|(one, other)| is_same(&one, &other)) {
            managed.insert(*id, other);
        }
    }
    managed
}

/// Minimum length of a text that is an id of an object wherever it stands.
const MIN_ID: usize = 8;

/// The texts of a resource that are its ids by the names of their properties, other than `id`: `security_group_rule_id` of a rule, and not its
/// `security_group_id`.
fn ids_of(resource: &Resource) -> Vec<String> {
    let before = resource.before.as_ref().or(resource.after.as_ref());
    let sets = before.into_iter().flat_map(State::sets);
    let entries = sets.filter_map(Value::as_map).flatten();
    let own_words = words(&resource.ty);
    let is_own = |key: &str| {
        let key = words(key);
        key.split_last().is_some_and(|(last, rest)| {
            *last == "id" && !rest.is_empty() && own_words.ends_with(rest)
        })
    };
    let ids = entries.filter(|(key, value)| is_own(key) && !value.is_secret());
    let texts = ids.filter_map(|(_, value)| value.as_str());
    texts
        .filter(|it| it.len() >= MIN_ID)
        .map(str::to_owned)
        .collect()
}

/// False if two objects with one id are told apart by another text that means the object: they are in two accounts or regions.
fn is_same(one: &Resource, other: &Resource) -> bool {
    let text = |state: Option<&State>, key: &str| {
        let mut sets = state.into_iter().flat_map(State::sets);
        sets.find_map(|set| Some(set.get(key)?.as_str()?.to_owned()))
    };
    let before = one.before.as_ref().or(one.after.as_ref());
    // Two types have ids of their own.
    let ids = WORDS.ids.iter().filter(|_| one.ty == other.ty);
    let mut keys = ids.chain(&*WORDS.places);
    keys.all(|key| {
        let sides = [text(before, key), text(other.current(), key)];
        sides[0] == sides[1] || sides.contains(&None)
    })
}
