//! The tables of places and near misses.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};

/// A value with a secret in it.
pub(super) struct Place {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) value: Json,
    pub(super) secrets: Vec<String>,
    /// The value as the table writes it.
    row: String,
}

/// A value that is no secret.
pub(super) struct Near {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) value: Json,
}

impl Place {
    /// The longest word on the line of the first secret, before it.
    pub(super) fn rest(&self) -> String {
        let before = self.row.split('{').next().unwrap_or_default();
        let before = before.split("\\n").last().unwrap_or_default();
        let word = before.split(|it: char| !it.is_ascii_alphanumeric());
        word.max_by_key(|it| it.len())
            .unwrap_or_default()
            .to_owned()
    }
}

/// A pseudo-random text of these letters.
fn made(seed: usize, n: usize, letters: &str) -> String {
    let letters = letters.as_bytes();
    let mut state = (seed as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let index = usize::try_from(state >> 33).expect("31 bits") % letters.len();
        char::from(letters[index])
    };
    std::iter::repeat_with(next).take(n).collect()
}

const DIGITS: &str = "0123456789";
const HEX: &str = "0123456789abcdef";
const MIXED: &str = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789";

fn uuid(seed: usize) -> String {
    let hex = made(seed, 30, HEX);
    let (first, second) = (&hex[..8], &hex[8..12]);
    let (third, fourth, last) = (&hex[12..15], &hex[15..18], &hex[18..]);
    format!("{first}-{second}-4{third}-a{fourth}-{last}")
}

/// A secret of the kind that its number says.
fn secret(seed: usize) -> String {
    match seed % 5 {
        0 => format!("Tr0ub4dor{}", made(seed, 3, DIGITS)),
        1 => made(seed, 32, HEX),
        2 => format!("{}9x", made(seed, 22, MIXED)),
        3 => format!("S3cure!Pass{}", made(seed, 3, DIGITS)),
        _ => uuid(seed),
    }
}

/// The text of a kind of secret, and the part of it that must not be seen.
fn filling(letter: &str, n: usize) -> (String, String) {
    let text = match letter {
        "S" => secret(n),
        "L" => format!("{}a7Q", made(n, 40, MIXED)),
        "X" => made(n, 32, HEX),
        "U" => uuid(n),
        "T" => made(n, 32, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
        "B" => STANDARD.encode(format!("ci:{}", secret(n))),
        "W" => STANDARD.encode(made(n, 32, MIXED)),
        "P" => made(n, 64, MIXED),
        "K" => {
            let key = made(n, 24, MIXED);
            return (format!("T01234567/B01234567/{key}"), key);
        }
        "H" => {
            let hash = made(n, 22, MIXED);
            return (format!("{}${hash}", made(n, 8, MIXED)), hash);
        }
        other => panic!("{other}: no kind of secret"),
    };
    (text.clone(), text)
}

/// The row with its secrets, which are added to `secrets`.
fn filled(row: &str, seed: usize, secrets: &mut Vec<String>) -> String {
    let mut text = String::new();
    let mut rest = row;
    let mut n = seed;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let is_letter = |it: &str| it.len() == 1 && it.bytes().all(|it| it.is_ascii_uppercase());
        let letter = after.split_once('}').filter(|(it, _)| is_letter(it));
        if let Some((letter, after)) = letter {
            n += 1000;
            let (filling, secret) = filling(letter, n);
            text.push_str(&filling);
            secrets.push(secret);
            rest = after;
        } else {
            text.push('{');
            rest = after;
        }
    }
    text.push_str(rest);
    text
}

fn rows(text: &str) -> Vec<(String, String)> {
    let mut kind = String::new();
    let mut rows = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            name.clone_into(&mut kind);
        } else if !line.is_empty() && !kind.is_empty() {
            rows.push((kind.clone(), line.to_owned()));
        }
    }
    rows
}

/// The text of a row: `\n` is a line break, and `\\n` the two characters.
fn lines(row: &str) -> String {
    row.replace("\\n", "\n").replace("\\\n", "\\n")
}

/// All places: those of the table, and some of its texts in base64 and in gzip.
pub(super) fn places() -> Vec<Place> {
    let mut places = Vec::new();
    let rows = rows(include_str!("../../secrets/places.txt"));
    for (seed, (kind, row)) in rows.into_iter().enumerate() {
        let mut secrets = Vec::new();
        let (name, value) = match kind.as_str() {
            "names" => {
                let (name, value) = row.split_once(" = ").unwrap_or((&row, "{S}"));
                (name, json!(filled(&lines(value), seed, &mut secrets)))
            }
            "beside" => {
                let value = filled(&row, seed, &mut secrets);
                let value = serde_json::from_str(&value);
                (
                    "settings",
                    value.unwrap_or_else(|error| panic!("{row}: {error}")),
                )
            }
            _ => {
                let text = filled(&lines(&row), seed, &mut secrets);
                // A document is one only as a whole text.
                if seed.is_multiple_of(3) && kind != "documents" {
                    places.push(packed(&text, seed));
                }
                ("text", json!(text))
            }
        };
        places.push(Place {
            name: name.to_owned(),
            kind,
            value,
            secrets,
            row: row.clone(),
        });
    }
    places
}

/// A text in base64, or in gzip in base64. As a whole it is the secret.
fn packed(text: &str, seed: usize) -> Place {
    let text = format!("#!/bin/sh\n# settings\n{text}\n");
    let bytes = if seed.is_multiple_of(2) {
        text.into_bytes()
    } else {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(text.as_bytes()).unwrap();
        gzip.finish().unwrap()
    };
    let value = STANDARD.encode(bytes);
    Place {
        kind: "packed".to_owned(),
        name: "user_data".to_owned(),
        secrets: vec![value.clone()],
        value: json!(value),
        row: String::new(),
    }
}

/// All near misses.
pub(super) fn near() -> Vec<Near> {
    let rows = rows(include_str!("../../secrets/near.txt")).into_iter();
    let near = rows.map(|(kind, row)| {
        let (name, value) = match kind.as_str() {
            "values" => {
                let (name, value) = row.split_once(" =").expect("a name and a value");
                (name.to_owned(), json!(lines(value.trim_start())))
            }
            "beside" => {
                let value = serde_json::from_str(&row).expect("an object");
                ("settings".to_owned(), value)
            }
            _ => ("text".to_owned(), json!(lines(&row))),
        };
        Near { kind, name, value }
    });
    near.collect()
}
