//! Fields outside of the resources in Pulumi's files, for display: the configuration of the stack among them.
//!
//! A value of the configuration is a text, or a structure of texts. Its secrets are `{"secure": CIPHERTEXT}` in files of the
//! engine, and `{"value": …, "secret": true}` in the output of commands and of the service. Structures may be written as texts
//! of JSON.
//!
//! # Source
//!
//! pulumi/pulumi `sdk/go/common/resource/config/value.go`, `sdk/go/common/apitype/updates.go`, `pkg/secrets`.

use super::pulumi::stored;
use crate::change::configuration::mask_credentials;
use crate::json::{self, Numbers};
use crate::value::{Map, Payload, Sealed, Shown, Value};

/// The fields of a secrets provider that identify the key and may be shown. The other fields are made of ciphertexts.
const OPEN_PROVIDER_FIELDS: &[&str] = &["url", "owner", "project", "stack", "insecure"];

/// The value of a field in the form that may be shown.
pub(super) fn field(key: &str, stored: &Value) -> Value {
    let value = stored::decode(&stored::unblind(stored));
    match key {
        "config" => each(value, |_, value| configured(value)),
        "secrets_providers" => each(value, |key, value| match key {
            "state" => each(value, |key, value| {
                let value = mask_credentials(&value);
                hidden_if(!OPEN_PROVIDER_FIELDS.contains(&key), value)
            }),
            _ => value,
        }),
        _ => value,
    }
}

/// A value of the configuration, with its secrets marked.
fn configured(value: Value) -> Value {
    if value.is_secret() {
        return value;
    }
    match value.payload() {
        Payload::Map(map) => {
            let ciphertext = map.get("secure").and_then(Value::as_str);
            match ciphertext.filter(|_| map.len() == 1) {
                Some(ciphertext) => {
                    Value::new(Payload::Sealed(Sealed::Ciphertext(ciphertext.into())))
                }
                None if is_declared_secret(map) => value.with_secret(true),
                None => each(value, |key, value| {
                    let is_ciphertext = key == "secure" && value.as_str().is_some();
                    hidden_if(is_ciphertext, configured(value))
                }),
            }
        }
        Payload::Array(_) => value.with_parts(|_, it| configured(it.clone())),
        Payload::String(text) if has_secrets(text.as_bytes()) => value.with_secret(true),
        _ => value,
    }
}

/// `value`, marked secret if `condition` holds. Secrets stay secret.
fn hidden_if(condition: bool, value: Value) -> Value {
    if condition {
        value.with_secret(true)
    } else {
        value
    }
}

/// True if the map may be a secret: its `secret` field is there and not plainly false or null.
fn is_declared_secret(map: &Map) -> bool {
    let declared = map.get("secret").map(Value::payload);
    !matches!(declared, None | Some(Payload::Null | Payload::Bool(false)))
}

/// True if the text is a structure in JSON with something secret in it.
fn has_secrets(text: &[u8]) -> bool {
    if !matches!(text.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return false;
    }
    json::parse(text, Numbers::Double).is_ok_and(|parsed| {
        let inner = stored::decode(&parsed.value);
        configured(inner).has_secrets()
    })
}

/// Applies `change` to each entry of `value`, if it is a map.
fn each(value: Value, change: impl Fn(&str, Value) -> Value) -> Value {
    let Shown::Plain(Payload::Map(map)) = value.shown() else {
        return value;
    };
    let entries = map.iter();
    let entries = entries.map(|(key, value)| (key.clone(), change(key, value.clone())));
    let changed = Payload::Map(entries.collect());
    value.with_payload(changed)
}
