//! The tokens of addresses: names, dots, keys in brackets.
//!
//! # Source
//!
//! hashicorp/hcl v2 `hclsyntax` traversals: identifiers are those of Unicode, and may contain `-`. Keys are numbers or quoted
//! templates without interpolation.

use unicode_normalization::UnicodeNormalization;

use crate::terraform::quoting::{escape, identifier};
use crate::text::{ParseError, Scanner};

/// An instance key. Numbers sort before texts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// An instance of `count`.
    Number(u64),
    /// An instance of `for_each`.
    Text(String),
}

/// A scanner that skips spaces and tabs before each token.
pub(super) struct Scan<'t>(Scanner<'t>);

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self(Scanner::new(text))
    }

    fn skip_space(&mut self) {
        self.0.take_while(|char| matches!(char, ' ' | '\t'));
    }

    /// Position of the next token.
    pub(super) fn start(&mut self) -> usize {
        self.skip_space();
        self.0.offset()
    }

    pub(super) fn error_at(&self, at: usize, expected: &'static str) -> ParseError {
        self.0.error_at(at, expected)
    }

    /// Parses a name.
    pub(super) fn name(&mut self, expected: &'static str) -> Result<String, ParseError> {
        self.skip_space();
        let rest = self.0.rest();
        match identifier(rest) {
            0 => Err(self.0.error(expected)),
            length => {
                self.advance(length);
                Ok(rest[..length].to_owned())
            }
        }
    }

    /// Consumes the name `word` if it is next.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let before = self.0.offset();
        let is_next = self.name(".").is_ok_and(|name| name == word);
        if !is_next {
            self.0.seek(before);
        }
        is_next
    }

    /// Consumes `literal` if it is next.
    pub(super) fn take(&mut self, literal: &str) -> bool {
        self.skip_space();
        self.0.take(literal)
    }

    /// Consumes `literal`, which has to be next.
    pub(super) fn expect(
        &mut self,
        literal: &str,
        expected: &'static str,
    ) -> Result<(), ParseError> {
        self.skip_space();
        self.0.expect(literal, expected)
    }

    pub(super) fn dot(&mut self) -> Result<(), ParseError> {
        self.expect(".", "`.`")
    }

    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        self.skip_space();
        let is_at_end = self.0.is_at_end();
        is_at_end
            .then_some(())
            .ok_or_else(|| self.0.error("the end"))
    }

    /// Parses a key in brackets; `None` if the next token is not a bracket.
    pub(super) fn key(&mut self) -> Result<Option<Key>, ParseError> {
        if !self.take("[") {
            return Ok(None);
        }
        self.skip_space();
        let key = if self.0.rest().starts_with('"') {
            Key::Text(self.quoted()?)
        } else {
            Key::Number(self.number()?)
        };
        self.expect("]", "`]`")?;
        Ok(Some(key))
    }

    /// Parses a whole number in any notation.
    fn number(&mut self) -> Result<u64, ParseError> {
        let start = self.0.offset();
        let is_part = |char: char| char.is_ascii_alphanumeric() || char == '.';
        let written = self.0.take_while(is_part);
        let digits = match written.trim_start_matches('0') {
            "" if !written.is_empty() => "0",
            digits => digits,
        };
        crate::value::Number::exact(digits)
            .filter(|_| written.starts_with(|char: char| char.is_ascii_digit()))
            .and_then(|number| number.to_i64())
            .and_then(|number| u64::try_from(number).ok())
            .ok_or_else(|| self.error_at(start, "a whole number or a quoted text"))
    }

    fn advance(&mut self, length: usize) {
        self.0.seek(self.0.offset() + length);
    }

    /// Parses a quoted template without interpolation.
    pub(super) fn quoted(&mut self) -> Result<String, ParseError> {
        let mut text = String::new();
        self.advance(1);
        loop {
            let rest = self.0.rest();
            let Some(char) = rest.chars().next() else {
                return Err(self.0.error("the `\"` that ends the text"));
            };
            match char {
                '"' => {
                    self.advance(1);
                    let is_composed = text.is_ascii();
                    return Ok(if is_composed {
                        text
                    } else {
                        text.nfc().collect()
                    });
                }
                '\n' | '\r' => return Err(self.0.error("a closing quote")),
                '\\' => text.push(self.escape()?),
                '$' | '%' if rest[1..].starts_with('{') => {
                    return Err(self.0.error("a literal `$` or `%`"));
                }
                '$' | '%' if rest[1..].starts_with(char) && rest[2..].starts_with('{') => {
                    text.push(char);
                    text.push('{');
                    self.advance(3);
                }
                char => {
                    text.push(char);
                    self.advance(char.len_utf8());
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        match escape(self.0.rest()) {
            (Some(char), length) => {
                self.advance(length);
                Ok(char)
            }
            (None, 0) => Err(self.0.error("an escape")),
            (None, _) => Err(self.0.error("a code point")),
        }
    }
}
