//! Walks over the tape of an element: collects the facts for the index, without building values.
//!
//! A walk gives up with [`Odd`] on everything that it finds odd. The element is then read whole: slow, and right in every case.
//!
//! # Law
//!
//! A walk adds the rows that the slow path adds (the `index` of a [format](crate::format)), or gives up. The tests
//! `the_fast_index_…` of the formats compare the two. Without walks, loading takes 4.0 times the processor time for a Pulumi
//! state, 4.4 times for `show -json`, and 5.4 times for a Terraform state or plan.

mod mask;
mod properties;

use super::repeats::{self, Keys};
use crate::json::tape::{Cursor, Met, NotWalked, Where};
use crate::json::{self, Numbers, ParseError, Reader, Str};
use crate::value::Value;

pub(crate) use mask::{Hidden, Unknown, sensitive_path};
pub(crate) use properties::properties;

/// Maximum number of brackets around properties: those of a row, its instances, one of them and its attributes.
const N_AROUND: usize = 4;

/// Number of arrays and maps of most properties and masks: the room that is made for them at once.
const N_CONTAINERS: usize = 32;

/// The element has to be read whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Odd;

impl From<ParseError> for Odd {
    fn from(_: ParseError) -> Self {
        Self
    }
}

impl From<NotWalked> for Odd {
    fn from(_: NotWalked) -> Self {
        Self
    }
}

/// The notation of the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// Stored values of Pulumi: secrets and unknowns have signatures.
    Pulumi,
    /// cty in JSON, as state files have it: dynamic values are wrapped.
    State,
    /// cty in JSON, as plans and `show -json` have it: masks mark the special values.
    Plain,
}

/// The findings of a walk of properties.
#[derive(Default, Debug)]
pub(crate) struct Seen<'a> {
    /// True if there are properties at all, perhaps an empty map.
    is_there: bool,
    /// Number of outermost secrets.
    pub(crate) secrets: u32,
    /// The plaintexts and ciphertexts of secrets, as written.
    pub(crate) hidden: Vec<&'a [u8]>,
    /// True if something is unknown.
    pub(crate) unknown: bool,
    /// The property `id`, if it is a string, as written between its quotes.
    pub(crate) id: Option<&'a [u8]>,
    /// The secrets right below the top.
    pub(crate) secret_tops: Vec<u32>,
    /// The arrays and maps below the top, in notations with masks beside the values; in the order in which they end.
    containers: Vec<Container>,
}

/// An array or a map of the properties, or of a mask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Container {
    /// Its path.
    node: u32,
    /// A number for its place among the containers with this path: the indexes of the arrays around it.
    place: u64,
    /// Number of elements of an array; `None` for a map.
    n_items: Option<u32>,
    /// True if it is empty. Not set for properties.
    is_empty: bool,
}

/// Reads the fields of the next map: `field` is called with each key, and passes its value. Keys with escapes are odd, and so
/// are keys that come twice.
pub(crate) fn fields<'a>(
    cursor: &mut Cursor<'a>,
    mut field: impl FnMut(&'a [u8], &mut Cursor<'a>) -> Result<(), Odd>,
) -> Result<(), Odd> {
    let mut keys = Keys::default();
    if cursor.value()? != Met::Map {
        return Err(Odd);
    }
    let mut place = Where::First;
    while let Some(key) = cursor.key(place)? {
        if memchr::memchr(b'\\', key).is_some() {
            return Err(Odd);
        }
        keys.take(key);
        field(key, cursor)?;
        place = Where::Later;
    }
    if keys.has_repeats() {
        return Err(Odd);
    }
    Ok(())
}

/// Passes a value that is not needed and returns its start. Maps in it that give a key twice are odd.
pub(crate) fn skip(cursor: &mut Cursor<'_>) -> Result<usize, Odd> {
    let start = cursor.skip()?;
    let text = cursor.text();
    let may_repeat = matches!(text.get(start), Some(b'{' | b'['));
    if may_repeat && repeats::any_below(text, start)? {
        return Err(Odd);
    }
    Ok(start)
}

