//! Covered: a resource that goes while another object, which stays, does the same or has the same. A copy has no data of its own. The public
//! access block of an account holds for each of its buckets. A wider rule lets in the traffic of a narrower one.
//!
//! The types and the properties are data, `assets/mechanisms/off.toml`.

use std::collections::{BTreeSet, HashMap};

use super::arguments::have_one_manager;
use super::off::has;
use super::parts;
use super::places::all_at;
use super::tables::{Covers, OFF, WORDS};
use super::words::{ends_in, of_type};
use super::{Fact, Notice, Reader, Seen, stays};
use crate::change::rules::{Level, Traffic, is_nothing};
use crate::path::Path;
use crate::stack::{Action, Mode, Resource, ResourceId, Stack, State};
use crate::value::Value;

/// Maximum number of resources that go and are judged.
const MAX_GONE: usize = 500;

/// Maximum number of resources that stay and are read for one question.
const MAX_READ: usize = 500;

/// Maximum number of objects that one resource is for.
const MAX_SUBJECTS: usize = 16;

/// A resource that goes, and that another one may stand in for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Gone(ResourceId);

/// A resource that was read.
type Known = (ResourceId, Resource);

/// The resource, if it goes and is of such a kind.
pub(super) fn find(seen: &Seen<'_>) -> Option<Gone> {
    if seen.action != Action::Delete || !seen.is_managed() {
        return None;
    }
    let ty = of_type(seen.stack.ty(seen.id));
    let is_covered = || OFF.covers.iter().any(|it| is_one_of(&it.gone, &ty));
    let is_meant = is_one_of(&OFF.gates, &ty) || is_covered() || original(seen.resource).is_some();
    is_meant.then_some(Gone(seen.id))
}

/// A notice about each that is covered.
pub(super) fn notices(gone: Vec<Gone>, reader: &Reader<'_>) -> Vec<Notice> {
    if gone.is_empty() {
        return Vec::new();
    }
    let gone: BTreeSet<Gone> = gone.into_iter().collect();
    let ids = gone.into_iter().map(|it| it.0).take(MAX_GONE);
    let gone: Vec<Known> = reader.each(ids).collect();
    let mut notices = copies(&gone, reader);
    notices.extend(OFF.covers.iter().flat_map(|it| covered(it, &gone, reader)));
    notices.extend(rules(&gone, reader));
    notices
}

/// The notes about copies whose original stays.
fn copies(gone: &[Known], reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let copies = gone
        .iter()
        .filter_map(|(id, it)| Some((*id, original(it)?)));
    let copies: Vec<(ResourceId, String)> = copies.collect();
    if copies.is_empty() {
        return Vec::new();
    }
    let types: BTreeSet<&str> = copies.iter().map(|(id, _)| stack.ty(*id)).collect();
    let mut named: HashMap<(&str, String), BTreeSet<ResourceId>> = HashMap::new();
    for (id, resource) in staying(reader, |ty| types.contains(ty)) {
        for name in names(&resource) {
            named.entry((stack.ty(id), name)).or_default().insert(id);
        }
    }
    let notes = copies.into_iter().filter_map(|(id, original)| {
        // An ARN says itself where the object is, which may be another region.
        let is_whole = original.contains([':', '/']);
        let originals = named.get(&(stack.ty(id), original))?.iter().copied();
        let mut own = originals.filter(|it| is_whole || have_one_manager(stack, id, *it));
        // Of two with one name, nobody knows which one it is.
        let original = own.next().filter(|_| own.next().is_none())?;
        let name = stack.spoken_name(original);
        let says = format!("it is a copy of {name}, which stays");
        Some(notice(Level::Note, "original-stays", id, says))
    });
    notes.collect()
}

/// The text by which a copy names its original.
fn original(resource: &Resource) -> Option<String> {
    let mut sets = resource.before.iter().flat_map(State::sets);
    sets.find_map(|set| first_text(set, &OFF.copies))
}

/// The text at the first of some places that has one.
fn first_text(set: &Value, places: &[String]) -> Option<String> {
    let texts = all_at(set, places).filter_map(|(_, value)| value.as_str());
    let mut telling = texts.filter(|it| !it.is_empty());
    telling.next().map(str::to_owned)
}

/// The texts that name a resource.
fn names(resource: &Resource) -> Vec<String> {
    let sets = resource.current().into_iter().flat_map(State::sets);
    let entries = sets.filter_map(Value::as_map).flatten();
    let named = entries.filter(|(key, value)| WORDS.names.has(key) && !value.is_secret());
    let own = resource.id.iter().filter(|it| !it.is_secret());
    let all = named.map(|(_, value)| value).chain(own);
    let texts = all.filter_map(Value::as_str).filter(|it| !it.is_empty());
    texts.map(str::to_owned).collect()
}

