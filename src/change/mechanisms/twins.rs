//! Permissions, policies of networks and names that are there twice: one goes, an equal one stays, and nothing changes.
//!
//! Two permissions are equal if all properties are, but those that only name them. A property that is not known yet is no equal one.
//!
//! Policies of Kubernetes add up. If one goes and another one stays for the same pods, or for more of them, these stay closed: nothing is let
//! through that was not, and what only the first one let through is refused. If it let nothing through, nothing changes.
//!
//! A wildcard answers for a name whose record goes only if the name has no record of another type. So that is told, and the warning stays.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::parts;
use super::places::at;
use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen, words};
use crate::change::kinds::hash_of;
use crate::change::rules::{Level, is_nothing, single};
use crate::path::Path;
use crate::stack::{Action, Resource, ResourceId, State};
use crate::text::joined;
use crate::value::Value;

/// Maximum number of deleted permissions that are judged.
const MAX_GONE: usize = 2_000;

/// Maximum number of unchanged resources of one type that are read.
const MAX_READ: usize = 500;

/// Maximum number of labels of pods by which a policy is looked for.
const MAX_LABELS: usize = 16;

/// Maximum number of scopes around the one of a permission.
const MAX_SCOPES: usize = 32;

/// The hashes of the properties of a permission, sorted by name.
type Print = Vec<(u64, u64)>;

/// The thing that is equal in two of them: all that they say, the pods that they are for, or the name and its answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Alike {
    Whole(Print),
    Pods(u64),
    Record(u64),
}

/// A permission that stays, beside one that goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stays {
    /// It says the same.
    Equal,
    /// It says the same for a scope that holds the other one's: an account beside one of its containers.
    Wider,
    /// It is for the same pods.
    Pods,
    /// It is for the same pods, and the one that goes lets nothing through.
    Closed,
    /// It gives the same answer to the same name.
    Record,
    /// It gives the same answer to all names that have no record, not even one of another type.
    Wildcard,
}

/// A permission that goes: its type, and what one that stays may have in common with it.
type Gone = (ResourceId, Box<str>, Vec<(Stays, Alike)>);

/// The permissions that go, and those that come or change.
#[derive(Clone, Default, Debug)]
pub(super) struct Twins {
    gone: Vec<Gone>,
    coming: HashMap<(Box<str>, Alike), ResourceId>,
}

impl Twins {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        let ty = &*seen.resource.ty;
        if !seen.is_managed() || !(is_permission(ty) || is_record(ty)) {
            return;
        }
        let resource = seen.resource;
        match seen.action {
            Action::Delete => {
                let wanted = wanted(resource, resource.before.as_ref());
                self.gone.push((seen.id, ty.into(), wanted));
            }
            Action::Create | Action::Update | Action::Replace | Action::Import | Action::Move => {
                self.keep(seen.id, ty, alike(resource, resource.after.as_ref()));
            }
            Action::Read | Action::Forget | Action::Defer | Action::Noop => {}
        }
    }

    /// Keeps the first of several equal ones.
    fn keep(&mut self, id: ResourceId, ty: &str, alike: impl IntoIterator<Item = Alike>) {
        for it in alike {
            let own = self.coming.entry((ty.into(), it)).or_insert(id);
            *own = id.min(*own);
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.gone.extend(other.gone);
        for ((ty, alike), id) in other.coming {
            self.keep(id, &ty, [alike]);
        }
    }

    /// The deleted permissions with an equal one that stays, and a note about each.
    pub(super) fn finish(mut self, reader: &Reader<'_>) -> (BTreeSet<ResourceId>, Vec<Notice>) {
        self.gone.sort_unstable_by_key(|(id, _, _)| *id);
        self.gone.truncate(MAX_GONE);
        let types: BTreeSet<Box<str>> = self.gone.iter().map(|(_, ty, _)| ty.clone()).collect();
        for ty in types {
            for (id, resource) in reader.each(reader.unchanged(&ty).take(MAX_READ)) {
                self.keep(id, &ty, alike(&resource, resource.current()));
            }
        }
        let mut twins: BTreeMap<ResourceId, (Stays, ResourceId)> = BTreeMap::new();
        for (id, ty, wanted) in self.gone {
            let stays = |(stays, it): (Stays, Alike)| {
                let twin = self.coming.get(&(ty.clone(), it))?;
                Some((id, (stays, *twin)))
            };
            twins.extend(wanted.into_iter().find_map(stays));
        }
        let stack = reader.stack;
        let notices = twins.iter().map(|(gone, (stays, twin))| {
            let name = stack.spoken_name(*twin);
            let (level, id, says, is_alike) = match stays {
                Stays::Equal => (
                    Level::Note,
                    "twin-stays",
                    "an equal one stays, and the access with it",
                    "says the same",
                ),
                Stays::Wider => (
                    Level::Note,
                    "twin-stays",
                    "a wider one stays, and the access with it",
                    "says the same for a scope around it",
                ),
                Stays::Record => (
                    Level::Note,
                    "twin-stays",
                    "another record stays, and the name with it",
                    "gives the same answer",
                ),
                Stays::Wildcard => (
                    Level::Note,
                    "wildcard-stays",
                    "a wildcard answers for a name without a record of any type",
                    "gives the same answer",
                ),
                Stays::Pods => (
                    Level::Warning,
                    "pods-stay-closed",
                    "traffic that only this policy lets through is refused",
                    "is for the same pods, which stay closed to other traffic",
                ),
                Stays::Closed => (
                    Level::Note,
                    "pods-stay-closed",
                    "it lets nothing through, so nothing is refused or opened",
                    "is for the same pods, which stay closed",
                ),
            };
            let fact = Fact::at(*gone, Path::root()).with_note(format!("{name} {is_alike}"));
            Notice::at(fact, level, id, says)
        });
        let notices = notices.collect();
        // A name may have records of other types, and then a wildcard does not answer for it.
        twins.retain(|_, (stays, _)| *stays != Stays::Wildcard);
        (twins.into_keys().collect(), notices)
    }
}

