//! Masks: what a plan's JSON says beside a value, folded into it as markers.
//!
//! A plan in JSON shows a value three times: its content, where it is unknown (`after_unknown`), and where it is sensitive
//! (`before_sensitive`, `after_sensitive`; in a state `sensitive_values`). A mask mirrors the content with `true` at the places that
//! it speaks of. The three become one [`Value`]: unknown is [`Payload::Computed`], sensitive is the
//! secret marker, at the very places where the mask says `true`.
//!
//! # Source
//!
//! Terraform `internal/command/jsonplan`, `jsonstate`: in objects and maps unknown values are left out of the content, in lists and
//! sets they are null; masks leave out what is `false` in objects and keep it in lists; a mask of `true` covers all below.

use std::sync::Arc;

use crate::schema::{Attribute, Block, Nesting};
use crate::value::{Array, Map, Payload, Value};

/// `content` with the places marked that the masks name; `None` for a mask that there is not.
///
/// Masks that do not fit the content speak of nothing, except that an unknown key need not be there.
///
/// ```
/// use stacklens::json::{Numbers, parse};
/// use stacklens::objchange::masks::fold;
///
/// let [content, unknown, sensitive] = [r#"{"a":"x","b":[null]}"#, r#"{"b":[true],"id":true}"#, r#"{"a":true}"#]
///     .map(|json| parse(json.as_bytes(), Numbers::Exact).unwrap().value);
/// let folded = fold(&content, Some(&unknown), Some(&sensitive));
/// assert_eq!(folded.to_string(), "{a: [secret], b: [[unknown]], id: [unknown]}");
/// ```
pub fn fold(content: &Value, unknown: Option<&Value>, sensitive: Option<&Value>) -> Value {
    let unknown = unknown.filter(|mask| says_something(mask));
    let sensitive = sensitive.filter(|mask| says_something(mask));
    if unknown.is_none() && sensitive.is_none() {
        return content.clone();
    }
    let is_true = |mask: Option<&Value>| mask.and_then(Value::as_bool) == Some(true);
    let folded = if is_true(unknown) {
        Value::computed()
    } else {
        match content.payload() {
            Payload::Array(array) => content
                .clone()
                .with_payload(Payload::Array(elements(array, unknown, sensitive))),
            Payload::Map(map) => content
                .clone()
                .with_payload(Payload::Map(entries(map, unknown, sensitive))),
            // The content is left out, and so are all of its known parts.
            Payload::Null => match unknown.filter(|mask| has_unknown(mask)).map(Value::payload) {
                Some(Payload::Map(mask)) => mask
                    .iter()
                    .map(|(key, mask)| (key.clone(), fold(&Value::NULL, Some(mask), None)))
                    .collect::<Map>()
                    .into(),
                _ => content.clone(),
            },
            _ => content.clone(),
        }
    };
    if is_true(sensitive) {
        folded.with_secret(true)
    } else {
        folded
    }
}

/// The attributes of a resource, with those marked that its schema calls sensitive. Plans of old have no masks of their own.
pub fn fold_schema(value: &Value, schema: &Block) -> Value {
    inside(value, |key, value| {
        if let Some(attribute) = schema.attributes().get(key) {
            return of_attribute(value, attribute);
        }
        match schema.blocks().get(key) {
            Some(nested) => each(value, nested.nesting, &|value| {
                fold_schema(value, &nested.block)
            }),
            None => value.clone(),
        }
    })
}

fn of_attribute(value: &Value, attribute: &Attribute) -> Value {
    if attribute.flags.sensitive && !value.is_null() {
        return value.clone().with_secret(true);
    }
    let Some(nested) = &attribute.nested else {
        return value.clone();
    };
    each(value, nested.nesting, &|value| {
        inside(value, |key, value| match nested.attributes().get(key) {
            Some(attribute) => of_attribute(value, attribute),
            None => value.clone(),
        })
    })
}

/// The objects of an attribute or a block, each changed by `change`.
fn each(value: &Value, nesting: Nesting, change: &dyn Fn(&Value) -> Value) -> Value {
    match (nesting, value.payload()) {
        (Nesting::Single | Nesting::Group, _) => change(value),
        (_, Payload::Array(items)) => {
            let items = items.iter().map(change).collect();
            value.clone().with_payload(Payload::Array(items))
        }
        _ => inside(value, |_, value| change(value)),
    }
}

/// A map with its values changed; anything else as it is.
fn inside(value: &Value, change: impl Fn(&str, &Value) -> Value) -> Value {
    let Payload::Map(map) = value.payload() else {
        return value.clone();
    };
    let entries = map
        .iter()
        .map(|(key, value)| (key.clone(), change(key, value)));
    let entries = entries.collect::<Map>();
    value.clone().with_payload(Payload::Map(entries))
}

/// Whether a mask is anything but `false`, `{}`, `[]` or null.
fn says_something(mask: &Value) -> bool {
    match mask.payload() {
        Payload::Bool(bool) => *bool,
        Payload::Array(array) => !array.is_empty(),
        Payload::Map(map) => !map.is_empty(),
        _ => false,
    }
}

/// Whether `mask` names any place.
pub fn has_unknown(mask: &Value) -> bool {
    match mask.payload() {
        Payload::Bool(bool) => *bool,
        Payload::Map(masks) => masks.values().any(has_unknown),
        Payload::Array(masks) => masks.iter().any(has_unknown),
        _ => false,
    }
}

fn elements(array: &Array, unknown: Option<&Value>, sensitive: Option<&Value>) -> Array {
    let at = |mask: Option<&Value>, index| mask?.as_array()?.get(index).cloned();
    let n_masks = unknown.and_then(Value::as_array).map_or(0, Array::len);
    let element = |index| {
        let (unknown, sensitive) = (at(unknown, index), at(sensitive, index));
        let content = array.get(index);
        let is_left_out = content.is_none() && !unknown.as_ref().is_some_and(has_unknown);
        let content = content.unwrap_or(&Value::NULL);
        (!is_left_out).then(|| fold(content, unknown.as_ref(), sensitive.as_ref()))
    };
    (0..array.len().max(n_masks)).filter_map(element).collect()
}

fn entries(map: &Map, unknown: Option<&Value>, sensitive: Option<&Value>) -> Map {
    let at = |mask: Option<&Value>, key: &str| mask?.get(key).cloned();
    let entry = |(key, value): (&Arc<str>, &Value)| {
        let (unknown, sensitive) = (at(unknown, key), at(sensitive, key));
        (
            key.clone(),
            fold(value, unknown.as_ref(), sensitive.as_ref()),
        )
    };
    let left_out = unknown.and_then(Value::as_map).into_iter().flatten();
    let left_out = left_out
        .filter(|(key, mask)| has_unknown(mask) && !map.contains_key(key))
        .map(|(key, mask)| {
            let sensitive = at(sensitive, key);
            (
                key.clone(),
                fold(&Value::NULL, Some(mask), sensitive.as_ref()),
            )
        });
    map.iter().map(entry).chain(left_out).collect()
}
