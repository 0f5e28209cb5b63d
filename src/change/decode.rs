//! Decoders: the structured contents of a string.
//!
//! Each maps a value to a value and runs through [`apply_value`]. So a decoded secret is a secret, a decoded unknown is
//! unknown, and dependencies stay. [`contents`] chooses them by the text itself, one around the other: base64 of gzip of JSON.
//!
//! # Laws
//!
//! 1. Total on any bytes, with bounded work: see [`DecodeError::TooLarge`]. [`packing`] reads only the beginning of a text.
//! 2. No error shows contents: the text may be secret.
//! 3. Private keys never come out. A PEM block that is not a certificate is shown only by its label and size.
//!
//! # Example
//!
//! ```
//! use stacklens::change::decode::Decoder;
//! use stacklens::value::Value;
//!
//! let policy = Value::from("eyJhIjogWzFdfQ==").with_secret(true);
//! let decoded = Decoder::Json.decode(&Decoder::Base64.decode(&policy)?)?;
//! assert!(decoded.is_secret());
//! assert_eq!(decoded.reveal().to_string(), "{a: [1]}");
//! # Ok::<(), stacklens::change::decode::DecodeError>(())
//! ```

mod der;
mod pem;
mod properties;
mod text;
mod yaml;

use std::borrow::Cow;

use crate::json::{self, Numbers};
use crate::likely::masked;
use crate::value::output::apply_value;
use crate::value::{LIKELY_SECRET, Map, Payload, Shown, Value};

/// Maximum size of a text to decode, and of what it decodes to, in bytes.
pub const MAX_DOCUMENT: usize = 4 << 20;
/// Maximum number of values in one YAML text. Each alias counts as the values it refers to.
pub const MAX_NODES: usize = 1_000_000;

/// A format for reading a string.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decoder {
    /// JSON, with exact numbers.
    Json,
    /// The summary of PEM blocks: X.509 certificates, and the labels of other blocks.
    Pem,
    /// Header and claims of a JSON web token; the signature is not verified.
    Jwt,
    /// Gzip, as base64 or as raw bytes.
    Gzip,
    /// Base64 in either alphabet, with or without padding and line breaks.
    Base64,
    /// URL-encoding, such as `%41`.
    Url,
    /// YAML 1.2, core schema, with merge keys.
    Yaml,
    /// Lines of `key=value`.
    Properties,
}

/// The reason why a value could not be decoded. Never contains the value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// The value is not a string.
    #[error("expected a string to decode as {0}, found another kind of value")]
    NotText(&'static str),
    /// The text does not have this format.
    #[error("not {form}: expected {expected}")]
    Malformed {
        /// The format, as in [`Decoder::name`].
        form: &'static str,
        /// The expected input.
        expected: &'static str,
    },
    /// The text does not have this format, from this position on.
    #[error("not {form}: expected {expected} at line {line}, column {column}")]
    MalformedAt {
        /// The format, as in [`Decoder::name`].
        form: &'static str,
        /// The expected input.
        expected: Cow<'static, str>,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
    },
    /// The text, or its decoded output, exceeds [`MAX_DOCUMENT`] or [`MAX_NODES`].
    #[error("too large to decode as {form}: more than {limit} {unit}")]
    TooLarge {
        /// The format, as in [`Decoder::name`].
        form: &'static str,
        /// The limit that was exceeded.
        limit: usize,
        /// The unit of the limit.
        unit: &'static str,
    },
}

/// The document in a string, and its format: JSON with a nonempty object or array at the top, properties of several lines, or YAML of
/// several lines with a mapping or a list of mappings at the top.
///
/// `None` for a secret, whose contents are not shown, and for strings that are not worth opening.
pub fn document(value: &Value) -> Option<(Decoder, Value)> {
    let Shown::Plain(Payload::String(text)) = value.shown() else {
        return None;
    };
    let bytes = text.as_bytes();
    if bytes.len() > MAX_DOCUMENT {
        return None;
    }
    let decoder = if Decoder::Json.is_likely(bytes) {
        Decoder::Json
    } else if text.is_multi_line() && Decoder::Properties.is_likely(bytes) {
        Decoder::Properties
    } else if text.is_multi_line() && Decoder::Yaml.is_likely(bytes) {
        Decoder::Yaml
    } else {
        return None;
    };
    let document = decoder.decode(value).ok()?;
    let is_document = match document.as_array() {
        _ if document.n_parts() == Some(0) => false,
        _ if decoder == Decoder::Json => document.n_parts().is_some(),
        Some(items) => items.iter().all(is_mapping),
        None => is_mapping(&document),
    };
    is_document.then_some((decoder, document))
}

