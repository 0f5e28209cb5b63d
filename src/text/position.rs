//! Positions in a text, for parse errors.

use super::escape_into;

/// A position in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Bytes from the start of the text.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// The position of a byte offset, or of the end if the text is shorter. Bytes that are not UTF-8 count as parts of the
    /// character before them, or as characters, as their bits say.
    ///
    /// ```
    /// use stacklens::text::Position;
    /// let position = Position::of("é\nné".as_bytes(), 6);
    /// assert_eq!((position.line, position.column), (2, 3));
    /// ```
    pub fn of(text: &[u8], offset: usize) -> Self {
        let offset = offset.min(text.len());
        let before = &text[..offset];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let characters = before[line_start..]
            .iter()
            .filter(|byte| !is_continuation(**byte));
        Self {
            offset,
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column: characters.count() + 1,
        }
    }
}

/// The column of a character in a text that counts as one line, in characters from 1.
pub fn column(text: &str, offset: usize) -> usize {
    text[..offset].chars().count() + 1
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The character at the start of `rest` in backquotes, safe to show; a byte that is not UTF-8 as a number. `None` at the end of
/// the text. No more of the text is shown.
///
/// ```
/// use stacklens::text::found;
/// assert_eq!(found("é=".as_bytes()).as_deref(), Some("`é`"));
/// assert_eq!(found(b"\xff").as_deref(), Some("byte 0xff"));
/// assert_eq!(found(b""), None);
/// ```
pub fn found(rest: &[u8]) -> Option<String> {
    let first = rest.first()?;
    let length =
        (1..=4.min(rest.len())).find(|length| std::str::from_utf8(&rest[..*length]).is_ok());
    let char = length.and_then(|length| std::str::from_utf8(&rest[..length]).ok());
    let Some(char) = char else {
        return Some(format!("byte 0x{first:02x}"));
    };
    let mut found = String::from("`");
    // Writing to a `String` cannot fail.
    _ = escape_into(&mut found, char);
    found.push('`');
    Some(found)
}
