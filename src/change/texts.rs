//! The texts of values.

use std::borrow::Cow;

use crate::value::{Map, Payload, Value};

/// Calls `take` with each text in a value that nothing masks, in the order of the value.
pub fn each_text(value: &Value, take: &mut dyn FnMut(&str)) {
    if value.is_secret() {
        return;
    }
    if let Some(text) = value.as_str() {
        take(text);
    }
    let entries = value.as_map().into_iter().flat_map(Map::values);
    let below = entries.chain(value.as_array().into_iter().flatten());
    below.for_each(|it| each_text(it, take));
}

/// A text, a number or a switch as a text. `None` for what is masked, and for any other value.
pub(crate) fn plain_text(value: &Value) -> Option<Cow<'_, str>> {
    if value.is_secret() {
        return None;
    }
    match value.payload() {
        Payload::String(text) => text.as_str().map(Cow::Borrowed),
        Payload::Number(number) => Some(Cow::Owned(number.to_plain(20))),
        Payload::Bool(true) => Some(Cow::Borrowed("true")),
        Payload::Bool(false) => Some(Cow::Borrowed("false")),
        _ => None,
    }
}
