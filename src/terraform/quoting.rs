//! Names and quoted texts of HCL, as its files and addresses have them.

use crate::text::is_printable;

/// Length in bytes of the identifier at the start of `text`.
pub(super) fn identifier(text: &str) -> usize {
    let is_first = |char: char| char.is_alphabetic() || char == '_';
    if !text.starts_with(is_first) {
        return 0;
    }
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
    text.find(|char| !is_part(char)).unwrap_or(text.len())
}

/// The character of the escape at the start of `text`, and the length of the escape in bytes. The character is `None` if the
/// escape is invalid.
pub(super) fn escape(text: &str) -> (Option<char>, usize) {
    let numbered = |n_digits: usize| {
        let digits = text.get(2..2 + n_digits);
        let is_hex = |digits: &&str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digits = digits.filter(is_hex);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        (number.and_then(char::from_u32), 2 + n_digits)
    };
    match text.as_bytes().get(1) {
        Some(b'n') => (Some('\n'), 2),
        Some(b'r') => (Some('\r'), 2),
        Some(b't') => (Some('\t'), 2),
        Some(b'"') => (Some('"'), 2),
        Some(b'\\') => (Some('\\'), 2),
        Some(b'u') => numbered(4),
        Some(b'U') => numbered(8),
        _ => (None, 0),
    }
}

/// Quotes `text` as an instance key in an address.
///
/// # Source
///
/// hashicorp/terraform `internal/addrs/instance_key.go`, `toHCLQuotedString`.
pub fn quote_key(text: &str) -> String {
    quote_hcl(text, is_printable)
}

/// Quotes `text` as HCL does. Characters for which `is_plain` is false are escaped.
pub fn quote_hcl(text: &str, is_plain: impl Fn(char) -> bool) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            // `${` and `%{` begin a template unless they are doubled.
            '$' | '%' if chars.peek() == Some(&'{') => {
                quoted.push(char);
                quoted.push(char);
            }
            char if is_plain(char) => quoted.push(char),
            char => {
                let code = u32::from(char);
                let escape = if code <= 0xffff {
                    format!("\\u{code:04x}")
                } else {
                    format!("\\U{code:08x}")
                };
                quoted.push_str(&escape);
            }
        }
    }
    quoted.push('"');
    quoted
}
