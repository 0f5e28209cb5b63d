//! The pull tokenizer.

use super::ParseError;
use super::text::{Str, unit};

/// One token. Keys are distinct from strings. Commas and colons are checked but not returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    /// A string that is a value.
    String(Str<'a>),
    /// A string that is the key of the value that follows.
    Key(Str<'a>),
    /// `[`.
    ArrayStart,
    /// `]`.
    ArrayEnd,
    /// `{`.
    MapStart,
    /// `}`.
    MapEnd,
}

/// The tokens that may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A value: at the start, after a colon, after a comma in an array.
    Value,
    /// A value or `]`.
    FirstItem,
    /// A key or `}`.
    FirstKey,
    Key,
    /// A comma or the closing bracket; at the top the end of the text.
    AfterValue,
}

/// Reads one JSON value token by token. The only memory is one bit for each open bracket, so any nesting is fine.
#[derive(Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    /// Byte offset at which to continue.
    at: usize,
    /// Byte offset of the start of the last token.
    start: usize,
    state: State,
    open: Brackets,
}

/// The kinds of the open brackets, one bit each.
#[derive(Clone, Default)]
struct Brackets {
    bits: Vec<u64>,
    depth: usize,
}

impl Brackets {
    fn push(&mut self, is_map: bool) {
        let (word, bit) = (self.depth / 64, self.depth % 64);
        if word == self.bits.len() {
            self.bits.push(0);
        }
        self.bits[word] = self.bits[word] & !(1 << bit) | (u64::from(is_map) << bit);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth -= 1;
    }

    /// True if the innermost open bracket is `{`; `None` at the top.
    fn innermost_is_map(&self) -> Option<bool> {
        let last = self.depth.checked_sub(1)?;
        Some(self.bits[last / 64] >> (last % 64) & 1 == 1)
    }
}

impl<'a> Reader<'a> {
    /// Starts at the beginning of `bytes`, after a UTF-8 byte order mark if there is one.
    pub fn new(bytes: &'a [u8]) -> Self {
        let bom = if bytes.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        Self::at(bytes, bom)
    }

    /// Starts at the value at `offset` of `bytes`: one element of a larger text, or one document of a sequence. All offsets
    /// remain relative to `bytes`.
    pub fn at(bytes: &'a [u8], offset: usize) -> Self {
        Self {
            bytes,
            at: offset.min(bytes.len()),
            start: offset.min(bytes.len()),
            state: State::Value,
            open: Brackets::default(),
        }
    }

    /// The text being read.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Number of open brackets.
    pub fn depth(&self) -> usize {
        self.open.depth
    }

    /// Byte offset of the start of the last token.
    pub fn token_start(&self) -> usize {
        self.start
    }

    /// Byte offset of the end of the last token. At the end of a value at the top, the next document may begin here.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Byte offset of the start of the next token: like [`Reader::offset`], but after white space, commas and colons.
    pub fn next_start(&self) -> usize {
        let mut at = skip_space(self.bytes, self.at);
        if self.state == State::AfterValue && self.bytes.get(at) == Some(&b',') {
            at = skip_space(self.bytes, at + 1);
        }
        at
    }

    /// Skips the next entry of the innermost open map if it is written exactly as `entry`, which is a whole entry from the quote
    /// of its key to the end of its value. False, without a step, if it is not.
    pub(super) fn skip_same(&mut self, entry: &[u8]) -> bool {
        let mut at = skip_space(self.bytes, self.at);
        match self.state {
            State::FirstKey => {}
            State::AfterValue
                if self.open.innermost_is_map() == Some(true)
                    && self.bytes.get(at) == Some(&b',') =>
            {
                at = skip_space(self.bytes, at + 1);
            }
            State::Value | State::FirstItem | State::Key | State::AfterValue => return false,
        }
        let is_same = self.bytes[at..].starts_with(entry);
        let end = at + entry.len();
        // A number may go on.
        let ends = matches!(
            self.bytes.get(end),
            Some(b',' | b'}' | b' ' | b'\t' | b'\r' | b'\n')
        );
        if is_same && ends {
            self.start = at;
            self.at = end;
            self.state = State::AfterValue;
        }
        is_same && ends
    }

