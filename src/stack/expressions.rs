//! The arguments of resources in the configuration of a plan, by their address there.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::path::{Path, Segment};
use crate::terraform::address::Address;
use crate::value::{Array, Map, Payload, Value};

/// The arguments by address: each a value whose leaves say what the argument refers to.
#[derive(Clone, Default, Debug)]
pub struct Expressions {
    by_address: HashMap<Arc<str>, Value>,
    /// The types with the places where some resource of the type has nested blocks; found when first asked for.
    blocks: OnceLock<HashSet<(String, Path)>>,
}

impl Deref for Expressions {
    type Target = HashMap<Arc<str>, Value>;

    fn deref(&self) -> &Self::Target {
        &self.by_address
    }
}

impl FromIterator<(Arc<str>, Value)> for Expressions {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value)>>(entries: I) -> Self {
        Self {
            by_address: entries.into_iter().collect(),
            blocks: OnceLock::new(),
        }
    }
}

impl Expressions {
    /// True if a resource of this type has nested blocks at this place.
    pub fn has_blocks(&self, ty: &str, path: &Path) -> bool {
        let blocks = self.blocks.get_or_init(|| {
            let mut blocks = HashSet::new();
            for (address, expressions) in &self.by_address {
                if let Ok(address) = Address::parse(address) {
                    collect(&address.ty, expressions, &mut Path::root(), &mut blocks);
                }
            }
            blocks
        });
        blocks.contains(&(ty.to_owned(), path.clone()))
    }
}

/// Adds the places of nested blocks at or below `path`.
fn collect(ty: &str, here: &Value, path: &mut Path, blocks: &mut HashSet<(String, Path)>) {
    let mut below = |step: Segment, value: &Value| {
        path.0.push(step);
        collect(ty, value, path, blocks);
        path.0.pop();
    };
    match here.payload() {
        Payload::Map(map) if !is_expression(map) => {
            for (key, value) in map {
                below(Segment::Key(key.clone()), value);
            }
        }
        Payload::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                below(Segment::Index(index), value);
            }
            if are_blocks(items) {
                blocks.insert((ty.to_owned(), path.clone()));
            }
        }
        _ => {}
    }
}

/// True for a list of nested blocks.
pub fn are_blocks(items: &Array) -> bool {
    let is_block = |item: &Value| item.as_map().is_some_and(|map| !is_expression(map));
    items.iter().all(is_block)
}

/// True for an expression, which is no block.
pub fn is_expression(map: &Map) -> bool {
    map.contains_key("references") || map.contains_key("constant_value")
}
