//! cty values in JSON without a known type: detects the wrappers of dynamic parts.
//!
//! A value of dynamic type is written with its type, as `{"value": …, "type": …}`. Without a schema the wrapper is recognized by
//! its form: exactly these two keys, a valid type, and a value that fits the type.
//!
//! # Source
//!
//! zclconf/go-cty `cty/json` and `docs/types.md`.

use crate::json;
use crate::path::{Path, Segment};
use crate::terraform::cty::{Dynamic, from_json, to_json};
use crate::types::cty::{self, has_dynamic};
use crate::value::{Map, Payload, Value};

/// `value` without the wrappers of dynamic parts. The type of each wrapper is added to `declared` under its path.
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
                // The attributes as a whole are never a dynamic value.
                if !path.0.is_empty()
                    && let Some((inner, ty)) = wrapped(map)
                {
                    *self.declared =
                        std::mem::take(self.declared).set(path.to_string(), ty.clone());
                    return inner;
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

/// The value and the type of a wrapper. `None` if writing the value again would change it, so that unwrapping loses nothing.
pub(crate) fn wrapped(map: &Map) -> Option<(Value, &Value)> {
    let (value, ty) = (map.get("value")?, map.get("type")?);
    if map.len() != 2 {
        return None;
    }
    let read = cty::read(ty).ok()?;
    let typed = from_json(&read, value, Dynamic::Wrapped).ok()?;
    let again = to_json(typed.view(), &read).ok()?;
    (again == *value).then(|| (typed.into_parts().1, ty))
}

/// `value`, of type `ty`, without the wrappers of its dynamic parts.
pub(crate) fn unwrap_as(value: Value, ty: Option<&Value>) -> Value {
    let ty = ty.and_then(|ty| cty::read(ty).ok()).filter(has_dynamic);
    let typed = ty.and_then(|ty| from_json(&ty, &value, Dynamic::Wrapped).ok());
    typed.map_or(value, |typed| typed.into_parts().1)
}

/// A type as written in a configuration: `list(string)`. An invalid type is returned as JSON.
pub(crate) fn type_text(ty: &Value) -> String {
    cty::read(ty).map_or_else(|_| json::to_compact(ty), |ty| cty::expression(&ty))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, plain: &str) {
        let read = json::parse(json.as_bytes(), json::Numbers::Exact).unwrap();
        let mut declared = Map::default();
        let unwrapped = unwrap_dynamic(&read.value, &mut declared);
        assert_eq!(json::to_compact(&unwrapped), plain);
        assert_eq!(declared.is_empty(), json == plain);
    }

    #[test]
    fn wrappers_are_known_by_what_they_hold() {
        check(
            r#"{"a":{"value":["x",1],"type":["tuple",["string","number"]]}}"#,
            r#"{"a":["x",1]}"#,
        );
        check(
            r#"{"a":{"value":{"b":{"value":true,"type":"bool"}},"type":["map","dynamic"]}}"#,
            r#"{"a":{"b":true}}"#,
        );
        check(r#"{"a":{"value":null,"type":"dynamic"}}"#, r#"{"a":null}"#);
        for plain in [
            r#"{"a":{"type":"string","value":5}}"#,
            r#"{"a":{"type":"number","value":"5"}}"#,
            r#"{"a":{"type":["list","number"],"value":[1,"2"]}}"#,
            r#"{"a":{"type":["object",{"x":"string"}],"value":{}}}"#,
            r#"{"a":{"type":"A","value":"192.0.2.1"}}"#,
            r#"{"type":"string","value":"x"}"#,
        ] {
            check(plain, plain);
        }
    }

    #[test]
    fn types_have_their_written_form() {
        let expression = |json: &str| {
            type_text(
                &json::parse(json.as_bytes(), json::Numbers::Exact)
                    .unwrap()
                    .value,
            )
        };
        assert_eq!(
            expression(
                r#"["object",{"a":["list","string"],"b":["tuple",["bool","dynamic"]]},["b"]]"#
            ),
            "object({a = list(string), b = optional(tuple([bool, dynamic]))})"
        );
        assert_eq!(expression(r#"["bag","string"]"#), r#"["bag","string"]"#);
    }
}
