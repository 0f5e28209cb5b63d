//! DER: the subset that the summary of a certificate needs.
//!
//! # Source
//!
//! ITU-T X.690 (DER), RFC 5280 (certificates), RFC 8017, 5480 and 8410 (keys).

use crate::change::vocabulary::WORDS;
use crate::text::hex;
use crate::value::{Map, Value};

/// The rest of a DER text, read element by element.
#[derive(Clone, Copy)]
struct Der<'a>(&'a [u8]);

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
const OID: u8 = 0x06;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const BMP_STRING: u8 = 0x1e;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const VERSION: u8 = 0xa0;
const EXTENSIONS: u8 = 0xa3;

impl<'a> Der<'a> {
    /// The next element: its tag and its contents. `None` at the end and if the text is not DER.
    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (&tag, rest) = self.0.split_first()?;
        let (&first, rest) = rest.split_first()?;
        let (length, rest) = match first {
            0..=0x7f => (usize::from(first), rest),
            0x81..=0x84 => {
                let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
                let length = digits
                    .iter()
                    .fold(0usize, |length, byte| length << 8 | usize::from(*byte));
                (length, rest)
            }
            _ => return None,
        };
        let (contents, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((tag, contents))
    }

    /// The contents of the next element, if it has this tag.
    fn take(&mut self, tag: u8) -> Option<&'a [u8]> {
        let mut ahead = *self;
        let (found, contents) = ahead.next()?;
        if found != tag {
            return None;
        }
        *self = ahead;
        Some(contents)
    }
}

/// The summary of an X.509 certificate; `None` if the bytes are not one.
pub(super) fn certificate(bytes: &[u8]) -> Option<Map> {
    let mut whole = Der(Der(bytes).take(SEQUENCE)?);
    let mut body = Der(whole.take(SEQUENCE)?);
    body.take(VERSION);
    let serial = body.take(INTEGER)?;
    let signature = algorithm(body.take(SEQUENCE)?)?;
    let issuer = name(body.take(SEQUENCE)?);
    let mut validity = Der(body.take(SEQUENCE)?);
    let not_before = time(validity.next()?)?;
    let not_after = time(validity.next()?)?;
    let subject = name(body.take(SEQUENCE)?);
    let key = public_key(body.take(SEQUENCE)?)?;
    let mut summary = Map::from_iter([
        ("subject", Value::from(subject)),
        ("issuer", Value::from(issuer)),
        ("notBefore", Value::from(not_before)),
        ("notAfter", Value::from(not_after)),
        (
            "serial",
            Value::from(hex(serial.strip_prefix(&[0]).unwrap_or(serial))),
        ),
        ("key", Value::from(key)),
        ("signature", Value::from(signature)),
    ]);
    // Old certificates may have two optional unique identifiers before the extensions.
    while let Some((tag, contents)) = body.next() {
        if tag == EXTENSIONS {
            summary = extensions(contents, summary);
        }
    }
    Some(summary)
}

fn extensions(contents: &[u8], mut summary: Map) -> Map {
    let mut list = Der(Der(contents).take(SEQUENCE).unwrap_or_default());
    while let Some(extension) = list.take(SEQUENCE) {
        let mut extension = Der(extension);
        let Some(oid) = extension.take(OID) else {
            continue;
        };
        extension.take(0x01);
        let Some(value) = extension.take(OCTET_STRING) else {
            continue;
        };
        match dotted(oid).as_str() {
            "2.5.29.17" => {
                summary = summary.set("names", Value::from(alternative_names(value)));
            }
            "2.5.29.19" => {
                let mut constraints = Der(Der(value).take(SEQUENCE).unwrap_or_default());
                let is_ca = constraints.take(0x01).is_some_and(|bool| bool != [0]);
                summary = summary.set("isCa", Value::from(is_ca));
            }
            _ => {}
        }
    }
    summary
}

