//! The scanner: finds the repeated elements of a JSON file while the file streams by.
//!
//! A format gives the positions of its elements with an [`Outline`]: a small automaton over keys. The scanner follows the keys
//! on the way to the elements token by token, and passes over everything else at the speed of [`super::skip`]. Everything that
//! is neither an element nor left out is kept. It makes a JSON text without the elements, the *rest* of the file: the header.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::skip::{Skip, string_end};
use crate::json::tape::Tape;
use crate::stack::Span;

/// The position of the scanner in the outline, as a number that the format defines; 0 is the top of the file.
pub(crate) type OutlineState = u8;

/// The sort of an element, as a number that the format defines.
pub(crate) type Role = u8;

/// The action for a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// Look inside; anything but an array or map is kept.
    Enter(OutlineState),
    /// It is an element.
    Element(Role),
    /// It belongs to the rest.
    Keep,
    /// Leave it out.
    Skip,
}

/// Decides at a place about the value of a key, or about an element of an array (`None`).
pub(crate) type Outline = fn(OutlineState, Option<&str>) -> Next;

/// The keys on the way to an element; "" for each array that was entered.
pub(crate) type Trail = Arc<[Arc<str>]>;

/// An element that was found.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Its sort.
    pub(crate) role: Role,
    /// Byte offset in the file of its first byte.
    pub(crate) start: u64,
    /// Byte offset in the file of its end.
    pub(crate) end: u64,
    /// The keys on the way to it, its own key included.
    pub(crate) trail: Trail,
}

impl Element {
    /// An element that is assembled, or that is the whole of its file.
    pub(crate) fn at(span: Span) -> Self {
        Self {
            role: 0,
            start: span.offset,
            end: span.offset + u64::from(span.len),
            trail: Trail::default(),
        }
    }
}

/// A syntax error in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ScanError {
    /// Byte offset from the start of the file.
    pub(crate) offset: u64,
    /// The tokens that are valid there.
    pub(crate) expected: &'static str,
    /// The byte that was found; `None` at the end of the file.
    pub(crate) found: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// A value, at the top.
    Top,
    /// A key or `}`.
    FirstKey,
    /// A key.
    Key,
    /// An element or `]`.
    FirstItem,
    /// An element.
    Item,
    /// A comma or the closing bracket.
    After,
    /// Nothing but white space.
    Done,
}

#[derive(Debug)]
struct Frame {
    place: OutlineState,
    is_map: bool,
    /// The key that led here.
    key: Arc<str>,
    trail: Option<Trail>,
    /// True if the rest has an entry in this container.
    in_rest: bool,
    /// The keys of this map that led to elements.
    entered: BTreeSet<Arc<str>>,
}

/// A value that is being passed over.
#[derive(Debug)]
struct Passing {
    next: Next,
    skip: Skip,
    start: u64,
    key: Option<Arc<str>>,
}

/// A scanner at a place of a file, with the elements found so far.
#[derive(Debug)]
pub(crate) struct Scanner {
    outline: Outline,
    frames: Vec<Frame>,
    state: State,
    passing: Option<Passing>,
    /// Byte offset in the file at which to go on.
    at: u64,
    rest: Vec<u8>,
    error: Option<ScanError>,
    /// The first key that led to elements and came again.
    repeated: Option<Arc<str>>,
}

/// The reason why a step cannot be made.
enum Stop {
    /// More bytes are needed, from this index on.
    More(usize),
    /// The text is wrong at this index.
    Wrong(usize, &'static str),
}

impl Scanner {
    /// Begins at byte `start` of a file.
    pub(crate) fn new(outline: Outline, start: u64) -> Self {
        Self {
            outline,
            frames: Vec::new(),
            state: State::Top,
            passing: None,
            at: start,
            rest: Vec::new(),
            error: None,
            repeated: None,
        }
    }

    /// The first repeated key among those that lead to elements. The elements of both occurrences are found.
    pub(crate) fn repeated(&self) -> Option<Arc<str>> {
        self.repeated.clone()
    }

    /// Goes on in `bytes`, which begin at byte `base` of the file and hold everything from the offset that was returned last.
    /// Elements that end in `bytes` are added to `found`. The quotes in them are added to `tape`, which belongs to `bytes` and
    /// keeps its entries for bytes that are given again. Returns the offset from which on bytes are needed again.
    pub(crate) fn feed(
        &mut self,
        bytes: &[u8],
        base: u64,
        found: &mut Vec<Element>,
        tape: &mut Tape,
    ) -> u64 {
        let mut at = index(self.at, base).min(bytes.len());
        tape.reserve(bytes.len());
        let needed = loop {
            if self.error.is_some() || self.state == State::Done {
                break at;
            }
            let step = if self.passing.is_some() {
                self.pass(bytes, base, &mut at, found, tape)
            } else {
                self.step(bytes, base, &mut at)
            };
            match step {
                Ok(()) => {}
                Err(Stop::More(needed)) => break needed,
                Err(Stop::Wrong(wrong, expected)) => {
                    self.error = Some(ScanError {
                        offset: base + wrong as u64,
                        expected,
                        found: bytes.get(wrong).copied(),
                    });
                }
            }
        };
        self.at = base + at as u64;
        base + needed as u64
    }

