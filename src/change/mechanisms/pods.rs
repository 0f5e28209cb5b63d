//! Pods: a service of Kubernetes whose selector changes, and what it finds from then on; a workload that is scaled to nothing while the
//! service beside it looks for other pods; and a workload that a service finds from now on, beside those that it finds already.
//!
//! Another selector that finds the same pods is a note, so that nobody fears it. One that finds none leaves requests without an answer, and no reference of the
//! program says so. Only the pods that the file knows are counted: if none of them fitted before, nobody can tell.
//!
//! A second workload with the labels of the first one takes its share of the requests. That may be meant. If it does not listen where the
//! service sends them, they fail.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::arguments::have_one_manager;
use super::places::{at, text_at};
use super::tables::WORDS;
use super::words::listed;
use super::{Fact, Notice, Reader, is_there, stays, words};
use crate::change::quantity::number;
use crate::change::rules::{Level, single};
use crate::path::Path;
use crate::stack::{Action, Resource, ResourceId, Stack, State};
use crate::text::has_word;
use crate::value::{Map, Value};

/// Maximum number of services that are read.
const MAX_SERVICES: usize = 1_000;

/// Maximum number of workloads that are read.
const MAX_WORKLOADS: usize = 5_000;

/// Maximum number of workloads of which each is compared with all services.
const MAX_JOINING: usize = 64;

/// Maximum number of workloads that are named.
const MAX_NAMES: usize = 8;

/// A resource that was read.
type Known = (ResourceId, Resource);

/// A notice about each service that finds other pods, each workload that gets no requests any longer, and each that a service finds from
/// now on.
pub(super) fn notices(reader: &Reader<'_>) -> Vec<Notice> {
    use Action::{Create, Replace, Update};
    let stack = reader.stack;
    let read = |types, actions: &[Action]| -> Vec<Known> {
        let ids = reader.changed(actions, |ty| is_one_of(types, ty));
        reader.each(ids.into_iter().take(MAX_SERVICES)).collect()
    };
    let changed = read(&WORDS.services, &[Update, Replace]);
    let workloads = read(&WORDS.workloads, &[Create, Update, Replace]);
    let staying = if workloads.is_empty() {
        Vec::new()
    } else {
        reader.some(MAX_SERVICES, stays, |ty| is_one_of(&WORDS.services, ty))
    };
    let services: Vec<Service<'_>> = staying.iter().filter_map(Service::of).collect();
    let stopped = workloads
        .iter()
        .filter_map(|it| stopped(stack, it, &services));
    let mut notices: Vec<Notice> = stopped.collect();
    let others = workloads.iter().filter(|(_, it)| has_other_labels(it));
    let joining = others.take(MAX_JOINING).filter_map(|(id, workload)| {
        let is_joined = |it: &&Service<'_>| {
            it.finds(workload.current())
                && !it.finds(workload.before.as_ref())
                && have_one_manager(stack, it.id, *id)
        };
        let by: Vec<&Service<'_>> = services.iter().filter(is_joined).collect();
        (!by.is_empty()).then_some((*id, workload, by))
    });
    let joining: Vec<(ResourceId, &Resource, Vec<&Service<'_>>)> = joining.collect();
    if changed.is_empty() && joining.is_empty() {
        return notices;
    }
    let all = reader.some(MAX_WORKLOADS, is_there, |ty| {
        is_one_of(&WORDS.workloads, ty)
    });
    let mut sides = [
        Workloads::of(&all, |it| it.before.as_ref()),
        Workloads::of(&all, Resource::current),
    ];
    notices.extend(
        changed
            .iter()
            .filter_map(|it| of_service(stack, it, &mut sides)),
    );
    notices.extend(
        joining
            .into_iter()
            .filter_map(|(id, workload, by)| joins(stack, (id, workload), &by, &mut sides)),
    );
    notices
}

