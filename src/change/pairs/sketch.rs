//! The properties of a resource as a set of hashes, to find the same thing under another name.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};

use crate::stack::{Resource, State};
use crate::value::content::content_hash;
use crate::value::{Payload, Value};

/// Maximum number of hashes of one resource: those with the smallest numbers, so that two large sets can be compared.
const MAX_HASHES: usize = 128;

/// Maximum number of hashes of one instance of a list.
const MAX_VALUES: usize = 2_048;

/// Maximum nesting of properties that count.
const MAX_DEPTH: usize = 8;

/// The properties that name a thing at its provider.
const NAMES: &[&str] = &[
    "id",
    "arn",
    "name",
    "bucket",
    "identifier",
    "self_link",
    "selfLink",
    "function_name",
    "functionName",
    "cluster_identifier",
    "clusterIdentifier",
    "domain_name",
    "domainName",
];

/// The known properties of a resource as hashes. Secrets, and values that most resources leave unset, do not count.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Sketch {
    /// The properties that name it, sorted.
    names: Box<[u64]>,
    /// All properties, sorted.
    properties: Box<[u64]>,
    /// True if the properties are those of the program alone, without those of the provider.
    is_asked: bool,
}

impl Sketch {
    /// The properties before the change.
    pub(super) fn before(resource: &Resource) -> Self {
        Self::of(resource, resource.before.as_ref())
    }

    /// The properties after the change.
    pub(super) fn after(resource: &Resource) -> Self {
        Self::of(resource, resource.after.as_ref())
    }

    fn of(resource: &Resource, state: Option<&State>) -> Self {
        let Some(state) = state else {
            return Self::default();
        };
        let (inputs, outputs) = (state.inputs.as_ref(), state.outputs.as_ref());
        let (mut names, mut properties) = (Vec::new(), Vec::new());
        for value in [inputs, outputs].into_iter().flatten() {
            collect_names(value, &mut names);
        }
        let asked = inputs.filter(|_| resource.address.is_none());
        if let Some(value) = asked.or(outputs) {
            collect(value, 0, 0, &mut properties);
        }
        let sorted = |mut hashes: Vec<u64>| {
            hashes.sort_unstable();
            hashes.dedup();
            hashes.truncate(MAX_HASHES);
            hashes.into_boxed_slice()
        };
        Self {
            names: sorted(names),
            properties: sorted(properties),
            is_asked: asked.is_some(),
        }
    }

    /// Number of properties.
    pub(super) fn len(&self) -> usize {
        self.properties.len()
    }

    /// The names and all other properties.
    pub(super) fn all(&self) -> impl Iterator<Item = u64> {
        self.names.iter().chain(&self.properties).copied()
    }

    /// True if both have a name in common.
    pub(super) fn shares_name(&self, other: &Self) -> bool {
        self.names
            .iter()
            .any(|name| other.names.binary_search(name).is_ok())
    }

    /// The share of the properties of `new` that `self` has too, in percent. A provider adds properties to those that a program
    /// asks for, so more properties on this side count only if the program asked for them.
    pub(super) fn like(&self, new: &Self) -> u32 {
        let end = |sketch: &Self| match sketch.properties.last() {
            Some(last) if sketch.len() == MAX_HASHES => *last,
            Some(_) | None => u64::MAX,
        };
        let end = end(self).min(end(new));
        let up_to = |sketch: &Self| sketch.properties.iter().filter(|it| **it <= end).count();
        let shared = new.properties.iter().filter(|it| **it <= end);
        let n_shared = shared
            .filter(|it| self.properties.binary_search(it).is_ok())
            .count();
        let n_own = if self.is_asked { up_to(self) } else { 0 };
        let total = up_to(new).max(n_own);
        let percent = (n_shared * 100).checked_div(total).unwrap_or(0);
        u32::try_from(percent).unwrap_or(0)
    }
}

/// Hashes of the known values of a resource in one state, with their places, sorted.
pub(super) fn values(resource: &Resource, state: Option<&State>) -> Box<[u64]> {
    let mut hashes = Vec::new();
    if let Some(state) = state {
        let asked = state.inputs.as_ref().filter(|_| resource.address.is_none());
        if let Some(value) = asked.or(state.outputs.as_ref()) {
            collect(value, 0, 0, &mut hashes);
        }
    }
    hashes.sort_unstable();
    hashes.dedup();
    hashes.truncate(MAX_VALUES);
    hashes.into_boxed_slice()
}

fn hasher() -> BuildHasherDefault<DefaultHasher> {
    BuildHasherDefault::new()
}

/// True for a known value that somebody set.
fn is_set(value: &Value) -> bool {
    !value.is_secret()
        && match value.payload() {
            Payload::Null | Payload::Bool(false) | Payload::Computed(_) | Payload::Sealed(_) => {
                false
            }
            Payload::String(text) => !text.as_bytes().is_empty(),
            Payload::Array(items) => !items.is_empty(),
            Payload::Map(map) => !map.is_empty(),
            Payload::Bool(true)
            | Payload::Number(_)
            | Payload::Asset(_)
            | Payload::Archive(_)
            | Payload::Reference(_) => true,
        }
}

fn collect_names(value: &Value, out: &mut Vec<u64>) {
    if value.is_secret() {
        return;
    }
    let mut add = |key: &str, value: Option<&Value>| {
        let named = value.filter(|value| is_set(value) && value.as_str().is_some());
        out.extend(named.map(|value| hasher().hash_one((key, content_hash(value, &hasher())))));
    };
    for key in NAMES {
        add(key, value.get(key));
    }
    // An object of Kubernetes has its name below its metadata, which is a list of one in Terraform.
    let metadata = value.get("metadata");
    let first = metadata
        .and_then(Value::as_array)
        .and_then(|list| list.get(0));
    add(
        "metadata.name",
        first.or(metadata).and_then(|it| it.get("name")),
    );
}

/// Adds a hash for each leaf. Elements of lists and sets count without their index.
fn collect(value: &Value, place: u64, depth: usize, out: &mut Vec<u64>) {
    if !is_set(value) || depth > MAX_DEPTH {
        return;
    }
    match value.payload() {
        Payload::Map(map) => {
            for (key, value) in map {
                // The bridge of Pulumi remembers in it which values are defaults.
                if &**key != "__defaults" {
                    collect(value, hasher().hash_one((place, &**key)), depth + 1, out);
                }
            }
        }
        Payload::Array(items) => {
            for value in items {
                collect(value, place, depth + 1, out);
            }
        }
        _ => {
            let mut state = hasher().build_hasher();
            place.hash(&mut state);
            state.write_u64(content_hash(value, &hasher()));
            out.push(state.finish());
        }
    }
}