    /// Takes the end of the file, whose last bytes (from the offset returned last) are `bytes`. Returns the rest of the file as
    /// JSON text, and the error if the file is cut off or invalid.
    pub(crate) fn finish(
        mut self,
        bytes: &[u8],
        base: u64,
        found: &mut Vec<Element>,
    ) -> (Vec<u8>, Option<ScanError>) {
        let end = base + bytes.len() as u64;
        if self.error.is_none()
            && self.frames.is_empty()
            && let Some(passing) = self.passing.take_if(|passing| passing.skip.ends_at_end())
        {
            self.passed(&passing, bytes, base, end, found);
            self.state = State::Done;
        }
        if self.error.is_none() && self.state != State::Done {
            let expected = match &self.passing {
                Some(_) => "the rest of a value",
                None if self.state == State::Top => "a value",
                None if self.frames.last().is_some_and(|frame| frame.is_map) => "`}`",
                None => "`]`",
            };
            self.error = Some(ScanError {
                offset: end,
                expected,
                found: None,
            });
        }
        while let Some(frame) = self.frames.pop() {
            self.rest.push(if frame.is_map { b'}' } else { b']' });
        }
        (self.rest, self.error)
    }

    /// True if nothing more can come: the value is complete, or the text is invalid.
    pub(crate) fn is_done(&self) -> bool {
        self.error.is_some() || self.state == State::Done
    }

    /// True if the text is invalid.
    pub(crate) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// The rest of the file as far as it was read, as JSON text.
    pub(crate) fn rest_so_far(&self) -> Vec<u8> {
        let mut rest = self.rest.clone();
        let closing = |frame: &Frame| if frame.is_map { b'}' } else { b']' };
        rest.extend(self.frames.iter().rev().map(closing));
        rest
    }

    /// Byte offset of the end of the value at the top; only meaningful once that value has ended.
    pub(crate) fn offset(&self) -> u64 {
        self.at
    }

    fn pass(
        &mut self,
        bytes: &[u8],
        base: u64,
        at: &mut usize,
        found: &mut Vec<Element>,
        tape: &mut Tape,
    ) -> Result<(), Stop> {
        let Some(mut passing) = self.passing.take() else {
            return Ok(());
        };
        let Some(end) = passing.skip.run(bytes, *at, tape) else {
            *at = bytes.len();
            let needed = if passing.next == Next::Skip {
                bytes.len()
            } else {
                index(passing.start, base)
            };
            self.passing = Some(passing);
            return Err(Stop::More(needed));
        };
        *at = end;
        self.passed(&passing, bytes, base, base + end as u64, found);
        self.state = if self.frames.is_empty() {
            State::Done
        } else {
            State::After
        };
        Ok(())
    }

    fn passed(
        &mut self,
        passing: &Passing,
        bytes: &[u8],
        base: u64,
        end: u64,
        found: &mut Vec<Element>,
    ) {
        match passing.next {
            Next::Element(role) => {
                let trail = self.trail(passing.key.as_ref());
                found.push(Element {
                    role,
                    start: passing.start,
                    end,
                    trail,
                });
            }
            Next::Keep | Next::Enter(_) => {
                self.write_key(passing.key.as_ref());
                let range = index(passing.start, base)..index(end, base);
                self.rest
                    .extend_from_slice(bytes.get(range).unwrap_or_default());
            }
            Next::Skip => {}
        }
    }

    /// The trail to an element with this key in the innermost frame.
    fn trail(&mut self, key: Option<&Arc<str>>) -> Trail {
        let keys = |frames: &[Frame]| -> Vec<Arc<str>> {
            frames
                .iter()
                .skip(1)
                .map(|frame| frame.key.clone())
                .collect()
        };
        if let Some(key) = key {
            let mut keys = keys(&self.frames);
            keys.push(key.clone());
            return keys.into();
        }
        if let Some(trail) = self.frames.last().and_then(|frame| frame.trail.clone()) {
            return trail;
        }
        let trail: Trail = keys(&self.frames).into();
        if let Some(frame) = self.frames.last_mut() {
            frame.trail = Some(trail.clone());
        }
        trail
    }