/// True for a workload that comes, or whose pods get other labels.
fn has_other_labels(workload: &Resource) -> bool {
    let of = |state: Option<&State>| Some(labels(state?.properties()?)?.1.clone());
    let (before, after) = (of(workload.before.as_ref()), of(workload.current()));
    after.is_some() && before != after
}

/// A service whose selector stays. One that changes in the same plan may find the pods until then.
struct Service<'r> {
    id: ResourceId,
    /// The properties after the plan.
    set: &'r Value,
    selector: &'r Value,
}

impl<'r> Service<'r> {
    /// `None` if the selector changes, or is not known.
    fn of((id, service): &'r Known) -> Option<Self> {
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
        let labels = set.and_then(|set| Some((labels(set)?.1, namespace(set))));
        labels.is_some_and(|(labels, own)| {
            own == namespace(self.set) && is_found(self.selector, labels)
        })
    }
}

/// The note about a workload that is scaled to nothing beside a service that looks for other pods: those of another color.
fn stopped(stack: &Stack, (id, workload): &Known, services: &[Service<'_>]) -> Option<Notice> {
    let sides = [&workload.before, &workload.after].map(|it| it.as_ref()?.properties());
    let [before, after] = [sides[0]?, sides[1]?];
    let copies = |set| at(set, "spec.replicas").filter(|(_, it)| number(it) == Some(0.0));
    let (place, _) = copies(after).filter(|_| copies(before).is_none())?;
    let (_, own) = labels(before)?;
    let own_namespace = namespace(before);
    let near = || {
        services
            .iter()
            .filter(|it| namespace(it.set) == own_namespace)
    };
    if near().any(|it| is_found(it.selector, own)) {
        return None;
    }
    let others = |selector: &Value| -> Option<String> {
        let wanted = selector.as_map()?;
        let mut differs = wanted
            .iter()
            .filter(|(key, value)| own.get(key) != Some(*value));
        // Pods of another color do the same work. Those of another component do not.
        let (key, value) = differs
            .next()
            .filter(|(key, _)| has_word(key, &WORDS.colors))?;
        let is_only = differs.next().is_none() && wanted.len() > 1 && own.get(key).is_some();
        is_only.then(|| format!("{key} = {}", value.as_str().unwrap_or_default()))
    };
    let (service, wanted) = near().find_map(|it| Some((it.id, others(it.selector)?)))?;
    let name = stack.spoken_name(service);
    let says = format!("gets no requests already: {name} looks for {wanted}");
    let fact = Fact::at(*id, place);
    Some(Notice::answer(
        fact,
        Level::Note,
        "no-requests-already",
        says,
    ))
}

/// A namespace, and the name and the text of a label.
type Label<'w> = (&'w str, &'w str, String);

/// The workloads of one side of the plan.
struct Workloads<'w> {
    /// Their properties.
    sets: HashMap<ResourceId, &'w Value>,
    /// By namespace, name and text of a label: the workloads whose pods have it, with all labels.
    by_label: HashMap<Label<'w>, Vec<(ResourceId, &'w Value)>>,
    /// By namespace and text of a selector: the workloads whose pods it finds.
    found: HashMap<(String, String), Rc<Pods>>,
}

/// Workloads, and their names in words.
struct Pods {
    ids: BTreeSet<ResourceId>,
    names: String,
}

impl<'w> Workloads<'w> {
    fn of(workloads: &'w [Known], side: fn(&Resource) -> Option<&State>) -> Self {
        let mut by_label: HashMap<_, Vec<_>> = HashMap::new();
        let mut sets = HashMap::new();
        for (id, workload) in workloads {
            let properties = side(workload).and_then(State::properties);
            let Some((properties, (_, all))) = properties.and_then(|it| Some((it, labels(it)?)))
            else {
                continue;
            };
            sets.insert(*id, properties);
            for (key, value) in all.as_map().into_iter().flatten() {
                let label = (namespace(properties), &**key, value.to_string());
                by_label.entry(label).or_default().push((*id, all));
            }
        }
        Self {
            sets,
            by_label,
            found: HashMap::new(),
        }
    }

