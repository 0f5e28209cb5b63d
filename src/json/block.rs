//! 64 bytes of JSON text at once. Each test gives a word with one bit for each byte.
//!
//! See the users for laws and measurements: [`crate::index::skip`] and [`super::tape`].

#![expect(
    clippy::inline_always,
    reason = "a block must stay in registers: it is the innermost loop of all reading"
)]

use wide::i8x16;

/// Number of bytes in a block.
pub(crate) const LEN: usize = 64;

/// A block of bytes.
pub(crate) struct Block([i8x16; LEN / 16]);

impl Block {
    /// The block with these bytes.
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

    /// Bits of the bytes equal to `byte`.
    #[inline(always)]
    pub(crate) fn equal(&self, byte: u8) -> u64 {
        self.bits(|lane| equal(lane, byte))
    }

    /// Bits of the control characters and of the bytes outside ASCII.
    #[inline(always)]
    pub(crate) fn odd(&self) -> u64 {
        // As signed numbers, bytes outside ASCII are negative.
        self.bits(|lane| lane.simd_lt(i8x16::splat(b' '.cast_signed())))
    }

    /// Bits of the bytes `{` and `[`.
    #[inline(always)]
    pub(crate) fn opens(&self) -> u64 {
        self.bits(|lane| equal(fold(lane), b'{'))
    }

    /// Bits of the bytes `}` and `]`.
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

/// `[` and `{`, and `]` and `}`, differ only in this bit. No other byte with a meaning in JSON maps to one of them.
fn fold(lane: i8x16) -> i8x16 {
    lane | i8x16::splat(0x20)
}

fn equal(lane: i8x16, byte: u8) -> i8x16 {
    lane.simd_eq(i8x16::splat(byte.cast_signed()))
}

/// A range of bytes in a block, the rest of which is ignored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteRange {
    from: u32,
    to: u32,
}

impl ByteRange {
    /// The whole block.
    pub(crate) const ALL: Self = Self {
        from: 0,
        to: u64::BITS,
    };

    /// The bytes from `from` up to `to`, exclusive; at least one.
    pub(crate) fn new(from: usize, to: usize) -> Self {
        debug_assert!(from < to && to <= LEN);
        let bit = |at: usize| u32::try_from(at.min(LEN)).unwrap_or(u64::BITS);
        Self {
            from: bit(from),
            to: bit(to),
        }
    }

    /// Bits of the bytes in the range.
    #[inline(always)]
    pub(crate) fn bits(self) -> u64 {
        (!0 << self.from) & (!0 >> (u64::BITS - self.to))
    }
}

/// The state of string scanning after the bytes so far.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Strings {
    /// True if the next byte is in a string.
    inside: bool,
    /// True if the last byte was a backslash that escapes the next one.
    escaped: bool,
}

/// Bit masks of a block; bits of bytes outside the part are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Marks {
    /// The quotes that begin or end a string.
    pub(crate) quotes: u64,
    /// The bytes in a string, including its opening quote but not its closing quote.
    pub(crate) inside: u64,
    /// The escaped bytes, other than quotes.
    pub(crate) escaped: u64,
    /// The control characters and bytes outside ASCII that are in a string.
    pub(crate) odd: u64,
}

impl Strings {
    /// Continues the scan with the bytes of `block` that are in `part`.
    #[inline(always)]
    pub(crate) fn marks(&mut self, block: &Block, part: ByteRange) -> Marks {
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
            odd: block.odd() & inside & counts,
        }
    }

    /// The escaped bytes: those that follow an odd number of backslashes.
    ///
    /// # Source
    ///
    /// Langdale and Lemire, Parsing Gigabytes of JSON per Second, 3.1.1: adding the starts of runs carries to their ends.
    #[inline(always)]
    fn escaped(&mut self, backslashes: u64, part: ByteRange) -> u64 {
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

/// Sets each bit to the parity of itself and all lower bits.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}
