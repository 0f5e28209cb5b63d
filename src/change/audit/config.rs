//! The configuration of a resource, as far as a plan file has it.
//!
//! # Source
//!
//! hashicorp/terraform 883c7221, `internal/command/jsonconfig`. An expression is `{"constant_value": …}`,
//! `{"references": […]}`, or `{}` if it has neither. Blocks are objects, arrays, or objects by label. `dynamic` blocks are left
//! out.

use std::sync::Arc;

use crate::terraform::cty::{Dynamic, Fields, Typed, from_json};
use crate::terraform::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::types::Type;
use crate::value::{Map, Payload, Value};

/// The configuration in the `expressions` of a resource. Constants are known, other expressions are unknown, and unset
/// arguments are null. A single or group block that is missing may come from a `dynamic` block, so it is unknown.
pub fn configured(schema: &Block, expressions: &Value) -> Typed {
    let none = Map::default();
    let map = expressions.as_map().unwrap_or(&none);
    let mut fields = Fields::default();
    for (name, attribute) in schema.attributes() {
        fields.add(name, attribute_value(attribute, map.get(name)));
    }
    for (name, nested) in schema.blocks() {
        fields.add(name, block_value(nested, map.get(name)));
    }
    fields.into_object()
}

fn attribute_value(attribute: &Attribute, expression: Option<&Value>) -> Typed {
    let Some(expression) = expression else {
        return Typed::null(attribute.ty.clone());
    };
    expression
        .get("constant_value")
        .and_then(|constant| from_json(&attribute.ty, constant, Dynamic::Bare).ok())
        .unwrap_or_else(|| Typed::unknown(attribute.ty.clone()))
}

fn block_value(nested: &NestedBlock, expressions: Option<&Value>) -> Typed {
    let unknown = || Typed::unknown(nested.implied_type());
    match (nested.nesting, expressions.map(Value::payload)) {
        (Nesting::Single | Nesting::Group, Some(Payload::Map(_))) => {
            configured(&nested.block, expressions.unwrap_or(&Value::NULL))
        }
        (Nesting::Single | Nesting::Group, _) => unknown(),
        (Nesting::List | Nesting::Set, Some(Payload::Array(items))) => {
            let items: Vec<Typed> = items
                .iter()
                .map(|item| configured(&nested.block, item))
                .collect();
            sequence(nested, items)
        }
        (Nesting::Map, Some(Payload::Map(map))) => {
            let entries = map
                .iter()
                .map(|(key, item)| (key.clone(), configured(&nested.block, item)));
            mapping(nested, entries.collect())
        }
        (_, None) => nested.empty_value(),
        _ => unknown(),
    }
}

fn sequence(nested: &NestedBlock, items: Vec<Typed>) -> Typed {
    let (types, values): (Vec<Type>, Vec<Value>) = items.into_iter().map(Typed::into_parts).unzip();
    let element = Arc::new(nested.block.implied_type().clone());
    let ty = match nested.nesting {
        Nesting::Set => Type::Set(element),
        _ if nested.is_dynamic() => Type::Tuple(types.into()),
        _ => Type::Array(element),
    };
    let made = Typed::new(ty, values.into());
    made.unwrap_or_else(|_| Typed::unknown(nested.implied_type()))
}

fn mapping(nested: &NestedBlock, entries: Vec<(Arc<str>, Typed)>) -> Typed {
    let mut fields = Fields::default();
    for (key, item) in entries {
        fields.add(&key, item);
    }
    let (types, map) = fields.into_parts();
    let ty = if nested.is_dynamic() {
        Type::Object(types)
    } else {
        Type::Map(Arc::new(nested.block.implied_type().clone()))
    };
    let made = Typed::new(ty, map.into());
    made.unwrap_or_else(|_| Typed::unknown(nested.implied_type()))
}
