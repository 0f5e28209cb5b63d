//! JSON output of the printing commands: maps with known keys, and long lists written one element a line.

use std::io::{self, Write};

use serde::ser::{Serialize, Serializer};

use crate::json::{self, Json, serialize_raw};
use crate::stack::Position;
use crate::value::{Array, Map, Number, Value};

/// Anything that can be the value of a field. `None` leaves the field out.
pub trait Field {
    /// The value.
    fn field(&self) -> Option<Value>;
}

/// A map of the fields that have a value, in the given order.
pub fn object(fields: &[(&str, &dyn Field)]) -> Value {
    let fields = fields.iter();
    let fields = fields.filter_map(|(key, value)| Some((*key, value.field()?)));
    fields.collect::<Map>().into()
}

macro_rules! plain_fields {
    ($($plain:ty => $value:expr),*) => {$(
        impl Field for $plain {
            fn field(&self) -> Option<Value> {
                let value: fn(&Self) -> Value = $value;
                Some(value(self))
            }
        }
    )*};
}

plain_fields! {
    Value => Value::clone,
    bool => |it| (*it).into(),
    str => |it| it.into(),
    String => |it| it.as_str().into(),
    u32 => |it| Number::from(*it).into(),
    u64 => |it| Number::from(*it).into(),
    usize => |it| Number::from(*it as u64).into()
}

impl Field for Position {
    fn field(&self) -> Option<Value> {
        Some(object(&[("file", &self.file), ("line", &self.line)]))
    }
}

impl<T: Field + ?Sized> Field for &T {
    fn field(&self) -> Option<Value> {
        (**self).field()
    }
}

impl<T: Field> Field for Option<T> {
    fn field(&self) -> Option<Value> {
        self.as_ref()?.field()
    }
}

impl<T: Field> Field for [T] {
    fn field(&self) -> Option<Value> {
        let items: Vec<Value> = self.iter().filter_map(Field::field).collect();
        Some(items.into())
    }
}

impl<T: Field> Field for Vec<T> {
    fn field(&self) -> Option<Value> {
        self.as_slice().field()
    }
}

/// A document that is made while it is written: a long list in it is never in memory as a whole.
pub enum Node<'n> {
    /// A field without a value, which is left out.
    None,
    /// A value.
    Value(Value),
    /// The JSON of another document.
    Written(&'n str),
    /// Fields, in this order.
    Object(Vec<(&'static str, Self)>),
    /// So many elements, each made when it is written.
    List(usize, Box<dyn Fn(usize) -> Self + 'n>),
}

/// A map of the fields that have a value, in the given order.
pub fn node<'n, const N: usize>(fields: [(&'static str, Node<'n>); N]) -> Node<'n> {
    Node::Object(fields.into())
}

/// A list with an element for each item.
pub fn list<'n, T>(items: &'n [T], element: impl Fn(&'n T) -> Node<'n> + 'n) -> Node<'n> {
    Node::List(items.len(), Box::new(move |number| element(&items[number])))
}

impl<T: Field> From<T> for Node<'_> {
    fn from(field: T) -> Self {
        field.field().map_or(Self::None, Self::Value)
    }
}

impl Node<'_> {
    /// The same, or no value if it is an empty text or list.
    #[must_use]
    pub fn or_none(self) -> Self {
        let is_empty = match &self {
            Self::Value(value) => {
                value.as_str() == Some("") || value.as_array().is_some_and(Array::is_empty)
            }
            Self::List(n, _) => *n == 0,
            Self::None | Self::Written(_) | Self::Object(_) => false,
        };
        if is_empty { Self::None } else { self }
    }
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => to.serialize_unit(),
            Self::Value(value) => Json(value).serialize(to),
            Self::Written(text) => serialize_raw((*text).to_owned(), to),
            Self::Object(fields) => {
                let fields = fields.iter().filter(|(_, it)| !matches!(it, Self::None));
                to.collect_map(fields.map(|(key, node)| (key, node)))
            }
            Self::List(n, element) => to.collect_seq((0..*n).map(element)),
        }
    }
}

/// Counts by name.
pub fn counts<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> Value {
    counts
        .into_iter()
        .map(|(name, count)| (name, Number::from(count).into()))
        .collect::<Map>()
        .into()
}

/// Writes a list, one element a line. The list need not be in memory as a whole.
pub fn write_list(out: &mut dyn Write, items: impl IntoIterator<Item = Value>) -> io::Result<()> {
    let mut is_empty = true;
    for item in items {
        out.write_all(if is_empty { b"[\n" } else { b",\n" })?;
        out.write_all(json::to_compact(&item).as_bytes())?;
        is_empty = false;
    }
    out.write_all(if is_empty { b"[]\n" } else { b"\n]\n" })
}

/// Writes one value on one line, and a line feed.
pub fn write_line(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    out.write_all(json::to_compact(value).as_bytes())?;
    out.write_all(b"\n")
}

/// Writes one value, indented, and a line feed.
pub fn write(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    out.write_all(json::to_pretty(value).as_bytes())?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_json_with_an_element_a_line() {
        let list = |items: &[f64]| {
            let mut out = Vec::new();
            write_list(&mut out, items.iter().map(|item| Value::from(*item))).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(list(&[]), "[]\n");
        assert_eq!(list(&[1.0, 2.0]), "[\n1,\n2\n]\n");
    }
}
