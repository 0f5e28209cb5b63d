//! The properties of a resource as a set of hashes, to find the same thing under another name.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};

use crate::change::vocabulary::WORDS;
use crate::stack::{Resource, State};
use crate::value::content::content_hash;
use crate::value::{Payload, Value};

/// Maximum number of hashes of one resource: those with the smallest numbers, so that two large sets can be compared.
const MAX_HASHES: usize = 128;

/// Maximum number of hashes of one instance of a list.
const MAX_VALUES: usize = 2_048;

/// Maximum nesting of properties that count.
const MAX_DEPTH: usize = 8;

/// Minimum number of characters of a text that is no mere setting, as numbers and switches are.
const MIN_TELLING: usize = 2;

/// The hash of a key, and that of the key with its value.
type Named = (u64, u64);

/// The known properties of a resource as hashes. Secrets, and values that most resources leave unset, do not count.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Sketch {
    /// The properties by which the provider knows it, sorted.
    ids: Box<[u64]>,
    /// The properties that name it, and those that say where the name counts.
    names: Box<[Named]>,
    scopes: Box<[Named]>,
    /// The properties that are texts of some length, sorted.
    texts: Box<[u64]>,
    /// All properties, sorted.
    properties: Box<[u64]>,
    /// True if the properties are those of the program alone, without those of the provider.
    is_asked: bool,
}

impl Sketch {
    /// The properties of a resource on one side of the change.
    pub(super) fn of(resource: &Resource, state: Option<&State>) -> Self {
        let Some(state) = state else {
            return Self::default();
        };
        let (inputs, outputs) = (state.inputs.as_ref(), state.outputs.as_ref());
        let (mut ids, mut names, mut scopes) = (Vec::new(), Vec::new(), Vec::new());
        for value in [inputs, outputs].into_iter().flatten() {
            ids.extend(named(&WORDS.own_ids, value, resource).map(|(_, value)| value));
            names.extend(named(&WORDS.own_names, value, resource));
            scopes.extend(named(&WORDS.scopes, value, resource));
            // An object of Kubernetes has its name below its metadata, which is a list of one in Terraform.
            if let Some(metadata) = value.get("metadata") {
                let list = metadata.as_array();
                let inner = list.and_then(|list| list.get(0)).unwrap_or(metadata);
                names.extend(named(&["name"], inner, resource));
                scopes.extend(named(&["namespace"], inner, resource));
            }
        }
        let (mut properties, mut texts) = (Vec::new(), Vec::new());
        if let Some(value) = state.properties() {
            collect(value, 0, 0, &mut properties, &mut texts);
        }
        let sorted = |mut hashes: Vec<u64>| {
            hashes.sort_unstable();
            hashes.dedup();
            hashes.truncate(MAX_HASHES);
            hashes.into_boxed_slice()
        };
        Self {
            ids: sorted(ids),
            names: names.into(),
            scopes: scopes.into(),
            texts: sorted(texts),
            properties: sorted(properties),
            is_asked: inputs.is_some(),
        }
    }

    /// Number of properties.
    pub(super) fn len(&self) -> usize {
        self.properties.len()
    }

    /// The names and all other properties.
    pub(super) fn all(&self) -> impl Iterator<Item = u64> {
        let names = self.names.iter().map(|(_, value)| value);
        let all = self.ids.iter().chain(names).chain(&self.properties);
        all.copied()
    }

    /// True if both have an id or a name in common.
    pub(super) fn shares_name(&self, other: &Self) -> bool {
        self.shares_id(other) || self.names.iter().any(|name| other.names.contains(name))
    }

    /// True if the provider knows both by the same id.
    pub(super) fn shares_id(&self, other: &Self) -> bool {
        is_any_in(&self.ids, &other.ids)
    }

    /// True if both have a text in common that is no mere setting.
    pub(super) fn shares_text(&self, other: &Self) -> bool {
        is_any_in(&self.texts, &other.texts)
    }

    /// True if both say how they are called, or in what scope, and do not say the same.
    pub(super) fn contradicts(&self, other: &Self) -> bool {
        let differ = |own: &[Named], others: &[Named]| {
            own.iter().any(|(key, _)| {
                let mut same = others.iter().filter(|(it, _)| it == key).peekable();
                same.peek().is_some() && !same.any(|it| own.contains(it))
            })
        };
        differ(&self.names, &other.names) || differ(&self.scopes, &other.scopes)
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

/// Hashes of the known values of a state, with their places, sorted.
pub(super) fn values(state: &State) -> Box<[u64]> {
    let mut hashes = Vec::new();
    if let Some(value) = state.properties() {
        collect(value, 0, 0, &mut hashes, &mut Vec::new());
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

fn is_any_in(one: &[u64], other: &[u64]) -> bool {
    one.iter().any(|it| other.binary_search(it).is_ok())
}

/// The properties of `value` with these keys that are texts which somebody set.
fn named<'v>(
    keys: &'v [impl AsRef<str>],
    value: &'v Value,
    resource: &'v Resource,
) -> impl Iterator<Item = Named> + 'v {
    let is_default = |key: &str| {
        // The bridge of Pulumi remembers in it which values are defaults.
        let defaults = value.get("__defaults").and_then(Value::as_array);
        let mut defaults = defaults.into_iter().flatten();
        defaults.any(|it| it.as_str() == Some(key))
    };
    let keys = keys.iter().filter(|_| !value.is_secret());
    keys.map(AsRef::as_ref).filter_map(move |key| {
        let named = value.get(key).filter(|value| is_set(value))?;
        let text = named.as_str()?;
        let is_made = resource.address.is_none() && is_made_from(&resource.name, text);
        if is_made || is_default(key) {
            return None;
        }
        let hash = hasher().hash_one((key, content_hash(named, &hasher())));
        Some((hasher().hash_one(key), hash))
    })
}

/// True for a name that Pulumi makes from the name in the program: with random digits after it.
fn is_made_from(logical: &str, text: &str) -> bool {
    let digits = text.strip_prefix(logical).unwrap_or_default();
    let digits = digits.trim_start_matches(['-', '_']);
    (6..=8).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Adds a hash for each leaf. Elements of lists and sets count without their index.
fn collect(value: &Value, place: u64, depth: usize, out: &mut Vec<u64>, texts: &mut Vec<u64>) {
    if !is_set(value) || depth > MAX_DEPTH {
        return;
    }
    match value.payload() {
        Payload::Map(map) => {
            for (key, value) in map {
                // The bridge of Pulumi remembers in it which values are defaults.
                if &**key != "__defaults" {
                    let place = hasher().hash_one((place, &**key));
                    collect(value, place, depth + 1, out, texts);
                }
            }
        }
        Payload::Array(items) => {
            for value in items {
                collect(value, place, depth + 1, out, texts);
            }
        }
        _ => {
            let mut state = hasher().build_hasher();
            place.hash(&mut state);
            state.write_u64(content_hash(value, &hasher()));
            let hash = state.finish();
            out.push(hash);
            let is_telling = |text: &str| text.chars().count() >= MIN_TELLING;
            texts.extend(value.as_str().is_some_and(is_telling).then_some(hash));
        }
    }
}
