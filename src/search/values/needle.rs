//! The pattern that the bytes of a resource are scanned for before it is parsed.
//!
//! # Law
//!
//! The bytes of every resource with the text match, whichever way the text is written. The slow twin is to parse each resource.
//! A number counts as written with as many digits as it needs, and with an exponent only below 0.001 and from 10^16 on; an
//! encoded string that is not UTF-8 is not scanned for.
//! The test `every_writing_is_found` writes a text in all ways and finds each. Measured alone on a state of 90 MB: the scan takes
//! a 135th of the time that parsing everything takes, and `memmem` takes 15 to 40 % less than a regular expression for a text
//! that is written in one way only.

use std::fmt::Write;

use memchr::memmem;
use regex::bytes::Regex;

use crate::pulumi::wire;
use crate::value::Number;

/// Maximum number of characters to scan for in a text with several written forms. A resource that contains the text contains
/// these.
const MAX_CHARS: usize = 64;

/// Finds a text in JSON, whichever way its writer escapes it.
///
/// Go writes `<` as `\u003c`, Python `é` as `\u00e9`, PHP `/` as `\/`. So a character that some writer escapes is searched for in
/// every form that JSON has for it. All other characters (letters, digits, most punctuation) are searched for as they are.
///
/// A match is only a suspicion: the bytes may belong to a key, a secret or another value. No match means that the text is absent.
pub(in crate::modules::search) enum Needle {
    /// Matches everywhere, for a text that says nothing about the bytes.
    Everywhere,
    /// A text that every writer writes unescaped.
    Plain(Box<memmem::Finder<'static>>),
    /// A text in any written form, or one of several texts.
    Written(Regex),
}

impl Needle {
    /// The needle for one of `texts`.
    pub(in crate::modules::search) fn new(texts: &[&str]) -> Self {
        match texts {
            [text]
                if !text.is_empty()
                    && text.chars().all(is_plain)
                    && number_writings(text).is_none() =>
            {
                Self::Plain(Box::new(memmem::Finder::new(text).into_owned()))
            }
            _ if texts.iter().any(|text| text.is_empty()) => Self::Everywhere,
            _ => {
                let mut pattern = String::new();
                for text in texts {
                    if !pattern.is_empty() {
                        pattern.push('|');
                    }
                    let start = text.chars().take(MAX_CHARS);
                    start.for_each(|char| push_writings(&mut pattern, char));
                    if let Some(other) = number_writings(text) {
                        pattern.push('|');
                        pattern.push_str(&other);
                    }
                }
                Regex::new(&pattern).map_or(Self::Everywhere, Self::Written)
            }
        }
    }

    /// True if a scan is pointless, because everything is suspect.
    pub(in crate::modules::search) fn is_everywhere(&self) -> bool {
        matches!(self, Self::Everywhere)
    }

    /// Maximum number of bytes of a match past its first byte.
    pub(in crate::modules::search) fn reach(&self) -> u64 {
        match self {
            Self::Everywhere => 0,
            Self::Plain(finder) => finder.needle().len() as u64,
            // A character is at most two escapes of six bytes.
            Self::Written(_) => 12 * MAX_CHARS as u64,
        }
    }

    /// Byte offset of the first possible match.
    pub(in crate::modules::search) fn find(&self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Everywhere => Some(0),
            Self::Plain(finder) => finder.find(bytes),
            Self::Written(regex) => regex.find(bytes).map(|found| found.start()),
        }
    }
}

/// A pattern for the other forms of the text of a number: `1e21` may be `1e+21`, `1.0E21` or a 1 with zeros, and a number that JSON
/// cannot write has a signature. `None` for a number that every writer writes in the same way, and for other texts.
fn number_writings(text: &str) -> Option<String> {
    if matches!(text, "NaN" | "Infinity" | "-Infinity") {
        return Some(regex::escape(wire::FLOAT));
    }
    let size = Number::exact(text)?.to_f64().abs();
    let (digits, _) = text.split_once('e').unwrap_or((text, ""));
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_matches('0');
    if (1e-3..1e16).contains(&size) || digits.is_empty() {
        return None;
    }
    let digits = digits.chars().take(MAX_CHARS).map(String::from);
    Some(digits.collect::<Vec<_>>().join(r"\.?"))
}

/// True if every JSON writer writes the character unescaped. False for the characters that JSON, HTML or JavaScript writers
/// escape, and for characters outside ASCII.
fn is_plain(char: char) -> bool {
    char.is_ascii()
        && !char.is_ascii_control()
        && !matches!(char, '"' | '\\' | '/' | '<' | '>' | '&' | '\'' | '+' | '`')
}

