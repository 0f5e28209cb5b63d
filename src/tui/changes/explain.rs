//! The explanation of a row in the list of changes: the properties that change, and the reason.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::change::audit::schema_of;
use crate::change::causes::{ChainLink, Origin, sources, why};
use crate::change::leaves::{Strings, of_section};
use crate::change::review::review;
use crate::load::Document;
use crate::path::{Path, Segment};
use crate::stack::{Action, ResourceId};
use crate::terraform::schema::Schemas;
use crate::value::{Payload, Shown};

/// The changed properties of a resource, and the causes of the change.
#[derive(Clone, Default, Debug)]
pub struct Explained {
    /// The chain of causes, from the resource to the root.
    pub steps: Vec<ChainLink>,
    /// The resources that properties take changed values from.
    pub sources: Vec<Origin>,
    /// The changed properties, those that force a replacement first.
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
    let mut first = None;
    let mut read = |wanted| {
        if wanted == id && first.is_some() {
            return first.clone();
        }
        let resource = document.resource(wanted).ok().map(Arc::new);
        if wanted == id {
            first.clone_from(&resource);
        }
        resource
    };
    let steps = why(&document.stack, id, &mut read);
    let own = read(id);
    let is_unread = own.is_none();
    let found = own.map(|own| sources(&document.stack, id, &own, &mut read));
    let action = document.stack.record(id).action;
    // Every property of a resource that comes or goes does so too.
    let lists = !matches!(action, None | Some(Action::Create | Action::Delete));
    let properties = match read(id).filter(|_| lists) {
        Some(resource) => {
            let schema = schemas.and_then(|schemas| schema_of(&resource, schemas));
            let parts = review(&resource, schema.as_ref().map(|schema| &schema.block));
            let leaves = parts
                .iter()
                .flat_map(|part| of_section(part, Strings::Whole));
            properties(leaves.filter_map(|leaf| {
                // A value that is only not known yet says nothing about the cause.
                let is_unknown = matches!(leaf.after.shown(), Shown::Plain(Payload::Computed(_)));
                (leaf.replaces || !is_unknown).then_some((leaf.path, leaf.replaces))
            }))
        }
        None => Vec::new(),
    };
    Explained {
        steps,
        sources: found.unwrap_or_default(),
        properties,
        is_unread,
    }
}

/// Several places below one property are one entry.
fn properties(places: impl Iterator<Item = (Path, bool)>) -> Vec<Property> {
    let mut found: IndexMap<Option<Segment>, (Vec<Segment>, usize, bool)> = IndexMap::new();
    for (path, forces) in places {
        let top = path.0.first().cloned();
        let Some((common, n, forced)) = found.get_mut(&top) else {
            found.insert(top, (path.0, 1, forces));
            continue;
        };
        let shared = common.iter().zip(&path.0);
        let len = shared.take_while(|(one, other)| one == other).count();
        common.truncate(len);
        *n += 1;
        *forced |= forces;
    }
    let mut properties: Vec<Property> = found
        .into_values()
        .map(|(common, n, forces)| {
            let path = Path(common).to_string();
            Property {
                path: if n > 1 { format!("{path}.*") } else { path },
                forces,
            }
        })
        .collect();
    properties.sort_by_key(|property| !property.forces);
    properties
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> Vec<String> {
        let parsed = paths.iter().map(|path| (Path::parse(path).unwrap(), false));
        let found = properties(parsed).into_iter();
        found.map(|property| property.path).collect()
    }

    #[test]
    fn places_below_one_property_are_one_entry() {
        let all = [
            "size",
            "tags.a",
            "tags.b",
            "ingress[1].cidr",
            "rules[0].a",
            "rules[1].a",
        ];
        let want = ["size", "tags.*", "ingress[1].cidr", "rules.*"];
        assert_eq!(paths(&all), want);
    }
}
