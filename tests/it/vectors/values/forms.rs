//! `wire_decode`, `wire_encode`, `state_decode`, `state_encode`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};
use stacklens::json::{self as text, Numbers};
use stacklens::pulumi::wire::{self, Decrypt, DecryptError, Encrypt, SecretKey, Secrets};
use stacklens::value::{Map, Payload, Value};
use zeroize::Zeroizing;

use super::super::canonical;

/// The provider of the vectors: a ciphertext is the base64 of its plaintext.
struct Base64;

impl Decrypt for Base64 {
    fn decrypt(&self, ciphertext: &str) -> Result<Zeroizing<String>, DecryptError> {
        let bytes = STANDARD.decode(ciphertext).map_err(|_| DecryptError)?;
        String::from_utf8(bytes)
            .map(Zeroizing::new)
            .map_err(|_| DecryptError)
    }
}

impl Encrypt for Base64 {
    fn encrypt(&self, plaintext: &str) -> String {
        STANDARD.encode(plaintext)
    }
}

pub(crate) fn wire_decode(case: &Json) -> Result<(), String> {
    check_decoded(case, wire::decode(&canonical::plain(&case["wire"])))
}

pub(crate) fn state_decode(case: &Json) -> Result<(), String> {
    let state = canonical::plain(&case["state"]);
    check_decoded(case, wire::decode_state(&state, Some(&Base64)))
}

fn check_decoded(case: &Json, decoded: Result<Value, wire::DecodeError>) -> Result<(), String> {
    let expect = &case["expect"];
    match decoded {
        Err(_) if expect["error"] == json!(true) => Ok(()),
        Err(error) => Err(format!(
            "expected {}, got the error: {error}",
            expect["value"]
        )),
        Ok(value) if expect.get("error").is_some() => Err(format!(
            "expected an error, got {}",
            canonical::encode(&value)
        )),
        Ok(value) => canonical::expect(&expect["value"], &canonical::encode(&value)),
    }
}

pub(crate) fn wire_encode(case: &Json) -> Result<(), String> {
    let value = canonical::value(&case["value"]);
    let form = wire::encode(&value, SecretKey::Value);
    check_form(&case["expect"]["wire"], &form)?;
    if let Some(seed) = case.get("seedWire") {
        check_form(seed, &wire::encode(&value, SecretKey::default()))?;
    }
    let want = case.get("roundTrip").unwrap_or(&case["value"]);
    let again = match wire::decode(&form) {
        Ok(_) if want.get("error").is_some() => return Err("expected no way back".to_owned()),
        Ok(again) => again,
        // A map with the signature as a key is written unchanged, and need not be valid.
        Err(_) if want.get("error").is_some() || has_signature(&value) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    // Inputs may repeat dependencies; the value has each only once.
    let want = canonical::encode(&canonical::value(want));
    canonical::expect(&want, &canonical::encode(&again))
}

/// True if a map in the value has the signature as a key.
fn has_signature(value: &Value) -> bool {
    match value.payload() {
        Payload::Array(items) => items.iter().any(has_signature),
        Payload::Map(map) => map.contains_key(wire::SIGNATURE) || map.values().any(has_signature),
        _ => false,
    }
}

fn check_form(want: &Json, form: &Value) -> Result<(), String> {
    if canonical::plain(want) == *form {
        Ok(())
    } else {
        Err(format!("expected {want}, got {}", text::to_compact(form)))
    }
}

pub(crate) fn state_encode(case: &Json) -> Result<(), String> {
    let value = canonical::value(&case["value"]);
    let expect = &case["expect"];
    let want = opened(&canonical::plain(&expect["state"]), |text| {
        String::from_utf8(STANDARD.decode(text).unwrap()).unwrap()
    });
    let form = wire::encode_state(&value, Secrets::Encrypt(&Base64));
    let got = opened(&form, |text| {
        String::from_utf8(STANDARD.decode(text).unwrap()).unwrap()
    });
    check_form(
        &expect["stateShowSecrets"],
        &wire::encode_state(&value, Secrets::Show),
    )
    .or_else(|_| {
        let want = opened(
            &canonical::plain(&expect["stateShowSecrets"]),
            str::to_owned,
        );
        same_form(
            &want,
            &opened(&wire::encode_state(&value, Secrets::Show), str::to_owned),
        )
    })?;
    same_form(&want, &got)
}

fn same_form(want: &Value, got: &Value) -> Result<(), String> {
    if want == got {
        Ok(())
    } else {
        let [want, got] = [want, got].map(text::to_compact);
        Err(format!("expected {want}, got {got}"))
    }
}

/// The form with the JSON text of each secret parsed, because equal JSON can be written in several ways.
fn opened(form: &Value, open: fn(&str) -> String) -> Value {
    match form.payload() {
        Payload::Array(items) => items
            .iter()
            .map(|item| opened(item, open))
            .collect::<Vec<_>>()
            .into(),
        Payload::Map(map) => {
            let is_secret = form.get(wire::SIGNATURE).and_then(Value::as_str) == Some(wire::SECRET);
            let entries = map.iter().map(|(key, value)| {
                let hides = is_secret && matches!(&**key, "ciphertext" | "plaintext");
                let value = match value.as_str() {
                    Some(hidden) if hides => {
                        let inside = text::parse(open(hidden).as_bytes(), Numbers::Double);
                        opened(&inside.expect("secrets hold JSON").value, str::to_owned)
                    }
                    _ => opened(value, open),
                };
                (key.clone(), value)
            });
            Value::from(entries.collect::<Map>())
        }
        _ => form.clone(),
    }
}
