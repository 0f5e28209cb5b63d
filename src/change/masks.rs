//! Masks: a plan's marks for unknown and sensitive values, folded into the values as markers.
//!
//! A plan in JSON shows a value three times: its content, where it is unknown (`after_unknown`), and where it is sensitive
//! (`before_sensitive`, `after_sensitive`; in a state `sensitive_values`). A mask mirrors the content with `true` at the places
//! that it marks. The three become one [`Value`]: unknown is [`Payload::Computed`], sensitive is the secret marker, at the very
//! places where the mask is `true`.
//!
//! # Source
//!
//! Terraform `internal/command/jsonplan`, `jsonstate`. In objects and maps unknown values are left out of the content. In lists
//! and sets they are null. Masks leave out `false` in objects and keep it in lists. A mask of `true` covers everything below.

use std::sync::Arc;

use crate::value::{Array, Map, Payload, Value};

/// `content` with the places marked that the masks name; `None` for a missing mask.
///
/// A mask of unknown places is ignored where its shape differs from the content, except that an unknown key may be missing from
/// the content. A mask of sensitive places fails closed: see [`fold_sensitive`].
///
/// ```
/// use stacklens::json::{Numbers, parse};
/// use stacklens::change::masks::fold;
///
/// let [content, unknown, sensitive] = [r#"{"a":"x","b":[null]}"#, r#"{"b":[true],"id":true}"#, r#"{"a":true}"#]
///     .map(|json| parse(json.as_bytes(), Numbers::Exact).unwrap().value);
/// let folded = fold(&content, Some(&unknown), Some(&sensitive));
/// assert_eq!(folded.to_string(), "{a: [secret], b: [[unknown]], id: [unknown]}");
/// ```
pub fn fold(content: &Value, unknown: Option<&Value>, sensitive: Option<&Value>) -> Value {
    let folded = fold_unknown(content, unknown);
    match sensitive.filter(|mask| !mask.is_null()) {
        Some(mask) => fold_sensitive(&folded, mask),
        None => folded,
    }
}

fn fold_unknown(content: &Value, unknown: Option<&Value>) -> Value {
    let Some(unknown) = unknown.filter(|mask| says_something(mask)) else {
        return content.clone();
    };
    if unknown.as_bool() == Some(true) {
        return Value::computed();
    }
    match content.payload() {
        Payload::Array(array) => content
            .clone()
            .with_payload(Payload::Array(elements(array, unknown))),
        Payload::Map(map) => content
            .clone()
            .with_payload(Payload::Map(entries(map, unknown))),
        // The content is left out, together with all of its known parts.
        Payload::Null if has_unknown(unknown) => match unknown.as_map() {
            Some(mask) => mask
                .iter()
                .map(|(key, mask)| (key.clone(), fold_unknown(&Value::NULL, Some(mask))))
                .collect::<Map>()
                .into(),
            None => content.clone(),
        },
        _ => content.clone(),
    }
}

/// `content` with the places marked secret that `mask` names.
///
/// It fails closed. If the mask has another shape than the content, or is not a valid mask, the content there is secret as a
/// whole. Elements past the end of the mask are secret. An array is secret if the mask names an element that it does not have.
/// A missing key has no content to hide.
pub fn fold_sensitive(content: &Value, mask: &Value) -> Value {
    let folded = match (content.payload(), mask.payload()) {
        // There is nothing to hide in a null, an unknown value or a place marked `false`.
        (_, Payload::Bool(false))
        | (Payload::Null | Payload::Computed(_), Payload::Map(_) | Payload::Array(_)) => {
            return content.clone();
        }
        (Payload::Map(map), Payload::Map(masks)) => {
            let entry = |(key, value): (&Arc<str>, &Value)| {
                let folded = match masks.get(key) {
                    Some(mask) => fold_sensitive(value, mask),
                    None => value.clone(),
                };
                (key.clone(), folded)
            };
            Payload::Map(map.iter().map(entry).collect())
        }
        (Payload::Array(items), Payload::Array(masks)) => {
            if masks.iter().skip(items.len()).any(may_hide) {
                return content.clone().with_secret(true);
            }
            let element = |(index, item): (usize, &Value)| match masks.get(index) {
                Some(mask) => fold_sensitive(item, mask),
                None => item.clone().with_secret(true),
            };
            Payload::Array(items.iter().enumerate().map(element).collect())
        }
        _ => return content.clone().with_secret(true),
    };
    content.clone().with_payload(folded)
}

