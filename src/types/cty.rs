//! cty's JSON syntax for types: `"string"`, `["list", T]`, `["object", {name: T}, [optional names]]`.
//!
//! cty has these variants of [`Type`]: bool, number, string, `dynamic`, list ([`Type::Array`]), set, map, tuple and object.
//!
//! # Source
//!
//! zclconf/go-cty 1.18.1, `cty/json.go`: an attribute name is NFC; `null` is read as no attributes and as no elements. A tuple that
//! was read from `null` is written with `null` again.

use std::sync::Arc;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::{ObjectType, TupleType, Type};
use crate::json::{self, Numbers};
use crate::text::escaped;
use crate::value::{Array, Map, Payload, Value};

/// Maximum nesting depth of a type. Types written by people stay below 20. Types are walked recursively, so the limit is enforced
/// when they are read.
pub const MAX_DEPTH: usize = 200;

/// The reason why a text or value is not a cty type.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(#[source] json::ParseError),
    /// The JSON is not a type.
    #[error("expected {expected} in a type, found {found}")]
    Unexpected {
        /// Description of the JSON allowed there.
        expected: &'static str,
        /// The kind of the JSON found there, or its name.
        found: String,
    },
    /// The type nests deeper than [`MAX_DEPTH`].
    #[error("a type nests deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

impl ReadError {
    fn unexpected(expected: &'static str, found: &Value) -> Self {
        let found = match found.payload() {
            Payload::String(text) => {
                // A longer name is not a typing mistake, so it is cut off.
                let name: String = text.to_str_lossy().chars().take(40).collect();
                format!("`{}`", escaped(&name))
            }
            payload => format!("{payload:?}"),
        };
        Self::Unexpected { expected, found }
    }
}

/// The type that a JSON text describes. As in the original, what follows a closing bracket that nothing opened is ignored.
pub fn parse(text: &[u8]) -> Result<Type, ReadError> {
    let parsed = json::parse(text, Numbers::Exact).or_else(|why| match text.get(why.offset) {
        Some(b']' | b'}') => json::parse(&text[..why.offset], Numbers::Exact).map_err(|_| why),
        _ => Err(why),
    });
    read(&parsed.map_err(ReadError::Json)?.value)
}

/// The type that a JSON value describes.
pub fn read(json: &Value) -> Result<Type, ReadError> {
    read_below(json, MAX_DEPTH)
}

fn read_below(json: &Value, depth: usize) -> Result<Type, ReadError> {
    let depth = depth.checked_sub(1).ok_or(ReadError::TooDeep)?;
    match json.payload() {
        Payload::String(name) => match name.as_str() {
            Some("bool") => Ok(Type::Bool),
            Some("number") => Ok(Type::Number),
            Some("string") => Ok(Type::String),
            Some("dynamic") => Ok(Type::Dynamic),
            _ => Err(ReadError::unexpected(
                "bool, number, string or dynamic",
                json,
            )),
        },
        Payload::Array(parts) => read_compound(json, parts.as_slice(), depth),
        _ => Err(ReadError::unexpected("a name or an array", json)),
    }
}

fn read_compound(json: &Value, parts: &[Value], depth: usize) -> Result<Type, ReadError> {
    let (Some(kind), Some(of)) = (parts.first(), parts.get(1)) else {
        return Err(ReadError::unexpected("a kind and what it holds", json));
    };
    let element = || read_below(of, depth).map(Arc::new);
    match (kind.as_str(), parts.len()) {
        (Some("list"), 2) => element().map(Type::Array),
        (Some("set"), 2) => element().map(Type::Set),
        (Some("map"), 2) => element().map(Type::Map),
        (Some("tuple"), 2) => match of.payload() {
            Payload::Null => Ok(Type::Tuple(TupleType::null())),
            Payload::Array(elements) => elements
                .iter()
                .map(|element| read_below(element, depth))
                .collect::<Result<_, _>>()
                .map(Type::Tuple),
            _ => Err(ReadError::unexpected("an array of types", of)),
        },
        (Some("object"), 2 | 3) => read_object(of, parts.get(2), depth).map(Type::Object),
        (Some("list" | "set" | "map" | "tuple" | "object"), _) => {
            Err(ReadError::unexpected("nothing more", json))
        }
        _ => Err(ReadError::unexpected(
            "list, set, map, tuple or object",
            kind,
        )),
    }
}

