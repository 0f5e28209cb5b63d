//! Leftovers: resources that the plan forgets, so that they keep running without anybody who manages them. One that the same file manages under
//! another address is no leftover.

use std::collections::HashMap;

use super::tables::WORDS;
use super::{Fact, Notice, Reader, is_there};
use crate::change::difference::{Context, describe};
use crate::change::leaves::leaves;
use crate::change::review::SectionDiff;
use crate::change::rules::{Changed, Level};
use crate::stack::{Action, Flags, Mode, Resource, ResourceId, Section, State};
use crate::text::words;
use crate::value::Value;

/// The places of a forgotten resource where rules fire for a new one like it, with their sentences.
fn exposes(reader: &Reader<'_>, id: ResourceId, resource: &Resource) -> Vec<Fact> {
    let before = resource.before.as_ref().or(resource.after.as_ref());
    let value = before.and_then(|it| it.sets().next());
    let diff = describe(
        &Value::NULL,
        value.unwrap_or(&Value::NULL),
        Context::default(),
    );
    let parts = [SectionDiff {
        section: Section::Outputs,
        diff,
    }];
    let changed = Changed {
        ty: reader.stack.ty(id),
        action: Action::Create,
        is_created_first: false,
        parts: &parts,
        leaves: &leaves(&parts),
        unchanged: &Value::NULL,
    };
    let found = reader.rules.check(&changed);
    let heavy = found
        .into_iter()
        .filter(|it| !it.is_open && it.rule.level != Level::Note && !it.path.0.is_empty());
    let exposes = heavy.map(|finding| {
        let now = Fact::now(id, finding.path, finding.after);
        now.with_note(finding.rule.says.clone())
    });
    exposes.collect()
}

/// A notice about each object that the plan forgets and that exposes something, and one about all others.
pub(super) fn notices(reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let forgotten = reader.changed(&[Action::Forget], |_| true);
    let is_managed = |id: &ResourceId| stack.mode(*id) == Mode::Managed && is_there(stack, *id);
    let key = |id: ResourceId| (stack.ty(id), stack.compared_id(id));
    let named = reader.with_ids(forgotten.iter().map(|id| key(*id)), |id| is_managed(&id));
    let imported = stack
        .ids()
        .filter(|id| !forgotten.is_empty() && stack.record(*id).flags.contains(Flags::IMPORTED));
    let imported = imported.filter(is_managed);
    let imported: HashMap<&str, ResourceId> =
        imported.map(|id| (stack.compared_id(id), id)).collect();
    let (mut notices, mut quiet) = (Vec::new(), Vec::new());
    for (id, resource) in reader.each(forgotten.iter().copied()) {
        // The same object under another address: one of the same type and id, or one of another type that is imported by an id of it.
        let of_type = named.get(&key(id)).into_iter().flatten().copied();
        let ids = ids_of(&resource);
        let by_import = ids.iter().filter_map(|text| imported.get(&**text).copied());
        let mut others = of_type.chain(by_import).filter(|other| {
            *other != id && (reader.read)(*other).is_some_and(|it| is_same(&resource, &it))
        });
        if let Some(other) = others.next() {
            let other = stack.spoken_name(other);
            let says = format!("is forgotten here, and managed as {other}");
            notices.push(Notice::about(id, Level::Note, "forgotten", says));
            continue;
        }
        let exposes = exposes(reader, id, &resource);
        if exposes.is_empty() {
            quiet.push(id);
            continue;
        }
        let open = "is forgotten and keeps running with what it exposes";
        notices.push(Notice::about(id, Level::Danger, "forgotten", open).with(exposes));
    }
    if !quiet.is_empty() {
        let says = "is forgotten: it keeps running, and nothing manages it any longer";
        let level = Level::Warning;
        notices.push(Notice::of_all(stack, quiet, level, "forgotten", says));
    }
    notices
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
