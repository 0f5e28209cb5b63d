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
    // Without an unknown place the content stays as it is, and nothing is copied.
    let Some(unknown) = unknown.filter(|mask| has_unknown(mask)) else {
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
        Payload::Null => match unknown.as_map() {
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
    sensitive(content, mask).unwrap_or_else(|| content.clone())
}

/// The result of [`fold_sensitive`]; `None` if nothing is hidden. Most masks hide nothing, and then nothing is copied.
fn sensitive(content: &Value, mask: &Value) -> Option<Value> {
    let folded = match (content.payload(), mask.payload()) {
        // There is nothing to hide in a null, an unknown value or a place marked `false`.
        (_, Payload::Bool(false))
        | (Payload::Null | Payload::Computed(_), Payload::Map(_) | Payload::Array(_)) => {
            return None;
        }
        (Payload::Map(map), Payload::Map(masks)) => Payload::Map(by_key(map, masks, sensitive)?),
        (Payload::Array(items), Payload::Array(masks)) => {
            if masks.iter().skip(items.len()).any(may_hide) {
                return Some(content.clone().with_secret(true));
            }
            let element = |(index, item): (usize, &Value)| match masks.get(index) {
                Some(mask) => sensitive(item, mask),
                None => Some(item.clone().with_secret(true)),
            };
            let folded: Vec<Option<Value>> = items.iter().enumerate().map(element).collect();
            if folded.iter().all(Option::is_none) {
                return None;
            }
            let folded = folded.into_iter().zip(items);
            Payload::Array(
                folded
                    .map(|(folded, item)| folded.unwrap_or_else(|| item.clone()))
                    .collect(),
            )
        }
        _ => return Some(content.clone().with_secret(true)),
    };
    Some(content.clone().with_payload(folded))
}

/// `map` with each value folded by the mask of its key; `None` if that changes none of them.
fn by_key(map: &Map, masks: &Map, fold: fn(&Value, &Value) -> Option<Value>) -> Option<Map> {
    let mut changed: Option<Map> = None;
    for (key, mask) in masks {
        if let Some(value) = map.get(key).and_then(|value| fold(value, mask)) {
            let folded = changed.take().unwrap_or_else(|| map.clone());
            changed = Some(folded.set(key.clone(), value));
        }
    }
    changed
}

/// JSON of a plan or state with all places marked secret whose masks stand beside them: `before` and `before_sensitive`, `values` and
/// `sensitive_values`, the `value` of what is `sensitive`.
pub fn fold_twins(json: &Value) -> Value {
    let map = json.as_map();
    json.with_parts(|key, value| {
        let (Some(key), Some(map)) = (key, map) else {
            return fold_twins(value);
        };
        let twin = |name: &str| map.get(name).filter(|mask| !mask.is_null());
        let mask = twin(&format!("{key}_sensitive"))
            .or_else(|| twin(&format!("sensitive_{key}")))
            .or_else(|| twin("sensitive").filter(|_| &**key == "value"));
        fold_twins(&mask.map_or_else(|| value.clone(), |mask| fold_sensitive(value, mask)))
    })
}

/// `content` with the places marked that `mask`, the mask of the other side of a change, names by keys alone. Elements of
/// arrays may have moved. They are masked like those of the other side ([`Value::masked_like`]).
pub fn fold_other_side(content: &Value, mask: &Value) -> Value {
    other_side(content, mask).unwrap_or_else(|| content.clone())
}

/// The result of [`fold_other_side`]; `None` if nothing is hidden.
fn other_side(content: &Value, mask: &Value) -> Option<Value> {
    match (content.payload(), mask.payload()) {
        (_, Payload::Bool(true) | Payload::Number(_) | Payload::String(_)) => {
            Some(content.clone().with_mirrored_secret())
        }
        (Payload::Map(map), Payload::Map(masks)) => {
            let folded = by_key(map, masks, other_side)?;
            Some(content.clone().with_payload(Payload::Map(folded)))
        }
        _ => None,
    }
}

/// True if a mask of sensitive places may name a place.
fn may_hide(mask: &Value) -> bool {
    mask.any(|mask| {
        let payload = mask.payload();
        !matches!(
            payload,
            Payload::Bool(false) | Payload::Map(_) | Payload::Array(_)
        )
    })
}

/// True if `mask` names any place.
pub fn has_unknown(mask: &Value) -> bool {
    mask.any(|mask| mask.as_bool() == Some(true))
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