/// The notices about resources beside which something stays that does the same, as an entry of the table says.
fn covered(entry: &Covers, gone: &[Known], reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let of_entry = |(id, _): &&Known| is_one_of(&entry.gone, &of_type(stack.ty(*id)));
    let gone: Vec<&Known> = gone.iter().filter(of_entry).collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let mut others = staying(reader, |ty| is_one_of(&entry.stays, &of_type(ty)));
    others.retain(|(_, other)| {
        let set = other.current().and_then(|it| it.sets().next());
        set.is_some_and(|set| entry.has.iter().all(|it| has(set, it)))
    });
    let level = if entry.partly {
        Level::Warning
    } else {
        Level::Note
    };
    let notices = gone.into_iter().filter_map(|(id, resource)| {
        let before = resource.before.as_ref();
        // A masked switch may be on.
        let wanted = switches(before, |it| it.is_secret() || it.as_bool() == Some(true));
        let does_it = |(_, other): &Known| {
            let is_on = |value: &Value| !value.is_secret() && value.as_bool() == Some(true);
            entry.partly || wanted.is_subset(&switches(other.current(), is_on))
        };
        let is_beside = |(other, it): &&Known| {
            let is_same = entry.of.is_empty()
                || has_subject(entry, before, it.current())
                || shares_subject(entry, stack, *id, *other);
            is_same && have_one_manager(stack, *id, *other)
        };
        // Two accounts may have one each, and nothing says which of them is meant.
        let beside: Vec<&Known> = others.iter().filter(is_beside).collect();
        let (first, _) = beside.first()?;
        let is_told = entry.partly || !wanted.is_empty();
        let says = format!("{} {}", stack.spoken_name(*first), entry.says);
        let is_covered = is_told && beside.into_iter().all(does_it);
        is_covered.then(|| notice(level, "still-covered", *id, says))
    });
    notices.collect()
}

/// True if two states name the same object that both are for.
fn has_subject(entry: &Covers, one: Option<&State>, other: Option<&State>) -> bool {
    let subject = |state: Option<&State>| first_text(state?.sets().next()?, &entry.of);
    let own = subject(one);
    own.is_some() && own == subject(other)
}

/// True if two resources refer to the same object that both are for.
fn shares_subject(entry: &Covers, stack: &Stack, one: ResourceId, other: ResourceId) -> bool {
    let subjects = |id: ResourceId| {
        let all = stack.graph.depends_on(id).iter().map(|link| link.to);
        let of = all.filter(|to| is_one_of(&entry.of, &of_type(stack.ty(*to))));
        of.take(MAX_SUBJECTS).collect::<BTreeSet<ResourceId>>()
    };
    !subjects(one).is_disjoint(&subjects(other))
}

/// The names of the properties at the top of a resource that are on.
fn switches(state: Option<&State>, is_on: impl Fn(&Value) -> bool) -> BTreeSet<&str> {
    let set = state.and_then(|state| state.sets().next()?.as_map());
    let on = set.into_iter().flatten().filter(|(_, value)| is_on(value));
    on.map(|(key, _)| &**key).collect()
}

/// The notes about rules that let nothing through that a wider one does not. One that says the same is its twin, and told as such.
fn rules(gone: &[Known], reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let is_gate = |ty: &str| is_one_of(&OFF.gates, &of_type(ty));
    let gone = gone.iter().filter(|(id, _)| is_gate(stack.ty(*id)));
    let traffic = |id: ResourceId, it: &Resource, state: Option<&State>| {
        Some((stack.ty(id), id, traffic(it, state)?))
    };
    let gone = gone.filter_map(|(id, it)| traffic(*id, it, it.before.as_ref()));
    let gone: Vec<(&str, ResourceId, Traffic)> = gone.collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let types: BTreeSet<&str> = gone.iter().map(|(ty, ..)| *ty).collect();
    let staying = staying(reader, |ty| types.contains(ty));
    let staying = staying.iter();
    let staying = staying.filter_map(|(id, it)| traffic(*id, it, it.current()));
    let staying: Vec<(&str, ResourceId, Traffic)> = staying.collect();
    let notes = gone.iter().filter_map(|(ty, id, own)| {
        let mut wider = staying
            .iter()
            .filter(|(other_ty, _, other)| other_ty == ty && other.holds(own))
            .peekable();
        let (_, first, _) = wider.peek()?;
        let says = format!(
            "{} lets the same traffic through",
            stack.spoken_name(*first)
        );
        let is_twin = wider.any(|(_, _, other)| other.is_same(own));
        (!is_twin).then(|| notice(Level::Note, "wider-rule-stays", *id, says))
    });
    notes.collect()
}

/// The traffic of a rule, apart from the names of the rule.
fn traffic(resource: &Resource, state: Option<&State>) -> Option<Traffic> {
    let own_id = state?.sets().find_map(|set| set.get("id")?.as_str());
    let says = |(key, value): &(&_, &Value)| {
        let key: &std::sync::Arc<str> = key;
        let is_own_id = own_id.is_some() && value.as_str() == own_id;
        !WORDS.only_names.has(key) && !is_own_id && !is_nothing(value)
    };
    Traffic::of(parts::properties(resource, state)?.filter(says))
}

/// The managed resources of some types that are there before and after the plan, the first in the order of the file.
fn staying(reader: &Reader<'_>, is_meant: impl Fn(&str) -> bool) -> Vec<Known> {
    let are = |stack: &Stack, id: ResourceId| {
        use Action::{Create, Defer, Read};
        let is_new = matches!(stack.record(id).action, Some(Create | Read | Defer));
        !is_new && stays(stack, id) && stack.mode(id) == Mode::Managed
    };
    reader.some(MAX_READ, are, is_meant)
}

fn is_one_of(types: &[String], ty: &[String]) -> bool {
    types.iter().any(|it| ends_in(ty, it))
}

fn notice(level: Level, name: &'static str, id: ResourceId, says: String) -> Notice {
    Notice::answer(Fact::at(id, Path::root()), level, name, says)
}
