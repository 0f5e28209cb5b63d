//! The explanation of a row in the list of changes: the properties that change, and the reason.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::change::audit::schema_of;
use crate::change::causes::{ChainLink, Origin, sources, why};
use crate::change::kinds::Tag;
use crate::change::leaves::{Leaf, Strings, of_section};
use crate::change::mechanisms::root_of_change;
use crate::change::review::review;
use crate::load::Document;
use crate::path::{Path, Segment};
use crate::stack::{Action, Resource, ResourceId, Stack};
use crate::terraform::schema::Schemas;
use crate::value::{Payload, Shown};

/// The changed properties of a resource, and the causes of the change.
#[derive(Clone, Default, Debug)]
pub struct Explained {
    /// The chain of causes, from the resource to the root.
    pub steps: Vec<ChainLink>,
    /// The changed properties of the last resource of the chain, each with the last place that the file shows for its value.
    pub roots: Vec<(Path, String)>,
    /// The resources that properties take changed values from.
    pub sources: Vec<Origin>,
    /// The changed properties, those that force a replacement first and tags last.
    pub properties: Vec<Property>,
    /// True if the resource could not be read, so that nothing is known of its properties and causes.
    pub is_unread: bool,
}

/// A changed property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its path: `engine`, `ingress[1].cidr`, or `tags.*` for several values of one container.
    pub path: String,
    /// True if it forces the replacement of the resource.
    pub forces: bool,
}

/// Reads a resource and explains its change.
pub fn explain(document: &Document, id: ResourceId, schemas: Option<&Schemas>) -> Explained {
    let stack = &document.stack;
    let own = document.resource(id).ok().map(Arc::new);
    let mut read = |wanted| {
        if wanted == id {
            return own.clone();
        }
        document.resource(wanted).ok().map(Arc::new)
    };
    let steps = why(stack, id, &mut read);
    let root = steps.last().and_then(|last| Some((last, read(last.id)?)));
    let roots = root.map(|(last, resource)| roots(stack, last, &resource, schemas));
    let found = own.as_ref().map(|own| sources(stack, id, own, &mut read));
    // Every property of a resource that comes or goes does so too.
    let action = stack.record(id).action;
    let lists = !matches!(action, None | Some(Action::Create | Action::Delete));
    let listed = own.iter().filter(|_| lists);
    let listed = listed.flat_map(|own| leaves(own, schemas));
    Explained {
        roots: roots.unwrap_or_default(),
        steps,
        sources: found.unwrap_or_default(),
        properties: properties(listed.filter_map(ranked)),
        is_unread: own.is_none(),
    }
}

/// A changed property with its weight. A value that is only not known yet says nothing about the cause.
fn ranked(leaf: Leaf) -> Option<(Path, Rank)> {
    let is_unknown = matches!(leaf.after.shown(), Shown::Plain(Payload::Computed(_)));
    let rank = match Tag::of(&leaf) {
        _ if leaf.replaces => Rank::Forces,
        Tag::No if !leaf.is_without_effect() => Rank::Tells,
        Tag::No | Tag::Label | Tag::Annotation => Rank::Last,
    };
    (leaf.replaces || !is_unknown).then_some((leaf.path, rank))
}

/// The changed properties of a resource.
fn leaves(resource: &Resource, schemas: Option<&Schemas>) -> Vec<Leaf> {
    let schema = schemas.and_then(|schemas| schema_of(resource, schemas));
    let parts = review(resource, schema.as_ref().map(|schema| &schema.block));
    let parts = parts.iter();
    parts
        .flat_map(|part| of_section(part, Strings::Whole))
        .collect()
}

/// Maximum number of properties whose places are told.
const MAX_ROOTS: usize = 4;

/// The places of the properties that force the replacement, or else of all that change. The creation of a resource has no such place.
fn roots(
    stack: &Stack,
    step: &ChainLink,
    resource: &Resource,
    schemas: Option<&Schemas>,
) -> Vec<(Path, String)> {
    if step.is_drift || !matches!(step.action, Action::Update | Action::Replace) {
        return Vec::new();
    }
    let leaves = leaves(resource, schemas).into_iter();
    let leaves = leaves.filter(|leaf| step.forcing.is_empty() || leaf.replaces);
    let found = leaves.filter_map(|leaf| {
        let words = root_of_change(stack, step.id, &leaf)?;
        Some((leaf.path, words))
    });
    found.take(MAX_ROOTS).collect()
}

/// The weight of a changed property in a row that has room for one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rank {
    Forces,
    Tells,
    /// A tag, or a change without effect.
    Last,
}

/// Several places below one property are one entry.
fn properties(places: impl Iterator<Item = (Path, Rank)>) -> Vec<Property> {
    let mut found: IndexMap<Option<Segment>, (Vec<Segment>, usize, Rank)> = IndexMap::new();
    for (path, rank) in places {
        let top = path.0.first().cloned();
        let Some((common, n, first)) = found.get_mut(&top) else {
            found.insert(top, (path.0, 1, rank));
            continue;
        };
        let shared = common.iter().zip(&path.0);
        let len = shared.take_while(|(one, other)| one == other).count();
        common.truncate(len);
        *n += 1;
        *first = rank.min(*first);
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort_by_key(|(.., rank)| *rank);
    let property = |(common, n, rank): (Vec<Segment>, usize, Rank)| {
        let path = Path(common).to_string();
        Property {
            path: if n > 1 { format!("{path}.*") } else { path },
            forces: rank == Rank::Forces,
        }
    };
    found.into_iter().map(property).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> Vec<String> {
        let rank = |path: &str| {
            if path.starts_with("tags") {
                Rank::Last
            } else {
                Rank::Tells
            }
        };
        let parsed = paths
            .iter()
            .map(|path| (Path::parse(path).unwrap(), rank(path)));
        let found = properties(parsed).into_iter();
        found.map(|property| property.path).collect()
    }

    #[test]
    fn places_below_one_property_are_one_entry_and_tags_come_last() {
        let all = [
            "size",
            "tags.a",
            "tags.b",
            "ingress[1].cidr",
            "rules[0].a",
            "rules[1].a",
        ];
        let want = ["size", "ingress[1].cidr", "rules.*", "tags.*"];
        assert_eq!(paths(&all), want);
    }
}