/// Reads the items of the next array: `item` is called before each, and passes it. Null has no items.
pub(crate) fn items<'a>(
    cursor: &mut Cursor<'a>,
    mut item: impl FnMut(&mut Cursor<'a>) -> Result<(), Odd>,
) -> Result<(), Odd> {
    match cursor.value()? {
        Met::Null => return Ok(()),
        Met::Array => {}
        _ => return Err(Odd),
    }
    let mut place = Where::First;
    while cursor.item(place)? {
        item(cursor)?;
        place = Where::Later;
    }
    Ok(())
}

/// Reads the next text, "" for null.
pub(crate) fn text<'a>(cursor: &mut Cursor<'a>) -> Result<Text<'a>, Odd> {
    match cursor.value()? {
        Met::String(raw) => Text::new(raw),
        Met::Null => Ok(Text::default()),
        _ => Err(Odd),
    }
}

/// A text of an element: without escapes in nearly all files.
#[derive(Clone, Default, Debug)]
pub(crate) struct Text<'a>(std::borrow::Cow<'a, str>);

impl<'a> Text<'a> {
    /// The text that is written as `raw` between its quotes.
    pub(crate) fn new(raw: &'a [u8]) -> Result<Self, Odd> {
        let text = Str::of_raw(raw);
        if text.is_escaped() {
            return Ok(Self(text.decode_lossy()));
        }
        let text = std::str::from_utf8(raw).map_err(|_| Odd)?;
        Ok(Self(text.into()))
    }
}

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Reads the next bool, false for null.
pub(crate) fn flag(cursor: &mut Cursor<'_>) -> Result<bool, Odd> {
    match cursor.value()? {
        Met::Bool(flag) => Ok(flag),
        Met::Null => Ok(false),
        _ => Err(Odd),
    }
}

/// Calls `each` with the texts of an array; null has no texts.
pub(crate) fn texts(
    cursor: &mut Cursor<'_>,
    mut each: impl FnMut(&str) -> Result<(), Odd>,
) -> Result<(), Odd> {
    items(cursor, |cursor| match cursor.value()? {
        Met::String(raw) => each(&Text::new(raw)?),
        _ => Err(Odd),
    })
}

/// Builds the next value, as in [`json::build`].
pub(crate) fn value(cursor: &mut Cursor<'_>) -> Result<Value, Odd> {
    let start = cursor.skip()?;
    built(cursor.text(), start, Numbers::Exact)
}

/// Builds the value that begins at `start`; gives up if anything about it is odd.
fn built(text: &[u8], start: usize, numbers: Numbers) -> Result<Value, Odd> {
    let mut notes = Vec::new();
    let value = json::build(&mut Reader::at(text, start), numbers, &mut notes)?;
    if notes.is_empty() {
        Ok(value)
    } else {
        Err(Odd)
    }
}

/// An array or map whose entries are being walked.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Its path.
    node: u32,
    /// Index in the text at which it begins.
    start: usize,
    is_map: bool,
    place: Where,
    /// True if its keys are known to be different, though not all of them are in the tree of paths.
    is_checked: bool,
    /// The path of the last key of a map, 0 before the first.
    last_key: u32,
    /// The indexes of the arrays around it, as one number.
    indexes: u64,
    /// Number of entries that were passed; of maps only in masks.
    n_entries: u32,
}

impl Frame {
    fn new(node: u32, start: usize, is_map: bool) -> Self {
        Self {
            node,
            start,
            is_map,
            place: Where::First,
            is_checked: false,
            last_key: 0,
            indexes: 0,
            n_entries: 0,
        }
    }

    /// The [`Frame::indexes`] for a value inside it, at the current entry.
    fn indexes_below(&self) -> u64 {
        if self.is_map {
            return self.indexes;
        }
        let index = u64::from(self.n_entries);
        (self.indexes.rotate_left(23) ^ index).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
