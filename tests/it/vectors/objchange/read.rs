//! The notation of the cases: schemas, types, and self-describing values.

use std::sync::Arc;

use serde_json::Value as Json;
use stacklens::json::{self, Numbers};
use stacklens::terraform::cty::{Path, Segment, Typed};
use stacklens::terraform::schema::Block;
use stacklens::types::{ObjectType, Type, cty};
use stacklens::value::{Bound, Map, Number, Payload, Refinements, Value};

/// The JSON as one of our values.
pub(super) fn ours(json: &Json) -> Value {
    json::parse(json.to_string().as_bytes(), Numbers::Exact)
        .expect("JSON")
        .value
}

/// The type of a case, as JSON or as its text.
pub(super) fn type_of(case: &Json) -> Result<Type, cty::ReadError> {
    match case["type_text"].as_str() {
        Some(text) => cty::parse(text.as_bytes()),
        None => cty::read(&ours(&case["type"])),
    }
}

pub(super) fn ty(json: &Json) -> Type {
    cty::read(&ours(json)).expect("a type")
}

pub(super) fn schema(case: &Json) -> Block {
    Block::read(&ours(&case["schema"])).expect("a schema")
}

/// The expected result of 0.13: from the case if it differs from today, the same as today if only old features are used; `None`
/// if 0.13 did not have the features.
pub(super) fn want_of_0_13<'c>(case: &'c Json, key: &str) -> Option<&'c Json> {
    if let Some(want) = case.get(format!("{key}_v0_13_0")) {
        return Some(want);
    }
    let text = case.to_string();
    let is_old = ["nested_type", "write_only", "refine"]
        .iter()
        .all(|feature| !text.contains(feature))
        && !has_computed_blocks(&case["schema"]);
    is_old.then(|| &case[key])
}

fn has_computed_blocks(block: &Json) -> bool {
    let nested = block.get("block_types").and_then(Json::as_object);
    nested
        .into_iter()
        .flat_map(|map| map.values())
        .any(|nested| {
            nested["block"].get("computed").is_some() || has_computed_blocks(&nested["block"])
        })
}

/// The value under `key` of a case.
pub(super) fn value(case: &Json, key: &str) -> Typed {
    typed(&case[key])
}

pub(super) fn values(case: &Json, key: &str) -> Vec<Typed> {
    case[key]
        .as_array()
        .expect("values")
        .iter()
        .map(typed)
        .collect()
}

/// A value in the self-describing notation.
pub(super) fn typed(json: &Json) -> Typed {
    let (ty, value) = pair(json);
    Typed::new(ty, value).expect("a value of its type")
}

fn pair(json: &Json) -> (Type, Value) {
    match json {
        Json::String(text) => (Type::String, Value::from(text.as_str())),
        Json::Bool(bool) => (Type::Bool, Value::from(*bool)),
        Json::Object(_) => tagged(json),
        other => panic!("no value: {other}"),
    }
}

fn tagged(json: &Json) -> (Type, Value) {
    if let Some(marks) = json.get("marks") {
        let (ty, value) = pair(&json["value"]);
        let names = marks
            .as_array()
            .expect("marks")
            .iter()
            .map(|mark| mark.as_str().expect("a mark"));
        let (secret, labels): (Vec<_>, Vec<_>) = names.partition(|name| *name == "sensitive");
        let value = value.with_labels(labels).with_secret(!secret.is_empty());
        return (ty, value);
    }
    if json.get("n").is_some() {
        return (Type::Number, Value::from(number(json)));
    }
    if let Some(of) = json.get("null") {
        return (ty(of), Value::NULL);
    }
    if let Some(of) = json.get("unknown") {
        let refinements = json
            .get("refine")
            .map(|refine| Arc::new(refinements(refine)));
        return (ty(of), Value::new(Payload::Computed(refinements)));
    }
    for (tag, wrap) in [
        ("list", Type::Array as fn(Arc<Type>) -> Type),
        ("set", Type::Set),
        ("map", Type::Map),
    ] {
        if let Some(items) = json.get(tag) {
            return collection(json, items, wrap);
        }
    }
    if let Some(items) = json.get("tuple") {
        let (types, values): (Vec<_>, Vec<_>) =
            items.as_array().expect("items").iter().map(pair).unzip();
        return (Type::Tuple(types.into()), Value::from(values));
    }
    let mut object = ObjectType::default();
    let mut entries = Vec::new();
    for (name, json) in json["object"].as_object().expect("an object") {
        let (ty, value) = pair(json);
        object.attributes.insert(name.as_str().into(), ty);
        entries.push((name.as_str(), value));
    }
    (Type::Object(object), Map::from_iter(entries).into())
}

fn collection(json: &Json, items: &Json, wrap: fn(Arc<Type>) -> Type) -> (Type, Value) {
    let (types, value): (Vec<Type>, Value) = match items {
        Json::Array(items) => {
            let (types, values): (Vec<_>, Vec<_>) = items.iter().map(pair).unzip();
            (types, values.into())
        }
        Json::Object(entries) => {
            let mut types = Vec::new();
            let mut map = Vec::new();
            for (key, json) in entries {
                let (ty, value) = pair(json);
                types.push(ty);
                map.push((key.as_str(), value));
            }
            (types, Map::from_iter(map).into())
        }
        other => panic!("no collection: {other}"),
    };
    let element = match json.get("of") {
        Some(of) => ty(of),
        None => types
            .into_iter()
            .find(|ty| *ty != Type::Dynamic)
            .unwrap_or(Type::Dynamic),
    };
    (wrap(Arc::new(element)), value)
}

fn number(json: &Json) -> Number {
    let text = json["n"].as_str().expect("a number");
    match text {
        "Infinity" => Number::from(f64::INFINITY),
        "-Infinity" => Number::from(f64::NEG_INFINITY),
        _ if json.get("prec").is_some() => Number::nearest_double(text).expect("a number"),
        _ => Number::exact(text).expect("a number"),
    }
}

fn refinements(json: &Json) -> Refinements {
    let bound = |key: &str| {
        json.get(key).map(|bound| Bound {
            value: number(&bound["value"]),
            inclusive: bound["inclusive"].as_bool().expect("a bool"),
        })
    };
    Refinements {
        not_null: json.get("not_null").and_then(Json::as_bool) == Some(true),
        string_prefix: json
            .get("string_prefix")
            .and_then(Json::as_str)
            .map(Into::into),
        number_min: bound("number_min"),
        number_max: bound("number_max"),
        length_min: json.get("length_min").and_then(Json::as_u64),
        length_max: json.get("length_max").and_then(Json::as_u64),
    }
}

/// Compares as cty does: types, marks and refinements count.
pub(super) fn expect_same(got: &Typed, want: &Typed) -> Result<(), String> {
    if got.view().raw_equals(want.view()) {
        Ok(())
    } else {
        Err(format!("expected {want:?}, got {got:?}"))
    }
}

/// True if a path is the one in the case.
pub(super) fn is_same_path(got: &Path, want: &Json) -> bool {
    let want = want.as_array().expect("a path");
    got.0.len() == want.len()
        && got.0.iter().zip(want).all(|(got, want)| match got {
            Segment::Attribute(name) => want["attr"] == **name,
            Segment::Key(key) => want["index"] == **key,
            Segment::Index(index) => want["index"]["n"].as_str() == Some(&index.to_string()),
            Segment::Element(element) => {
                let want: Typed = typed(&want["index"]);
                element.view().raw_equals(want.view())
            }
        })
}