fn read_object(
    of: &Value,
    optional: Option<&Value>,
    depth: usize,
) -> Result<ObjectType, ReadError> {
    let mut object = ObjectType::default();
    match of.payload() {
        Payload::Null => {}
        Payload::Map(attributes) => {
            for (name, json) in attributes {
                object
                    .attributes
                    .insert(normal_name(name), read_below(json, depth)?);
            }
        }
        _ => return Err(ReadError::unexpected("an object of types", of)),
    }
    let names = match optional.map(Value::payload) {
        None | Some(Payload::Null) => return Ok(object),
        Some(Payload::Array(names)) => names,
        Some(_) => {
            return Err(ReadError::unexpected(
                "an array of names",
                optional.unwrap_or(&Value::NULL),
            ));
        }
    };
    for name in names {
        let known = name
            .as_str()
            .map(|name| normal_name(&Arc::from(name)))
            .filter(|name| object.attributes.contains_key(name));
        object
            .optional
            .insert(known.ok_or_else(|| ReadError::unexpected("the name of an attribute", name))?);
    }
    Ok(object)
}

/// `name` in normalization form C, as cty stores names, keys and strings.
pub(crate) fn normal_name(name: &Arc<str>) -> Arc<str> {
    if is_nfc_quick(name.chars()) == IsNormalized::Yes {
        name.clone()
    } else {
        name.nfc().collect::<String>().into()
    }
}

/// The JSON that describes `of`; `None` if cty has no such type. Names are sorted.
pub fn to_json(of: &Type) -> Option<Value> {
    let compound = |kind: &str, of: Value| Value::from(vec![Value::from(kind), of]);
    Some(match of {
        Type::Bool => Value::from("bool"),
        Type::Number => Value::from("number"),
        Type::String => Value::from("string"),
        Type::Dynamic => Value::from("dynamic"),
        Type::Array(element) => compound("list", to_json(element)?),
        Type::Set(element) => compound("set", to_json(element)?),
        Type::Map(element) => compound("map", to_json(element)?),
        Type::Tuple(elements) if elements.is_null => compound("tuple", Value::NULL),
        Type::Tuple(elements) => {
            let elements: Option<Array> = elements.iter().map(to_json).collect();
            compound("tuple", elements?.into())
        }
        Type::Object(object) => {
            let mut names: Vec<_> = object.attributes.iter().collect();
            names.sort_unstable_by_key(|(name, _)| *name);
            let attributes: Option<Map> = names
                .into_iter()
                .map(|(name, of)| Some((name.clone(), to_json(of)?)))
                .collect();
            let mut parts = vec![Value::from("object"), attributes?.into()];
            if !object.optional.is_empty() {
                let optional: Array = object
                    .optional
                    .iter()
                    .map(|name| Value::from(&**name))
                    .collect();
                parts.push(optional.into());
            }
            parts.into()
        }
        _ => return None,
    })
}

/// The type in plain English, as in Terraform's messages: "list of string". An object is "object", whatever its attributes.
pub fn friendly_name(of: &Type) -> String {
    match of {
        Type::Array(element) => format!("list of {}", friendly_name(element)),
        Type::Set(element) => format!("set of {}", friendly_name(element)),
        Type::Map(element) => format!("map of {}", friendly_name(element)),
        Type::Tuple(_) => "tuple".to_owned(),
        Type::Object(_) => "object".to_owned(),
        Type::Dynamic => "dynamic".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Number => "number".to_owned(),
        Type::String => "string".to_owned(),
        _ => "not a cty type".to_owned(),
    }
}

/// The type as written in a configuration: `list(string)`; "" if cty has no such type.
pub fn expression(of: &Type) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    match of {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => friendly_name(of),
        Type::Array(element) => format!("list({})", expression(element)),
        Type::Set(element) => format!("set({})", expression(element)),
        Type::Map(element) => format!("map({})", expression(element)),
        Type::Tuple(elements) => {
            format!(
                "tuple([{}])",
                list(elements.iter().map(expression).collect())
            )
        }
        Type::Object(object) => {
            let attributes = object.attributes.iter().map(|(name, of)| {
                let of = expression(of);
                if object.optional.contains(name) {
                    format!("{name} = optional({of})")
                } else {
                    format!("{name} = {of}")
                }
            });
            format!("object({{{}}})", list(attributes.collect()))
        }
        _ => String::new(),
    }
}

