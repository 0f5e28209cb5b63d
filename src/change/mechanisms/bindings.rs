//! Bindings of Google: a resource that sets all members of a role, beside others that give the same role to one member each.
//!
//! A binding is the whole list. Members that another resource of the same program added lose the role at the apply, and no line of the
//! plan says so, for their resources do not change.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::tables::WORDS;
use super::{Fact, Notice, Reader, stays};
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, Resource, ResourceId, Stack};
use crate::value::{Map, Value};

/// Maximum number of bindings.
const MAX_BINDINGS: usize = 1_000;

/// Maximum number of members that are read.
const MAX_MEMBERS: usize = 5_000;

/// A notice about each binding that takes members of others away.
pub(super) fn notices(reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let given = [Action::Create, Action::Update, Action::Replace];
    let mut bindings = reader.changed(&given, |ty| member_type(ty).is_some());
    bindings.truncate(MAX_BINDINGS);
    let types = bindings.iter();
    let types: BTreeSet<String> = types.filter_map(|id| member_type(stack.ty(*id))).collect();
    let members = reader.some(MAX_MEMBERS, stays, |ty| types.contains(ty));
    let mut by_role: HashMap<(&str, &str), Members<'_>> = HashMap::new();
    for (id, resource) in &members {
        let own = properties(resource);
        if let Some((own, role)) = own.and_then(|own| Some((own, own.get("role")?.as_str()?))) {
            by_role
                .entry((stack.ty(*id), role))
                .or_default()
                .add(*id, own);
        }
    }
    let notices = reader.each(bindings).filter_map(|(id, binding)| {
        let all = properties(&binding)?;
        let role = all.get("role")?.as_str()?;
        let ty = member_type(stack.ty(id))?;
        let members = by_role.get(&(&*ty, role))?;
        notice(stack, id, (all, role), members)
    });
    notices.collect()
}

/// The members of one role that resources of one type add.
#[derive(Default)]
struct Members<'r> {
    all: Vec<(ResourceId, &'r Map)>,
    /// By property and text: the numbers of the members that say this of their object.
    by_property: HashMap<(&'r str, String), Vec<usize>>,
    /// By property: the number of members that have it.
    n_with: HashMap<&'r str, usize>,
}

impl<'r> Members<'r> {
    fn add(&mut self, id: ResourceId, own: &'r Map) {
        for (key, value) in own.iter().filter(|(key, _)| is_about(key)) {
            let same = self.by_property.entry((key, value.to_string()));
            same.or_default().push(self.all.len());
            *self.n_with.entry(key).or_default() += 1;
        }
        self.all.push((id, own));
    }

    /// The members of the object that `all` is about.
    fn of_object<'m>(&'m self, all: &Map) -> Vec<&'m (ResourceId, &'r Map)> {
        let said = all.iter().filter(|(key, value)| {
            let n_with = self.n_with.get(&***key).copied().unwrap_or_default();
            is_about(key) && !value.is_null() && n_with == self.all.len()
        });
        // The property that fewest members share says which ones to look at.
        let same = said.map(|(key, value)| {
            let same = self.by_property.get(&(&**key, value.to_string()));
            same.map_or(&[][..], |it| it)
        });
        let is_same = |(_, own): &&(ResourceId, &Map)| is_of_one_object(all, own);
        match same.min_by_key(|it| it.len()) {
            Some(rarest) => {
                let members = rarest.iter().map(|number| &self.all[*number]);
                members.filter(is_same).collect()
            }
            None => self.all.iter().filter(is_same).collect(),
        }
    }
}

fn notice(
    stack: &Stack,
    id: ResourceId,
    (all, role): (&Map, &str),
    members: &Members<'_>,
) -> Option<Notice> {
    let listed = all
        .get("members")
        .filter(|it| !it.has_computed() && !it.has_secrets())?;
    let listed = listed.as_array().into_iter().flatten();
    let listed: HashSet<&str> = listed.filter_map(Value::as_str).collect();
    let loses = |(id, own): &(ResourceId, &Map)| {
        let value = own.get("member").filter(|it| !it.is_secret())?;
        (!listed.contains(value.as_str()?)).then(|| {
            let path = Path(vec![Segment::from("member")]);
            let of = format!("of {}", stack.spoken_name(*id));
            Fact::now(*id, path, value.clone()).with_note(of)
        })
    };
    let members = members.of_object(all).into_iter();
    let facts: Vec<Fact> = members.filter_map(loses).collect();
    let says = format!("sets all members of {role}: those that other resources add lose the role");
    let notice = Notice::about(id, Level::Danger, "binding-takes-all", says);
    (!facts.is_empty()).then(|| notice.with(facts))
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

/// True for a property that says something about the object of which the role is.
fn is_about(key: &str) -> bool {
    !WORDS.of_the_role.has(key) && !key.starts_with("__")
}

/// True if two resources are about the same object: what both say of it is the same, and known.
fn is_of_one_object(one: &Map, other: &Map) -> bool {
    let said = one
        .iter()
        .filter(|(key, value)| is_about(key) && !value.is_null());
    let mut both = said.filter_map(|(key, value)| Some((value, other.get(key)?)));
    both.all(|(value, other): (&Value, &Value)| !value.is_computed() && value == other)
}
