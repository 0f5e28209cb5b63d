//! The values that tell what a resource is for that comes or goes alone: `port 5432 · cidr_ipv4 "10.0.0.0/16"`.

use std::collections::HashSet;

use super::{Maker, short};
use crate::change::vocabulary::{only_names, telling_rank};
use crate::stack::ResourceId;
use crate::text::escaped;
use crate::value::{Payload, Value};

/// Maximum number of values.
const MAX_TOLD: usize = 3;

/// Maximum length of their text, in characters.
const MAX_TEXT: usize = 100;

/// Maximum nesting of objects that are searched.
const MAX_DEPTH: usize = 6;

/// Keys that say nothing without the object around them.
const BARE: [&str; 4] = ["name", "value", "type", "key"];

/// The object with the names of a thing of Kubernetes.
const METADATA: &str = "metadata";

/// A value with its name, and the place of the name among those that tell most.
struct Told {
    rank: usize,
    name: String,
    text: String,
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
            _ if value.is_masked() || only_names(key) || **key == *METADATA => {}
            Payload::Map(_) => collect(key, value, depth + 1, all),
            Payload::Array(items) if items.iter().any(|it| it.as_map().is_some()) => {
                collect(key, value, depth + 1, all);
            }
            Payload::Array(items) if items.is_empty() => {}
            Payload::String(_) if value.as_str() == Some("") => {}
            Payload::String(_) | Payload::Number(_) | Payload::Array(_) => {
                if let Some(rank) = telling_rank(&name) {
                    let text = format!("{} {}", escaped(&name), short(value));
                    all.push(Told { rank, name, text });
                }
            }
            _ => {}
        }
    }
}
