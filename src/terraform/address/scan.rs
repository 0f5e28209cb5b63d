//! The tokens of addresses: names, dots, keys in brackets.
//!
//! # Source
//!
//! hashicorp/hcl v2 `hclsyntax` traversals: identifiers are those of Unicode, and may contain `-`. Keys are numbers or quoted
//! templates without interpolation.

use unicode_normalization::UnicodeNormalization;

/// An instance key. Numbers sort before texts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    /// An instance of `count`.
    Number(u64),
    /// An instance of `for_each`.
    Text(String),
}

/// A parse error of an address.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected} at column {column}")]
pub struct ParseError {
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The expected token.
    pub expected: &'static str,
}

pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    /// Position of the next token.
    pub(super) fn start(&mut self) -> usize {
        self.skip_space();
        self.at
    }

    pub(super) fn error_at(&self, at: usize, expected: &'static str) -> ParseError {
        ParseError {
            column: crate::text::column(self.text, at),
            expected,
        }
    }

    fn error(&self, expected: &'static str) -> ParseError {
        self.error_at(self.at, expected)
    }

    /// Parses a name.
    pub(super) fn name(&mut self, expected: &'static str) -> Result<String, ParseError> {
        self.skip_space();
        let rest = self.rest();
        let starts = |char: char| char.is_alphabetic() || char == '_';
        if !rest.starts_with(starts) {
            return Err(self.error(expected));
        }
        let length = rest
            .find(|char: char| !(char.is_alphanumeric() || matches!(char, '_' | '-')))
            .unwrap_or(rest.len());
        self.at += length;
        Ok(rest[..length].to_owned())
    }

    /// Consumes the name `word` if it is next.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let before = self.at;
        if self.name(".").is_ok_and(|name| name == word) {
            return true;
        }
        self.at = before;
        false
    }

    pub(super) fn dot(&mut self) -> Result<(), ParseError> {
        self.take('.')
            .then_some(())
            .ok_or_else(|| self.error("`.`"))
    }

    pub(super) fn take(&mut self, char: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(char);
        if found {
            self.at += char.len_utf8();
        }
        found
    }

    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        self.skip_space();
        if self.rest().is_empty() {
            Ok(())
        } else {
            Err(self.error("the end"))
        }
    }

    /// Parses a key in brackets; `None` if the next token is not a bracket.
    pub(super) fn key(&mut self) -> Result<Option<Key>, ParseError> {
        if !self.take('[') {
            return Ok(None);
        }
        self.skip_space();
        let key = if self.rest().starts_with('"') {
            Key::Text(self.quoted()?)
        } else {
            Key::Number(self.number()?)
        };
        if self.take(']') {
            Ok(Some(key))
        } else {
            Err(self.error("`]`"))
        }
    }

    /// Parses a whole number in any notation.
    fn number(&mut self) -> Result<u64, ParseError> {
        let rest = self.rest();
        let length = rest
            .find(|char: char| !(char.is_ascii_alphanumeric() || char == '.'))
            .unwrap_or(rest.len());
        let digits = rest[..length].trim_start_matches('0');
        let digits = if digits.is_empty() && length > 0 {
            "0"
        } else {
            digits
        };
        let number = crate::value::Number::exact(digits)
            .filter(|_| rest.starts_with(|char: char| char.is_ascii_digit()))
            .and_then(|number| number.to_i64())
            .and_then(|number| u64::try_from(number).ok());
        match number {
            Some(number) => {
                self.at += length;
                Ok(number)
            }
            None => Err(self.error("a whole number or a quoted text")),
        }
    }

    /// Parses a quoted template without interpolation.
    pub(super) fn quoted(&mut self) -> Result<String, ParseError> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = self.rest();
            let Some(char) = rest.chars().next() else {
                return Err(self.error("the `\"` that ends the text"));
            };
            match char {
                '"' => {
                    self.at += 1;
                    return Ok(text.nfc().collect());
                }
                '\n' | '\r' => return Err(self.error("no line break")),
                '\\' => text.push(self.escape()?),
                '$' | '%' if rest[1..].starts_with('{') => {
                    return Err(self.error("no interpolation"));
                }
                '$' | '%' if rest[1..].starts_with(char) && rest[2..].starts_with('{') => {
                    text.push(char);
                    text.push('{');
                    self.at += 3;
                }
                char => {
                    text.push(char);
                    self.at += char.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let rest = self.rest();
        let (char, length) = match rest[1..].chars().next() {
            Some('n') => ('\n', 2),
            Some('r') => ('\r', 2),
            Some('t') => ('\t', 2),
            Some('"') => ('"', 2),
            Some('\\') => ('\\', 2),
            Some('u') => (self.code(&rest[2..], 4)?, 6),
            Some('U') => (self.code(&rest[2..], 8)?, 10),
            _ => return Err(self.error("an escape")),
        };
        self.at += length;
        Ok(char)
    }

    fn code(&self, digits: &str, length: usize) -> Result<char, ParseError> {
        digits
            .get(..length)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .and_then(char::from_u32)
            .ok_or_else(|| self.error("a code point"))
    }
}
