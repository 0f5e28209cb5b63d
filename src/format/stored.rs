//! Values as Pulumi's files store them, for looking at: what cannot be decoded stays as it is written.

use crate::value::{Map, Payload, Value};
use crate::wire;

/// The value that `stored` means.
pub(super) fn decode(stored: &Value) -> Value {
    wire::decode_state_leniently(stored, None).0
}

/// A stored form in which secrets were blinded (the text `[secret]` in their place), with proper secrets again.
pub(super) fn unblind(blinded: &Value) -> Value {
    match blinded.payload() {
        Payload::String(text) if text.as_str() == Some(wire::REDACTED) => Map::from_iter([
            (wire::SIGNATURE, Value::from(wire::SECRET)),
            ("ciphertext", Value::from(wire::REDACTED)),
        ])
        .into(),
        Payload::Map(map) if !map.contains_key(wire::SIGNATURE) => map
            .iter()
            .map(|(key, value)| (key.clone(), unblind(value)))
            .collect::<Map>()
            .into(),
        Payload::Array(items) => items.iter().map(unblind).collect::<Vec<_>>().into(),
        _ => blinded.clone(),
    }
}