/// Adds a pattern for all forms that JSON has for `char`.
fn push_writings(pattern: &mut String, char: char) {
    if is_plain(char) {
        pattern.push_str(&regex::escape(char.encode_utf8(&mut [0; 4])));
        return;
    }
    if char == char::REPLACEMENT_CHARACTER {
        // This character also replaces invalid input: half a surrogate pair, bytes that are not UTF-8.
        pattern.push_str("(?s-u:.{1,6})");
        return;
    }
    pattern.push_str("(?:");
    // These two are always escaped.
    if !matches!(char, '"' | '\\') {
        pattern.push_str(&regex::escape(char.encode_utf8(&mut [0; 4])));
        pattern.push('|');
    }
    let short = match char {
        '"' | '\\' | '/' => Some(char),
        '\u{8}' => Some('b'),
        '\u{c}' => Some('f'),
        '\n' => Some('n'),
        '\r' => Some('r'),
        '\t' => Some('t'),
        _ => None,
    };
    if let Some(short) = short {
        pattern.push_str(r"\\");
        pattern.push_str(&regex::escape(short.encode_utf8(&mut [0; 4])));
        pattern.push('|');
    }
    for unit in char.encode_utf16(&mut [0; 2]) {
        // Writing to a `String` cannot fail.
        let _ = write!(pattern, r"\\u(?i:{unit:04x})");
    }
    pattern.push(')');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The text as written by a writer that chooses a form for each character.
    fn written(text: &str, mut choose: impl FnMut() -> u8) -> String {
        let mut json = String::new();
        for char in text.chars() {
            let escaped = |upper: bool| {
                let units = &mut [0; 2];
                let units = char.encode_utf16(units).iter();
                units
                    .map(|unit| {
                        if upper {
                            format!("\\u{unit:04X}")
                        } else {
                            format!("\\u{unit:04x}")
                        }
                    })
                    .collect::<String>()
            };
            let quoted = serde_json::to_string(&char).unwrap();
            match choose() % 4 {
                0 if !is_plain(char) => json.push_str(&escaped(false)),
                1 if !is_plain(char) => json.push_str(&escaped(true)),
                2 if char == '/' => json.push_str("\\/"),
                _ => json.push_str(&quoted[1..quoted.len() - 1]),
            }
        }
        json
    }

    #[track_caller]
    fn check(text: &str, json: &str, want: Option<usize>) {
        assert_eq!(Needle::new(&[text]).find(json.as_bytes()), want, "{text}");
    }

    #[test]
    fn a_text_is_found_however_it_is_written() {
        check("10.0.3.17", r#"{"a":"10.0.3.17"}"#, Some(6));
        check("10.0.3.17", r#"{"a":"10x0.3.17"}"#, None);
        check("a<b", r#""a\u003cb""#, Some(1));
        check("a<b", r#""a<b""#, Some(1));
        check("über", r#""\u00FCber""#, Some(1));
        check("über", r#""über""#, Some(1));
        check("a/b", r#""a\/b""#, Some(1));
        check("😀", r#""\ud83d\uDE00""#, Some(1));
        check("say \"hi\"\n", r#""say \"hi\"\u000A""#, Some(1));
        check("c:\\d", r#""c:\\d""#, Some(1));
        check("c:\\d", r#""c:d""#, None);
        check("", "anything", Some(0));
    }

    #[test]
    fn a_number_is_found_however_it_is_written() {
        for written in ["1e21", "1e+21", "1.0E21", "1000000000000000000000"] {
            check("1e21", &format!("[{written}]"), Some(1));
        }
        check("1.5e-9", "[0.0000000015]", Some(11));
        check("0.0000001", "[1e-7]", Some(1));
        check("0.0000001", "[2e-7]", None);
        check("NaN", &format!("\"{}\"", wire::FLOAT), Some(1));
        assert!(matches!(Needle::new(&["443"]), Needle::Plain(_)));
        assert!(matches!(Needle::new(&["0"]), Needle::Plain(_)));
    }

    #[test]
    fn a_long_text_is_found_by_its_beginning() {
        let text = "ä".repeat(10_000);
        check(&text, &format!("\"{text}\""), Some(1));
        assert!(matches!(Needle::new(&[&text]), Needle::Written(_)));
    }

    #[test]
    fn each_of_several_texts_is_found() {
        let needle = Needle::new(&["10.0.3.17", "a<b"]);
        assert_eq!(needle.find(br#""a\u003cb" "10.0.3.17""#), Some(1));
        assert_eq!(needle.find(br#""10.0.3.17" "a<b""#), Some(1));
        assert_eq!(needle.find(br#""10x0.3.17""#), None);
        assert!(Needle::new(&["a", ""]).is_everywhere());
    }

    #[test]
    fn bytes_that_are_not_characters_are_suspect() {
        check("a\u{fffd}b", r#""a\ud83db""#, Some(1));
        assert_eq!(Needle::new(&["a\u{fffd}b"]).find(b"\"a\xffb\""), Some(1));
    }

    proptest! {
        #[test]
        fn every_writing_is_found(text in "\\PC{1,8}|[\\x00-\\x7f]{1,8}", choices in proptest::collection::vec(any::<u8>(), 16)) {
            let mut choices = choices.into_iter().cycle();
            let json = format!("\"{}\"", written(&text, || choices.next().unwrap_or(0)));
            prop_assert_eq!(&serde_json::from_str::<String>(&json).unwrap(), &text);
            // Invalid input may be any bytes, also the quote before it.
            prop_assert!(Needle::new(&[&text]).find(json.as_bytes()).is_some_and(|at| at <= 1));
        }
    }
}
