//! The grammar of the specification.
//!
//! ```text
//! urn = "urn:pulumi:" string "::" string "::" [ type "$" ] type "::" string
//! type = identifier ":" [ identifier ":" ] identifier
//! ```

use super::{PREFIX, Parts};
use crate::text;

/// The place and the reason at which a text breaks the grammar of URNs.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected} at column {column}, found {found}")]
pub struct ParseError {
    /// Byte offset in the text.
    pub offset: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The syntax that was expected.
    pub expected: &'static str,
    /// The character there in backquotes, or `the end`.
    pub found: String,
}

/// The parts of a URN that follows the grammar to the letter.
///
/// # Errors
///
/// At the first character that the grammar does not allow.
pub fn parse_strict(text: &str) -> Result<Parts<'_>, ParseError> {
    let mut scanner = Scanner { text, at: 0 };
    scanner.literal(PREFIX, "`urn:pulumi:`")?;
    let stack = scanner.string();
    scanner.literal("::", "`::` and a project")?;
    let project = scanner.string();
    scanner.literal("::", "`::` and a type")?;
    let start = scanner.at;
    scanner.type_token()?;
    if scanner.take("$") {
        scanner.type_token()?;
    }
    let qualified_type = &text[start..scanner.at];
    scanner.literal("::", "`::` and a name")?;
    let name = scanner.string();
    if scanner.at < text.len() {
        return Err(scanner.error("a name without `::`"));
    }
    Ok(Parts {
        stack,
        project,
        qualified_type,
        name,
    })
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error(&self, expected: &'static str) -> ParseError {
        let found = text::found(self.rest().as_bytes());
        ParseError {
            offset: self.at,
            column: text::column(self.text, self.at),
            expected,
            found: found.unwrap_or_else(|| "the end".to_owned()),
        }
    }

    fn take(&mut self, literal: &str) -> bool {
        let taken = self.rest().starts_with(literal);
        if taken {
            self.at += literal.len();
        }
        taken
    }

    fn literal(&mut self, literal: &str, expected: &'static str) -> Result<(), ParseError> {
        if self.take(literal) {
            Ok(())
        } else {
            Err(self.error(expected))
        }
    }

    /// Everything up to the next `::` or the end.
    fn string(&mut self) -> &'t str {
        let rest = self.rest();
        let string = &rest[..rest.find("::").unwrap_or(rest.len())];
        self.at += string.len();
        string
    }

    fn type_token(&mut self) -> Result<(), ParseError> {
        self.identifier("the package of a type")?;
        self.literal(":", "a letter, a digit, `_` or `:`")?;
        self.identifier("a module or a type")?;
        // One colon goes on with the type, two end it.
        if self.rest().starts_with(':') && !self.rest().starts_with("::") {
            self.at += 1;
            self.identifier("a type")?;
        }
        Ok(())
    }

    fn identifier(&mut self, expected: &'static str) -> Result<(), ParseError> {
        if !self.rest().starts_with(char::is_alphabetic) {
            return Err(self.error(expected));
        }
        let rest = self.rest();
        let end = rest.find(|char: char| !char.is_alphanumeric() && char != '_');
        self.at += end.unwrap_or(rest.len());
        Ok(())
    }
}
