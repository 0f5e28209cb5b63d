//! Redelivery: work that may take longer than its queue waits for the answer, so that a message comes again while it is worked on.
//!
//! A queue hides a message for some time, and whoever reads it has that long. The plan is to blame only if the time was enough before it.

use std::collections::{BTreeSet, HashSet};

use super::places::all_at;
use super::tables::WORDS;
use super::ties::names;
use super::words::last_of_type;
use super::{Fact, Notice, Reader, Seen};
use crate::change::groups::counted;
use crate::change::leaves::Leaf;
use crate::change::quantity::number;
use crate::change::rules::Level;
use crate::change::texts::each_text;
use crate::path::Path;
use crate::stack::{Resource, ResourceId, Stack, State};
use crate::terraform::address::ObjectName;
use crate::text::{has_word, words};
use crate::value::{Number, Value};

/// The property of a function with the time that it may take.
const TIMEOUT: &str = "timeout";

/// Maximum number of resources whose times change that are looked at.
const MAX_TIMED: usize = 1_000;

/// Maximum number of neighbors that are looked at.
const MAX_NEIGHBORS: usize = 64;

/// A resource whose times change: those that its work may take, with their places, before and after.
#[derive(Clone, Debug)]
pub(super) struct Timed {
    id: ResourceId,
    work: Vec<(Path, [f64; 2])>,
}

/// The resource, if such a time changes.
pub(super) fn find(seen: &Seen<'_>) -> Option<Timed> {
    if !seen.changes_values() || !seen.is_managed() {
        return None;
    }
    let is_wait = |leaf: &Leaf| {
        let name = leaf.path.last_key().map(|key| words(key).join(" "));
        name.is_some_and(|name| WORDS.waits.contains(&name))
    };
    let (waits, others): (Vec<&Leaf>, Vec<&Leaf>) = seen.leaves.iter().partition(|it| is_wait(it));
    let work = others.into_iter().filter_map(work);
    let timed = Timed {
        id: seen.id,
        work: work.collect(),
    };
    (!waits.is_empty() || !timed.work.is_empty()).then_some(timed)
}

/// The time that a leaf gives for work, in seconds, if it changes one.
fn work(leaf: &Leaf) -> Option<(Path, [f64; 2])> {
    let name = leaf.name()?;
    let unit = if has_word(name, &["ms", "millis", "milliseconds"]) {
        1000.0
    } else {
        1.0
    };
    let side = |value: &Value| Some(number(value).filter(|_| !value.is_secret())? / unit);
    let sides = [side(&leaf.before)?, side(&leaf.after)?];
    let is_of_work = has_word(name, &[TIMEOUT]) && !has_word(name, &WORDS.pauses);
    is_of_work.then(|| (leaf.path.clone(), sides))
}

/// A notice about each that works longer than a queue beside it waits.
pub(super) fn notices(timed: Vec<Timed>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let mut timed = timed;
    timed.sort_unstable_by_key(|it| it.id);
    timed.truncate(MAX_TIMED);
    let workers = timed.iter().filter(|it| !it.work.is_empty());
    let workers: HashSet<ResourceId> = workers.map(|it| it.id).collect();
    let mut notices = Vec::new();
    for Timed { id, work } in timed {
        let own = (reader.read)(id).and_then(|it| sides(&it, &WORDS.waits));
        let is_worker = !work.is_empty();
        let mut near = neighbors(stack, id);
        near.retain(|it| is_queue(stack.ty(*it)) == is_worker);
        let near = meant(near, id, reader);
        for (other, resource) in reader.each(near) {
            let other_name = stack.spoken_name(other);
            let notice = |path: &Path, long: String, wait: f64| {
                let says = format!(
                    "{long}, {} seconds: a message comes again while it is worked on",
                    Number::from(wait).to_plain(20),
                );
                let fact = Fact::at(id, path.clone());
                Notice::at(fact, Level::Warning, "comes-again", says)
            };
            if let Some((_, waits)) = sides(&resource, &WORDS.waits) {
                let long = work.iter().find(|(_, work)| passes(*work, waits));
                let says = format!("may take longer than {other_name} waits");
                notices.extend(long.map(|(path, _)| notice(path, says, waits[1])));
            } else if let Some((path, waits)) = own.as_ref().filter(|_| !workers.contains(&other)) {
                let work = sides(&resource, &[TIMEOUT.to_owned()]);
                let long = work.filter(|(_, work)| passes(*work, *waits));
                let says = format!("{other_name} may take longer than it waits");
                notices.extend(long.map(|_| notice(path, says, waits[1])));
            }
        }
    }
    notices
}