fn alternative_names(value: &[u8]) -> Vec<Value> {
    let mut names = Vec::new();
    let mut list = Der(Der(value).take(SEQUENCE).unwrap_or_default());
    while let Some((tag, contents)) = list.next() {
        let name = match (tag & 0x1f, contents) {
            (1, _) => format!("email:{}", text(contents)),
            (2, _) => format!("dns:{}", text(contents)),
            (6, _) => format!("uri:{}", text(contents)),
            (7, [a, b, c, d]) => format!("ip:{a}.{b}.{c}.{d}"),
            (7, _) => match <[u8; 16]>::try_from(contents) {
                Ok(octets) => format!("ip:{}", core::net::Ipv6Addr::from(octets)),
                Err(_) => continue,
            },
            _ => continue,
        };
        names.push(Value::from(name));
    }
    names
}

/// A distinguished name as `CN=…, O=…`, in the order of the certificate.
fn name(contents: &[u8]) -> String {
    let mut shown = Vec::new();
    let mut sets = Der(contents);
    while let Some(set) = sets.take(SET) {
        let mut attributes = Der(set);
        while let Some(attribute) = attributes.take(SEQUENCE) {
            let mut attribute = Der(attribute);
            let (Some(oid), Some((tag, value))) = (attribute.take(OID), attribute.next()) else {
                continue;
            };
            let value = if tag == BMP_STRING {
                let units = value
                    .chunks_exact(2)
                    .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
                char::decode_utf16(units)
                    .map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect()
            } else {
                text(value)
            };
            shown.push(format!("{}={value}", named(oid)));
        }
    }
    shown.join(", ")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A UTC or generalized time in RFC 3339.
fn time((tag, contents): (u8, &[u8])) -> Option<String> {
    let digits = std::str::from_utf8(contents).ok()?.strip_suffix('Z')?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (year, rest) = match tag {
        // Two-digit years: 50 to 99 are 1950 to 1999.
        UTC_TIME if digits.len() == 12 => {
            let century = if &digits[..2] >= "50" { "19" } else { "20" };
            (format!("{century}{}", &digits[..2]), &digits[2..])
        }
        GENERALIZED_TIME if digits.len() == 14 => (digits[..4].to_owned(), &digits[4..]),
        _ => return None,
    };
    let part = |index: usize| &rest[index * 2..index * 2 + 2];
    Some(format!(
        "{year}-{}-{}T{}:{}:{}Z",
        part(0),
        part(1),
        part(2),
        part(3),
        part(4)
    ))
}

fn algorithm(contents: &[u8]) -> Option<String> {
    Der(contents).take(OID).map(named)
}

/// The kind and size of a public key: `RSA 2048`, `EC P-256`, `Ed25519`.
fn public_key(contents: &[u8]) -> Option<String> {
    let mut info = Der(contents);
    let identifier = info.take(SEQUENCE)?;
    let kind = algorithm(identifier)?;
    let bits = info.take(BIT_STRING)?.split_first()?.1;
    match kind.as_str() {
        "RSA" => {
            let modulus = Der(Der(bits).take(SEQUENCE)?).take(INTEGER)?;
            let first = modulus.iter().position(|byte| *byte != 0)?;
            let n_bits = (modulus.len() - first) * 8 - modulus[first].leading_zeros() as usize;
            Some(format!("RSA {n_bits}"))
        }
        "EC" => {
            let mut parameters = Der(identifier);
            parameters.take(OID)?;
            let curve = parameters.take(OID).map(named).unwrap_or_default();
            Some(format!("EC {curve}"))
        }
        _ => Some(kind),
    }
}

/// The name of an object identifier, or its numbers.
fn named(contents: &[u8]) -> String {
    let oid = dotted(contents);
    let known = WORDS.object_identifiers.get(&oid).cloned();
    known.unwrap_or(oid)
}

/// An object identifier with dots. An arc that does not fit 64 bits is truncated.
fn dotted(contents: &[u8]) -> String {
    let mut arcs = Vec::new();
    let mut arc = 0u64;
    for byte in contents {
        arc = arc << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            if arcs.is_empty() {
                let first = (arc / 40).min(2);
                arcs.push(first);
                arc -= first * 40;
            }
            arcs.push(arc);
            arc = 0;
        }
    }
    arcs.iter()
        .map(u64::to_string)
        .collect::<Vec<_>>()
        .join(".")
}
