//! An apply that will stop half way: what the plan itself shows to be impossible. Two objects must exist at once under one fixed
//! name, or a guard forbids a deletion.
//!
//! The types whose names are unique are data, `assets/mechanisms/unique.toml`.

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::manager;
use super::places::{all_at, at};
use super::tables::UNIQUE;
use super::words::{ends_in, of_type};
use super::{Fact, Notice, Reader, Seen, stays};
use crate::change::apply_order::is_known_to_create_first;
use crate::change::groups::grouped;
use crate::change::kinds::hash_of;
use crate::change::loss;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, EdgeKind, Resource, ResourceId, Stack, State};
use crate::text::has_word;
use crate::value::Value;

/// Maximum number of unchanged resources of one type whose names are read.
const MAX_READ: usize = 500;

/// The name of an object that must be the only one with it, and where it counts.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    id: ResourceId,
    /// True if the plan creates the object.
    is_new: bool,
    path: Path,
    /// The hash of the name.
    name: u64,
    /// The hashes of the properties that say where the object is, by their words; `None` for one that the provider fills in.
    scopes: BTreeMap<Box<str>, Option<u64>>,
}

/// The stops that a resource shows alone.
pub(super) fn of_one(seen: &Seen<'_>) -> Vec<Notice> {
    let goes = matches!(seen.action, Action::Delete | Action::Replace);
    // The actions of a run are no plan.
    if !goes || !seen.is_managed() || seen.stack.header.kind.is_log() {
        return Vec::new();
    }
    let mut notices = Vec::from_iter(forbidden(seen.id, seen.resource));
    if seen.action == Action::Replace {
        notices.extend(twice(seen));
    }
    notices
}

/// The name that a resource claims which comes, or which changes and stays.
pub(super) fn find(seen: &Seen<'_>) -> Option<Claim> {
    let is_new = seen.action == Action::Create;
    let state = seen.resource.after.as_ref();
    let state = state.filter(|_| is_new || seen.action == Action::Update)?;
    let claim = claim(seen.stack, seen.id, seen.resource, state);
    Some(Claim {
        is_new,
        ..claim.filter(|_| seen.is_managed())?
    })
}

/// A notice about each new object whose name is taken.
pub(super) fn notices(claims: Vec<Claim>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let (created, kept): (Vec<Claim>, Vec<Claim>) = claims.into_iter().partition(|it| it.is_new);
    let types: BTreeSet<&str> = created.iter().map(|it| stack.ty(it.id)).collect();
    let unchanged = types
        .into_iter()
        .flat_map(|ty| reader.each(reader.unchanged(ty).take(MAX_READ)));
    let unchanged = unchanged.filter_map(|(id, it)| claim(stack, id, &it, it.current()?));
    let kept = kept.into_iter().chain(unchanged);
    let by_name = grouped(kept.map(|claim| ((stack.ty(claim.id), claim.name), claim)));
    let notices = created.iter().filter_map(|new| {
        let same = by_name.get(&(stack.ty(new.id), new.name))?.iter();
        let owners = same.filter(|old| stays(stack, old.id) && new.is_beside(old));
        let owners = stack.by_name(owners.map(|it| it.id));
        let owner = stack.spoken_name(*owners.first()?);
        let says = format!("the apply stops here: {owner} stays and has this name");
        Some(stop(new.id, says, new.path.clone()))
    });
    notices.collect()
}

impl Claim {
    /// True if both objects are in one place, as far as the file says.
    fn is_beside(&self, other: &Self) -> bool {
        let known = |claim: &Self, word: &str| claim.scopes.get(word).copied().flatten();
        let mut words = self.scopes.keys().chain(other.scopes.keys());
        words.all(|word| match (known(self, word), known(other, word)) {
            (Some(own), Some(other)) => own == other,
            (None, _) | (_, None) => UNIQUE.defaults.iter().any(|it| **it == **word),
        })
    }
}

