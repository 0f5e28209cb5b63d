//! Unknown where it matters: a property that rules watch, because it decides about access, loss or encryption, and whose value is
//! not known before the apply.
//!
//! The properties are those of the rules. A value counts only if the program sets it: most unknown values of a new copy of a
//! resource come from the provider.

use std::collections::HashMap;

use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen};
use crate::change::rules::{Finding, Level};
use crate::path::Path;
use crate::stack::{Action, Resource, ResourceId, Section, Stack};
use crate::text::{count, has_word};
use crate::value::Value;

/// The name of the mechanism.
pub(super) const NAME: &str = "unknown-where-it-matters";

/// A property that is not known yet.
#[derive(Clone, Debug)]
pub(super) struct Open {
    id: ResourceId,
    path: Path,
    before: Value,
    /// The sentences of the rules that watch it, the heaviest first.
    watched: Vec<(Level, Box<str>)>,
    /// The resource and the attribute that it waits for.
    waits_for: Option<(ResourceId, Option<Box<str>>)>,
}

/// The watched properties of a resource that are not known yet.
pub(super) fn find(seen: &Seen<'_>) -> Vec<Open> {
    if !seen.changes_values() {
        return Vec::new();
    }
    let mut own: Vec<Open> = Vec::new();
    let mut known: HashMap<&Path, usize> = HashMap::new();
    for finding in seen.found {
        let rule = &finding.rule;
        if !finding.is_open || rule.level == Level::Note {
            continue;
        }
        for (path, before) in unknown_places(seen, finding) {
            let says = (rule.level, rule.says.as_str().into());
            if let Some(known) = known.get(path) {
                own[*known].watched.push(says);
                continue;
            }
            known.insert(path, own.len());
            let is_source = |property: &Path| property.contains(path) || path.contains(property);
            let mut origins = (seen.origins)().iter();
            let origin = origins.find(|origin| is_source(&origin.property));
            own.push(Open {
                id: seen.id,
                path: path.clone(),
                before: before.clone(),
                watched: vec![says],
                waits_for: origin
                    .map(|origin| (origin.id, origin.attribute.as_deref().map(Into::into))),
            });
        }
    }
    own
}

/// A notice about each property that is not known yet.
pub(super) fn notices(open: Vec<Open>, reader: &Reader<'_>) -> Vec<Notice> {
    open.into_iter().map(|open| notice(reader, open)).collect()
}

fn notice(reader: &Reader<'_>, mut open: Open) -> Notice {
    let stack = reader.stack;
    open.watched.sort();
    let watched: Vec<&str> = open
        .watched
        .iter()
        .map(|(_, says)| &**says)
        .take(2)
        .collect();
    let more = match open.watched.len() - watched.len() {
        0 => String::new(),
        n => format!(", and {} more", count(n as u64)),
    };
    let waits = open.waits_for.map(|(id, attribute)| {
        let name = stack.spoken_name(id);
        let attribute = attribute.map_or_else(String::new, |it| format!(".{it}"));
        let action = stack.record(id).action.map_or("", |it| stack.word(it));
        format!("waits for {name}{attribute} ({action})")
    });
    let watched = watched.join(", or ");
    let says = format!("not known before the apply, and it decides if {watched}{more}");
    let fact = Fact {
        before: Some(open.before),
        note: waits.unwrap_or_default(),
        ..Fact::now(open.id, open.path, Value::computed())
    };
    Notice::at(fact, Level::Warning, NAME, says)
}

/// The properties that the program sets, that are not known, and that a finding waits for, each with its value before. A finding
/// about a whole rule of a firewall waits for the addresses in it.
fn unknown_places<'s>(seen: &Seen<'s>, finding: &'s Finding) -> Vec<(&'s Path, &'s Value)> {
    let is_open = finding.after.is_computed();
    let is_whole = !is_open && finding.path.0.is_empty() && finding.rule.is_about_access();
    let own = is_open.then_some((finding.section, &finding.path, &finding.before));
    let leaves = seen.leaves.iter().filter(|_| is_whole);
    let leaves = leaves.filter(|it| it.after.is_computed() && is_of_addresses(&it.path));
    let leaves = leaves.map(|leaf| (leaf.section, &leaf.path, &leaf.before));
    let places = own.into_iter().chain(leaves);
    let asked = places.filter(|(section, path, _)| {
        is_asked(seen.stack, seen.resource, seen.action, *section, path)
    });
    asked.map(|(_, path, before)| (path, before)).collect()
}

/// True if a property has addresses, by its name.
fn is_of_addresses(path: &Path) -> bool {
    // `name_prefix` and `resource_group_name` name something.
    path.first_key()
        .is_some_and(|name| has_word(name, &WORDS.ranges) && !has_word(name, &["name"]))
}

/// True if the program sets the property, as far as the file tells.
pub fn is_asked(
    stack: &Stack,
    resource: &Resource,
    action: Action,
    section: Section,
    path: &Path,
) -> bool {
    let Some(address) = resource.address.as_deref() else {
        return section != Section::Outputs;
    };
    let Some(top) = path.first_key() else {
        return false;
    };
    match stack.expressions.of_resource(address) {
        Some(expressions) => expressions.get(top).is_some(),
        None => action == Action::Update,
    }
}
