//! Values from bytes.

use std::sync::Arc;

use rmp::Marker;

use super::unknown::read_unknown;
use super::{Error, MAX_DEPTH};
use crate::terraform::cty::normal::normal_text;
use crate::terraform::cty::number::parse;
use crate::terraform::cty::path::PathFrame;
use crate::terraform::cty::{Fields, Typed, collection, map, tuple};
use crate::types::cty::{self, friendly_name};
use crate::types::{ObjectType, Type};
use crate::value::{Number, Text, Value};

/// Decodes a value of type `ty`. Trailing bytes are ignored.
///
/// # Errors
///
/// If the bytes do not fit the type. The path is that of the original, which writes attributes as map keys.
pub fn from_msgpack(ty: &Type, bytes: &[u8]) -> Result<Typed, Error> {
    read(&mut Bytes(bytes), ty, MAX_DEPTH, &PathFrame::TOP)
}

/// The sort of a value, which its marker tells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Null,
    Bool,
    Text,
    /// A byte string: a text, or the type of a dynamic value.
    Bytes,
    Array,
    Map,
    /// An extension.
    Unknown,
    Number,
}

/// The remaining bytes.
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    fn peek(&self) -> Option<Marker> {
        self.0.first().map(|byte| Marker::from_u8(*byte))
    }

    /// The sort of the next value.
    pub(super) fn sort(&self) -> Option<Sort> {
        Some(match self.peek()? {
            Marker::Null => Sort::Null,
            Marker::True | Marker::False => Sort::Bool,
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => Sort::Text,
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => Sort::Bytes,
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => Sort::Array,
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => Sort::Map,
            Marker::FixExt1
            | Marker::FixExt2
            | Marker::FixExt4
            | Marker::FixExt8
            | Marker::FixExt16
            | Marker::Ext8
            | Marker::Ext16
            | Marker::Ext32 => Sort::Unknown,
            _ => Sort::Number,
        })
    }

    pub(super) fn marker(&mut self) -> Option<Marker> {
        self.number(1)
            .and_then(|byte| u8::try_from(byte).ok())
            .map(Marker::from_u8)
    }

    /// The next `n` bytes; `None` if there are fewer. Those are then skipped.
    pub(super) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n).unwrap_or((&[], &[]));
        self.0 = rest;
        (taken.len() == n).then_some(taken)
    }

    /// An unsigned integer of `n` bytes, at most 8.
    pub(super) fn number(&mut self, n: usize) -> Option<u64> {
        let bytes = self.take(n)?;
        Some(
            bytes
                .iter()
                .fold(0, |number, byte| number << 8 | u64::from(*byte)),
        )
    }

    fn length(&mut self, n: usize) -> Option<usize> {
        usize::try_from(self.number(n)?).ok()
    }

    /// A signed or unsigned integer.
    pub(super) fn integer(&mut self) -> Option<i128> {
        let signed = |number: u64, bits: u32| {
            let shift = 64 - bits;
            i128::from((number << shift).cast_signed() >> shift)
        };
        Some(match self.marker()? {
            Marker::FixPos(number) => i128::from(number),
            Marker::FixNeg(number) => i128::from(number),
            Marker::U8 => i128::from(self.number(1)?),
            Marker::U16 => i128::from(self.number(2)?),
            Marker::U32 => i128::from(self.number(4)?),
            Marker::U64 => i128::from(self.number(8)?),
            Marker::I8 => signed(self.number(1)?, 8),
            Marker::I16 => signed(self.number(2)?, 16),
            Marker::I32 => signed(self.number(4)?, 32),
            Marker::I64 => signed(self.number(8)?, 64),
            _ => return None,
        })
    }

    /// A text or a byte string. Nil reads as an empty one.
    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = match self.marker()? {
            Marker::Null => 0,
            Marker::FixStr(length) => usize::from(length),
            Marker::Str8 | Marker::Bin8 => self.length(1)?,
            Marker::Str16 | Marker::Bin16 => self.length(2)?,
            Marker::Str32 | Marker::Bin32 => self.length(4)?,
            _ => return None,
        };
        self.take(length)
    }

    pub(super) fn array_length(&mut self) -> Option<usize> {
        match self.marker()? {
            Marker::FixArray(length) => Some(usize::from(length)),
            Marker::Array16 => self.length(2),
            Marker::Array32 => self.length(4),
            _ => None,
        }
    }

    pub(super) fn map_length(&mut self) -> Option<usize> {
        match self.marker()? {
            Marker::FixMap(length) => Some(usize::from(length)),
            Marker::Map16 => self.length(2),
            Marker::Map32 => self.length(4),
            _ => None,
        }
    }

    pub(super) fn bool(&mut self) -> Option<bool> {
        match self.marker()? {
            Marker::True => Some(true),
            Marker::False => Some(false),
            _ => None,
        }
    }

    /// A number in any encoding.
    pub(super) fn any_number(&mut self) -> Option<Number> {
        if matches!(self.sort()?, Sort::Text | Sort::Bytes) {
            return parse(std::str::from_utf8(self.bytes()?).ok()?);
        }
        match self.peek()? {
            Marker::F32 => {
                self.marker();
                let bits = u32::try_from(self.number(4)?).ok()?;
                Some(f64::from(f32::from_bits(bits)))
            }
            Marker::F64 => {
                self.marker();
                Some(f64::from_bits(self.number(8)?))
            }
            _ => return Number::exact(&self.integer()?.to_string()),
        }
        .filter(|double| !double.is_nan())
        .map(Number::from)
    }
}

