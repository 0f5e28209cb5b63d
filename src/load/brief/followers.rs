//! The resources that change only because another one changes.
//!
//! # Law
//!
//! A change follows from another resource if its property takes a changed attribute from there, and its new value is not known or
//! is the new one there. A resource follows if all of its changes do: one change of its own makes it no follower.
//!
//! The other one is in the file too and is read anyway, so nothing is read twice: each resource leaves the hashes of the attributes
//! that keep their values and of the new values of the others, and of its own changes the resources that may have caused them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use hashbrown::{HashMap, HashSet};

use crate::change::causes::{Origin, deciding_attribute, kept_attributes};
use crate::change::kinds::{LeafPrint, Print, hash_of};
use crate::change::leaves::Leaf;
use crate::path::{Path, Segment};
use crate::stack::{EdgeKind, Resource, ResourceId, Stack};
use crate::value::{Payload, Value};

/// Maximum number of possible causes of one change that are remembered.
const MAX_GIVERS: usize = 64;

/// Maximum number of new values of one resource that are remembered.
const MAX_GIVEN: usize = 4096;

/// Minimum number of characters of a text that two resources have in common by no chance.
const MIN_TELLING: usize = 4;

/// The resources seen so far.
#[derive(Default, Debug)]
pub(super) struct Followers {
    /// The resources with changes that may come from others.
    open: Vec<(ResourceId, Vec<Open>)>,
    /// The attributes that keep their values, of the resources that others depend on: sorted hashes of names.
    kept: HashMap<ResourceId, Box<[u64]>>,
    /// The new values of the same resources: sorted hashes, each with the places that may be asked for.
    given: HashMap<ResourceId, Box<[u64]>>,
}

/// The possible sources of a resource's changes, found when first asked for.
pub(super) type Sources<'s> = dyn Deref<Target = Vec<Origin>> + 's;

/// A change, with its possible causes.
#[derive(Debug)]
struct Open {
    change: Print,
    givers: Vec<Giver>,
}

/// A resource that a changed value may come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Giver {
    id: ResourceId,
    /// The hash of the attribute there; `None` if the value comes from there in any case.
    attribute: Option<u64>,
    /// The hashes of the new value with the places where it may be there, one of which must be given; `None` if it is not known.
    value: Option<[u64; 2]>,
}

