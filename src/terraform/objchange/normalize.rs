//! Normalizes values from providers of the first SDK to the shape that the rules expect.

use std::sync::Arc;

use super::{Error, Semantics, require};
use crate::terraform::cty::{Fields, Typed, View, canonical_set};
use crate::terraform::schema::{Block, NestedBlock, Nesting};
use crate::types::Type;
use crate::value::{Array, Markers, Value};

/// `value` with every nested block present and known. An unknown block becomes a block of unknown attributes, in a list or set of
/// one. A null group becomes its empty value, and a null list or set an empty one. A null single block stays. So do attributes,
/// map blocks, and blocks with dynamic parts, which that SDK does not have. Marks stay where they are. In 0.13 the marks of an
/// object moved down to its attributes, and were lost where a block was unknown or null. It crashed on a marked list or set of
/// blocks, so a value with one is normalized by the current rules.
///
/// # Errors
///
/// If the value does not conform to the schema.
///
/// # Source
///
/// hashicorp/terraform 883c7221, `objchange.NormalizeObjectFromLegacySDK`.
pub fn normalize_object_from_legacy_sdk(
    schema: &Block,
    value: &Typed,
    semantics: Semantics,
) -> Result<Typed, Error> {
    require(schema, value, "value")?;
    let pushed = match semantics {
        Semantics::V0_13 if value.view().deep_markers() != Markers::default() => {
            object_with_pushed_marks(schema, value)
        }
        _ => None,
    };
    Ok(pushed.unwrap_or_else(|| object(schema, value.view())))
}

/// Normalizes as in 0.13: the marks of every object move to its parts, and the object is then normalized without them. `None`
/// where 0.13 crashed: it asked a marked list or set for its length.
fn object_with_pushed_marks(block: &Block, value: &Typed) -> Option<Typed> {
    if value.view().is_null() {
        return Some(Typed::trusted(block.implied_type().clone(), Value::NULL));
    }
    let marks = value.value().markers();
    let part = |name: &str| {
        let (ty, part) = value.view().attribute(name).to_typed().into_parts();
        let markers = part.markers().union(&marks);
        Typed::trusted(ty, part.with_markers(markers))
    };
    let mut fields = Fields::default();
    for name in block.attributes().keys() {
        fields.add(name, part(name));
    }
    for (name, nested) in block.blocks() {
        fields.add(name, block_with_pushed_marks(nested, part(name))?);
    }
    Some(fields.into_object())
}

fn block_with_pushed_marks(nested: &NestedBlock, part: Typed) -> Option<Typed> {
    if nested.is_dynamic() || nested.nesting == Nesting::Map {
        return Some(part);
    }
    if !part.view().has_elements() {
        return Some(nested_block(nested, part.unmarked().view()));
    }
    if matches!(nested.nesting, Nesting::Single | Nesting::Group) {
        return object_with_pushed_marks(&nested.block, &part);
    }
    if part.value().is_marked() {
        return None;
    }
    let items = part.view().items();
    let items: Option<Vec<Typed>> = items
        .map(|item| object_with_pushed_marks(&nested.block, &item.to_typed()))
        .collect();
    Some(collection(nested, items?))
}

fn object(block: &Block, value: View<'_>) -> Typed {
    if value.is_null() {
        let null = Value::NULL.with_markers(value.value.markers());
        return Typed::trusted(block.implied_type().clone(), null);
    }
    let mut fields = Fields::default();
    for name in block.attributes().keys() {
        fields.add(name, value.attribute(name).to_typed());
    }
    for (name, nested) in block.blocks() {
        fields.add(name, nested_block(nested, value.attribute(name)));
    }
    let (types, map) = fields.into_parts();
    let object = Value::from(map).with_markers(value.value.markers());
    Typed::trusted(Type::Object(types), object)
}

fn nested_block(nested: &NestedBlock, value: View<'_>) -> Typed {
    if nested.is_dynamic() {
        return value.to_typed();
    }
    let normal = match nested.nesting {
        Nesting::Map => return value.to_typed(),
        Nesting::Single | Nesting::Group if !value.is_known() => stub(&nested.block),
        Nesting::Group if value.is_null() => nested.empty_value(),
        Nesting::Single | Nesting::Group => object(&nested.block, value),
        Nesting::List | Nesting::Set => {
            let items: Vec<Typed> = if value.is_known() {
                value
                    .items()
                    .map(|item| object(&nested.block, item))
                    .collect()
            } else {
                vec![stub(&nested.block)]
            };
            collection(nested, items)
        }
    };
    let (ty, normal) = normal.into_parts();
    Typed::trusted(ty, normal.with_markers(value.value.markers()))
}

/// A list or set of objects, which all have the type of their block.
fn collection(nested: &NestedBlock, items: Vec<Typed>) -> Typed {
    let element = nested.block.implied_type();
    let items: Vec<Value> = items.into_iter().map(|item| item.into_parts().1).collect();
    let element_type = Arc::new(element.clone());
    if nested.nesting == Nesting::Set {
        let items = canonical_set(element, items);
        Typed::trusted(Type::Set(element_type), items.into())
    } else {
        Typed::trusted(Type::Array(element_type), Array::from(items).into())
    }
}

/// The replacement for an unknown block: the block with unknown attributes.
fn stub(block: &Block) -> Typed {
    let mut fields = Fields::default();
    for (name, attribute) in block.attributes() {
        fields.add(name, Typed::unknown(attribute.ty.clone()));
    }
    for (name, nested) in block.blocks() {
        let field = match nested.nesting {
            Nesting::Single | Nesting::Group => stub(&nested.block),
            Nesting::List | Nesting::Set => collection(nested, vec![stub(&nested.block)]),
            Nesting::Map => nested.empty_value(),
        };
        fields.add(name, field);
    }
    fields.into_object()
}