/// True if work was done in time before the plan, and perhaps is not afterwards.
fn passes(work: [f64; 2], waits: [f64; 2]) -> bool {
    work[0] <= waits[0] && work[1] > waits[1]
}

/// The first of these properties that a resource has, before and after, in seconds.
fn sides(resource: &Resource, places: &[String]) -> Option<(Path, [f64; 2])> {
    let side = |state: Option<&State>| {
        let set = state?.sets().next()?;
        all_at(set, places).find_map(|(path, value)| Some((path, number(value)?)))
    };
    let (path, after) = side(resource.current())?;
    let before = side(resource.before.as_ref()).map_or(after, |(_, before)| before);
    Some((path, [before, after]))
}

/// True for the type of something that holds messages.
fn is_queue(ty: &str) -> bool {
    matches!(&*last_of_type(ty), "queue" | "subscription")
}

/// The resources that a resource refers to, those that refer to it, and what these refer to: a mapping stands between a queue and a function.
fn neighbors(stack: &Stack, id: ResourceId) -> BTreeSet<ResourceId> {
    let needs = |id| stack.graph.depends_on(id).iter().take(MAX_NEIGHBORS);
    let users = || stack.graph.used_by(id).iter().take(MAX_NEIGHBORS);
    let beside = users().flat_map(|link| needs(link.to));
    let all = needs(id).chain(users()).chain(beside).map(|link| link.to);
    all.filter(|it| *it != id).collect()
}

/// The neighbors without those that only the configuration links: it says the same of all instances of a block, so of several instances
/// only those count that a text of what stands between names beside the resource.
fn meant(near: BTreeSet<ResourceId>, id: ResourceId, reader: &Reader<'_>) -> Vec<ResourceId> {
    let stack = reader.stack;
    let block = |id: &ResourceId| {
        let address = stack.address(*id)?;
        Some(ObjectName::parse(address).config_address())
    };
    let blocks = counted(near.iter().filter_map(block));
    let (lone, several): (Vec<ResourceId>, Vec<ResourceId>) = near
        .into_iter()
        .partition(|it| block(it).is_none_or(|block| blocks[&block] == 1));
    if several.is_empty() {
        return lone;
    }
    let users = stack.graph.used_by(id).iter().take(MAX_NEIGHBORS);
    let texts = |(_, between): (ResourceId, Resource)| {
        let mut texts = HashSet::new();
        for set in between.current().into_iter().flat_map(State::sets) {
            each_text(set, &mut |text| {
                texts.insert(text.to_owned());
            });
        }
        texts
    };
    let between: Vec<HashSet<String>> = reader
        .each(users.map(|link| link.to).chain([id]))
        .map(texts)
        .collect();
    let has = |texts: &HashSet<String>, resource: &Resource| {
        let names = names(resource, resource.current());
        names.iter().any(|(name, _)| texts.contains(&**name))
    };
    let Some(own) = (reader.read)(id) else {
        return lone;
    };
    let own: Vec<&HashSet<String>> = between.iter().filter(|it| has(it, &own)).collect();
    let several = reader.each(several);
    let several = several.filter(|(_, other)| own.iter().any(|it| has(it, other)));
    lone.into_iter().chain(several.map(|(id, _)| id)).collect()
}
