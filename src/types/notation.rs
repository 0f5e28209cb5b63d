//! Types as text.

use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use indexmap::IndexMap;

use super::{ObjectType, Type};
use crate::json::{self, Numbers, Reader};
use crate::value::Value;

/// Maximum nesting depth of the notation.
pub(super) const MAX_NESTING: usize = 200;

/// A parse error in the text of a type.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected} at column {column}")]
pub struct ParseError {
    /// Bytes from the start of the text.
    pub offset: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Description of the tokens allowed there.
    pub expected: &'static str,
}

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
    !key.is_empty() && key.bytes().all(is_word)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$' | b'.' | b'/')
}

/// Parses the output of [`Display`](fmt::Display). White space is ignored everywhere. A comma is allowed between a key and its
/// type, as in the specification: `Object<a, String, b, Number>`.
impl FromStr for Type {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut parser = Parser { text, at: 0 };
        let ty = parser.ty(0)?;
        parser.skip_space();
        if parser.at < text.len() {
            return Err(parser.error("the end of the type"));
        }
        Ok(ty)
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn error(&self, expected: &'static str) -> ParseError {
        ParseError {
            offset: self.at,
            column: crate::text::column(self.text, self.at),
            expected,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Takes `byte` if it comes next.
    fn take(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), ParseError> {
        if self.take(byte) {
            Ok(())
        } else {
            Err(self.error(expected))
        }
    }

    fn word(&mut self) -> &'t str {
        self.skip_space();
        let start = self.at;
        while self.peek().is_some_and(is_word) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn ty(&mut self, depth: usize) -> Result<Type, ParseError> {
        self.skip_space();
        if depth > MAX_NESTING {
            return Err(self.error("less nesting"));
        }
        let start = self.at;
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
                self.at = start;
                return Err(self.error("a type"));
            }
        })
    }

    fn argument(&mut self, depth: usize) -> Result<Type, ParseError> {
        self.expect(b'<', "`<`")?;
        let ty = self.ty(depth + 1)?;
        self.expect(b'>', "`>`")?;
        Ok(ty)
    }

    fn arguments(&mut self, depth: usize) -> Result<Vec<Type>, ParseError> {
        self.expect(b'<', "`<`")?;
        let mut types = Vec::new();
        if self.take(b'>') {
            return Ok(types);
        }
        loop {
            types.push(self.ty(depth + 1)?);
            if self.take(b'>') {
                return Ok(types);
            }
            self.expect(b',', "`,` or `>`")?;
        }
    }

    fn enumeration(&mut self, depth: usize) -> Result<Type, ParseError> {
        self.expect(b'<', "`<`")?;
        let ty = self.ty(depth + 1)?;
        let mut values = Vec::new();
        while self.take(b',') {
            values.push(self.literal()?);
        }
        self.expect(b'>', "`,` or `>`")?;
        Ok(Type::Enum(ty.into(), values))
    }

    fn literal(&mut self) -> Result<Value, ParseError> {
        self.skip_space();
        let mut reader = Reader::at(self.text.as_bytes(), self.at);
        match json::build(&mut reader, Numbers::Double, &mut Vec::new()) {
            Ok(value) => {
                self.at = reader.offset();
                Ok(value)
            }
            Err(_) => Err(self.error("a JSON value")),
        }
    }

    fn key(&mut self) -> Result<Arc<str>, ParseError> {
        self.skip_space();
        if self.peek() == Some(b'"') {
            let value = self.literal()?;
            return Ok(value.as_str().unwrap_or_default().into());
        }
        match self.word() {
            "" => Err(self.error("a key")),
            key => Ok(key.into()),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Type, ParseError> {
        self.expect(b'<', "`<`")?;
        let mut object = ObjectType {
            attributes: IndexMap::new(),
            ..ObjectType::default()
        };
        if self.take(b'>') {
            return Ok(Type::Object(object));
        }
        loop {
            self.skip_space();
            let start = self.at;
            let key = self.key()?;
            if self.take(b'?') {
                object.optional.insert(key.clone());
            }
            if !self.take(b':') {
                self.expect(b',', "`:`")?;
            }
            let ty = self.ty(depth + 1)?;
            if object.attributes.insert(key, ty).is_some() {
                self.at = start;
                return Err(self.error("a key that was not given before"));
            }
            if self.take(b'>') {
                return Ok(Type::Object(object));
            }
            self.expect(b',', "`,` or `>`")?;
        }
    }
}