fn stop(id: ResourceId, says: String, place: Path) -> Notice {
    Notice::at(Fact::at(id, place), Level::Warning, "apply-stops", says)
}

/// The guard of a resource that forbids its deletion.
fn forbidden(id: ResourceId, resource: &Resource) -> Option<Notice> {
    let (path, value) = loss::forbids(resource)?;
    let says = if value.is_null() {
        format!("the apply stops here: a final snapshot is asked for, and {path} is not set")
    } else {
        format!("the apply stops here: {path} {value} forbids the deletion")
    };
    Some(stop(id, says, path))
}

/// The fixed name that a resource and its replacement must have at once.
fn twice(seen: &Seen<'_>) -> Option<Notice> {
    let resource = seen.resource;
    if !is_known_to_create_first(seen.stack, seen.id) || !is_unique(seen.stack, seen.id) {
        return None;
    }
    let [before, after] = [&resource.before, &resource.after].map(Option::as_ref);
    let (path, old) = name(resource, before?)?;
    let (_, new) = name(resource, after?)?;
    // In another place the name is free.
    let goes_elsewhere = seen.leaves.iter().any(|leaf| {
        let is_scope = |step: &Segment| matches!(step, Segment::Key(key) if is_scope(key));
        leaf.path.0.iter().any(is_scope)
    });
    if old != new || goes_elsewhere || has_other_provider(seen.stack, seen.id) {
        return None;
    }
    let says = "the apply stops here: the replacement is created first, and its name is taken until the old one is gone";
    let mut notice = stop(seen.id, says.to_owned(), path);
    notice.facts[0].after = Some(new.clone());
    Some(notice)
}

/// True if the provider of a resource changes, and with it perhaps the place of the object.
fn has_other_provider(stack: &Stack, id: ResourceId) -> bool {
    let providers = stack.graph.depends_on(id).iter();
    let mut providers = providers.filter(|link| link.kind == EdgeKind::Provider);
    providers.any(|link| !matches!(stack.effect(link.to), None | Some(Action::Noop)))
}

/// True for a type of which two objects cannot have one name.
fn is_unique(stack: &Stack, id: ResourceId) -> bool {
    let ty = stack.ty(id);
    let mut own = of_type(ty);
    if ty.starts_with("kubernetes") {
        own.insert(0, "kubernetes".to_owned());
    }
    UNIQUE.types.iter().any(|it| ends_in(&own, it))
}

fn is_scope(key: &str) -> bool {
    has_word(key, &UNIQUE.scopes)
}

/// The name of an object, with its place. `None` if it is not known.
fn name<'s>(resource: &Resource, state: &'s State) -> Option<(Path, &'s Value)> {
    let set = state.section(resource.program_section())?;
    let mut found = all_at(set, &UNIQUE.names);
    let (path, value) = found.find(|(_, value)| !value.is_null())?;
    let is_known = value.as_str().is_some_and(|text| !text.is_empty());
    is_known.then_some((path, value))
}

fn claim(stack: &Stack, id: ResourceId, resource: &Resource, state: &State) -> Option<Claim> {
    if !is_unique(stack, id) {
        return None;
    }
    let (path, text) = name(resource, state)?;
    let set = state.section(resource.program_section())?;
    let mut scopes = BTreeMap::new();
    let inner = at(set, "metadata.namespace").map(|(_, value)| ("namespace".to_owned(), value));
    let own = set.as_map()?.iter();
    let own = own.filter(|(key, _)| is_scope(key) && path.0[0] != Segment::Key((*key).clone()));
    let own = own.map(|(key, value)| (crate::text::joined(key), value));
    for (word, value) in own.chain(inner) {
        if value.is_null() || value.is_secret() {
            continue;
        }
        let known = (!value.has_computed()).then(|| hash_of(&value.to_string()));
        scopes.insert(word.into(), known);
    }
    scopes.insert("provider".into(), Some(hash_of(&manager(stack, id))));
    Some(Claim {
        id,
        is_new: false,
        path,
        name: hash_of(text.as_str()?),
        scopes,
    })
}
