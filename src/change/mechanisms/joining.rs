//! Joining: a workload of Kubernetes that a service finds from now on, beside those that it finds already.
//!
//! A second workload with the labels of the first one takes its share of the requests, and no reference of the program says so. That may
//! be meant. If it does not listen where the service sends them, they fail.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::arguments::have_one_manager;
use super::off::at;
use super::pods::{self, is_found, is_one_of, names, namespace, selector};
use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen, stays};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::change::texts::plain_text;
use crate::path::Segment;
use crate::stack::{Action, Resource, ResourceId, Stack, State};
use crate::value::Value;

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
    let are = |types, id: ResourceId| is_one_of(types, stack.ty(id)) && stays(stack, id);
    let services = reader.some(MAX_SERVICES, |id| are(&WORDS.services, id));
    let services: Vec<Service<'_>> = services.iter().filter_map(Service::of).collect();
    let joining = reader.each(joining).filter_map(|(id, workload)| {
        let is_joined = |it: &&Service<'_>| {
            it.finds(workload.current())
                && !it.finds(workload.before.as_ref())
                && have_one_manager(stack, it.id, id)
        };
        let by: Vec<&Service<'_>> = services.iter().filter(is_joined).collect();
        (!by.is_empty()).then_some((id, workload, by))
    });
    let joining: Vec<(ResourceId, Resource, Vec<&Service<'_>>)> = joining.collect();
    if joining.is_empty() {
        return Vec::new();
    }
    let workloads = reader.some(MAX_WORKLOADS, |id| are(&WORDS.workloads, id));
    let notices = joining.iter().filter_map(|(id, workload, services)| {
        notice(stack, (*id, workload), services, &workloads)
    });
    notices.collect()
}

/// A service whose selector stays.
struct Service<'r> {
    id: ResourceId,
    /// The properties after the plan.
    set: &'r Value,
    selector: &'r Value,
}

impl<'r> Service<'r> {
    /// `None` if the selector changes, or is not known.
    fn of((id, service): &'r (ResourceId, Resource)) -> Option<Self> {
        let before = service.before.as_ref()?.properties()?;
        let set = service.current()?.properties()?;
        let ((_, old), (_, selector)) = (selector(before)?, selector(set)?);
        let is_known = !selector.has_computed() && !selector.has_secrets();
        (is_known && old.is_identical(selector)).then_some(Self {
            id: *id,
            set,
            selector,
        })
    }

    /// True if the service finds the pods of a workload in this state.
    fn finds(&self, state: Option<&State>) -> bool {
        let set = state.and_then(State::properties);
        let labels = set.and_then(|set| pods::labels(set).map(|it| (it, namespace(set))));
        labels.is_some_and(|(labels, own)| {
            own == namespace(self.set) && is_found(self.selector, labels)
        })
    }
}

/// The notice about a workload that these services find from now on.
fn notice(
    stack: &Stack,
    (id, workload): (ResourceId, &Resource),
    services: &[&Service<'_>],
    workloads: &[(ResourceId, Resource)],
) -> Option<Notice> {
    let set = workload.current()?.properties()?;
    let own = ports(set);
    let (mut by, mut beside) = (BTreeSet::new(), BTreeSet::new());
    let mut closed = None;
    for service in services {
        let others = workloads.iter().filter(|(other, it)| {
            *other != id
                && service.finds(it.before.as_ref())
                && service.finds(it.current())
                && have_one_manager(stack, *other, id)
        });
        let mut open = BTreeSet::new();
        for (other, it) in others {
            by.insert(service.id);
            beside.insert(*other);
            let set = it.current().and_then(State::properties);
            open.extend(set.map(ports).into_iter().flatten());
        }
        // Ports that no workload names tell nothing.
        let mut wanted = targets(service.set).into_iter();
        let missing = wanted.find(|port| open.contains(port) && !own.contains(port));
        closed = closed.or(missing);
    }
    let (place, _) =
        at(set, "spec.template.metadata.labels").or_else(|| at(set, "metadata.labels"))?;
    let [services, others] = [&by, &beside].map(|ids| names(stack, ids));
    let says = format!("gets requests of {services} from now on, beside {others}");
    let (level, says) = match closed {
        None => (Level::Note, says),
        Some(port) => (
            Level::Warning,
            format!("{says}, and none of its containers has port {port}"),
        ),
    };
    let fact = Fact::at(id, place);
    (!beside.is_empty()).then(|| Notice::at(fact, level, "selected-from-now-on", says))
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
    let values = names.iter().filter_map(|name| value.get(name));
    let mut texts = values.filter_map(plain_text).filter(|it| !it.is_empty());
    texts.next().map(Cow::into_owned)
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
