//! The chain of causes of a change: the property that forces it, the resource that the property takes its value from, back to
//! the root.
//!
//! A resource is often replaced only because another resource is: its argument is an attribute of that other resource, which is
//! unknown until the other is created anew. [`why`] follows such arguments from resource to resource, as far as the file has
//! them.
//!
//! # Laws
//!
//! 1. The first step is the resource in question. Each further step is a resource that the one before takes a value from.
//! 2. No resource occurs twice, so cycles end. There are at most [`MAX_STEPS`] steps.
//! 3. Words only, never a value: a chain can always be shown, even if values are secret.

mod cause;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexSet;

pub use cause::{Cause, Causes};

use super::review::forcing_paths;
use crate::path::{Path, Segment};
use crate::stack::{Action, Edge, EdgeKind, Resource, ResourceId, Stack};
use crate::terraform::address::ObjectName;

/// Maximum number of steps in a chain.
pub const MAX_STEPS: usize = 32;

/// The change of one resource of a chain, and its reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainLink {
    /// The resource.
    pub id: ResourceId,
    /// The action on the resource.
    pub action: Action,
    /// The file's reasons, in plain words.
    pub reasons: Vec<String>,
    /// The properties that force a replacement.
    pub forcing: Vec<Path>,
    /// The property through which the next step of the chain reaches this one.
    pub through: Option<Through>,
}

/// A property that takes its value from another resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Through {
    /// The property here; `None` where the file names only the resource.
    pub property: Option<Path>,
    /// The attribute there, where the file names it.
    pub attribute: Option<String>,
}

/// A source of a property's value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Origin {
    /// The resource.
    pub id: ResourceId,
    /// The property here.
    pub property: Path,
    /// The attribute there, where the file names it.
    pub attribute: Option<String>,
}

impl Origin {
    /// The resource, and the property through which it is reached.
    fn into_step(self) -> (ResourceId, Through) {
        let through = Through {
            property: Some(self.property),
            attribute: self.attribute,
        };
        (self.id, through)
    }
}

/// Maximum number of origins of one resource. Each of its properties may come from each instance of another resource.
const MAX_ORIGINS: usize = 10_000;

/// The resources and attributes that the properties of a resource take their values from, as far as the file has them.
pub fn origins(stack: &Stack, id: ResourceId, resource: &Resource) -> Vec<Origin> {
    let links = stack.graph.depends_on(id).iter();
    let links = links.filter(|link| link.kind == EdgeKind::Property);
    let targets: BTreeSet<ResourceId> = links.map(|link| link.to).collect();
    let is_property = |edge: &&Edge| edge.kind == EdgeKind::Property && edge.property.is_some();
    let edges: Vec<&Edge> = resource.edges.iter().filter(is_property).collect();
    let by_target = EdgesByTarget::new(&edges);
    let mut pairs = Vec::new();
    for to in targets {
        let room = MAX_ORIGINS - pairs.len();
        let leading = by_target.leading_to(stack, to).into_iter();
        pairs.extend(leading.take(room).map(|edge| (edge, to)));
    }
    pairs.sort_unstable();
    let origin = |(edge, id): (usize, ResourceId)| Origin {
        id,
        property: edges[edge].property.clone().unwrap_or_default(),
        attribute: edges[edge].attribute.clone(),
    };
    // Two edges may have the same origin.
    let origins: IndexSet<Origin> = pairs.into_iter().map(origin).collect();
    origins.into_iter().collect()
}

/// The targets of edges in the resource's own spelling, indexed so that edges to a given resource are found without a scan.
pub struct EdgesByTarget {
    /// Targets in Pulumi, sorted, each with the index of its edge.
    urns: Vec<(String, usize)>,
    /// Targets in Terraform without instance keys, each with the indexes of its edges.
    addresses: HashMap<String, Vec<usize>>,
    /// The lengths of the addresses.
    lengths: BTreeSet<usize>,
}

