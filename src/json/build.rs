//! Values from tokens.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
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
    whole(bytes, numbers, Twins::Off)
}

/// Like [`parse`], for a text in which maps come in pairs that are mostly the same: the states before and after a change.
/// An entry that the map before has in the same spelling is shared with it in memory. That saves the time to build it and, later,
/// to compare it.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_pairs(bytes: &[u8], numbers: Numbers) -> Result<Parsed, ParseError> {
    whole(bytes, numbers, Twins::On)
}

fn whole(bytes: &[u8], numbers: Numbers, twins: Twins) -> Result<Parsed, ParseError> {
    let mut reader = Reader::new(bytes);
    let mut notes = Vec::new();
    let value = of_next(&mut reader, numbers, twins, &mut notes)?;
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
    of_next(reader, numbers, Twins::Off, notes)
}

fn of_next(
    reader: &mut Reader<'_>,
    numbers: Numbers,
    twins: Twins,
    notes: &mut Vec<Note>,
) -> Result<Value, ParseError> {
    let mut builder = Builder {
        numbers,
        twins,
        notes,
        open: Vec::new(),
        spare: Vec::new(),
        keys: KEYS.take(),
    };
    let value = builder.build(reader);
    let mut keys = builder.keys;
    if keys.len() >= MAX_KEYS {
        keys.clear();
    }
    KEYS.set(keys);
    value
}

thread_local! {
    /// The keys of the values that this thread built. Resources of one type have the same keys.
    static KEYS: Cell<HashSet<Arc<str>>> = Cell::default();
}

/// The sharing of entries with those of an earlier map.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Twins {
    On,
    Off,
}

struct Builder<'n> {
    numbers: Numbers,
    twins: Twins,
    notes: &'n mut Vec<Note>,
    open: Vec<Container>,
    /// Empty entry lists, for reuse by further maps.
    spare: Vec<Entries>,
    /// Keys seen so far, so that repeated keys are shared, as in a list of similar maps.
    keys: HashSet<Arc<str>>,
}

/// Maximum number of different keys to remember.
const MAX_KEYS: usize = 1_024;

/// Maximum length in bytes of a key to remember.
const MAX_KEY: usize = 64;

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
    paired: Paired,
}

/// The facts by which entries are shared with those of another map.
#[derive(Default)]
struct Paired {
    /// The byte offsets of the ends of the values.
    ends: Vec<usize>,
    /// The maps among the values, by the position of their key.
    inner: Vec<(usize, Rc<Twin>)>,
    /// The map that this one may repeat: the one with the same key in the twin of the map around it, or the one before it there.
    twin: Option<Rc<Twin>>,
    /// The position of the entry of the twin that may be next.
    next: usize,
}

/// A map that another one may repeat.
struct Twin {
    map: Map,
    /// The byte offsets of the entries, from the quote of the key to the end of the value.
    spans: Vec<(usize, usize)>,
    inner: Vec<(usize, Rc<Twin>)>,
}

impl Twin {
    fn inner(&self, position: usize) -> Option<&Rc<Self>> {
        let place = self.inner.binary_search_by_key(&position, |(it, _)| *it);
        place.ok().map(|place| &self.inner[place].1)
    }
}

impl Paired {
    /// The twin of the map that is the next value, whose key is `key`.
    fn twin_of(&self, key: &str) -> Option<Rc<Twin>> {
        let same = self.twin.as_ref().and_then(|twin| {
            let position = twin.map.position(key)?;
            twin.inner(position)
        });
        same.or_else(|| self.inner.last().map(|(_, twin)| twin))
            .cloned()
    }
}

