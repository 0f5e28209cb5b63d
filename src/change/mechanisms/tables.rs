//! The tables of mechanisms, `assets/mechanisms`: words of types and properties, and values.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::change::vocabulary::{List, table};

/// Words by which mechanisms know what something is. The file says what each list is about.
#[derive(Deserialize)]
pub(super) struct Words {
    pub(super) places: List,
    pub(super) copies: List,
    pub(super) numbers: List,
    pub(super) parts: List,
    pub(super) names: List,
    pub(super) capacity: List,
    pub(super) leading: List,
    pub(super) identities: List,
    pub(super) prose: List,
    pub(super) permissions: List,
    pub(super) aside: List,
    pub(super) only_names: List,
    pub(super) addresses: List,
    pub(super) access: List,
    pub(super) zones: List,
    pub(super) labels: List,
    pub(super) selector_maps: List,
    pub(super) selector_pairs: List,
    pub(super) selector_mixed: List,
    pub(super) selector_lists: List,
    pub(super) tag_prefixes: List,
    pub(super) tag_marks: List,
    pub(super) environments: BTreeMap<String, String>,
    pub(super) directions: List,
    pub(super) options: BTreeMap<String, String>,
    pub(super) workloads: BTreeMap<String, String>,
    pub(super) services: BTreeMap<String, String>,
    pub(super) claims: BTreeMap<String, String>,
    pub(super) volumes: BTreeMap<String, String>,
    pub(super) storage_classes: BTreeMap<String, String>,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) ids: List,
    pub(super) address_ends: List,
    pub(super) plain_names: List,
    pub(super) copy_of: List,
    pub(super) kinds: List,
    pub(super) fences: List,
    pub(super) of_the_role: List,
    pub(super) colors: List,
    pub(super) pauses: List,
    pub(super) waits: Vec<String>,
    pub(super) ranges: List,
    pub(super) least: List,
    pub(super) conditions: List,
    pub(super) blocking: List,
    pub(super) loose: List,
}

/// Values with which a resource does nothing.
#[derive(Deserialize)]
pub(super) struct Off {
    /// Words of types that may hold something.
    pub(super) holds: Vec<String>,
    /// The last words of types that only serve others of their component.
    pub(super) companions: Vec<String>,
    /// The last words of types that hold what others send.
    pub(super) inboxes: Vec<String>,
    /// The last words of types of rules that let traffic through.
    pub(super) gates: Vec<String>,
    /// The places of properties that name the original of a copy.
    pub(super) copies: Vec<String>,
    /// Types that do what others do.
    pub(super) covers: Vec<Covers>,
    /// Values that keep the object when the resource is deleted.
    pub(super) keeps: Vec<OffEntry>,
    /// Values with which a resource does nothing.
    #[serde(rename = "off")]
    pub(super) idle: Vec<OffEntry>,
    /// Times from which on a resource does nothing.
    pub(super) ends: Vec<OffEntry>,
}

/// Properties, and the values that say something about the resource.
#[derive(Deserialize, Debug)]
pub(super) struct OffEntry {
    /// The last words of the types; none for all.
    #[serde(default)]
    pub(super) types: Vec<String>,
    pub(super) properties: Vec<String>,
    #[serde(default)]
    pub(super) values: Vec<String>,
    /// Numbers that must be known and not greater for the values to count, by their places.
    #[serde(default)]
    pub(super) at_most: BTreeMap<String, f64>,
    /// Properties of another resource of the type that stays, and that has the same values there and none of `values`. Without one, the
    /// values do not count.
    #[serde(default)]
    pub(super) instead: Vec<String>,
}

/// Types of which one does what the other one does.
#[derive(Deserialize)]
pub(super) struct Covers {
    /// The last words of the types that go.
    pub(super) gone: Vec<String>,
    /// The last words of the types that stay.
    pub(super) stays: Vec<String>,
    /// The words after the name of the one that stays.
    pub(super) says: String,
    /// The properties with what both are for.
    #[serde(default)]
    pub(super) of: Vec<String>,
    /// Values that the one that stays must have.
    #[serde(default)]
    pub(super) has: Vec<OffEntry>,
    /// True if the one that stays may do less.
    #[serde(default)]
    pub(super) partly: bool,
}

/// Objects of which two cannot have one name at once.
#[derive(Deserialize)]
pub(super) struct Unique {
    /// The last words of the types.
    pub(super) types: Vec<String>,
    /// The properties that have the name.
    pub(super) names: Vec<String>,
    /// Words of properties that say where an object is.
    pub(super) scopes: Vec<String>,
    /// Those of them that the provider may fill in.
    pub(super) defaults: Vec<String>,
}

pub(super) static WORDS: LazyLock<Words> =
    LazyLock::new(|| table(include_str!("../../../assets/mechanisms/words.toml")));

pub(super) static OFF: LazyLock<Off> =
    LazyLock::new(|| table(include_str!("../../../assets/mechanisms/off.toml")));

pub(super) static UNIQUE: LazyLock<Unique> =
    LazyLock::new(|| table(include_str!("../../../assets/mechanisms/unique.toml")));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_read() {
        assert!(WORDS.parts.has("rule") && !WORDS.parts.has("rules"));
        assert!(OFF.idle.iter().all(|entry| !entry.properties.is_empty()));
        assert!(OFF.covers.iter().all(|entry| !entry.says.is_empty()));
        assert!(UNIQUE.defaults.iter().all(|word| {
            // The singular of a word is what is looked for.
            UNIQUE.scopes.contains(word)
        }));
    }
}