pub(super) fn error(place: &PathFrame<'_>, expected: impl Into<String>) -> Error {
    Error {
        path: place.path(),
        expected: expected.into(),
    }
}

fn read(
    bytes: &mut Bytes<'_>,
    ty: &Type,
    depth: usize,
    place: &PathFrame<'_>,
) -> Result<Typed, Error> {
    let wanted = || error(place, friendly_name(ty));
    let depth = depth
        .checked_sub(1)
        .ok_or_else(|| error(place, format!("at most {MAX_DEPTH} levels of nesting")))?;
    match bytes.sort().ok_or_else(wanted)? {
        Sort::Unknown => return read_unknown(bytes, ty, place),
        Sort::Null => {
            bytes.marker();
            return Ok(Typed::null(ty.clone()));
        }
        Sort::Bool | Sort::Text | Sort::Bytes | Sort::Array | Sort::Map | Sort::Number => {}
    }
    let primitive = match ty {
        Type::Bool => bytes.bool().map(Value::from),
        Type::Number => bytes.any_number().map(Value::from),
        Type::String => bytes
            .bytes()
            .map(|bytes| Value::from(normal_text(&Text::from(bytes)))),
        Type::Dynamic => return read_dynamic(bytes, depth, place),
        Type::Array(element) | Type::Set(element) => {
            let n_items = bytes.array_length().ok_or_else(wanted)?;
            let mut items = Vec::new();
            for index in 0..n_items {
                items.push(read(bytes, element, depth, &place.index(index))?);
            }
            return collection(ty, items).ok_or_else(|| error(place, "elements of one type"));
        }
        Type::Map(element) => {
            let n_entries = bytes.map_length().ok_or_else(wanted)?;
            let mut entries = Vec::new();
            for _ in 0..n_entries {
                // The original does not stop at a bad key, so the error is reported for the value that follows it.
                let key = read_key(bytes, place).unwrap_or_default();
                let item = read(bytes, element, depth, &place.key(&key))?;
                entries.push((key, item));
            }
            return map(element, entries).ok_or_else(|| error(place, "elements of one type"));
        }
        Type::Tuple(elements) => return read_tuple(bytes, elements, depth, place),
        Type::Object(object) => return read_object(bytes, object, depth, place),
        _ => None,
    };
    primitive
        .map(|value| Typed::trusted(ty.clone(), value))
        .ok_or_else(wanted)
}

pub(super) fn read_key(bytes: &mut Bytes<'_>, place: &PathFrame<'_>) -> Result<Arc<str>, Error> {
    let key = bytes
        .bytes()
        .ok_or_else(|| error(place, "a string for a key"))?;
    Ok(super::key(key))
}

/// Decodes a tuple. An empty array is an empty tuple, whatever the type says.
fn read_tuple(
    bytes: &mut Bytes<'_>,
    elements: &[Type],
    depth: usize,
    place: &PathFrame<'_>,
) -> Result<Typed, Error> {
    let wanted = || error(place, format!("a tuple of {} elements", elements.len()));
    let n_items = bytes.array_length().ok_or_else(wanted)?;
    if n_items != 0 && n_items != elements.len() {
        return Err(wanted());
    }
    let mut items = Vec::new();
    for (index, ty) in elements.iter().take(n_items).enumerate() {
        items.push(read(bytes, ty, depth, &place.index(index))?);
    }
    Ok(tuple(items))
}

/// Decodes an object. An empty map is an empty object, whatever the type says.
fn read_object(
    bytes: &mut Bytes<'_>,
    object: &ObjectType,
    depth: usize,
    place: &PathFrame<'_>,
) -> Result<Typed, Error> {
    let n_wanted = object.attributes.len();
    let wanted = || error(place, format!("an object of {n_wanted} attributes"));
    let n_entries = bytes.map_length().ok_or_else(wanted)?;
    if n_entries != 0 && n_entries != n_wanted {
        return Err(wanted());
    }
    let mut fields = Fields::default();
    for _ in 0..n_entries {
        let name = read_key(bytes, place)?;
        let below = place.key(&name);
        let Some(ty) = object.attributes.get(&name) else {
            return Err(error(&below, "an attribute of the type"));
        };
        fields.add(&name, read(bytes, ty, depth, &below)?);
    }
    Ok(fields.into_object())
}

pub(super) fn read_dynamic(
    bytes: &mut Bytes<'_>,
    depth: usize,
    place: &PathFrame<'_>,
) -> Result<Typed, Error> {
    if bytes.array_length() != Some(2) {
        return Err(error(place, "an array of a type and a value"));
    }
    let ty = type_of(bytes, place)?;
    read(bytes, &ty, depth, place)
}

/// The type that precedes a dynamic value.
pub(super) fn type_of(bytes: &mut Bytes<'_>, place: &PathFrame<'_>) -> Result<Type, Error> {
    let json = bytes
        .bytes()
        .ok_or_else(|| error(place, "a type in JSON"))?;
    cty::parse(json).map_err(|why| error(place, format!("a type in JSON ({why})")))
}
