//! The syntax of each piece of a text, for coloring. It is found from the neighboring tokens, so a text with syntax errors is
//! colored too.

use std::ops::Range;

use crate::terraform::hcl::Syntax;
use crate::terraform::hcl::lex::{Lexer, Token, TokenKind};

/// The syntax of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Paint {
    /// Operators, brackets, blanks.
    Plain,
    /// A comment.
    Comment,
    /// A word of the language: `for`, `in`, `if`.
    Keyword,
    /// The type of a block.
    BlockType,
    /// A label of a block.
    Label,
    /// The name of an attribute, the key of an object.
    Attribute,
    /// A string, the text of a heredoc.
    String,
    /// An escape sequence in a string or heredoc.
    Escape,
    /// The delimiters of an interpolation or a directive in a string: `${`, `}`.
    Template,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Null,
    /// A name that refers to something.
    Reference,
    /// The name of a function.
    Function,
    /// The replacement text of a secret.
    Secret,
}

/// The innermost structure around a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// A file or a block: statements.
    Body,
    /// An object: keys and values.
    Object,
    /// Brackets, parentheses, an interpolation.
    Other,
}

/// The pieces of a text that are not plain, in order.
pub(super) fn pieces(text: &str, syntax: Syntax) -> Vec<(Range<usize>, Paint)> {
    let tokens: Vec<Token> = Lexer::new(text, syntax).collect();
    match syntax {
        Syntax::Native => Painter::new(text, &tokens).run(),
        Syntax::Json => of_json(text, &tokens),
    }
}

struct Painter<'t> {
    text: &'t str,
    tokens: &'t [Token],
    pieces: Vec<(Range<usize>, Paint)>,
    /// Innermost last.
    inside: Vec<Inside>,
    /// True if a statement or the key of an object may begin here.
    at_start: bool,
    /// True while the header of a block is read.
    in_header: bool,
    /// True if `.` was the last token: an attribute name follows.
    behind_dot: bool,
}

impl<'t> Painter<'t> {
    fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        Self {
            text,
            tokens,
            pieces: Vec::new(),
            inside: Vec::new(),
            at_start: true,
            in_header: false,
            behind_dot: false,
        }
    }

    fn run(mut self) -> Vec<(Range<usize>, Paint)> {
        let tokens = self.tokens;
        for (index, token) in tokens.iter().enumerate() {
            let paint = self.paint(index, token);
            if paint != Paint::Plain {
                self.pieces.push((token.span.clone(), paint));
            }
        }
        self.pieces
    }

    fn inside(&self) -> Inside {
        self.inside.last().copied().unwrap_or(Inside::Body)
    }

    /// The kind and text of the next token after this one that is not a blank or a comment.
    fn behind(&self, index: usize) -> (Option<TokenKind>, &'t str) {
        let mut behind = self.tokens[index + 1..].iter();
        let next =
            behind.find(|token| !matches!(token.kind, TokenKind::Blank | TokenKind::Comment));
        next.map_or((None, ""), |token| {
            (Some(token.kind), &self.text[token.span.clone()])
        })
    }

    fn paint(&mut self, index: usize, token: &Token) -> Paint {
        let (at_start, behind_dot) = (self.at_start, self.behind_dot);
        let is_blank = matches!(token.kind, TokenKind::Blank | TokenKind::Comment);
        if !is_blank {
            self.at_start = false;
            self.behind_dot = false;
        }
        match token.kind {
            TokenKind::Blank => Paint::Plain,
            TokenKind::Comment => Paint::Comment,
            TokenKind::Newline => {
                self.at_start = self.inside() != Inside::Other;
                self.in_header = false;
                Paint::Plain
            }
            TokenKind::Open(byte) => {
                let inside = match (byte, self.in_header) {
                    (b'{', true) => Inside::Body,
                    (b'{', false) => Inside::Object,
                    _ => Inside::Other,
                };
                self.in_header = false;
                self.at_start = inside != Inside::Other;
                self.inside.push(inside);
                Paint::Plain
            }
            TokenKind::Close(_) => {
                self.inside.pop();
                Paint::Plain
            }
            TokenKind::TemplateOpen => {
                self.inside.push(Inside::Other);
                Paint::Template
            }
            TokenKind::TemplateClose => {
                self.inside.pop();
                Paint::Template
            }
            TokenKind::Symbol => {
                let symbol = &self.text[token.span.clone()];
                self.behind_dot = symbol == ".";
                self.at_start = symbol == "," && self.inside() == Inside::Object;
                Paint::Plain
            }
            TokenKind::Number => Paint::Number,
            TokenKind::Escape => Paint::Escape,
            TokenKind::HeredocOpen | TokenKind::HeredocClose => Paint::Keyword,
            TokenKind::QuoteOpen | TokenKind::QuoteClose | TokenKind::Text if self.in_header => {
                Paint::Label
            }
            TokenKind::QuoteOpen | TokenKind::QuoteClose | TokenKind::Text => Paint::String,
            TokenKind::Identifier => self.word(index, token, at_start, behind_dot),
        }
    }

    fn word(&mut self, index: usize, token: &Token, at_start: bool, behind_dot: bool) -> Paint {
        if self.in_header {
            return Paint::Label;
        }
        let (next, next_text) = self.behind(index);
        let is_assigned = next == Some(TokenKind::Symbol) && next_text == "=";
        let is_key = is_assigned || next == Some(TokenKind::Symbol) && next_text == ":";
        match self.inside() {
            Inside::Body if at_start && is_assigned => return Paint::Attribute,
            Inside::Body if at_start => {
                self.in_header = true;
                return Paint::BlockType;
            }
            Inside::Object if at_start && is_key => return Paint::Attribute,
            _ => {}
        }
        if behind_dot {
            return Paint::Reference;
        }
        match &self.text[token.span.clone()] {
            "true" | "false" => Paint::Bool,
            "null" => Paint::Null,
            "for" | "in" | "if" | "else" | "endif" | "endfor" => Paint::Keyword,
            _ if next == Some(TokenKind::Open(b'(')) || next_text == "::" => Paint::Function,
            _ => Paint::Reference,
        }
    }
}

fn of_json(text: &str, tokens: &[Token]) -> Vec<(Range<usize>, Paint)> {
    let mut pieces = Vec::new();
    let mut in_key = false;
    for (index, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::QuoteOpen {
            in_key = is_key(text, &tokens[index..]);
        }
        let paint = match token.kind {
            TokenKind::QuoteOpen | TokenKind::QuoteClose | TokenKind::Text | TokenKind::Escape
                if in_key =>
            {
                Paint::Attribute
            }
            TokenKind::QuoteOpen | TokenKind::QuoteClose | TokenKind::Text => Paint::String,
            TokenKind::Escape => Paint::Escape,
            TokenKind::Number => Paint::Number,
            TokenKind::Identifier => match &text[token.span.clone()] {
                "true" | "false" => Paint::Bool,
                "null" => Paint::Null,
                _ => continue,
            },
            _ => continue,
        };
        pieces.push((token.span.clone(), paint));
    }
    pieces
}

/// True if the string that these tokens begin with is a key.
fn is_key(text: &str, tokens: &[Token]) -> bool {
    let mut behind = tokens[1..]
        .iter()
        .skip_while(|token| matches!(token.kind, TokenKind::Text | TokenKind::Escape));
    let is_closed = behind
        .next()
        .is_some_and(|token| token.kind == TokenKind::QuoteClose);
    let next = behind.find(|token| !matches!(token.kind, TokenKind::Blank | TokenKind::Newline));
    is_closed && next.is_some_and(|token| &text[token.span.clone()] == ":")
}
