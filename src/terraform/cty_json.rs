//! cty values in JSON, where the type is not at hand: what stands in for dynamic parts.
//!
//! A value of dynamic type is written with its type beside it, `{"value": …, "type": …}`. Without a schema the wrapper is known by
//! its looks: exactly these two keys, a type that is one, and a value that fits it.
//!
//! # Source
//!
//! zclconf/go-cty `cty/json` and `docs/types.md`.

use crate::path::{Path, Segment};
use crate::value::{Map, Payload, Value};

/// `value` without the wrappers of dynamic parts. The type of each is added to `declared` under its path.
pub(crate) fn unwrap_dynamic(value: &Value, declared: &mut Map) -> Value {
    let mut unwrapper = Unwrapper { declared };
    unwrapper.any(value, &mut Path::root())
}

struct Unwrapper<'d> {
    declared: &'d mut Map,
}

impl Unwrapper<'_> {
    fn any(&mut self, value: &Value, path: &mut Path) -> Value {
        match value.payload() {
            Payload::Map(map) => {
                // The attributes themselves are no value of an attribute.
                if !path.0.is_empty()
                    && let Some((inner, ty)) = wrapped(map)
                {
                    *self.declared =
                        std::mem::take(self.declared).set(path.to_string(), ty.clone());
                    return unwrap_as(inner.clone(), Some(ty));
                }
                let unwrapped: Map = map
                    .iter()
                    .map(|(key, inner)| {
                        path.0.push(Segment::Key(key.clone()));
                        let inner = self.any(inner, path);
                        path.0.pop();
                        (key.clone(), inner)
                    })
                    .collect();
                Value::from(unwrapped)
            }
            Payload::Array(items) => items
                .iter()
                .enumerate()
                .map(|(index, inner)| {
                    path.0.push(Segment::Index(index));
                    let inner = self.any(inner, path);
                    path.0.pop();
                    inner
                })
                .collect::<Vec<_>>()
                .into(),
            _ => value.clone(),
        }
    }
}

/// The value and the type of a wrapper.
pub(crate) fn wrapped(map: &Map) -> Option<(&Value, &Value)> {
    let (value, ty) = (map.get("value")?, map.get("type")?);
    (map.len() == 2 && is_type(ty) && fits(value, ty)).then_some((value, ty))
}

/// `value`, of type `ty`, without the wrappers that stand where the type is dynamic.
pub(crate) fn unwrap_as(value: Value, ty: Option<&Value>) -> Value {
    let Some(ty) = ty else { return value };
    if let Some(name) = ty.as_str() {
        return match (name, value.payload()) {
            ("dynamic", Payload::Map(map)) => match wrapped(map) {
                Some((inner, ty)) => unwrap_as(inner.clone(), Some(ty)),
                None => value,
            },
            _ => value,
        };
    }
    let Some((kind, inner)) = compound(ty) else {
        return value;
    };
    if !mentions_dynamic(inner) {
        return value;
    }
    match (kind, value.payload()) {
        ("list" | "set", Payload::Array(items)) => items
            .iter()
            .map(|item| unwrap_as(item.clone(), Some(inner)))
            .collect::<Vec<_>>()
            .into(),
        ("map", Payload::Map(map)) => map
            .iter()
            .map(|(key, item)| (key.clone(), unwrap_as(item.clone(), Some(inner))))
            .collect::<Map>()
            .into(),
        ("object", Payload::Map(map)) => map
            .iter()
            .map(|(key, item)| (key.clone(), unwrap_as(item.clone(), inner.get(key))))
            .collect::<Map>()
            .into(),
        ("tuple", Payload::Array(items)) => {
            let types = inner.as_array();
            items
                .iter()
                .enumerate()
                .map(|(index, item)| {
                    let ty = types.and_then(|types| types.get(index));
                    unwrap_as(item.clone(), ty)
                })
                .collect::<Vec<_>>()
                .into()
        }
        _ => value,
    }
}

fn compound(ty: &Value) -> Option<(&str, &Value)> {
    let parts = ty.as_array()?;
    Some((parts.get(0)?.as_str()?, parts.get(1)?))
}

fn mentions_dynamic(ty: &Value) -> bool {
    match ty.payload() {
        Payload::String(name) => name.as_str() == Some("dynamic"),
        Payload::Array(parts) => parts.iter().any(mentions_dynamic),
        Payload::Map(attributes) => attributes.values().any(mentions_dynamic),
        _ => false,
    }
}

/// Whether `ty` is a type in cty's JSON spelling.
fn is_type(ty: &Value) -> bool {
    if let Some(name) = ty.as_str() {
        return matches!(name, "string" | "number" | "bool" | "dynamic");
    }
    match compound(ty) {
        Some(("list" | "set" | "map", inner)) => is_type(inner),
        Some(("tuple", inner)) => inner
            .as_array()
            .is_some_and(|types| types.iter().all(is_type)),
        Some(("object", inner)) => inner
            .as_map()
            .is_some_and(|attributes| attributes.values().all(is_type)),
        _ => false,
    }
}

/// Whether `value` can be of type `ty`; a little is enough, as chance is what it guards against.
fn fits(value: &Value, ty: &Value) -> bool {
    if value.is_null() {
        return true;
    }
    if let Some(name) = ty.as_str() {
        return match name {
            "string" => value.as_str().is_some(),
            "number" => value.as_number().is_some() || value.as_str().is_some(),
            "bool" => value.as_bool().is_some(),
            _ => true,
        };
    }
    match compound(ty) {
        Some(("list" | "set" | "tuple", _)) => value.as_array().is_some(),
        Some(("map" | "object", _)) => value.as_map().is_some(),
        _ => false,
    }
}

/// A type as a person writes it: `list(string)`.
pub(crate) fn type_text(ty: &Value) -> String {
    if let Some(name) = ty.as_str() {
        return name.to_owned();
    }
    match compound(ty) {
        Some(("object", inner)) => {
            let attributes = inner.as_map().into_iter().flatten();
            let parts: Vec<String> = attributes
                .map(|(name, ty)| format!("{name} = {}", type_text(ty)))
                .collect();
            format!("object({{{}}})", parts.join(", "))
        }
        Some(("tuple", inner)) => {
            let types = inner.as_array().into_iter().flat_map(|types| types.iter());
            let parts: Vec<String> = types.map(type_text).collect();
            format!("tuple([{}])", parts.join(", "))
        }
        Some((kind, inner)) => format!("{kind}({})", type_text(inner)),
        None => String::new(),
    }
}
