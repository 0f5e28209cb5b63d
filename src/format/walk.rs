//! Walks over the tape of an element: what the index needs of it, without building values.
//!
//! Whatever a walk finds odd it gives up on ([`Odd`]), and the element is read whole instead: slow, and right in every case.

use super::cty_json;
use super::sheet::Sheet;
use super::trie::Trie;
use crate::json::tape::{Cursor, Met, NotWalked, Where};
use crate::json::{self, MAX_DEPTH, Numbers, ParseError, Reader, Str};
use crate::stack::Section;
use crate::value::Value;
use crate::wire;

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

/// The fields of the map that comes next: `field` is called with each key, and passes its value. Keys with escapes are odd.
pub(super) fn fields<'a>(
    cursor: &mut Cursor<'a>,
    mut field: impl FnMut(&'a [u8], &mut Cursor<'a>) -> Result<(), Odd>,
) -> Result<(), Odd> {
    if cursor.value()? != Met::Map {
        return Err(Odd);
    }
    let mut place = Where::First;
    while let Some(key) = cursor.key(place)? {
        if memchr::memchr(b'\\', key).is_some() {
            return Err(Odd);
        }
        field(key, cursor)?;
        place = Where::Later;
    }
    Ok(())
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
    let mut reader = Reader::at(cursor.text(), start);
    Ok(json::build(&mut reader, Numbers::Exact, &mut Vec::new())?)
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
    let mut walk = Walk {
        cursor,
        sheet,
        dialect,
        seen,
        outer: Vec::new(),
        frame: Frame::new(Trie::root(section), start, true),
    };
    walk.frame.mark = walk.sheet.trie().mark();
    walk.frame.secrets = walk.seen.secrets;
    walk.run()
}

/// An array or map whose entries are being walked.
struct Frame {
    /// Its path.
    node: u32,
    /// Where it begins.
    start: usize,
    is_map: bool,
    place: Where,
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
        if self.needs_text(key) || self.outer.len() + 1 >= MAX_DEPTH {
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
            && self.dynamic()?
        {
            return Ok((Key::Wrapper, node));
        }
        let trie = self.sheet.trie();
        let child = guess.unwrap_or_else(|| trie.learn(node, previous, &key));
        trie.see(child);
        self.frame.previous = child;
        let is_id = is_top && *key == *b"id";
        Ok((if is_id { Key::Id } else { Key::Plain }, child))
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
            let mut again = Reader::at(self.cursor.text(), self.frame.start);
            let value = json::build(&mut again, Numbers::Double, &mut Vec::new())?;
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
        self.close();
        Ok(())
    }

    /// A map that begins like the wrapper of a dynamic value; whether it was one, and is passed.
    fn dynamic(&mut self) -> Result<bool, Odd> {
        let mut again = Reader::at(self.cursor.text(), self.frame.start);
        let value = json::build(&mut again, Numbers::Exact, &mut Vec::new())?;
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

/// Walks a mask that comes next and calls `marked` with each path that it marks: the top itself, where it marks all.
pub(super) fn mask(
    cursor: &mut Cursor<'_>,
    sheet: &mut Sheet,
    marked: &mut dyn FnMut(&mut Sheet, u32),
) -> Result<(), Odd> {
    let mut open: Vec<Frame> = Vec::new();
    let mut path = Trie::root(Section::Outputs);
    loop {
        let start = cursor.start();
        match cursor.value()? {
            Met::Map | Met::Array if open.len() >= MAX_DEPTH => return Err(Odd),
            Met::Map => open.push(Frame::new(path, start, true)),
            Met::Array => open.push(Frame::new(path, start, false)),
            Met::Bool(true) => marked(sheet, path),
            Met::Bool(false) | Met::Null => {}
            Met::Number | Met::String(_) => return Err(Odd),
        }
        path = loop {
            let Some(frame) = open.last_mut() else {
                return Ok(());
            };
            let place = std::mem::replace(&mut frame.place, Where::Later);
            if !frame.is_map {
                if cursor.item(place)? {
                    break sheet.trie().item(frame.node);
                }
            } else if let Some(raw) = cursor.key(place)? {
                let trie = sheet.trie();
                let guess = trie.guess(frame.node, frame.previous, raw);
                frame.previous = guess.unwrap_or_else(|| {
                    trie.learn(frame.node, frame.previous, &Str::of_raw(raw).decode())
                });
                break frame.previous;
            }
            open.pop();
        };
    }
}

/// What masks hide of the properties at hand.
#[derive(Default, Debug)]
pub(super) struct Hidden {
    /// The path of each place that is marked; elements of an array share theirs.
    paths: Vec<u32>,
}

impl Hidden {
    /// Walks a mask of sensitive places.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_>, sheet: &mut Sheet) -> Result<(), Odd> {
        mask(cursor, sheet, &mut |_, path| self.add(path))
    }

    /// Hides what is below `path`.
    pub(super) fn add(&mut self, path: u32) {
        self.paths.push(path);
    }

    /// How many of the marked places there are: a mask may speak of more than the value has.
    pub(super) fn count(&self, sheet: &mut Sheet) -> u32 {
        let seen = self.paths.iter().filter(|path| sheet.trie().sees(**path));
        u32::try_from(seen.count()).unwrap_or(u32::MAX)
    }

    /// Takes what is below the marked places out of the shape. Whether the property `id` is hidden.
    pub(super) fn apply(&mut self, sheet: &mut Sheet) -> bool {
        if self.paths.is_empty() {
            return false;
        }
        self.paths.sort_unstable();
        self.paths.dedup();
        let top = Trie::root(Section::Outputs);
        let id = sheet.trie().child(top, b"id");
        for path in &self.paths {
            sheet.trie().hide_below(*path);
        }
        self.paths.contains(&top) || self.paths.contains(&id)
    }
}

/// Walks a mask of unknown places: each is a path of the properties.
pub(super) fn unknown(cursor: &mut Cursor<'_>, sheet: &mut Sheet) -> Result<bool, Odd> {
    let mut any = false;
    mask(cursor, sheet, &mut |sheet, path| {
        any = true;
        if path >= Trie::FIRST {
            sheet.trie().see_with_parents(path);
        }
    })?;
    Ok(any)
}

/// A path of a state's sensitive attributes that is walked in the tree of paths; hidden as far as it leads.
pub(super) fn sensitive_path(
    cursor: &mut Cursor<'_>,
    sheet: &mut Sheet,
    hidden: &mut Hidden,
) -> Result<(), Odd> {
    let value = value(cursor)?;
    let Some(steps) = super::terraform_state::sensitive_path(&value) else {
        return Ok(());
    };
    let mut path = Trie::root(Section::Outputs);
    for step in steps {
        path = match step {
            super::masks::Step::Key(key) => sheet.trie().child(path, key.as_bytes()),
            super::masks::Step::Index(_) => sheet.trie().item(path),
        };
    }
    hidden.add(path);
    Ok(())
}
