//! `Debug` and `Display` of values. Neither ever prints a secret.

use std::fmt;

use super::{Archive, Asset, KNOWN_AFTER_APPLY, Payload, SECRET, Shown, Value};
use crate::text::{escape_into, plural};

impl fmt::Display for Value {
    /// One line: strings quoted and escaped, keys bare, `[secret]` or `[likely secret]` for secrets, `[unknown]` for unknowns. The alternate
    /// form (`{:#}`) has the words of a plan for these: [`KNOWN_AFTER_APPLY`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shown() {
            Shown::Secret(mask) => f.write_str(mask),
            Shown::Plain(payload) => write_payload(f, payload),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        match self.dependencies() {
            [] => Ok(()),
            dependencies => write!(f, " ↗ {dependencies:?}"),
        }
    }
}

impl Payload {
    /// The kind of payload as a noun: `string`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Map(_) => "map",
            Self::Asset(_) => "asset",
            Self::Archive(_) => "archive",
            Self::Reference(_) => "reference",
            Self::Computed(_) => "unknown",
            Self::Sealed(_) => "sealed",
        }
    }

    /// The kind of payload as what was found in place of another one: `a string`.
    pub fn found(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a bool",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Map(_) => "a map",
            Self::Asset(_) => "an asset",
            Self::Archive(_) => "an archive",
            Self::Reference(_) => "a resource reference",
            Self::Computed(_) => "an unknown",
            Self::Sealed(_) => "a secret",
        }
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())
    }
}

fn write_payload(f: &mut fmt::Formatter<'_>, payload: &Payload) -> fmt::Result {
    match payload {
        Payload::Null => f.write_str("null"),
        Payload::Bool(bool) => write!(f, "{bool}"),
        Payload::Number(number) => write!(f, "{number}"),
        Payload::String(text) => write_quoted(f, &text.to_str_lossy()),
        Payload::Array(array) => {
            f.write_str("[")?;
            for (index, item) in array.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                fmt::Display::fmt(item, f)?;
            }
            f.write_str("]")
        }
        Payload::Map(map) => {
            f.write_str("{")?;
            for (index, (key, value)) in map.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                escape_into(f, key)?;
                f.write_str(": ")?;
                fmt::Display::fmt(value, f)?;
            }
            f.write_str("}")
        }
        Payload::Asset(asset) => write_source(f, "asset", &asset_source(asset)),
        Payload::Archive(archive) => write_source(f, "archive", &archive_source(archive)),
        Payload::Reference(reference) => {
            f.write_str("↗ ")?;
            escape_into(f, &reference.urn.to_str_lossy())
        }
        Payload::Computed(_) if f.alternate() => f.write_str(KNOWN_AFTER_APPLY),
        Payload::Computed(_) => f.write_str("[unknown]"),
        Payload::Sealed(_) => f.write_str(SECRET),
    }
}

fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    escape_into(f, &text.replace('\\', "\\\\").replace('"', "\\\""))?;
    f.write_str("\"")
}

fn write_source(f: &mut fmt::Formatter<'_>, kind: &str, source: &str) -> fmt::Result {
    write!(f, "{kind}(")?;
    escape_into(f, source)?;
    f.write_str(")")
}

fn asset_source(asset: &Asset) -> String {
    if let Some(text) = &asset.text {
        format!("text, {}", plural(text.as_bytes().len(), "byte"))
    } else if asset.path.as_bytes().is_empty() {
        asset.uri.to_str_lossy().into_owned()
    } else {
        asset.path.to_str_lossy().into_owned()
    }
}

fn archive_source(archive: &Archive) -> String {
    if let Some(assets) = &archive.assets {
        plural(assets.len(), "asset")
    } else if archive.path.as_bytes().is_empty() {
        archive.uri.to_str_lossy().into_owned()
    } else {
        archive.path.to_str_lossy().into_owned()
    }
}
