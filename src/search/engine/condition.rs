//! Terms about resources.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::query::Is;
use super::super::{Field, Index, LIMIT, TermKind, Wild};
use super::Selection;
use crate::stack::graph::Direction;
use crate::stack::{Action, Flags, ResourceId, Stack};

/// A term about a resource as a whole, prepared for one index.
pub(super) enum Condition<'q> {
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

/// The condition for a term.
pub(super) fn condition<'q>(
    index: &Index,
    kind: &'q TermKind,
    selection: &Selection,
) -> Condition<'q> {
    let stack = index.stack();
    let any = |wilds: &[Wild], text: &str| wilds.iter().any(|wild| wild.matches(text));
    match kind {
        TermKind::Field(Field::Type, wilds) => Condition::Prefixes(
            stack
                .tables
                .prefixes
                .iter()
                .map(|prefix| any(wilds, prefix.ty()))
                .collect(),
        ),
        TermKind::Field(Field::Provider, wilds) => Condition::Providers(
            stack
                .tables
                .providers
                .iter()
                .map(|provider| any(wilds, provider))
                .collect(),
            any(wilds, ""),
        ),
        TermKind::Field(Field::Module, wilds) if stack.header.kind.is_pulumi() => {
            Condition::Parent(wilds)
        }
        TermKind::Field(Field::Module, wilds) => Condition::Groups(
            stack
                .tables
                .groups
                .iter()
                .map(|group| any(wilds, &group.path))
                .collect(),
            any(wilds, ""),
        ),
        TermKind::Field(Field::Name, wilds) => Condition::Name(wilds),
        TermKind::Field(Field::Id, wilds) => Condition::Id(wilds),
        TermKind::Action(actions) => Condition::Actions(actions),
        TermKind::Is(is) => {
            let mut flags = Flags::NONE;
            let mut sets = Vec::new();
            for is in is {
                match is {
                    Is::Flag(flag) => flags |= *flag,
                    Is::Marked => sets.push(selection.marked.clone()),
                    Is::Reviewed => sets.push(selection.reviewed.clone()),
                }
            }
            Condition::Flags(flags, sets)
        }
        TermKind::Depends(names) => Condition::Among(
            named(index, names)
                .flat_map(|id| stack.graph.reach(id, Direction::UsedBy))
                .map(|reached| reached.id)
                .collect(),
        ),
        TermKind::Uses(names) => Condition::Among(
            named(index, names)
                .flat_map(|id| {
                    stack
                        .graph
                        .used_by(id)
                        .iter()
                        .map(|link| link.to)
                        .collect::<Vec<_>>()
                })
                .collect(),
        ),
        TermKind::Word(_)
        | TermKind::Pattern { .. }
        | TermKind::Value(_)
        | TermKind::ValueRegex(_) => Condition::Among(HashSet::new()),
    }
}

/// The resources with one of `names` as identity or name. If there is none, the resources whose name fits, limited in number
/// because walking the graph from each takes time.
fn named<'i>(index: &'i Index, names: &'i [String]) -> impl Iterator<Item = ResourceId> + 'i {
    names.iter().flat_map(move |name| {
        let found = index.stack().find(name);
        if found.is_empty() && !name.is_empty() {
            let wild = Wild::new(name);
            index
                .stack()
                .ids()
                .filter(|id| wild.matches(index.name(*id)))
                .take(LIMIT)
                .collect()
        } else {
            found
        }
    })
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
            Self::Id(wilds) => any(wilds, stack.provider_id(id)),
            Self::Actions(actions) => stack.actions(id).any(|action| actions.contains(&action)),
            Self::Flags(flags, sets) => {
                record.flags.intersects(*flags) || sets.iter().any(|set| set.contains(&id))
            }
            Self::Among(ids) => ids.contains(&id),
        }
    }
}
