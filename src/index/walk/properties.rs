//! Properties: the walk that finds their paths, secrets and unknowns.

use super::{Container, Dialect, Frame, N_AROUND, N_CONTAINERS, Odd, Seen, built};
use crate::index::indexer::Indexer;
use crate::index::repeats;
use crate::index::trie::Trie;
use crate::json::tape::{Cursor, Met, Where};
use crate::json::{MAX_DEPTH, Numbers, Str};
use crate::pulumi::wire;
use crate::stack::Section;
use crate::terraform::cty_json;
use crate::value::Payload;

/// Number of folded keys (those without a path for each) that are remembered one by one.
const MAX_FOLDED: usize = 32;

/// Walks the next properties and adds their paths to the indexer.
pub(crate) fn properties<'a>(
    cursor: &mut Cursor<'a>,
    indexer: &mut Indexer,
    section: Section,
    dialect: Dialect,
    seen: &mut Seen<'a>,
) -> Result<(), Odd> {
    let start = cursor.start();
    match cursor.value()? {
        Met::Null => return Ok(()),
        Met::Map => seen.is_there = true,
        _ => return Err(Odd),
    }
    let outer = std::mem::take(&mut indexer.frames);
    let mut walk = Walk {
        cursor,
        indexer,
        dialect,
        seen,
        outer,
        frame: Frame::new(Trie::root(section), start, true),
        folded: Vec::new(),
    };
    let outcome = walk.run();
    let Walk {
        indexer, mut outer, ..
    } = walk;
    outer.clear();
    indexer.frames = outer;
    outcome
}

struct Walk<'w, 'a> {
    cursor: &'w mut Cursor<'a>,
    indexer: &'w mut Indexer,
    dialect: Dialect,
    seen: &'w mut Seen<'a>,
    /// The arrays and maps around the current one.
    outer: Vec<Frame>,
    frame: Frame,
    /// Folded keys: the start of their map, and their hash.
    folded: Vec<(usize, u64)>,
}

/// The meaning of a key for its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Plain,
    /// `id` right below the top.
    Id,
    /// The signature that gives the kind of the map.
    Signature,
    /// The map was the wrapper of a dynamic value, and is passed.
    Wrapper,
}