/// True for the type of a permission.
fn is_permission(ty: &str) -> bool {
    let last = words::last_of_type(ty);
    let guards = || {
        let words = words::of_type(ty);
        words.iter().any(|word| WORDS.fences.has(word))
    };
    WORDS.permissions.has(&last) && (last != "rule" || guards()) || is_of_network(ty)
}

fn is_record(ty: &str) -> bool {
    let words = words::of_type(ty);
    ["record", "record set"]
        .iter()
        .any(|it| words::ends_in(&words, it))
}

fn is_of_network(ty: &str) -> bool {
    words::ends_in(&words::of_type(ty), "network policy")
}

/// The things that another permission may have too.
fn alike(resource: &Resource, state: Option<&State>) -> impl Iterator<Item = Alike> {
    let print = whole(resource, state).map(Alike::Whole);
    let record = record(resource, state).map(|(name, answer)| of_name(&name, answer));
    let pods = pods(resource, state).map_or_else(Vec::new, |it| it.closed());
    print.into_iter().chain(pods).chain(record)
}

/// The things of which one that stays has to have one, the most telling first.
fn wanted(resource: &Resource, state: Option<&State>) -> Vec<(Stays, Alike)> {
    let print = whole(resource, state);
    let wider = print
        .as_ref()
        .map_or_else(Vec::new, |it| wider(it, resource, state));
    let equal = print.into_iter().map(|it| (Stays::Equal, it));
    let wider = wider.into_iter().map(|it| (Stays::Wider, it));
    let whole = equal
        .chain(wider)
        .map(|(stays, it)| (stays, Alike::Whole(it)));
    let pods = pods(resource, state).map_or_else(Vec::new, |it| it.wanted());
    let record = record(resource, state)
        .into_iter()
        .flat_map(|(name, answer)| {
            // A wildcard is below its zone, and names may be written without that.
            let below = name.split_once('.').map(|(_, zone)| format!("*.{zone}"));
            let wildcard = below.or_else(|| (!matches!(&*name, "" | "@")).then(|| "*".to_owned()));
            let wildcard = wildcard.map(|name| (Stays::Wildcard, of_name(&name, answer)));
            let own = (Stays::Record, of_name(&name, answer));
            [own].into_iter().chain(wildcard)
        });
    whole.chain(pods).chain(record).collect()
}

/// The name of a record, and the print of its answer. `None` for other types, and if they are not known.
fn record(resource: &Resource, state: Option<&State>) -> Option<(String, u64)> {
    let mut properties = parts::properties(resource, state).filter(|_| is_record(&resource.ty))?;
    let (_, name) = properties.find(|(key, _)| &***key == "name")?;
    let name = name.as_str().filter(|_| !name.is_secret())?;
    let answer = print(resource, state, &|key, _| WORDS.aside.has(key))?;
    Some((name.to_lowercase(), hash_of(&answer)))
}

fn of_name(name: &str, answer: u64) -> Alike {
    Alike::Record(hash_of(&(name, answer)))
}

/// The prints of the same permission for the scopes around its own, the narrowest first.
fn wider(print: &Print, resource: &Resource, state: Option<&State>) -> Vec<Print> {
    let properties = parts::properties(resource, state).into_iter().flatten();
    let mut scopes = properties.filter(|(key, _)| &***key == "scope");
    let own = scopes.next().and_then(|(_, scope)| scope.as_str());
    let own = own.unwrap_or_default();
    let ends = own.rmatch_indices('/').map(|(end, _)| end);
    let outer = ends.filter(|end| *end > 0).map(|end| &own[..end]);
    let with = |scope: &str| {
        let key = hash_of("scope");
        let value = hash_of(&Value::from(scope).to_string());
        let replaced = |it: &(u64, u64)| if it.0 == key { (key, value) } else { *it };
        print.iter().map(replaced).collect()
    };
    outer.take(MAX_SCOPES).map(with).collect()
}

