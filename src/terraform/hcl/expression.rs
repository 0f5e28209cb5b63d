//! Expressions: their end, their references and their literals.

use std::borrow::Cow;
use std::ops::Range;

use super::cursor::Cursor;
use super::lex::{Lexer, TokenKind};
use super::literal::Form;
use super::{Expression, Literal, Traversal, Traverser};

/// Maximum nesting depth of brackets and templates.
const MAX_DEPTH: usize = 256;

/// Maximum number of steps of a reference that are kept.
const MAX_STEPS: usize = 64;

/// A parse error.
pub(super) struct Unclear;

/// The end of a stretch of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The end of the line, or a bracket that closes the block. Neither is consumed.
    Line,
    /// The end of the text.
    Text,
    /// This bracket, which is consumed.
    Bracket(u8),
    /// The closing bracket of an interpolation, which is consumed.
    Template,
}

/// The expression after `=`, up to the end of its line.
pub(super) fn of_line<'t>(cursor: &mut Cursor<'t>) -> Result<Expression<'t>, Unclear> {
    read(cursor, End::Line)
}

/// The references in a text that is an expression; empty if it cannot be parsed.
pub(super) fn of_text(text: &str) -> Vec<Traversal<'_>> {
    let mut cursor = Cursor::new(text, Lexer::new(text, super::Syntax::Native));
    let read = read(&mut cursor, End::Text);
    read.map_or_else(|_| Vec::new(), |expression| expression.references)
}

/// The references in a text that is a template without quotes; empty if it cannot be parsed.
pub(super) fn of_template(text: &str) -> Vec<Traversal<'_>> {
    if !text.contains("${") && !text.contains("%{") {
        return Vec::new();
    }
    let mut cursor = Cursor::new(text, Lexer::of_template(text));
    let mut reader = Reader::new(&mut cursor);
    match reader.template(None, Form::Heredoc) {
        Ok(()) => reader.expression.references,
        Err(Unclear) => Vec::new(),
    }
}

fn read<'t>(cursor: &mut Cursor<'t>, end: End) -> Result<Expression<'t>, Unclear> {
    let start = cursor.start();
    let text = cursor.text;
    let mut reader = Reader::new(cursor);
    reader.stretch(end)?;
    let mut expression = reader.expression;
    expression.text = &text[start..cursor.end().max(start)];
    Ok(expression)
}

struct Reader<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    expression: Expression<'t>,
    /// Names bound by `for`, innermost last.
    bound: Vec<&'t str>,
    /// The innermost object key before the current position.
    key: Option<&'t str>,
    /// True inside the arguments of `sensitive(…)`.
    is_sensitive: bool,
    depth: usize,
}

impl<'c, 't> Reader<'c, 't> {
    fn new(cursor: &'c mut Cursor<'t>) -> Self {
        Self {
            cursor,
            expression: Expression::default(),
            bound: Vec::new(),
            key: None,
            is_sensitive: false,
            depth: 0,
        }
    }

    /// Reads up to `end`.
    fn stretch(&mut self, end: End) -> Result<(), Unclear> {
        if self.depth > MAX_DEPTH {
            return Err(Unclear);
        }
        self.depth += 1;
        let (n_bound, outer_key) = (self.bound.len(), self.key);
        // Number of `?` still waiting for their `:`. Such a `:` does not end a key.
        let mut n_conditions = 0_usize;
        let mut is_first = true;
        let is_object = end == End::Bracket(b'}');
        loop {
            match self.cursor.peek() {
                None if matches!(end, End::Line | End::Text) => break,
                Some(TokenKind::Newline | TokenKind::Close(b'}')) if end == End::Line => break,
                Some(TokenKind::Newline) => {
                    self.cursor.take();
                    if is_object {
                        self.key = outer_key;
                    }
                    continue;
                }
                Some(TokenKind::Close(byte)) if end == End::Bracket(byte) => {
                    self.cursor.take();
                    break;
                }
                Some(TokenKind::TemplateClose) if end == End::Template => {
                    self.cursor.take();
                    break;
                }
                None | Some(TokenKind::Close(_) | TokenKind::TemplateClose) => return Err(Unclear),
                Some(TokenKind::Open(open)) => {
                    self.cursor.take();
                    self.stretch(End::Bracket(closing(open)))?;
                    self.behind_value();
                }
                Some(TokenKind::QuoteOpen) => self.string(is_object, n_conditions > 0)?,
                Some(TokenKind::HeredocOpen) => {
                    self.cursor.take();
                    self.template(Some(TokenKind::HeredocClose), Form::Heredoc)?;
                }
                Some(TokenKind::Number) => self.literal(Form::Number),
                Some(TokenKind::Identifier) => self.word(end, is_first, n_conditions > 0)?,
                Some(_) => {
                    let symbol = self.cursor.peek_at(0).map_or("", |(_, text)| text);
                    match symbol {
                        "?" => n_conditions += 1,
                        ":" => n_conditions = n_conditions.saturating_sub(1),
                        "," if is_object => self.key = outer_key,
                        _ => {}
                    }
                    self.cursor.take();
                }
            }
            is_first = false;
        }
        self.bound.truncate(n_bound);
        self.key = outer_key;
        self.depth -= 1;
        Ok(())
    }

