//! Why a resource changes: which property forces it, where that property takes its value from, back to the root.
//!
//! A resource is often replaced only because another one is: its argument is an attribute of that other resource, which is not
//! known before that is made anew. [`why`] follows such arguments from resource to resource, as far as the file tells.
//!
//! # Laws
//!
//! 1. The first step is the resource that was asked about; each further step is what the one before takes a value from.
//! 2. No resource occurs twice, so cycles end; there are at most [`MAX_STEPS`] steps.
//! 3. Words only, never a value: a chain can be shown whatever is secret.

mod cause;

use std::sync::Arc;

pub use cause::{Cause, Causes};

use super::review::forcing_paths;
use crate::address::config_address;
use crate::path::Path;
use crate::stack::{Action, Edge, EdgeKind, Resource, ResourceId, Stack};

/// How long a chain may be.
pub const MAX_STEPS: usize = 32;

/// Why one resource of a chain changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The resource.
    pub id: ResourceId,
    /// What happens to it.
    pub action: Action,
    /// The reasons of the file, in plain words.
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

/// Where a property takes its value from.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// Where the properties of a resource take their values from, as far as the file tells.
pub fn origins(stack: &Stack, id: ResourceId, resource: &Resource) -> Vec<Origin> {
    let links = stack.graph.depends_on(id);
    let mut origins = Vec::new();
    for edge in &resource.edges {
        let (EdgeKind::Property, Some(property)) = (edge.kind, &edge.property) else {
            continue;
        };
        for link in links {
            if link.kind == EdgeKind::Property && leads_to(stack, edge, link.to) {
                let origin = Origin {
                    id: link.to,
                    property: property.clone(),
                    attribute: edge.attribute.clone(),
                };
                if !origins.contains(&origin) {
                    origins.push(origin);
                }
            }
        }
    }
    origins
}

/// Whether an edge, as a resource spells it, leads to the resource `id`: by its URN (a provider reference has the id behind it), its
/// address, or its address without keys, as configurations and states write it, relative to the module or not.
pub fn leads_to(stack: &Stack, edge: &Edge, id: ResourceId) -> bool {
    let Some(address) = stack.address(id) else {
        let urn = stack.urn(id);
        return edge
            .target
            .strip_prefix(&urn)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    };
    let bare = |address: &str| {
        let live = address
            .split_once(" (deposed ")
            .map_or(address, |(live, _)| live);
        config_address(live).into_owned()
    };
    let (target, address) = (bare(&edge.target), bare(address));
    address == target
        || address
            .strip_suffix(&target)
            .is_some_and(|module| module.ends_with('.') || module.is_empty())
}

/// The chain from a resource to the root of its change. Empty if the resource does not change.
///
/// `read` gives the whole of a resource; a resource that cannot be read ends the chain.
pub fn why(
    stack: &Stack,
    id: ResourceId,
    read: &mut dyn FnMut(ResourceId) -> Option<Arc<Resource>>,
) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
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
        steps.push(Step {
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
    // Whatever ended the chain, its last step leads nowhere.
    if let Some(last) = steps.last_mut() {
        last.through = None;
    }
    steps
}

/// The resource that this one changes because of: for a replacement one that is replaced or made anew behind a property that
/// forces it, or one that it is configured to be replaced with; else any that changes behind a property.
fn upstream(
    stack: &Stack,
    id: ResourceId,
    resource: &Resource,
    action: Action,
    forcing: &[Path],
) -> Option<(ResourceId, Through)> {
    let mut origins = origins(stack, id, resource);
    origins.retain(|origin| origin.id != id);
    let forces = |origin: &Origin| {
        forcing
            .iter()
            .any(|path| path.0.first() == origin.property.0.first())
    };
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

/// The changing resource that this one is configured to be replaced with, where that is the reason.
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
    links.find_map(|link| {
        let edges = resource.edges.iter();
        let mut edges = edges.filter(|edge| edge.kind == EdgeKind::ReplaceWith);
        let edge = edges.find(|edge| leads_to(stack, edge, link.to))?;
        let through = Through {
            property: None,
            attribute: edge.attribute.clone(),
        };
        Some((link.to, through))
    })
}

/// The reasons of the file for a person. Keys that are told as forcing paths are left out.
pub fn plain_words(reasons: &[String], forcing: &[Path]) -> Vec<String> {
    let told = |reason: &String| forcing.iter().any(|path| path.to_string() == **reason);
    reasons
        .iter()
        .filter(|reason| !told(reason))
        .map(|reason| match reason.as_str() {
            "replace_because_cannot_update" => "it cannot be changed in place",
            "replace_because_tainted" => "it is tainted",
            "replace_by_request" => "replacement was asked for",
            "replace_by_triggers" => "replace_triggered_by changed",
            "delete_because_no_resource_config" => "it is not in the configuration any more",
            "delete_because_wrong_repetition" => "count or for_each was added or taken away",
            "delete_because_count_index" => "its index is past count",
            "delete_because_each_key" => "its key is not in for_each any more",
            "delete_because_no_module" => "its module is not in the configuration any more",
            "delete_because_no_move_target" => "it was moved to where no resource is configured",
            "delete_because_enabled_false" => "it is not enabled any more",
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
    fn reasons_are_in_plain_words_and_not_told_twice() {
        let forcing = [Path(vec!["engine".into()])];
        let reasons = ["replace_because_tainted", "engine", "a new one"].map(str::to_owned);
        assert_eq!(
            plain_words(&reasons, &forcing),
            ["it is tainted", "a new one"]
        );
    }
}
