//! The last of its kind: a rule, route, member or target that goes and was the only one on something that stays, a list that
//! becomes empty, a number of copies that becomes zero.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::off::is_idle;
use super::parts::{self, Wholes};
use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen, stays, words as types};
use crate::change::kinds::hash_of;
use crate::change::rules::{Level, is_nothing};
use crate::path::{Path, Segment};
use crate::stack::{Action, Resource, ResourceId, Stack, State};
use crate::text::{count, has_word, pieces, singular, words};
use crate::value::{Number, Payload, Value};

/// Maximum number of deleted parts that are judged.
const MAX_PARTS: usize = 2_000;

/// Maximum number of unchanged resources of one type that are read to find another part.
const MAX_READ: usize = 500;

/// Maximum nesting of lists that are compared.
const MAX_DEPTH: usize = 6;

/// A part of something else: its type, its kind, and hashes of its texts with their properties.
#[derive(Clone, Debug)]
pub(super) struct Part {
    id: ResourceId,
    ty: Box<str>,
    kind: Option<Box<str>>,
    texts: Vec<Texts>,
    /// Hashes of the properties that are not known yet.
    open: Vec<u64>,
    /// True if the plan deletes it; else it comes or changes.
    goes: bool,
}

impl Part {
    /// The prints of the part: one for each owner that it may have.
    fn prints(&self) -> impl Iterator<Item = u64> {
        let of = |texts: &Texts| print(&self.ty, self.kind.as_deref(), *texts);
        self.texts.iter().map(of)
    }
}

/// Hashes of a property and of its text.
type Texts = (u64, u64);

/// The hash of what the parts of one kind on one owner share.
fn print(ty: &str, kind: Option<&str>, texts: Texts) -> u64 {
    hash_of(&(ty, kind, texts))
}

/// The owner, the type and the kind of parts.
type Group<'g> = (ResourceId, &'g str, Option<&'g str>);

/// The resource, if it is a part that goes, comes or changes.
pub(super) fn find(seen: &Seen<'_>) -> Option<Part> {
    let resource = seen.resource;
    let state = match seen.action {
        _ if !seen.is_managed() => return None,
        Action::Delete => resource.before.as_ref(),
        Action::Create | Action::Update | Action::Replace | Action::Import | Action::Move => {
            resource.after.as_ref()
        }
        Action::Read | Action::Forget | Action::Defer | Action::Noop => return None,
    };
    let part = part(seen.id, resource, state)?;
    Some(Part {
        goes: seen.action == Action::Delete,
        ..part
    })
}

/// A notice about each object that stays and loses its last part of a kind.
pub(super) fn notices(parts: Vec<Part>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let (mut gone, kept): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|it| it.goes);
    gone.sort_unstable_by_key(|part| part.id);
    gone.truncate(MAX_PARTS);
    let texts: HashSet<u64> = gone
        .iter()
        .flat_map(|part| &part.texts)
        .map(|it| it.1)
        .collect();
    let mut owners = Wholes::default();
    if !texts.is_empty() {
        for id in stack.ids().filter(|id| stays(stack, *id)) {
            let own = hash_of(stack.compared_id(id));
            if texts.contains(&own) {
                owners.add(own, stack.ty(id), id);
            }
        }
    }
    // By owner, type and kind: the parts that go.
    let mut groups: BTreeMap<Group<'_>, (Texts, Vec<ResourceId>)> = BTreeMap::new();
    for part in &gone {
        for texts in &part.texts {
            let Some(owner) = owners.of(&part.ty, texts.1, part.id) else {
                continue;
            };
            let group = groups.entry((owner, &part.ty, part.kind.as_deref()));
            let (_, ids) = group.or_insert_with(|| (*texts, Vec::new()));
            ids.push(part.id);
        }
    }
    let open = kept.iter().flat_map(|it| &it.open).copied();
    let open: HashSet<u64> = open.collect();
    let mut there: HashSet<u64> = kept.iter().flat_map(Part::prints).collect();
    let has_other = |there: &HashSet<u64>, (_, ty, kind): &Group<'_>, texts: Texts| {
        open.contains(&hash_of(&(ty, texts.0))) || there.contains(&print(ty, *kind, texts))
    };
    groups.retain(|group, (texts, _)| !has_other(&there, group, *texts));
    let types: BTreeSet<&str> = groups.keys().map(|(_, ty, _)| *ty).collect();
    let mut unclear: HashSet<&str> = HashSet::new();
    for ty in types {
        match unchanged(reader, ty) {
            Some(prints) => there.extend(prints),
            None => _ = unclear.insert(ty),
        }
    }
    groups.retain(|group, (texts, _)| {
        !unclear.contains(group.1) && !has_other(&there, group, *texts)
    });
    let notices = groups.iter();
    let notices =
        notices.map(|((owner, ty, kind), (_, ids))| of_owner(stack, *owner, *kind, ty, ids));
    notices.collect()
}

