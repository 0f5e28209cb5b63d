//! Fields of JSON objects, read leniently: a field of the wrong type counts as absent.

use std::sync::Arc;

use crate::value::{Map, Value};

/// The fields besides the `known` ones and those that are null.
pub(super) fn others(map: &Map, known: &[&str]) -> impl Iterator<Item = (Arc<str>, Value)> {
    let is_other =
        |(key, value): &(&Arc<str>, &Value)| !known.contains(&&***key) && !value.is_null();
    let others = map.iter().filter(is_other);
    others.map(|(key, value)| (key.clone(), value.clone()))
}

/// A field that should be a string; "" if it is not.
pub(super) fn text<'v>(map: &'v Map, key: &str) -> &'v str {
    map.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A field that should be true or false.
pub(super) fn flag(map: &Map, key: &str) -> bool {
    map.get(key).and_then(Value::as_bool).unwrap_or_default()
}

/// A field that makes something secret: true unless it is left out, null or plainly false.
pub(super) fn may_be(map: &Map, key: &str) -> bool {
    map.get(key)
        .is_some_and(|value| !value.is_null() && value.as_bool() != Some(false))
}

/// The strings of a field that should be a list of strings.
pub(super) fn texts<'v>(map: &'v Map, key: &str) -> impl Iterator<Item = &'v str> + use<'v> {
    items(map, key).filter_map(Value::as_str)
}

/// The elements of a field that should be a list.
pub(super) fn items<'v>(map: &'v Map, key: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    map.get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flat_map(|array| array.iter())
}

/// A field that is an object.
pub(super) fn object<'v>(map: &'v Map, key: &str) -> Option<&'v Map> {
    map.get(key).and_then(Value::as_map)
}

/// A field that should be a whole number.
pub(super) fn whole(map: &Map, key: &str) -> Option<u64> {
    whole_of(map.get(key)?)
}

/// `value` as a whole number, if it is one.
pub(super) fn whole_of(value: &Value) -> Option<u64> {
    value.as_number()?.to_string().parse().ok()
}

/// The kind of a value that was read from JSON, in JSON's words.
pub(super) fn kind(value: &Value) -> &'static str {
    use crate::value::Payload;
    match value.payload() {
        Payload::Bool(_) => "true or false",
        Payload::Map(_) => "an object",
        payload => payload.found(),
    }
}
