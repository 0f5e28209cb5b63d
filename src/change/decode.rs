//! Decoders: what a string holds, when it holds more than text.
//!
//! Each takes a value to a value and runs through [`apply_value`], so that a decoded secret is a secret, a decoded unknown is
//! unknown, and dependencies stay. The person chooses them one by one. [`likely`] says cheaply which ones are worth offering.
//!
//! # Laws
//!
//! 1. Total on any bytes, with bounded work: see the limits of [`DecodeError::TooLarge`].
//! 2. No error tells contents: the text may be secret.
//! 3. Private keys never come out: of a PEM block that is no certificate only its label and size are told.
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
mod text;
mod yaml;

use crate::json::{self, Numbers};
use crate::value::output::apply_value;
use crate::value::{Payload, Shown, Value};

/// The longest text that is decoded, in bytes.
pub const MAX_TEXT: usize = 32 << 20;
/// The longest YAML text that is decoded, in bytes.
pub const MAX_YAML: usize = 4 << 20;
/// The most that comes out of a compressed text, in bytes.
pub const MAX_INFLATED: usize = 64 << 20;
/// The most values of one YAML text, with every alias counted as what it stands for.
pub const MAX_NODES: usize = 1_000_000;

/// How a string is to be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decoder {
    /// JSON, with exact numbers.
    Json,
    /// The summary of PEM blocks: X.509 certificates, and the labels of other blocks.
    Pem,
    /// Header and claims of a JSON web token; the signature is not verified.
    Jwt,
    /// Gzip, in base64 or as it is.
    Gzip,
    /// Base64 in either alphabet, with or without padding and line breaks.
    Base64,
    /// `%41` and the like.
    Url,
    /// YAML 1.2, core schema, with merge keys.
    Yaml,
}

/// Why a value could not be decoded. Never tells what the value holds.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// Only strings are decoded.
    #[error("expected a string to decode as {0}, found another kind of value")]
    NotText(&'static str),
    /// The text is not of the form.
    #[error("not {form}: expected {expected}")]
    Malformed {
        /// The form, as [`Decoder::name`] says it.
        form: &'static str,
        /// What could have stood there.
        expected: &'static str,
    },
    /// The text is not of the form, from this place on.
    #[error("not {form}: expected {expected} at line {line}, column {column}")]
    MalformedAt {
        /// The form, as [`Decoder::name`] says it.
        form: &'static str,
        /// What could have stood there.
        expected: &'static str,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
    },
    /// The text, or what comes out of it, exceeds [`MAX_TEXT`], [`MAX_YAML`], [`MAX_INFLATED`] or [`MAX_NODES`].
    #[error("too large to decode as {form}: more than {limit} {unit}")]
    TooLarge {
        /// The form, as [`Decoder::name`] says it.
        form: &'static str,
        /// The limit that was met.
        limit: usize,
        /// What the limit counts.
        unit: &'static str,
    },
}

/// Strings with more bytes than this are not looked into on the way to a screen.
pub const MAX_DOCUMENT: usize = 4 << 20;

/// The document that a string holds, and its format: JSON whose top is an object or an array with something in it, or YAML of several
/// lines whose top is a mapping, or a list of mappings.
///
/// `None` for a secret, whose inside is not shown, and for strings that are not worth opening.
pub fn document(value: &Value) -> Option<(Decoder, Value)> {
    let Shown::Plain(Payload::String(text)) = value.shown() else {
        return None;
    };
    let bytes = text.as_bytes();
    if bytes.len() > MAX_DOCUMENT {
        return None;
    }
    let likely = likely(bytes);
    let decoder = if likely.contains(&Decoder::Json) {
        Decoder::Json
    } else if likely.contains(&Decoder::Yaml) && text.is_multi_line() {
        Decoder::Yaml
    } else {
        return None;
    };
    let document = decoder.decode(value).ok()?;
    let is_document = match (decoder, document.payload()) {
        (Decoder::Json, Payload::Map(map)) => !map.is_empty(),
        (Decoder::Json, Payload::Array(items)) => !items.is_empty(),
        (_, Payload::Array(items)) => !items.is_empty() && items.iter().all(is_mapping),
        _ => is_mapping(&document),
    };
    is_document.then_some((decoder, document))
}

/// One key with a plain value is what any line with a colon in it looks like.
fn is_mapping(value: &Value) -> bool {
    let is_container = |value: &Value| value.as_map().is_some() || value.as_array().is_some();
    value
        .as_map()
        .is_some_and(|map| map.len() > 1 || map.values().any(is_container))
}

impl Decoder {
    /// All decoders, the more telling first.
    pub const ALL: [Self; 7] = [
        Self::Json,
        Self::Pem,
        Self::Jwt,
        Self::Gzip,
        Self::Base64,
        Self::Url,
        Self::Yaml,
    ];

    /// The name that a person chooses it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Pem => "PEM",
            Self::Jwt => "JWT",
            Self::Gzip => "gzip",
            Self::Base64 => "base64",
            Self::Url => "URL-encoding",
            Self::Yaml => "YAML",
        }
    }

    /// What `value` holds, with the metadata of `value`. An unknown or sealed value comes back as it is.
    pub fn decode(self, value: &Value) -> Result<Value, DecodeError> {
        let decoded = apply_value(value, |plain| match plain.payload() {
            Payload::String(text) => self.decode_bytes(text.as_bytes()),
            _ => Err(DecodeError::NotText(self.name())),
        })?;
        Ok(if decoded.is_secret() {
            decoded.into_wiped()
        } else {
            decoded
        })
    }

    fn decode_bytes(self, bytes: &[u8]) -> Result<Value, DecodeError> {
        let limit = if self == Self::Yaml {
            MAX_YAML
        } else {
            MAX_TEXT
        };
        if bytes.len() > limit {
            return Err(self.too_large(limit, "bytes"));
        }
        match self {
            Self::Json => json(bytes),
            Self::Pem => pem::decode(bytes),
            Self::Jwt => text::jwt(bytes),
            Self::Gzip => text::gzip(bytes),
            Self::Base64 => text::base64(bytes),
            Self::Url => text::url(bytes),
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

    /// Whether `bytes` are likely of this form, by a look at their first kilobytes.
    fn is_likely(self, bytes: &[u8]) -> bool {
        let head = &bytes[..bytes.len().min(HEAD)];
        match self {
            Self::Json => looks_like_json(bytes),
            Self::Pem => find(head, b"-----BEGIN ").is_some(),
            Self::Jwt => text::looks_like_jwt(bytes),
            Self::Gzip => text::looks_like_gzip(head),
            Self::Base64 => text::looks_like_base64(bytes),
            Self::Url => text::looks_like_url(head),
            Self::Yaml => !looks_like_json(bytes) && yaml::is_likely(head),
        }
    }
}

/// How much of a text is looked at to find out what it may be.
const HEAD: usize = 4096;

/// The decoders that are worth offering for a string, the more telling first. Cost does not grow with the length of the text.
pub fn likely(text: &[u8]) -> Vec<Decoder> {
    Decoder::ALL
        .into_iter()
        .filter(|decoder| decoder.is_likely(text))
        .collect()
}

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

/// Containers only: `12` and `true` are JSON too, and nobody wants them decoded.
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
