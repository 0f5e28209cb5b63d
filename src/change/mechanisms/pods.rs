//! Pods: a service of Kubernetes whose selector changes, and what it finds from then on; and a workload that is scaled to nothing while the
//! service beside it looks for other pods.
//!
//! Another selector that finds the same pods is a note, so that nobody fears it. One that finds none leaves requests without an answer, and no reference of the
//! program says so. Only the pods that the file knows are counted: if none of them fitted before, nobody can tell.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::tables::WORDS;
use super::words::listed;
use super::{Fact, Notice, Reader, Seen, is_there, stays, words};
use crate::change::leaves::Leaf;
use crate::change::quantity::number;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Resource, ResourceId, Stack, State};
use crate::text::has_word;
use crate::value::{Map, Value};

/// Maximum number of services whose selectors change.
const MAX_SERVICES: usize = 1_000;

/// Maximum number of workloads that are read.
const MAX_WORKLOADS: usize = 5_000;

/// Maximum number of workloads that are named.
const MAX_NAMES: usize = 8;

/// A change that decides about requests.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// A service whose selector changes.
    Service(ResourceId),
    /// A workload that is scaled to nothing, with the place of its number.
    Stopped(ResourceId, Path),
}

/// The resource, if it is one of these.
pub(super) fn find(seen: &Seen<'_>) -> Option<Found> {
    let ty = seen.stack.ty(seen.id);
    if !seen.changes_values() || !seen.is_managed() {
        return None;
    }
    if is_one_of(&WORDS.services, ty) {
        let is_selector = |step: &Segment| *step == Segment::from("selector");
        let mut steps = seen.leaves.iter().flat_map(|leaf| &leaf.path.0);
        return steps.any(is_selector).then_some(Found::Service(seen.id));
    }
    let is_stopped =
        |leaf: &&Leaf| leaf.path.last_key() == Some("replicas") && number(&leaf.after) == Some(0.0);
    let stopped = seen.leaves.iter().find(is_stopped);
    let stopped = stopped.filter(|_| is_one_of(&WORDS.workloads, ty))?;
    Some(Found::Stopped(seen.id, stopped.path.clone()))
}

/// A notice about each service that finds other pods, and a note about each workload that gets no requests any longer.
pub(super) fn notices(found: Vec<Found>, reader: &Reader<'_>) -> Vec<Notice> {
    let (mut services, mut stopped) = (Vec::new(), Vec::new());
    for it in found {
        match it {
            Found::Service(id) => services.push(id),
            Found::Stopped(id, place) => stopped.push((id, place)),
        }
    }
    let mut notices = of_services(services, reader);
    notices.extend(of_stopped(stopped, reader));
    notices
}

/// The notes about workloads beside which a service looks for other pods: those of another color.
fn of_stopped(stopped: Vec<(ResourceId, Path)>, reader: &Reader<'_>) -> Vec<Notice> {
    if stopped.is_empty() {
        return Vec::new();
    }
    let stack = reader.stack;
    let services = reader.some(MAX_SERVICES, |id| {
        is_one_of(&WORDS.services, stack.ty(id)) && stays(stack, id)
    });
    let notice = |(id, place): (ResourceId, Path)| {
        let workload = (reader.read)(id)?;
        let workload = workload.before.as_ref()?.properties()?;
        let own = labels(workload)?;
        let selectors = services.iter().filter_map(|(id, service)| {
            // A selector that changes in the same plan may find the pods until then.
            let sides = [service.before.as_ref()?, service.current()?];
            let [Some(before), Some(after)] = sides.map(State::properties) else {
                return None;
            };
            let (_, wanted) = selector(before)?;
            let stays = selector(after).is_some_and(|(_, it)| it.is_identical(wanted));
            (stays && namespace(before) == namespace(workload)).then_some((*id, wanted))
        });
        let selectors: Vec<(ResourceId, &Value)> = selectors.collect();
        if selectors.iter().any(|(_, it)| is_found(it, own)) {
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
            let is_plain = !value.is_secret() && !value.is_computed();
            (is_only && is_plain).then(|| format!("{key} = {}", value.as_str().unwrap_or_default()))
        };
        let mut others = selectors
            .iter()
            .filter_map(|(id, it)| Some((*id, others(it)?)));
        let (service, wanted) = others.next()?;
        let name = stack.spoken_name(service);
        let says = format!("gets no requests already: {name} looks for {wanted}");
        let fact = Fact::at(id, place);
        Some(Notice::answer(
            fact,
            Level::Note,
            "no-requests-already",
            says,
        ))
    };
    stopped.into_iter().filter_map(notice).collect()
}

