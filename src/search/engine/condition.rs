//! Terms about resources.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::{Index, Wild};
use crate::stack::{Action, Flags, ResourceId, Stack};

/// A term about a resource as a whole, prepared for one index.
pub(in crate::modules::search) enum Condition<'q> {
    Prefixes(Vec<bool>),
    Providers(Vec<bool>, bool),
    Groups(Vec<bool>, bool),
    Parent(&'q [Wild]),
    Name(&'q [Wild]),
    Id(&'q [Wild]),
    Actions(&'q [Action]),
    Flags(Flags, Vec<Arc<HashSet<ResourceId>>>),
    Among(HashSet<ResourceId>),
}

/// The resources with the address or URN `text`, if it looks like one.
pub(super) fn addressed(index: &Index, text: &str) -> Option<HashSet<ResourceId>> {
    let may =
        text.starts_with("urn:") || !index.stack().header.kind.is_pulumi() && text.contains('.');
    let found = if may {
        index.stack().find(text)
    } else {
        Vec::new()
    };
    (!found.is_empty()).then(|| found.into_iter().collect())
}

impl Condition<'_> {
    /// True if the condition holds for a resource.
    pub(super) fn holds(&self, stack: &Stack, id: ResourceId) -> bool {
        let record = stack.record(id);
        let any = |wilds: &[Wild], text: &str| wilds.iter().any(|wild| wild.matches(text));
        match self {
            Self::Prefixes(fits) => fits[record.prefix.0 as usize],
            Self::Providers(fits, none) => record
                .provider
                .map_or(*none, |provider| fits[provider.0 as usize]),
            Self::Groups(fits, none) => record.group.map_or(*none, |group| fits[group.0 as usize]),
            Self::Parent(wilds) => {
                any(wilds, record.parent.map_or("", |parent| stack.name(parent)))
            }
            Self::Name(wilds) => any(wilds, stack.name(id)) || any(wilds, stack.short_name(id)),
            Self::Id(wilds) => {
                // Only what matches is looked into for a secret.
                let text = stack.compared_id(id);
                any(wilds, text) && stack.provider_id(id).len() == text.len()
            }
            Self::Actions(actions) => stack.actions(id).any(|action| actions.contains(&action)),
            Self::Flags(flags, sets) => {
                record.flags.intersects(*flags) || sets.iter().any(|set| set.contains(&id))
            }
            Self::Among(ids) => ids.contains(&id),
        }
    }
}
