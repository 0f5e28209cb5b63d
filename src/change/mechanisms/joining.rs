//! Joining: a workload of Kubernetes that a service finds from now on, beside those that it finds already.
//!
//! A second workload with the labels of the first one takes its share of the requests, and no reference of the program says so. That may
//! be meant. If it does not listen where the service sends them, they fail.

use std::collections::{BTreeMap, BTreeSet};

use super::off::at;
use super::pods::{self, is_found, is_one_of, names, namespace, selector};
use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen, stays};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::path::Segment;
use crate::stack::{Action, Resource, ResourceId, Stack, State};
use crate::value::{Payload, Value};

/// Maximum number of workloads that join.
const MAX_JOINING: usize = 64;

/// Maximum number of services that are read.
const MAX_SERVICES: usize = 300;

/// Maximum number of workloads that are read for those beside which another one joins.
const MAX_WORKLOADS: usize = 300;

/// A workload that comes, or whose labels change.
pub(super) type Workload = ResourceId;

/// The resource, if it is such a workload.
pub(super) fn find(seen: &Seen<'_>) -> Option<Workload> {
    let is_label = |leaf: &Leaf| leaf.path.0.contains(&Segment::from("labels"));
    let is_other = match seen.action {
        Action::Create | Action::Replace => true,
        Action::Update => seen.leaves.iter().any(is_label),
        Action::Delete
        | Action::Read
        | Action::Import
        | Action::Move
        | Action::Forget
        | Action::Defer
        | Action::Noop => false,
    };
    let is_workload = is_other && is_one_of(&WORDS.workloads, seen.stack.ty(seen.id));
    (is_workload && seen.is_managed()).then_some(seen.id)
}

