//! Types as text.

use std::fmt::{self, Write};

use super::Type;
use crate::json;

/// The notation of the specification. The keys of an object are bare if they are identifiers, else quoted as in JSON; `?` after a
/// key marks it as optional. The values of an enum are JSON. Safe to show on a terminal.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("Null"),
            Self::Bool => f.write_str("Bool"),
            Self::Number => f.write_str("Number"),
            Self::String => f.write_str("String"),
            Self::Asset => f.write_str("Asset"),
            Self::Archive => f.write_str("Archive"),
            Self::Reference => f.write_str("ResourceReference"),
            Self::Dynamic => f.write_str("Dynamic"),
            Self::Tuple(types) => write_types(f, "Tuple", types),
            Self::Union(types) => write_types(f, "Union", types),
            Self::Array(ty) => write!(f, "Array<{ty}>"),
            Self::Set(ty) => write!(f, "Set<{ty}>"),
            Self::Map(ty) => write!(f, "Map<{ty}>"),
            Self::Promise(ty) => write!(f, "Promise<{ty}>"),
            Self::Output(ty) => write!(f, "Output<{ty}>"),
            Self::Input(ty) => write!(f, "Input<{ty}>"),
            Self::Enum(ty, values) => {
                write!(f, "Enum<{ty}")?;
                for value in values {
                    f.write_str(", ")?;
                    f.write_str(&json::to_compact(value))?;
                }
                f.write_str(">")
            }
            Self::Object(object) => {
                f.write_str("Object<")?;
                for (index, (key, ty)) in object.attributes.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    write_key(f, key)?;
                    f.write_str(if object.optional.contains(key) {
                        "?: "
                    } else {
                        ": "
                    })?;
                    write!(f, "{ty}")?;
                }
                f.write_str(">")
            }
        }
    }
}

fn write_types(f: &mut fmt::Formatter<'_>, name: &str, types: &[Type]) -> fmt::Result {
    write!(f, "{name}<")?;
    for (index, ty) in types.iter().enumerate() {
        write!(f, "{}{ty}", if index == 0 { "" } else { ", " })?;
    }
    f.write_str(">")
}

/// Writes a key, quoted unless it is an identifier.
pub(super) fn write_key(out: &mut impl Write, key: &str) -> fmt::Result {
    if is_bare(key) {
        out.write_str(key)
    } else {
        json::write_string(out, key)
    }
}

fn is_bare(key: &str) -> bool {
    !key.is_empty() && key.chars().all(is_word)
}

fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '$' | '.' | '/')
}