/// True if the type contains `dynamic` at any depth.
pub fn has_dynamic(of: &Type) -> bool {
    match of {
        Type::Dynamic => true,
        Type::Array(element) | Type::Set(element) | Type::Map(element) => has_dynamic(element),
        Type::Tuple(elements) => elements.iter().any(has_dynamic),
        Type::Object(object) => object.attributes.values().any(has_dynamic),
        _ => false,
    }
}

/// The same type with no attribute optional, at any depth: the type of its values.
#[must_use]
pub fn without_optional(of: &Type) -> Type {
    let element = |element: &Arc<Type>| Arc::new(without_optional(element));
    match of {
        Type::Array(of) => Type::Array(element(of)),
        Type::Set(of) => Type::Set(element(of)),
        Type::Map(of) => Type::Map(element(of)),
        Type::Tuple(elements) => Type::Tuple(elements.iter().map(without_optional).collect()),
        Type::Object(object) => Type::Object(ObjectType {
            attributes: object
                .attributes
                .iter()
                .map(|(name, of)| (name.clone(), without_optional(of)))
                .collect(),
            ..ObjectType::default()
        }),
        other => other.clone(),
    }
}

/// True if a value of type `given` is allowed for a place of type `wanted`: they are equal except where `wanted` has `dynamic`.
///
/// # Source
///
/// zclconf/go-cty 1.18.1, `Type.TestConformance`.
pub fn conforms(given: &Type, wanted: &Type) -> bool {
    match (given, wanted) {
        (_, Type::Dynamic) => true,
        (Type::Array(given), Type::Array(wanted))
        | (Type::Set(given), Type::Set(wanted))
        | (Type::Map(given), Type::Map(wanted)) => {
            Arc::ptr_eq(given, wanted) || conforms(given, wanted)
        }
        (Type::Tuple(given), Type::Tuple(wanted)) => {
            given.len() == wanted.len()
                && given
                    .iter()
                    .zip(&**wanted)
                    .all(|(given, wanted)| conforms(given, wanted))
        }
        (Type::Object(given), Type::Object(wanted)) => {
            given.attributes.len() == wanted.attributes.len()
                && wanted.attributes.iter().all(|(name, wanted)| {
                    given
                        .attributes
                        .get(name)
                        .is_some_and(|given| conforms(given, wanted))
                })
        }
        _ => given == wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, friendly: &str) {
        let read = parse(text.as_bytes()).expect("a type");
        assert_eq!(friendly_name(&read), friendly);
        assert_eq!(
            json::to_compact(&to_json(&read).expect("a cty type")),
            text.replace(' ', "")
        );
    }

    #[test]
    fn reads_and_prints() {
        check(r#"["list", ["map", "string"]]"#, "list of map of string");
        check(r#"["object", {"a": "dynamic"}, ["a"]]"#, "object");
        check(r#"["tuple", []]"#, "tuple");
        check(r#"["map", ["tuple", null]]"#, "map of tuple");
        assert_eq!(parse(br#"["tuple", []]"#), parse(br#"["tuple", null]"#));
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |text: &str| parse(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            error(r#""int""#),
            "expected bool, number, string or dynamic in a type, found `int`"
        );
        assert_eq!(
            error(r#"["object", {}, ["a"]]"#),
            "expected the name of an attribute in a type, found `a`"
        );
        let deep = format!(
            r#"{}"string"{}"#,
            r#"["list","#.repeat(500),
            "]".repeat(500)
        );
        assert_eq!(parse(deep.as_bytes()), Err(ReadError::TooDeep));
    }

    #[test]
    fn conformance_goes_one_way() {
        let [dynamic, string] = [r#"["list", "dynamic"]"#, r#"["list", "string"]"#]
            .map(|text| parse(text.as_bytes()).expect("a type"));
        assert!(conforms(&string, &dynamic));
        assert!(!conforms(&dynamic, &string));
    }
}
