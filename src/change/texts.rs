//! The texts of a value that nothing masks.

use crate::value::{Payload, Value};

/// Calls `take` with each of them, in the order of the value.
pub fn each_text(value: &Value, take: &mut dyn FnMut(&str)) {
    match value.payload() {
        _ if value.is_secret() => {}
        Payload::Map(map) => map.values().for_each(|it| each_text(it, take)),
        Payload::Array(items) => items.iter().for_each(|it| each_text(it, take)),
        _ => value.as_str().into_iter().for_each(take),
    }
}
