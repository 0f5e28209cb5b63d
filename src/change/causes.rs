//! The chain of causes of a change: the property that forces it, the resource that the property takes its value from, back to
//! the root.
//!
//! A resource is often replaced only because another resource is: its argument is an attribute of that other resource, which is
//! unknown until the other is created anew. [`why`] follows such arguments from resource to resource, as far as the file has
//! them.
//!
//! # Laws
//!
//! 1. The first step is the resource in question. Each further step is a resource that the one before takes a changed value from.
//! 2. A step that is a cause changes in this plan, and so does the attribute that is taken, as far as the file shows it. Drift is
//!    not a planned change: it is a cause only if the plan calls the attribute relevant, and then it is the last step.
//! 3. No resource occurs twice, so cycles end. There are at most [`MAX_STEPS`] steps.
//! 4. Words only, never a value: a chain can always be shown, even if values are secret.

mod cause;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexSet;

pub(crate) use cause::expression_at;
pub use cause::{Cause, Causes};

use super::kinds::is_hash;
use super::review::forcing_paths;
use crate::path::{Path, Segment};
use crate::stack::{
    Action, Change, Edge, EdgeKind, Flags, Instance, Resource, ResourceId, Section, Stack,
};
use crate::terraform::address::{Address, ObjectName};
use crate::value::{Payload, Value};

/// Maximum number of steps in a chain.
pub const MAX_STEPS: usize = 32;

/// The change of one resource of a chain, and its reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainLink {
    /// The resource.
    pub id: ResourceId,
    /// The action on the resource.
    pub action: Action,
    /// True if the resource only changed outside.
    pub is_drift: bool,
    /// The file's reasons, in plain words.
    pub reasons: Vec<String>,
    /// The properties that force a replacement.
    pub forcing: Vec<Path>,
    /// The property through which the next step of the chain reaches this one.
    pub through: Option<Through>,
}

/// The way in which a change reaches another resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Through {
    /// A property takes its value from the other resource.
    Property {
        /// The property here.
        property: Path,
        /// The attribute there, where the file names it.
        attribute: Option<String>,
    },
    /// The configuration replaces this resource with the other one.
    Trigger {
        /// The attribute there, where the file names it.
        attribute: Option<String>,
    },
    /// The other resource is the provider of this one.
    Provider,
}

impl Through {
    /// The attribute of the other resource, where the file names it.
    pub fn attribute(&self) -> Option<&str> {
        match self {
            Self::Property { attribute, .. } | Self::Trigger { attribute } => attribute.as_deref(),
            Self::Provider => None,
        }
    }
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
        let through = Through::Property {
            property: self.property,
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
    retain_instances(stack, id, &edges, &mut pairs);
    pairs.sort_unstable();
    // The order of the file does not count.
    for of_edge in pairs.chunk_by_mut(|(one, _), (other, _)| one == other) {
        if of_edge.len() > 1 {
            of_edge.sort_by_cached_key(|(_, id)| (stack.identity(*id), *id));
        }
    }
    let origin = |(edge, id): (usize, ResourceId)| Origin {
        id,
        property: edges[edge].property.clone().unwrap_or_default(),
        attribute: edges[edge].attribute.clone(),
    };
    // Two edges may have the same origin.
    let origins: IndexSet<Origin> = pairs.into_iter().map(origin).collect();
    origins.into_iter().collect()
}

/// The origins that may be causes: the plan changes them, or they drifted and the plan calls the attribute relevant. The
/// attribute gets another value, as far as the file shows it.
///
/// `read` returns the whole resource. One that cannot be read may give another value.
pub fn sources(
    stack: &Stack,
    id: ResourceId,
    resource: &Resource,
    read: &mut dyn FnMut(ResourceId) -> Option<Arc<Resource>>,
) -> Vec<Origin> {
    let mut known: HashMap<(ResourceId, Option<String>), bool> = HashMap::new();
    let mut origins = possible_sources(stack, id, resource);
    origins.retain(|origin| {
        if !is_planned(stack, origin.id) {
            return true;
        }
        let n_known = known.len();
        let attribute = (origin.id, origin.attribute.clone());
        *known
            .entry(attribute)
            .or_insert_with(|| n_known >= MAX_READ || gives_another(origin, read))
    });
    origins
}

/// The [`sources`] as far as the index knows: without a look at the values of the other resources.
pub fn possible_sources(stack: &Stack, id: ResourceId, resource: &Resource) -> Vec<Origin> {
    let action = resource.change.as_ref().map(|change| change.action);
    if !action.is_some_and(has_causes) || is_restored(stack, id) {
        return Vec::new();
    }
    let mut origins = origins(stack, id, resource);
    origins.retain(|origin| {
        let flags = stack.record(origin.id).flags;
        let is_drifted = || flags.contains(Flags::DRIFTED) && is_relevant(stack, origin);
        origin.id != id && (is_planned(stack, origin.id) || is_drifted())
    });
    origins
}

/// The attribute of another resource that decides whether this possible source is one: it keeps its value or not.
/// `None` if the source is one in any case.
pub fn deciding_attribute<'o>(stack: &Stack, origin: &'o Origin) -> Option<&'o str> {
    is_planned(stack, origin.id)
        .then(|| top_attribute(origin))
        .flatten()
}

