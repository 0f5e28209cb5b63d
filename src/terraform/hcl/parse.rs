//! Bodies of the native syntax: attributes and blocks.

use std::borrow::Cow;

use super::cursor::Cursor;
use super::expression::{self, Unclear};
use super::lex::{Lexer, TokenKind};
use super::{Attribute, Block, Body, File, Syntax};

/// Maximum nesting depth of blocks.
const MAX_DEPTH: usize = 64;

/// Parses a file up to the first parse error.
pub(super) fn file(text: &str) -> File<'_> {
    let mut cursor = Cursor::new(text, Lexer::new(text, Syntax::Native));
    let mut top = Body::default();
    let outcome = body(&mut cursor, &mut top, 0);
    File {
        body: top,
        is_whole: outcome.is_ok() && cursor.peek().is_none(),
        end: cursor.start(),
    }
}

/// Reads up to the closing bracket of the body, or to the end. Everything before an error is kept.
fn body<'t>(cursor: &mut Cursor<'t>, into: &mut Body<'t>, depth: usize) -> Result<(), Unclear> {
    if depth > MAX_DEPTH {
        return Err(Unclear);
    }
    loop {
        cursor.skip_newlines();
        if matches!(cursor.peek(), None | Some(TokenKind::Close(b'}'))) {
            return Ok(());
        }
        let (name, span) = cursor.identifier().ok_or(Unclear)?;
        if cursor.take_symbol("=") {
            let expression = expression::of_line(cursor)?;
            into.attributes.push(Attribute {
                name: Cow::Borrowed(name),
                span: span.start..cursor.end(),
                expression,
            });
            continue;
        }
        let mut block = Block {
            kind: Cow::Borrowed(name),
            labels: Vec::new(),
            span: span.clone(),
            body: Body::default(),
        };
        while cursor.take_if(TokenKind::Open(b'{')).is_none() {
            block.labels.push(Cow::Borrowed(label(cursor)?));
        }
        let inner = body(cursor, &mut block.body, depth + 1);
        let closed = cursor.take_if(TokenKind::Close(b'}'));
        block.span.end = cursor.end();
        into.blocks.push(block);
        inner?;
        closed.ok_or(Unclear)?;
    }
}

/// The label of a block: an identifier, or a plain string.
fn label<'t>(cursor: &mut Cursor<'t>) -> Result<&'t str, Unclear> {
    match cursor.identifier() {
        Some((name, _)) => Ok(name),
        None => plain_string(cursor),
    }
}

/// A string without escapes and interpolations, which names never have.
fn plain_string<'t>(cursor: &mut Cursor<'t>) -> Result<&'t str, Unclear> {
    cursor.take_if(TokenKind::QuoteOpen).ok_or(Unclear)?;
    let text = cursor.take_if(TokenKind::Text);
    cursor.take_if(TokenKind::QuoteClose).ok_or(Unclear)?;
    Ok(text.map_or("", |text| &cursor.text[text.span]))
}