    /// The workloads whose pods the selector of a service finds.
    fn found_by(&mut self, stack: &Stack, selector: &Value, service: &Value) -> Rc<Pods> {
        let namespace = namespace(service);
        let known = (namespace.to_owned(), selector.to_string());
        let found = self.found.entry(known).or_insert_with(|| {
            let wanted = selector.as_map().into_iter().flatten();
            let with_label = wanted.map(|(key, value)| {
                let with_label = self.by_label.get(&(namespace, &**key, value.to_string()));
                with_label.map_or(&[][..], |it| it)
            });
            // All labels have to be there, so the rarest one says which workloads to look at.
            let rarest = with_label.min_by_key(|it| it.len()).unwrap_or_default();
            let fits = rarest
                .iter()
                .filter(|(_, labels)| is_found(selector, labels));
            let ids: BTreeSet<ResourceId> = fits.map(|(id, _)| *id).collect();
            let names = names(stack, &ids);
            Rc::new(Pods { ids, names })
        });
        Rc::clone(found)
    }
}

/// The names of resources, of many the first ones.
fn names(stack: &Stack, ids: &BTreeSet<ResourceId>) -> String {
    let ids = stack.by_name(ids.iter().copied());
    let names: Vec<&str> = ids.iter().map(|id| stack.spoken_name(*id)).collect();
    listed(&names, MAX_NAMES)
}

