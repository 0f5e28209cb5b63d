//! Decodes values of a schema from JSON.

use super::{Block, NestedBlock, Nesting};
use crate::terraform::cty::{Dynamic, Fields, Mismatch, Path, Segment, Typed, from_json};
use crate::types::Type;
use crate::value::{Array, Map, Payload, Value};

impl Block {
    /// Decodes a JSON object as a value of this block: the attributes of a resource in a state, or a side of a change in a plan.
    ///
    /// Missing attributes are null, and missing collections of blocks are empty. Attributes that the schema does not have are
    /// skipped, because an older or newer provider may have written the file. Unknowns and markers are kept.
    ///
    /// # Errors
    ///
    /// If an attribute does not fit its type.
    pub fn decode(&self, json: &Value, dynamic: Dynamic) -> Result<Typed, Mismatch> {
        let map = match json.payload() {
            Payload::Null | Payload::Computed(_) => {
                return Typed::new(self.implied_type().clone(), json.clone());
            }
            Payload::Map(map) => map,
            other => {
                return Err(Mismatch {
                    path: Path::default(),
                    expected: "object".to_owned(),
                    found: format!("{other:?}"),
                });
            }
        };
        let mut fields = Fields::default();
        for (name, attribute) in self.attributes() {
            let part = match map.get(name) {
                Some(json) => from_json(&attribute.ty, json, dynamic)
                    .map_err(|why| below(Segment::Attribute(name.clone()), why))?,
                None => Typed::null(attribute.ty.clone()),
            };
            fields.add(name, part);
        }
        for (name, nested) in self.blocks() {
            let part = match map.get(name) {
                Some(json) => nested
                    .decode(json, dynamic)
                    .map_err(|why| below(Segment::Attribute(name.clone()), why))?,
                None => nested.empty_value(),
            };
            fields.add(name, part);
        }
        let (types, map) = fields.into_parts();
        let value = Value::from(map).with_markers(json.markers());
        Ok(Typed::trusted(Type::Object(types), value))
    }
}

impl NestedBlock {
    fn decode(&self, json: &Value, dynamic: Dynamic) -> Result<Typed, Mismatch> {
        if json.as_array().is_none() && json.as_map().is_none() {
            return from_json(&self.implied_type(), json, dynamic);
        }
        let (ty, value) = match (self.nesting, json.payload()) {
            (Nesting::Single | Nesting::Group, _) => return self.block.decode(json, dynamic),
            (Nesting::List | Nesting::Set, Payload::Array(items)) => {
                self.decode_items(items, dynamic)?
            }
            (Nesting::Map, Payload::Map(map)) => self.decode_entries(map, dynamic)?,
            (_, other) => {
                return Err(Mismatch {
                    path: Path::default(),
                    expected: format!("a {} of blocks", self.nesting.name()),
                    found: format!("{other:?}"),
                });
            }
        };
        let markers = value.markers().union(&json.markers());
        Typed::new(ty, value.with_markers(markers))
    }

    fn decode_items(&self, items: &Array, dynamic: Dynamic) -> Result<(Type, Value), Mismatch> {
        let (mut types, mut values) = (Vec::new(), Vec::new());
        for (index, item) in items.iter().enumerate() {
            let item = self.block.decode(item, dynamic);
            let (ty, value) = item
                .map_err(|why| below(Segment::Index(index), why))?
                .into_parts();
            types.push(ty);
            values.push(value);
        }
        let ty = if self.nesting == Nesting::List && self.is_dynamic() {
            Type::Tuple(types.into())
        } else {
            self.implied_type()
        };
        Ok((ty, values.into()))
    }

    fn decode_entries(&self, map: &Map, dynamic: Dynamic) -> Result<(Type, Value), Mismatch> {
        let mut fields = Fields::default();
        for (key, item) in map {
            let item = self.block.decode(item, dynamic);
            fields.add(
                key,
                item.map_err(|why| below(Segment::Key(key.clone()), why))?,
            );
        }
        let (types, map) = fields.into_parts();
        let ty = if self.is_dynamic() {
            Type::Object(types)
        } else {
            self.implied_type()
        };
        Ok((ty, map.into()))
    }
}

fn below(step: Segment, why: Mismatch) -> Mismatch {
    let mut steps = vec![step];
    steps.extend(why.path.0);
    Mismatch {
        path: Path(steps),
        ..why
    }
}
