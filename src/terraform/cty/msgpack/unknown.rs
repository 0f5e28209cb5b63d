//! Unknowns and their refinements.

use rmp::Marker;

use super::decode::{Bytes, error};
use super::{Error, MAX_REFINED, REFINED};
use crate::terraform::cty::number::compare;
use crate::terraform::cty::path::PathFrame;
use crate::terraform::cty::{Typed, refined};
use crate::types::Type;
use crate::value::{Bound, Refinements, Text};

/// Decodes an extension as an unknown, or as the only value that its refinements allow.
pub(super) fn read_unknown(
    bytes: &mut Bytes<'_>,
    ty: &Type,
    place: &PathFrame<'_>,
) -> Result<Typed, Error> {
    let wanted = || error(place, "an unknown value");
    let (code, length) = header(bytes).ok_or_else(wanted)?;
    if length > 1 && code != REFINED {
        return Err(error(place, "an extension of code 12 for refinements"));
    }
    if length > MAX_REFINED {
        return Err(error(
            place,
            format!("no more than {MAX_REFINED} bytes of refinements"),
        ));
    }
    let body = bytes.take(length).ok_or_else(wanted)?;
    if length <= 1 {
        return Ok(Typed::unknown(ty.clone()));
    }
    let body = &mut Bytes(body);
    let n_entries = body
        .map_length()
        .ok_or_else(|| error(place, "a map of refinements"))?;
    if *ty == Type::Dynamic {
        return Ok(Typed::unknown(Type::Dynamic));
    }
    let mut found = Found::default();
    for _ in 0..n_entries {
        read_refinement(body, ty, &mut found)
            .ok_or_else(|| error(place, "a refinement that fits the type"))?;
    }
    match (found.is_null, found.refinements.not_null) {
        (true, true) => Err(error(place, "refinements that agree")),
        (true, false) => Ok(Typed::null(ty.clone())),
        _ if contradicts(&found.refinements) => Err(error(place, "refinements that agree")),
        _ => Ok(refined(ty.clone(), &found.refinements)),
    }
}

#[derive(Default)]
struct Found {
    refinements: Refinements,
    is_null: bool,
}

fn header(bytes: &mut Bytes<'_>) -> Option<(i8, usize)> {
    let length = match bytes.marker()? {
        Marker::FixExt1 => 1,
        Marker::FixExt2 => 2,
        Marker::FixExt4 => 4,
        Marker::FixExt8 => 8,
        Marker::FixExt16 => 16,
        Marker::Ext8 => bytes.number(1)?,
        Marker::Ext16 => bytes.number(2)?,
        Marker::Ext32 => bytes.number(4)?,
        _ => return None,
    };
    let code = u8::try_from(bytes.number(1)?).ok()?.cast_signed();
    Some((code, usize::try_from(length).ok()?))
}

/// Reads one entry. An unknown key is skipped without its value, as in the original, which rarely ends well.
fn read_refinement(body: &mut Bytes<'_>, ty: &Type, found: &mut Found) -> Option<()> {
    let refinements = &mut found.refinements;
    let is_collection = matches!(ty, Type::Array(_) | Type::Set(_) | Type::Map(_));
    match body.integer()? {
        1 => {
            if body.bool()? {
                found.is_null = true;
            } else {
                refinements.not_null = true;
            }
        }
        2 if *ty == Type::String => {
            let prefix = std::str::from_utf8(body.bytes()?).ok()?;
            // The longer of two prefixes is the stricter one.
            let known = refinements.string_prefix.take();
            let longer = known.filter(|known| known.as_bytes().len() > prefix.len());
            refinements.string_prefix = Some(longer.unwrap_or_else(|| Text::from(prefix)));
        }
        3 if *ty == Type::Number => refinements.number_min = Some(read_bound(body)?),
        4 if *ty == Type::Number => refinements.number_max = Some(read_bound(body)?),
        5 if is_collection => {
            refinements.length_min = Some(u64::try_from(body.integer()?.max(0)).ok()?);
        }
        6 if is_collection => refinements.length_max = Some(u64::try_from(body.integer()?).ok()?),
        2..=6 => return None,
        _ => {}
    }
    Some(())
}

fn read_bound(body: &mut Bytes<'_>) -> Option<Bound> {
    if body.array_length()? != 2 {
        return None;
    }
    Some(Bound {
        value: body.any_number()?,
        inclusive: body.bool()?,
    })
}

fn contradicts(refinements: &Refinements) -> bool {
    let empty_range = match (&refinements.number_min, &refinements.number_max) {
        (Some(min), Some(max)) => {
            let order = compare(&min.value, &max.value);
            order.is_gt() || (order.is_eq() && !(min.inclusive && max.inclusive))
        }
        _ => false,
    };
    let empty_lengths = match (refinements.length_min, refinements.length_max) {
        (Some(min), Some(max)) => min > max,
        _ => false,
    };
    empty_range || empty_lengths
}
