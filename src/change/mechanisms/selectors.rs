//! Selectors: a tag or label that goes, and by which another resource selects.
//!
//! A backup plan, a network policy, a service or a firewall rule finds what it works on by tags and labels. If one of them changes,
//! the object is no longer found, and no reference of the program says so. [`Selectors`] keeps the tags and labels that go. At the
//! end the resources that may select, as the paths of their properties say, are read.
//!
//! A selector counts only if it found the object before, and looks for the old value after the plan too.

mod read;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use memchr::memmem::Finder;

use super::places::at;
use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen, is_there};
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Resource, ResourceId, Section, State};
use crate::text::joined;
use crate::value::{Payload, Value};
use read::{Selector, Term};

/// Maximum number of different tags and labels that go.
const MAX_LABELS: usize = 5_000;

/// Maximum number of objects for each of them.
const MAX_OBJECTS: usize = 200;

/// Maximum number of resources that are read for their selectors.
const MAX_READ: usize = 5_000;

/// Number of different tags and labels up to which the bytes of a resource are searched for them before it is read.
const FEW: usize = 16;

/// A tag or label of an object: the place of all of them, and the set of properties.
type Place = (ResourceId, Section, Path);

/// The tags or labels at the places that were looked at, before and after the plan; `None` where they are not known.
type Objects<'p> = HashMap<&'p Place, Option<(Value, Value)>>;

/// The tags and labels that go.
#[derive(Clone, Default, Debug)]
pub(super) struct Selectors {
    gone: BTreeMap<Term, BTreeSet<Place>>,
}

