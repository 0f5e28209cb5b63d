//! Stretches: learned texts between two plain values, so that they need not be read again.
//!
//! The resources of a file are much alike: nearly everywhere the same `,\n    "bucket": "`, to the last space, follows the
//! value of `arn`. A stretch is such a text with its meaning: the arrays and maps that it closes and opens, and the keys that
//! it gives. After the same path the same bytes always have the same meaning. So one comparison replaces the search for quotes,
//! colons and keys.
//!
//! # Law
//!
//! Walking with stretches finds the same as walking without them. Therefore a stretch is found only after the path after which
//! it was learned, which determines the nodes of all open containers. The open arrays and maps must also be of the kinds that
//! the stretch closes and goes on in. Nothing is learned of keys that need a closer look.

use hashbrown::HashTable;

use crate::index::hash::Hasher;

/// An instruction of a stretch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Leaves the current array or map.
    Close,
    /// Gives a key of the current map, whose value has this path.
    Key(u32),
    /// Goes to the next element of the current array; all have this path.
    Item(u32),
    /// Goes into the value of the path given last, an array or map.
    Open {
        /// True for a map.
        is_map: bool,
        /// Its first byte, from the start of the stretch.
        offset: u16,
    },
}

/// After no path: nothing is known there.
pub(super) const NOWHERE: u32 = 0;

/// Number of stretches that are tried after a path.
const WAYS: usize = 4;

/// Number of slots for paths after which stretches are kept.
const N_SLOTS: usize = 1 << 12;

/// Maximum number of stretches that are kept.
const MAX_KNOWN: usize = 1 << 14;

/// Maximum length of a stretch in bytes.
const MAX_LEN: usize = 512;

/// Maximum number of parts of a stretch.
const MAX_PARTS: usize = 16;

/// Maximum number of containers already open before a stretch that it looks at.
pub(super) const MAX_KINDS: usize = 8;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The path of the value before it.
    from: u32,
    /// The path of the value after it.
    pub(super) to: u32,
    text: u32,
    parts: u32,
    len: u16,
    n_parts: u8,
    /// Number of open arrays and maps that have to be of certain kinds, from the innermost outwards.
    pub(super) n_kinds: u8,
    /// Their kinds: a bit for each, set for a map.
    pub(super) kinds: u8,
    /// The sort of value after it.
    pub(super) end: End,
}

/// The sort of value that a stretch leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// A string, whose opening quote belongs to it.
    String,
    /// A plain value other than a string.
    Plain,
    /// A map with many keys, none of which is likely: its opening bracket belongs to the stretch.
    Many,
}

impl Stretch {
    /// Its length in bytes.
    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }
}

/// A stretch that is being walked for the first time.
#[derive(Default, Debug)]
pub(super) struct Draft {
    start: usize,
    parts: Vec<Part>,
    kinds: u8,
    n_kinds: usize,
    /// Number of the open containers that it opened itself.
    n_own: usize,
    is_odd: bool,
}

impl Draft {
    /// Begins at `start`, in an array or map.
    pub(super) fn begin(&mut self, start: usize, in_map: bool) {
        self.start = start;
        self.parts.clear();
        self.kinds = u8::from(in_map);
        self.n_kinds = 1;
        self.n_own = 0;
        self.is_odd = false;
    }

    /// Marks the stretch as having something that needs a closer look each time.
    pub(super) fn is_odd(&mut self) {
        self.is_odd = true;
    }

    /// Adds a part that gives a key or goes to an element.
    pub(super) fn part(&mut self, part: Part) {
        self.parts.push(part);
    }

    /// Adds a part that opens an array or map at `start`.
    pub(super) fn open(&mut self, is_map: bool, start: usize) {
        let offset = u16::try_from(start - self.start);
        self.is_odd |= offset.is_err();
        let offset = offset.unwrap_or_default();
        self.parts.push(Part::Open { is_map, offset });
        self.n_own += 1;
    }

    /// Adds a part that leaves an array or map and goes on in the container around it.
    pub(super) fn close(&mut self, into_map: bool) {
        self.parts.push(Part::Close);
        if self.n_own > 0 {
            self.n_own -= 1;
            return;
        }
        if self.n_kinds < MAX_KINDS {
            self.kinds |= u8::from(into_map) << self.n_kinds;
        }
        self.n_kinds += 1;
    }
}

/// A candidate for the next stretch, with a tag that rules out most of the wrong ones at once.
#[derive(Clone, Copy, Default, Debug)]
struct Way {
    /// Its number; 0 for no stretch.
    number: u16,
    len: u16,
    /// The result of [`tag_of`] for its text.
    tag: u32,
}

/// The stretches that a worker knows.
#[derive(Debug)]
pub(crate) struct Stretches {
    hasher: Hasher,
    /// For a path in a resource of a type: the stretches that were met last, the latest first.
    slots: Box<[[Way; WAYS]]>,
    /// By number; number 0 has no meaning.
    known: Vec<Stretch>,
    texts: Vec<u8>,
    parts: Vec<Part>,
    /// The numbers of the stretches, by their contents.
    index: HashTable<u16>,
    /// The contribution of the current resource's type to the choice of slots.
    context: u32,
    pub(super) draft: Draft,
}

