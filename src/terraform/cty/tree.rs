//! JSON as cty reads it: numbers as written, repeated keys in order, and the extensions of our values.

use std::borrow::Cow;
use std::sync::Arc;

use crate::json::{ParseError, Reader, Token};
use crate::value::{Map, Markers, Number, Payload, Refinements, Text, Value};

/// Deeper JSON is refused: it is walked recursively, and no type is this deep.
const MAX_DEPTH: usize = 500;

/// A JSON value with its markers.
pub(super) struct Json<'a> {
    pub(super) node: Node<'a>,
    pub(super) markers: Markers,
}

pub(super) enum Node<'a> {
    Null,
    Bool(bool),
    Number(Cow<'a, str>),
    String(Text),
    Array(Vec<Json<'a>>),
    Object(Vec<(Arc<str>, Json<'a>)>),
    Computed(Option<Arc<Refinements>>),
    /// A value that JSON cannot have.
    Other,
}

impl<'a> Json<'a> {
    fn plain(node: Node<'a>) -> Self {
        Self {
            node,
            markers: Markers::default(),
        }
    }

    pub(super) fn of_value(value: &Value) -> Self {
        let node = match value.payload() {
            Payload::Null => Node::Null,
            Payload::Bool(bool) => Node::Bool(*bool),
            Payload::Number(number) => Node::Number(super::json::number_text(number)),
            Payload::String(text) => Node::String(text.clone()),
            Payload::Array(items) => Node::Array(items.iter().map(Self::of_value).collect()),
            Payload::Map(map) => {
                let entries = map
                    .iter()
                    .map(|(key, value)| (key.clone(), Self::of_value(value)));
                Node::Object(entries.collect())
            }
            Payload::Computed(refinements) => Node::Computed(refinements.clone()),
            _ => Node::Other,
        };
        Self {
            node,
            markers: value.markers(),
        }
    }

    /// Parses the whole text as one JSON value. As in the original, only a closing bracket ends it early.
    pub(super) fn parse(text: &'a [u8]) -> Result<Self, ParseError> {
        let mut reader = Reader::new(text);
        let json = Self::read_first(&mut reader)?;
        if !matches!(text.get(reader.next_start()), Some(b']' | b'}')) {
            reader.next()?;
        }
        Ok(json)
    }

    /// Parses the JSON value at the start of the text. Trailing data is ignored, and so are the digits after a leading zero.
    pub(super) fn parse_first(text: &'a [u8]) -> Result<Self, ParseError> {
        let start = text.len() - text.trim_ascii_start().len();
        let number = &text[start..];
        let zero = usize::from(number.starts_with(b"-"));
        let text = match &number[zero..] {
            [b'0', b'0'..=b'9', ..] => &text[..=start + zero],
            _ => text,
        };
        Self::read_first(&mut Reader::new(text))
    }

    fn read_first(reader: &mut Reader<'a>) -> Result<Self, ParseError> {
        let first = reader.next()?;
        Self::read(reader, first)
    }

    fn read(reader: &mut Reader<'a>, token: Option<Token<'a>>) -> Result<Self, ParseError> {
        let at = reader.token_start();
        let error =
            |reader: &Reader<'a>, expected| Err(ParseError::at(reader.bytes(), at, expected));
        if reader.depth() > MAX_DEPTH {
            return error(reader, "at most 500 levels of nesting");
        }
        let node = match token {
            Some(Token::Null) => Node::Null,
            Some(Token::Bool(bool)) => Node::Bool(bool),
            Some(Token::Number(text)) => Node::Number(Cow::Borrowed(text)),
            Some(Token::String(text)) => Node::String(Text::from(&*text.decode())),
            Some(Token::ArrayStart) => {
                let mut items = Vec::new();
                loop {
                    match reader.next()? {
                        Some(Token::ArrayEnd) => break,
                        token => items.push(Self::read(reader, token)?),
                    }
                }
                Node::Array(items)
            }
            Some(Token::MapStart) => {
                let mut entries = Vec::new();
                while let Some(Token::Key(key)) = reader.next()? {
                    let key = Arc::from(key.decode_lossy());
                    let token = reader.next()?;
                    entries.push((key, Self::read(reader, token)?));
                }
                Node::Object(entries)
            }
            _ => return error(reader, "a value"),
        };
        Ok(Self::plain(node))
    }

    /// The kind of JSON value, in plain English.
    pub(super) fn kind(&self) -> &'static str {
        match self.node {
            Node::Null => "null",
            Node::Bool(_) => "bool",
            Node::Number(_) => "number",
            Node::String(_) => "string",
            Node::Array(_) => "array",
            Node::Object(_) => "object",
            Node::Computed(_) => "unknown",
            Node::Other => "something else",
        }
    }

    /// Converts to a [`Value`]. Of repeated keys the last one wins.
    pub(super) fn to_value(&self) -> Value {
        match &self.node {
            Node::Null | Node::Other => Value::NULL,
            Node::Bool(bool) => Value::from(*bool),
            Node::Number(text) => Number::exact(text).map_or(Value::NULL, Value::from),
            Node::String(text) => Value::from(text.clone()),
            Node::Array(items) => Value::from(items.iter().map(Self::to_value).collect::<Vec<_>>()),
            Node::Object(entries) => {
                let entries = entries
                    .iter()
                    .map(|(key, json)| (key.clone(), json.to_value()));
                Value::from(entries.collect::<Map>())
            }
            Node::Computed(refinements) => Value::new(Payload::Computed(refinements.clone())),
        }
    }
}