/// True for a mapping with several keys or a nested value. Any line with a colon in it looks like one key with a plain value.
fn is_mapping(value: &Value) -> bool {
    let is_container = |value: &Value| value.n_parts().is_some();
    value
        .as_map()
        .is_some_and(|map| map.len() > 1 || map.values().any(is_container))
}

/// Maximum number of formats around each other that are decoded.
const MAX_LAYERS: usize = 4;

/// The contents of a string that holds a document or is packed.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The formats, the innermost first: `JSON in base64`.
    pub format: String,
    /// The document, the summary of a PEM or of a token, or an object with the text as its only member. It is secret if the string is.
    pub value: Value,
}

/// The outermost format of a packed string, which nobody can read as it is. `None` for other strings and for a secret, whose contents
/// are not shown, unless only a part of its contents makes it one. The cost does not grow with the length of the text.
pub fn packing(value: &Value) -> Option<Decoder> {
    let opened = value.packed_secret();
    let Shown::Plain(Payload::String(text)) = opened.as_ref().unwrap_or(value).shown() else {
        return None;
    };
    let bytes = text.as_bytes();
    let likely = Decoder::ALL.into_iter().find(|it| it.is_likely(bytes))?;
    match likely {
        Decoder::Pem | Decoder::Jwt | Decoder::Gzip | Decoder::Base64 | Decoder::Url => {
            Some(likely)
        }
        Decoder::Json | Decoder::Yaml | Decoder::Properties => None,
    }
}

/// The contents of a string, packed or not, of at most `limit` bytes. What is a likely secret in a packed string is masked. `None` if
/// it is not worth opening.
pub fn contents(value: &Value, limit: usize) -> Option<Contents> {
    let own = value.inner_mask();
    let mask = |inner: Value| {
        let masked = own.map_or_else(|| masked(&inner), |own| own.masked(&inner));
        masked.unwrap_or(inner)
    };
    contents_with(value, limit, &mask)
}

/// Like [`contents`], without masks: for a string that the person revealed.
pub fn clear_contents(value: &Value, limit: usize) -> Option<Contents> {
    contents_with(value, limit, &|inner| inner)
}

/// The contents of a string. Each layer of packing goes through `mask`.
fn contents_with(value: &Value, limit: usize, mask: &dyn Fn(Value) -> Value) -> Option<Contents> {
    let mut value = value.clone();
    let mut layers = Vec::new();
    while layers.len() < MAX_LAYERS
        && let Some(decoder) = packing(&value)
        && let Ok(inner) = {
            let text = value.packed_secret();
            decoder.decode_within(text.as_ref().unwrap_or(&value), limit)
        }
    {
        layers.push(decoder.name());
        value = mask(inner);
    }
    let is_text = matches!(value.payload(), Payload::String(_));
    if let Some((decoder, document)) = document(&value) {
        let is_packed = !layers.is_empty();
        layers.push(decoder.name());
        value = if is_packed { mask(document) } else { document };
    } else if layers.is_empty() {
        return None;
    } else if is_text {
        value = Map::from_iter([("text", value)]).into();
    }
    layers.reverse();
    Some(Contents {
        format: layers.join(" in "),
        value,
    })
}

impl Decoder {
    /// All decoders, the most specific first.
    pub const ALL: [Self; 8] = [
        Self::Json,
        Self::Pem,
        Self::Jwt,
        Self::Gzip,
        Self::Base64,
        Self::Url,
        Self::Yaml,
        Self::Properties,
    ];