/// A notice about each service that finds other pods.
fn of_services(mut services: Vec<ResourceId>, reader: &Reader<'_>) -> Vec<Notice> {
    if services.is_empty() {
        return Vec::new();
    }
    services.sort_unstable();
    services.truncate(MAX_SERVICES);
    let stack = reader.stack;
    let workloads = reader.some(MAX_WORKLOADS, |id| {
        is_there(stack, id) && is_one_of(&WORDS.workloads, stack.ty(id))
    });
    let mut sides = [
        Workloads::of(&workloads, |it| it.before.as_ref()),
        Workloads::of(&workloads, Resource::current),
    ];
    let services = reader.each(services);
    let notices = services.filter_map(|(id, service)| notice(stack, id, &service, &mut sides));
    notices.collect()
}

/// A namespace, and the name and the text of a label.
type Label<'w> = (&'w str, &'w str, String);

/// The workloads of one side of the plan.
struct Workloads<'w> {
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
    fn of(workloads: &'w [(ResourceId, Resource)], side: fn(&Resource) -> Option<&State>) -> Self {
        let mut by_label: HashMap<_, Vec<_>> = HashMap::new();
        for (id, workload) in workloads {
            let properties = side(workload).and_then(State::properties);
            let Some((properties, all)) = properties.and_then(|it| Some((it, labels(it)?))) else {
                continue;
            };
            for (key, value) in all.as_map().into_iter().flatten() {
                let label = (namespace(properties), &**key, value.to_string());
                by_label.entry(label).or_default().push((*id, all));
            }
        }
        Self {
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
pub(super) fn names(stack: &Stack, ids: &BTreeSet<ResourceId>) -> String {
    let ids = stack.by_name(ids.iter().copied());
    let names: Vec<&str> = ids.iter().map(|id| stack.spoken_name(*id)).collect();
    listed(&names, MAX_NAMES)
}

fn notice(
    stack: &Stack,
    id: ResourceId,
    service: &Resource,
    [workloads, later]: &mut [Workloads<'_>; 2],
) -> Option<Notice> {
    let before = service.before.as_ref()?.properties()?;
    let after = service.after.as_ref()?.properties()?;
    let (path, old) = selector(before)?;
    let (_, new) = selector(after)?;
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
    let fact = Fact::change(id, path, old, new);
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

/// A property, which is a list of one in Terraform, with the steps to it.
fn one<'v>(value: &'v Value, key: &str) -> Option<(Vec<Segment>, &'v Value)> {
    let inner = value.get(key).filter(|it| !it.is_secret())?;
    let step = Segment::from(key);
    match inner.as_array() {
        Some(list) => {
            let first = list.get(0).filter(|it| !it.is_secret())?;
            Some((vec![step, Segment::Index(0)], first))
        }
        None => Some((vec![step], inner)),
    }
}

/// The selector of a service, with its place.
pub(super) fn selector(service: &Value) -> Option<(Path, &Value)> {
    let (mut steps, spec) = one(service, "spec")?;
    let selector = spec.get("selector").filter(|it| !it.is_secret())?;
    steps.push(Segment::from("selector"));
    Some((Path(steps), selector))
}

/// The labels of the pods of a workload.
pub(super) fn labels(workload: &Value) -> Option<&Value> {
    let template = one(workload, "spec").and_then(|(_, spec)| one(spec, "template"));
    let pod = template.map_or(workload, |(_, template)| template);
    let labels = one(pod, "metadata")?.1.get("labels");
    labels.filter(|it| !it.is_secret())
}

pub(super) fn namespace(object: &Value) -> &str {
    let metadata = one(object, "metadata");
    let namespace = metadata.and_then(|(_, it)| it.get("namespace")?.as_str());
    namespace.filter(|it| !it.is_empty()).unwrap_or("default")
}

/// The text by which others mean an object of Kubernetes, wherever it occurs: the subject of a service account, to which the roles of a
/// cloud refer, and the address of a service.
pub(super) fn full_name(ty: &str, object: &Value) -> Option<String> {
    if !ty.starts_with("kubernetes") {
        return None;
    }
    let words = words::of_type(ty);
    let ends_in = |name| words::ends_in(&words, name);
    let (_, metadata) = one(object, "metadata")?;
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
pub(super) fn is_found(selector: &Value, labels: &Value) -> bool {
    let wanted = selector.as_map().filter(|map: &&Map| !map.is_empty());
    let has = |key: &str, value: &Value| labels.get(key) == Some(value);
    wanted.is_some_and(|wanted| wanted.iter().all(|(key, value)| has(key, value)))
}
