//! cty values in writing, for tests to read back. The program itself writes none.
//!
//! # Source
//!
//! zclconf/go-cty 1.18.1, `cty/msgpack` and `cty/json`.

use rmp::encode::{
    write_array_len, write_bin, write_bool, write_ext_meta, write_f64, write_map_len, write_nil,
    write_sint, write_str,
};
use stacklens::json;
use stacklens::terraform::cty::msgpack::key_bytes;
use stacklens::terraform::cty::{Dynamic, View, from_json};
use stacklens::types::Type;
use stacklens::types::cty::{self, conforms};
use stacklens::value::{Bound, Map, Number, Payload, Refinements, Text, Value};
use unicode_segmentation::UnicodeSegmentation;

/// Maximum length of a string prefix that is written, in bytes; longer ones are cut.
const MAX_PREFIX: usize = 256;

/// The code of an extension with refinements.
const REFINED: i8 = 0x0c;

/// The JSON of a known value without marks, to be read again with the type `ty`.
pub(crate) fn to_json(of: View<'_>, ty: &Type) -> Value {
    if *ty == Type::Dynamic && *of.ty != Type::Dynamic {
        let described = cty::to_json(of.ty).expect("a type of cty");
        return Map::from_iter([("value", to_json(of, of.ty)), ("type", described)]).into();
    }
    let wanted = View {
        ty,
        value: of.value,
    };
    match of.value.payload() {
        Payload::Array(_) => {
            let items = of.items().enumerate();
            let items = items.map(|(index, item)| to_json(item, wanted.index_type(index)));
            items.collect::<Vec<_>>().into()
        }
        Payload::Map(_) => {
            let entries = of.entries();
            let entries =
                entries.map(|(key, item)| (key.clone(), to_json(item, wanted.key_type(key))));
            entries.collect::<Map>().into()
        }
        _ => of.value.clone(),
    }
}

/// The bytes of a value without marks, to be read again with the type `ty`. Maps and objects are written sorted, numbers as short
/// as possible.
pub(crate) fn to_msgpack(of: View<'_>, ty: &Type) -> Vec<u8> {
    assert!(conforms(of.ty, ty), "the value conforms to the type");
    let mut out = Vec::new();
    write(&mut out, of, ty);
    out
}

/// Writing to memory does not fail.
macro_rules! put {
    ($written:expr) => {
        $written.expect("memory can be written to")
    };
}

fn length(n: usize) -> u32 {
    u32::try_from(n).expect("few elements")
}

fn write(out: &mut Vec<u8>, of: View<'_>, ty: &Type) {
    assert!(!of.value.is_marked(), "a value without marks");
    if *ty == Type::Dynamic && *of.ty != Type::Dynamic {
        let described = cty::to_json(of.ty).expect("a type of cty");
        put!(write_array_len(out, 2));
        put!(write_bin(out, json::to_compact(&described).as_bytes()));
        return write(out, of, of.ty);
    }
    let wanted = View {
        ty,
        value: of.value,
    };
    match of.value.payload() {
        Payload::Null => put!(write_nil(out)),
        Payload::Bool(bool) => put!(write_bool(out, *bool)),
        Payload::Number(number) => write_number(out, number),
        Payload::String(text) => write_bytes(out, text.as_bytes()),
        Payload::Computed(refinements) => write_unknown(out, refinements.as_deref()),
        Payload::Array(items) => {
            put!(write_array_len(out, length(items.len())));
            for (index, item) in of.items().enumerate() {
                write(out, item, wanted.index_type(index));
            }
        }
        Payload::Map(map) => {
            put!(write_map_len(out, length(map.len())));
            let mut entries: Vec<_> = of.entries().collect();
            entries.sort_by_key(|(key, _)| key_bytes(key));
            for (key, item) in entries {
                write_bytes(out, &key_bytes(key));
                write(out, item, wanted.key_type(key));
            }
        }
        other => panic!("no value of cty: {other:?}"),
    }
}

/// A text, whose bytes may be anything.
fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put!(rmp::encode::write_str_len(
        out,
        u32::try_from(bytes.len()).unwrap_or(u32::MAX)
    ));
    out.extend_from_slice(bytes);
}

fn write_number(out: &mut Vec<u8>, number: &Number) {
    let double = number.to_f64();
    if !number.is_finite() {
        put!(write_f64(out, double));
    } else if let Some(integer) = number.to_i64() {
        put!(write_sint(out, integer));
    } else if double.fract() != 0.0 && number.compare(&Number::from(double)).is_eq() {
        put!(write_f64(out, double));
    } else if number.is_double() {
        // An integer: all of its digits, not the shortest that distinguish it from other doubles.
        put!(write_str(out, &format!("{double:.0}")));
    } else {
        // A text that represents a number has all of its digits.
        let number = Value::from(number.clone());
        let text = from_json(&Type::String, &number, Dynamic::Bare).expect("a text");
        put!(write_str(out, text.value().as_str().expect("a text")));
    }
}

fn write_unknown(out: &mut Vec<u8>, refinements: Option<&Refinements>) {
    let mut body = Vec::new();
    let mut n_entries = 0;
    let mut entry = |body: &mut Vec<u8>, key: i64| {
        n_entries += 1;
        put!(write_sint(body, key));
    };
    let none = Refinements::default();
    let refinements = refinements.unwrap_or(&none);
    if refinements.not_null {
        entry(&mut body, 1);
        put!(write_bool(&mut body, false));
    }
    if let Some(prefix) = refinements.string_prefix.as_ref().and_then(Text::as_str) {
        entry(&mut body, 2);
        put!(write_str(&mut body, &safe_prefix(prefix)));
    }
    for (key, bound) in [(3, &refinements.number_min), (4, &refinements.number_max)] {
        if let Some(Bound { value, inclusive }) = bound {
            entry(&mut body, key);
            put!(write_array_len(&mut body, 2));
            write_number(&mut body, value);
            put!(write_bool(&mut body, *inclusive));
        }
    }
    for (key, bound) in [(5, refinements.length_min), (6, refinements.length_max)] {
        if let Some(bound) = bound {
            entry(&mut body, key);
            put!(write_sint(
                &mut body,
                i64::try_from(bound).unwrap_or(i64::MAX)
            ));
        }
    }
    if n_entries == 0 {
        out.extend_from_slice(&[0xd4, 0, 0]);
        return;
    }
    // At most six entries: the length of the map is one byte.
    let length = u32::try_from(body.len() + 1).unwrap_or(u32::MAX);
    put!(write_ext_meta(out, length, REFINED));
    put!(write_map_len(out, n_entries));
    out.extend_from_slice(&body);
}

/// The prefix, or a shorter one that no further letter can change, if it is long.
fn safe_prefix(prefix: &str) -> String {
    if prefix.len() <= MAX_PREFIX {
        return prefix.to_owned();
    }
    let mut end = MAX_PREFIX - 1;
    while !prefix.is_char_boundary(end) {
        end -= 1;
    }
    let cut = &prefix[..end];
    let last = cut.grapheme_indices(true).next_back();
    last.map_or("", |(start, _)| &cut[..start]).to_owned()
}
