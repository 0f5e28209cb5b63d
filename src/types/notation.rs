//! Types as text.

use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use indexmap::IndexMap;

use super::{ObjectType, Type};
use crate::json::{self, Numbers, Reader};
use crate::text::{ParseError, Scanner};
use crate::value::Value;

/// Maximum nesting depth of the notation.
pub(super) const MAX_NESTING: usize = 200;

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
                    json::write_compact(f, value)?;
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

/// Parses the output of [`Display`](fmt::Display). White space is ignored everywhere. A comma is allowed between a key and its
/// type, as in the specification: `Object<a, String, b, Number>`.
impl FromStr for Type {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut parser = Parser(Scanner::new(text));
        let ty = parser.ty(0)?;
        parser.skip_space();
        if !parser.0.is_at_end() {
            return Err(parser.0.error("the end of the type"));
        }
        Ok(ty)
    }
}

struct Parser<'t>(Scanner<'t>);

impl<'t> Parser<'t> {
    fn skip_space(&mut self) {
        self.0.take_while(|char| char.is_ascii_whitespace());
    }

    /// Consumes `literal` if it is next.
    fn take(&mut self, literal: &str) -> bool {
        self.skip_space();
        self.0.take(literal)
    }

    /// Consumes `literal`, which has to be next.
    fn expect(&mut self, literal: &str, expected: &'static str) -> Result<(), ParseError> {
        self.skip_space();
        self.0.expect(literal, expected)
    }

    fn word(&mut self) -> &'t str {
        self.skip_space();
        self.0.take_while(is_word)
    }

    fn ty(&mut self, depth: usize) -> Result<Type, ParseError> {
        self.skip_space();
        if depth > MAX_NESTING {
            return Err(self.0.error("less nesting"));
        }
        let start = self.0.offset();
        let one = |parser: &mut Self| parser.argument(depth).map(Arc::new);
        Ok(match self.word() {
            "Null" => Type::Null,
            "Bool" => Type::Bool,
            "Number" => Type::Number,
            "String" => Type::String,
            "Asset" => Type::Asset,
            "Archive" => Type::Archive,
            "ResourceReference" => Type::Reference,
            "Dynamic" => Type::Dynamic,
            "Tuple" => Type::Tuple(self.arguments(depth)?),
            "Union" => Type::Union(self.arguments(depth)?),
            "Array" => Type::Array(one(self)?),
            "Set" => Type::Set(one(self)?),
            "Map" => Type::Map(one(self)?),
            "Promise" => Type::Promise(one(self)?),
            "Output" => Type::Output(one(self)?),
            "Input" => Type::Input(one(self)?),
            "Enum" => self.enumeration(depth)?,
            "Object" => self.object(depth)?,
            _ => {
                return Err(self.0.error_at(start, "a type"));
            }
        })
    }

    fn argument(&mut self, depth: usize) -> Result<Type, ParseError> {
        self.expect("<", "`<`")?;
        let ty = self.ty(depth + 1)?;
        self.expect(">", "`>`")?;
        Ok(ty)
    }

    fn arguments(&mut self, depth: usize) -> Result<Vec<Type>, ParseError> {
        self.expect("<", "`<`")?;
        let mut types = Vec::new();
        if self.take(">") {
            return Ok(types);
        }
        loop {
            types.push(self.ty(depth + 1)?);
            if self.take(">") {
                return Ok(types);
            }
            self.expect(",", "`,` or `>`")?;
        }
    }

    fn enumeration(&mut self, depth: usize) -> Result<Type, ParseError> {
        self.expect("<", "`<`")?;
        let ty = self.ty(depth + 1)?;
        let mut values = Vec::new();
        while self.take(",") {
            values.push(self.literal()?);
        }
        self.expect(">", "`,` or `>`")?;
        Ok(Type::Enum(ty.into(), values))
    }

    fn literal(&mut self) -> Result<Value, ParseError> {
        self.skip_space();
        let mut reader = Reader::at(self.0.text().as_bytes(), self.0.offset());
        match json::build(&mut reader, Numbers::Double, &mut Vec::new()) {
            Ok(value) => {
                self.0.seek(reader.offset());
                Ok(value)
            }
            Err(_) => Err(self.0.error("a JSON value")),
        }
    }

    fn key(&mut self) -> Result<Arc<str>, ParseError> {
        self.skip_space();
        if self.0.rest().starts_with('"') {
            let value = self.literal()?;
            return Ok(value.as_str().unwrap_or_default().into());
        }
        match self.word() {
            "" => Err(self.0.error("a key")),
            key => Ok(key.into()),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Type, ParseError> {
        self.expect("<", "`<`")?;
        let mut object = ObjectType {
            attributes: IndexMap::new(),
            ..ObjectType::default()
        };
        if self.take(">") {
            return Ok(Type::Object(object));
        }
        loop {
            self.skip_space();
            let start = self.0.offset();
            let key = self.key()?;
            if self.take("?") {
                object.optional.insert(key.clone());
            }
            if !self.take(":") {
                self.expect(",", "`:`")?;
            }
            let ty = self.ty(depth + 1)?;
            if object.attributes.insert(key, ty).is_some() {
                let expected = "a key that was not given before";
                return Err(self.0.error_at(start, expected));
            }
            if self.take(">") {
                return Ok(Type::Object(object));
            }
            self.expect(",", "`,` or `>`")?;
        }
    }
}