/// The attributes at the top of a resource that keep their values, as far as the file shows it.
pub fn kept_attributes(resource: &Resource) -> impl Iterator<Item = &str> {
    let [before, _] = resource.sides(Section::Outputs);
    let map = before.and_then(Value::as_map);
    let names = map.into_iter().flatten().map(|(name, _)| &**name);
    names.filter(|name| keeps(resource, name))
}

/// True if the file shows that an attribute keeps its value.
fn keeps(resource: &Resource, name: &str) -> bool {
    let sides = resource.sides(Section::Outputs).map(|it| it?.get(name));
    matches!(sides, [Some(before), Some(after)] if !after.has_computed() && before == after)
}

/// True if something upstream may be the cause of the action. Nothing upstream deletes or renames a resource.
fn has_causes(action: Action) -> bool {
    use Action::{Create, Read, Replace, Update};
    matches!(action, Create | Update | Replace | Read)
}

/// The reason for the creation of a resource that [`is_restored`].
pub const RESTORED: &str = "it was deleted outside";

/// True if the plan creates a resource again because it was deleted outside.
pub fn is_restored(stack: &Stack, id: ResourceId) -> bool {
    let record = stack.record(id);
    if record.flags.is_drift() || record.action != Some(Action::Create) {
        return false;
    }
    let is_gone = |entry| stack.record(entry).action == Some(Action::Delete);
    stack.drift_entries(id).any(is_gone)
}

/// Keeps the instances that the edges name, where the file names them. `pairs` has edges with a possible target of each.
fn retain_instances(
    stack: &Stack,
    id: ResourceId,
    edges: &[&Edge],
    pairs: &mut Vec<(usize, ResourceId)>,
) {
    let has_instances = edges.iter().any(|edge| edge.instance.is_some());
    if !has_instances {
        return;
    }
    let key = |id: ResourceId| {
        let address = ObjectName::parse(stack.address(id)?).address;
        Address::parse(address).ok()?.key
    };
    let own = key(id);
    let is_named = |(edge, to): &(usize, ResourceId)| match &edges[*edge].instance {
        Some(Instance::Key(wanted)) => key(*to).as_ref() == Some(wanted),
        Some(Instance::Own) => own.is_some() && key(*to) == own,
        None => true,
    };
    // Without a match the file is not what it seems, and nothing is known.
    let named: HashSet<(usize, ResourceId)> = pairs.iter().copied().filter(is_named).collect();
    let matched: HashSet<usize> = named.iter().map(|(edge, _)| *edge).collect();
    pairs.retain(|pair| named.contains(pair) || !matched.contains(&pair.0));
}

/// A dependency of a resource: the resource that it needs, if it is in the file, and the edge that says why, if one does.
pub type Dependency<'e> = (EdgeKind, Option<ResourceId>, Option<&'e Edge>);

