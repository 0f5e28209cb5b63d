//! Bindings of Google: a resource that sets all members of a role, beside others that give the same role to one member each.
//!
//! A binding is the whole list. Members that another resource of the same program added lose the role at the apply, and no line of the
//! plan says so, for their resources do not change.

use std::collections::{BTreeMap, BTreeSet};

use super::bounded::BoundedSet;
use super::{Fact, Notice, Reader, Seen, stays};
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, Mode, Resource, ResourceId, Stack};
use crate::value::{Map, Value};

/// Maximum number of bindings.
const MAX_BINDINGS: usize = 1_000;

/// Maximum number of members that are read.
const MAX_MEMBERS: usize = 5_000;

/// Properties that say nothing about the object of which the role is.
const OF_THE_ROLE: [&str; 6] = ["id", "etag", "role", "member", "members", "condition"];

/// The bindings that come or change.
#[derive(Clone, Default, Debug)]
pub(super) struct Bindings {
    ids: BoundedSet<ResourceId, MAX_BINDINGS>,
}

impl Bindings {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        let comes = matches!(
            seen.action,
            Action::Create | Action::Update | Action::Replace
        );
        if comes
            && seen.resource.mode == Mode::Managed
            && member_type(seen.stack.ty(seen.id)).is_some()
        {
            self.ids.insert(seen.id);
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.ids.extend(other.ids);
    }

    pub(super) fn finish(self, reader: &Reader<'_>) -> Vec<Notice> {
        let stack = reader.stack;
        let types = (&self.ids).into_iter();
        let types = types.filter_map(|id| member_type(stack.ty(*id)));
        let types: BTreeSet<String> = types.collect();
        if types.is_empty() {
            return Vec::new();
        }
        let is_member = |id: &ResourceId| types.contains(stack.ty(*id)) && stays(stack, *id);
        let mut members: BTreeMap<&str, Vec<(ResourceId, Resource)>> = BTreeMap::new();
        for id in stack.ids().filter(is_member).take(MAX_MEMBERS) {
            if let Some(resource) = (reader.read)(id) {
                members
                    .entry(stack.ty(id))
                    .or_default()
                    .push((id, resource));
            }
        }
        let ids = self.ids.into_iter();
        let notices = ids.filter_map(|id| {
            let members = members.get(&*member_type(stack.ty(id))?)?;
            notice(stack, id, &(reader.read)(id)?, members)
        });
        notices.collect()
    }
}

fn notice(
    stack: &Stack,
    id: ResourceId,
    binding: &Resource,
    members: &[(ResourceId, Resource)],
) -> Option<Notice> {
    let all = properties(binding)?;
    let role = all.get("role")?.as_str()?;
    let listed = all
        .get("members")
        .filter(|it| !it.has_computed() && !it.has_secrets())?;
    let is_listed = |member: &str| {
        listed
            .as_array()
            .into_iter()
            .flatten()
            .any(|it| it.as_str() == Some(member))
    };
    let loses = |(id, resource): &(ResourceId, Resource)| {
        let own = properties(resource)?;
        let value = own.get("member").filter(|it| !it.is_secret())?;
        let is_same = own.get("role")?.as_str() == Some(role) && is_of_one_object(all, own);
        (is_same && !is_listed(value.as_str()?)).then(|| Fact {
            id: *id,
            path: Path(vec![Segment::from("member")]),
            before: None,
            after: Some(value.clone()),
            note: format!("of {}", stack.address(*id).unwrap_or(stack.short_name(*id))),
        })
    };
    let facts: Vec<Fact> = members.iter().filter_map(loses).collect();
    (!facts.is_empty()).then(|| Notice {
        level: Level::Danger,
        mechanism: "binding-takes-all",
        yields: false,
        ids: vec![id],
        says: format!("sets all members of {role}: those that other resources add lose the role"),
        facts,
    })
}

/// The type of the resources that add one member where this type sets all of them.
fn member_type(ty: &str) -> Option<String> {
    let of_terraform = ty
        .starts_with("google_")
        .then(|| ty.strip_suffix("_iam_binding"));
    if let Some(stem) = of_terraform.flatten() {
        return Some(format!("{stem}_iam_member"));
    }
    let is_binding = ty.starts_with("gcp:") && ty.ends_with("IAMBinding");
    is_binding.then(|| ty.replace("AMBinding", "AMMember"))
}

/// The properties after the plan.
fn properties(resource: &Resource) -> Option<&Map> {
    resource.current()?.properties()?.as_map()
}

/// True if two resources are about the same object: what both say of it is the same, and known.
fn is_of_one_object(one: &Map, other: &Map) -> bool {
    let is_about = |key: &str| !OF_THE_ROLE.contains(&key) && !key.starts_with("__");
    let said = one
        .iter()
        .filter(|(key, value)| is_about(key) && !value.is_null());
    let mut both = said.filter_map(|(key, value)| Some((value, other.get(key)?)));
    both.all(|(value, other): (&Value, &Value)| !value.is_computed() && value == other)
}
