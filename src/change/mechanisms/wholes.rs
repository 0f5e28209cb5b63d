//! Parts that go with their whole: a bucket's public access block that is deleted together with the bucket guards nothing any
//! longer, so its deletion says nothing of its own.
//!
//! A part names its whole in a property, and the name of its type says that it is one. What only serves a component, such as the alarms
//! and permissions of a service, says nothing either if the plan deletes all of it.

use std::collections::{BTreeSet, HashSet};

use super::tables::{OFF, WORDS};
use super::words::{ends_in, with_module};
use super::{Seen, parts};
use crate::change::kinds::{Components, hash_of};
use crate::stack::{Action, ResourceId, Stack};

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
    gone: &[Gone],
    off: &BTreeSet<ResourceId>,
) -> BTreeSet<ResourceId> {
    if gone.is_empty() {
        return BTreeSet::new();
    }
    let components = Components::of(stack, Action::Delete);
    let is_off = components.iter().filter(|(id, _)| off.contains(id));
    let of_off: HashSet<&str> = is_off.map(|(_, component)| &**component).collect();
    let serves = |(id, component): &(ResourceId, &std::sync::Arc<str>)| {
        let ty = with_module(stack.ty(*id));
        let is_one_of = |types: &[String]| types.iter().any(|it| ends_in(&ty, it));
        let is_service = super::pods::is_one_of(&WORDS.services, stack.ty(*id));
        is_service
            || is_one_of(&OFF.companions)
            || of_off.contains(&***component) && is_one_of(&OFF.inboxes)
    };
    let serving = components.iter().filter(serves);
    serving.map(|(id, _)| id).collect()
}