/// The prints of the unchanged parts of a type; `None` if not all are known.
fn unchanged(reader: &Reader<'_>, ty: &str) -> Option<Vec<u64>> {
    let ids: Vec<ResourceId> = reader.unchanged(ty).take(MAX_READ + 1).collect();
    let all = reader.each(ids.iter().copied().filter(|_| ids.len() <= MAX_READ));
    let parts = all.map(|(id, resource)| part(id, &resource, resource.current()));
    let parts: Vec<Part> = parts.collect::<Option<_>>()?;
    (parts.len() == ids.len()).then(|| parts.iter().flat_map(Part::prints).collect())
}

fn of_owner(
    stack: &Stack,
    owner: ResourceId,
    kind: Option<&str>,
    ty: &str,
    ids: &[ResourceId],
) -> Notice {
    let name = stack.spoken_name(owner);
    let noun = types::of_type(ty).join(" ");
    let noun = match kind {
        Some(kind) => format!("{kind} {noun}"),
        None => noun,
    };
    let says = match ids.len() {
        1 => format!("{name} stays, and its only {noun} is deleted"),
        n => format!(
            "{name} stays, and all {} on it of type {noun} are deleted",
            count(n as u64)
        ),
    };
    let ids = ids.iter().copied();
    Notice::of_all(stack, ids, Level::Warning, "last-of-its-kind", says)
}

/// A resource as a part; `None` if its type names no part, or if it has no properties.
fn part(id: ResourceId, resource: &Resource, state: Option<&State>) -> Option<Part> {
    let last = types::last_of_type(&resource.ty);
    if !parts::is_part(&last) {
        return None;
    }
    let mut part = Part {
        id,
        ty: resource.ty.as_str().into(),
        kind: None,
        texts: Vec::new(),
        open: Vec::new(),
        goes: false,
    };
    for (key, value) in parts::properties(resource, state)? {
        if value.is_computed() {
            part.open.push(hash_of(&(&*resource.ty, hash_of(&**key))));
        }
    }
    for (key, text) in parts::texts(resource, state) {
        if WORDS.kinds.has(key) {
            part.kind = Some(text.into());
        } else if &**key != "id" {
            part.texts.push((hash_of(&**key), hash_of(text)));
        }
    }
    Some(part)
}

/// The lists of parts that become empty, and the numbers of copies that become zero.
pub(super) fn emptied(seen: &Seen<'_>) -> Vec<Notice> {
    let resource = seen.resource;
    let may_lose = matches!(
        seen.action,
        Action::Update | Action::Replace | Action::Import | Action::Move
    );
    let mut facts = Vec::new();
    if let [Some(before), Some(after)] = resource.sides(resource.program_section())
        && may_lose
        && seen.is_managed()
    {
        compare(seen.id, before, after, &Path::root(), &mut facts);
    }
    if facts.is_empty() {
        return Vec::new();
    }
    let is_number = |fact: &&Fact| fact.before.as_ref().and_then(Value::as_number).is_some();
    let says = match facts.iter().filter(is_number).count() {
        0 => "the last one goes, and nothing is left of the list",
        n if n == facts.len() => "no copy is left running",
        _ => "no copy and no element is left",
    };
    vec![Notice {
        yields: true,
        ..Notice::about(seen.id, Level::Warning, "nothing-left", says).with(facts)
    }]
}

fn compare(id: ResourceId, before: &Value, after: &Value, path: &Path, facts: &mut Vec<Fact>) {
    if path.0.len() > MAX_DEPTH || before.is_secret() || after.is_secret() || after.is_computed() {
        return;
    }
    let key = path.last_key();
    let fact = || Fact::change(id, path.clone(), before, after);
    match (before.payload(), after.payload()) {
        (Payload::Array(old), _)
            if !old.iter().all(is_idle)
                && is_nothing(after)
                && key.is_some_and(is_list_of_parts) =>
        {
            facts.push(fact());
        }
        (Payload::Number(_), Payload::Number(_)) => {
            let is_zero = |value: &Value| value.as_number().and_then(Number::to_i64) == Some(0);
            if !is_zero(before) && is_zero(after) && key.is_some_and(is_number_of_copies) {
                facts.push(fact());
            }
        }
        (Payload::Map(old), Payload::Map(new)) => {
            for (key, value) in old {
                let other = new.get(key).unwrap_or(&Value::NULL);
                // Nothing goes where nothing changes.
                if !value.is_identical(other) {
                    let path = path.child(Segment::Key(key.clone()));
                    compare(id, value, other, &path, facts);
                }
            }
        }
        (Payload::Array(old), Payload::Array(new)) if old.len() == 1 && new.len() == 1 => {
            if let (Some(one), Some(other)) = (old.get(0), new.get(0)) {
                compare(id, one, other, &path.child(Segment::Index(0)), facts);
            }
        }
        _ => {}
    }
}

fn is_list_of_parts(key: &str) -> bool {
    pieces(key)
        .last()
        .is_some_and(|word| parts::is_part(&singular(&word.to_lowercase())))
}

fn is_number_of_copies(key: &str) -> bool {
    let words = words(key);
    let is_of_copies = has_word(key, &WORDS.copies);
    let is_number = words.iter().any(|word| WORDS.numbers.has(word));
    is_of_copies && is_number && words.first().is_some_and(|word| word != "min")
}
