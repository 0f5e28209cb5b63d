//! Walks over the tokens of an element: what the index needs of it, without building values.
//!
//! Whatever a walk finds odd it gives up on ([`Odd`]), and the element is read whole instead: slow, and right in every case.

use super::cty_json;
use super::sheet::Sheet;
use super::trie::Trie;
use crate::json::{self, MAX_DEPTH, Numbers, ParseError, Reader, Str, Token};
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
    /// The property `id`, if it is a string.
    pub(super) id: Option<Str<'a>>,
    /// The secrets right below the top.
    pub(super) secret_tops: Vec<u32>,
}

struct Frame {
    /// The path of the array or map.
    node: u32,
    /// Where it begins.
    start: usize,
    is_map: bool,
    /// How many paths there were before it.
    mark: usize,
    /// How many secrets there were before it.
    secrets: u32,
    n_keys: u32,
    /// Whether the value to come is that of the signature.
    signature: bool,
    /// The path of the value to come.
    child: u32,
}

/// The next token, which there must be.
pub(super) fn token<'a>(reader: &mut Reader<'a>) -> Result<Token<'a>, Odd> {
    reader.next()?.ok_or(Odd)
}

/// The text of a token, "" for null.
pub(super) fn text<'a>(reader: &mut Reader<'a>) -> Result<Text<'a>, Odd> {
    match token(reader)? {
        Token::String(text) => Text::new(text),
        Token::Null => Ok(Text::default()),
        _ => Err(Odd),
    }
}

/// A text of an element: without escapes in nearly all files.
#[derive(Clone, Default, Debug)]
pub(super) struct Text<'a>(std::borrow::Cow<'a, str>);

impl<'a> Text<'a> {
    pub(super) fn new(text: Str<'a>) -> Result<Self, Odd> {
        if text.is_escaped() {
            return Ok(Self(text.decode_lossy()));
        }
        let text = std::str::from_utf8(text.raw()).map_err(|_| Odd)?;
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
pub(super) fn flag(reader: &mut Reader<'_>) -> Result<bool, Odd> {
    match token(reader)? {
        Token::Bool(flag) => Ok(flag),
        Token::Null => Ok(false),
        _ => Err(Odd),
    }
}

/// Calls `each` with the texts of an array; null has none.
pub(super) fn texts(
    reader: &mut Reader<'_>,
    mut each: impl FnMut(&str) -> Result<(), Odd>,
) -> Result<(), Odd> {
    match token(reader)? {
        Token::Null => return Ok(()),
        Token::ArrayStart => {}
        _ => return Err(Odd),
    }
    loop {
        match token(reader)? {
            Token::String(string) => each(&Text::new(string)?)?,
            Token::ArrayEnd => return Ok(()),
            _ => return Err(Odd),
        }
    }
}

/// Walks the properties that come next and adds their paths to the sheet.
pub(super) fn properties<'a>(
    reader: &mut Reader<'a>,
    sheet: &mut Sheet,
    section: Section,
    dialect: Dialect,
    seen: &mut Seen<'a>,
) -> Result<(), Odd> {
    let top = Trie::root(section);
    match token(reader)? {
        Token::Null => return Ok(()),
        Token::MapStart => {}
        _ => return Err(Odd),
    }
    let mut walk = Walk {
        reader,
        sheet,
        dialect,
        seen,
        frames: Vec::with_capacity(8),
        key_is_id: false,
    };
    walk.open(top, true);
    while !walk.frames.is_empty() {
        walk.step()?;
    }
    Ok(())
}

struct Walk<'w, 'a> {
    reader: &'w mut Reader<'a>,
    sheet: &'w mut Sheet,
    dialect: Dialect,
    seen: &'w mut Seen<'a>,
    frames: Vec<Frame>,
    key_is_id: bool,
}

impl<'a> Walk<'_, 'a> {
    fn open(&mut self, node: u32, is_map: bool) {
        self.frames.push(Frame {
            node,
            start: self.reader.token_start(),
            is_map,
            mark: self.sheet.trie().mark(),
            secrets: self.seen.secrets,
            n_keys: 0,
            signature: false,
            child: node,
        });
    }

    fn step(&mut self) -> Result<(), Odd> {
        let token = token(self.reader)?;
        match token {
            Token::Key(key) => return self.key(key),
            Token::MapEnd | Token::ArrayEnd => {
                self.frames.pop();
                return Ok(());
            }
            _ => {}
        }
        let Some(frame) = self.frames.last_mut() else {
            return Err(Odd);
        };
        let path = if frame.is_map {
            frame.child
        } else {
            let trie = self.sheet.trie();
            let item = trie.item(frame.node);
            trie.see(item);
            item
        };
        match token {
            Token::String(string) => self.string(string),
            Token::MapStart | Token::ArrayStart => {
                if frame.signature || self.frames.len() >= MAX_DEPTH {
                    return Err(Odd);
                }
                self.open(path, token == Token::MapStart);
                Ok(())
            }
            _ => {
                frame.signature = false;
                Ok(())
            }
        }
    }

