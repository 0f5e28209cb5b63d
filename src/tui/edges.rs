//! The reason why one resource needs another: the properties that carry the edge, and its kinds.

use super::rows::shown;
use crate::stack::{EdgeKind, Resource, ResourceId, Stack};

/// A property that carries an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CarryingProperty {
    /// The property of the dependent resource, escaped: `.vpcId`.
    property: String,
    /// The attribute of the dependency that it takes, escaped, if the file names it: `id`.
    attribute: Option<String>,
}

impl CarryingProperty {
    /// The property and where it comes from: `.vpcId ← id`.
    fn text(&self) -> String {
        match &self.attribute {
            Some(attribute) => format!("{} ← {attribute}", self.property),
            None => self.property.clone(),
        }
    }
}

/// The properties of `resource` that depend on `to`.
pub fn properties(stack: &Stack, to: ResourceId, resource: &Resource) -> Vec<CarryingProperty> {
    let identity = stack.identity(to);
    let general = crate::terraform::address::config_address(&identity);
    let mut found: Vec<CarryingProperty> = Vec::new();
    for edge in &resource.edges {
        if edge.target != identity && edge.target != general {
            continue;
        }
        let Some(property) = &edge.property else {
            continue;
        };
        let property = property.to_string();
        let dot = if property.starts_with('[') { "" } else { "." };
        let carrying = CarryingProperty {
            property: shown(&format!("{dot}{property}")),
            attribute: edge.attribute.as_deref().map(shown),
        };
        if !found.contains(&carrying) {
            found.push(carrying);
        }
    }
    found
}

/// The reason why `needing` needs `needed`: the properties that say so, then the kinds of edges that these do not explain.
pub fn why(
    stack: &Stack,
    (needing, needed): (ResourceId, ResourceId),
    properties: Option<&[CarryingProperty]>,
) -> String {
    let properties = properties.unwrap_or_default();
    let links = stack.graph.depends_on(needing);
    // Links of one resource are sorted by their other end.
    let from = links.partition_point(|link| link.to < needed);
    let kinds = links[from..].iter().take_while(|link| link.to == needed);
    let mut words: Vec<String> = properties.iter().map(CarryingProperty::text).collect();
    for link in kinds {
        // A dependency that a property explains needs no second word.
        let is_explained = !properties.is_empty()
            && matches!(link.kind, EdgeKind::Property | EdgeKind::Dependency);
        if !is_explained {
            words.push(format!("({})", link.kind.name()));
        }
    }
    words.join(" ")
}
