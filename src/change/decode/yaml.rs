//! Decodes YAML 1.2 to values.
//!
//! # Source
//!
//! YAML 1.2.2, section 10.3 (core schema). YAML 1.1 for the merge key `<<`, which Kubernetes tools still read.

use std::collections::HashMap;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

use super::{DecodeError, Decoder, MAX_NODES};
use crate::json::{self, MAX_DEPTH};
use crate::value::{Map, Number, Value};

/// The value of a single document, or an array of the values of several documents.
pub(super) fn decode(bytes: &[u8]) -> Result<Value, DecodeError> {
    let text = std::str::from_utf8(bytes).map_err(|_| Decoder::Yaml.malformed("UTF-8"))?;
    let mut builder = Builder::default();
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, _) = event.map_err(|err| scan_error(&err))?;
        if matches!(event, Event::StreamEnd) {
            break;
        }
        builder.take(event)?;
    }
    let mut documents = builder.documents;
    match documents.len() {
        0 => Ok(Value::NULL),
        1 => Ok(documents.swap_remove(0)),
        _ => Ok(Value::from(documents)),
    }
}

/// The scanner's message may quote the text. Its position does not.
fn scan_error(err: &ScanError) -> DecodeError {
    DecodeError::MalformedAt {
        form: Decoder::Yaml.name(),
        expected: "YAML".into(),
        line: err.marker().line(),
        column: err.marker().col() + 1,
    }
}

/// True if a text begins like YAML of several lines: with `---`, a `key:`, or a `- ` item.
pub(super) fn is_likely(head: &[u8]) -> bool {
    let Some(line) = head
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && !line.starts_with(b"#"))
    else {
        return false;
    };
    let key = memchr::memchr(b':', line).filter(|at| {
        *at > 0
            && matches!(line.get(at + 1), None | Some(b' '))
            && line[..*at].iter().all(|byte| {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'"' | b'\'' | b'$')
            })
    });
    memchr::memchr(b'\n', head.trim_ascii()).is_some()
        && (line == b"---" || line.starts_with(b"- ") || key.is_some())
}

#[derive(Default)]
struct Builder {
    documents: Vec<Value>,
    open: Vec<Open>,
    /// The value of each anchor, and its number of nodes.
    anchors: HashMap<usize, (Value, usize)>,
    n_nodes: usize,
}

struct Open {
    anchor: usize,
    /// Number of nodes before this container.
    n_before: usize,
    container: Container,
}

enum Container {
    Sequence(Vec<Value>),
    Mapping {
        map: Map,
        merged: Vec<Map>,
        key: Option<Key>,
    },
}

enum Key {
    Plain(Arc<str>),
    Merge,
}

impl Builder {
    fn take(&mut self, event: Event<'_>) -> Result<(), DecodeError> {
        match event {
            Event::Alias(anchor) => {
                // An anchor is not yet known inside itself.
                let (value, size) = self
                    .anchors
                    .get(&anchor)
                    .cloned()
                    .ok_or_else(|| Decoder::Yaml.malformed("an alias of something complete"))?;
                self.count(size)?;
                self.place(value, IsMerge::No);
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.count(1)?;
                let is_merge = style == ScalarStyle::Plain && text == "<<" && tag.is_none();
                let value = scalar(&text, style, tag.as_deref());
                if anchor != 0 {
                    self.anchors.insert(anchor, (value.clone(), 1));
                }
                self.place(value, if is_merge { IsMerge::Yes } else { IsMerge::No });
            }
            Event::SequenceStart(anchor, _) => {
                self.open(anchor, Container::Sequence(Vec::new()))?;
            }
            Event::MappingStart(anchor, _) => self.open(
                anchor,
                Container::Mapping {
                    map: Map::default(),
                    merged: Vec::new(),
                    key: None,
                },
            )?,
            Event::SequenceEnd | Event::MappingEnd => self.close()?,
            Event::DocumentStart(_) => self.anchors.clear(),
            Event::DocumentEnd | Event::StreamStart | Event::StreamEnd | Event::Nothing => {}
        }
        Ok(())
    }

