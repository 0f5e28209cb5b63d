//! Values from tokens.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use hashbrown::HashSet;

use super::{ParseError, Reader, Str, Token};
use crate::value::{Map, Number, Text, Value};

/// Maximum number of open brackets in a value. Engines stop at 10,000, and files written by people stay below 50. Values are
/// walked recursively everywhere, so the limit is enforced here, where they enter.
pub const MAX_DEPTH: usize = 1_000;

/// Maximum number of notes on one text; further ones add nothing.
const MAX_NOTES: usize = 100;

/// The way in which numbers are read.
///
/// A number that cannot be kept exactly is kept as its text and noted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// As exact decimals, of any size (cty).
    Exact,
    /// As the nearest IEEE doubles (Pulumi).
    Double,
}

/// A value, and the oddities of its text.
#[derive(Clone, PartialEq, Debug)]
pub struct Parsed {
    /// The value, of null, bool, number, string, array and map, without markers.
    pub value: Value,
    /// Oddities in the order of the text; at most 100.
    pub notes: Vec<Note>,
}

/// An oddity that did not prevent reading the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    /// Byte offset from the start of the text.
    pub offset: usize,
    /// The kind of the oddity.
    pub kind: NoteKind,
}

/// The kind of an oddity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteKind {
    /// A map has a key twice; the last value wins.
    DuplicateKey,
    /// A string holds half of a surrogate pair; its bytes are kept (WTF-8). In a key it is U+FFFD.
    LoneSurrogate,
    /// A string is not UTF-8; its bytes are kept. In a key they are U+FFFD.
    NotUtf8,
    /// A string holds a control character that should have been escaped.
    ControlCharacter,
    /// A number beyond the range of doubles, read with [`Numbers::Double`]; it is infinite.
    Infinite,
    /// A number read exactly whose binary exponent does not fit 32 bits, so that cty cannot hold it.
    Huge,
    /// A number whose exponent does not fit 63 bits; its text is kept.
    HugeExponent,
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DuplicateKey => "a key occurs twice; the last value is used",
            Self::LoneSurrogate => "a string holds half of a surrogate pair",
            Self::NotUtf8 => "a string is not UTF-8",
            Self::ControlCharacter => "a string holds a control character that is not escaped",
            Self::Infinite => "a number exceeds the range of a double and is read as infinity",
            Self::Huge => "a number is outside the range of Terraform numbers",
            Self::HugeExponent => "a number has too large an exponent and is read as text",
        })
    }
}

/// Parses `bytes`, which hold one value and nothing after it.
///
/// # Errors
///
/// If the text is not JSON, or nests deeper than [`MAX_DEPTH`].
pub fn parse(bytes: &[u8], numbers: Numbers) -> Result<Parsed, ParseError> {
    let mut reader = Reader::new(bytes);
    let mut notes = Vec::new();
    let value = build(&mut reader, numbers, &mut notes)?;
    reader.next()?;
    Ok(Parsed { value, notes })
}

/// Builds the next value of `reader`, which is before a value or has just returned a key.
///
/// # Errors
///
/// If the text is not JSON, or the value itself nests deeper than [`MAX_DEPTH`].
pub fn build(
    reader: &mut Reader<'_>,
    numbers: Numbers,
    notes: &mut Vec<Note>,
) -> Result<Value, ParseError> {
    let mut builder = Builder {
        numbers,
        notes,
        open: Vec::new(),
        spare: Vec::new(),
        keys: HashSet::new(),
    };
    loop {
        let Some(token) = reader.next()? else {
            return Err(ParseError::at(reader.bytes(), reader.offset(), "a value"));
        };
        if let Some(value) = builder.take(token, reader)? {
            return Ok(value);
        }
    }
}

struct Builder<'n> {
    numbers: Numbers,
    notes: &'n mut Vec<Note>,
    open: Vec<Container>,
    /// Empty entry lists, for reuse by further maps.
    spare: Vec<Entries>,
    /// Keys seen so far, so that repeated keys are shared, as in a list of similar maps.
    keys: HashSet<Arc<str>>,
}