impl EdgesByTarget {
    /// Indexes the edges of a resource.
    pub fn new(edges: &[&Edge]) -> Self {
        let mut urns: Vec<(String, usize)> = Vec::new();
        let mut addresses: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, edge) in edges.iter().enumerate() {
            urns.push((edge.target.clone(), number));
            addresses
                .entry(bare(&edge.target))
                .or_default()
                .push(number);
        }
        urns.sort_unstable();
        let lengths = addresses.keys().map(String::len).collect();
        Self {
            urns,
            addresses,
            lengths,
        }
    }

    /// The indexes of the edges that lead to the resource `id`. Targets match by URN (a provider reference has the id after
    /// it), by address, or by address without keys. Configurations and states write addresses without keys, relative to the
    /// module or not.
    ///
    /// The result is sorted.
    pub fn leading_to(&self, stack: &Stack, id: ResourceId) -> Vec<usize> {
        let mut edges = self.unsorted(stack, id);
        edges.sort_unstable();
        edges
    }

    fn unsorted(&self, stack: &Stack, id: ResourceId) -> Vec<usize> {
        let Some(address) = stack.address(id) else {
            let urn = stack.urn(id).clone();
            // A colon comes before a semicolon.
            let ranges = [
                (urn.clone(), format!("{urn}\0")),
                (format!("{urn}::"), format!("{urn}:;")),
            ];
            let ranges = ranges.into_iter().flat_map(|(from, to)| {
                let start = self.urns.partition_point(|(target, _)| *target < from);
                let end = self.urns.partition_point(|(target, _)| *target < to);
                &self.urns[start..end]
            });
            return ranges.map(|(_, number)| *number).collect();
        };
        let address = bare(address);
        let lengths = self.lengths.iter();
        let suffixes = lengths.filter_map(|length| {
            let (module, local) = address.split_at_checked(address.len().checked_sub(*length)?)?;
            (module.is_empty() || module.ends_with('.')).then_some(local)
        });
        let found = suffixes.filter_map(|local| self.addresses.get(local));
        found.flatten().copied().collect()
    }
}

/// An address without the keys of instances and of deposed objects.
fn bare(address: &str) -> String {
    ObjectName::parse(address).config_address().into_owned()
}

/// The chain from a resource to the root of its change. Empty if the resource does not change.
///
/// `read` returns the whole resource. A resource that cannot be read ends the chain.
pub fn why(
    stack: &Stack,
    id: ResourceId,
    read: &mut dyn FnMut(ResourceId) -> Option<Arc<Resource>>,
) -> Vec<ChainLink> {
    let mut steps: Vec<ChainLink> = Vec::new();
    let mut next = Some(id);
    while let Some(id) = next.take() {
        let action = stack.record(id).action.unwrap_or(Action::Noop);
        let is_seen = steps.iter().any(|step| step.id == id);
        if is_seen || action == Action::Noop || steps.len() >= MAX_STEPS {
            break;
        }
        let Some(resource) = read(id) else { break };
        let change = resource.change.as_ref();
        let forcing = change.map(forcing_paths).unwrap_or_default();
        let upstream = upstream(stack, id, &resource, action, &forcing);
        steps.push(ChainLink {
            id,
            action,
            reasons: change
                .map(|change| plain_words(&change.reasons, &forcing))
                .unwrap_or_default(),
            forcing,
            through: upstream.as_ref().map(|(_, through)| through.clone()),
        });
        next = upstream.map(|(id, _)| id);
    }
    // The last step leads nowhere, for whatever reason the chain ended.
    if let Some(last) = steps.last_mut() {
        last.through = None;
    }
    steps
}

