//! The parsers of the newer language and of the tolerant spelling.

use std::sync::Arc;

use super::{Glob, GlobSegment};
use crate::text::{self, ParseError, Scanner};

/// The error for a splat in the text of a path; `n_before` steps come before it.
pub(super) fn splat(text: &str, n_before: usize) -> ParseError {
    let mut scanner = Scanner::new(text);
    for _ in 0..n_before {
        // These steps have been read before.
        _ = strict_segment(&mut scanner);
    }
    scanner.take_until("*");
    scanner.error("a key or an index")
}

/// A glob of the newer language.
pub(super) fn glob(text: &str) -> Result<Glob, ParseError> {
    let mut scanner = Scanner::new(text);
    if text.is_empty() {
        return Err(scanner.error("a key or `[`"));
    }
    let mut segments = Vec::new();
    while !scanner.is_at_end() {
        segments.push(strict_segment(&mut scanner)?);
    }
    Ok(Glob(segments))
}

/// A glob in the tolerant spelling.
pub(super) fn tolerant(text: &str) -> Result<Glob, ParseError> {
    let mut scanner = Scanner::new(text);
    let mut segments = Vec::new();
    if let Some(rest) = text.strip_prefix("root")
        && (rest.is_empty() || rest.starts_with(['.', '[']))
    {
        scanner.take("root");
    }
    while !scanner.is_at_end() {
        segments.push(tolerant_segment(&mut scanner, segments.is_empty())?);
    }
    Ok(Glob(segments))
}

fn strict_segment(scanner: &mut Scanner<'_>) -> Result<GlobSegment, ParseError> {
    let is_first = scanner.offset() == 0;
    if scanner.rest().starts_with('[') {
        return bracket(scanner, Quotes::Go);
    }
    if scanner.take(".") {
        if scanner.take("*") {
            return Ok(GlobSegment::Splat);
        }
        return identifier(scanner, "a letter, `_` or `*`");
    }
    if !is_first {
        return Err(scanner.error("`.` or `[`"));
    }
    if scanner.take("*") {
        return Ok(GlobSegment::Splat);
    }
    identifier(scanner, "a letter, `_`, `*` or `[`")
}

fn identifier(
    scanner: &mut Scanner<'_>,
    expected: &'static str,
) -> Result<GlobSegment, ParseError> {
    let start = scanner.offset();
    let name = scanner.take_while(|char| char.is_ascii_alphanumeric() || char == '_');
    if name.is_empty() || name.starts_with(|char: char| char.is_ascii_digit()) {
        return Err(scanner.error_at(start, expected));
    }
    Ok(GlobSegment::Key(name.into()))
}

fn tolerant_segment(scanner: &mut Scanner<'_>, is_first: bool) -> Result<GlobSegment, ParseError> {
    let has_dot = !scanner.take_while(|char| char == '.').is_empty();
    if has_dot && scanner.is_at_end() {
        return Err(scanner.error("a key"));
    }
    if scanner.rest().starts_with('[') {
        return bracket(scanner, Quotes::Either);
    }
    if !has_dot && !is_first {
        return Err(scanner.error("`.` or `[`"));
    }
    Ok(
        match scanner.take_while(|char| !matches!(char, '.' | '[')) {
            "*" => GlobSegment::Splat,
            "**" => GlobSegment::Deep,
            name => GlobSegment::Key(name.into()),
        },
    )
}

/// `[3]`, `[*]`, `["…"]`.
fn bracket(scanner: &mut Scanner<'_>, quotes: Quotes) -> Result<GlobSegment, ParseError> {
    scanner.take("[");
    let inside = scanner.offset();
    let digits = scanner.take_while(|char| char.is_ascii_digit());
    let segment = if !digits.is_empty() {
        let index = digits.parse::<i64>().ok();
        let index = index.and_then(|index| usize::try_from(index).ok());
        let too_large = || scanner.error_at(inside, "an index below 2^63");
        GlobSegment::Index(index.ok_or_else(too_large)?)
    } else if scanner.take("*") {
        GlobSegment::Splat
    } else if scanner.take("\"") {
        GlobSegment::Key(quoted(scanner, '"', quotes)?)
    } else if quotes == Quotes::Either && scanner.take("'") {
        GlobSegment::Key(quoted(scanner, '\'', quotes)?)
    } else {
        return Err(scanner.error("an index, `*` or `\"`"));
    };
    scanner.expect("]", "`]`")?;
    Ok(segment)
}

/// The key after an opening quote, and its closing quote.
fn quoted(scanner: &mut Scanner<'_>, quote: char, quotes: Quotes) -> Result<Arc<str>, ParseError> {
    let start = scanner.offset();
    loop {
        scanner.take_while(|char| char != quote && char != '\\');
        if !scanner.take("\\") {
            break;
        }
        let escaped = scanner.rest().chars().next().map_or(0, char::len_utf8);
        scanner.seek(scanner.offset() + escaped);
    }
    let inside = &scanner.text()[start..scanner.offset()];
    if scanner.is_at_end() {
        return Err(scanner.error("a closing quote"));
    }
    scanner.seek(scanner.offset() + quote.len_utf8());
    match (text::unquote(inside), quotes) {
        (Ok(key), _) => Ok(key.into()),
        // In the older language a lone backslash is a backslash.
        (Err(_), Quotes::Either) => Ok(inside
            .replace(&format!("\\{quote}"), &quote.to_string())
            .into()),
        (Err(at), Quotes::Go) => {
            Err(scanner.error_at(start + at, "a character or an escape of Go"))
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    Go,
    Either,
}