/// The notice about a service whose selector changes.
fn of_service(
    stack: &Stack,
    (id, service): &Known,
    [workloads, later]: &mut [Workloads<'_>; 2],
) -> Option<Notice> {
    let before = service.before.as_ref()?.properties()?;
    let after = service.after.as_ref()?.properties()?;
    let (path, old) = selector(before)?;
    let (_, new) = selector(after).filter(|(_, new)| !new.is_identical(old))?;
    let of_old = workloads.found_by(stack, old, before);
    let of_new = later.found_by(stack, new, after);
    let is_open = [old, new]
        .iter()
        .any(|it| it.has_computed() || it.has_secrets());
    let (level, says) = match (of_old.ids.is_empty(), of_new.ids.is_empty()) {
        _ if is_open => (Level::Warning, "requests may go to other pods".to_owned()),
        (true, true) => (Level::Warning, "requests go to other pods".to_owned()),
        (false, true) => (
            Level::Danger,
            format!(
                "it finds no pods any longer, before those of {}: requests get no answer",
                of_old.names
            ),
        ),
        (true, false) => (
            Level::Warning,
            format!("requests go to the pods of {}", of_new.names),
        ),
        (false, false) if of_old.ids == of_new.ids => {
            (Level::Note, format!("still selects {}", of_new.names))
        }
        (false, false) => (
            Level::Warning,
            format!(
                "requests go to the pods of {}, before to those of {}",
                of_new.names, of_old.names
            ),
        ),
    };
    let fact = Fact::change(*id, path, old, new);
    Some(Notice::at(fact, level, "service-selector", says))
}

/// True if a type, in any version, is one of these.
pub(super) fn is_one_of(names: &BTreeMap<String, String>, ty: &str) -> bool {
    let mut names = names.iter();
    names.any(|(terraform, pulumi)| {
        let version = ty.strip_prefix(&**terraform);
        let of_pulumi = ty
            .strip_prefix("kubernetes:")
            .and_then(|it| it.rsplit_once(':'));
        version.is_some_and(|it| it.is_empty() || it.starts_with("_v"))
            || of_pulumi.is_some_and(|(_, name)| name == *pulumi)
    })
}

/// The notice about a workload that these services find from now on.
fn joins(
    stack: &Stack,
    (id, workload): (ResourceId, &Resource),
    services: &[&Service<'_>],
    sides: &mut [Workloads<'_>; 2],
) -> Option<Notice> {
    let set = workload.current()?.properties()?;
    let own = ports(set);
    let (mut by, mut beside) = (BTreeSet::new(), BTreeSet::new());
    let mut closed = None;
    for service in services {
        let found = sides.each_mut();
        let found = found.map(|it| it.found_by(stack, service.selector, service.set));
        let others = found[0].ids.intersection(&found[1].ids).filter(|other| {
            **other != id && stays(stack, **other) && have_one_manager(stack, **other, id)
        });
        let mut open = BTreeSet::new();
        for other in others {
            by.insert(service.id);
            beside.insert(*other);
            open.extend(
                sides[1]
                    .sets
                    .get(other)
                    .into_iter()
                    .flat_map(|it| ports(it)),
            );
        }
        // Ports that no workload names tell nothing.
        let mut wanted = targets(service.set);
        let missing = wanted.find(|port| open.contains(port) && !own.contains(port));
        closed = closed.or(missing);
    }
    let (place, _) = labels(set).or_else(|| at(set, "metadata.labels"))?;
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

/// The numbers and the names of the ports of the containers of a workload.
fn ports(workload: &Value) -> BTreeSet<String> {
    let of_template = at(workload, "spec.template.spec");
    let pod = of_template.or_else(|| at(workload, "spec"));
    let pod = pod.map_or(&Value::NULL, |(_, pod)| single(pod));
    let containers = list(pod, ["container", "containers"]);
    let ports = containers.flat_map(|it| list(it, ["port", "ports"]));
    let names = ports.flat_map(|port| ["container_port", "name"].map(|name| text_at(port, name)));
    names.flatten().collect()
}

/// The ports to which a service sends requests.
fn targets(service: &Value) -> impl Iterator<Item = String> {
    let spec = at(service, "spec").map_or(&Value::NULL, |(_, spec)| single(spec));
    let ports = list(spec, ["port", "ports"]);
    ports.filter_map(|port| text_at(port, "target_port").or_else(|| text_at(port, "port")))
}

/// The selector of a service, with its place.
fn selector(service: &Value) -> Option<(Path, &Value)> {
    at(service, "spec.selector")
}

/// The labels of the pods of a workload, with their place.
fn labels(workload: &Value) -> Option<(Path, &Value)> {
    match at(workload, "spec.template") {
        Some(_) => at(workload, "spec.template.metadata.labels"),
        None => at(workload, "metadata.labels"),
    }
}

fn namespace(object: &Value) -> &str {
    let own = at(object, "metadata.namespace").and_then(|(_, it)| it.as_str());
    own.filter(|it| !it.is_empty()).unwrap_or("default")
}

/// The text by which others mean an object of Kubernetes, wherever it occurs: the subject of a service account, to which the roles of a
/// cloud refer, and the address of a service.
pub(super) fn full_name(ty: &str, object: &Value) -> Option<String> {
    if !ty.starts_with("kubernetes") {
        return None;
    }
    let words = words::of_type(ty);
    let ends_in = |name| words::ends_in(&words, name);
    let metadata = single(at(object, "metadata")?.1);
    let plain = |key| metadata.get(key).filter(|it| !it.is_secret())?.as_str();
    let name = plain("name")?;
    let namespace = match metadata.get("namespace") {
        Some(own) if !own.is_null() => plain("namespace")?,
        _ => "default",
    };
    if ends_in("service account") {
        Some(format!("system:serviceaccount:{namespace}:{name}"))
    } else if ends_in("service") {
        Some(format!("{name}.{namespace}.svc"))
    } else {
        None
    }
}

/// True if a selector, which asks for something, finds these labels.
fn is_found(selector: &Value, labels: &Value) -> bool {
    let wanted = selector.as_map().filter(|map: &&Map| !map.is_empty());
    let has = |key: &str, value: &Value| labels.get(key) == Some(value);
    wanted.is_some_and(|wanted| wanted.iter().all(|(key, value)| has(key, value)))
}
