//! The wire form and the stored form of Pulumi's values.
//!
//! Engines, providers and SDKs pass values to each other as JSON-shaped structures (the *wire*); deployments, plans and event
//! logs keep them in much the same form (the *state*). A value that JSON cannot express is a map with the key [`SIGNATURE`],
//! which gives the map's kind. An unknown is one of seven texts ([`UNKNOWNS`]).
//!
//! | signature | wire | state |
//! |---|---|---|
//! | [`SECRET`] | `value` (or `plaintext`): the payload | `ciphertext` or `plaintext`: a string of JSON |
//! | [`OUTPUT`] | `value` (absent: unknown), `secret`, `dependencies` | not used |
//! | [`REFERENCE`] | `urn`, `id`, `packageVersion`, `name`, `type` | `urn`, `id` (also `{"V": …}`), `packageVersion` |
//! | [`ASSET`] | `hash`, `text`, `path`, `uri` | the same |
//! | [`ARCHIVE`] | `hash`, `path`, `uri`, `assets` | the same |
//! | [`BYTES`] | `value`: base64 of a string that is not UTF-8 | the same |
//! | [`FLOAT`] | not used | `value`: 16 hexadecimal digits, the bits of a double that JSON cannot write |
//!
//! Both sides of every function here are [`Value`]s: the forms are values of null, bool, number, string, array and map without
//! markers, as [`crate::json`] reads and prints them.
//!
//! # Laws
//!
//! 1. **Decoding is total** on well-formed input and surjective, not injective: `{secret: {output: 42}}`,
//!    `{output: 42, secret}` and `{secret: 42}` are one value, the secret number 42. Malformed input is an error with its path.
//! 2. **Bottom-up.** Children are decoded before the map that holds them is looked at, so a field that is itself wrapped is not
//!    the string or bool that it should be.
//! 3. **Secrets collapse**: secret around secret is secret. An output's dependencies are exactly its own list: one output
//!    directly inside another loses its list (elements of arrays and maps keep theirs). Secretness is never lost.
//! 4. **Numbers are doubles** in values of Pulumi, whatever digits the text had.
//! 5. **Encoding is canonical**: dependencies make an output, else secretness makes a secret, else the value is plain; an unknown
//!    is [`UNKNOWN`]. The stored form never holds dependencies: they are stored beside the properties.
//! 6. `decode(encode(v)) == v` for every value except these, which the form cannot represent: a string that is one of the
//!    unknowns; a reference without the name and type that follow from its URN, or with the empty id (both mean unknown); an
//!    archive without contents; a map that has the signature for a key, which is written as it is.
//! 7. **Decoding is linear**: every part of a form is looked at once, however deep it lies.
//!
//! # Example
//!
//! ```
//! use stacklens::json::{self, Numbers};
//! use stacklens::value::Value;
//! use stacklens::pulumi::wire;
//!
//! let text = br#"{"4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4", "secret": true, "value": 42}"#;
//! let value = wire::decode(&json::parse(text, Numbers::Double)?.value)?;
//! assert_eq!(value, Value::from(42.0).with_secret(true));
//!
//! let canonical = wire::encode(&value, wire::SecretKey::Plaintext);
//! assert_eq!(canonical.get("plaintext"), Some(&Value::from(42.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Source
//!
//! The property value specification; pulumi/pulumi `sdk/go/common/resource/plugin/rpc.go` and
//! `pkg/resource/stack/deployment.go` for the accepted input. The specification writes a secret's payload under `plaintext`,
//! engines under `value`. Decoding accepts both; for encoding the caller chooses ([`SecretKey`]).

pub use super::UNKNOWN;

mod decode;
mod encode;
mod state;

use std::fmt;
use std::sync::LazyLock;

pub use decode::decode;
pub use encode::{SecretKey, encode};
#[cfg(feature = "internals")]
pub use state::{Ciphertext, Encrypt};
pub use state::{
    Decrypt, DecryptError, Redact, Secrets, decode_state, decode_state_leniently, encode_state,
};

use memchr::memmem::Finder;

use crate::path::{Path, Segment};
use crate::value::Value;

/// The key of a map that encodes another kind of value.
pub const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
/// The signature of a secret.
pub const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
/// The signature of an output.
pub const OUTPUT: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
/// The signature of a resource reference.
pub const REFERENCE: &str = "5cf8f73096256a8f31e491e813e4eb8e";
/// The signature of an asset.
pub const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";
/// The signature of an archive.
pub const ARCHIVE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";
/// The signature of a string that is not UTF-8.
pub const BYTES: &str = "803fd3297a5875dc03ca845dda5d2a98";
/// The signature of a number that JSON cannot write, in state only.
pub const FLOAT: &str = "8ad145fe-0d11-4827-bfd7-1abcbf086f5c";