/// JSON of a plan or state with all places marked secret whose masks stand beside them: `before` and `before_sensitive`, `values` and
/// `sensitive_values`, the `value` of what is `sensitive`.
pub fn fold_twins(json: &Value) -> Value {
    let payload = match json.payload() {
        Payload::Map(map) => Payload::Map(
            map.iter()
                .map(|(key, value)| {
                    let twin = |name: &str| map.get(name).filter(|mask| !mask.is_null());
                    let mask = twin(&format!("{key}_sensitive"))
                        .or_else(|| twin(&format!("sensitive_{key}")))
                        .or_else(|| twin("sensitive").filter(|_| &**key == "value"));
                    let value = match mask {
                        Some(mask) => fold_sensitive(value, mask),
                        None => value.clone(),
                    };
                    (key.clone(), fold_twins(&value))
                })
                .collect(),
        ),
        Payload::Array(items) => Payload::Array(items.iter().map(fold_twins).collect()),
        _ => return json.clone(),
    };
    json.clone().with_payload(payload)
}

/// `content` with the places marked that `mask`, the mask of the other side of a change, names by keys alone. Elements of
/// arrays may have moved. They are masked like those of the other side ([`Value::masked_like`]).
pub fn fold_other_side(content: &Value, mask: &Value) -> Value {
    match (content.payload(), mask.payload()) {
        (_, Payload::Bool(true) | Payload::Number(_) | Payload::String(_)) => {
            content.clone().with_mirrored_secret()
        }
        (Payload::Map(map), Payload::Map(masks)) => {
            let entry = |(key, value): (&Arc<str>, &Value)| {
                let folded = match masks.get(key) {
                    Some(mask) => fold_other_side(value, mask),
                    None => value.clone(),
                };
                (key.clone(), folded)
            };
            let folded = map.iter().map(entry).collect();
            content.clone().with_payload(Payload::Map(folded))
        }
        _ => content.clone(),
    }
}

/// True if a mask of sensitive places may name a place.
fn may_hide(mask: &Value) -> bool {
    match mask.payload() {
        Payload::Bool(hides) => *hides,
        Payload::Map(masks) => masks.values().any(may_hide),
        Payload::Array(masks) => masks.iter().any(may_hide),
        _ => true,
    }
}

/// True unless a mask is `false`, `{}`, `[]` or null.
fn says_something(mask: &Value) -> bool {
    match mask.payload() {
        Payload::Bool(bool) => *bool,
        Payload::Array(array) => !array.is_empty(),
        Payload::Map(map) => !map.is_empty(),
        _ => false,
    }
}

/// True if `mask` names any place.
pub fn has_unknown(mask: &Value) -> bool {
    match mask.payload() {
        Payload::Bool(bool) => *bool,
        Payload::Map(masks) => masks.values().any(has_unknown),
        Payload::Array(masks) => masks.iter().any(has_unknown),
        _ => false,
    }
}

fn elements(array: &Array, unknown: &Value) -> Array {
    let masks = unknown.as_array();
    let element = |index| {
        let unknown = masks.and_then(|masks| masks.get(index));
        let content = array.get(index);
        let is_left_out = content.is_none() && !unknown.is_some_and(has_unknown);
        (!is_left_out).then(|| fold_unknown(content.unwrap_or(&Value::NULL), unknown))
    };
    let n_masks = masks.map_or(0, Array::len);
    (0..array.len().max(n_masks)).filter_map(element).collect()
}

fn entries(map: &Map, unknown: &Value) -> Map {
    let entry =
        |(key, value): (&Arc<str>, &Value)| (key.clone(), fold_unknown(value, unknown.get(key)));
    let left_out = unknown.as_map().into_iter().flatten();
    let left_out = left_out
        .filter(|(key, mask)| has_unknown(mask) && !map.contains_key(key))
        .map(|(key, mask)| (key.clone(), fold_unknown(&Value::NULL, Some(mask))));
    map.iter().map(entry).chain(left_out).collect()
}