    /// The next token; `None` after the end of the value, where only white space may follow.
    ///
    /// # Errors
    ///
    /// At the first byte that the grammar does not allow. The reader stays there, so that every later call gives the same error.
    #[allow(
        clippy::should_implement_trait,
        reason = "a fallible stream, not an iterator"
    )]
    pub fn next(&mut self) -> Result<Option<Token<'a>>, ParseError> {
        let mut at = skip_space(self.bytes, self.at);
        let mut state = self.state;
        if state == State::AfterValue {
            let closes = self.bytes.get(at).copied();
            state = match (self.open.innermost_is_map(), closes) {
                (None, None) => return Ok(None),
                (None, Some(_)) => return Err(self.error(at, "the end of the text")),
                (Some(true), Some(b'}')) => return Ok(Some(self.close(at, Token::MapEnd))),
                (Some(false), Some(b']')) => return Ok(Some(self.close(at, Token::ArrayEnd))),
                (Some(true), Some(b',')) => State::Key,
                (Some(false), Some(b',')) => State::Value,
                (Some(true), _) => return Err(self.error(at, "`,` or `}`")),
                (Some(false), _) => return Err(self.error(at, "`,` or `]`")),
            };
            at = skip_space(self.bytes, at + 1);
        }
        match (state, self.bytes.get(at)) {
            (State::FirstItem, Some(b']')) => Ok(Some(self.close(at, Token::ArrayEnd))),
            (State::FirstKey, Some(b'}')) => Ok(Some(self.close(at, Token::MapEnd))),
            (State::FirstKey | State::Key, Some(b'"')) => self.key(at).map(Some),
            (State::FirstKey, _) => Err(self.error(at, "a key or `}`")),
            (State::Key, _) => Err(self.error(at, "a key")),
            (State::FirstItem, _) => self.value(at, "a value or `]`").map(Some),
            (State::Value | State::AfterValue, _) => self.value(at, "a value").map(Some),
        }
    }

    /// Skips the next value and returns its byte range. If the last token opened a bracket, see [`Reader::skip_rest`]. Checks the
    /// grammar, but builds nothing.
    pub fn skip_value(&mut self) -> Result<std::ops::Range<usize>, ParseError> {
        let depth = self.depth();
        let Some(first) = self.next()? else {
            return Err(self.error(self.at, "a value"));
        };
        let start = self.start;
        match first {
            Token::ArrayStart | Token::MapStart => self.skip_to(depth)?,
            Token::Key(_) => return self.skip_value(),
            Token::ArrayEnd | Token::MapEnd => return Err(self.error(start, "a value")),
            _ => {}
        }
        Ok(start..self.at)
    }

    /// Skips the rest of the innermost open array or map, including its closing bracket.
    pub fn skip_rest(&mut self) -> Result<(), ParseError> {
        self.skip_to(self.depth().saturating_sub(1))
    }

    fn skip_to(&mut self, depth: usize) -> Result<(), ParseError> {
        while self.depth() > depth {
            self.next()?;
        }
        Ok(())
    }

    fn error(&self, at: usize, expected: &'static str) -> ParseError {
        ParseError::at(self.bytes, at, expected)
    }

    #[expect(
        clippy::inline_always,
        reason = "moving its result costs more than the work"
    )]
    #[inline(always)]
    fn close(&mut self, at: usize, token: Token<'a>) -> Token<'a> {
        self.open.pop();
        self.start = at;
        self.at = at + 1;
        self.state = State::AfterValue;
        token
    }

    #[expect(
        clippy::inline_always,
        reason = "moving its result costs more than the work"
    )]
    #[inline(always)]
    fn key(&mut self, at: usize) -> Result<Token<'a>, ParseError> {
        let (key, end) = self.string(at)?;
        let colon = skip_space(self.bytes, end);
        if self.bytes.get(colon) != Some(&b':') {
            return Err(self.error(colon, "`:`"));
        }
        self.start = at;
        self.at = colon + 1;
        self.state = State::Value;
        Ok(Token::Key(key))
    }

    #[expect(
        clippy::inline_always,
        reason = "moving its result costs more than the work"
    )]
    #[inline(always)]
    fn value(&mut self, at: usize, expected: &'static str) -> Result<Token<'a>, ParseError> {
        let (token, end) = match self.bytes.get(at) {
            Some(b'"') => {
                let (text, end) = self.string(at)?;
                (Token::String(text), end)
            }
            Some(b'{') => return Ok(self.open(at, Token::MapStart)),
            Some(b'[') => return Ok(self.open(at, Token::ArrayStart)),
            Some(b'-' | b'0'..=b'9') => self.number(at)?,
            Some(b't') => self.word(at, "true", Token::Bool(true), expected)?,
            Some(b'f') => self.word(at, "false", Token::Bool(false), expected)?,
            Some(b'n') => self.word(at, "null", Token::Null, expected)?,
            _ => return Err(self.error(at, expected)),
        };
        self.start = at;
        self.at = end;
        self.state = State::AfterValue;
        Ok(token)
    }

    #[expect(
        clippy::inline_always,
        reason = "moving its result costs more than the work"
    )]
    #[inline(always)]
    fn open(&mut self, at: usize, token: Token<'a>) -> Token<'a> {
        let is_map = token == Token::MapStart;
        self.open.push(is_map);
        self.start = at;
        self.at = at + 1;
        self.state = if is_map {
            State::FirstKey
        } else {
            State::FirstItem
        };
        token
    }

    #[expect(
        clippy::inline_always,
        reason = "moving its result costs more than the work"
    )]
    #[inline(always)]
    fn word(
        &self,
        at: usize,
        word: &'static str,
        token: Token<'a>,
        expected: &'static str,
    ) -> Result<(Token<'a>, usize), ParseError> {
        if self.bytes[at..].starts_with(word.as_bytes()) {
            Ok((token, at + word.len()))
        } else {
            Err(self.error(at, expected))
        }
    }

    fn number(&self, at: usize) -> Result<(Token<'a>, usize), ParseError> {
        let end =
            number_end(self.bytes, at).map_err(|(wrong, expected)| self.error(wrong, expected))?;
        let text = std::str::from_utf8(&self.bytes[at..end]).expect("digits and signs are ASCII");
        Ok((Token::Number(text), end))
    }

    /// The string with its opening quote at `at`, and the offset after its closing quote.
    #[expect(
        clippy::inline_always,
        reason = "moving its result costs more than the work"
    )]
    #[inline(always)]
    fn string(&self, at: usize) -> Result<(Str<'a>, usize), ParseError> {
        let start = at + 1;
        let mut from = start;
        // Most keys end within two words, before a call to the wide search would pay off.
        for _ in 0..2 {
            let Some(word) = self.bytes[from..].first_chunk() else {
                break;
            };
            let word = u64::from_le_bytes(*word);
            let hits = equal_bytes(word, b'"') | equal_bytes(word, b'\\');
            from += hits.trailing_zeros() as usize / 8;
            if hits != 0 {
                break;
            }
        }
        if self.bytes.get(from) == Some(&b'"') {
            return Ok((Str::new(&self.bytes[start..from], false), from + 1));
        }
        let mut escaped = false;
        loop {
            let Some(found) = memchr::memchr2(b'"', b'\\', &self.bytes[from..]) else {
                return Err(self.error(self.bytes.len(), "the `\"` that ends the string"));
            };
            let found = from + found;
            if self.bytes[found] == b'"' {
                return Ok((Str::new(&self.bytes[start..found], escaped), found + 1));
            }
            escaped = true;
            from = match self.bytes.get(found + 1) {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => found + 2,
                Some(b'u') if unit(&self.bytes[found..]).is_some() => found + 6,
                Some(b'u') => return Err(self.error(found + 2, "four hexadecimal digits")),
                _ => return Err(self.error(found + 1, "an escape")),
            };
        }
    }
}

