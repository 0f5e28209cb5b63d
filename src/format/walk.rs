//! Walks over the tape of an element: what the index needs of it, without building values.
//!
//! Whatever a walk finds odd it gives up on ([`Odd`]), and the element is read whole instead: slow, and right in every case.

mod mask;

use super::cty_json;
use super::repeats::{self, Fields};
use super::sheet::Sheet;
use super::trie::Trie;
use crate::json::tape::{Cursor, Met, NotWalked, Where};
use crate::json::{self, MAX_DEPTH, Numbers, ParseError, Reader, Str};
use crate::stack::Section;
use crate::value::Value;
use crate::wire;

pub(super) use mask::{Hidden, sensitive_path, unknown};

/// How many brackets stand around properties at most: those of a row, its instances, one of them and its attributes.
const N_AROUND: usize = 4;

/// The element has to be read whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odd;

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
pub(super) enum Dialect {
    /// Stored values of Pulumi: secrets and unknowns have signatures.
    Pulumi,
    /// cty in JSON, as state files have it: dynamic values are wrapped.
    State,
    /// cty in JSON, as plans and `show -json` have it: what is special stands in masks.
    Plain,
}

/// What a walk of properties found.
#[derive(Default, Debug)]
pub(super) struct Seen<'a> {
    /// How many outermost secrets.
    pub(super) secrets: u32,
    /// Whether something is unknown.
    pub(super) unknown: bool,
    /// The property `id`, if it is a string, as it stands between its quotes.
    pub(super) id: Option<&'a [u8]>,
    /// The secrets right below the top.
    pub(super) secret_tops: Vec<u32>,
}

/// The fields of the map that comes next: `field` is called with each key, and passes its value. Keys with escapes are odd, and
/// those that come twice.
pub(super) fn fields<'a>(
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
pub(super) fn skip(cursor: &mut Cursor<'_>) -> Result<usize, Odd> {
    let start = cursor.skip()?;
    let text = cursor.text();
    let may_repeat = matches!(text.get(start), Some(b'{' | b'['));
    if may_repeat && repeats::any_below(text, start)? {
        return Err(Odd);
    }
    Ok(start)
}

/// The items of the array that comes next: `item` is called before each, and passes it. Null has none.
pub(super) fn items<'a>(
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
pub(super) fn text<'a>(cursor: &mut Cursor<'a>) -> Result<Text<'a>, Odd> {
    match cursor.value()? {
        Met::String(raw) => Text::new(raw),
        Met::Null => Ok(Text::default()),
        _ => Err(Odd),
    }
}

/// A text of an element: without escapes in nearly all files.
#[derive(Clone, Default, Debug)]
pub(super) struct Text<'a>(std::borrow::Cow<'a, str>);

