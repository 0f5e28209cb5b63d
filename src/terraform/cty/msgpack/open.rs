//! Decodes values whose type is unknown or only partly known.
//!
//! A plan file holds the types of dynamic values only. Schemas have the other types, but they may be missing or belong to another
//! version of the provider. So the type is a hint: where it fits, it distinguishes a number from its text. Elsewhere the value is
//! decoded from the bytes alone.

use std::sync::Arc;

use super::decode::{Bytes, Sort, error, read_dynamic, read_key, type_of};
use super::unknown::read_unknown;
use super::{Error, MAX_DEPTH, from_msgpack};
use crate::terraform::cty::normal::normal_text;
use crate::terraform::cty::number::parse;
use crate::terraform::cty::path::PathFrame;
use crate::types::Type;
use crate::value::{Map, Text, Value};

/// Decodes a value like [`from_msgpack`] if it fits the type, and otherwise with the type as a hint.
///
/// # Errors
///
/// If the bytes are not a value of any type.
pub fn from_msgpack_open(hint: Option<&Type>, bytes: &[u8]) -> Result<Value, Error> {
    if let Some(typed) = hint.and_then(|ty| from_msgpack(ty, bytes).ok()) {
        return Ok(typed.into_parts().1);
    }
    let may_try = true;
    read(&mut Bytes(bytes), hint, MAX_DEPTH, &PathFrame::TOP, may_try)
}

/// With `may_try`, a dynamic value is first read with its type. If that fails, nothing inside it is tried again, so no byte is
/// read more than twice at any depth.
fn read(
    bytes: &mut Bytes<'_>,
    hint: Option<&Type>,
    depth: usize,
    place: &PathFrame<'_>,
    may_try: bool,
) -> Result<Value, Error> {
    let wanted = || error(place, "a value");
    let depth = depth
        .checked_sub(1)
        .ok_or_else(|| error(place, format!("at most {MAX_DEPTH} levels of nesting")))?;
    match bytes.sort().ok_or_else(wanted)? {
        Sort::Null => {
            bytes.marker();
            Ok(Value::NULL)
        }
        Sort::Bool => bytes.bool().map(Value::from).ok_or_else(wanted),
        Sort::Text | Sort::Bytes => {
            let text = Text::from(bytes.bytes().ok_or_else(wanted)?);
            let number = text.as_str().filter(|_| hint == Some(&Type::Number));
            let number = number.and_then(parse).map(Value::from);
            Ok(number.unwrap_or_else(|| normal_text(&text).into()))
        }
        Sort::Array => read_array(bytes, hint, depth, place, may_try),
        Sort::Map => {
            let mut entries = Vec::new();
            for _ in 0..bytes.map_length().ok_or_else(wanted)? {
                let key = read_key(bytes, place)?;
                let below = place.key(&key);
                let item = read(bytes, of_key(hint, &key), depth, &below, may_try)?;
                entries.push((key, item));
            }
            Ok(entries.into_iter().collect::<Map>().into())
        }
        Sort::Unknown => {
            let unknown = read_unknown(bytes, &Type::Dynamic, place)?;
            Ok(unknown.into_parts().1)
        }
        Sort::Number => bytes.any_number().map(Value::from).ok_or_else(wanted),
    }
}

fn read_array(
    bytes: &mut Bytes<'_>,
    hint: Option<&Type>,
    depth: usize,
    place: &PathFrame<'_>,
    may_try: bool,
) -> Result<Value, Error> {
    let start = Bytes(bytes.0);
    let n_items = bytes.array_length();
    let n_items = n_items.ok_or_else(|| error(place, "an array"))?;
    // Only the type of a dynamic value is a byte string.
    if n_items == 2 && bytes.sort() == Some(Sort::Bytes) {
        let mut again = start;
        if may_try && let Ok(typed) = read_dynamic(&mut again, depth, place) {
            *bytes = again;
            return Ok(typed.into_parts().1);
        }
        let ty = type_of(bytes, place)?;
        return read(bytes, Some(&ty), depth, place, false);
    }
    let mut items = Vec::new();
    for index in 0..n_items {
        let below = place.index(index);
        items.push(read(bytes, of_index(hint, index), depth, &below, may_try)?);
    }
    Ok(items.into())
}

fn of_index(hint: Option<&Type>, index: usize) -> Option<&Type> {
    match hint? {
        Type::Array(element) | Type::Set(element) => Some(element),
        Type::Tuple(elements) => elements.get(index),
        _ => None,
    }
}

fn of_key<'t>(hint: Option<&'t Type>, key: &Arc<str>) -> Option<&'t Type> {
    match hint? {
        Type::Map(element) => Some(element),
        Type::Object(object) => object.attributes.get(key),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(hint: Option<&str>, bytes: &[u8]) -> String {
        let ty = hint.map(|ty| crate::types::cty::parse(ty.as_bytes()).expect("a type"));
        match from_msgpack_open(ty.as_ref(), bytes) {
            Ok(value) => value.to_string(),
            Err(why) => why.to_string(),
        }
    }

    #[test]
    fn a_type_decides_between_numbers_and_texts() {
        let object = b"\x82\xa1n\xa212\xa1t\xa212";
        assert_eq!(read(None, object), r#"{n: "12", t: "12"}"#);
        let ty = r#"["object", {"n": "number", "t": "string"}]"#;
        assert_eq!(read(Some(ty), object), r#"{n: 12, t: "12"}"#);
        // The type of another version that has an additional attribute.
        let ty = r#"["object", {"n": "number", "m": "bool", "t": "string"}]"#;
        assert_eq!(read(Some(ty), object), r#"{n: 12, t: "12"}"#);
        assert_eq!(
            read(Some(r#"["list", "number"]"#), b"\x92\xa19\xc3"),
            "[9, true]"
        );
    }

    #[test]
    fn keys_that_are_no_text_stay_apart() {
        let map = b"\x83\xa1\xff\xc2\xa1\xfe\xc3\xa3\xef\xbf\xbd\xc0";
        let want = "{\u{fffd}(ff): false, \u{fffd}(fe): true, \u{fffd}: null}";
        assert_eq!(read(None, map), want);
        assert_eq!(read(Some(r#"["map", "bool"]"#), map), want);
    }

    #[test]
    fn dynamic_values_carry_their_type() {
        let set = b"\x81\xa1s\x92\xc4\x10[\"set\",\"number\"]\x93\xa13\x01\x01";
        assert_eq!(read(None, set), "{s: [1, 3]}");
        let misfit = b"\x92\xc4\x11[\"list\",\"number\"]\x92\xa17\xc2";
        assert_eq!(read(None, misfit), "[7, false]");
        assert_eq!(
            read(None, b"\x92\xc4\x01?\x01"),
            "expected a type in JSON (not JSON: expected a value at column 1, found `?`) at the top"
        );
    }

    #[test]
    fn no_depth_is_too_much() {
        let deep = [b"\x91".repeat(100_000), b"\xc0".to_vec()].concat();
        assert!(read(None, &deep).contains("at most 300 levels of nesting"));
        let wrapped = b"\x92\xc4\x09\"dynamic\"".repeat(50_000);
        assert!(read(None, &wrapped).contains("at most 300 levels of nesting"));
    }
}
