//! Values of a plan file: cty's msgpack, read without the schema.
//!
//! What is unknown is an extension. A dynamic value is an array of its type (in JSON, as binary) and itself; nothing else holds
//! binary data, so it is known by its looks. Numbers that no double holds are written as texts, which only a type tells apart.

use rmp::Marker;

use crate::value::{Map, Number, Value};

/// How deep values may nest.
const MAX_DEPTH: usize = 512;

/// A value with what is unknown of it beside it, as the JSON form of a plan has them.
#[derive(Clone, Default)]
pub(super) struct Parts {
    /// The value; what is unknown is left out of objects and null in lists.
    pub(super) value: Value,
    /// The mask of what is unknown.
    pub(super) unknown: Value,
}

impl Parts {
    fn known(value: impl Into<Value>) -> Self {
        Self {
            value: value.into(),
            unknown: Value::from(false),
        }
    }

    fn is_unknown(&self) -> bool {
        self.unknown.as_bool() == Some(true)
    }

    fn unknown() -> Self {
        Self {
            value: Value::NULL,
            unknown: Value::from(true),
        }
    }
}

/// Reads a value; what cannot be read is null.
pub(super) fn unpack(bytes: &[u8]) -> Parts {
    let mut unpacker = Unpacker { rest: bytes };
    unpacker
        .value(0)
        .map_or_else(Parts::default, |item| match item {
            Item::Value(parts) => parts,
            Item::Binary(_) => Parts::default(),
        })
}

enum Item<'b> {
    Value(Parts),
    Binary(&'b [u8]),
}

struct Unpacker<'b> {
    rest: &'b [u8],
}

