//! Claims: a volume of Kubernetes whose claim goes, and that stays with all that it holds: it says so itself, or its storage class does.

use super::places::text_at;
use super::pods::is_one_of;
use super::tables::WORDS;
use super::{Fact, Notice, Reader, is_unchanged};
use crate::change::rules::Level;
use crate::path::Path;
use crate::stack::{Action, Resource, ResourceId};
use crate::value::Value;

/// Maximum number of volumes and of storage classes that are read.
const MAX_READ: usize = 200;

/// The names that a claim shares with what may keep its volume: its own with its namespace, that of its volume, and that of its class.
type Names = [Option<String>; 3];

/// The name of a claim and its namespace.
fn claim_at(set: &Value, place: &str) -> Option<String> {
    let name = text_at(set, &format!("{place}.name"))?;
    let namespace = text_at(set, &format!("{place}.namespace")).unwrap_or_default();
    Some(format!("{namespace}/{name}"))
}

/// A thing that may keep the volumes of claims that have one of its names, with its words if it does.
type Keeper = (Names, Option<String>);

fn volume(set: &Value) -> Option<Keeper> {
    let name = text_at(set, "metadata.name")?;
    let keeps = retains(set, "spec.persistent_volume_reclaim_policy");
    let words = keeps.then(|| format!("the volume {name} is retained"));
    Some(([claim_at(set, "spec.claim_ref"), Some(name), None], words))
}

fn class(set: &Value) -> Option<Keeper> {
    let name = text_at(set, "metadata.name")?;
    let keeps = retains(set, "reclaim_policy");
    let words = keeps.then(|| format!("its storage class {name} retains them"));
    Some(([None, None, Some(name)], words))
}

fn retains(set: &Value, place: &str) -> bool {
    text_at(set, place).is_some_and(|it| it.eq_ignore_ascii_case("retain"))
}

/// A note about each claim that goes and whose volume stays.
pub(super) fn notices(reader: &Reader<'_>) -> Vec<Notice> {
    let claims = reader.changed(&[Action::Delete], |ty| is_one_of(&WORDS.claims, ty));
    if claims.is_empty() {
        return Vec::new();
    }
    let all = |types, keeper: fn(&Value) -> Option<Keeper>| -> Vec<Keeper> {
        let found = reader.some(MAX_READ, is_unchanged, |ty| is_one_of(types, ty));
        let keepers = found
            .iter()
            .filter_map(|(_, it)| keeper(it.current()?.properties()?));
        keepers.collect()
    };
    // A volume says more than its class.
    let keepers = [
        all(&WORDS.volumes, volume),
        all(&WORDS.storage_classes, class),
    ];
    let notice = |(id, claim): (ResourceId, Resource)| {
        let set = claim.before.as_ref()?.properties()?;
        let names = [
            claim_at(set, "metadata"),
            text_at(set, "spec.volume_name"),
            text_at(set, "spec.storage_class_name"),
        ];
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
    reader.each(claims).filter_map(notice).collect()
}
