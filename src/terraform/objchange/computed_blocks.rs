//! Blocks that a provider may fill in.

use super::{Error, require};
use crate::terraform::cty::{Fields, Typed, View};
use crate::terraform::schema::{Block, NestedBlock, Nesting};
use crate::types::Type;
use crate::value::{Payload, Value};

/// The configuration with null for every computed list, set or map block without elements. No block of that kind is configured,
/// so the provider may plan some. Inner blocks are replaced first, in sets too.
///
/// # Errors
///
/// If the value does not conform to the schema.
///
/// # Source
///
/// hashicorp/terraform 883c7221, `objchange.PrepareComputedBlocks`.
pub fn prepare_computed_blocks(schema: &Block, value: &Typed) -> Result<Typed, Error> {
    require(schema, value, "value")?;
    Ok(object(schema, value.view()))
}

fn object(block: &Block, value: View<'_>) -> Typed {
    if !value.has_elements() || block.blocks().is_empty() {
        return value.to_typed();
    }
    let Type::Object(mut ty) = value.ty.clone() else {
        return value.to_typed();
    };
    let mut map = value.value.as_map().cloned().unwrap_or_default();
    for (name, nested) in block.blocks() {
        let (field_ty, field) = nested_block(nested, value.attribute(name)).into_parts();
        ty.attributes.insert(name.clone(), field_ty);
        map = map.set(name.clone(), field);
    }
    Typed::trusted(
        Type::Object(ty),
        value.value.clone().with_payload(Payload::Map(map)),
    )
}

fn nested_block(nested: &NestedBlock, value: View<'_>) -> Typed {
    let is_one = matches!(nested.nesting, Nesting::Single | Nesting::Group);
    if is_one {
        return object(&nested.block, value);
    }
    if value.is_empty() {
        return if nested.block.is_computed() {
            let null = value.value.clone().with_payload(Payload::Null);
            Typed::trusted(value.ty.clone(), null)
        } else {
            value.to_typed()
        };
    }
    let (ty, payload) = match value.value.payload() {
        Payload::Array(_) => {
            let (types, items): (Vec<Type>, Vec<Value>) = value
                .items()
                .map(|item| object(&nested.block, item).into_parts())
                .unzip();
            let ty = match value.ty {
                Type::Tuple(_) => Type::Tuple(types.into()),
                other => other.clone(),
            };
            (ty, Payload::Array(items.into()))
        }
        Payload::Map(map) => {
            let mut fields = Fields::default();
            for (key, item) in map {
                let ty = value.key_type(key);
                fields.add(key, object(&nested.block, View { ty, value: item }));
            }
            let (types, map) = fields.into_parts();
            let ty = match value.ty {
                Type::Object(_) => Type::Object(types),
                other => other.clone(),
            };
            (ty, Payload::Map(map))
        }
        _ => return value.to_typed(),
    };
    let rebuilt = value.value.clone().with_payload(payload);
    // Elements of a set may now be equal, or in another order.
    Typed::new(ty, rebuilt).unwrap_or_else(|_| value.to_typed())
}
