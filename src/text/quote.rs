//! Go's quoted strings.
//!
//! # Source
//!
//! Go 1.24 `strconv.Quote`, `strconv.Unquote`, `strconv.IsPrint`.

use std::fmt::{self, Write};

/// Writes `text` in double quotes. Characters that Go does not consider printable are escaped.
pub fn write_quoted(out: &mut impl Write, text: &[u8]) -> fmt::Result {
    out.write_char('"')?;
    for chunk in text.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '"' => out.write_str("\\\"")?,
                '\\' => out.write_str("\\\\")?,
                '\u{7}' => out.write_str("\\a")?,
                '\u{8}' => out.write_str("\\b")?,
                '\u{c}' => out.write_str("\\f")?,
                '\n' => out.write_str("\\n")?,
                '\r' => out.write_str("\\r")?,
                '\t' => out.write_str("\\t")?,
                '\u{b}' => out.write_str("\\v")?,
                _ if is_printable(char) => out.write_char(char)?,
                '\0'..='\u{7f}' => write!(out, "\\x{:02x}", u32::from(char))?,
                '\u{80}'..='\u{ffff}' => write!(out, "\\u{:04x}", u32::from(char))?,
                _ => write!(out, "\\U{:08x}", u32::from(char))?,
            }
        }
        for byte in chunk.invalid() {
            write!(out, "\\x{byte:02x}")?;
        }
    }
    out.write_char('"')
}

/// `text` as [`write_quoted`] writes it.
pub fn quoted(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    // Writing to a `String` cannot fail.
    _ = write_quoted(&mut out, text);
    out
}

/// True for letters, marks, numbers, punctuation, symbols and the ASCII space: the characters that the standard library does not
/// escape after another character.
pub fn is_printable(char: char) -> bool {
    if char.is_ascii() {
        return !char.is_ascii_control();
    }
    let mut bytes = [b'a'; 5];
    let length = 1 + char.encode_utf8(&mut bytes[1..]).len();
    std::str::from_utf8(&bytes[..length]).is_ok_and(|text| text.escape_debug().eq(text.chars()))
}

/// Decodes the inside of a quoted string; the error is the offset of the wrong character.
///
/// `\x` and octal escapes name bytes; where the bytes are not UTF-8 they read as U+FFFD, because keys are texts.
pub fn unquote(inside: &str) -> Result<String, usize> {
    let mut out = Vec::with_capacity(inside.len());
    let mut at = 0;
    while let Some(char) = inside[at..].chars().next() {
        match char {
            '\\' => at += unescape(&inside[at..], &mut out).ok_or(at)?,
            '\n' | '"' => return Err(at),
            _ => {
                push(char, &mut out);
                at += char.len_utf8();
            }
        }
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Decodes the escape at the start of `rest` and returns how many bytes it took.
fn unescape(rest: &str, out: &mut Vec<u8>) -> Option<usize> {
    let kind = rest[1..].chars().next()?;
    let plain = match kind {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' | '"' => kind,
        'x' => {
            out.push(u8::try_from(digits(rest, 2, 2, 16)?).ok()?);
            return Some(4);
        }
        '0'..='7' => {
            out.push(u8::try_from(digits(rest, 1, 3, 8)?).ok()?);
            return Some(4);
        }
        'u' => {
            push(char::from_u32(digits(rest, 2, 4, 16)?)?, out);
            return Some(6);
        }
        'U' => {
            push(char::from_u32(digits(rest, 2, 8, 16)?)?, out);
            return Some(10);
        }
        _ => return None,
    };
    push(plain, out);
    Some(2)
}

fn digits(rest: &str, from: usize, length: usize, radix: u32) -> Option<u32> {
    let digits = rest.get(from..from + length)?;
    let all_digits = digits.chars().all(|char| char.is_digit(radix));
    all_digits
        .then(|| u32::from_str_radix(digits, radix).ok())
        .flatten()
}

fn push(char: char, out: &mut Vec<u8>) {
    let mut buffer = [0; 4];
    out.extend_from_slice(char.encode_utf8(&mut buffer).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &[u8], want: &str) {
        assert_eq!(quoted(text), want);
    }

    #[test]
    fn quotes_as_go_does() {
        check(
            "a\"\\\t\u{1}é\u{a0}\u{200b}😀".as_bytes(),
            r#""a\"\\\t\x01é\u00a0\u200b😀""#,
        );
        check(b"\xff", r#""\xff""#);
        check("\u{e0001}".as_bytes(), r#""\U000e0001""#);
    }

    /// The two tables may know different versions of Unicode, so unassigned characters are left out.
    #[test]
    fn printable_characters_have_a_printable_category() {
        let classes = [r"^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$", r"^\p{Cn}$"];
        let [printable, unassigned] =
            classes.map(|class| regex::Regex::new(class).expect("a valid pattern"));
        for char in '\0'..=char::MAX {
            let mut buffer = [0; 4];
            let text = char.encode_utf8(&mut buffer);
            if !unassigned.is_match(text) {
                assert_eq!(is_printable(char), printable.is_match(text), "{char:?}");
            }
        }
    }
}