/// Maximum number of different keys to remember.
const MAX_KEYS: usize = 1_024;

enum Container {
    Array(Vec<Value>),
    Map(Entries),
}

/// The entries so far, each key with its byte offset.
#[derive(Default)]
struct Entries {
    pairs: Vec<(Arc<str>, Value)>,
    starts: Vec<usize>,
    key: Option<Arc<str>>,
}

impl Builder<'_> {
    /// Takes one token. Returns the value once it is complete.
    fn take(&mut self, token: Token<'_>, reader: &Reader<'_>) -> Result<Option<Value>, ParseError> {
        let start = reader.token_start();
        let value = match token {
            Token::Null => Value::NULL,
            Token::Bool(bool) => Value::from(bool),
            Token::Number(text) => self.number(text, start),
            Token::String(text) => Value::from(self.text(text, start)),
            Token::Key(key) => {
                let key = self.key(key, start);
                if let Some(Container::Map(map)) = self.open.last_mut() {
                    map.starts.push(start);
                    map.key = Some(key);
                }
                return Ok(None);
            }
            Token::ArrayStart | Token::MapStart => {
                if self.open.len() == MAX_DEPTH {
                    return Err(ParseError::at(
                        reader.bytes(),
                        start,
                        "at most 1,000 levels of nesting",
                    ));
                }
                self.open.push(if token == Token::MapStart {
                    Container::Map(self.spare.pop().unwrap_or_default())
                } else {
                    Container::Array(Vec::new())
                });
                return Ok(None);
            }
            Token::ArrayEnd | Token::MapEnd => match self.open.pop() {
                Some(Container::Array(items)) => Value::from(items),
                Some(Container::Map(map)) => self.close(map),
                // The reader was passed in inside a container that then ended.
                None => return Err(ParseError::at(reader.bytes(), start, "a value")),
            },
        };
        Ok(match self.open.last_mut() {
            None => Some(value),
            Some(Container::Array(items)) => {
                items.push(value);
                None
            }
            Some(Container::Map(map)) => {
                let key = map
                    .key
                    .take()
                    .expect("the reader gives a key before each value");
                map.pairs.push((key, value));
                None
            }
        })
    }

    fn number(&mut self, text: &str, start: usize) -> Value {
        let (number, odd) = match self.numbers {
            Numbers::Exact => (Number::exact(text), NoteKind::Huge),
            Numbers::Double => (Number::nearest_double(text), NoteKind::Infinite),
        };
        let Some(number) = number else {
            self.note(start, NoteKind::HugeExponent);
            return Value::from(text);
        };
        let is_held = match self.numbers {
            Numbers::Exact => number.is_held_by_cty(),
            Numbers::Double => number.is_finite(),
        };
        if !is_held {
            self.note(start, odd);
        }
        Value::from(number)
    }

    fn text(&mut self, text: Str<'_>, start: usize) -> Text {
        let decoded = text.decode();
        if let Some(kind) = text.oddity(&decoded) {
            self.note(start, kind);
        }
        match decoded {
            Cow::Borrowed(bytes) => Text::from(bytes),
            Cow::Owned(bytes) => Text::from(bytes),
        }
    }

    fn key(&mut self, key: Str<'_>, start: usize) -> Arc<str> {
        let decoded = key.decode();
        if let Some(kind) = key.oddity(&decoded) {
            self.note(start, kind);
        }
        let text = String::from_utf8_lossy(&decoded);
        if let Some(known) = self.keys.get(&*text) {
            return Arc::clone(known);
        }
        let key: Arc<str> = Arc::from(text);
        if self.keys.len() < MAX_KEYS {
            self.keys.insert(Arc::clone(&key));
        }
        key
    }

    fn close(&mut self, mut entries: Entries) -> Value {
        let (map, repeated) = Map::from_pairs(entries.pairs.drain(..));
        for at in repeated {
            self.note(entries.starts[at], NoteKind::DuplicateKey);
        }
        entries.starts.clear();
        self.spare.push(entries);
        Value::from(map)
    }

    fn note(&mut self, offset: usize, kind: NoteKind) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(Note { offset, kind });
        }
    }
}
