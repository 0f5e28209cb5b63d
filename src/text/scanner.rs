//! Parsing short texts by hand: a scanner, and the error that all parsers share.

use std::borrow::Cow;

use super::escape_into;

/// A parse error: the position, what was expected there, and what was found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} at {}column {column}, found {found}", self.expectation(), self.line_prefix())]
pub struct ParseError {
    /// Bytes from the start of the text.
    pub offset: usize,
    /// The line, from 1. The message leaves out the first line.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Description of the syntax allowed at the offset.
    pub expected: Cow<'static, str>,
    /// The character at the offset, or the end of the text. No more of the text is shown.
    pub found: Box<str>,
}

impl ParseError {
    /// The error at a byte offset, or at the end if the text is shorter. Bytes that are not UTF-8 count as parts of the
    /// character before them, or as characters, as their bits say.
    ///
    /// ```
    /// use stacklens::text::ParseError;
    /// let error = ParseError::at("é\nné".as_bytes(), 6, "a digit");
    /// assert_eq!(error.to_string(), "expected a digit at line 2, column 3, found the end of the text");
    /// ```
    pub fn at(text: &[u8], offset: usize, expected: impl Into<Cow<'static, str>>) -> Self {
        let (before, rest) = text.split_at(offset.min(text.len()));
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let is_continuation = |byte: u8| byte & 0b1100_0000 == 0b1000_0000;
        let characters = before[line_start..].iter();
        Self {
            offset: before.len(),
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column: characters.filter(|byte| !is_continuation(**byte)).count() + 1,
            expected: expected.into(),
            found: found(rest).into(),
        }
    }

    /// This error in a text that contains the parsed one from `start` on.
    #[must_use]
    pub fn within(self, text: &str, start: usize) -> Self {
        let found = self.found;
        Self {
            found,
            ..Self::at(text.as_bytes(), start + self.offset, self.expected)
        }
    }

    /// The message without the position.
    pub fn reason(&self) -> String {
        format!("{}, found {}", self.expectation(), self.found)
    }

    fn expectation(&self) -> String {
        format!("expected {}", self.expected)
    }

    fn line_prefix(&self) -> String {
        match self.line {
            1 => String::new(),
            line => format!("line {line}, "),
        }
    }
}

/// The character at the start of `rest` in backquotes, safe to show; a byte that is not UTF-8 as a number.
fn found(rest: &[u8]) -> String {
    let Some(first) = rest.first() else {
        return "the end of the text".to_owned();
    };
    let start = &rest[..4.min(rest.len())];
    let Some(char) = start
        .utf8_chunks()
        .next()
        .and_then(|it| it.valid().chars().next())
    else {
        return format!("byte 0x{first:02x}");
    };
    let mut found = String::from("`");
    // Writing to a `String` cannot fail.
    _ = escape_into(&mut found, char.encode_utf8(&mut [0; 4]));
    found.push('`');
    found
}

/// A text and a position in it, for parsers of one line: URNs, addresses, paths, types.
pub(crate) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Byte offset of the position.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Moves to a byte offset, which must be that of a character.
    pub(crate) fn seek(&mut self, offset: usize) {
        self.at = offset;
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// The text from the position on.
    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Consumes `literal` if it is next.
    pub(crate) fn take(&mut self, literal: &str) -> bool {
        let is_next = self.rest().starts_with(literal);
        if is_next {
            self.at += literal.len();
        }
        is_next
    }

    /// Consumes `literal`, which has to be next.
    pub(crate) fn expect(
        &mut self,
        literal: &str,
        expected: &'static str,
    ) -> Result<(), ParseError> {
        let is_next = self.take(literal);
        is_next.then_some(()).ok_or_else(|| self.error(expected))
    }

    /// Consumes characters as long as they are wanted.
    pub(crate) fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        self.take_bytes(rest.find(|char| !is_wanted(char)).unwrap_or(rest.len()))
    }

    /// Consumes everything before `end`, or the rest of the text.
    pub(crate) fn take_until(&mut self, end: &str) -> &'t str {
        let rest = self.rest();
        self.take_bytes(rest.find(end).unwrap_or(rest.len()))
    }

    fn take_bytes(&mut self, length: usize) -> &'t str {
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    /// The error at the position.
    pub(crate) fn error(&self, expected: &'static str) -> ParseError {
        self.error_at(self.at, expected)
    }

    /// The error at another byte offset.
    pub(crate) fn error_at(&self, offset: usize, expected: &'static str) -> ParseError {
        ParseError::at(self.text.as_bytes(), offset, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_character_is_shown() {
        let found = |rest: &[u8]| ParseError::at(rest, 0, "a digit").found;
        assert_eq!(&*found("é=".as_bytes()), "`é`");
        assert_eq!(&*found("\u{1b}[".as_bytes()), "`␛`");
        assert_eq!(&*found(b"\xff"), "byte 0xff");
        assert_eq!(&*found("😀😀".as_bytes()), "`😀`");
    }

    #[test]
    fn an_error_in_a_part_is_one_in_the_whole() {
        let error = ParseError::at(b"x", 1, "a key").within("é.x", 3);
        assert_eq!(
            error.to_string(),
            "expected a key at column 4, found the end of the text"
        );
    }
}
