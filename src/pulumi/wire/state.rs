//! The stored form, with its encrypted secrets.

use zeroize::Zeroizing;

use super::decode::{Decoder, Rules};
use super::encode::{
    Form, encode_array, encode_leaf, encode_map, encode_reference, sealed_text, signed,
};
use super::{DecodeError, FLOAT, REDACTED, SECRET};
use crate::json::{self, Numbers};
use crate::value::{Map, Payload, Sealed, Value};

/// Decrypts secrets; implemented by the holder of the key.
pub trait Decrypt {
    /// The JSON text in `ciphertext`.
    ///
    /// # Errors
    ///
    /// If it is not a ciphertext of this key.
    fn decrypt(&self, ciphertext: &str) -> Result<Zeroizing<String>, DecryptError>;
}

/// Encrypts secrets.
pub trait Encrypt {
    /// The ciphertext of the JSON text `plaintext`.
    fn encrypt(&self, plaintext: &str) -> String;
}

/// A ciphertext that cannot be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the ciphertext cannot be opened with this key")]
pub struct DecryptError;

/// The form in which [`encode_state`] writes secrets.
#[derive(Clone, Copy)]
pub enum Secrets<'e> {
    /// As `plaintext`, which is what `--show-secrets` exports.
    Show,
    /// As `ciphertext`.
    Encrypt(&'e dyn Encrypt),
}

/// The plaintext itself in the place of a ciphertext: a secret inside an encrypted secret is not encrypted again.
#[derive(Clone, Copy, Debug)]
pub struct Ciphertext;

impl Decrypt for Ciphertext {
    fn decrypt(&self, ciphertext: &str) -> Result<Zeroizing<String>, DecryptError> {
        Ok(Zeroizing::new(ciphertext.to_owned()))
    }
}

impl Encrypt for Ciphertext {
    fn encrypt(&self, plaintext: &str) -> String {
        plaintext.to_owned()
    }
}

/// Leaves every plaintext out, and says so in place of the ciphertext.
#[derive(Clone, Copy, Debug)]
pub struct Redact;

impl Encrypt for Redact {
    fn encrypt(&self, _: &str) -> String {
        REDACTED.to_owned()
    }
}

/// Decodes a stored form.
///
/// Without `decrypt` a secret that has a ciphertext is [`Payload::Sealed`]; one that was left out (`"[secret]"`) always is.
///
/// # Errors
///
/// Those of [`super::decode`], and if a ciphertext cannot be opened or a plaintext is not JSON.
pub fn decode_state(state: &Value, decrypt: Option<&dyn Decrypt>) -> Result<Value, DecodeError> {
    let rules = StateRules {
        decrypt,
        is_lenient: false,
    };
    let mut decoder = Decoder {
        rules: Rules::State(rules),
    };
    decoder.node(state, 0).map(|decoded| decoded.value)
}

/// Like [`decode_state`], for display: it never fails, and hides the parts that cannot be decoded. A map with the signature that
/// cannot be decoded may be a secret of an unknown kind. It becomes a secret, and its neighbours stay readable. So does a text
/// that contains such a map as JSON.
pub fn decode_state_leniently(state: &Value, decrypt: Option<&dyn Decrypt>) -> Value {
    let rules = StateRules {
        decrypt,
        is_lenient: true,
    };
    let mut decoder = Decoder {
        rules: Rules::State(rules),
    };
    match decoder.node(state, 0) {
        Ok(top) => top.value,
        Err(_) => state.clone().with_secret(true),
    }
}

/// The decoder's rules in addition to those of the wire.
pub(super) struct StateRules<'r> {
    decrypt: Option<&'r dyn Decrypt>,
    /// True if a form that cannot be decoded is hidden and decoding goes on.
    pub(super) is_lenient: bool,
}

/// The content of a stored secret.
pub(super) enum Opened {
    /// The plaintext is not known.
    Sealed(Sealed),
    /// This form, to be decoded by these rules.
    Form(Value, StateRules<'static>),
}

impl StateRules<'_> {
    /// The content of a stored secret, decrypted if there is a key.
    pub(super) fn open(&self, map: &Map) -> Result<Opened, DecodeError> {
        let text = |key| match map.get(key).map(Value::payload) {
            Some(Payload::String(text)) => text.as_str(),
            _ => None,
        };
        let plaintext = match (text("ciphertext"), text("plaintext")) {
            (Some(""), None) | (None, Some("")) => {
                return Err(DecodeError::new(
                    "a ciphertext or plaintext",
                    "an empty string",
                ));
            }
            (None, Some(plaintext)) => Zeroizing::new(plaintext.to_owned()),
            (Some(REDACTED), None) => return Ok(Opened::Sealed(Sealed::Redacted)),
            (Some(ciphertext), None) => match self.decrypt {
                None => return Ok(Opened::Sealed(Sealed::Ciphertext(ciphertext.into()))),
                Some(decrypt) => decrypt.decrypt(ciphertext).map_err(|DecryptError| {
                    DecodeError::new("a ciphertext of this key", "another string")
                        .below("ciphertext")
                })?,
            },
            (None, None) => {
                return Err(DecodeError::new("a ciphertext or plaintext", "neither"));
            }
            (Some(_), Some(_)) => {
                return Err(DecodeError::new("a ciphertext or plaintext", "both"));
            }
        };
        // The parser's own error would quote the secret.
        let form = json::parse(plaintext.as_bytes(), Numbers::Double)
            .map_err(|_| DecodeError::new("JSON inside the secret", "another text"))?
            .value;
        let inner = StateRules {
            decrypt: Some(&Ciphertext),
            is_lenient: self.is_lenient,
        };
        Ok(Opened::Form(form, inner))
    }
}

/// The stored form of `value`. Dependencies are not stored; a sealed secret keeps its ciphertext.
pub fn encode_state(value: &Value, secrets: Secrets<'_>) -> Value {
    if let Payload::Sealed(sealed) = value.payload() {
        return signed(SECRET, [("ciphertext", sealed_text(sealed))]);
    }
    if !value.is_secret() {
        return encode_payload(value.payload(), secrets);
    }
    let inside = match secrets {
        Secrets::Show => Secrets::Show,
        Secrets::Encrypt(_) => Secrets::Encrypt(&Ciphertext),
    };
    let form = encode_payload(value.payload(), inside);
    let plaintext = Zeroizing::new(json::to_compact(&form));
    let field = match secrets {
        Secrets::Show => ("plaintext", Value::from(plaintext.as_str())),
        Secrets::Encrypt(encrypt) => ("ciphertext", Value::from(encrypt.encrypt(&plaintext))),
    };
    signed(SECRET, [field])
}

fn encode_payload(payload: &Payload, secrets: Secrets<'_>) -> Value {
    match payload {
        Payload::Array(items) => encode_array(items, &|item| encode_state(item, secrets)),
        Payload::Map(map) => encode_map(map, &|value| encode_state(value, secrets)),
        Payload::Number(number) if !number.is_finite() => {
            let bits = if number.to_f64().is_nan() {
                // The bits that Go writes for its NaN.
                0x7ff8_0000_0000_0001
            } else {
                number.to_f64().to_bits()
            };
            signed(FLOAT, [("value", Value::from(format!("{bits:016x}")))])
        }
        Payload::Reference(reference) => encode_reference(reference, Form::State),
        payload => encode_leaf(payload),
    }
}
