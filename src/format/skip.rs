//! Where a JSON value ends, without looking at what is in it.
//!
//! The one loop that sees every byte of a file: 64 bytes at a time it finds quotes and brackets, takes out those inside strings, and
//! counts. It can stop at any byte and go on in the next piece of the file.

use crate::json::block::{Block, LEN, Strings};

/// A value that is being passed over.
#[derive(Clone, Debug)]
pub(super) enum Skip {
    /// `true`, `null`, a number: ends at the first byte that cannot be part of it.
    Scalar,
    /// A string: ends at a quote without a backslash.
    Text {
        /// Whether the last byte was a backslash that escapes the next.
        escaped: bool,
    },
    /// An array or map: ends where its bracket is closed.
    Nest(Nest),
}

/// What is known of an array or map so far.
#[derive(Clone, Default, Debug)]
pub(super) struct Nest {
    depth: u64,
    strings: Strings,
}

impl Skip {
    /// The value that begins with `first`, which is not passed yet.
    pub(super) fn new(first: u8) -> Self {
        match first {
            b'{' | b'[' => Self::Nest(Nest::default()),
            b'"' => Self::Text { escaped: false },
            _ => Self::Scalar,
        }
    }

    /// Goes on at `bytes[at..]` (for a string: behind its opening quote); the end of the value, or `None` if it lies further on.
    pub(super) fn run(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        match self {
            Self::Scalar => bytes[at..]
                .iter()
                .position(|byte| {
                    matches!(
                        byte,
                        b',' | b']'
                            | b'}'
                            | b' '
                            | b'\n'
                            | b'\r'
                            | b'\t'
                            | b':'
                            | b'"'
                            | b'['
                            | b'{'
                    )
                })
                .map(|length| at + length),
            Self::Text { escaped } => text(bytes, at, escaped),
            Self::Nest(nest) => nest.run(bytes, at),
        }
    }

    /// Whether the end of the file may end the value.
    pub(super) fn ends_at_end(&self) -> bool {
        matches!(self, Self::Scalar)
    }
}

fn text(bytes: &[u8], mut at: usize, escaped: &mut bool) -> Option<usize> {
    if *escaped && at < bytes.len() {
        *escaped = false;
        at += 1;
    }
    loop {
        let found = at + memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[found] == b'"' {
            return Some(found + 1);
        }
        at = found + 2;
        if at > bytes.len() {
            *escaped = true;
            return None;
        }
    }
}

impl Nest {
    fn run(&mut self, bytes: &[u8], mut at: usize) -> Option<usize> {
        while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            if let Some(end) = self.block(&Block::new(block)) {
                return Some(at + end);
            }
            at += LEN;
        }
        self.tail(&bytes[at..]).map(|end| at + end)
    }

    fn tail(&mut self, bytes: &[u8]) -> Option<usize> {
        let Strings { inside, escaped } = &mut self.strings;
        for (index, byte) in bytes.iter().enumerate() {
            let escaped_now = std::mem::take(escaped);
            match byte {
                b'\\' if !escaped_now => *escaped = true,
                b'"' if !escaped_now => *inside = !*inside,
                b'{' | b'[' if !*inside => self.depth += 1,
                b'}' | b']' if !*inside => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(index + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    #[inline]
    fn block(&mut self, block: &Block) -> Option<usize> {
        let inside = self.strings.inside(block);
        let opens = block.opens() & !inside;
        let mut closes = block.closes() & !inside;
        let n_closes = u64::from(closes.count_ones());
        if n_closes < self.depth {
            self.depth = self.depth + u64::from(opens.count_ones()) - n_closes;
            return None;
        }
        let mut counted = 0_u64;
        while closes != 0 {
            let bit = closes.trailing_zeros();
            let before = (1_u64 << bit) - 1;
            let opened = u64::from((opens & before & !counted).count_ones());
            counted |= before;
            self.depth = (self.depth + opened).saturating_sub(1);
            if self.depth == 0 {
                return Some(bit as usize + 1);
            }
            closes &= closes - 1;
        }
        self.depth += u64::from((opens & !counted).count_ones());
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Byte by byte, from the start.
    fn plainly(bytes: &[u8]) -> Option<usize> {
        let mut nest = Nest::default();
        nest.tail(bytes)
    }

    #[test]
    fn ends_where_the_bracket_closes() {
        let text = br#"{"a": "}\"]\\", "b": [1, {"c": "\\\""}, []]} , 1"#;
        let mut skip = Skip::new(text[0]);
        assert_eq!(skip.run(text, 0), Some(text.len() - 4));
    }

    #[test]
    fn a_string_ends_at_its_quote() {
        let text = br#"a\\\"b\\", "c""#;
        let mut skip = Skip::new(b'"');
        assert_eq!(skip.run(text, 0), Some(9));
        let mut skip = Skip::new(b'"');
        assert_eq!(skip.run(br"a\", 0), None);
        assert_eq!(skip.run(br#""b""#, 0), Some(3));
    }

    proptest! {
        #[test]
        fn any_cut_gives_what_plain_counting_gives(
            body in r#"[\\"{}\[\]a]{0,200}"#,
            cut in 0_usize..200,
        ) {
            let text = format!("{{{body}");
            let bytes = text.as_bytes();
            let cut = cut.min(bytes.len());
            let mut skip = Skip::new(b'{');
            let found = skip
                .run(&bytes[..cut], 0)
                .or_else(|| skip.run(&bytes[cut..], 0).map(|end| end + cut));
            prop_assert_eq!(found, plainly(bytes));
        }
    }
}