    /// A string. In an object it may be a key.
    fn string(&mut self, is_object: bool, in_condition: bool) -> Result<(), Unclear> {
        self.cursor.take();
        let n_before = self.expression.literals.len();
        self.template(Some(TokenKind::QuoteClose), Form::Quoted)?;
        if is_object && self.is_before_value(in_condition) {
            let mut literals = self.expression.literals[n_before..].iter();
            if let Some(literal) = literals.next() {
                self.key = Some(literal.text);
            }
        }
        self.behind_value();
        Ok(())
    }

    /// True if the next token makes the preceding string a key.
    fn is_before_value(&mut self, in_condition: bool) -> bool {
        self.cursor.is_at("=") || self.cursor.is_at(":") && !in_condition
    }

    /// Consumes the next token as a literal.
    fn literal(&mut self, form: Form) {
        if let Some(token) = self.cursor.take() {
            self.add_literal(token.span, form);
        }
    }

    fn add_literal(&mut self, span: Range<usize>, form: Form) {
        self.expression.literals.push(Literal {
            key: self.key.map(Cow::Borrowed),
            is_sensitive: self.is_sensitive,
            ..Literal::new(self.cursor.text, span, form)
        });
    }

    /// A name: a keyword, a key, a function, or the root of a reference.
    fn word(&mut self, end: End, is_first: bool, in_condition: bool) -> Result<(), Unclear> {
        let name = self.cursor.peek_at(0).map_or("", |(_, text)| text);
        let is_object = end == End::Bracket(b'}');
        if name == "for" && is_first && (is_object || end == End::Bracket(b']')) {
            self.cursor.take();
            return self.binding();
        }
        if is_object && !self.bound.contains(&name) {
            let behind = self.cursor.peek_at(1);
            let is_key = behind == Some((TokenKind::Symbol, "="))
                || behind == Some((TokenKind::Symbol, ":")) && !in_condition;
            if is_key {
                self.cursor.take();
                self.key = Some(name);
                return Ok(());
            }
        }
        if matches!(name, "true" | "false") {
            self.literal(Form::Bool);
            return Ok(());
        }
        self.cursor.take();
        if matches!(name, "null" | "in" | "if") {
            return Ok(());
        }
        if self.cursor.peek() == Some(TokenKind::Open(b'(')) {
            return self.call(name);
        }
        if self.cursor.is_at("::") {
            return Ok(());
        }
        let mut traversal = Traversal {
            root: Cow::Borrowed(name),
            steps: Vec::new(),
        };
        self.steps(&mut traversal)?;
        traversal.steps.truncate(MAX_STEPS);
        if !self.bound.contains(&name) && !traversal.steps.is_empty() {
            self.expression.references.push(traversal);
        }
        Ok(())
    }

    /// The arguments of a function call.
    fn call(&mut self, function: &str) -> Result<(), Unclear> {
        self.cursor.take();
        let outer = self.is_sensitive;
        self.is_sensitive |= function == "sensitive";
        self.stretch(End::Bracket(b')'))?;
        self.is_sensitive = outer;
        self.behind_value();
        Ok(())
    }

    /// The names bound by a `for`: `for key, value in`.
    fn binding(&mut self) -> Result<(), Unclear> {
        loop {
            self.cursor.skip_newlines();
            let (name, _) = self.cursor.identifier().ok_or(Unclear)?;
            self.bound.push(name);
            self.cursor.skip_newlines();
            if !self.cursor.take_symbol(",") {
                break;
            }
        }
        match self.cursor.identifier() {
            Some(("in", _)) => Ok(()),
            _ => Err(Unclear),
        }
    }

