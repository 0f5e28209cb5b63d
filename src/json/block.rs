//! 64 bytes of JSON text at once: for each question a word with one bit for each byte.

use wide::i8x16;

/// How many bytes a block has.
pub(crate) const LEN: usize = 64;

/// A block of bytes.
pub(crate) struct Block([i8x16; LEN / 16]);

impl Block {
    /// The block of these bytes.
    #[inline]
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
    #[inline]
    pub(crate) fn equal(&self, byte: u8) -> u64 {
        self.bits(|lane| equal(lane, byte))
    }

    /// Which bytes are `{` or `[`.
    #[inline]
    pub(crate) fn opens(&self) -> u64 {
        self.bits(|lane| equal(fold(lane), b'{'))
    }

    /// Which bytes are `}` or `]`.
    #[inline]
    pub(crate) fn closes(&self) -> u64 {
        self.bits(|lane| equal(fold(lane), b'}'))
    }

    #[inline]
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

/// What the blocks so far say of the next one.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Strings {
    /// Whether the next byte is in a string.
    pub(crate) inside: bool,
    /// Whether the last byte was a backslash that takes the meaning of the next.
    pub(crate) escaped: bool,
}

impl Strings {
    /// Which bytes of the next block are in a string: its opening quote is, its closing quote not.
    #[inline]
    pub(crate) fn inside(&mut self, block: &Block) -> u64 {
        let escaped = self.escaped(block.equal(b'\\'));
        let quotes = block.equal(b'"') & !escaped;
        let mut inside = prefix_xor(quotes);
        if self.inside {
            inside = !inside;
        }
        self.inside = inside >> 63 == 1;
        inside
    }

    /// The bytes that a backslash in front of them takes the meaning of: those behind an odd number of them.
    ///
    /// # Source
    ///
    /// Langdale and Lemire, Parsing Gigabytes of JSON per Second, 3.1.1: adding the starts of runs carries to their ends.
    #[inline]
    pub(crate) fn escaped(&mut self, backslashes: u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let first = u64::from(self.escaped);
        if backslashes == 0 {
            self.escaped = false;
            return first;
        }
        let backslashes = backslashes & !first;
        let behind = backslashes << 1 | first;
        let odd_starts = backslashes & !EVEN & !behind;
        let (even_runs, overflow) = odd_starts.overflowing_add(backslashes);
        self.escaped = overflow;
        (EVEN ^ (even_runs << 1)) & behind
    }
}

/// Each bit becomes the parity of itself and all bits below.
#[inline]
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}
