//! Permissions and policies of networks that are there twice: one goes, an equal one stays, and nothing changes.
//!
//! Two permissions are equal if all properties are, but those that only name them. A property that is not known yet is no equal one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::off::at;
use super::parts::{self, hash};
use super::{Fact, Notice, Reader, Seen, by_name, words};
use crate::change::rules::Level;
use crate::path::Path;
use crate::stack::{Action, Mode, Resource, ResourceId, State};
use crate::value::{Payload, Value};

/// The last words of types that let somebody or something in.
const PERMISSIONS: [&str; 10] = [
    "rule",
    "ingress",
    "egress",
    "permission",
    "binding",
    "member",
    "membership",
    "assignment",
    "grant",
    "attachment",
];

/// Words of types whose rules let somebody in. Other rules do something, under a name that counts.
const GUARDS: [&str; 5] = ["security", "secgroup", "firewall", "acl", "access"];

/// Properties that only name a permission.
const NAMES: [&str; 12] = [
    "id",
    "arn",
    "name",
    "description",
    "etag",
    "sid",
    "statement_id",
    "statementId",
    "tags",
    "tags_all",
    "tagsAll",
    "timeouts",
];

/// Maximum number of deleted permissions that are judged.
const MAX_GONE: usize = 2_000;

/// Maximum number of unchanged resources of one type that are read.
const MAX_READ: usize = 500;

/// The hashes of the properties of a permission, sorted by name.
type Print = Vec<(u64, u64)>;

/// The permissions that go, and those that come or change.
#[derive(Clone, Default, Debug)]
pub(super) struct Twins {
    gone: Vec<(ResourceId, Box<str>, Print)>,
    coming: HashMap<(Box<str>, Print), ResourceId>,
}

impl Twins {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        let ty = &*seen.resource.ty;
        if seen.resource.mode != Mode::Managed || !is_permission(ty) {
            return;
        }
        let resource = seen.resource;
        match seen.action {
            Action::Delete => {
                let print = print(resource, resource.before.as_ref());
                self.gone.extend(print.map(|it| (seen.id, ty.into(), it)));
            }
            Action::Create | Action::Update | Action::Replace | Action::Import | Action::Move => {
                if let Some(print) = print(resource, resource.after.as_ref()) {
                    self.keep(seen.id, ty, print);
                }
            }
            Action::Read | Action::Forget | Action::Defer | Action::Noop => {}
        }
    }

    /// Keeps the first of several equal ones.
    fn keep(&mut self, id: ResourceId, ty: &str, print: Print) {
        let own = self.coming.entry((ty.into(), print)).or_insert(id);
        *own = id.min(*own);
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.gone.extend(other.gone);
        for ((ty, print), id) in other.coming {
            self.keep(id, &ty, print);
        }
    }

    /// The deleted permissions with an equal one that stays, and a note about each.
    pub(super) fn finish(mut self, reader: &Reader<'_>) -> (BTreeSet<ResourceId>, Vec<Notice>) {
        self.gone.sort_unstable_by_key(|(id, _, _)| *id);
        self.gone.truncate(MAX_GONE);
        let types: BTreeSet<Box<str>> = self.gone.iter().map(|(_, ty, _)| ty.clone()).collect();
        for ty in types {
            self.read_unchanged(reader, &ty);
        }
        let mut twins: BTreeMap<ResourceId, ResourceId> = BTreeMap::new();
        for (id, ty, print) in self.gone {
            if let Some(twin) = self.coming.get(&(ty, print)) {
                twins.insert(id, *twin);
            }
        }
        let stack = reader.stack;
        let notices = twins.iter().map(|(gone, twin)| {
            let name = stack.address(*twin).unwrap_or(stack.short_name(*twin));
            let fact = Fact {
                id: *gone,
                path: Path::root(),
                before: None,
                after: None,
                note: format!("{name} says the same"),
            };
            Notice {
                ids: by_name(stack, vec![*gone]),
                says: "an equal one stays, and the access with it".to_owned(),
                facts: vec![fact],
                ..Notice::new(Level::Note, "twin-stays")
            }
        });
        let notices = notices.collect();
        (twins.into_keys().collect(), notices)
    }

    /// Adds the unchanged permissions of a type.
    fn read_unchanged(&mut self, reader: &Reader<'_>, ty: &str) {
        for id in reader.unchanged(ty).iter().take(MAX_READ) {
            if (reader.is_cancelled)() {
                return;
            }
            let resource = (reader.read)(*id);
            let print = resource.and_then(|it| print(&it, it.current()));
            if let Some(print) = print {
                self.keep(*id, ty, print);
            }
        }
    }
}

/// True for the type of a permission.
fn is_permission(ty: &str) -> bool {
    let last = words::last_of_type(ty);
    let guards = || {
        let words = words::of_type(ty);
        words.iter().any(|word| GUARDS.contains(&&**word))
    };
    let of_network = || words::ends_in(&words::of_type(ty), "network policy");
    PERMISSIONS.contains(&&*last) && (last != "rule" || guards()) || of_network()
}

/// The print of a permission; `None` if a property is masked or not known, or if none is left.
fn print(resource: &Resource, state: Option<&State>) -> Option<Print> {
    let properties: Vec<_> = parts::properties(resource, state)?.collect();
    let own_id = properties.iter().find(|(key, _)| &***key == "id");
    let own_id = own_id.and_then(|(_, id)| id.as_str());
    let mut print = Print::new();
    for (key, value) in properties {
        let is_name = NAMES.contains(&&**key) || own_id.is_some() && value.as_str() == own_id;
        if is_name || is_nothing(value) {
            continue;
        }
        if value.has_computed() || value.has_secrets() {
            return None;
        }
        // Of what names an object of Kubernetes, the place counts.
        let place = (&**key == "metadata").then(|| at(value, "namespace"));
        let place = place.map(|it| it.map(|(_, place)| place).unwrap_or_default());
        let value = place.as_ref().unwrap_or(value);
        print.push((hash(&**key), hash(&value.to_string())));
    }
    print.sort_unstable();
    (!print.is_empty()).then_some(print)
}

/// True for null and for what is empty.
fn is_nothing(value: &Value) -> bool {
    match value.payload() {
        Payload::Null => true,
        Payload::String(text) => text.as_bytes().is_empty(),
        Payload::Array(items) => items.is_empty(),
        Payload::Map(map) => map.is_empty(),
        _ => false,
    }
}
