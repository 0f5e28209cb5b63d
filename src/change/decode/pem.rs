//! PEM: a summary of the blocks of a text, without their secrets.
//!
//! # Source
//!
//! RFC 7468.

use sha2::{Digest, Sha256};

use super::{DecodeError, Decoder, der, find, text};
use crate::text::hex;
use crate::value::{Map, Number, Value};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// The summary of a single block, or an array of the summaries of several blocks.
pub(super) fn decode(bytes: &[u8]) -> Result<Value, DecodeError> {
    let mut blocks = Vec::new();
    let mut rest = bytes;
    while let Some(at) = find(rest, BEGIN) {
        rest = &rest[at + BEGIN.len()..];
        let Some((label, body)) = split(rest, DASHES) else {
            break;
        };
        let Some((contents, after)) = split(body, END) else {
            return Err(Decoder::Pem.malformed("an END line for each BEGIN line"));
        };
        blocks.push(block(label, contents));
        rest = after;
    }
    match blocks.len() {
        0 => Err(Decoder::Pem.malformed("a BEGIN line")),
        1 => Ok(blocks.swap_remove(0)),
        _ => Ok(Value::from(blocks)),
    }
}

fn split<'a>(bytes: &'a [u8], at: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let start = find(bytes, at)?;
    Some((&bytes[..start], &bytes[start + at.len()..]))
}

fn block(label: &[u8], contents: &[u8]) -> Value {
    let label = String::from_utf8_lossy(label).into_owned();
    let is_certificate = label == "CERTIFICATE" || label == "TRUSTED CERTIFICATE";
    let mut summary = Map::from_iter([("block", Value::from(label))]);
    let Some(bytes) = text::base64_bytes(contents) else {
        // Old encrypted keys have headers before the base64.
        return Value::from(summary.set("contents", Value::from("not base64")));
    };
    if is_certificate && let Some(certificate) = der::certificate(&bytes) {
        for (key, value) in &certificate {
            summary = summary.set(key.clone(), value.clone());
        }
        let fingerprint = hex(&Sha256::digest(&bytes));
        return Value::from(summary.set("sha256", Value::from(fingerprint)));
    }
    let size = Number::exact(&bytes.len().to_string());
    Value::from(summary.set("bytes", Value::from(size)))
}