/// The place of a new value in the resource that gives it.
#[derive(Hash)]
enum At<'p> {
    /// The attribute.
    Attribute(&'p str),
    /// Below the attribute of this name.
    Below(&'p str),
    /// Anywhere.
    Anywhere,
}

impl Followers {
    /// Adds a changed resource.
    pub(super) fn add_giver(
        &mut self,
        stack: &Stack,
        id: ResourceId,
        resource: &Resource,
        leaves: &[Leaf],
    ) {
        let mut links = stack.graph.used_by(id).iter();
        if links.any(|link| link.kind == EdgeKind::Property) {
            let mut kept: Vec<u64> = kept_attributes(resource).map(hash_of).collect();
            kept.sort_unstable();
            self.kept.insert(id, kept.into());
            let mut given: Vec<u64> = leaves.iter().take(MAX_GIVEN).flat_map(given).collect();
            given.sort_unstable();
            given.dedup();
            self.given.insert(id, given.into());
        }
    }

    /// Adds a resource that stays with its possible sources, and its changes that have an effect.
    pub(super) fn add(
        &mut self,
        stack: &Stack,
        id: ResourceId,
        (resource, sources): (&Resource, &Sources<'_>),
        own: &[(&Leaf, LeafPrint)],
    ) {
        let has_source = |leaf: &Leaf| {
            let mut edges = resource.edges.iter();
            edges.any(|edge| {
                edge.property
                    .as_ref()
                    .is_some_and(|it| it.contains(&leaf.path))
            })
        };
        if !own.iter().any(|(leaf, _)| has_source(leaf)) {
            return;
        }
        let of_leaf = |leaf: &Leaf| -> Vec<Giver> {
            let is_source = |it: &&Origin| has_source(leaf) && it.property.contains(&leaf.path);
            givers(stack, sources.iter().filter(is_source), |origin| {
                if leaf.after.is_computed() {
                    Some(None)
                } else {
                    wanted(origin, &leaf.after).map(Some)
                }
            })
        };
        let open = own.iter().map(|(leaf, print)| Open {
            change: print.change,
            givers: of_leaf(leaf),
        });
        let open: Vec<Open> = open.collect();
        if open.iter().any(|it| !it.givers.is_empty()) {
            self.open.push((id, open));
        }
    }

    /// Adds a data source with its possible sources and its leaves. It waits for the resources that its unknown values come from.
    pub(super) fn add_waiting(
        &mut self,
        stack: &Stack,
        id: ResourceId,
        sources: &Sources<'_>,
        leaves: &[Leaf],
    ) {
        let waiting: Vec<&Leaf> = leaves.iter().filter(|it| it.after.has_computed()).collect();
        let is_source = |origin: &Origin| {
            let property = &origin.property;
            let mut paths = waiting.iter().map(|leaf| &leaf.path);
            paths.any(|path| path.contains(property) || property.contains(path))
        };
        let sources = sources.iter().filter(|it| is_source(it));
        let givers = givers(stack, sources, |_| Some(None));
        if !givers.is_empty() {
            let change = Print::of(&());
            self.open.push((id, vec![Open { change, givers }]));
        }
    }

    /// Adds all resources of another part of the file.
    pub(super) fn append(&mut self, other: Self) {
        self.open.extend(other.open);
        self.kept.extend(other.kept);
        self.given.extend(other.given);
    }

    /// Each resource with the first cause of its chain; its common changes do not count. Of a circle, the first resource by name
    /// follows from none.
    pub(super) fn finish(
        self,
        stack: &Stack,
        common: &HashSet<Print>,
    ) -> BTreeMap<ResourceId, ResourceId> {
        let Self { open, kept, given } = self;
        let gives = |giver: &&Giver| {
            let given = given.get(&giver.id);
            let is_given = |hash: u64| given.is_some_and(|it| it.binary_search(&hash).is_ok());
            let kept = giver.attribute.zip(kept.get(&giver.id));
            kept.is_none_or(|(attribute, kept)| kept.binary_search(&attribute).is_err())
                && giver
                    .value
                    .is_none_or(|hashes| hashes.into_iter().any(is_given))
        };
        let cause = |open: &Open| {
            let ids = open.givers.iter().filter(gives).map(|giver| giver.id);
            first_by_name(stack, ids)
        };
        let direct = open.iter().filter_map(|(id, changes)| {
            let changes = changes.iter().filter(|it| !common.contains(&it.change));
            let causes: Option<BTreeSet<ResourceId>> = changes.map(cause).collect();
            Some((*id, first_by_name(stack, causes?)?))
        });
        settled(stack, &direct.collect())
    }
}

/// The resources at these origins, each with the value that it must give; without those of which `value` tells nothing.
fn givers<'o>(
    stack: &Stack,
    origins: impl Iterator<Item = &'o Origin>,
    value: impl Fn(&Origin) -> Option<Option<[u64; 2]>>,
) -> Vec<Giver> {
    let givers = origins.filter_map(|origin| {
        Some(Giver {
            id: origin.id,
            attribute: deciding_attribute(stack, origin).map(hash_of),
            value: value(origin)?,
        })
    });
    let mut givers: Vec<Giver> = givers.take(MAX_GIVERS).collect();
    givers.dedup();
    givers
}

/// Leads each resource to the first cause of its chain.
pub(super) fn settled(
    stack: &Stack,
    direct: &BTreeMap<ResourceId, ResourceId>,
) -> BTreeMap<ResourceId, ResourceId> {
    let mut roots: HashMap<ResourceId, ResourceId> = HashMap::new();
    for id in direct.keys() {
        let (mut at, mut way, mut seen) = (*id, Vec::new(), HashSet::new());
        while !roots.contains_key(&at)
            && let Some(next) = direct.get(&at)
            && seen.insert(at)
        {
            way.push(at);
            at = *next;
        }
        let is_circle = seen.contains(&at);
        let circle = way.iter().copied().skip_while(|it| is_circle && *it != at);
        let root = match roots.get(&at) {
            Some(root) => *root,
            None if is_circle => first_by_name(stack, circle).unwrap_or(at),
            None => at,
        };
        roots.extend(way.into_iter().map(|it| (it, root)));
    }
    roots.into_iter().filter(|(id, root)| id != root).collect()
}

fn first_by_name(stack: &Stack, ids: impl IntoIterator<Item = ResourceId>) -> Option<ResourceId> {
    let mut ids = ids.into_iter();
    let first = ids.next()?;
    let Some(second) = ids.find(|id| *id != first) else {
        return Some(first);
    };
    [first, second]
        .into_iter()
        .chain(ids)
        .min_by_key(|id| (stack.identity(*id), *id))
}

/// The hashes of a new value with the places that may be asked for.
fn given(leaf: &Leaf) -> Vec<u64> {
    let Some(text) = text(&leaf.after) else {
        return Vec::new();
    };
    let mut hashes = vec![hash_of(&(At::Attribute(&leaf.path.to_string()), &text))];
    if is_telling(&text) {
        hashes.push(hash_of(&(At::Anywhere, &text)));
        if let Some(Segment::Key(name)) = leaf.path.0.first() {
            hashes.push(hash_of(&(At::Below(name), &text)));
        }
    }
    hashes
}

/// The hashes of a new value with the places where `origin` may have it; `None` if the value tells nothing.
fn wanted(origin: &Origin, value: &Value) -> Option<[u64; 2]> {
    let text = text(value)?;
    match &origin.attribute {
        Some(attribute) => {
            let path =
                Path::parse(attribute).map_or_else(|_| attribute.clone(), |it| it.to_string());
            let name = attribute.split(['.', '[']).next().unwrap_or_default();
            Some([At::Attribute(&path), At::Below(name)].map(|at| hash_of(&(at, &text))))
        }
        None => Some([hash_of(&(At::Anywhere, &text)); 2]),
    }
}

/// The text of a value that has no parts; `None` if there is none, or the file leaves it out.
fn text(value: &Value) -> Option<Cow<'_, str>> {
    match value.payload() {
        Payload::String(text) => Some(text.to_str_lossy()),
        Payload::Number(number) => Some(Cow::Owned(number.to_string())),
        Payload::Bool(bool) => Some(Cow::Borrowed(if *bool { "true" } else { "false" })),
        _ => None,
    }
}

/// True for a text that two resources have in common by no chance.
fn is_telling(text: &str) -> bool {
    text.chars().count() >= MIN_TELLING && !matches!(text, "true" | "false")
}
