//! A position between two tokens, with lookahead. Blanks and comments are skipped.

use std::collections::VecDeque;
use std::ops::Range;

use super::lex::{Lexer, Token, TokenKind};

/// A text and the position in it.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    lexer: Lexer<'t>,
    ahead: VecDeque<Token>,
    /// Byte offset of the end of the last consumed token.
    end: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, lexer: Lexer<'t>) -> Self {
        Self {
            text,
            lexer,
            ahead: VecDeque::new(),
            end: 0,
        }
    }

    /// The token `n` tokens ahead.
    fn ahead(&mut self, n: usize) -> Option<&Token> {
        while self.ahead.len() <= n {
            let is_significant =
                |token: &Token| !matches!(token.kind, TokenKind::Blank | TokenKind::Comment);
            let next = self.lexer.find(is_significant)?;
            self.ahead.push_back(next);
        }
        self.ahead.get(n)
    }

    /// The kind of the next token; `None` at the end.
    pub(super) fn peek(&mut self) -> Option<TokenKind> {
        self.ahead(0).map(|token| token.kind)
    }

    /// The kind and the text of the token `n` tokens ahead; `None` past the end.
    pub(super) fn peek_at(&mut self, n: usize) -> Option<(TokenKind, &'t str)> {
        let text = self.text;
        self.ahead(n)
            .map(|token| (token.kind, &text[token.span.clone()]))
    }

    /// Consumes the next token.
    pub(super) fn take(&mut self) -> Option<Token> {
        self.ahead(0)?;
        let token = self.ahead.pop_front()?;
        self.end = token.span.end;
        Some(token)
    }

    /// Consumes the next token if it is of this kind.
    pub(super) fn take_if(&mut self, kind: TokenKind) -> Option<Token> {
        if self.peek() == Some(kind) {
            self.take()
        } else {
            None
        }
    }

    /// True if the next token is this symbol.
    pub(super) fn is_at(&mut self, symbol: &str) -> bool {
        self.peek_at(0) == Some((TokenKind::Symbol, symbol))
    }

    /// Consumes the next token if it is this symbol.
    pub(super) fn take_symbol(&mut self, symbol: &str) -> bool {
        let is_it = self.is_at(symbol);
        if is_it {
            self.take();
        }
        is_it
    }

    /// Consumes the next token if it is an identifier.
    pub(super) fn identifier(&mut self) -> Option<(&'t str, Range<usize>)> {
        let token = self.take_if(TokenKind::Identifier)?;
        Some((&self.text[token.span.clone()], token.span))
    }

    /// Skips newlines.
    pub(super) fn skip_newlines(&mut self) {
        while self.take_if(TokenKind::Newline).is_some() {}
    }

    /// Byte offset of the start of the next token, or of the end of the text.
    pub(super) fn start(&mut self) -> usize {
        let length = self.text.len();
        self.ahead(0).map_or(length, |token| token.span.start)
    }

    /// Byte offset of the end of the last consumed token.
    pub(super) fn end(&self) -> usize {
        self.end
    }
}
