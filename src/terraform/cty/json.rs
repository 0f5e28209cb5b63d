//! cty values as JSON.
//!
//! For the type `dynamic`, a state has `{"value": …, "type": …}`. The output of `show -json` has the bare value, and its type is
//! then implied by the JSON. Missing attributes are null. Strings are accepted as numbers and bools, and the other way round, as
//! readers have always allowed.
//!
//! # Source
//!
//! zclconf/go-cty 1.18.1, `cty/json`.

use std::borrow::Cow;
use std::sync::Arc;

use super::implied::implied;
use super::normal::{Mismatch, normal_text};
use super::number::{parse, plain_text};
use super::path::PathFrame;
use super::tree::{Json, Node};
use super::{Typed, View, collection, tuple};
use crate::json::ParseError;
use crate::types::cty::{self, friendly_name, normal_name};
use crate::types::{ObjectType, Type};
use crate::value::{Map, Payload, Value};

/// The representation of a value of type `dynamic`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dynamic {
    /// Wrapped in `{"value": …, "type": …}`, as in states and plan files.
    Wrapped,
    /// Bare, as in the output of `show -json`.
    Bare,
}

/// The reason why a text cannot be read as a value.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(#[source] ParseError),
    /// The value does not fit the type.
    #[error(transparent)]
    Mismatch(Mismatch),
}

/// Reads a JSON value as a value of type `ty`. Unknowns and markers in it are kept.
///
/// # Errors
///
/// If the JSON does not fit the type.
pub fn from_json(ty: &Type, json: &Value, dynamic: Dynamic) -> Result<Typed, Mismatch> {
    read(ty, &Json::of_value(json), dynamic, &PathFrame::TOP)
}

/// Like [`from_json`], but reads a text. Trailing data after the value is ignored.
///
/// # Errors
///
/// If the text is not JSON, or does not fit the type.
pub fn from_json_text(ty: &Type, text: &[u8], dynamic: Dynamic) -> Result<Typed, ReadError> {
    let json = Json::parse_first(text).map_err(ReadError::Json)?;
    read(ty, &json, dynamic, &PathFrame::TOP).map_err(ReadError::Mismatch)
}

fn read(
    ty: &Type,
    json: &Json<'_>,
    dynamic: Dynamic,
    place: &PathFrame<'_>,
) -> Result<Typed, Mismatch> {
    let read = match &json.node {
        Node::Null => Typed::null(ty.clone()),
        Node::Computed(refinements) => {
            let value = Value::new(Payload::Computed(refinements.clone()));
            Typed::new(ty.clone(), value)?
        }
        _ => match ty {
            Type::Dynamic if dynamic == Dynamic::Bare => {
                let ty = implied(json).map_err(|_| mismatch(place, ty, json))?;
                read_known(&ty, json, dynamic, place)?
            }
            Type::Dynamic => read_wrapped(json, place)?,
            _ => read_known(ty, json, dynamic, place)?,
        },
    };
    if json.markers == crate::value::Markers::default() {
        return Ok(read);
    }
    let (ty, value) = read.into_parts();
    let markers = value.markers().union(&json.markers);
    Ok(Typed::trusted(ty, value.with_markers(markers)))
}

fn mismatch(place: &PathFrame<'_>, ty: &Type, json: &Json<'_>) -> Mismatch {
    Mismatch {
        path: place.path(),
        expected: friendly_name(ty),
        found: json.kind().to_owned(),
    }
}

fn read_wrapped(json: &Json<'_>, place: &PathFrame<'_>) -> Result<Typed, Mismatch> {
    let error = |expected: &str| Mismatch {
        path: place.path(),
        expected: expected.to_owned(),
        found: json.kind().to_owned(),
    };
    let Node::Object(entries) = &json.node else {
        return Err(error("a value with its type"));
    };
    let (mut ty, mut value) = (None, None);
    for (key, json) in entries {
        match &**key {
            "type" => ty = Some(json),
            "value" => value = Some(json),
            _ => return Err(error("nothing but a value and its type")),
        }
    }
    let ty = ty.ok_or_else(|| error("the type of a value"))?;
    let ty = cty::read(&ty.to_value()).map_err(|why| error(&why.to_string()))?;
    let value = value.ok_or_else(|| error("the value of a type"))?;
    // The original restarts its path here and wraps the error, so the path of the wrapper is reported.
    read(&ty, value, Dynamic::Wrapped, &PathFrame::TOP).map_err(|below| Mismatch {
        path: place.path(),
        ..below
    })
}

