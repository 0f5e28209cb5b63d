//! Bytes from values.

use rmp::encode::{
    write_array_len, write_bin, write_bool, write_ext_meta, write_f64, write_map_len, write_nil,
    write_sint, write_str,
};
use unicode_segmentation::UnicodeSegmentation;

use super::decode::error;
use super::{Error, REFINED};
use crate::json;
use crate::terraform::cty::View;
use crate::terraform::cty::number::plain_text;
use crate::terraform::cty::path::Place;
use crate::types::Type;
use crate::types::cty::{self, conforms, friendly_name};
use crate::value::{Bound, Number, Payload, Refinements, Text};

/// The longest string prefix that is written, in bytes; more is cut.
const MAX_PREFIX: usize = 256;

/// The bytes of a value, to be read again as a `ty`. Maps and objects are written sorted, numbers as short as they can be.
///
/// # Errors
///
/// If the value does not conform to `ty`, or has marks.
pub fn to_msgpack(of: View<'_>, ty: &Type) -> Result<Vec<u8>, Error> {
    if !conforms(of.ty, ty) {
        return Err(error(&Place::TOP, friendly_name(ty)));
    }
    let mut out = Vec::new();
    write(&mut out, of, ty, &Place::TOP)?;
    Ok(out)
}

/// Writing to memory does not fail, so all that can go wrong is told by the value itself.
macro_rules! put {
    ($written:expr) => {
        $written.expect("memory can be written to")
    };
}

fn length(n: usize, place: &Place<'_>) -> Result<u32, Error> {
    u32::try_from(n).map_err(|_| error(place, "fewer elements"))
}

fn write(out: &mut Vec<u8>, of: View<'_>, ty: &Type, place: &Place<'_>) -> Result<(), Error> {
    if of.value.is_marked() {
        return Err(error(place, "a value without marks"));
    }
    if *ty == Type::Dynamic && *of.ty != Type::Dynamic {
        let described = cty::to_json(of.ty).ok_or_else(|| error(place, "a type of cty"))?;
        put!(write_array_len(out, 2));
        put!(write_bin(out, json::to_compact(&described).as_bytes()));
        return write(out, of, of.ty, place);
    }
    let wanted = View {
        ty,
        value: of.value,
    };
    match of.value.payload() {
        Payload::Null => put!(write_nil(out)),
        Payload::Bool(bool) => put!(write_bool(out, *bool)),
        Payload::Number(number) => write_number(out, number),
        Payload::String(text) => write_text(out, text),
        Payload::Computed(refinements) => write_unknown(out, refinements.as_deref()),
        Payload::Array(items) => {
            put!(write_array_len(out, length(items.len(), place)?));
            for (index, item) in of.items().enumerate() {
                write(out, item, wanted.index_type(index), &place.index(index))?;
            }
        }
        Payload::Map(map) => {
            put!(write_map_len(out, length(map.len(), place)?));
            for (key, item) in of.entries() {
                put!(write_str(out, key));
                write(out, item, wanted.key_type(key), &place.key(key))?;
            }
        }
        _ => return Err(error(place, "a value of cty")),
    }
    Ok(())
}

fn write_text(out: &mut Vec<u8>, text: &Text) {
    // Bytes that are no text are written as they are.
    let bytes = text.as_bytes();
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
        // A whole number: all of its digits, not the shortest that tell it from other doubles.
        put!(write_str(out, &format!("{double:.0}")));
    } else {
        put!(write_str(out, &plain_text(number)));
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
