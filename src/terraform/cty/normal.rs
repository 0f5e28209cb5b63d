//! The normal form that a value must have for its type.

use std::sync::Arc;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::path::PathFrame;
use super::set::canonical_set;
use super::{Path, range, view};
use crate::types::cty::{friendly_name, normal_name};
use crate::types::{ObjectType, Type};
use crate::value::{Array, Map, Payload, Text, Value};

/// A value does not fit its type.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("expected {expected} at {path}, found {found}")]
pub struct Mismatch {
    /// The path of the mismatch.
    pub path: Path,
    /// A description of the expected value.
    pub expected: String,
    /// The kind of value that was found.
    pub found: String,
}

impl Mismatch {
    pub(super) fn new(place: &PathFrame<'_>, expected: impl Into<String>, found: &Value) -> Self {
        Self {
            path: place.path(),
            expected: expected.into(),
            found: format!("{:?}", found.payload()),
        }
    }
}

/// Brings `value` into normal form for `ty`.
pub(super) fn normal(ty: &Type, value: Value) -> Result<Value, Mismatch> {
    normal_at(ty, value, &PathFrame::TOP)
}

fn normal_at(ty: &Type, value: Value, place: &PathFrame<'_>) -> Result<Value, Mismatch> {
    let payload = match (ty, value.payload()) {
        (_, Payload::Null) | (Type::Bool, Payload::Bool(_)) => return Ok(value),
        (Type::Number, Payload::Number(number)) if !number.to_f64().is_nan() => return Ok(value),
        (_, Payload::Computed(refinements)) => {
            let fitting = refinements
                .as_deref()
                .and_then(|refinements| range::fitting(ty, refinements));
            Payload::Computed(fitting.map(Arc::new))
        }
        (Type::String, Payload::String(text)) => Payload::String(normal_text(text)),
        (Type::Array(element), Payload::Array(items)) => {
            Payload::Array(normal_items(items, place, |_| Some(&**element))?)
        }
        (Type::Tuple(elements), Payload::Array(items)) if items.len() == elements.len() => {
            Payload::Array(normal_items(items, place, |index| elements.get(index))?)
        }
        (Type::Set(element), Payload::Array(items)) => {
            let items = normal_items(items, place, |_| Some(&**element))?;
            return Ok(normal_set(element, &items, &value));
        }
        (Type::Map(element), Payload::Map(map)) => {
            let entries = map.iter().map(|(key, value)| {
                let key = normal_name(key);
                let value = normal_at(element, value.clone(), &place.key(&key))?;
                Ok((key, value))
            });
            Payload::Map(entries.collect::<Result<Map, Mismatch>>()?)
        }
        (Type::Object(object), Payload::Map(map)) => {
            Payload::Map(normal_object(object, map, &value, place)?)
        }
        _ => return Err(Mismatch::new(place, friendly_name(ty), &value)),
    };
    Ok(value.with_payload(payload))
}

fn normal_items<'t>(
    items: &Array,
    place: &PathFrame<'_>,
    ty: impl Fn(usize) -> Option<&'t Type>,
) -> Result<Array, Mismatch> {
    items
        .iter()
        .enumerate()
        .map(|(index, item)| {
            normal_at(
                ty(index).unwrap_or(&Type::Dynamic),
                item.clone(),
                &place.index(index),
            )
        })
        .collect()
}

fn normal_set(element: &Type, items: &Array, set: &Value) -> Value {
    let mut markers = set.markers();
    for item in items {
        if view::is_marked_below(item) {
            let view = super::View {
                ty: element,
                value: item,
            };
            markers = markers.union(&view.deep_markers());
        }
    }
    let items = items.iter().map(view::unmarked).collect();
    Value::from(canonical_set(element, items)).with_markers(markers)
}

fn normal_object(
    object: &ObjectType,
    map: &Map,
    value: &Value,
    place: &PathFrame<'_>,
) -> Result<Map, Mismatch> {
    let mut entries = Vec::with_capacity(map.len());
    for (name, value) in map {
        let name = normal_name(name);
        let Some(ty) = object.attributes.get(&name) else {
            return Err(Mismatch::new(
                &place.attribute(&name),
                "no such attribute",
                value,
            ));
        };
        let value = normal_at(ty, value.clone(), &place.attribute(&name))?;
        entries.push((name, value));
    }
    let map = Map::from_iter(entries);
    if let Some(missing) = object
        .attributes
        .keys()
        .find(|name| !map.contains_key(name))
    {
        return Err(Mismatch::new(
            &place.attribute(missing),
            "an attribute",
            value,
        ));
    }
    Ok(map)
}

/// `text` in normalization form C. Invalid UTF-8 bytes are kept, and the text between them is normalized as usual.
pub(super) fn normal_text(text: &Text) -> Text {
    match text.as_str() {
        Some(str) if is_nfc_quick(str.chars()) == IsNormalized::Yes => text.clone(),
        Some(str) => Text::from(str.nfc().collect::<String>()),
        None => {
            let mut normal = Vec::with_capacity(text.as_bytes().len());
            for chunk in text.as_bytes().utf8_chunks() {
                normal.extend(chunk.valid().nfc().collect::<String>().into_bytes());
                normal.extend(chunk.invalid());
            }
            Text::from(&*normal)
        }
    }
}