impl<'a> Text<'a> {
    /// The text that stands between quotes as `raw`.
    pub(super) fn new(raw: &'a [u8]) -> Result<Self, Odd> {
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
pub(super) fn flag(cursor: &mut Cursor<'_>) -> Result<bool, Odd> {
    match cursor.value()? {
        Met::Bool(flag) => Ok(flag),
        Met::Null => Ok(false),
        _ => Err(Odd),
    }
}

/// Calls `each` with the texts of an array; null has none.
pub(super) fn texts(
    cursor: &mut Cursor<'_>,
    mut each: impl FnMut(&str) -> Result<(), Odd>,
) -> Result<(), Odd> {
    items(cursor, |cursor| match cursor.value()? {
        Met::String(raw) => each(&Text::new(raw)?),
        _ => Err(Odd),
    })
}

/// The value that comes next, built, as in [`json::build`].
pub(super) fn value(cursor: &mut Cursor<'_>) -> Result<Value, Odd> {
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

/// Walks the properties that come next and adds their paths to the sheet.
pub(super) fn properties<'a>(
    cursor: &mut Cursor<'a>,
    sheet: &mut Sheet,
    section: Section,
    dialect: Dialect,
    seen: &mut Seen<'a>,
) -> Result<(), Odd> {
    let start = cursor.start();
    match cursor.value()? {
        Met::Null => return Ok(()),
        Met::Map => {}
        _ => return Err(Odd),
    }
    let outer = std::mem::take(&mut sheet.frames);
    let mut walk = Walk {
        cursor,
        sheet,
        dialect,
        seen,
        outer,
        frame: Frame::new(Trie::root(section), start, true),
    };
    walk.frame.mark = walk.sheet.trie().mark();
    walk.frame.secrets = walk.seen.secrets;
    let outcome = walk.run();
    let Walk {
        sheet, mut outer, ..
    } = walk;
    outer.clear();
    sheet.frames = outer;
    outcome
}

/// An array or map whose entries are being walked.
#[derive(Debug)]
pub(super) struct Frame {
    /// Its path.
    node: u32,
    /// Where it begins.
    start: usize,
    is_map: bool,
    place: Where,
    /// Whether its keys are known to be different, though the tree of paths does not tell all of them.
    is_checked: bool,
    /// The path of the entry before.
    previous: u32,
    /// How many paths there were before it.
    mark: usize,
    /// How many secrets there were before it.
    secrets: u32,
}

impl Frame {
    fn new(node: u32, start: usize, is_map: bool) -> Self {
        Self {
            node,
            start,
            is_map,
            place: Where::First,
            is_checked: false,
            previous: node,
            mark: 0,
            secrets: 0,
        }
    }
}

struct Walk<'w, 'a> {
    cursor: &'w mut Cursor<'a>,
    sheet: &'w mut Sheet,
    dialect: Dialect,
    seen: &'w mut Seen<'a>,
    /// The arrays and maps around the one at hand.
    outer: Vec<Frame>,
    frame: Frame,
}

/// What the key of a value says of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Plain,
    /// `id` right below the top.
    Id,
    /// The signature that tells what the map is.
    Signature,
    /// The map was the wrapper of a dynamic value, and is passed.
    Wrapper,
}

impl<'a> Walk<'_, 'a> {
    fn run(&mut self) -> Result<(), Odd> {
        loop {
            let place = std::mem::replace(&mut self.frame.place, Where::Later);
            let (key, path) = if self.frame.is_map {
                let Some(key) = self.cursor.key(place)? else {
                    if self.close() {
                        return Ok(());
                    }
                    continue;
                };
                self.key(key, place)?
            } else {
                if !self.cursor.item(place)? {
                    if self.close() {
                        return Ok(());
                    }
                    continue;
                }
                let trie = self.sheet.trie();
                let item = trie.item(self.frame.node);
                trie.see(item);
                (Key::Plain, item)
            };
            if key == Key::Wrapper {
                // The top is none: something is around it.
                self.close();
                continue;
            }
            let start = self.cursor.start();
            match self.cursor.value()? {
                Met::String(raw) => self.string(raw, key)?,
                Met::Map => self.open(path, start, true, key)?,
                Met::Array => self.open(path, start, false, key)?,
                Met::Null if key == Key::Id => {}
                _ if self.needs_text(key) => return Err(Odd),
                _ => {}
            }
        }
    }

    fn open(&mut self, path: u32, start: usize, is_map: bool, key: Key) -> Result<(), Odd> {
        if self.needs_text(key) || self.outer.len() + 1 + N_AROUND >= MAX_DEPTH {
            return Err(Odd);
        }
        let mut frame = Frame::new(path, start, is_map);
        if self.dialect == Dialect::Pulumi {
            frame.mark = self.sheet.trie().mark();
            frame.secrets = self.seen.secrets;
        }
        self.outer.push(std::mem::replace(&mut self.frame, frame));
        Ok(())
    }

    /// Whether the value of a key has to be a text, or is odd: an id of Terraform may be the wrapper of a dynamic value.
    fn needs_text(&self, key: Key) -> bool {
        match key {
            Key::Signature => true,
            Key::Id => self.dialect != Dialect::Pulumi,
            Key::Plain | Key::Wrapper => false,
        }
    }

    /// Goes on around the array or map at hand; whether nothing is around it.
    fn close(&mut self) -> bool {
        match self.outer.pop() {
            Some(frame) => self.frame = frame,
            None => return true,
        }
        false
    }

