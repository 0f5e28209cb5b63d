//! Walks over the tape of an element: what the index needs of it, without building values.
//!
//! Whatever a walk finds odd it gives up on ([`Odd`]), and the element is read whole instead: slow, and right in every case.

mod mask;
mod properties;
mod stretch;

use super::repeats::{self, Fields};
use crate::json::tape::{Cursor, Met, NotWalked, Where};
use crate::json::{self, Numbers, ParseError, Reader, Str};
use crate::value::Value;

pub(crate) use mask::{Hidden, Unknown, sensitive_path};
pub(crate) use properties::properties;
pub(crate) use stretch::Stretches;

/// How many brackets stand around properties at most: those of a row, its instances, one of them and its attributes.
const N_AROUND: usize = 4;

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

/// Whose values these are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// Stored values of Pulumi: secrets and unknowns have signatures.
    Pulumi,
    /// cty in JSON, as state files have it: dynamic values are wrapped.
    State,
    /// cty in JSON, as plans and `show -json` have it: what is special stands in masks.
    Plain,
}

/// What a walk of properties found.
#[derive(Default, Debug)]
pub(crate) struct Seen<'a> {
    /// Whether there are properties at all, perhaps none of them.
    is_there: bool,
    /// How many outermost secrets.
    pub(crate) secrets: u32,
    /// Whether something is unknown.
    pub(crate) unknown: bool,
    /// The property `id`, if it is a string, as it stands between its quotes.
    pub(crate) id: Option<&'a [u8]>,
    /// The secrets right below the top.
    pub(crate) secret_tops: Vec<u32>,
    /// The arrays and maps below the top, where masks stand beside the values.
    containers: Vec<Container>,
}

/// An array or a map of the properties, or of a mask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Container {
    /// Its path.
    node: u32,
    /// A number for its place among those that have this path: the indexes of the arrays around it.
    place: u64,
    /// How many elements an array has; `None` for a map.
    n_items: Option<u32>,
    /// Whether it has nothing in it. Not told of properties.
    is_empty: bool,
}

/// The fields of the map that comes next: `field` is called with each key, and passes its value. Keys with escapes are odd, and
/// those that come twice.
pub(crate) fn fields<'a>(
    cursor: &mut Cursor<'a>,
    mut field: impl FnMut(&'a [u8], &mut Cursor<'a>) -> Result<(), Odd>,
) -> Result<(), Odd> {
    let mut keys = Fields::of(cursor.start());
    if cursor.value()? != Met::Map {
        return Err(Odd);
    }
    let mut place = Where::First;
    while let Some(key) = cursor.key(place)? {
        if memchr::memchr(b'\\', key).is_some() || keys.repeats(key) {
            return Err(Odd);
        }
        field(key, cursor)?;
        place = Where::Later;
    }
    if keys.hide_repeats(cursor.text())? {
        return Err(Odd);
    }
    Ok(())
}

/// Passes a value of which nothing is wanted; where it begins. Maps in it that give a key twice are odd.
pub(crate) fn skip(cursor: &mut Cursor<'_>) -> Result<usize, Odd> {
    let start = cursor.skip()?;
    let text = cursor.text();
    let may_repeat = matches!(text.get(start), Some(b'{' | b'['));
    if may_repeat && repeats::any_below(text, start)? {
        return Err(Odd);
    }
    Ok(start)
}

/// The items of the array that comes next: `item` is called before each, and passes it. Null has none.
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

/// The text that comes next, "" for null.
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
    /// The text that stands between quotes as `raw`.
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

/// A bool, false for null.
pub(crate) fn flag(cursor: &mut Cursor<'_>) -> Result<bool, Odd> {
    match cursor.value()? {
        Met::Bool(flag) => Ok(flag),
        Met::Null => Ok(false),
        _ => Err(Odd),
    }
}

/// Calls `each` with the texts of an array; null has none.
pub(crate) fn texts(
    cursor: &mut Cursor<'_>,
    mut each: impl FnMut(&str) -> Result<(), Odd>,
) -> Result<(), Odd> {
    items(cursor, |cursor| match cursor.value()? {
        Met::String(raw) => each(&Text::new(raw)?),
        _ => Err(Odd),
    })
}

/// The value that comes next, built, as in [`json::build`].
pub(crate) fn value(cursor: &mut Cursor<'_>) -> Result<Value, Odd> {
    let start = cursor.skip()?;
    built(cursor.text(), start, Numbers::Exact)
}

/// The value that begins at `start`, built; odd if anything about it is.
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
    /// Where it begins.
    start: usize,
    is_map: bool,
    place: Where,
    /// Whether its keys are known to be different, though the tree of paths does not tell all of them.
    is_checked: bool,
    /// Whether it is a map below the top that has other keys in each resource.
    has_many: bool,
    /// The indexes of the arrays around it, as one number.
    indexes: u64,
    /// How many entries of it were passed; of maps only in masks.
    n_entries: u32,
    /// Which of the containers it is.
    container: usize,
}

impl Frame {
    fn new(node: u32, start: usize, is_map: bool) -> Self {
        Self {
            node,
            start,
            is_map,
            place: Where::First,
            is_checked: false,
            has_many: false,
            indexes: 0,
            n_entries: 0,
            container: 0,
        }
    }

    /// What stands in it now as [`Frame::indexes`] tells it.
    fn indexes_below(&self) -> u64 {
        if self.is_map {
            return self.indexes;
        }
        let index = u64::from(self.n_entries);
        (self.indexes.rotate_left(23) ^ index).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
