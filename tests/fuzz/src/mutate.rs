//! Changed inputs, always the same ones for the same seed: bytes flipped, dropped, doubled and swapped, values of JSON
//! replaced, pieces of other inputs spliced in.

/// Makes inputs from seeds.
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    /// The state of a `SplitMix64`.
    state: u64,
}

/// Pieces that replace a value or are inserted anywhere.
const PIECES: &[&str] = &[
    "null",
    "true",
    "false",
    "{}",
    "[]",
    "\"\"",
    "0",
    "-0",
    "-1",
    "1e999999999",
    "1e-999999999",
    "0.1e+1",
    "9007199254740993",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "\"\\ud800\"",
    "\"\\u0000\\u001b[2J\\u202e\"",
    "\"a\\\"b\\\\c\"",
    "\"::\"",
    "\"$\"",
    "\"module.a[\\\"x\\\"].b.c[0]\"",
    "\"urn:pulumi:a::b::c$d:e:F::g\"",
    "[[[[[[[[{}]]]]]]]]",
    "{\"4dabf18193072939515e22adb298388d\":\"1b47061264138c4ac30d75fd1eb44270\",\"value\":1}",
    "{\"a\":1,\"a\":2}",
    "\u{feff}",
    "\n",
    "\r\n",
    "\n<<<<<<< HEAD\n",
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
];

impl Mutator {
    /// The same seeds and the same number give the same inputs. Without seeds it starts from nothing.
    pub fn new(mut seeds: Vec<Vec<u8>>, number: u64) -> Self {
        if seeds.is_empty() {
            seeds.push(Vec::new());
        }
        Self {
            seeds,
            state: number,
        }
    }

    /// The next input.
    pub fn next_input(&mut self) -> Vec<u8> {
        let seed = self.below(self.seeds.len());
        self.next_of(seed)
    }

    /// The next input made of the seed with this number.
    pub fn next_of(&mut self, seed: usize) -> Vec<u8> {
        let mut input = self.seeds[seed].clone();
        for _ in 0..=self.below(4) {
            self.change(&mut input);
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        match self.below(10) {
            0 if !input.is_empty() => {
                let at = self.below(input.len());
                input[at] ^= 1 << self.below(8);
            }
            1 if !input.is_empty() => {
                let at = self.below(input.len());
                input[at] = [0, 1, 0x7f, 0x80, 0xff, b'"', b'\\', b'0'][self.below(8)];
            }
            2 => {
                let at = self.below(input.len() + 1);
                input.truncate(at);
            }
            3 => {
                let range = self.range(input.len());
                input.drain(range);
            }
            4 => {
                let range = self.range(input.len());
                let copy = input[range].to_vec();
                self.insert(input, &copy);
            }
            5 => {
                let other = self.below(self.seeds.len());
                let range = self.range(self.seeds[other].len());
                let copy = self.seeds[other][range].to_vec();
                self.insert(input, &copy);
            }
            6 => {
                let piece = PIECES[self.below(PIECES.len())];
                self.insert(input, piece.as_bytes());
            }
            _ => self.replace_value(input),
        }
    }

    /// Replaces a value of JSON by a piece or by the value of another key. Without a value it drops a range of bytes.
    fn replace_value(&mut self, input: &mut Vec<u8>) {
        let Some(range) = self.value(input) else {
            let range = self.range(input.len());
            input.drain(range);
            return;
        };
        let new = match self.value(input) {
            Some(other) if self.below(3) == 0 => input[other].to_vec(),
            _ => PIECES[self.below(PIECES.len())].as_bytes().to_vec(),
        };
        input.splice(range, new);
    }

    /// The byte range of some value after a colon, found by a rough scan.
    fn value(&mut self, input: &[u8]) -> Option<std::ops::Range<usize>> {
        let from = self.below(input.len().max(1));
        let colon = from + input.get(from..)?.iter().position(|byte| *byte == b':')?;
        let start = colon
            + 1
            + input[colon + 1..]
                .iter()
                .position(|byte| !byte.is_ascii_whitespace())?;
        let (mut depth, mut in_string) = (0_usize, false);
        for (at, byte) in input.iter().enumerate().skip(start) {
            match byte {
                b'"' if input[at - 1] != b'\\' => in_string = !in_string,
                _ if in_string => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth > 0 => depth -= 1,
                b'}' | b']' | b',' if depth == 0 => return Some(start..at),
                _ => {}
            }
        }
        Some(start..input.len())
    }

    fn insert(&mut self, input: &mut Vec<u8>, piece: &[u8]) {
        let at = self.below(input.len() + 1);
        input.splice(at..at, piece.iter().copied());
    }

    /// A range within `length` bytes, mostly short.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let bound = if self.below(4) == 0 { length } else { 64 };
        let end = (start + self.below(bound + 1)).min(length);
        start..end
    }

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % bound.max(1) as u64).unwrap_or(0)
    }
}
