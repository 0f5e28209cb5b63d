//! What ties the changes of a plan together: causes, wholes, and what is said of each.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::{Findings, stack_findings};
use crate::change::groups::grouped;
use crate::change::kinds::{Components, Links, Print, Weight, pattern};
use crate::change::mechanisms::Notice;
use crate::change::pairs::Shift;
use crate::change::rules::Level;
use crate::stack::{Action, EdgeKind, Flags, ResourceId, Stack};

/// The actions that take or bring components whole.
pub(super) const WHOLE: [Action; 2] = [Action::Delete, Action::Create];

/// Everything that decides about the stories of a plan, besides the changes.
#[derive(Clone, Copy)]
pub(super) struct Found<'f> {
    /// Those to which the plan does each of [`WHOLE`].
    pub(super) components: &'f [Components; 2],
    pub(super) findings: &'f Findings,
    pub(super) notices: &'f [Notice],
    pub(super) shifts: &'f [Shift],
    pub(super) followers: &'f BTreeMap<ResourceId, ResourceId>,
    /// The replaced resources that their providers may replace.
    pub(super) by_provider: &'f HashSet<ResourceId>,
}

/// The things that are said of a resource, each with its weight.
type Said = HashMap<ResourceId, Vec<(Level, Print)>>;

/// The links, and the components that come or go whole, which are the wholes after the shifts.
pub(super) fn links(stack: &Stack, found: Found<'_>) -> (Links, Vec<Arc<str>>) {
    let (mut wholes, components) = wholes(stack, found);
    let n_components = found.shifts.len() + components.len();
    let mut n_wholes = n_components;
    let mut said = Said::new();
    for (rule, place) in found.findings.places() {
        let print = Print::of(&(&rule.id, pattern(&place.path)));
        said.entry(place.id).or_default().push((rule.level, print));
    }
    for (number, notice) in found.notices.iter().enumerate() {
        let owners = owners(stack, notice);
        match (&owners[..], notice.level) {
            ([one], level) => {
                let path = notice.facts.first().map(|fact| pattern(&fact.path));
                // Siblings of which the same is said, apart from their names.
                let says = notice.says.replace(&*stack.identity(*one), "");
                let of_resource = said.entry(*one).or_default();
                of_resource.push((level, Print::of(&(notice.mechanism, path, says))));
            }
            // A remark about many does not tell them from others.
            ([], _) | ([_, _, ..], Level::Note) => {}
            ([_, _, ..], level) => {
                let print = Print::of(&(notice.mechanism, number));
                for owner in &owners {
                    said.entry(*owner).or_default().push((level, print));
                }
                let free = owners
                    .iter()
                    .filter(|id| !found.followers.contains_key(*id));
                for owner in free {
                    wholes.entry(*owner).or_insert(n_wholes);
                }
                n_wholes += 1;
            }
        }
    }
    for failure in stack_findings::failures(stack) {
        if let Some(id) = failure.resource {
            let print = Print::of(&(failure.mechanism, &failure.says));
            said.entry(id).or_default().push((failure.level, print));
        }
    }
    for shift in found.shifts {
        if let Some((level, says)) = &shift.alarm {
            let ids = shift.pairs.iter().flat_map(|pair| [pair.gone, pair.new]);
            for id in ids {
                said.entry(id).or_default().push((*level, Print::of(says)));
            }
        }
    }
    let said = said.into_iter().filter_map(|(id, mut all)| {
        all.sort_unstable();
        all.dedup();
        let (level, _) = *all.first()?;
        let print = Print::of(&all);
        Some((id, Weight { level, print }))
    });
    let said: HashMap<ResourceId, Weight> = said.collect();
    // Of what is new, each that deserves a look stands on its own.
    let is_warned = |id: &ResourceId| said.get(id).is_some_and(|it| it.level < Level::Note);
    let is_new = |id: &ResourceId| stack.record(*id).action == Some(Action::Create);
    wholes.retain(|id, whole| {
        let is_component = (found.shifts.len()..n_components).contains(whole);
        !(is_component && is_new(id) && is_warned(id))
    });
    let mut roots = found.followers.clone();
    roots.extend(of_providers(stack, found.by_provider));
    let links = Links {
        roots,
        wholes,
        said,
    };
    (links, components)
}

/// The replaced resources of Pulumi whose provider changes and may be the reason, each with it.
fn of_providers<'s>(
    stack: &'s Stack,
    by_provider: &'s HashSet<ResourceId>,
) -> impl Iterator<Item = (ResourceId, ResourceId)> + 's {
    let is_changed = |id: &ResourceId| {
        let is_provider = stack.record(*id).flags.contains(Flags::PROVIDER);
        is_provider && matches!(stack.effect(*id), Some(Action::Update | Action::Replace))
    };
    let providers = stack.ids().filter(move |id| is_changed(id));
    providers.flat_map(|provider| {
        let links = stack.graph.used_by(provider).iter();
        let users = links.filter(|link| link.kind == EdgeKind::Provider);
        let replaced = users.filter(|link| by_provider.contains(&link.to));
        replaced.map(move |link| (link.to, provider))
    })
}

/// The numbers of the wholes by their members, and the words for those after the shifts.
fn wholes(stack: &Stack, found: Found<'_>) -> (HashMap<ResourceId, usize>, Vec<Arc<str>>) {
    let shifts = found.shifts;
    let mut wholes = HashMap::new();
    // What an apply did not do is no change of identity.
    let shifts_told = shifts.iter().filter(|_| !stack.is_outcome());
    for (number, shift) in shifts_told.enumerate() {
        let ids = shift.pairs.iter().flat_map(|pair| [pair.gone, pair.new]);
        wholes.extend(ids.map(|id| (id, number)));
    }
    let mut words = Vec::new();
    for whole in found.components {
        for (component, ids) in grouped(whole.iter().map(|(id, component)| (component, id))) {
            let number = shifts.len() + words.len();
            for id in ids {
                wholes.entry(id).or_insert(number);
            }
            words.push(Arc::clone(component));
        }
    }
    (wholes, words)
}

/// The changed resources that a notice is about, sorted by name.
pub(super) fn owners(stack: &Stack, notice: &Notice) -> Vec<ResourceId> {
    let is_changed = |id: &ResourceId| {
        let is_action = !matches!(stack.effect(*id), None | Some(Action::Noop));
        is_action && !stack.record(*id).flags.is_drift()
    };
    if let Some(root) = notice.root.filter(is_changed) {
        return vec![root];
    }
    let ids = notice.ids.iter().copied();
    let ids = ids.chain(notice.facts.iter().map(|fact| fact.id));
    stack.by_name(ids.filter(is_changed))
}
