//! Parts that go with their whole: a bucket's public access block that is deleted together with the bucket guards nothing any
//! longer, so its deletion says nothing of its own.
//!
//! A part names its whole in a property, and the name of its type says that it is one. Resources that only serve a component, such as the
//! alarms and permissions of a service, say nothing either if the plan deletes all of it. If the plan deletes only a part of the component, a
//! resource that serves others is a note where all that need it go too, or are off already.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::off::is_idle;
use super::places::text_at;
use super::pods::{full_name, is_one_of};
use super::tables::{OFF, WORDS};
use super::ties::{Finder, Name, SHORT_END, names};
use super::words::{ends_in, last_of_type, with_module};
use super::{Fact, Notice, Reader, Seen, parts};
use crate::change::kinds::{Components, hash_of};
use crate::change::rules::Level;
use crate::path::Path;
use crate::stack::{Action, Mode, Resource, ResourceId, Stack, State};

/// Maximum number of resources that serve others and are judged.
const MAX_SERVING: usize = 64;

/// Maximum number of resources that need one of them.
const MAX_USERS: usize = 64;

/// A deleted resource, with hashes of its texts.
#[derive(Clone, Debug)]
pub(super) struct Gone {
    id: ResourceId,
    ty: Box<str>,
    /// The texts by which others name it.
    names: Vec<u64>,
    /// All of its texts.
    texts: Vec<u64>,
}

/// The resource, if the plan deletes it.
pub(super) fn find(seen: &Seen<'_>) -> Option<Gone> {
    let resource = seen.resource;
    if seen.action != Action::Delete || !seen.is_managed() {
        return None;
    }
    let before = resource.before.as_ref();
    let texts = || parts::texts(resource, before);
    let id = resource.id.iter().filter_map(|id| id.as_str()).map(hash_of);
    let names = texts().filter(|(key, _)| WORDS.names.has(key));
    let names = names.map(|(_, text)| hash_of(text));
    Some(Gone {
        id: seen.id,
        ty: resource.ty.as_str().into(),
        names: names.chain(id).collect(),
        texts: texts().map(|(_, text)| hash_of(text)).collect(),
    })
}

/// The deleted parts whose whole is deleted too.
pub(super) fn parts(gone: &[Gone]) -> BTreeSet<ResourceId> {
    let mut wholes = parts::Wholes::default();
    for whole in gone {
        for name in &whole.names {
            wholes.add(*name, &whole.ty, whole.id);
        }
    }
    let gone = gone.iter().filter(|part| {
        let mut texts = part.texts.iter();
        texts.any(|text| wholes.of(&part.ty, *text, part.id).is_some())
    });
    gone.map(|part| part.id).collect()
}

/// The deleted resources that only serve a component, all of which is deleted. `off` are those that are off already.
pub(super) fn companions(
    stack: &Stack,
    components: &Components,
    off: &BTreeSet<ResourceId>,
) -> BTreeSet<ResourceId> {
    let is_off = components.iter().filter(|(id, _)| off.contains(id));
    let of_off: HashSet<&str> = is_off.map(|(_, component)| &**component).collect();
    let serves = |(id, component): &(ResourceId, &std::sync::Arc<str>)| {
        let ty = stack.ty(*id);
        is_one_of(&WORDS.services, ty)
            || is_of(&OFF.companions, ty)
            || of_off.contains(&***component) && is_of(&OFF.inboxes, ty)
    };
    let serving = components.iter().filter(serves);
    serving.map(|(id, _)| id).collect()
}

fn is_of(types: &[String], ty: &str) -> bool {
    let ty = with_module(ty);
    types.iter().any(|it| ends_in(&ty, it))
}

/// True for a type that only serves others.
fn serves(ty: &str) -> bool {
    is_of(&OFF.companions, ty) || is_one_of(&WORDS.settings, ty)
}