    /// Takes a key; what it says, and the path of its value.
    fn key(&mut self, raw: &[u8], place: Where) -> Result<(Key, u32), Odd> {
        let is_top = self.outer.is_empty();
        let Frame { node, previous, .. } = self.frame;
        let guess = self.sheet.trie().guess(node, previous, raw);
        // A key that was guessed has no escapes.
        let key = match guess {
            Some(_) => raw.into(),
            None => Str::of_raw(raw).decode(),
        };
        if self.dialect == Dialect::Pulumi && *key == *wire::SIGNATURE.as_bytes() {
            return Ok((Key::Signature, node));
        }
        if self.dialect == Dialect::State
            && place == Where::First
            && !is_top
            && matches!(&*key, b"value" | b"type")
            && self.dynamic(&key)?
        {
            return Ok((Key::Wrapper, node));
        }
        let trie = self.sheet.trie();
        let child = guess.unwrap_or_else(|| trie.learn(node, previous, &key));
        let is_repeated = trie.see_key(child, self.frame.start);
        if trie.is_any(child) {
            self.check_keys()?;
        } else if is_repeated {
            return Err(Odd);
        }
        self.frame.previous = child;
        let is_id = is_top && *key == *b"id";
        Ok((if is_id { Key::Id } else { Key::Plain }, child))
    }

    /// Looks whether the map at hand gives a key twice, where it has so many that they have no paths of their own.
    fn check_keys(&mut self) -> Result<(), Odd> {
        if !self.frame.is_checked && repeats::any_in(self.cursor.text(), self.frame.start)? {
            return Err(Odd);
        }
        self.frame.is_checked = true;
        Ok(())
    }

    fn string(&mut self, raw: &'a [u8], key: Key) -> Result<(), Odd> {
        match key {
            Key::Signature => return self.signature(raw),
            Key::Id => self.seen.id = Some(raw),
            Key::Plain | Key::Wrapper => {}
        }
        if self.dialect == Dialect::Pulumi {
            self.seen.unknown |= raw == wire::UNKNOWN.as_bytes();
        }
        Ok(())
    }

    /// A map that stands for something else: neither a secret nor an asset nor a reference has properties of its own.
    fn signature(&mut self, raw: &[u8]) -> Result<(), Odd> {
        let is = |signature: &str| raw == signature.as_bytes();
        let is_known = is(wire::SECRET) || is(wire::ASSET) || is(wire::REFERENCE);
        if self.outer.is_empty() || !is_known {
            return Err(Odd);
        }
        self.sheet.trie().back_to(self.frame.mark);
        if is(wire::REFERENCE) {
            let value = built(self.cursor.text(), self.frame.start, Numbers::Double)?;
            if let Some(urn) = value.get("urn").and_then(Value::as_str) {
                self.sheet.reference(urn);
            }
        }
        if is(wire::SECRET) {
            self.seen.secrets = self.frame.secrets + 1;
            if let [top] = self.outer.as_slice()
                && top.is_map
            {
                self.seen.secret_tops.push(self.frame.node);
            }
        }
        self.cursor.skip_rest_of_map()?;
        if repeats::any_below(self.cursor.text(), self.frame.start)? {
            return Err(Odd);
        }
        self.close();
        Ok(())
    }

    /// A map that begins like the wrapper of a dynamic value, with the key `first`; whether it was one, and is passed.
    fn dynamic(&mut self, first: &[u8]) -> Result<bool, Odd> {
        // Many maps have a type or a value among others.
        let other: &[u8] = if first == b"type" { b"value" } else { b"type" };
        let mut ahead = self.cursor.clone();
        ahead.skip()?;
        let second = ahead.key(Where::Later)?;
        let may_be = second.is_some_and(|second| {
            let second = Str::of_raw(second).decode();
            *second == *other || *second == *first
        });
        if !may_be {
            return Ok(false);
        }
        let value = built(self.cursor.text(), self.frame.start, Numbers::Exact)?;
        let Some((inner, ty)) = value.as_map().and_then(cty_json::wrapped) else {
            return Ok(false);
        };
        let inner = cty_json::unwrap_as(inner.clone(), Some(ty));
        self.sheet.paths_below(self.frame.node, &inner);
        self.cursor.skip()?;
        self.cursor.skip_rest_of_map()?;
        Ok(true)
    }
}