    /// One token at a place that was entered.
    fn step(&mut self, bytes: &[u8], base: u64, at: &mut usize) -> Result<(), Stop> {
        let start = skip_space(bytes, *at);
        let Some(byte) = bytes.get(start) else {
            *at = bytes.len();
            return Err(Stop::More(bytes.len()));
        };
        *at = start;
        match (self.state, byte) {
            (State::After, b',') => {
                *at += 1;
                let is_map = self.frames.last().is_some_and(|frame| frame.is_map);
                self.state = if is_map { State::Key } else { State::Item };
                Ok(())
            }
            (State::After | State::FirstKey, b'}') if self.innermost() == Some(true) => {
                *at += 1;
                self.close(b'}');
                Ok(())
            }
            (State::After | State::FirstItem, b']') if self.innermost() == Some(false) => {
                *at += 1;
                self.close(b']');
                Ok(())
            }
            (State::Key | State::FirstKey, b'"') => self.member(bytes, base, at),
            (State::Top | State::Item | State::FirstItem, _) => self.value(None, bytes, base, at),
            (State::Key, _) => Err(Stop::Wrong(start, "a key")),
            (State::FirstKey, _) => Err(Stop::Wrong(start, "a key or `}`")),
            (State::After, _) if self.innermost() == Some(true) => {
                Err(Stop::Wrong(start, "`,` or `}`"))
            }
            (State::After, _) => Err(Stop::Wrong(start, "`,` or `]`")),
            (State::Done, _) => Err(Stop::Wrong(start, "the end of the file")),
        }
    }

    fn innermost(&self) -> Option<bool> {
        self.frames.last().map(|frame| frame.is_map)
    }

    /// Reads a key, its colon and the first byte of its value: all of them or nothing.
    fn member(&mut self, bytes: &[u8], base: u64, at: &mut usize) -> Result<(), Stop> {
        let start = *at;
        let Some(end) = string_end(bytes, start + 1) else {
            return Err(Stop::More(start));
        };
        let colon = skip_space(bytes, end);
        match bytes.get(colon) {
            None => return Err(Stop::More(start)),
            Some(b':') => {}
            Some(_) => return Err(Stop::Wrong(colon, "`:`")),
        }
        let value = skip_space(bytes, colon + 1);
        if value == bytes.len() {
            return Err(Stop::More(start));
        }
        let key = match crate::json::Reader::at(&bytes[..end], start).next() {
            Ok(Some(crate::json::Token::String(text))) => text.decode_lossy(),
            _ => return Err(Stop::Wrong(start, "a key")),
        };
        *at = value;
        self.value(Some(key.as_ref().into()), bytes, base, at)
    }

    fn value(
        &mut self,
        key: Option<Arc<str>>,
        bytes: &[u8],
        base: u64,
        at: &mut usize,
    ) -> Result<(), Stop> {
        let first = bytes[*at];
        if matches!(first, b',' | b':' | b'}' | b']') {
            return Err(Stop::Wrong(*at, "a value"));
        }
        if !matches!(
            first,
            b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'
        ) {
            return Err(Stop::Wrong(*at, "a value"));
        }
        let next = match self.frames.last() {
            None => Next::Enter(0),
            Some(frame) => (self.outline)(frame.place, key.as_deref()),
        };
        if let (Next::Enter(place), b'{' | b'[') = (next, first) {
            if let (Some(key), Some(frame)) = (&key, self.frames.last_mut())
                && !frame.entered.insert(key.clone())
            {
                self.repeated.get_or_insert_with(|| key.clone());
            }
            self.write_key(key.as_ref());
            self.rest.push(first);
            let is_map = first == b'{';
            self.frames.push(Frame {
                place,
                is_map,
                key: key.unwrap_or_default(),
                trail: None,
                in_rest: false,
                entered: BTreeSet::new(),
            });
            self.state = if is_map {
                State::FirstKey
            } else {
                State::FirstItem
            };
            *at += 1;
            return Ok(());
        }
        self.passing = Some(Passing {
            next,
            skip: Skip::new(first),
            start: base + *at as u64,
            key,
        });
        // The first quote opens a string; a bracket is counted by the skipper itself.
        *at += usize::from(first == b'"');
        Ok(())
    }

    fn close(&mut self, bracket: u8) {
        self.rest.push(bracket);
        self.frames.pop();
        self.state = if self.frames.is_empty() {
            State::Done
        } else {
            State::After
        };
    }

    fn write_key(&mut self, key: Option<&Arc<str>>) {
        if let Some(frame) = self.frames.last_mut() {
            if frame.in_rest {
                self.rest.push(b',');
            }
            frame.in_rest = true;
        }
        if let Some(key) = key {
            let mut quoted = String::new();
            crate::json::write_string(&mut quoted, key).expect("a string can be written to");
            self.rest.extend_from_slice(quoted.as_bytes());
            self.rest.push(b':');
        }
    }
}

fn index(offset: u64, base: u64) -> usize {
    usize::try_from(offset.saturating_sub(base)).unwrap_or(usize::MAX)
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}