impl<'b> Unpacker<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let taken = self.rest.get(..length)?;
        self.rest = &self.rest[length..];
        Some(taken)
    }

    /// A big-endian number of `length` bytes.
    fn number(&mut self, length: usize) -> Option<u64> {
        let bytes = self.take(length)?;
        Some(
            bytes
                .iter()
                .fold(0, |number, byte| number << 8 | u64::from(*byte)),
        )
    }

    fn length(&mut self, width: usize) -> Option<usize> {
        usize::try_from(self.number(width)?).ok()
    }

    fn value(&mut self, depth: usize) -> Option<Item<'b>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let marker = Marker::from_u8(*self.take(1)?.first()?);
        let value = match marker {
            Marker::Null => Parts::known(Value::NULL),
            Marker::True => Parts::known(true),
            Marker::False => Parts::known(false),
            Marker::FixPos(number) => whole(i128::from(number))?,
            Marker::FixNeg(number) => whole(i128::from(number))?,
            Marker::U8 => whole(i128::from(self.number(1)?))?,
            Marker::U16 => whole(i128::from(self.number(2)?))?,
            Marker::U32 => whole(i128::from(self.number(4)?))?,
            Marker::U64 => whole(i128::from(self.number(8)?))?,
            Marker::I8 => whole(i128::from(self.number(1)?.to_le_bytes()[0].cast_signed()))?,
            Marker::I16 => {
                let bytes = self.take(2)?.try_into().ok()?;
                whole(i128::from(i16::from_be_bytes(bytes)))?
            }
            Marker::I32 => {
                let bytes = self.take(4)?.try_into().ok()?;
                whole(i128::from(i32::from_be_bytes(bytes)))?
            }
            Marker::I64 => {
                let bytes = self.take(8)?.try_into().ok()?;
                whole(i128::from(i64::from_be_bytes(bytes)))?
            }
            Marker::F32 => {
                let bytes = self.take(4)?.try_into().ok()?;
                Parts::known(f64::from(f32::from_be_bytes(bytes)))
            }
            Marker::F64 => {
                let bytes = self.take(8)?.try_into().ok()?;
                Parts::known(f64::from_be_bytes(bytes))
            }
            Marker::FixStr(length) => self.text(usize::from(length))?,
            Marker::Str8 => self.text_of(1)?,
            Marker::Str16 => self.text_of(2)?,
            Marker::Str32 => self.text_of(4)?,
            Marker::Bin8 => return self.binary(1),
            Marker::Bin16 => return self.binary(2),
            Marker::Bin32 => return self.binary(4),
            Marker::FixArray(length) => self.array(usize::from(length), depth)?,
            Marker::Array16 => self.array_of(2, depth)?,
            Marker::Array32 => self.array_of(4, depth)?,
            Marker::FixMap(length) => self.map(usize::from(length), depth)?,
            Marker::Map16 => self.map_of(2, depth)?,
            Marker::Map32 => self.map_of(4, depth)?,
            Marker::FixExt1 => self.unknown(1)?,
            Marker::FixExt2 => self.unknown(2)?,
            Marker::FixExt4 => self.unknown(4)?,
            Marker::FixExt8 => self.unknown(8)?,
            Marker::FixExt16 => self.unknown(16)?,
            Marker::Ext8 => self.unknown_of(1)?,
            Marker::Ext16 => self.unknown_of(2)?,
            Marker::Ext32 => self.unknown_of(4)?,
            Marker::Reserved => return None,
        };
        Some(Item::Value(value))
    }

    fn text(&mut self, length: usize) -> Option<Parts> {
        Some(Parts::known(crate::value::Text::from(self.take(length)?)))
    }

    fn text_of(&mut self, width: usize) -> Option<Parts> {
        let length = self.length(width)?;
        self.text(length)
    }

    fn binary(&mut self, width: usize) -> Option<Item<'b>> {
        let length = self.length(width)?;
        self.take(length).map(Item::Binary)
    }

    /// An unknown value; what refines it is passed over.
    fn unknown(&mut self, length: usize) -> Option<Parts> {
        self.take(1 + length)?;
        Some(Parts::unknown())
    }

    fn unknown_of(&mut self, width: usize) -> Option<Parts> {
        let length = self.length(width)?;
        self.unknown(length)
    }

    fn array_of(&mut self, width: usize, depth: usize) -> Option<Parts> {
        let length = self.length(width)?;
        self.array(length, depth)
    }

    fn array(&mut self, length: usize, depth: usize) -> Option<Parts> {
        let (mut values, mut masks) = (Vec::new(), Vec::new());
        let mut ty = None;
        for _ in 0..length {
            match self.value(depth + 1)? {
                Item::Value(parts) => {
                    values.push(parts.value);
                    masks.push(parts.unknown);
                }
                Item::Binary(bytes) => ty = super::type_of(bytes),
            }
        }
        if let (Some(ty), 1) = (&ty, values.len()) {
            return Some(Parts {
                value: typed(values.remove(0), ty),
                unknown: masks.remove(0),
            });
        }
        Some(Parts {
            value: values.into(),
            unknown: masks.into(),
        })
    }

    fn map_of(&mut self, width: usize, depth: usize) -> Option<Parts> {
        let length = self.length(width)?;
        self.map(length, depth)
    }

    fn map(&mut self, length: usize, depth: usize) -> Option<Parts> {
        let (mut values, mut masks) = (Vec::new(), Vec::new());
        for _ in 0..length {
            let Item::Value(key) = self.value(depth + 1)? else {
                return None;
            };
            let key: String = key.value.as_str()?.to_owned();
            let Item::Value(parts) = self.value(depth + 1)? else {
                return None;
            };
            if !parts.is_unknown() {
                values.push((key.clone(), parts.value));
            }
            if parts.unknown.as_bool() != Some(false) {
                masks.push((key, parts.unknown));
            }
        }
        Some(Parts {
            value: values.into_iter().collect::<Map>().into(),
            unknown: masks.into_iter().collect::<Map>().into(),
        })
    }
}

fn whole(number: i128) -> Option<Parts> {
    Number::exact(&number.to_string()).map(Parts::known)
}

/// `value` of type `ty`: texts become the numbers that they stand for.
pub(super) fn typed(value: Value, ty: &Value) -> Value {
    if ty.as_str() == Some("number") {
        return match value.as_str().and_then(Number::exact) {
            Some(number) => number.into(),
            None => value,
        };
    }
    let Some(parts) = ty.as_array() else {
        return value;
    };
    let (Some(kind), Some(inner)) = (parts.get(0).and_then(Value::as_str), parts.get(1)) else {
        return value;
    };
    let types = inner.as_array();
    if let Some(items) = value.as_array() {
        return items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                let own = if kind == "tuple" {
                    types.and_then(|types| types.get(index))
                } else {
                    Some(inner)
                };
                own.map_or_else(|| item.clone(), |own| typed(item.clone(), own))
            })
            .collect::<Vec<_>>()
            .into();
    }
    if let Some(map) = value.as_map() {
        return map
            .iter()
            .map(|(key, item)| {
                let own = if kind == "object" {
                    inner.get(key)
                } else {
                    Some(inner)
                };
                let item = own.map_or_else(|| item.clone(), |own| typed(item.clone(), own));
                (key.clone(), item)
            })
            .collect::<Map>()
            .into();
    }
    value
}
