//! Numbers of a plan file by the schemas of its providers: a number that no double holds is written as a text, and only its type
//! tells it from one.

use super::unpack::typed;
use crate::format::fields::{object, text};
use crate::json::{self, Numbers};
use crate::value::{Map, Payload, Value};

/// The document of `providers schema -json`; without one, texts stay texts.
pub(super) struct Schemas(Value);

impl Schemas {
    /// Reads the document; what is no such document has no schemas.
    pub(super) fn read(bytes: Option<&[u8]>) -> Self {
        let parsed = bytes.and_then(|bytes| json::parse(bytes, Numbers::Exact).ok());
        Self(parsed.map(|parsed| parsed.value).unwrap_or_default())
    }

    /// The block of a resource type.
    pub(super) fn block(&self, provider: &str, mode: &str, ty: &str) -> Option<&Map> {
        let section = match mode {
            "data" => "data_source_schemas",
            "ephemeral" => "ephemeral_resource_schemas",
            "action" => "action_schemas",
            _ => "resource_schemas",
        };
        let schema = self.0.get("provider_schemas")?.get(provider)?;
        schema.get(section)?.get(ty)?.get("block")?.as_map()
    }
}

/// `value`, an object of this block, with its numbers.
pub(super) fn by_block(value: &Value, block: &Map) -> Value {
    let value = by_attributes(value, object(block, "attributes"));
    let Some(blocks) = object(block, "block_types") else {
        return value;
    };
    entries(&value, |key, inner| {
        let nested = object(blocks, key)?;
        let block = object(nested, "block")?;
        Some(each(inner, text(nested, "nesting_mode"), &|inner| {
            by_block(inner, block)
        }))
    })
}

fn by_attributes(value: &Value, attributes: Option<&Map>) -> Value {
    let Some(attributes) = attributes else {
        return value.clone();
    };
    entries(value, |key, inner| {
        let attribute = object(attributes, key)?;
        if let Some(ty) = attribute.get("type") {
            return Some(typed(inner.clone(), ty));
        }
        let nested = object(attribute, "nested_type")?;
        Some(each(inner, text(nested, "nesting_mode"), &|inner| {
            by_attributes(inner, object(nested, "attributes"))
        }))
    })
}

/// `value` with each entry of its map changed for which there is another.
fn entries(value: &Value, change: impl Fn(&str, &Value) -> Option<Value>) -> Value {
    let Some(map) = value.as_map() else {
        return value.clone();
    };
    let changed: Map = map
        .iter()
        .map(|(key, inner)| {
            let inner = change(key, inner).unwrap_or_else(|| inner.clone());
            (key.clone(), inner)
        })
        .collect();
    value.clone().with_payload(Payload::Map(changed))
}

/// Changes each object of nested ones.
fn each(value: &Value, nesting: &str, change: &dyn Fn(&Value) -> Value) -> Value {
    match (nesting, value.as_array()) {
        ("map", _) => entries(value, |_, inner| Some(change(inner))),
        (_, Some(items)) => items.iter().map(change).collect::<Vec<_>>().into(),
        _ => change(value),
    }
}
