//! 64 bytes of JSON text at once: for each question a word with one bit for each byte.

#![expect(
    clippy::inline_always,
    reason = "a block is to stay in registers: it is the innermost loop of all reading"
)]

use wide::i8x16;

/// How many bytes a block has.
pub(crate) const LEN: usize = 64;

/// A block of bytes.
pub(crate) struct Block([i8x16; LEN / 16]);

impl Block {
    /// The block of these bytes.
    #[inline(always)]
    pub(crate) fn new(bytes: &[u8; LEN]) -> Self {
        let mut lanes = [i8x16::ZERO; LEN / 16];
        for (lane, bytes) in lanes.iter_mut().zip(bytes.chunks_exact(16)) {
            let mut signed = [0_i8; 16];
            for (to, from) in signed.iter_mut().zip(bytes) {
                *to = from.cast_signed();
            }
            *lane = i8x16::new(signed);
        }
        Self(lanes)
    }

    /// Which bytes are `byte`.
    #[inline(always)]
    pub(crate) fn equal(&self, byte: u8) -> u64 {
        self.bits(|lane| equal(lane, byte))
    }

    /// Which bytes are `{` or `[`.
    #[inline(always)]
    pub(crate) fn opens(&self) -> u64 {
        self.bits(|lane| equal(fold(lane), b'{'))
    }

    /// Which bytes are `}` or `]`.
    #[inline(always)]
    pub(crate) fn closes(&self) -> u64 {
        self.bits(|lane| equal(fold(lane), b'}'))
    }

    #[inline(always)]
    fn bits(&self, question: impl Fn(i8x16) -> i8x16) -> u64 {
        let mut bits = 0;
        for (index, lane) in self.0.iter().enumerate() {
            bits |= u64::from(question(*lane).to_bitmask()) << (16 * index);
        }
        bits
    }
}

/// `[` and `{`, `]` and `}` differ in this bit only, and no other byte becomes one of them that means something in JSON.
fn fold(lane: i8x16) -> i8x16 {
    lane | i8x16::splat(0x20)
}

fn equal(lane: i8x16, byte: u8) -> i8x16 {
    lane.simd_eq(i8x16::splat(byte.cast_signed()))
}

/// Which part of a block counts: the bytes from one on, up to another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    from: u32,
    to: u32,
}

impl Part {
    /// All of a block.
    pub(crate) const ALL: Self = Self {
        from: 0,
        to: u64::BITS,
    };

    /// The bytes from `from` on, up to `to`; at least one.
    pub(crate) fn new(from: usize, to: usize) -> Self {
        debug_assert!(from < to && to <= LEN);
        let bit = |at: usize| u32::try_from(at.min(LEN)).unwrap_or(u64::BITS);
        Self {
            from: bit(from),
            to: bit(to),
        }
    }

    /// A bit for each byte that counts.
    #[inline(always)]
    pub(crate) fn bits(self) -> u64 {
        (!0 << self.from) & (!0 >> (u64::BITS - self.to))
    }
}

/// What the bytes so far say of the next one.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Strings {
    /// Whether the next byte is in a string.
    inside: bool,
    /// Whether the last byte was a backslash that takes the meaning of the next.
    escaped: bool,
}

/// What is known of the bytes of a block; bits of bytes that do not count are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Marks {
    /// The quotes that begin or end a string.
    pub(crate) quotes: u64,
    /// The bytes in a string: its opening quote is, its closing quote not.
    pub(crate) inside: u64,
    /// The bytes other than quotes that a backslash in front of them takes the meaning of.
    pub(crate) escaped: u64,
}

impl Strings {
    /// Goes on behind the bytes so far with those of `block` that count.
    #[inline(always)]
    pub(crate) fn marks(&mut self, block: &Block, part: Part) -> Marks {
        let counts = part.bits();
        let escaped = self.escaped(block.equal(b'\\') & counts, part) & counts;
        let all_quotes = block.equal(b'"') & counts;
        let quotes = all_quotes & !escaped;
        let mut inside = prefix_xor(quotes);
        if self.inside {
            inside = !inside;
        }
        self.inside = inside >> 63 == 1;
        Marks {
            quotes,
            inside: inside & counts,
            escaped: escaped & !all_quotes,
        }
    }

    /// The bytes that a backslash in front of them takes the meaning of: those behind an odd number of them.
    ///
    /// # Source
    ///
    /// Langdale and Lemire, Parsing Gigabytes of JSON per Second, 3.1.1: adding the starts of runs carries to their ends.
    #[inline(always)]
    fn escaped(&mut self, backslashes: u64, part: Part) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let first = u64::from(self.escaped) << part.from;
        if backslashes == 0 {
            self.escaped = false;
            return first;
        }
        let backslashes = backslashes & !first;
        let behind = backslashes << 1 | first;
        let odd_starts = backslashes & !EVEN & !behind;
        let (even_runs, overflow) = odd_starts.overflowing_add(backslashes);
        let escaped = (EVEN ^ (even_runs << 1)) & behind | first;
        self.escaped = overflow || escaped.checked_shr(part.to).unwrap_or(0) & 1 == 1;
        escaped
    }
}

/// Each bit becomes the parity of itself and all bits below.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}
