//! Values as Pulumi's files store them, for display: values that cannot be decoded are hidden.

use crate::pulumi::wire;
use crate::value::{Map, Payload, Value};

/// Decodes a stored value.
pub(crate) fn decode(stored: &Value) -> Value {
    wire::decode_state_leniently(stored, None)
}

/// Restores secrets in a stored form in which they were blinded (replaced by the text `[secret]`).
pub(crate) fn unblind(blinded: &Value) -> Value {
    if !has_blinded(blinded) {
        return blinded.clone();
    }
    match blinded.payload() {
        Payload::String(text) if text.as_str() == Some(wire::REDACTED) => Map::from_iter([
            (wire::SIGNATURE, Value::from(wire::SECRET)),
            ("ciphertext", Value::from(wire::REDACTED)),
        ])
        .into(),
        Payload::Map(map) if map.contains_key(wire::SIGNATURE) => blinded.clone(),
        _ => blinded.with_parts(|_, it| unblind(it)),
    }
}

/// True if the value, or one below it, is blinded.
fn has_blinded(value: &Value) -> bool {
    value.any(|it| it.as_str() == Some(wire::REDACTED))
}
