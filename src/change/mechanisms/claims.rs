//! Claims: a volume of Kubernetes whose claim goes, and whose storage class keeps it with all that it holds.

use super::off::at;
use super::pods::is_one_of;
use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen, is_unchanged};
use crate::change::rules::Level;
use crate::path::Path;
use crate::stack::{Action, Resource, ResourceId};

/// Maximum number of storage classes that are read.
const MAX_CLASSES: usize = 200;

/// A claim that goes, with the name of its storage class.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    id: ResourceId,
    class: String,
}

/// The resource, if it is such a claim.
pub(super) fn find(seen: &Seen<'_>) -> Option<Claim> {
    let goes = seen.action == Action::Delete && seen.is_managed();
    let is_claim = goes && is_one_of(&WORDS.claims, seen.stack.ty(seen.id));
    let state = seen.resource.before.as_ref().filter(|_| is_claim)?;
    let (_, class) = at(state.properties()?, "spec.storage_class_name")?;
    Some(Claim {
        id: seen.id,
        class: class.as_str()?.to_owned(),
    })
}

/// A note about each claim whose volume stays.
pub(super) fn notices(claims: Vec<Claim>, reader: &Reader<'_>) -> Vec<Notice> {
    if claims.is_empty() {
        return Vec::new();
    }
    let stack = reader.stack;
    let classes = reader.some(MAX_CLASSES, |id| {
        is_one_of(&WORDS.storage_classes, stack.ty(id)) && is_unchanged(stack, id)
    });
    let name = |(_, class): (ResourceId, Resource)| {
        let set = class.current()?.properties()?;
        let text = |place: &str| Some(at(set, place)?.1.as_str()?.to_owned());
        let keeps = text("reclaim_policy").is_some_and(|it| it.eq_ignore_ascii_case("retain"));
        Some((text("metadata.name")?, keeps))
    };
    let classes: Vec<(String, bool)> = classes.into_iter().filter_map(name).collect();
    // Two clusters may have a class of one name each.
    let keeps = |claim: &Claim| {
        let mut own = classes
            .iter()
            .filter(|(name, _)| *name == claim.class)
            .peekable();
        own.peek().is_some() && own.all(|(_, keeps)| *keeps)
    };
    let kept = claims.into_iter().filter(keeps);
    let notice = |Claim { id, class }: Claim| {
        let says = format!("the volume and its data stay: its storage class {class} retains them");
        let fact = Fact::at(id, Path::root());
        Notice {
            answers: true,
            ..Notice::at(fact, Level::Note, "volume-kept", says)
        }
    };
    kept.map(notice).collect()
}