/// The end offset of the number that begins at `at` with a digit or `-`; else the offset of the error and a description of the
/// allowed tokens.
#[inline]
pub(super) fn number_end(bytes: &[u8], at: usize) -> Result<usize, (usize, &'static str)> {
    let whole = at + usize::from(bytes[at] == b'-');
    let mut end = skip_digits(bytes, whole);
    if end == whole {
        return Err((end, "a digit"));
    }
    if end > whole + 1 && bytes[whole] == b'0' {
        return Err((whole + 1, "no digit after a leading zero"));
    }
    if bytes.get(end) == Some(&b'.') {
        let fraction = end + 1;
        end = skip_digits(bytes, fraction);
        if end == fraction {
            return Err((end, "a digit"));
        }
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        end += 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = end;
        end = skip_digits(bytes, exponent);
        if end == exponent {
            return Err((end, "a digit"));
        }
    }
    Ok(end)
}

/// Maximum number of bytes of a plain number: with any exponent of two digits it is in the range of doubles and of cty.
const MAX_PLAIN: usize = 64;

/// Like [`number_end`], but refuses a number of more than [`MAX_PLAIN`] bytes and an exponent of three digits or more, which may be
/// beyond the range of doubles. Leading zeros are not counted: `0E000` is plain.
#[inline]
pub(super) fn plain_number_end(bytes: &[u8], at: usize) -> Result<usize, (usize, &'static str)> {
    let end = number_end(bytes, at)?;
    let number = &bytes[at..end];
    // The shortest such number is `1e100`.
    if number.len() > MAX_PLAIN {
        return Err((end, "fewer digits"));
    }
    if number.len() > 4
        && let Some(exponent) = memchr::memchr2(b'e', b'E', number)
    {
        let mut digits = number[exponent + 1..].iter();
        if digits.by_ref().any(|byte| matches!(byte, b'1'..=b'9')) && digits.len() > 1 {
            return Err((end, "a smaller exponent"));
        }
    }
    Ok(end)
}

/// The highest bit of each byte of `word` that equals `byte`. Bytes above the lowest match may be marked falsely.
#[inline]
fn equal_bytes(word: u64, byte: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let zeros = word ^ (ONES * u64::from(byte));
    zeros.wrapping_sub(ONES) & !zeros & (ONES << 7)
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

fn skip_digits(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b'0'..=b'9') = bytes.get(at) {
        at += 1;
    }
    at
}
