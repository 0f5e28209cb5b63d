//! Stretches: what stands between two plain values, learned so that it need not be read again.
//!
//! The resources of a file are much alike: behind the value of `arn` there comes `,\n    "bucket": "` in nearly all that have an
//! `arn`, to the last space. A stretch is such a text with what it means: which arrays and maps it closes and opens, and which keys
//! it gives. Where the same path was left and the same bytes come, it means the same again, and one comparison takes the place of
//! all the looking for quotes, colons and keys.
//!
//! # Law
//!
//! Walking with stretches finds what walking without them does. Therefore a stretch is found only behind the path that it was
//! learned behind, which tells the nodes of all that is open, and only where the arrays and maps at hand are of the kinds that it
//! closes and goes on in; and nothing is learned of keys that need a closer look.

use hashbrown::HashTable;

use crate::index::sheet::Hasher;

/// What a part of a stretch does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Leaves the array or map at hand.
    Close,
    /// Gives a key of the map at hand, whose value has this path.
    Key(u32),
    /// Goes to the next element of the array at hand; all have this path.
    Item(u32),
    /// Goes into the value of the path given last, an array or map.
    Open {
        /// Whether it is a map.
        is_map: bool,
        /// Where it begins, from the start of the stretch.
        offset: u16,
    },
}

/// Behind no path: nothing is known there.
pub(super) const NOWHERE: u32 = 0;

/// How many stretches are tried behind a path.
const WAYS: usize = 4;

/// Behind how many paths stretches are kept.
const N_SLOTS: usize = 1 << 12;

/// How many stretches are kept.
const MAX_KNOWN: usize = 1 << 14;

/// How long a stretch is at most.
const MAX_LEN: usize = 512;

/// How many parts a stretch has at most.
const MAX_PARTS: usize = 16;

/// How many arrays and maps that were open before a stretch looks at at most.
pub(super) const MAX_KINDS: usize = 8;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The path of the value before it.
    from: u32,
    /// The path of the value behind it.
    pub(super) to: u32,
    text: u32,
    parts: u32,
    len: u16,
    n_parts: u8,
    /// How many of the arrays and maps that are open have to be of certain kinds, from the innermost outwards.
    pub(super) n_kinds: u8,
    /// Their kinds: a bit for each, set for a map.
    pub(super) kinds: u8,
    /// What comes behind it.
    pub(super) end: End,
}

/// What a stretch ends at.
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
    /// How many bytes it has.
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
    /// How many of those that are open now it opened itself.
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

    /// It has something that needs a closer look each time.
    pub(super) fn is_odd(&mut self) {
        self.is_odd = true;
    }

    /// It gives a key or goes to an element.
    pub(super) fn part(&mut self, part: Part) {
        self.parts.push(part);
    }

    /// It opens an array or map at `start`.
    pub(super) fn open(&mut self, is_map: bool, start: usize) {
        let offset = u16::try_from(start - self.start);
        self.is_odd |= offset.is_err();
        let offset = offset.unwrap_or_default();
        self.parts.push(Part::Open { is_map, offset });
        self.n_own += 1;
    }

    /// It leaves an array or map and goes on in what is around it.
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

/// A stretch that may come, with what tells at once that it does not.
#[derive(Clone, Copy, Default, Debug)]
struct Way {
    /// Its number; 0 for none.
    number: u16,
    len: u16,
    /// What [`tag`] makes of it.
    tag: u32,
}

/// The stretches that a worker knows.
#[derive(Debug)]
pub(crate) struct Stretches {
    hasher: Hasher,
    /// Behind a path, in a resource of a type: those that were met last, the last first.
    slots: Box<[[Way; WAYS]]>,
    /// By number; that of 0 means nothing.
    known: Vec<Stretch>,
    texts: Vec<u8>,
    parts: Vec<Part>,
    /// The numbers by what stretches are.
    index: HashTable<u16>,
    /// What the type of the resource at hand adds to slots.
    context: u32,
    pub(super) draft: Draft,
}

impl Stretches {
    /// None yet.
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

    /// Says which type the resource has whose properties come next: which stretches are likely depends on it.
    pub(crate) fn expect(&mut self, ty: &str) {
        self.context = u32::try_from(self.hasher.hash(ty.as_bytes()) >> 32).unwrap_or_default();
    }

    /// The stretch that stands at `at` of `text`, behind the value of the path `from`, if it is known and `fits` what is open.
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

    /// What a stretch does, in its order.
    #[inline]
    pub(super) fn part(&self, stretch: &Stretch, index: usize) -> Option<Part> {
        if index >= usize::from(stretch.n_parts) {
            return None;
        }
        self.parts.get(stretch.parts as usize + index).copied()
    }

    /// Learns the stretch that was drafted: it stands behind the value of the path `from`, reaches to `end` of `text`, and behind it
    /// stands the value of the path `to`.
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

/// A number in which different stretches of one length nearly always differ: a few bytes of the last key. `None` if `text` is shorter.
#[inline]
fn tag_of(text: &[u8], len: usize) -> Option<u32> {
    // What stands between the key and its value is nearly always the same.
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

/// Whether a plain value other than a string begins with this byte.
#[inline]
fn is_plain(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n'))
}