    fn count(&mut self, n: usize) -> Result<(), DecodeError> {
        self.n_nodes = self.n_nodes.saturating_add(n);
        if self.n_nodes > MAX_NODES {
            return Err(Decoder::Yaml.too_large(MAX_NODES, "values"));
        }
        Ok(())
    }

    fn open(&mut self, anchor: usize, container: Container) -> Result<(), DecodeError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Decoder::Yaml.too_large(MAX_DEPTH, "levels of nesting"));
        }
        let n_before = self.n_nodes;
        self.count(1)?;
        self.open.push(Open {
            anchor,
            n_before,
            container,
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), DecodeError> {
        let Some(open) = self.open.pop() else {
            return Err(Decoder::Yaml.malformed("something that is open"));
        };
        let value = match open.container {
            Container::Sequence(items) => Value::from(items),
            Container::Mapping {
                mut map, merged, ..
            } => {
                for source in &merged {
                    self.count(source.len())?;
                    for (key, value) in source {
                        if !map.contains_key(key) {
                            map = map.set(key.clone(), value.clone());
                        }
                    }
                }
                Value::from(map)
            }
        };
        if open.anchor != 0 {
            let size = self.n_nodes - open.n_before;
            self.anchors.insert(open.anchor, (value.clone(), size));
        }
        self.place(value, IsMerge::No);
        Ok(())
    }

    /// Adds a complete value to its container: as a key, a value, an item or a document.
    fn place(&mut self, value: Value, is_merge: IsMerge) {
        match self.open.last_mut().map(|open| &mut open.container) {
            None => self.documents.push(value),
            Some(Container::Sequence(items)) => items.push(value),
            Some(Container::Mapping { map, merged, key }) => match key.take() {
                None => {
                    *key = Some(match is_merge {
                        IsMerge::Yes => Key::Merge,
                        IsMerge::No => Key::Plain(key_text(&value)),
                    });
                }
                Some(Key::Plain(key)) => *map = std::mem::take(map).set(key, value),
                Some(Key::Merge) => merge(merged, &value),
            },
        }
    }
}

#[derive(Clone, Copy)]
enum IsMerge {
    Yes,
    No,
}

fn merge(merged: &mut Vec<Map>, value: &Value) {
    if let Some(map) = value.as_map() {
        merged.push(map.clone());
    } else if let Some(items) = value.as_array() {
        merged.extend(items.iter().filter_map(Value::as_map).cloned());
    }
}

/// The text of a map key. Keys that are not strings are written as JSON.
fn key_text(value: &Value) -> Arc<str> {
    value
        .as_str()
        .map_or_else(|| json::to_compact(value).into(), Into::into)
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let core = tag.filter(|tag| tag.is_yaml_core_schema());
    match core.map(|tag| tag.suffix.as_str()) {
        Some("str") => Value::from(text),
        Some("null") => Value::NULL,
        Some("bool" | "int" | "float") => plain(text),
        _ if style == ScalarStyle::Plain && tag.is_none() => plain(text),
        _ => Value::from(text),
    }
}

/// A plain scalar by the core schema.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::NULL,
        "true" | "True" | "TRUE" => Value::from(true),
        "false" | "False" | "FALSE" => Value::from(false),
        ".nan" | ".NaN" | ".NAN" => Value::from(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Value::from(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Value::from(f64::NEG_INFINITY),
        _ => number(text).map_or_else(|| Value::from(text), Value::from),
    }
}

fn number(text: &str) -> Option<Number> {
    let radix = |digits: &str, radix| {
        let is_digits = !digits.is_empty() && digits.chars().all(|char| char.is_digit(radix));
        let number = is_digits.then(|| u128::from_str_radix(digits, radix).ok())??;
        Number::exact(&number.to_string())
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let exponent = match exponent {
        Some(exponent) => {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.is_empty() || !is_digits(digits) {
                return None;
            }
            format!("e{exponent}")
        }
        None => String::new(),
    };
    // JSON has no leading zeros and needs digits on both sides of a point.
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Number::exact(&format!("{sign}{whole}{point}{fraction}{exponent}"))
}