fn read_known(
    ty: &Type,
    json: &Json<'_>,
    dynamic: Dynamic,
    place: &PathFrame<'_>,
) -> Result<Typed, Mismatch> {
    match (ty, &json.node) {
        (Type::Array(element) | Type::Set(element), Node::Array(items)) => {
            let unknown = View::unknown(element);
            let mut read_items = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                let place = if matches!(ty, Type::Set(_)) {
                    place.element(unknown)
                } else {
                    place.index(index)
                };
                read_items.push(read(element, item, dynamic, &place)?);
            }
            collection(ty, read_items).ok_or_else(|| mixed(place))
        }
        (Type::Tuple(elements), Node::Array(items)) => {
            // Errors in elements are reported before a wrong number of elements.
            let mut read_items = Vec::new();
            for (index, (ty, item)) in elements.iter().zip(items).enumerate() {
                read_items.push(read(ty, item, dynamic, &place.index(index))?);
            }
            if elements.len() != items.len() {
                return Err(mismatch(place, ty, json));
            }
            Ok(tuple(read_items))
        }
        (Type::Map(element), Node::Object(entries)) => {
            let mut read_entries = Vec::with_capacity(entries.len());
            for (key, item) in entries {
                let key = normal_name(key);
                let item = read(element, item, dynamic, &place.key(&key))?;
                read_entries.push((key, item));
            }
            super::map(element, read_entries).ok_or_else(|| mixed(place))
        }
        (Type::Object(object), Node::Object(entries)) => {
            read_object(object, entries, dynamic, place)
        }
        _ => read_primitive(ty, json, place),
    }
}

fn mixed(place: &PathFrame<'_>) -> Mismatch {
    Mismatch {
        path: place.path(),
        expected: "elements of one type".to_owned(),
        found: "several".to_owned(),
    }
}

fn read_object(
    object: &ObjectType,
    entries: &[(Arc<str>, Json<'_>)],
    dynamic: Dynamic,
    place: &PathFrame<'_>,
) -> Result<Typed, Mismatch> {
    let mut types = object.clone();
    types.optional.clear();
    let mut values = Map::default();
    for (name, json) in entries {
        let name = normal_name(name);
        let Some(ty) = object.attributes.get(&name) else {
            return Err(Mismatch {
                path: place.path(),
                expected: "an attribute of the type".to_owned(),
                found: "another attribute".to_owned(),
            });
        };
        let (ty, value) = read(ty, json, dynamic, &place.attribute(&name))?.into_parts();
        types.attributes.insert(name.clone(), ty);
        values = values.set(name, value);
    }
    for name in object.attributes.keys() {
        if !values.contains_key(name) {
            values = values.set(name.clone(), Value::NULL);
        }
    }
    Ok(Typed::trusted(Type::Object(types), values.into()))
}

fn read_primitive(ty: &Type, json: &Json<'_>, place: &PathFrame<'_>) -> Result<Typed, Mismatch> {
    let value = match (ty, &json.node) {
        (Type::Bool, Node::Bool(bool)) => Some(Value::from(*bool)),
        (Type::Bool, Node::String(text)) => match text.as_bytes() {
            b"true" | b"1" => Some(Value::from(true)),
            b"false" | b"0" => Some(Value::from(false)),
            _ => None,
        },
        (Type::Number, Node::Number(text)) => parse(text).map(Value::from),
        (Type::Number, Node::String(text)) => text.as_str().and_then(parse).map(Value::from),
        (Type::String, Node::String(text)) => Some(Value::from(normal_text(text))),
        (Type::String, Node::Number(text)) => Some(Value::from(&**text)),
        (Type::String, Node::Bool(bool)) => Some(Value::from(if *bool { "true" } else { "false" })),
        _ => None,
    };
    value
        .map(|value| Typed::trusted(ty.clone(), value))
        .ok_or_else(|| mismatch(place, ty, json))
}

/// Writes a value as JSON, to be read back as a `ty`. Where `ty` says `dynamic`, the type is written too.
///
/// # Errors
///
/// If a part is unknown, marked or infinite, or the value does not conform to `ty`: JSON cannot express it.
pub fn to_json(of: View<'_>, ty: &Type) -> Result<Value, Mismatch> {
    if !cty::conforms(of.ty, ty) {
        return Err(Mismatch::new(&PathFrame::TOP, friendly_name(ty), of.value));
    }
    write(of, ty, &PathFrame::TOP)
}

fn write(of: View<'_>, ty: &Type, place: &PathFrame<'_>) -> Result<Value, Mismatch> {
    if of.value.is_marked() || !of.is_known() {
        return Err(Mismatch::new(
            place,
            "a known value without marks",
            of.value,
        ));
    }
    if *ty == Type::Dynamic && *of.ty != Type::Dynamic {
        let described =
            cty::to_json(of.ty).ok_or_else(|| Mismatch::new(place, "a type of cty", of.value))?;
        let value = write(of, of.ty, place)?;
        return Ok(Map::from_iter([("value", value), ("type", described)]).into());
    }
    let wanted = View {
        ty,
        value: of.value,
    };
    match of.value.payload() {
        Payload::Number(number) if !number.is_finite() => {
            Err(Mismatch::new(place, "a finite number", of.value))
        }
        Payload::Array(_) => {
            let mut items = Vec::new();
            for (index, item) in of.items().enumerate() {
                items.push(write(item, wanted.index_type(index), &place.index(index))?);
            }
            Ok(items.into())
        }
        Payload::Map(_) => {
            let mut entries = Vec::new();
            for (key, item) in of.entries() {
                let value = write(item, wanted.key_type(key), &place.key(key))?;
                entries.push((key.clone(), value));
            }
            Ok(Map::from_iter(entries).into())
        }
        _ => Ok(of.value.clone()),
    }
}

/// The text of a number as cty writes it in JSON: plain digits.
pub(super) fn number_text(number: &crate::value::Number) -> Cow<'static, str> {
    Cow::Owned(plain_text(number))
}
