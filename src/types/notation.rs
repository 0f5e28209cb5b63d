//! Types as text.

use std::fmt;

use super::{ObjectType, Type};
use crate::json;

/// The notation of the specification: the keys of an object alternate with their types, and are quoted as in JSON. `?` after a key
/// marks it as optional. The values of an enum are JSON. Safe to show on a terminal.
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
                    write!(f, "{}, {ty}", object.key(key))?;
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

impl ObjectType {
    /// A key of the object as it is printed: quoted, with `?` if it is optional.
    pub fn key(&self, key: &str) -> String {
        let mut printed = String::new();
        // Writing to a string cannot fail.
        _ = json::write_string(&mut printed, key);
        if self.optional.contains(key) {
            printed.push('?');
        }
        printed
    }
}