impl Selectors {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        if !seen.changes_values() || !seen.is_managed() {
            return;
        }
        for leaf in seen.leaves {
            let Some(at) = labels_in(&leaf.path).filter(|_| leaf.document.is_none()) else {
                continue;
            };
            let labels = Path(leaf.path.0[..=at].to_vec());
            let place = (seen.id, leaf.section, labels);
            let mut take = |key: Option<&str>, value: &Value| {
                if let Some(text) = value.as_str().filter(|_| !value.is_secret()) {
                    self.keep(Term::of(key, text), [place.clone()]);
                }
            };
            match (&leaf.path.0[at + 1..], leaf.before.payload()) {
                ([Segment::Key(key)], _) => take(Some(key), &leaf.before),
                ([Segment::Index(_)], _) => take(None, &leaf.before),
                ([], Payload::Map(map)) if !leaf.before.is_secret() => {
                    map.iter().for_each(|(key, value)| take(Some(key), value));
                }
                _ => {}
            }
        }
        self.bound();
    }

    /// Keeps the first objects with a tag or label that goes.
    fn keep(&mut self, term: Term, places: impl IntoIterator<Item = Place>) {
        let objects = self.gone.entry(term).or_default();
        objects.extend(places);
        while objects.len() > MAX_OBJECTS {
            objects.pop_last();
        }
    }

    /// Keeps the first tags and labels.
    fn bound(&mut self) {
        while self.gone.len() > MAX_LABELS {
            self.gone.pop_last();
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (term, places) in other.gone {
            self.keep(term, places);
        }
        self.bound();
    }

    pub(super) fn finish(self, reader: &Reader<'_>) -> Vec<Notice> {
        if self.gone.is_empty() {
            return Vec::new();
        }
        let stack = reader.stack;
        // Those with a property that does nothing else but select, and those with one that may.
        let strict = reader.shapes(|key| read::selects(&joined(key)));
        let shapes = reader.shapes(|key| read::may_select(&joined(key)));
        let places = self.gone.values().flatten();
        let providers: HashSet<&str> = places.map(|(id, ..)| provider(stack.ty(*id))).collect();
        let may_select = |id| is_there(stack, id) && shapes.contains(&stack.record(id).shape.0);
        let selecting = reader.of_types(|ty| providers.contains(provider(ty)), may_select);
        let selecting = self.naming(reader, &selecting, &strict);
        let mut found = reader.gather(&selecting, |ids| {
            let own = ids.iter().flat_map(|id| {
                let resource = (reader.read)(*id);
                let state = resource.as_ref().and_then(Resource::current);
                let properties = state.and_then(State::properties);
                let selectors = properties.map(read::selectors).unwrap_or_default();
                let wanted = |selector: &Selector| {
                    selector.0.iter().any(|term| self.gone.contains_key(term))
                };
                let wanted = selectors.into_iter().filter(wanted);
                wanted.map(|it| (*id, it)).collect::<Vec<_>>()
            });
            own.collect()
        });
        found.sort_unstable();
        found.dedup();
        let mut objects = Objects::default();
        let notices = found
            .iter()
            .filter_map(|(by, selector)| self.notice(reader, &mut objects, *by, selector));
        notices.collect()
    }

    /// The resources whose bytes may select by one of the values that go, in the order of the file. Those of other shapes than
    /// `strict` select by tags only where they mark them.
    fn naming(
        &self,
        reader: &Reader<'_>,
        ids: &[ResourceId],
        strict: &HashSet<u32>,
    ) -> Vec<ResourceId> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/@ ".contains(&byte);
        let mut values = self.gone.keys().map(|term| term.value.as_bytes());
        let is_few =
            self.gone.len() <= FEW && values.all(|value| value.iter().copied().all(is_plain));
        let values = self.gone.keys().filter(|_| is_few);
        let values: Vec<Finder<'_>> = values.map(|term| Finder::new(&*term.value)).collect();
        let stack = reader.stack;
        let mut found = reader.with_bytes(ids, |id, bytes| {
            let has = |value: &Finder<'_>| value.find(bytes).is_some();
            let may_select = strict.contains(&stack.record(id).shape.0) || read::has_mark(bytes);
            may_select && (values.is_empty() || values.iter().any(has))
        });
        found.truncate(MAX_READ);
        found
    }

    /// The objects that a selector found before and does not find any longer.
    fn notice<'s>(
        &'s self,
        reader: &Reader<'_>,
        objects: &mut Objects<'s>,
        by: ResourceId,
        selector: &Selector,
    ) -> Option<Notice> {
        let stack = reader.stack;
        let places = selector.0.iter().filter_map(|term| self.gone.get(term));
        let places: BTreeSet<&Place> = places.flatten().collect();
        let of_others = places
            .into_iter()
            .filter(|(id, ..)| *id != by && provider(stack.ty(*id)) == provider(stack.ty(by)));
        let mut facts: Vec<Fact> = Vec::new();
        for place @ (id, _, path) in of_others {
            let labels = objects
                .entry(place)
                .or_insert_with(|| labels(reader, place));
            let Some((before, after)) = labels else {
                continue;
            };
            let lost: Vec<&Term> = selector.0.iter().filter(|it| !it.is_in(after)).collect();
            if lost.is_empty() || !selector.0.iter().all(|term| term.is_in(before)) {
                continue;
            }
            facts.extend(lost.into_iter().map(|term| Fact {
                before: Some(Value::from(&*term.value)),
                after: term.value_in(after),
                ..Fact::at(*id, term.path(path))
            }));
        }
        // Provider-made copies of the tags say the same again.
        facts.dedup_by(|one, other| one.id == other.id && one.path.0.last() == other.path.0.last());
        let says = format!(
            "is no longer selected by {}, which looks for {}",
            stack.spoken_name(by),
            selector.in_words()
        );
        (!facts.is_empty())
            .then(|| Notice::of(stack, facts, Level::Warning, "selected-no-longer", says))
    }
}

/// The tags or labels at a place before and after the plan; `None` if they are not known, or not those of the object.
fn labels(reader: &Reader<'_>, (id, section, path): &Place) -> Option<(Value, Value)> {
    let resource = (reader.read)(*id)?;
    let labels = resource.sides(*section).map(|it| path.get(it?).cloned());
    let [before, after] = labels.map(Option::unwrap_or_default);
    let is_open = after.has_computed() || after.has_secrets();
    let is_known = !is_open && is_on_object(&resource, *section, path);
    is_known.then_some((before, after))
}

/// The number of steps to the tags or labels that a path leads to or into.
fn labels_in(path: &Path) -> Option<usize> {
    path.0.iter().rposition(|step| match step {
        Segment::Key(key) => WORDS.labels.has(&joined(key)),
        Segment::Index(_) => false,
    })
}

/// The name of the provider in a type: a service of Kubernetes does not select by tags of AWS.
fn provider(ty: &str) -> &str {
    ty.split([':', '_']).next().unwrap_or(ty)
}

/// False for the labels of a workload of Kubernetes that are not those of its pods.
fn is_on_object(resource: &Resource, section: Section, path: &Path) -> bool {
    let is_template = |step: &Segment| matches!(step, Segment::Key(key) if &**key == "template");
    if path.0.iter().any(is_template) || provider(&resource.ty) != "kubernetes" {
        return true;
    }
    let set = resource.before.as_ref().and_then(|it| it.section(section));
    set.is_none_or(|set| at(set, "spec.template").is_none())
}
