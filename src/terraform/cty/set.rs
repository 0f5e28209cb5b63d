//! The canonical order of a set.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::View;
use super::msgpack::key_bytes;
use super::number::{self, compare};
use crate::text::write_quoted;
use crate::types::Type;
use crate::value::{Array, Payload, Value};

/// The elements of a set of `element`: `items` without repetition, in cty's iteration order.
///
/// Known elements come first, then unknown ones, then null. Strings sort by bytes, numbers by value, false before true. Anything
/// else sorts by a text made of its contents, with ties broken by the CRC-32 of that text and then by the given order. Two
/// unknowns stay two elements, and so do values that contain an unknown. The items must be normal and without marks.
///
/// # Source
///
/// zclconf/go-cty 1.18.1, `cty/set_internals.go` and `cty/set`.
pub fn canonical_set(element: &Type, items: Vec<Value>) -> Array {
    if items.len() < 2 {
        return Array::from(items);
    }
    // Equal elements have equal texts, so an element needs comparing only with its bucket.
    let mut buckets: BTreeMap<u32, Vec<Keyed>> = BTreeMap::new();
    for value in items {
        let key = key_text(view(element, &value));
        let bucket = buckets.entry(crc32(key.as_bytes())).or_default();
        let is_there = bucket.iter().any(|other| {
            other.key == key && view(element, &value).known_equals(view(element, &other.value))
        });
        if !is_there {
            bucket.push(Keyed { key, value });
        }
    }
    let mut keyed: Vec<Keyed> = buckets.into_values().flatten().collect();
    keyed.sort_by(order);
    keyed.into_iter().map(|keyed| keyed.value).collect()
}

/// True if two sets of known elements have equal elements, in any order.
pub(super) fn known_equals(element: &Type, a: &Array, b: &Array) -> bool {
    let keyed = |items: &Array| {
        let mut texts: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for item in items {
            texts
                .entry(key_text(view(element, item)))
                .or_default()
                .push(item.clone());
        }
        texts
    };
    let (a, b) = (keyed(a), keyed(b));
    let holds = |a: &BTreeMap<String, Vec<Value>>, b: &BTreeMap<String, Vec<Value>>| {
        a.iter().all(|(key, items)| {
            b.get(key).is_some_and(|others| {
                items.iter().all(|item| {
                    others
                        .iter()
                        .any(|other| view(element, item).known_equals(view(element, other)))
                })
            })
        })
    };
    holds(&a, &b) && holds(&b, &a)
}

/// A text of the contents of a value. Equal values have equal texts, and different values rarely do.
pub(crate) fn key_text(of: View<'_>) -> String {
    let mut key = String::new();
    write_key(&mut key, of);
    key
}

struct Keyed {
    key: String,
    value: Value,
}

fn view<'a>(ty: &'a Type, value: &'a Value) -> View<'a> {
    View { ty, value }
}

fn order(a: &Keyed, b: &Keyed) -> Ordering {
    let class = |value: &Value| match value.payload() {
        Payload::Computed(_) => 1,
        Payload::Null => 2,
        _ => 0,
    };
    class(&a.value).cmp(&class(&b.value)).then_with(|| {
        match (a.value.payload(), b.value.payload()) {
            (Payload::String(a), Payload::String(b)) => a.cmp(b),
            (Payload::Bool(a), Payload::Bool(b)) => a.cmp(b),
            (Payload::Number(a), Payload::Number(b)) => compare(a, b),
            _ => a.key.as_bytes().cmp(b.key.as_bytes()),
        }
    })
}

fn write_key(out: &mut String, of: View<'_>) {
    match of.value.payload() {
        Payload::Null => out.push('~'),
        Payload::Bool(true) => out.push('T'),
        Payload::Bool(false) => out.push('F'),
        Payload::Number(number) => out.push_str(&number::key_text(number)),
        Payload::String(text) => {
            write_quoted(out, text.as_bytes()).expect("a string takes every write");
        }
        Payload::Array(_) => {
            let [open, close] = if matches!(of.ty, Type::Tuple(_)) {
                ['<', '>']
            } else {
                ['[', ']']
            };
            out.push(open);
            for item in of.items() {
                write_key(out, item);
                out.push(';');
            }
            out.push(close);
        }
        Payload::Map(_) => {
            let is_map = matches!(of.ty, Type::Map(_));
            out.push(if is_map { '{' } else { '<' });
            let mut entries: Vec<_> = of
                .entries()
                .map(|(key, value)| (key_bytes(key), value))
                .collect();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            for (key, value) in entries {
                if is_map {
                    write_quoted(out, &key).expect("a string takes every write");
                    out.push(':');
                }
                write_key(out, value);
                out.push(';');
            }
            out.push(if is_map { '}' } else { '>' });
        }
        _ => out.push('?'),
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}
