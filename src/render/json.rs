//! JSON output of the printing commands: maps with known keys, and long lists written one element a line.

use std::io::{self, Write};

use crate::json;
use crate::value::{Map, Number, Value};

/// A map of the fields that have a value, in the given order.
pub fn object(fields: impl IntoIterator<Item = (&'static str, Option<Value>)>) -> Value {
    fields
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect::<Map>()
        .into()
}

/// A list of texts.
pub fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Value {
    texts
        .into_iter()
        .map(Value::from)
        .collect::<Vec<_>>()
        .into()
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