/// The resource that causes the change of this one. For a replacement that is a resource that is replaced or created and sets a
/// forcing property, or one that this resource is configured to be replaced with. For other actions it is any changing resource
/// that sets a property.
fn upstream(
    stack: &Stack,
    id: ResourceId,
    resource: &Resource,
    action: Action,
    forcing: &[Path],
) -> Option<(ResourceId, Through)> {
    let mut origins = origins(stack, id, resource);
    origins.retain(|origin| origin.id != id);
    let first_steps: HashSet<Option<&Segment>> =
        forcing.iter().map(|path| path.0.first()).collect();
    let forces = |origin: &Origin| first_steps.contains(&origin.property.0.first());
    let changes = |origin: &Origin, actions: &[Action]| {
        stack
            .record(origin.id)
            .action
            .is_some_and(|action| actions.contains(&action))
    };
    if action == Action::Replace {
        let renewed = [Action::Replace, Action::Create];
        let forcing = origins
            .into_iter()
            .find(|origin| forces(origin) && changes(origin, &renewed));
        return forcing
            .map(Origin::into_step)
            .or_else(|| trigger(stack, id, resource));
    }
    let changing = [Action::Replace, Action::Create, Action::Update];
    let found = origins
        .into_iter()
        .find(|origin| changes(origin, &changing));
    found.map(Origin::into_step)
}

/// The changing resource that this one is configured to be replaced with, if that is the reason.
fn trigger(stack: &Stack, id: ResourceId, resource: &Resource) -> Option<(ResourceId, Through)> {
    let change = resource.change.as_ref()?;
    if !change
        .reasons
        .iter()
        .any(|reason| reason == "replace_by_triggers")
    {
        return None;
    }
    let changing = [Action::Replace, Action::Create, Action::Update];
    let links = stack.graph.depends_on(id).iter();
    let mut links = links.filter(|link| {
        let action = stack.record(link.to).action;
        link.kind == EdgeKind::ReplaceWith
            && link.to != id
            && action.is_some_and(|it| changing.contains(&it))
    });
    let edges = resource.edges.iter();
    let edges: Vec<&Edge> = edges
        .filter(|edge| edge.kind == EdgeKind::ReplaceWith)
        .collect();
    let by_target = EdgesByTarget::new(&edges);
    links.find_map(|link| {
        let edge = *by_target.leading_to(stack, link.to).first()?;
        let through = Through {
            property: None,
            attribute: edges[edge].attribute.clone(),
        };
        Some((link.to, through))
    })
}

/// The file's reasons in plain words. Keys that are already listed as forcing paths are left out.
pub fn plain_words(reasons: &[String], forcing: &[Path]) -> Vec<String> {
    let forcing: HashSet<String> = forcing.iter().map(Path::to_string).collect();
    let is_forcing = |reason: &String| forcing.contains(reason);
    reasons
        .iter()
        .filter(|reason| !is_forcing(reason))
        .map(|reason| match reason.as_str() {
            "replace_because_cannot_update" => "it cannot be updated in place",
            "replace_because_tainted" => "it is tainted",
            "replace_by_request" => "replacement was requested",
            "replace_by_triggers" => "replace_triggered_by changed",
            "delete_because_no_resource_config" => "it is no longer in the configuration",
            "delete_because_wrong_repetition" => "count or for_each was added or removed",
            "delete_because_count_index" => "count shrank: its index no longer exists",
            "delete_because_each_key" => "its key is no longer in for_each",
            "delete_because_no_module" => "its module is no longer in the configuration",
            "delete_because_no_move_target" => "it was moved to an address without configuration",
            "delete_because_enabled_false" => "it is no longer enabled",
            "read_because_config_unknown" => "its configuration is not known yet",
            "read_because_dependency_pending" => "something it depends on changes first",
            "read_because_check_nested" => "a check reads it at the end",
            other => other,
        })
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_in_plain_words_and_not_repeated() {
        let forcing = [Path(vec!["engine".into()])];
        let reasons = ["replace_because_tainted", "engine", "a new one"].map(str::to_owned);
        assert_eq!(
            plain_words(&reasons, &forcing),
            ["it is tainted", "a new one"]
        );
    }
}
