//! Cuts an update down to what it changes: an input that both states have in one spelling is left out of both, and so are outputs
//! that repeat it. [`crate::format::cut`] has the law.

use crate::change::rules::Wanted;
use crate::change::unchanged::Unchanged;
use crate::format::cut::{Part, cut_inside, left};
use crate::index::walk::{Odd, fields, text, texts};
use crate::json::tape::Cursor;
use crate::likely;
use crate::pulumi::wire;

/// Fields of the state before that say nothing once there is a state after.
const OF_THE_LATER: [&[u8]; 2] = [b"dependencies", b"propertyDependencies"];

/// Options that say how the properties are to be read.
const SPECIAL: [&[u8]; 2] = [b"additionalSecretOutputs", b"ignoreChanges"];

/// The parts of an update.
#[derive(Default)]
struct Parts<'t> {
    is_update: bool,
    old: Option<Part<'t>>,
    new: Option<Part<'t>>,
    /// The properties that the engine or the provider names, or a part of which they name.
    named: Vec<String>,
}

/// The text of an update at `cursor` without the properties that stay the same, and these. Keeps those that are `wanted`. The same
/// goes for the entries of maps that change. `None` if the whole has to be read.
pub(super) fn cut<'t>(
    cursor: &mut Cursor<'t>,
    wanted: &Wanted,
) -> Option<(Vec<u8>, Unchanged<'t>)> {
    let text = cursor.text();
    // A secret, a file and a reference have signatures.
    if wire::may_be_signed(text) || wire::may_be_blinded(text) {
        return None;
    }
    let parts = parts(cursor).ok()?;
    let (mut old, mut new) = (parts.old?, parts.new?);
    let has_special = |part: &Part<'_>| SPECIAL.iter().any(|key| part.of_key(key).is_some());
    if !parts.is_update || has_special(&old) || has_special(&new) {
        return None;
    }
    let mut unchanged = Unchanged::default();
    let is_wanted =
        |key: &str| key == "id" || wanted.has(key) || parts.named.iter().any(|named| named == key);
    cut_inputs([&mut old, &mut new], wanted, &is_wanted, &mut unchanged).ok()?;
    for key in OF_THE_LATER {
        old.find(key).into_iter().for_each(|it| it.is_cut = true);
    }
    Some((left(text, vec![&old, &new]), unchanged))
}

fn parts<'t>(cursor: &mut Cursor<'t>) -> Result<Parts<'t>, Odd> {
    let mut parts = Parts::default();
    fields(cursor, |key, cursor| {
        match key {
            b"op" => parts.is_update = &*text(cursor)? == "update",
            b"oldState" => parts.old = Some(Part::read(cursor)?),
            b"newState" => parts.new = Some(Part::read_like(cursor, parts.old.as_ref())?),
            b"replaceReasons" | b"diffReasons" => texts(cursor, |path| {
                parts.named.push(top(path)?.to_owned());
                Ok(())
            })?,
            b"detailedDiff" => parts.named.extend(named(cursor)?),
            _ => _ = cursor.skip()?,
        }
        Ok(())
    })?;
    Ok(parts)
}

/// The properties in the provider's difference.
fn named(cursor: &mut Cursor<'_>) -> Result<Vec<String>, Odd> {
    let mut named = Vec::new();
    let start = cursor.start();
    if cursor.text().get(start) != Some(&b'{') {
        cursor.skip()?;
        return Ok(named);
    }
    fields(cursor, |key, cursor| {
        cursor.skip()?;
        let key = std::str::from_utf8(key).map_err(|_| Odd)?;
        named.push(top(key)?.to_owned());
        Ok(())
    })?;
    Ok(named)
}

/// The first step of a path. One in quotes is odd.
fn top(path: &str) -> Result<&str, Odd> {
    let first = path.split(['.', '[']).next();
    first.filter(|first| !first.is_empty()).ok_or(Odd)
}

/// Cuts the inputs that stay the same, and the outputs that repeat them.
fn cut_inputs<'t>(
    [old, new]: [&mut Part<'t>; 2],
    wanted: &Wanted,
    is_wanted: &dyn Fn(&str) -> bool,
    unchanged: &mut Unchanged<'t>,
) -> Result<(), Odd> {
    let mut before = properties(old, b"inputs", None)?.ok_or(Odd)?;
    let mut after = properties(new, b"inputs", Some(&before))?.ok_or(Odd)?;
    let old_outputs = properties(old, b"outputs", None)?;
    let new_outputs = properties(new, b"outputs", old_outputs.as_ref())?;
    let mut outputs = [old_outputs, new_outputs];
    for (place, entry) in before.entries.iter_mut().enumerate() {
        let Some(other) = after.find_near(place, entry.key) else {
            continue;
        };
        let key = std::str::from_utf8(entry.key).map_err(|_| Odd)?;
        let is_unknown = || memchr::memmem::find(entry.value, wire::UNKNOWN.as_bytes()).is_some();
        if is_wanted(key) || is_unknown() {
            continue;
        }
        if entry.value == other.value {
            if likely::may_name(key) || likely::is_in(key, entry.value) {
                continue;
            }
            unchanged.add(key, entry.value);
            (entry.is_cut, other.is_cut) = (true, true);
            cut_repeats(&mut outputs, entry.key, entry.value);
        } else if !wanted.has_whole(key) && entry.is_map() && other.is_map() {
            cut_inside(entry, other, wanted, unchanged)?;
        }
    }
    let [old_outputs, new_outputs] = outputs;
    let sides = [
        (old, [Some(before), old_outputs]),
        (new, [Some(after), new_outputs]),
    ];
    for (state, parts) in sides {
        for (key, part) in [b"inputs".as_slice(), b"outputs"].into_iter().zip(parts) {
            if let Some(entry) = state.find(key) {
                entry.inner = part;
            }
        }
    }
    Ok(())
}

/// Cuts an output that has the value of an input, on all sides that have outputs.
fn cut_repeats(outputs: &mut [Option<Part<'_>>; 2], key: &[u8], value: &[u8]) {
    let is_repeated = |part: &Part<'_>| part.of_key(key).is_some_and(|it| it.value == value);
    if outputs.iter().flatten().all(is_repeated) {
        let parts = outputs.iter_mut().flatten();
        let entries = parts.filter_map(|part| part.find(key));
        entries.for_each(|entry| entry.is_cut = true);
    }
}

/// The properties under this key of a state; `None` if it has none. They are probably a twin of `other`.
fn properties<'t>(
    state: &Part<'t>,
    key: &[u8],
    other: Option<&Part<'t>>,
) -> Result<Option<Part<'t>>, Odd> {
    let entry = state.of_key(key).filter(|entry| entry.value != b"null");
    entry
        .map(|entry| Part::read_like(&mut entry.cursor.clone(), other))
        .transpose()
}