/// The property of a stack reference with the names of the other stack's secret outputs.
pub const SECRET_OUTPUT_NAMES: &str = "secretOutputNames";

/// The texts of unknowns on the wire: string, bool, number, array, asset, archive, object.
pub const UNKNOWNS: [&str; 7] = [
    UNKNOWN,
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "030794c1-ac77-496b-92df-f27374a8bd58",
    "e48ece36-62e2-4504-bad9-02848725956a",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];

/// The ciphertext of a secret whose value the tool left out.
pub const REDACTED: &str = "[secret]";

/// The place and the reason of a decoding error. Never quotes the value itself.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("expected {expected} at {}, found {found}", ShownPath(.path))]
pub struct DecodeError {
    /// The place, from the top of the decoded form.
    pub path: Path,
    /// The expected kind of value.
    pub expected: &'static str,
    /// The kind of value found there.
    pub found: &'static str,
}

impl DecodeError {
    fn new(expected: &'static str, found: &'static str) -> Self {
        Self {
            path: Path::root(),
            expected,
            found,
        }
    }

    /// Puts `segment` in front of the path: the same error seen from one level further up.
    fn below(mut self, segment: impl Into<Segment>) -> Self {
        self.path.0.insert(0, segment.into());
        self
    }
}

struct ShownPath<'a>(&'a Path);

impl fmt::Display for ShownPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.0.is_empty() {
            f.write_str("the top")
        } else {
            crate::text::escape_into(f, &self.0.to_string())
        }
    }
}

/// True if `text` may be JSON that contains a map with the signature. That includes JSON inside a text of that JSON, and keys
/// with escapes that no encoder needs.
pub(crate) fn may_be_signed(text: &[u8]) -> bool {
    // A text that is only the key has no map.
    text.len() > SIGNATURE.len() && (names_signature(text) || has_odd_escape(text))
}

/// True if JSON may hold the text that a preview has in place of a secret, perhaps with escapes.
pub(crate) fn may_be_blinded(json: &[u8]) -> bool {
    static BLINDED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(REDACTED));
    static ESCAPES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(ESCAPE));
    let is_part =
        |start| code(&json[start..]).is_some_and(|byte| REDACTED.as_bytes().contains(&byte));
    BLINDED.find(json).is_some() || ESCAPES.find_iter(json).any(is_part)
}

fn names_signature(text: &[u8]) -> bool {
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(SIGNATURE));
    FINDER.find(text).is_some()
}

/// True if a letter, a digit or a backslash is written as `\u00XX`. Go escapes `<`, `>` and `&` only.
fn has_odd_escape(text: &[u8]) -> bool {
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(ESCAPE));
    let mut starts = FINDER.find_iter(text);
    starts.any(|start| escaped(&text[start..]).is_some())
}

const ESCAPE: &str = r"\u00";

/// The letter, digit or backslash that `text` begins with, written as an escape.
fn escaped(text: &[u8]) -> Option<u8> {
    code(text).filter(|byte| *byte == b'\\' || byte.is_ascii_alphanumeric())
}

/// The byte of the escape that `text` begins with.
fn code(text: &[u8]) -> Option<u8> {
    let digits = text.get(ESCAPE.len()..ESCAPE.len() + 2)?;
    let digits = std::str::from_utf8(digits).ok()?;
    u8::from_str_radix(digits, 16).ok()
}

/// True if `text`, which is not JSON, has the signature, perhaps with escapes, which may be escaped themselves.
fn has_signature(text: &[u8]) -> bool {
    let mut plain: Vec<u8> = Vec::with_capacity(text.len());
    for byte in text {
        plain.push(*byte);
        while let Some(start) = plain.len().checked_sub(ESCAPE.len() + 2)
            && plain[start..].starts_with(ESCAPE.as_bytes())
            && let Some(byte) = escaped(&plain[start..])
        {
            plain.truncate(start);
            while plain.last() == Some(&b'\\') {
                plain.pop();
            }
            plain.push(byte);
        }
    }
    names_signature(&plain)
}

/// The kind of a value, in the words of an error.
fn kind(value: &Value) -> &'static str {
    match value.payload() {
        _ if value.is_secret() => "a secret",
        payload => payload.found(),
    }
}

#[cfg(test)]
mod tests;
