//! The parsers of the newer language and of the tolerant spelling.

use std::sync::Arc;

use super::{Glob, GlobSegment};
use crate::text;

/// The place and the reason at which a text is not a path.
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
    /// Length in bytes of the longest prefix that is a whole path. It may be shown while the rest is being typed.
    pub valid: usize,
}

impl ParseError {
    pub(crate) fn at(text: &str, offset: usize, valid: usize, expected: &'static str) -> Self {
        let found = text::found(&text.as_bytes()[offset..]);
        Self {
            offset,
            column: text::column(text, offset),
            expected,
            found: found.unwrap_or_else(|| "the end".to_owned()),
            valid,
        }
    }
}

/// The error for a splat in the text of a path; `n_before` steps come before it.
pub(super) fn splat(text: &str, n_before: usize) -> ParseError {
    let mut parser = Parser::new(text);
    for _ in 0..n_before {
        // These steps have been read before.
        _ = parser.strict_segment();
    }
    let start = parser.at;
    let star = start + text[start..].find('*').unwrap_or(0);
    ParseError::at(text, star, start, "a key or an index")
}

/// A glob of the newer language.
pub(super) fn glob(text: &str) -> Result<Glob, ParseError> {
    let mut parser = Parser::new(text);
    parser.nonempty()?;
    let mut segments = Vec::new();
    while parser.at < text.len() {
        segments.push(parser.strict_segment()?);
        parser.valid = parser.at;
    }
    Ok(Glob(segments))
}

/// A glob in the tolerant spelling.
pub(super) fn tolerant(text: &str) -> Result<Glob, ParseError> {
    let mut parser = Parser::new(text);
    let mut segments = Vec::new();
    if let Some(rest) = text.strip_prefix("root")
        && (rest.is_empty() || rest.starts_with(['.', '[']))
    {
        parser.at = "root".len();
        parser.valid = parser.at;
    }
    while parser.at < text.len() {
        segments.push(parser.tolerant_segment(segments.is_empty())?);
        parser.valid = parser.at;
    }
    Ok(Glob(segments))
}

struct Parser<'t> {
    text: &'t str,
    /// Byte offset of the next character.
    at: usize,
    /// Length in bytes of the prefix that is known to be a whole path.
    valid: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            valid: 0,
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error(&self, offset: usize, expected: &'static str) -> ParseError {
        ParseError::at(self.text, offset, self.valid, expected)
    }

    fn nonempty(&self) -> Result<(), ParseError> {
        if self.text.is_empty() {
            Err(self.error(0, "a key or `[`"))
        } else {
            Ok(())
        }
    }

    fn strict_segment(&mut self) -> Result<GlobSegment, ParseError> {
        let is_first = self.at == 0;
        match self.rest().as_bytes()[0] {
            b'[' => self.bracket(Quotes::Go),
            b'.' => {
                self.at += 1;
                if self.rest().starts_with('*') {
                    self.at += 1;
                    return Ok(GlobSegment::Splat);
                }
                self.identifier("a letter, `_` or `*`")
            }
            b'*' if is_first => {
                self.at += 1;
                Ok(GlobSegment::Splat)
            }
            _ if is_first => self.identifier("a letter, `_`, `*` or `[`"),
            _ => Err(self.error(self.at, "`.` or `[`")),
        }
    }

    fn identifier(&mut self, expected: &'static str) -> Result<GlobSegment, ParseError> {
        let rest = self.rest();
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.bytes().take_while(|byte| is_plain(byte)).count();
        if length == 0 || rest.as_bytes()[0].is_ascii_digit() {
            return Err(self.error(self.at, expected));
        }
        self.at += length;
        Ok(GlobSegment::Key(rest[..length].into()))
    }

    fn tolerant_segment(&mut self, is_first: bool) -> Result<GlobSegment, ParseError> {
        if self.rest().starts_with('.') {
            let dots = self.rest().bytes().take_while(|byte| *byte == b'.').count();
            self.at += dots;
            if self.at == self.text.len() {
                return Err(self.error(self.at, "a key"));
            }
        } else if !is_first && !self.rest().starts_with('[') {
            return Err(self.error(self.at, "`.` or `[`"));
        }
        if self.rest().starts_with('[') {
            return self.bracket(Quotes::Either);
        }
        let rest = self.rest();
        let name = &rest[..rest.find(['.', '[']).unwrap_or(rest.len())];
        self.at += name.len();
        Ok(match name {
            "*" => GlobSegment::Splat,
            "**" => GlobSegment::Deep,
            name => GlobSegment::Key(name.into()),
        })
    }

    /// `[3]`, `[*]`, `["…"]`.
    fn bracket(&mut self, quotes: Quotes) -> Result<GlobSegment, ParseError> {
        let inside = self.at + 1;
        let rest = &self.text[inside..];
        let (segment, end) = match rest.bytes().next() {
            Some(b'0'..=b'9') => {
                let length = rest.bytes().take_while(u8::is_ascii_digit).count();
                let index = rest[..length].parse::<i64>().ok();
                let index = index.and_then(|index| usize::try_from(index).ok());
                let index = index.ok_or_else(|| self.error(inside, "an index below 2^63"))?;
                (GlobSegment::Index(index), inside + length)
            }
            Some(b'*') => (GlobSegment::Splat, inside + 1),
            Some(quote @ (b'"' | b'\'')) if quote == b'"' || quotes == Quotes::Either => {
                let (key, end) = self.quoted(inside, quote, quotes)?;
                (GlobSegment::Key(key), end)
            }
            _ => return Err(self.error(inside, "an index, `*` or `\"`")),
        };
        if !self.text[end..].starts_with(']') {
            return Err(self.error(end, "`]`"));
        }
        self.at = end + 1;
        Ok(segment)
    }

    /// The key whose opening quote is at `start`, and the byte offset after its closing quote.
    fn quoted(
        &self,
        start: usize,
        quote: u8,
        quotes: Quotes,
    ) -> Result<(Arc<str>, usize), ParseError> {
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        loop {
            match bytes.get(end) {
                None => return Err(self.error(self.text.len(), "a closing quote")),
                Some(byte) if *byte == quote => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        let inside = &self.text[start + 1..end];
        let key = match (text::unquote(inside), quotes) {
            (Ok(key), _) => key,
            // In the older language a lone backslash is a backslash.
            (Err(_), Quotes::Either) => {
                let quote = char::from(quote);
                inside.replace(&format!("\\{quote}"), &quote.to_string())
            }
            (Err(at), Quotes::Go) => {
                return Err(self.error(start + 1 + at, "a character or an escape of Go"));
            }
        };
        Ok((key.into(), end + 1))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    Go,
    Either,
}