impl Builder<'_> {
    fn build(&mut self, reader: &mut Reader<'_>) -> Result<Value, ParseError> {
        loop {
            if self.twins == Twins::On {
                self.take_same(reader);
            }
            let Some(token) = reader.next()? else {
                return Err(ParseError::at(reader.bytes(), reader.offset(), "a value"));
            };
            if let Some(value) = self.take(token, reader)? {
                return Ok(value);
            }
        }
    }

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
                    if let Some(twin) = &map.paired.twin
                        && let Some(position) = twin.map.position(&key)
                    {
                        map.paired.next = position + 1;
                    }
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
                let container = if token == Token::MapStart {
                    let mut map = self.spare.pop().unwrap_or_default();
                    map.paired.twin = self.twin();
                    Container::Map(map)
                } else {
                    Container::Array(Vec::new())
                };
                self.open.push(container);
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
                if self.twins == Twins::On {
                    map.paired.ends.push(reader.offset());
                }
                None
            }
        })
    }

    /// The twin of the map that opens.
    fn twin(&self) -> Option<Rc<Twin>> {
        match self.open.last() {
            Some(Container::Map(map)) => map.paired.twin_of(map.key.as_ref()?),
            Some(Container::Array(_)) | None => None,
        }
    }

    /// Takes the entries of the innermost map that its twin has too. An oddity is noted wherever it is, so none is shared.
    fn take_same(&mut self, reader: &mut Reader<'_>) {
        let Some(Container::Map(map)) = self.open.last_mut() else {
            return;
        };
        let paired = &mut map.paired;
        let Some(twin) = paired.twin.as_ref().filter(|_| self.notes.is_empty()) else {
            return;
        };
        while let Some((start, end)) = twin.spans.get(paired.next).copied()
            && reader.skip_same(&reader.bytes()[start..end])
        {
            if let Some((key, value)) = twin.map.entry(paired.next) {
                if let Some(inner) = twin.inner(paired.next) {
                    paired.inner.push((map.pairs.len(), Rc::clone(inner)));
                }
                map.pairs.push((Arc::clone(key), value.clone()));
                map.starts.push(reader.token_start());
                paired.ends.push(reader.offset());
            }
            paired.next += 1;
        }
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
        let utf8 = std::str::from_utf8(&decoded).ok();
        if let Some(kind) = text.oddity(utf8) {
            self.note(start, kind);
        }
        match (utf8, &decoded) {
            (Some(text), Cow::Borrowed(_)) => Text::from(text),
            (None, Cow::Borrowed(bytes)) => Text::from(*bytes),
            (_, Cow::Owned(_)) => Text::from(decoded.into_owned()),
        }
    }

    fn key(&mut self, key: Str<'_>, start: usize) -> Arc<str> {
        let decoded = key.decode();
        let utf8 = std::str::from_utf8(&decoded).ok();
        if let Some(kind) = key.oddity(utf8) {
            self.note(start, kind);
        }
        let text = utf8.map_or_else(|| String::from_utf8_lossy(&decoded), Cow::Borrowed);
        if let Some(known) = self.keys.get(&*text) {
            return Arc::clone(known);
        }
        let key: Arc<str> = Arc::from(text);
        if self.keys.len() < MAX_KEYS && key.len() <= MAX_KEY {
            self.keys.insert(Arc::clone(&key));
        }
        key
    }

    fn close(&mut self, mut entries: Entries) -> Value {
        let (map, repeated) = Map::from_pairs(entries.pairs.drain(..));
        for at in repeated {
            self.note(entries.starts[at], NoteKind::DuplicateKey);
        }
        if self.twins == Twins::On {
            self.keep_twin(&map, &mut entries);
        }
        entries.starts.clear();
        self.spare.push(entries);
        Value::from(map)
    }

    /// Keeps a map that has ended for the one around it.
    fn keep_twin(&mut self, map: &Map, entries: &mut Entries) {
        let Paired { ends, inner, .. } = std::mem::take(&mut entries.paired);
        if let Some(Container::Map(outer)) = self.open.last_mut()
            && map.len() == ends.len()
        {
            let spans = entries.starts.iter().copied().zip(ends).collect();
            let map = map.clone();
            let twin = Twin { map, spans, inner };
            let position = outer.pairs.len();
            outer.paired.inner.push((position, Rc::new(twin)));
        }
    }

    fn note(&mut self, offset: usize, kind: NoteKind) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(Note { offset, kind });
        }
    }
}