/// The notes about deleted resources that only serve others, all of which go too or are off already. `told` are those of which that is
/// said already, and `off` those that are off.
pub(super) fn unneeded(
    reader: &Reader<'_>,
    gone: &[Gone],
    told: &BTreeSet<ResourceId>,
    off: &BTreeSet<ResourceId>,
) -> Vec<Notice> {
    let stack = reader.stack;
    let mut types: HashMap<&str, bool> = HashMap::new();
    let serving = gone.iter().map(|it| it.id).filter(|id| {
        let ty = stack.ty(*id);
        !told.contains(id) && *types.entry(ty).or_insert_with(|| serves(ty))
    });
    let mut serving: Vec<ResourceId> = serving.collect();
    serving.sort_unstable();
    serving.truncate(MAX_SERVING);
    let linked = |id: ResourceId| {
        let links = stack.graph.used_by(id).iter().take(MAX_USERS + 1);
        let users = links.map(|link| link.to);
        users.collect::<BTreeSet<ResourceId>>()
    };
    let is_off = |id: ResourceId| {
        let is_idle = |it: Resource| {
            let set = it.current().and_then(State::properties);
            set.is_some_and(is_idle)
        };
        off.contains(&id) || (reader.read)(id).is_some_and(is_idle)
    };
    let note = |id: ResourceId, mut users: BTreeSet<ResourceId>| {
        users.remove(&id);
        let goes = |id: ResourceId| stack.record(id).action == Some(Action::Delete);
        // Parts of it and its permissions go with it, and need it for nothing.
        let needs = |id: &ResourceId| {
            let ty = stack.ty(*id);
            !serves(ty) && !parts::is_part(&last_of_type(ty))
        };
        let first = users.iter().copied().find(needs)?;
        let is_over = users.len() <= MAX_USERS && users.iter().all(|it| goes(*it) || is_off(*it));
        let end = if goes(first) {
            "goes too"
        } else {
            "is off already"
        };
        let name = stack.spoken_name(first);
        let says = format!("nothing else needs it: {name} {end}");
        let fact = Fact::at(id, Path::root());
        is_over.then(|| Notice::answer(fact, Level::Note, "needed-no-longer", says))
    };
    // Settings of Kubernetes are named in texts alone. Others are looked for only if no link of the file says that something needs them.
    let may_be_over = |id: &ResourceId| {
        is_one_of(&WORDS.settings, stack.ty(*id)) || note(*id, linked(*id)).is_some()
    };
    serving.retain(may_be_over);
    let users = naming(reader, &serving).into_iter();
    let users = users.map(|(id, named)| (id, &linked(id) | &named));
    users.filter_map(|(id, all)| note(id, all)).collect()
}

/// The resources that may name some others in a text, as not every reference is one of the file's graph. Others whose names nobody can
/// look for are left out.
fn naming(
    reader: &Reader<'_>,
    serving: &[ResourceId],
) -> BTreeMap<ResourceId, BTreeSet<ResourceId>> {
    let stack = reader.stack;
    let mut users: BTreeMap<ResourceId, BTreeSet<ResourceId>> = BTreeMap::new();
    let mut names: Vec<Name> = Vec::new();
    for (id, resource) in reader.each(serving.iter().copied()) {
        if let Some(own) = texts_of(stack, id, &resource) {
            users.insert(id, BTreeSet::new());
            names.extend(own);
        }
    }
    if names.is_empty() {
        return users;
    }
    let finder = Finder::of(&names);
    let ids = stack.ids().filter(|id| {
        let record = stack.record(*id);
        stack.mode(*id) == Mode::Managed && !record.flags.is_drift()
    });
    let ids: Vec<ResourceId> = ids.collect();
    let found = reader.gather(&ids, |ids| {
        let mut own = Vec::new();
        (reader.each_bytes)(ids, &mut |id, bytes| {
            let found = finder.names_in(bytes);
            let meant = found.filter(|(name, end)| is_apart(bytes, name, *end));
            own.extend(meant.map(|(name, _)| (name.owner, id)));
        });
        own
    });
    for (serving, user) in found {
        users.entry(serving).or_default().insert(user);
    }
    users
}

/// The texts by which others may name a resource: those that mean it wherever they occur, and for settings of Kubernetes the name. A
/// setting in another namespace counts too. `None` for settings whose name is not known, or too short.
fn texts_of(stack: &Stack, id: ResourceId, resource: &Resource) -> Option<Vec<Name>> {
    let before = resource.before.as_ref();
    let name = |text: Box<str>, is_id: bool| Name {
        text,
        owner: id,
        is_id,
    };
    if is_one_of(&WORDS.settings, stack.ty(id)) {
        let set = before?.properties()?;
        let own = text_at(set, "metadata.name").filter(|it| it.len() >= SHORT_END)?;
        let whole = full_name(stack.ty(id), set).map(|it| name(it.into(), true));
        return Some(whole.into_iter().chain([name(own.into(), false)]).collect());
    }
    let own = names(resource, before).into_iter();
    let ids = own.filter_map(|(text, is_id)| is_id.then_some(text));
    let sets = before.into_iter().flat_map(State::sets);
    let mails = sets.filter_map(|set| Some(text_at(set, "email")?.into()));
    let long = ids.chain(mails).filter(|it| it.len() >= SHORT_END);
    Some(long.map(|it| name(it, true)).collect())
}

/// True if a name in these bytes is no part of a longer one. No word goes on after it.
fn is_apart(bytes: &[u8], name: &Name, end: usize) -> bool {
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:@".contains(byte);
    let before = (end - name.text.len()).checked_sub(1);
    let before = before.and_then(|at| bytes.get(at));
    let is_inside = before.into_iter().chain(bytes.get(end)).any(goes_on);
    name.is_id || !is_inside
}