/// A policy of Kubernetes: the pods that it is for, and the directions in which it closes them.
struct Policy<'s> {
    namespace: &'s Value,
    /// The labels that it looks for; `None` if it selects by expressions.
    labels: Option<Vec<(String, String)>>,
    /// All of its selector.
    selector: &'s Value,
    directions: Vec<String>,
    lets_nothing_through: bool,
}

impl Policy<'_> {
    /// The policy for these pods that closes them in these directions.
    fn alike(&self, selector: &str, directions: &[String]) -> Alike {
        Alike::Pods(hash_of(&(self.namespace.to_string(), selector, directions)))
    }

    /// The words of its selector.
    fn selector(&self) -> String {
        match &self.labels {
            Some(labels) => format!("{labels:?}"),
            None => self.selector.to_string(),
        }
    }

    /// All that it does: it closes its pods in each of its directions, and in several of them.
    fn closed(&self) -> Vec<Alike> {
        let selector = self.selector();
        let first = self.directions.iter().map(std::slice::from_ref);
        let all = (self.directions.len() > 1).then_some(&*self.directions);
        let directions = first.chain(all);
        directions.map(|it| self.alike(&selector, it)).collect()
    }

    /// The policies that close its pods too: of the same pods, of those with one of their labels, and of all.
    fn wanted(&self) -> Vec<(Stays, Alike)> {
        let labels = self.labels.iter().flatten().take(MAX_LABELS);
        let fewer = labels.map(|label| format!("{:?}", [label]));
        let selectors = [self.selector()].into_iter().chain(fewer);
        let all = format!("{:?}", Vec::<(String, String)>::new());
        let stays = if self.lets_nothing_through {
            Stays::Closed
        } else {
            Stays::Pods
        };
        let alike = |selector: String| (stays, self.alike(&selector, &self.directions));
        selectors.chain([all]).map(alike).collect()
    }
}

/// The policy that a resource is. `None` for other types, and if it is not known.
fn pods<'s>(resource: &Resource, state: Option<&'s State>) -> Option<Policy<'s>> {
    let set = state?.section(resource.program_section())?;
    let value = |place: &str| {
        let (_, value) = at(set, place)?;
        (!value.has_computed() && !value.has_secrets()).then_some(value)
    };
    if !is_of_network(&resource.ty) {
        return None;
    }
    let selector = value("spec.pod_selector")?;
    let directions = value("spec.policy_types")?;
    let directions = directions.as_array()?.iter();
    let directions: BTreeSet<&str> = directions.map(Value::as_str).collect::<Option<_>>()?;
    let lets_through = |place: &str| at(set, place).is_some_and(|(_, it)| !is_nothing(it));
    Some(Policy {
        namespace: value("metadata.namespace")?,
        labels: labels(selector),
        selector,
        directions: directions.into_iter().map(str::to_owned).collect(),
        lets_nothing_through: !lets_through("spec.ingress") && !lets_through("spec.egress"),
    })
}

/// The labels that a selector looks for, sorted; `None` if it selects in another way.
fn labels(selector: &Value) -> Option<Vec<(String, String)>> {
    let block = single(selector);
    let mut labels = Vec::new();
    for (key, value) in block.as_map().into_iter().flatten() {
        if is_nothing(value) {
            continue;
        }
        if joined(key) != "matchlabels" {
            return None;
        }
        for (label, value) in value.as_map()? {
            labels.push((label.to_string(), value.as_str()?.to_owned()));
        }
    }
    labels.sort_unstable();
    Some(labels)
}

/// The print of a permission; `None` for a record, if a property is masked or not known, or if none is left.
fn whole(resource: &Resource, state: Option<&State>) -> Option<Print> {
    let mut properties = parts::properties(resource, state).filter(|_| !is_record(&resource.ty))?;
    let own_id = properties.find(|(key, _)| &***key == "id");
    let own_id = own_id.and_then(|(_, id)| id.as_str());
    let is_own_id = |_: &str, value: &Value| own_id.is_some() && value.as_str() == own_id;
    print(resource, state, &is_own_id).filter(|print| !print.is_empty())
}

/// The print of the properties but those that only name a thing and those `aside`.
fn print(
    resource: &Resource,
    state: Option<&State>,
    aside: &dyn Fn(&str, &Value) -> bool,
) -> Option<Print> {
    let mut print = Print::new();
    for (key, value) in parts::properties(resource, state)? {
        if WORDS.only_names.has(key) || aside(key, value) || is_nothing(value) {
            continue;
        }
        if value.has_computed() || value.has_secrets() {
            return None;
        }
        // Of what names an object of Kubernetes, the place counts.
        let value = match &**key {
            "metadata" => at(value, "namespace").map_or(&Value::NULL, |(_, place)| place),
            _ => value,
        };
        print.push((hash_of(&**key), hash_of(&value.to_string())));
    }
    print.sort_unstable();
    Some(print)
}