    /// The name shown to the user.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Pem => "PEM",
            Self::Jwt => "JWT",
            Self::Gzip => "gzip",
            Self::Base64 => "base64",
            Self::Url => "URL-encoding",
            Self::Properties => "properties",
            Self::Yaml => "YAML",
        }
    }

    /// The decoded contents of `value`, with the metadata of `value`. An unknown or sealed value is returned unchanged.
    pub fn decode(self, value: &Value) -> Result<Value, DecodeError> {
        self.decode_within(value, MAX_DOCUMENT)
    }

    fn decode_within(self, value: &Value, limit: usize) -> Result<Value, DecodeError> {
        let decoded = self.decode_shown(value, limit)?;
        // The whole text shows which parts of the document are covered.
        let decoded = match value
            .is_covered()
            .then(|| self.decode_shown(&value.reveal(), limit))
        {
            Some(Ok(whole)) => covered_like(&whole, &decoded),
            Some(Err(_)) | None => decoded,
        };
        Ok(if decoded.is_secret() {
            decoded.into_wiped()
        } else {
            decoded
        })
    }

    fn decode_shown(self, value: &Value, limit: usize) -> Result<Value, DecodeError> {
        apply_value(value, |plain| match plain.payload() {
            Payload::String(text) => self.decode_bytes(text.as_bytes(), limit),
            _ => Err(DecodeError::NotText(self.name())),
        })
    }

    fn decode_bytes(self, bytes: &[u8], limit: usize) -> Result<Value, DecodeError> {
        if bytes.len() > limit {
            return Err(self.too_large(limit, "bytes"));
        }
        match self {
            Self::Json => json(bytes),
            Self::Pem => pem::decode(bytes),
            Self::Jwt => text::jwt(bytes),
            Self::Gzip => text::gzip(bytes, limit),
            Self::Base64 => text::base64(bytes),
            Self::Url => text::url(bytes),
            Self::Properties => properties::decode(bytes),
            Self::Yaml => yaml::decode(bytes),
        }
    }

    fn malformed(self, expected: &'static str) -> DecodeError {
        DecodeError::Malformed {
            form: self.name(),
            expected,
        }
    }

    fn too_large(self, limit: usize, unit: &'static str) -> DecodeError {
        DecodeError::TooLarge {
            form: self.name(),
            limit,
            unit,
        }
    }

    /// True if `bytes` likely have this format. Only the first kilobytes are read.
    fn is_likely(self, bytes: &[u8]) -> bool {
        let head = &bytes[..bytes.len().min(HEAD)];
        match self {
            Self::Json => looks_like_json(bytes),
            Self::Pem => find(head, b"-----BEGIN ").is_some(),
            Self::Jwt => text::looks_like_jwt(bytes),
            Self::Gzip => text::looks_like_gzip(head),
            Self::Base64 => text::looks_like_base64(bytes),
            Self::Url => text::looks_like_url(head),
            Self::Properties => properties::is_likely(head),
            Self::Yaml => !looks_like_json(bytes) && yaml::is_likely(head),
        }
    }
}

/// The document `whole` with what is not in `shown`, the same document with covers on parts of its texts, masked.
fn covered_like(whole: &Value, shown: &Value) -> Value {
    let payload = match (whole.payload(), shown.payload()) {
        (Payload::Map(map), Payload::Map(other)) if map.len() == other.len() => {
            let both = map.iter().zip(other.iter());
            let entries =
                both.map(|((_, value), (key, other))| (key.clone(), covered_like(value, other)));
            Payload::Map(entries.collect())
        }
        (Payload::Array(items), Payload::Array(others)) if items.len() == others.len() => {
            let both = items.iter().zip(others.iter());
            Payload::Array(both.map(|(it, other)| covered_like(it, other)).collect())
        }
        _ if whole == shown => return whole.clone(),
        (Payload::String(_), Payload::String(text)) if text.to_str_lossy() != LIKELY_SECRET => {
            return whole.clone().with_cover(text.to_str_lossy().into_owned());
        }
        (Payload::String(_) | Payload::Number(_), Payload::String(_)) => {
            return whole.clone().with_likely_secret();
        }
        _ => return shown.clone(),
    };
    whole.clone().with_payload(payload)
}

/// Number of bytes of a text that are read to guess its format.
const HEAD: usize = 4096;

fn json(bytes: &[u8]) -> Result<Value, DecodeError> {
    match json::parse(bytes, Numbers::Exact) {
        Ok(parsed) => Ok(parsed.value),
        Err(err) => Err(DecodeError::MalformedAt {
            form: Decoder::Json.name(),
            expected: err.expected,
            line: err.line,
            column: err.column,
        }),
    }
}

/// True for containers only: `12` and `true` are JSON too, but not worth decoding.
fn looks_like_json(bytes: &[u8]) -> bool {
    let ends = |bytes: &[u8]| {
        let first = bytes
            .iter()
            .take(HEAD)
            .find(|byte| !byte.is_ascii_whitespace())?;
        let last = bytes
            .iter()
            .rev()
            .take(HEAD)
            .find(|byte| !byte.is_ascii_whitespace())?;
        Some((*first, *last))
    };
    matches!(ends(bytes), Some((b'{', b'}') | (b'[', b']')))
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}

#[cfg(test)]
mod tests;
