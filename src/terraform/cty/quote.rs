//! Quoted texts, as Go writes them.

use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

/// Appends a text in double quotes. Characters that cannot be printed are escaped.
///
/// # Source
///
/// Go `strconv.Quote` and `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols and the ASCII space.
pub(crate) fn write_quoted(out: &mut String, text: &[u8]) {
    static PRINTABLE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$").expect("a valid pattern"));
    out.reserve(text.len() + 2);
    out.push('"');
    for chunk in text.utf8_chunks() {
        for char in chunk.valid().chars() {
            let code = u32::from(char);
            // A string takes everything.
            let _ = match char {
                '"' | '\\' => {
                    out.extend(['\\', char]);
                    Ok(())
                }
                '\u{7}' => out.write_str("\\a"),
                '\u{8}' => out.write_str("\\b"),
                '\u{c}' => out.write_str("\\f"),
                '\n' => out.write_str("\\n"),
                '\r' => out.write_str("\\r"),
                '\t' => out.write_str("\\t"),
                '\u{b}' => out.write_str("\\v"),
                ' '..='~' => out.write_char(char),
                '\0'..='\u{7f}' => write!(out, "\\x{code:02x}"),
                _ if PRINTABLE.is_match(char.encode_utf8(&mut [0; 4])) => out.write_char(char),
                '\0'..='\u{ffff}' => write!(out, "\\u{code:04x}"),
                _ => write!(out, "\\U{code:08x}"),
            };
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(text: &[u8], want: &str) {
        let mut quoted = String::new();
        super::write_quoted(&mut quoted, text);
        assert_eq!(quoted, want);
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
}