/// The dependencies of the resource `id`, which has these edges: those in the file first. `max` limits the number of those with an edge;
/// after that, each needed resource has one dependency without one.
pub fn dependencies<'e>(
    stack: &Stack,
    id: ResourceId,
    edges: &[&'e Edge],
    max: usize,
) -> Vec<Dependency<'e>> {
    let by_target = EdgesByTarget::new(edges);
    let mut found: Vec<Dependency<'e>> = Vec::new();
    let mut is_told = vec![false; edges.len()];
    for link in stack.graph.depends_on(id) {
        let leading = by_target.leading_to(stack, link.to);
        for edge in &leading {
            is_told[*edge] = true;
        }
        push_link(edges, &leading, link.kind, link.to, max, &mut found);
    }
    let untold = edges.iter().zip(is_told).filter(|(_, told)| !told);
    found.extend(untold.map(|(edge, _)| (edge.kind, None, Some(*edge))));
    found
}

/// Adds a dependency for each of the `leading` edges of this kind, and one without an edge if there are none, or too many already.
pub fn push_link<'e>(
    edges: &[&'e Edge],
    leading: &[usize],
    kind: EdgeKind,
    to: ResourceId,
    max: usize,
    found: &mut Vec<Dependency<'e>>,
) {
    let n_before = found.len();
    if n_before < max {
        let leading = leading.iter().map(|edge| edges[*edge]);
        let leading = leading.filter(|edge| edge.kind == kind);
        found.extend(leading.map(|edge| (kind, Some(to), Some(edge))));
    }
    if found.len() == n_before {
        found.push((kind, Some(to), None));
    }
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
        let record = stack.record(id);
        let action = record.action.unwrap_or(Action::Noop);
        let is_seen = steps.iter().any(|step| step.id == id);
        let is_drift = !is_planned(stack, id) && record.flags.contains(Flags::DRIFTED);
        let is_change = action != Action::Noop || is_drift && !steps.is_empty();
        if is_seen || !is_change || steps.len() >= MAX_STEPS {
            break;
        }
        let Some(resource) = read(id) else { break };
        let change = resource.change.as_ref();
        let forcing = change.map(forcing_paths).unwrap_or_default();
        let upstream = if is_drift {
            None
        } else {
            upstream(stack, id, &resource, action, &forcing, read)
        };
        steps.push(ChainLink {
            id,
            action,
            is_drift,
            reasons: reasons(stack, id, change, &forcing),
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

/// The reasons for the change of a resource, in plain words.
fn reasons(
    stack: &Stack,
    id: ResourceId,
    change: Option<&Change>,
    forcing: &[Path],
) -> Vec<String> {
    let words = change.map(|change| plain_words(&change.reasons, forcing));
    let restored = is_restored(stack, id).then(|| RESTORED.to_owned());
    restored
        .into_iter()
        .chain(words.unwrap_or_default())
        .collect()
}

/// True if the plan changes a resource, or reads it again.
fn is_planned(stack: &Stack, id: ResourceId) -> bool {
    let record = stack.record(id);
    !record.flags.is_drift()
        && matches!(
            record.action,
            Some(Action::Replace | Action::Create | Action::Update | Action::Read)
        )
}

/// The resource that causes the change of this one: it sets a changed property, for a replacement one that forces it. A
/// replacement may also come from a resource that this one is configured to be replaced with, or from its provider.
fn upstream(
    stack: &Stack,
    id: ResourceId,
    resource: &Resource,
    action: Action,
    forcing: &[Path],
    read: &mut dyn FnMut(ResourceId) -> Option<Arc<Resource>>,
) -> Option<(ResourceId, Through)> {
    if !has_causes(action) || is_restored(stack, id) {
        return None;
    }
    let first_steps: HashSet<Option<&Segment>> =
        forcing.iter().map(|path| path.0.first()).collect();
    let mut changed: HashMap<Path, bool> = HashMap::new();
    let mut candidates = origins(stack, id, resource);
    candidates.retain(|origin| {
        let path = &origin.property;
        origin.id != id
            && (forcing.is_empty() || first_steps.contains(&path.0.first()))
            && *changed
                .entry(path.clone())
                .or_insert_with(|| is_changed(resource, path))
    });
    // A planned change comes first, then drift that the plan calls relevant.
    let planned = candidates
        .iter()
        .filter(|origin| is_planned(stack, origin.id))
        .take(MAX_READ)
        .find(|origin| gives_another(origin, read) && may_give(resource, origin, read));
    let drifted = || {
        let mut drifted = candidates.iter().filter(|origin| {
            let flags = stack.record(origin.id).flags;
            !is_planned(stack, origin.id) && flags.contains(Flags::DRIFTED)
        });
        drifted.find(|origin| is_relevant(stack, origin))
    };
    if let Some(origin) = planned.or_else(drifted) {
        return Some(origin.clone().into_step());
    }
    if action != Action::Replace {
        return None;
    }
    trigger(stack, id, resource).or_else(|| provider(stack, id, resource, forcing))
}

/// Maximum number of resources that are read to find the cause of one change.
const MAX_READ: usize = 64;

/// True if the property at `path` changes, or is not known before a creation.
fn is_changed(resource: &Resource, path: &Path) -> bool {
    // Elements of sets and lists have no lasting index.
    let is_key = |step: &&Segment| matches!(step, Segment::Key(_));
    let path = Path(path.0.iter().take_while(is_key).cloned().collect());
    let change = resource.change.as_ref();
    let listed = change.filter(|_| resource.address.is_none());
    let mut listed = listed.iter().flat_map(|change| &change.diff_keys);
    if let Some(key) = path.first_key()
        && listed.any(|it| **it == **key)
    {
        return true;
    }
    let [before, Some(after)] = resource.sides(resource.program_section()) else {
        return false;
    };
    let new = path.get(after);
    new.is_some_and(Value::has_computed) || before.is_some_and(|it| path.get(it) != new)
}

/// True unless the file shows that the attribute keeps its value.
fn gives_another(
    origin: &Origin,
    read: &mut dyn FnMut(ResourceId) -> Option<Arc<Resource>>,
) -> bool {
    let Some(name) = top_attribute(origin) else {
        return true;
    };
    read(origin.id).is_none_or(|resource| !keeps(&resource, name))
}

/// Minimum length of a text that is looked for in another one.
const MIN_TEXT: usize = 2;

/// Minimum length of a text that two places have in common by no chance.
const MIN_TELLING: usize = 4;

/// Minimum length of a hash that may be one of another value.
const MIN_DIGEST: usize = 16;

/// Maximum number of parts of a source that are compared with a value.
const MAX_PARTS: usize = 64;

/// True if a value is another one, or a text that has it in it. Nothing is told of secrets.
fn has_part(value: &Value, part: &Value) -> bool {
    if value.is_secret() || part.is_secret() {
        return false;
    }
    if part == value {
        return true;
    }
    let Some(text) = value.as_str() else {
        return false;
    };
    match part.payload() {
        Payload::String(_) => part.as_str().is_some_and(|part| has_text(text, part)),
        // A map of texts turns numbers and flags into texts.
        Payload::Number(_) | Payload::Bool(_) => {
            let part = part.to_string();
            let mut words = text.split(|char: char| !char.is_alphanumeric() && char != '.');
            text == part || part.len() >= MIN_TEXT && words.any(|word| word == part)
        }
        _ => false,
    }
}

/// True for a text that has another one in it, which is long enough to tell something.
fn has_text(text: &str, part: &str) -> bool {
    part.len() >= MIN_TEXT && text.contains(part)
}

/// True if a source may give the value that is `inside` of what takes it: it has it at the same place or anywhere, or it is a text
/// in that value.
pub fn gives(source: &Value, inside: &[Segment], value: &Value) -> bool {
    let is_it = |part: &Value| {
        let is_telling = part.as_str().is_none_or(|it| it.len() >= MIN_TELLING);
        is_telling && !matches!(part.payload(), Payload::Bool(_)) && part == value
    };
    match source.payload() {
        _ if source.is_secret() || value.is_secret() => false,
        Payload::Map(map) => {
            let there = Path(inside.to_vec());
            let there = there
                .get(source)
                .filter(|it| it.as_str().is_none_or(|it| value.as_str() == Some(it)));
            there.is_some_and(|it| has_part(value, it)) || map.values().take(MAX_PARTS).any(is_it)
        }
        Payload::Array(items) => items.iter().take(MAX_PARTS).any(is_it),
        _ => has_part(value, source),
    }
}

/// True unless the file shows that the new value of a property comes from elsewhere: it is known, and the other resource gets nothing new
/// that is in it. Pulumi does not name the attribute. A hash may be of anything.
fn may_give(
    resource: &Resource,
    origin: &Origin,
    read: &mut dyn FnMut(ResourceId) -> Option<Arc<Resource>>,
) -> bool {
    let inputs = resource.after.as_ref().and_then(|it| it.inputs.as_ref());
    let new = inputs.and_then(|it| origin.property.get(it));
    let is_open = |it: &Value| it.has_computed() || it.has_secrets() || it.any(has_digest);
    let Some(new) = new.filter(|it| origin.attribute.is_none() && !is_open(it)) else {
        return true;
    };
    read(origin.id).is_none_or(|other| {
        let [old, Some(given)] = other.sides(Section::Outputs) else {
            return true;
        };
        let (mut known, mut given_now) = (HashSet::new(), HashSet::new());
        scalars(old.unwrap_or(&Value::NULL), &mut known);
        scalars(given, &mut given_now);
        let mut fresh = given_now.difference(&known).take(MAX_PARTS);
        let is_in_new = |part: &String| {
            let has_it = |text: &str| text == part || has_text(text, part);
            new.any(|it| it.as_str().is_some_and(has_it))
        };
        given.has_secrets() || fresh.any(is_in_new)
    })
}

/// True for a text with a long hash in it.
fn has_digest(value: &Value) -> bool {
    let text = value.as_str().into_iter();
    let mut parts = text.flat_map(|it| it.split([':', '/', '@']));
    parts.any(|it| {
        let has_letter = it.bytes().any(|it| it.is_ascii_alphabetic());
        it.len() >= MIN_DIGEST && has_letter && is_hash(it)
    })
}

/// Adds the texts and numbers in a value, as texts.
fn scalars(value: &Value, found: &mut HashSet<String>) {
    match value.payload() {
        Payload::Map(map) => map.values().for_each(|it| scalars(it, found)),
        Payload::Array(items) => items.iter().for_each(|it| scalars(it, found)),
        Payload::Number(_) => _ = found.insert(value.to_string()),
        _ => found.extend(value.as_str().map(str::to_owned)),
    }
}

/// The attribute of the other resource without the steps below it.
fn top_attribute(origin: &Origin) -> Option<&str> {
    let attribute = origin.attribute.as_deref()?;
    attribute.split(['.', '[']).next()
}

/// True if the plan lists the attribute among those that changes depend on.
fn is_relevant(stack: &Stack, origin: &Origin) -> bool {
    let mut fields = stack.header.fields.iter();
    let relevant = fields.find(|(name, _)| name == "relevant_attributes");
    let items = relevant.and_then(|(_, items)| items.as_array());
    let Some(address) = stack.address(origin.id) else {
        return false;
    };
    let config = ObjectName::parse(address).config_address();
    items.into_iter().flatten().any(|item| {
        let text = |key| item.get(key).and_then(Value::as_str);
        let is_same = text("resource").is_some_and(|it| it == address || it == config);
        let steps = item.get("attribute").and_then(Value::as_array);
        let first = steps.and_then(|steps| steps.iter().next());
        let first = first.and_then(Value::as_str);
        let own = top_attribute(origin);
        is_same && (first.is_none() || own.is_none() || first == own)
    })
}

/// True if a provider may be the reason of a replacement: the file names it, or no property that forces it.
pub fn is_by_provider(change: &Change, forcing: &[Path]) -> bool {
    forcing.is_empty() || change.reasons.iter().any(|reason| reason == "provider")
}

/// The provider of a resource, if it is replaced and is the reason.
fn provider(
    stack: &Stack,
    id: ResourceId,
    resource: &Resource,
    forcing: &[Path],
) -> Option<(ResourceId, Through)> {
    let change = resource.change.as_ref()?;
    if !is_by_provider(change, forcing) {
        return None;
    }
    let links = stack.graph.depends_on(id).iter();
    let mut links = links.filter(|link| link.kind == EdgeKind::Provider);
    let link = links.find(|link| is_planned(stack, link.to))?;
    Some((link.to, Through::Provider))
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
        let through = Through::Trigger {
            attribute: edges[edge].attribute.clone(),
        };
        Some((link.to, through))
    })
}

/// The reason of a replacement that a change forces.
pub const CANNOT_UPDATE: &str = "it cannot be updated in place";

/// The file's reasons in plain words. Keys that are already listed as forcing paths are left out.
pub fn plain_words(reasons: &[String], forcing: &[Path]) -> Vec<String> {
    let forcing: HashSet<String> = forcing.iter().map(Path::to_string).collect();
    let is_forcing = |reason: &String| forcing.contains(reason);
    reasons
        .iter()
        .filter(|reason| !is_forcing(reason))
        .map(|reason| match reason.as_str() {
            "replace_because_cannot_update" => CANNOT_UPDATE,
            "replace_because_tainted" => "it is tainted",
            "replace_by_request" => "replacement was requested",
            "replace_by_triggers" => "replace_triggered_by changed",
            "delete_because_no_resource_config" => "it is no longer in the configuration",
            "delete_because_wrong_repetition" => "count or for_each was added or removed",
            "delete_because_count_index" => "count shrank: its index no longer exists",
            "delete_because_each_key" => "its key is no longer in for_each",
            "delete_because_no_module" => {
                "its module call was removed, or its count or for_each no longer has this instance"
            }
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
    use crate::json::{Numbers, parse};
    use crate::stack::State;

    /// A resource with these properties, as the program asks for them and as the provider returns them.
    fn resource(before: &str, after: &str) -> Resource {
        let state = |json: &str| {
            let value = parse(json.as_bytes(), Numbers::Exact).unwrap().value;
            Some(State {
                inputs: Some(value.clone()),
                outputs: Some(value),
                ..State::default()
            })
        };
        let mut resource = Resource::new("it", "aws:x/it:It");
        (resource.before, resource.after) = (state(before), state(after));
        resource
    }

    #[test]
    fn a_resource_may_give_what_is_new_there_and_what_nobody_can_judge() {
        let may = |new: &str, attribute: Option<&str>, other: Option<Resource>| {
            let origin = Origin {
                id: ResourceId(1),
                property: Path(vec!["v".into()]),
                attribute: attribute.map(str::to_owned),
            };
            let own = resource("{}", &format!(r#"{{"v":{new}}}"#));
            let other = other.map(Arc::new);
            may_give(&own, &origin, &mut |_| other.clone())
        };
        let other = || {
            Some(resource(
                r#"{"tag":"v1","n":7}"#,
                r#"{"tag":"v2","n":8080}"#,
            ))
        };
        assert!(may(r#""app:v2""#, None, other()));
        assert!(may(r#"["x","port 8080"]"#, None, other()));
        assert!(!may(r#""app:v3""#, None, other()));
        assert!(!may(r#""app:v1""#, None, other()), "that is not new there");
        // A hash may be of anything, and what is named or not read is not asked.
        let hash = r#""sha256:0123456789abcdef01""#;
        assert!(may(hash, None, other()));
        assert!(may(r#""app:v3""#, Some("tag"), other()));
        assert!(may(r#""app:v3""#, None, None));
    }

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
