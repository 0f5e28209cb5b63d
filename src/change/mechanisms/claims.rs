//! Claims: a volume of Kubernetes whose claim goes, and that stays with all that it holds: it says so itself, or its storage class does.

use super::off::at;
use super::pods::is_one_of;
use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen, is_unchanged};
use crate::change::rules::Level;
use crate::path::Path;
use crate::stack::{Action, ResourceId};
use crate::value::Value;

/// Maximum number of volumes and of storage classes that are read.
const MAX_READ: usize = 200;

/// The names that a claim shares with what may keep its volume: its own with its namespace, that of its volume, and that of its class.
type Names = [Option<String>; 3];

/// A claim that goes.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    id: ResourceId,
    names: Names,
}

/// The resource, if it is such a claim.
pub(super) fn find(seen: &Seen<'_>) -> Option<Claim> {
    let goes = seen.action == Action::Delete && seen.is_managed();
    let is_claim = goes && is_one_of(&WORDS.claims, seen.stack.ty(seen.id));
    let state = seen.resource.before.as_ref().filter(|_| is_claim)?;
    let set = state.properties()?;
    let names = [
        claim_at(set, "metadata"),
        text(set, "spec.volume_name"),
        text(set, "spec.storage_class_name"),
    ];
    Some(Claim { id: seen.id, names })
}

/// The text at a place, if there is one.
fn text(set: &Value, place: &str) -> Option<String> {
    let (_, value) = at(set, place)?;
    let text = value.as_str().filter(|it| !it.is_empty());
    text.map(str::to_owned)
}

/// The name of a claim and its namespace.
fn claim_at(set: &Value, place: &str) -> Option<String> {
    let name = text(set, &format!("{place}.name"))?;
    let namespace = text(set, &format!("{place}.namespace")).unwrap_or_default();
    Some(format!("{namespace}/{name}"))
}

/// A thing that may keep the volumes of claims that have one of its names, with its words if it does.
type Keeper = (Names, Option<String>);

fn volume(set: &Value) -> Option<Keeper> {
    let name = text(set, "metadata.name")?;
    let keeps = retains(set, "spec.persistent_volume_reclaim_policy");
    let words = keeps.then(|| format!("the volume {name} is retained"));
    Some(([claim_at(set, "spec.claim_ref"), Some(name), None], words))
}

fn class(set: &Value) -> Option<Keeper> {
    let name = text(set, "metadata.name")?;
    let keeps = retains(set, "reclaim_policy");
    let words = keeps.then(|| format!("its storage class {name} retains them"));
    Some(([None, None, Some(name)], words))
}

fn retains(set: &Value, place: &str) -> bool {
    text(set, place).is_some_and(|it| it.eq_ignore_ascii_case("retain"))
}

/// A note about each claim whose volume stays.
pub(super) fn notices(claims: Vec<Claim>, reader: &Reader<'_>) -> Vec<Notice> {
    if claims.is_empty() {
        return Vec::new();
    }
    let stack = reader.stack;
    let all = |types, keeper: fn(&Value) -> Option<Keeper>| -> Vec<Keeper> {
        let is_meant = |id| is_one_of(types, stack.ty(id)) && is_unchanged(stack, id);
        let found = reader.some(MAX_READ, is_meant).into_iter();
        let keepers = found.filter_map(|(_, it)| keeper(it.current()?.properties()?));
        keepers.collect()
    };
    // A volume says more than its class.
    let keepers = [
        all(&WORDS.volumes, volume),
        all(&WORDS.storage_classes, class),
    ];
    let notice = |Claim { id, names }: Claim| {
        let has_name = |(own, _): &&Keeper| {
            let mut both = own.iter().zip(&names);
            both.any(|(own, name)| own.is_some() && own == name)
        };
        let found = keepers.iter().map(|all| all.iter().filter(has_name));
        let found = found.map(Vec::from_iter).find(|it| !it.is_empty())?;
        // Two clusters may have a thing of one name each.
        let words: Option<Vec<&String>> = found.iter().map(|(_, it)| it.as_ref()).collect();
        let says = format!("the volume and its data stay: {}", words?[0]);
        let fact = Fact::at(id, Path::root());
        Some(Notice::answer(fact, Level::Note, "volume-kept", says))
    };
    claims.into_iter().filter_map(notice).collect()
}