impl Stretches {
    /// No stretches yet.
    pub(crate) fn new(hasher: Hasher) -> Self {
        let nothing = Stretch {
            from: 0,
            to: 0,
            text: 0,
            parts: 0,
            len: 0,
            n_parts: 0,
            n_kinds: 0,
            kinds: 0,
            end: End::Plain,
        };
        Self {
            hasher,
            slots: vec![[Way::default(); WAYS]; N_SLOTS].into(),
            known: vec![nothing],
            texts: Vec::new(),
            parts: Vec::new(),
            index: HashTable::new(),
            context: 0,
            draft: Draft::default(),
        }
    }

    /// Sets the type of the resource whose properties come next: the likely stretches depend on it.
    pub(crate) fn expect(&mut self, ty: &str) {
        self.context = u32::try_from(self.hasher.hash(ty.as_bytes()) >> 32).unwrap_or_default();
    }

    /// The stretch at `at` of `text`, after the value of the path `from`, if it is known and `fits` the open containers.
    #[inline]
    pub(super) fn find(
        &mut self,
        from: u32,
        text: &[u8],
        at: usize,
        fits: impl Fn(&Stretch) -> bool,
    ) -> Option<Stretch> {
        let slot = self.slot(from);
        let rest = text.get(at..)?;
        for way in 0..WAYS {
            let Way { number, len, tag } = self.slots[slot][way];
            if number == 0 {
                break;
            }
            if tag_of(rest, usize::from(len)) != Some(tag) {
                continue;
            }
            let stretch = self.known[usize::from(number)];
            let own = self.text(&stretch);
            if stretch.from == from
                && rest.starts_with(own)
                && (stretch.end != End::Plain || is_plain(rest.get(own.len())))
                && fits(&stretch)
            {
                if way > 0 {
                    self.slots[slot].swap(way - 1, way);
                }
                return Some(stretch);
            }
        }
        None
    }

    /// The part of a stretch with this index; `None` after the last one.
    #[inline]
    pub(super) fn part(&self, stretch: &Stretch, index: usize) -> Option<Part> {
        if index >= usize::from(stretch.n_parts) {
            return None;
        }
        self.parts.get(stretch.parts as usize + index).copied()
    }

    /// Learns the stretch that was drafted. It follows the value of the path `from`, reaches to `end` of `text`, and the value
    /// of the path `to` follows it.
    pub(super) fn learn(&mut self, from: u32, to: u32, text: &[u8], end: usize, ends_at: End) {
        let draft = &self.draft;
        let (Some(own), Ok(n_parts), Ok(n_kinds)) = (
            text.get(draft.start..end),
            u8::try_from(draft.parts.len()),
            u8::try_from(draft.n_kinds),
        ) else {
            return;
        };
        let is_odd = draft.is_odd
            || from == NOWHERE
            || own.len() > MAX_LEN
            || draft.parts.len() > MAX_PARTS
            || draft.n_kinds > MAX_KINDS;
        if is_odd {
            return;
        }
        let hasher = self.hasher;
        let hash = |from: u32, own: &[u8]| hasher.hash(own) ^ u64::from(from).rotate_left(40);
        let known = self.index.find(hash(from, own), |number| {
            let other = &self.known[usize::from(*number)];
            other.from == from && other.end == ends_at && self.text(other) == own
        });
        let number = if let Some(number) = known {
            *number
        } else {
            if self.known.len() >= MAX_KNOWN {
                return;
            }
            let at = |len: usize| u32::try_from(len).unwrap_or_default();
            let number = u16::try_from(self.known.len()).unwrap_or_default();
            let len = u16::try_from(own.len()).unwrap_or_default();
            self.known.push(Stretch {
                from,
                to,
                text: at(self.texts.len()),
                parts: at(self.parts.len()),
                len,
                n_parts,
                n_kinds,
                kinds: draft.kinds,
                end: ends_at,
            });
            self.texts.extend_from_slice(own);
            self.parts.extend_from_slice(&draft.parts);
            let Self {
                index,
                known,
                texts,
                ..
            } = self;
            index.insert_unique(hash(from, own), number, |other| {
                let other = &known[usize::from(*other)];
                let text = other.text as usize;
                hash(other.from, &texts[text..text + other.len()])
            });
            number
        };
        let slot = self.slot(from);
        let ways = &mut self.slots[slot];
        if ways.iter().all(|way| way.number != number) {
            ways.rotate_right(1);
            ways[0] = Way {
                number,
                len: u16::try_from(own.len()).unwrap_or_default(),
                tag: tag_of(own, own.len()).unwrap_or_default(),
            };
        }
    }

    #[inline]
    fn text(&self, stretch: &Stretch) -> &[u8] {
        let start = stretch.text as usize;
        &self.texts[start..start + stretch.len()]
    }

    #[inline]
    fn slot(&self, from: u32) -> usize {
        let mixed = from.wrapping_mul(0x9e37_79b1) ^ self.context;
        (mixed >> (u32::BITS - N_SLOTS.trailing_zeros())) as usize
    }
}

/// A tag that nearly always differs between stretches of one length: a few bytes of the last key. `None` if `text` is shorter.
#[inline]
fn tag_of(text: &[u8], len: usize) -> Option<u32> {
    // The text between the key and its value is nearly always the same.
    const BEHIND: usize = 4;
    let word = if len >= 8 {
        let start = len.saturating_sub(8 + BEHIND);
        u64::from_le_bytes(*text.get(start..)?.first_chunk()?)
    } else {
        let own = text.get(..len)?.iter();
        own.fold(0, |all, byte| all << 8 | u64::from(*byte))
    };
    #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
    let tag = (word ^ word >> 32) as u32;
    Some(tag)
}

/// True if a plain value other than a string begins with this byte.
#[inline]
fn is_plain(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n'))
}
