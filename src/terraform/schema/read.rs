//! Reads schemas from JSON.

use std::sync::Arc;

use indexmap::IndexMap;

use super::{Attribute, AttributeFlags, Block, NestedBlock, NestedType, Nesting, Schema};
use crate::path::{Path, Segment};
use crate::types::cty::{self, normal_name};
use crate::value::{Map, Payload, Value};

/// Maximum nesting depth of blocks and nested types.
const MAX_DEPTH: usize = 100;

/// The reason why a JSON value is not a schema.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// A part of the schema has the wrong type.
    #[error("expected {expected} at {path}, found {found}")]
    Unexpected {
        /// The path from the top of the input.
        path: Path,
        /// A description of the expected value.
        expected: &'static str,
        /// The kind of value that was found.
        found: String,
    },
    /// A type cannot be read.
    #[error("at {path}: {source}")]
    Type {
        /// The path from the top of the input.
        path: Path,
        /// The reason.
        #[source]
        source: cty::ReadError,
    },
    /// Blocks nest too deep.
    #[error("a schema nests deeper than {MAX_DEPTH} levels at {path}")]
    TooDeep {
        /// The path from the top of the input.
        path: Path,
    },
}

impl Schema {
    /// Reads a schema from `{version, block}`.
    pub fn read(json: &Value) -> Result<Self, ReadError> {
        let at = At {
            path: Path::root(),
            depth: 0,
        };
        let map = at.map(json)?;
        let block = match map.get("block") {
            Some(block) => Block::read(block)?,
            None => Block::new(IndexMap::new(), IndexMap::new(), false),
        };
        Ok(Self {
            version: at.number(map, "version")?,
            block,
        })
    }
}

impl Block {
    /// Reads a block from the `block` of a schema.
    pub fn read(json: &Value) -> Result<Self, ReadError> {
        At {
            path: Path::root().child(Segment::from("block")),
            depth: 1,
        }
        .block(json)
    }
}

/// A place in the JSON: its path and its depth.
struct At {
    path: Path,
    depth: usize,
}

impl At {
    fn child(&self, key: &str) -> Result<Self, ReadError> {
        let path = self.path.child(Segment::from(key));
        // Two keys for each level of blocks: the collection's and the block's.
        if self.depth > 4 * MAX_DEPTH {
            return Err(ReadError::TooDeep { path });
        }
        Ok(Self {
            path,
            depth: self.depth + 1,
        })
    }

    fn unexpected(&self, expected: &'static str, found: &Value) -> ReadError {
        ReadError::Unexpected {
            path: self.path.clone(),
            expected,
            found: format!("{:?}", found.payload()),
        }
    }

    fn map<'v>(&self, json: &'v Value) -> Result<&'v Map, ReadError> {
        json.as_map()
            .ok_or_else(|| self.unexpected("an object", json))
    }

    fn flag(&self, map: &Map, key: &str) -> Result<bool, ReadError> {
        match map.get(key).map(|value| (value, value.payload())) {
            None | Some((_, Payload::Null)) => Ok(false),
            Some((_, Payload::Bool(flag))) => Ok(*flag),
            Some((value, _)) => Err(self.child(key)?.unexpected("a bool", value)),
        }
    }

    fn number(&self, map: &Map, key: &str) -> Result<u64, ReadError> {
        let Some(value) = map.get(key).filter(|value| !value.is_null()) else {
            return Ok(0);
        };
        let number = value.as_number().and_then(crate::value::Number::to_i64);
        match number.map(u64::try_from) {
            Some(Ok(number)) => Ok(number),
            _ => Err(self.child(key)?.unexpected("a whole number", value)),
        }
    }

    fn nesting(&self, map: &Map) -> Result<Nesting, ReadError> {
        let mode = map.get("nesting_mode").unwrap_or(&Value::NULL);
        match mode.as_str() {
            Some("single") => Ok(Nesting::Single),
            Some("group") => Ok(Nesting::Group),
            Some("list") => Ok(Nesting::List),
            Some("set") => Ok(Nesting::Set),
            Some("map") => Ok(Nesting::Map),
            _ => Err(self
                .child("nesting_mode")?
                .unexpected("single, group, list, set or map", mode)),
        }
    }

    fn block(&self, json: &Value) -> Result<Block, ReadError> {
        let map = self.map(json)?;
        let attributes = self.attributes(map)?;
        let blocks = self.named(map, "block_types", Self::nested_block)?;
        Ok(Block::new(attributes, blocks, self.flag(map, "computed")?))
    }

    fn nested_block(&self, json: &Value) -> Result<NestedBlock, ReadError> {
        let map = self.map(json)?;
        let block = map.get("block").unwrap_or(&Value::NULL);
        let mut nested = NestedBlock {
            nesting: self.nesting(map)?,
            block: self.child("block")?.block(block)?,
            min_items: self.number(map, "min_items")?,
            max_items: self.number(map, "max_items")?,
        };
        // The flag of a computed block may be next to the nesting mode or in the block.
        nested.block.computed |= self.flag(map, "computed")?;
        Ok(nested)
    }

    fn attributes(&self, map: &Map) -> Result<IndexMap<Arc<str>, Attribute>, ReadError> {
        self.named(map, "attributes", Self::attribute)
    }

    /// The parts under a key, by name; none if the key is missing.
    fn named<T>(
        &self,
        map: &Map,
        key: &str,
        read: fn(&Self, &Value) -> Result<T, ReadError>,
    ) -> Result<IndexMap<Arc<str>, T>, ReadError> {
        let mut parts = IndexMap::new();
        if let Some(json) = map.get(key).filter(|json| !json.is_null()) {
            let at = self.child(key)?;
            for (name, json) in at.map(json)? {
                parts.insert(normal_name(name), read(&at.child(name)?, json)?);
            }
        }
        Ok(parts)
    }

    fn attribute(&self, json: &Value) -> Result<Attribute, ReadError> {
        let map = self.map(json)?;
        let flags = AttributeFlags {
            required: self.flag(map, "required")?,
            optional: self.flag(map, "optional")?,
            computed: self.flag(map, "computed")?,
            sensitive: self.flag(map, "sensitive")?,
            write_only: self.flag(map, "write_only")?,
            deprecated: self.flag(map, "deprecated")?,
        };
        let mut attribute = match (map.get("nested_type"), map.get("type")) {
            (Some(nested), _) if !nested.is_null() => {
                let at = self.child("nested_type")?;
                let map = at.map(nested)?;
                Attribute::nested(
                    NestedType::new(at.nesting(map)?, at.attributes(map)?),
                    flags,
                )
            }
            (_, Some(ty)) => {
                let at = self.child("type")?;
                let ty = cty::read(ty).map_err(|source| ReadError::Type {
                    path: at.path.clone(),
                    source,
                })?;
                Attribute::new(&ty, flags)
            }
            (_, None) => return Err(self.unexpected("a type or a nested type", json)),
        };
        if let Some(description) = map.get("description").and_then(Value::as_str) {
            attribute.description = description.into();
        }
        Ok(attribute)
    }
}