    /// The steps after the root of a reference.
    fn steps(&mut self, traversal: &mut Traversal<'t>) -> Result<(), Unclear> {
        loop {
            if self.cursor.is_at(".") {
                let behind = self.cursor.peek_at(1);
                match behind {
                    Some((TokenKind::Identifier, name)) => {
                        let step = Traverser::Attribute(Cow::Borrowed(name));
                        traversal.steps.push(step);
                    }
                    // `.0`, or `.0.1`, which looks like a number with a fraction.
                    Some((TokenKind::Number, digits)) => {
                        let numbers = digits.split('.');
                        let steps = numbers.map(|digits| Traverser::Number(Cow::Borrowed(digits)));
                        traversal.steps.extend(steps);
                    }
                    Some((TokenKind::Symbol, "*")) => {
                        self.behind_value();
                        return Ok(());
                    }
                    _ => return Err(Unclear),
                }
                self.cursor.take();
                self.cursor.take();
            } else if self.cursor.peek() == Some(TokenKind::Open(b'[')) {
                if let Some((step, n_tokens)) = self.constant_index() {
                    for _ in 0..n_tokens {
                        self.cursor.take();
                    }
                    traversal.steps.push(step);
                    continue;
                }
                self.cursor.take();
                self.stretch(End::Bracket(b']'))?;
                self.behind_value();
                return Ok(());
            } else {
                return Ok(());
            }
        }
    }

    /// The constant index `[0]` or `["key"]` at the current position, and its number of tokens; `None` if there is no such index.
    fn constant_index(&mut self) -> Option<(Traverser<'t>, usize)> {
        const CLOSE: Option<TokenKind> = Some(TokenKind::Close(b']'));
        let mut kind = |n: usize| self.cursor.peek_at(n).map(|(kind, _)| kind);
        let of_text = kind(1) == Some(TokenKind::QuoteOpen)
            && kind(2) == Some(TokenKind::Text)
            && kind(3) == Some(TokenKind::QuoteClose)
            && kind(4) == CLOSE;
        let of_number = kind(1) == Some(TokenKind::Number) && kind(2) == CLOSE;
        if of_text {
            let (_, key) = self.cursor.peek_at(2)?;
            return Some((Traverser::Key(Cow::Borrowed(key)), 5));
        }
        let (_, digits) = self.cursor.peek_at(1).filter(|_| of_number)?;
        let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_whole.then_some((Traverser::Number(Cow::Borrowed(digits)), 3))
    }

    /// Skips the attributes of a value without a name: `(…).id`, `…[*].id`.
    fn behind_value(&mut self) {
        while self.cursor.is_at(".") {
            let is_step = matches!(
                self.cursor.peek_at(1),
                Some((TokenKind::Identifier | TokenKind::Number, _) | (TokenKind::Symbol, "*"))
            );
            if !is_step {
                return;
            }
            self.cursor.take();
            self.cursor.take();
        }
    }

    /// Reads the rest of a template, up to and including `end`. If that is `None`, reads to the end of the text.
    fn template(&mut self, end: Option<TokenKind>, form: Form) -> Result<(), Unclear> {
        // The current literal, which continues until an interpolation.
        let mut piece: Option<Range<usize>> = None;
        let outcome = loop {
            let Some(token) = self.cursor.take() else {
                break if end.is_none() { Ok(()) } else { Err(Unclear) };
            };
            match token.kind {
                kind if Some(kind) == end => break Ok(()),
                TokenKind::Text | TokenKind::Escape => match &mut piece {
                    Some(piece) => piece.end = token.span.end,
                    None => piece = Some(token.span),
                },
                TokenKind::TemplateOpen => {
                    if let Some(span) = piece.take() {
                        self.add_literal(span, form);
                    }
                    self.directive()?;
                }
                _ => break Err(Unclear),
            }
        };
        if let Some(span) = piece {
            self.add_literal(span, form);
        }
        outcome
    }

    /// The contents of `${…}` and `%{…}`. Names bound by `%{ for … }` stay bound for the rest of the expression.
    fn directive(&mut self) -> Result<(), Unclear> {
        self.cursor.skip_newlines();
        match self.cursor.peek_at(0) {
            Some((TokenKind::Identifier, "for")) => {
                self.cursor.take();
                self.binding()?;
            }
            Some((TokenKind::Identifier, "if" | "else" | "endif" | "endfor")) => {
                self.cursor.take();
            }
            _ => {}
        }
        self.stretch(End::Template)
    }
}

fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}