/// A notice about each workload that a service finds from now on.
pub(super) fn notices(mut joining: Vec<Workload>, reader: &Reader<'_>) -> Vec<Notice> {
    if joining.is_empty() {
        return Vec::new();
    }
    joining.sort_unstable();
    joining.truncate(MAX_JOINING);
    let stack = reader.stack;
    let joining: Vec<(ResourceId, Resource)> = reader.each(joining).collect();
    let are = |types, id: &ResourceId| is_one_of(types, stack.ty(*id)) && stays(stack, *id);
    let services = stack.ids().filter(|id| are(&WORDS.services, id));
    let services = reader.each(services.take(MAX_SERVICES));
    let mut found: BTreeMap<usize, Vec<(ResourceId, Resource)>> = BTreeMap::new();
    for (id, service) in services {
        let finds = |(_, (own, workload)): &(usize, &(ResourceId, Resource))| {
            is_beside(stack, *own, id) && side_of(&service, workload) == Sides::After
        };
        let found_by = joining.iter().enumerate().filter(finds);
        let found_by: Vec<usize> = found_by.map(|(at, _)| at).collect();
        for at in found_by {
            let of_workload = found.entry(at).or_default();
            of_workload.push((id, service.clone()));
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let workloads = stack.ids().filter(|id| are(&WORDS.workloads, id));
    let workloads = reader.each(workloads.take(MAX_WORKLOADS));
    let workloads: Vec<(ResourceId, Resource)> = workloads.collect();
    let notices = found.into_iter().filter_map(|(at, services)| {
        let (id, workload) = &joining[at];
        notice(stack, (*id, workload), &services, &workloads)
    });
    notices.collect()
}

/// False for two resources of which each has its own provider: another cluster may have the same names.
fn is_beside(stack: &Stack, one: ResourceId, other: ResourceId) -> bool {
    let [one, other] = [one, other].map(|id| stack.record(id).provider);
    one.zip(other).is_none_or(|(one, other)| one == other)
}

/// The sides of the plan on which a service whose selector stays finds a workload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sides {
    Both,
    After,
    Other,
}

fn side_of(service: &Resource, workload: &Resource) -> Sides {
    let properties = |state: &Option<State>| state.as_ref().and_then(|it| it.properties().cloned());
    let [before, after] = [&service.before, &service.after].map(properties);
    let after = after.or_else(|| before.clone());
    let (Some(before), Some(after)) = (before, after) else {
        return Sides::Other;
    };
    let wanted = selector(&before).zip(selector(&after));
    let Some((_, wanted)) = wanted
        .filter(|((_, old), (_, new))| old.is_identical(new))
        .map(|(_, new)| new)
    else {
        return Sides::Other;
    };
    let finds = |state: Option<&State>| {
        let set = state.and_then(State::properties);
        let labels = set.and_then(|set| pods::labels(set).map(|it| (it, namespace(set))));
        labels.is_some_and(|(labels, own)| own == namespace(&after) && is_found(wanted, labels))
    };
    let is_open = wanted.has_computed() || wanted.has_secrets();
    match (finds(workload.before.as_ref()), finds(workload.current())) {
        _ if is_open => Sides::Other,
        (true, true) => Sides::Both,
        (false, true) => Sides::After,
        (_, false) => Sides::Other,
    }
}

/// The notice about a workload that these services find from now on.
fn notice(
    stack: &Stack,
    (id, workload): (ResourceId, &Resource),
    services: &[(ResourceId, Resource)],
    workloads: &[(ResourceId, Resource)],
) -> Option<Notice> {
    let set = workload.current()?.properties()?;
    let own = ports(set);
    let (mut by, mut beside) = (BTreeSet::new(), BTreeSet::new());
    let mut closed = None;
    for (service, resource) in services {
        let others = workloads.iter().filter(|(other, it)| {
            *other != id && is_beside(stack, *other, id) && side_of(resource, it) == Sides::Both
        });
        let mut open = BTreeSet::new();
        for (other, it) in others {
            by.insert(*service);
            beside.insert(*other);
            open.extend(
                it.current()
                    .and_then(State::properties)
                    .map(ports)
                    .into_iter()
                    .flatten(),
            );
        }
        // Ports that no workload names tell nothing.
        let wanted = resource.current().and_then(State::properties).map(targets);
        let mut wanted = wanted.into_iter().flatten();
        let missing = wanted.find(|port| open.contains(port) && !own.contains(port));
        closed = closed.or(missing);
    }
    let (place, _) =
        at(set, "spec.template.metadata.labels").or_else(|| at(set, "metadata.labels"))?;
    let says = format!(
        "gets requests of {} from now on, beside {}",
        names(stack, &by),
        names(stack, &beside)
    );
    let (level, says) = match closed {
        None => (Level::Note, says),
        Some(port) => (
            Level::Warning,
            format!("{says}, and none of its containers has port {port}"),
        ),
    };
    (!beside.is_empty()).then(|| Notice {
        ids: vec![id],
        says,
        facts: vec![Fact::at(id, place)],
        ..Notice::new(level, "selected-from-now-on")
    })
}

/// The elements of a list, whichever of these names it has.
fn list<'v>(value: &'v Value, names: [&str; 2]) -> impl Iterator<Item = &'v Value> {
    let lists = names.into_iter().filter_map(|name| value.get(name));
    let plain = lists.filter(|it| !it.is_secret());
    let items = plain.filter_map(Value::as_array).flatten();
    items.filter(|it| !it.is_secret())
}

/// The first of these properties that says something, as a text.
fn text(value: &Value, names: &[&str]) -> Option<String> {
    let texts = names.iter().filter_map(|name| {
        let value = value.get(name).filter(|it| !it.is_secret())?;
        match value.payload() {
            Payload::Number(number) => Some(number.to_plain(20)),
            _ => value.as_str().map(str::to_owned),
        }
    });
    let mut texts = texts.filter(|it| !it.is_empty());
    texts.next()
}

/// The numbers and the names of the ports of the containers of a workload.
fn ports(workload: &Value) -> BTreeSet<String> {
    let of_template = at(workload, "spec.template.spec");
    let pod = of_template.or_else(|| at(workload, "spec"));
    let Some((_, pod)) = pod else {
        return BTreeSet::new();
    };
    // A pod of Terraform is a list of one.
    let pod = pod.as_array().and_then(|it| it.get(0)).unwrap_or(&pod);
    let containers = list(pod, ["container", "containers"]);
    let ports = containers.flat_map(|it| list(it, ["port", "ports"]));
    let names = ports.flat_map(|port| {
        let number = text(port, &["container_port", "containerPort"]);
        number.into_iter().chain(text(port, &["name"]))
    });
    names.collect()
}

/// The ports to which a service sends requests.
fn targets(service: &Value) -> Vec<String> {
    let Some((_, spec)) = at(service, "spec") else {
        return Vec::new();
    };
    let spec = spec.as_array().and_then(|it| it.get(0)).unwrap_or(&spec);
    let ports = list(spec, ["port", "ports"]);
    ports
        .filter_map(|port| text(port, &["target_port", "targetPort", "port"]))
        .collect()
}
