//! The values that tell what a resource is for that comes or goes alone: `port 5432 · cidr_ipv4 "10.0.0.0/16"`.

use std::collections::HashSet;

use super::{Maker, short};
use crate::change::vocabulary::{only_names, telling_rank};
use crate::stack::ResourceId;
use crate::text::{escaped, has_word};
use crate::value::{Payload, Value};

/// Maximum number of values.
const MAX_TOLD: usize = 3;

/// Maximum length of their text, in characters.
const MAX_TEXT: usize = 100;

/// Maximum nesting of objects that are searched.
const MAX_DEPTH: usize = 6;

/// Keys that say nothing without the object around them.
const BARE: [&str; 4] = ["name", "value", "type", "key"];

/// The names of a thing. They are told only if they are names of domains: the resource has the others.
const NAMES: [&str; 3] = ["name", "dnsName", "dns_name"];

/// Those of zones.
const DNS_NAMES: [&str; 2] = ["dnsName", "dns_name"];

/// The object with the names of a thing of Kubernetes.
const METADATA: &str = "metadata";

/// A value with its name, and the place of the name among those that tell most.
struct Told {
    rank: usize,
    name: String,
    text: String,
}

impl Told {
    fn of(rank: usize, name: String, value: &Value) -> Self {
        let text = format!("{} {}", escaped(&name), short(value));
        Self { rank, name, text }
    }
}

/// True for a plain text that is the name of a domain or a host: `corvus.example`.
fn is_domain(value: &Value) -> bool {
    let text = value.as_str().filter(|_| !value.is_masked());
    let labels: Vec<&str> = text
        .unwrap_or_default()
        .trim_end_matches('.')
        .split('.')
        .collect();
    let is_label = |label: &&str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_*".contains(&byte);
        !label.is_empty() && label.bytes().all(is_part)
    };
    let ends = labels
        .last()
        .is_some_and(|last| last.len() > 1 && last.bytes().all(|byte| byte.is_ascii_lowercase()));
    labels.len() > 1 && ends && labels.iter().all(is_label)
}

impl Maker<'_> {
    /// The values that tell most about a resource as it is now; "" if none does.
    pub(super) fn telling(&self, id: ResourceId) -> String {
        let resource = self.resource(id);
        let state = resource.as_ref().and_then(|it| it.current());
        let mut all = Vec::new();
        if let Some(set) = state.and_then(|it| it.properties()) {
            collect("", set, 0, &mut all);
        }
        all.sort_by_key(|it| it.rank);
        // Of any other thing it is the address that the provider gave.
        let is_zone = has_word(self.document.stack.ty(id), &["zone"]);
        all.retain(|it| is_zone || !DNS_NAMES.contains(&&*it.name));
        // Several values of one name, such as those of three probes, say no more than the first.
        let mut names = HashSet::new();
        all.retain(|it| names.insert(it.name.clone()));
        let mut text = String::new();
        for told in all.into_iter().take(MAX_TOLD) {
            let more = if text.is_empty() { "" } else { " · " };
            if text.chars().count() + told.text.chars().count() > MAX_TEXT {
                break;
            }
            text = text + more + &told.text;
        }
        text
    }
}

/// Adds the telling values of an object. Lists of one are no step.
fn collect(around: &str, value: &Value, depth: usize, all: &mut Vec<Told>) {
    if value.is_masked() || depth > MAX_DEPTH {
        return;
    }
    let value = match value.as_array() {
        Some(items) if items.len() == 1 => &items.as_slice()[0],
        _ => value,
    };
    for (key, value) in value.as_map().into_iter().flat_map(|map| map.iter()) {
        let name = if BARE.contains(&&**key) && !around.is_empty() {
            format!("{around}.{key}")
        } else {
            key.to_string()
        };
        match value.payload() {
            Payload::String(_)
                if around.is_empty() && NAMES.contains(&&**key) && is_domain(value) =>
            {
                all.push(Told::of(0, name, value));
            }
            _ if value.is_masked() || only_names(key) || **key == *METADATA => {}
            Payload::Map(_) => collect(key, value, depth + 1, all),
            Payload::Array(items) if items.iter().any(|it| it.as_map().is_some()) => {
                collect(key, value, depth + 1, all);
            }
            Payload::Array(items) if items.is_empty() => {}
            Payload::String(_) if value.as_str() == Some("") => {}
            Payload::String(_) | Payload::Number(_) | Payload::Array(_) => {
                if let Some(rank) = telling_rank(&name) {
                    all.push(Told::of(rank, name, value));
                }
            }
            _ => {}
        }
    }
}