impl<'a> Walk<'_, 'a> {
    fn run(&mut self) -> Result<(), Odd> {
        loop {
            let place = std::mem::replace(&mut self.frame.place, Where::Later);
            let (key, path) = if self.frame.is_map {
                if let Some(child) = self.guessed(place)? {
                    (Key::Plain, child)
                } else if let Some(key) = self.cursor.key(place)? {
                    self.key(key, place)?
                } else {
                    if self.close() {
                        return Ok(());
                    }
                    continue;
                }
            } else {
                if !self.cursor.item(place)? {
                    if self.close() {
                        return Ok(());
                    }
                    continue;
                }
                self.frame.n_entries += 1;
                let trie = self.indexer.trie();
                let item = trie.item(self.frame.node);
                trie.see(item);
                (Key::Plain, item)
            };
            if key == Key::Wrapper {
                // The top is not plain: it has a container around it.
                self.close();
                continue;
            }
            let start = self.cursor.start();
            match self.cursor.value()? {
                Met::String(raw) => self.string(raw, key)?,
                Met::Null if key == Key::Id => {}
                _ if matches!(key, Key::Signature | Key::Id) => return Err(Odd),
                met @ (Met::Map | Met::Array) => self.open(path, start, met == Met::Map)?,
                Met::Null | Met::Bool(_) | Met::Number => {}
            }
        }
    }

    fn open(&mut self, path: u32, start: usize, is_map: bool) -> Result<(), Odd> {
        if self.outer.len() + 1 + N_AROUND >= MAX_DEPTH {
            return Err(Odd);
        }
        let mut frame = Frame::new(path, start, is_map);
        if self.dialect == Dialect::Plain {
            frame.indexes = self.frame.indexes_below();
        }
        self.outer.push(std::mem::replace(&mut self.frame, frame));
        Ok(())
    }

    /// Goes on in the container around the current array or map. True if there is none.
    fn close(&mut self) -> bool {
        let Some(around) = self.outer.pop() else {
            return true;
        };
        let closed = std::mem::replace(&mut self.frame, around);
        if self.dialect == Dialect::Plain {
            let containers = &mut self.seen.containers;
            if containers.is_empty() {
                containers.reserve(N_CONTAINERS);
            }
            containers.push(Container {
                node: closed.node,
                place: closed.indexes,
                n_items: (!closed.is_map).then_some(closed.n_entries),
                is_empty: false,
            });
        }
        false
    }

    /// Passes the next key if it is the one that is likely in this place, and returns its path.
    #[inline]
    fn guessed(&mut self, place: Where) -> Result<Option<u32>, Odd> {
        let (node, before) = (self.frame.node, self.frame.last_key);
        let trie = self.indexer.trie();
        let Some((child, key)) = trie.guess(node, before) else {
            return Ok(None);
        };
        if !self.cursor.passes_key(place, key) {
            return Ok(None);
        }
        self.frame.last_key = child;
        if trie.see_key(child, self.frame.start) {
            return Err(Odd);
        }
        Ok(Some(child))
    }

    /// Takes a key. Returns its meaning and the path of its value.
    fn key(&mut self, raw: &[u8], place: Where) -> Result<(Key, u32), Odd> {
        let is_top = self.outer.is_empty();
        let (node, before) = (self.frame.node, self.frame.last_key);
        let key = Str::of_raw(raw).decode();
        if self.dialect == Dialect::Pulumi && *key == *wire::SIGNATURE.as_bytes() {
            // Engines sort the keys, and nothing sorts before it. Earlier keys would have to be forgotten.
            return match place {
                Where::First => Ok((Key::Signature, node)),
                Where::Later => Err(Odd),
            };
        }
        if self.dialect == Dialect::Pulumi
            && is_top
            && *key == *wire::SECRET_OUTPUT_NAMES.as_bytes()
        {
            return Err(Odd);
        }
        let may_wrap = self.dialect == Dialect::State
            && place == Where::First
            && !is_top
            && matches!(&*key, b"value" | b"type");
        if may_wrap && self.dynamic(&key)? {
            return Ok((Key::Wrapper, node));
        }
        let trie = self.indexer.trie();
        let child = trie.child(node, &key);
        let is_any = trie.is_any(child);
        let is_repeated = trie.see_key(child, self.frame.start);
        if is_any {
            self.check_keys(&key)?;
        } else if is_repeated {
            return Err(Odd);
        }
        self.frame.last_key = child;
        if is_top && *key == *b"id" {
            return Ok((Key::Id, child));
        }
        if !may_wrap && !is_any {
            self.indexer.trie().expect(node, before, child);
        }
        Ok((Key::Plain, child))
    }

    /// Checks that the current map does not give `key` twice, if it has so many keys that they fold.
    fn check_keys(&mut self, key: &[u8]) -> Result<(), Odd> {
        if self.frame.is_checked {
            return Ok(());
        }
        let folded = (self.frame.start, self.indexer.hash_of(key));
        // Two keys with the same hash count as one: the slow path looks closer.
        if self.folded.contains(&folded) {
            return Err(Odd);
        }
        self.folded.push(folded);
        if self.folded.len() > MAX_FOLDED {
            if repeats::any_in(self.cursor.text(), self.frame.start)? {
                return Err(Odd);
            }
            self.frame.is_checked = true;
        }
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
            if wire::may_be_signed(raw) {
                return Err(Odd);
            }
        }
        Ok(())
    }

    /// Handles a map with a signature, which represents something else. Secrets, assets and references have no properties below
    /// them. Any other signature is odd, and so is everything that cannot be decoded.
    fn signature(&mut self, raw: &[u8]) -> Result<(), Odd> {
        let is = |signature: &str| raw == signature.as_bytes();
        if self.outer.is_empty() {
            return Err(Odd);
        }
        if is(wire::SECRET) {
            self.seen.secrets += 1;
            if let [top] = self.outer.as_slice()
                && top.is_map
            {
                self.seen.secret_tops.push(self.frame.node);
            }
        } else if is(wire::ASSET) || is(wire::REFERENCE) {
            let form = built(self.cursor.text(), self.frame.start, Numbers::Double)?;
            let value = wire::decode_state_leniently(&form, None);
            if value.has_secrets() {
                return Err(Odd);
            }
            if let Payload::Reference(reference) = value.payload() {
                self.indexer.reference(&reference.urn.to_str_lossy());
            }
        } else {
            return Err(Odd);
        }
        self.cursor.skip_rest_of_map()?;
        let text = self.cursor.text();
        if repeats::any_below(text, self.frame.start)? {
            return Err(Odd);
        }
        if is(wire::SECRET) {
            self.seen
                .hidden
                .extend(text.get(self.frame.start..self.cursor.start()));
        }
        self.close();
        Ok(())
    }

    /// Reads a map that begins like the wrapper of a dynamic value, with the key `first`. True if it was one, and is passed.
    fn dynamic(&mut self, first: &[u8]) -> Result<bool, Odd> {
        // Many maps have a type or a value among other keys.
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
        let Some((inner, _)) = value.as_map().and_then(cty_json::wrapped) else {
            return Ok(false);
        };
        self.indexer.paths_below(self.frame.node, &inner);
        self.cursor.skip()?;
        self.cursor.skip_rest_of_map()?;
        Ok(true)
    }
}
