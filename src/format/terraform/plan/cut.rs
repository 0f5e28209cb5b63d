//! Cuts a change down to what it changes: an entry that both sides have in one spelling, and that no mask speaks of, is left out of
//! both. Masks that name no place in a property are left out too. [`crate::format::cut`] has the law.

use crate::change::rules::Wanted;
use crate::change::unchanged::Unchanged;
use crate::format::cut::{Entry, Part, cut_inside, left};
use crate::index::walk::{Odd, fields, items};
use crate::json::tape::{Cursor, Met, NotWalked, Where};
use crate::likely;

/// The parts of a change with an entry for each property.
#[derive(Default)]
struct Parts<'t> {
    before: Option<Part<'t>>,
    after: Option<Part<'t>>,
    unknown: Option<Part<'t>>,
    hidden_before: Option<Part<'t>>,
    hidden_after: Option<Part<'t>>,
    /// The properties that force a replacement, or a part of which does.
    forcing: Vec<&'t [u8]>,
}

/// The text of an update or a replacement at `cursor` without the properties that stay the same, and these. Keeps those that are
/// `wanted`. The same goes for the entries of maps that change. `None` if the whole has to be read.
pub(crate) fn cut<'t>(
    cursor: &mut Cursor<'t>,
    wanted: &Wanted,
) -> Option<(Vec<u8>, Unchanged<'t>)> {
    let parts = parts(cursor).ok()?;
    let text = cursor.text();
    let (mut before, mut after) = (parts.before?, parts.after?);
    let unknown = parts.unknown.unwrap_or_default();
    // Without a mask, the configuration says what is sensitive.
    let mut masks = [
        unknown,
        parts.hidden_before.unwrap_or_default(),
        parts.hidden_after?,
    ];
    let mut unchanged = Unchanged::default();
    for (place, entry) in before.entries.iter_mut().enumerate() {
        let Some(other) = after.find_near(place, entry.key) else {
            continue;
        };
        let key = std::str::from_utf8(entry.key).ok()?;
        let is_wanted = key == "id" || wanted.has(key) || parts.forcing.contains(&entry.key);
        let is_same = other.value == entry.value;
        if are_masked(&masks, entry) || !is_same && are_masked(&masks, other) {
            continue;
        }
        let of_key = masks.iter_mut().filter_map(|mask| mask.find(entry.key));
        of_key.for_each(|mask| mask.is_cut = true);
        if is_wanted {
            continue;
        }
        if is_same {
            if !likely::may_name(key) && !likely::is_in(key, entry.value) {
                unchanged.add(key, entry.value);
                (entry.is_cut, other.is_cut) = (true, true);
            }
        } else if !wanted.has_whole(key) && entry.is_map() && other.is_map() {
            cut_inside(entry, other, wanted, &mut unchanged).ok()?;
        }
    }
    let all = [&before, &after].into_iter().chain(&masks);
    Some((left(text, all.collect()), unchanged))
}

fn parts<'t>(cursor: &mut Cursor<'t>) -> Result<Parts<'t>, Odd> {
    let mut parts = Parts::default();
    fields(cursor, |key, cursor| {
        if key != b"change" {
            cursor.skip()?;
            return Ok(());
        }
        fields(cursor, |key, cursor| {
            match key {
                b"before" => parts.before = Some(Part::read(cursor)?),
                b"after" => parts.after = Some(Part::read_like(cursor, parts.before.as_ref())?),
                b"after_unknown" => parts.unknown = Some(Part::read(cursor)?),
                b"before_sensitive" => parts.hidden_before = Some(Part::read(cursor)?),
                b"after_sensitive" => {
                    let before = parts.hidden_before.as_ref();
                    parts.hidden_after = Some(Part::read_like(cursor, before)?);
                }
                b"replace_paths" => items(cursor, |cursor| {
                    parts.forcing.push(first_step(cursor)?);
                    Ok(())
                })?,
                _ => _ = cursor.skip()?,
            }
            Ok(())
        })
    })?;
    Ok(parts)
}

/// The first step of a path, which is a key.
fn first_step<'t>(cursor: &mut Cursor<'t>) -> Result<&'t [u8], Odd> {
    let mut first = None;
    items(cursor, |cursor| {
        match (first, cursor.value()?) {
            (None, Met::String(key)) if !key.contains(&b'\\') => first = Some(key),
            (Some(_), Met::String(_) | Met::Number) => {}
            _ => return Err(Odd),
        }
        Ok(())
    })?;
    first.ok_or(Odd)
}

/// True if the value after the change is not known, or if a mask of sensitive places names it or a part of it.
fn are_masked([unknown, hidden @ ..]: &[Part<'_>; 3], entry: &Entry<'_>) -> bool {
    let has_true = |mask: &Entry<'_>| memchr::memmem::find(mask.value, b"true").is_some();
    unknown.of_key(entry.key).is_some_and(has_true)
        || hidden
            .iter()
            .filter_map(|mask| mask.of_key(entry.key))
            .any(|mask| !says_nothing(mask, entry))
}

/// True if a mask of sensitive places has the shape of the value and names no place.
fn says_nothing(mask: &Entry<'_>, value: &Entry<'_>) -> bool {
    match mask.value {
        b"false" => true,
        b"{}" => matches!(value.value.first(), Some(b'{' | b'n')),
        _ => is_silent(&mut mask.cursor.clone(), &mut value.cursor.clone()).is_ok_and(|it| it),
    }
}

/// The same for the next value of each cursor, which are passed if it is true. A shape that is unusual counts as a place.
fn is_silent(mask: &mut Cursor<'_>, value: &mut Cursor<'_>) -> Result<bool, NotWalked> {
    let start = value.start();
    let first = value.text().get(start).copied();
    match mask.value()? {
        Met::Bool(false) => {
            value.skip()?;
            Ok(true)
        }
        Met::Map => {
            let Some(mut key) = mask.key(Where::First)? else {
                value.skip()?;
                return Ok(matches!(first, Some(b'{' | b'n')));
            };
            if value.value()? != Met::Map {
                return Ok(false);
            }
            // Both have their keys in the same order.
            let mut place = Where::First;
            while let Some(own) = value.key(place)? {
                place = Where::Later;
                if own != key {
                    value.skip()?;
                    continue;
                }
                if !is_silent(mask, value)? {
                    return Ok(false);
                }
                let Some(next) = mask.key(Where::Later)? else {
                    value.skip_rest_of_map()?;
                    return Ok(true);
                };
                key = next;
            }
            Ok(false)
        }
        Met::Array => {
            if value.value()? != Met::Array {
                return Ok(false);
            }
            let mut place = Where::First;
            loop {
                match (mask.item(place)?, value.item(place)?) {
                    (true, true) if is_silent(mask, value)? => place = Where::Later,
                    (false, false) => return Ok(true),
                    _ => return Ok(false),
                }
            }
        }
        Met::Null | Met::Bool(true) | Met::Number | Met::String(_) => Ok(false),
    }
}