    fn key(&mut self, key: Str<'a>) -> Result<(), Odd> {
        let is_top = self.frames.len() == 1;
        let Some(frame) = self.frames.last_mut() else {
            return Err(Odd);
        };
        frame.n_keys += 1;
        let decoded = key.decode();
        if self.dialect == Dialect::Pulumi {
            frame.signature = decoded.as_ref() == wire::SIGNATURE.as_bytes();
            if frame.signature {
                return Ok(());
            }
        } else if self.dialect == Dialect::State
            && frame.n_keys == 1
            && !is_top
            && matches!(decoded.as_ref(), b"value" | b"type")
        {
            let (start, node) = (frame.start, frame.node);
            if self.dynamic(start, node)? {
                return Ok(());
            }
        }
        let Some(frame) = self.frames.last_mut() else {
            return Err(Odd);
        };
        let trie = self.sheet.trie();
        frame.child = trie.child(frame.node, &decoded);
        trie.see(frame.child);
        self.key_is_id = is_top && decoded.as_ref() == b"id";
        Ok(())
    }

    fn string(&mut self, string: Str<'a>) -> Result<(), Odd> {
        let is_top = self.frames.len() == 1;
        if self.key_is_id && is_top {
            self.seen.id = Some(string);
            self.key_is_id = false;
        }
        if self.dialect != Dialect::Pulumi {
            return Ok(());
        }
        let Some(frame) = self.frames.last_mut() else {
            return Err(Odd);
        };
        if !frame.signature {
            self.seen.unknown |= string.raw() == wire::UNKNOWN.as_bytes();
            return Ok(());
        }
        // Neither a secret nor an asset nor a reference has properties of its own.
        if is_top || string.is_escaped() {
            return Err(Odd);
        }
        self.sheet.trie().back_to(frame.mark);
        if string.raw() == wire::SECRET.as_bytes() {
            self.seen.secrets = frame.secrets + 1;
            if let [top, _] = self.frames.as_slice()
                && top.is_map
            {
                self.seen.secret_tops.push(top.child);
            }
        } else if string.raw() == wire::REFERENCE.as_bytes() {
            let mut again = Reader::at(self.reader.bytes(), frame.start);
            let value = json::build(&mut again, Numbers::Double, &mut Vec::new())?;
            if let Some(urn) = value.get("urn").and_then(Value::as_str) {
                self.sheet.reference(urn);
            }
        } else if string.raw() == wire::ARCHIVE.as_bytes() {
            return Err(Odd);
        }
        self.reader.skip_rest()?;
        self.frames.pop();
        Ok(())
    }

    /// A map that begins like the wrapper of a dynamic value; whether it was one, and is passed.
    fn dynamic(&mut self, start: usize, node: u32) -> Result<bool, Odd> {
        let mut again = Reader::at(self.reader.bytes(), start);
        let value = json::build(&mut again, Numbers::Exact, &mut Vec::new())?;
        let Some((inner, ty)) = value.as_map().and_then(cty_json::wrapped) else {
            return Ok(false);
        };
        let inner = cty_json::unwrap_as(inner.clone(), Some(ty));
        self.sheet.paths_below(node, &inner);
        self.reader.skip_rest()?;
        self.frames.pop();
        Ok(true)
    }
}

/// Walks a mask that comes next and calls `marked` with each path that it marks: the top itself, where it marks all.
pub(super) fn mask(
    reader: &mut Reader<'_>,
    sheet: &mut Sheet,
    marked: &mut dyn FnMut(&mut Sheet, u32),
) -> Result<(), Odd> {
    let mut open: Vec<(u32, bool)> = Vec::new();
    let mut path = Trie::root(Section::Outputs);
    loop {
        match token(reader)? {
            Token::Key(key) => {
                let node = open.last().ok_or(Odd)?.0;
                path = sheet.trie().child(node, &key.decode());
                continue;
            }
            Token::MapStart | Token::ArrayStart if open.len() >= MAX_DEPTH => return Err(Odd),
            Token::MapStart => open.push((path, true)),
            Token::ArrayStart => open.push((path, false)),
            Token::MapEnd | Token::ArrayEnd => {
                open.pop();
            }
            Token::Bool(true) => marked(sheet, path),
            Token::Bool(false) | Token::Null => {}
            Token::Number(_) | Token::String(_) => return Err(Odd),
        }
        match open.last() {
            None => return Ok(()),
            Some((node, false)) => path = sheet.trie().item(*node),
            Some((_, true)) => {}
        }
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
    pub(super) fn read(&mut self, reader: &mut Reader<'_>, sheet: &mut Sheet) -> Result<(), Odd> {
        mask(reader, sheet, &mut |_, path| self.add(path))
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
pub(super) fn unknown(reader: &mut Reader<'_>, sheet: &mut Sheet) -> Result<bool, Odd> {
    let mut any = false;
    mask(reader, sheet, &mut |sheet, path| {
        any = true;
        if path >= Trie::FIRST {
            sheet.trie().see_with_parents(path);
        }
    })?;
    Ok(any)
}

/// A path of a state's sensitive attributes that is walked in the tree of paths; hidden as far as it leads.
pub(super) fn sensitive_path(
    reader: &mut Reader<'_>,
    sheet: &mut Sheet,
    hidden: &mut Hidden,
) -> Result<(), Odd> {
    let value: Value = json::build(reader, Numbers::Exact, &mut Vec::new())?;
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
