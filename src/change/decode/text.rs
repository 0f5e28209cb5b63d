//! Encodings of bytes in text: base64, gzip in base64, URL-encoding, JSON web tokens.

use std::io::Read;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::{DecodeError, Decoder, json};
use crate::value::{Map, Text, Value};

const CONFIG: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, CONFIG);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, CONFIG);

/// The bytes of a base64 text in either alphabet; `None` if it is not base64.
pub(super) fn base64_bytes(text: &[u8]) -> Option<Vec<u8>> {
    let compact: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let is_url_safe = compact.iter().any(|byte| matches!(byte, b'-' | b'_'));
    let engine = if is_url_safe { URL_SAFE } else { STANDARD };
    engine.decode(&compact).ok()
}

pub(super) fn base64(text: &[u8]) -> Result<Value, DecodeError> {
    base64_bytes(text)
        .map(|bytes| Value::from(Text::from(bytes)))
        .ok_or_else(|| Decoder::Base64.malformed("letters and digits of base64"))
}

pub(super) fn gzip(text: &[u8], limit: usize) -> Result<Value, DecodeError> {
    let held;
    let compressed = if text.starts_with(b"\x1f\x8b") {
        text
    } else {
        held = base64_bytes(text)
            .filter(|bytes| bytes.starts_with(b"\x1f\x8b"))
            .ok_or_else(|| Decoder::Gzip.malformed("gzip, as it is or in base64"))?;
        &held
    };
    let mut bytes = Vec::new();
    flate2::read::MultiGzDecoder::new(compressed)
        .take(limit as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|_| Decoder::Gzip.malformed("a whole gzip stream"))?;
    if bytes.len() > limit {
        return Err(Decoder::Gzip.too_large(limit, "bytes"));
    }
    Ok(Value::from(Text::from(bytes)))
}

/// Decodes URL-encoding. `+` stays a plus, since it means a space only in form data.
pub(super) fn url(text: &[u8]) -> Result<Value, DecodeError> {
    if !has_escape(text) {
        return Err(Decoder::Url.malformed("`%` with two hexadecimal digits"));
    }
    let bytes: Vec<u8> = percent_encoding::percent_decode(text).collect();
    Ok(Value::from(Text::from(bytes)))
}

pub(super) fn jwt(text: &[u8]) -> Result<Value, DecodeError> {
    let parts: Vec<_> = text.trim_ascii().split(|byte| *byte == b'.').collect();
    let [header, claims, signature] = parts[..] else {
        return Err(Decoder::Jwt.malformed("three parts joined by dots"));
    };
    let part = |part: &[u8]| {
        let bytes = base64_bytes(part).ok_or_else(|| Decoder::Jwt.malformed("base64"))?;
        let value = json(&bytes).map_err(|_| Decoder::Jwt.malformed("JSON in base64"))?;
        if value.as_map().is_none() {
            return Err(Decoder::Jwt.malformed("a JSON object in base64"));
        }
        Ok(value)
    };
    Ok(Value::from(Map::from_iter([
        ("header", part(header)?),
        ("claims", part(claims)?),
        (
            "signature",
            Value::from(if signature.is_empty() {
                "none"
            } else {
                "not verified"
            }),
        ),
    ])))
}

pub(super) fn looks_like_jwt(text: &[u8]) -> bool {
    // `{"` in base64. A token has at most some kilobytes.
    text.starts_with(b"eyJ")
        && text.len() <= 64 << 10
        && memchr::memchr_iter(b'.', text).count() == 2
        && text
            .trim_ascii()
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'='))
}

pub(super) fn looks_like_gzip(head: &[u8]) -> bool {
    // The magic bytes and the method `deflate`, in base64.
    head.starts_with(b"\x1f\x8b") || head.trim_ascii_start().starts_with(b"H4sI")
}

/// True for a text that is long enough, has only base64 characters, and decodes to text or a known magic number at its start. A
/// plain word is not base64.
pub(super) fn looks_like_base64(text: &[u8]) -> bool {
    const SHORTEST: usize = 12;
    let is_of_alphabet = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'\n' | b'\r')
    };
    let text = text.trim_ascii();
    let head = &text[..text.len().min(super::HEAD)];
    let n_padding = head.iter().rev().take_while(|byte| **byte == b'=').count();
    if head.len() < SHORTEST || n_padding > 2 {
        return false;
    }
    let body = &head[..head.len() - n_padding];
    if !body.iter().all(is_of_alphabet) {
        return false;
    }
    let body: Vec<u8> = body
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    if body.len() % 4 == 1 {
        return false;
    }
    base64_bytes(&body[..(body.len() - body.len() % 4).min(256)])
        .is_some_and(|bytes| is_telling(&bytes))
}

fn is_telling(bytes: &[u8]) -> bool {
    const MAGIC: [&[u8]; 5] = [
        b"\x1f\x8b",
        b"PK\x03\x04",
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"\x30\x82",
    ];
    if MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        return true;
    }
    // The head may end inside a character.
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(err) if err.error_len().is_none() => {
            std::str::from_utf8(&bytes[..err.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.is_empty()
        && text
            .chars()
            .all(|char| !char.is_control() || matches!(char, '\n' | '\r' | '\t'))
}

/// True for URL-encoded JSON. A URL with escapes can be read as it is.
pub(super) fn looks_like_url(head: &[u8]) -> bool {
    let is_json =
        |start: &[u8]| start.eq_ignore_ascii_case(b"%7B") || start.eq_ignore_ascii_case(b"%5B");
    head.get(..3).is_some_and(is_json) && !head.iter().any(u8::is_ascii_whitespace)
}

fn has_escape(text: &[u8]) -> bool {
    memchr::memchr_iter(b'%', text).any(|at| {
        text.get(at + 1..at + 3)
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}
