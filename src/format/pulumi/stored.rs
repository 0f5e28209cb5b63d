//! Values as Pulumi's files store them, for display: values that cannot be decoded are hidden.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::pulumi::wire;
use crate::value::{Map, Payload, Value};

/// Decodes a stored value.
pub(crate) fn decode(stored: &Value) -> Value {
    wire::decode_state_leniently(stored, None)
}

/// True if a text in `json` may hold a signed map as nested JSON: the signature occurs there other than as a whole text.
pub(crate) fn has_signed_text(json: &[u8]) -> bool {
    static SIGNATURE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(wire::SIGNATURE));
    SIGNATURE.find_iter(json).any(|start| {
        let (before, after) = (&json[..start], &json[start + wire::SIGNATURE.len()..]);
        !before.ends_with(b"\"") || before.ends_with(b"\\\"") || !after.starts_with(b"\"")
    })
}

/// Restores secrets in a stored form in which they were blinded (replaced by the text `[secret]`).
pub(crate) fn unblind(blinded: &Value) -> Value {
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
