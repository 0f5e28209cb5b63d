//! Tokens: pieces of a text. Each byte is in exactly one of them.
//!
//! Invalid text has tokens too: a string ends at the end of its line at the latest, and an unmatched closing bracket is a symbol.

use std::ops::Range;

use super::Syntax;
use crate::terraform::quoting::identifier;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// Blanks and tabs within a line, `\r`, a byte order mark.
    Blank,
    /// The end of a line.
    Newline,
    /// `# …` and `// …` up to the end of the line, `/* … */`.
    Comment,
    /// A name or a keyword.
    Identifier,
    /// A number.
    Number,
    /// `(`, `[`, `{`: this byte.
    Open(u8),
    /// `)`, `]`, `}`: this byte.
    Close(u8),
    /// Any other character. `==`, `!=`, `<=`, `>=`, `=>`, `&&`, `||`, `::` and `...` are one token each.
    Symbol,
    /// The quote before a string.
    QuoteOpen,
    /// The quote after a string.
    QuoteClose,
    /// `<<NAME` or `<<-NAME`, up to the end of the line.
    HeredocOpen,
    /// The line that ends a heredoc, without its newline.
    HeredocClose,
    /// Text in a string or a heredoc. In a heredoc it is at most one line, with its newline.
    Text,
    /// `\n`, `\u00e9`, `$${`, `%%{`.
    Escape,
    /// `${`, `%{`, `${~` or `%{~`.
    TemplateOpen,
    /// `}` or `~}` after an interpolation.
    TemplateClose,
}

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The byte range.
    pub span: Range<usize>,
}

/// Maximum nesting depth of templates. Deeper ones are text.
const MAX_NESTING: usize = 128;

/// The construct that the lexer is inside of.
#[derive(Clone, Debug)]
enum Mode {
    /// Code inside an interpolation, with the number of open braces.
    Code { n_braces: usize },
    /// A string.
    Quoted,
    /// A heredoc that ends with this name alone on a line. `at_line_start` is true at the start of a line.
    Heredoc {
        name: Range<usize>,
        at_line_start: bool,
    },
}

/// Splits a text into tokens, from start to end.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    syntax: Syntax,
    at: usize,
    /// The enclosing modes, innermost last. Empty at the top level, which is code.
    modes: Vec<Mode>,
}

impl<'t> Lexer<'t> {
    /// A lexer for `text`.
    pub fn new(text: &'t str, syntax: Syntax) -> Self {
        Self {
            text,
            syntax,
            at: 0,
            modes: Vec::new(),
        }
    }

    /// A lexer for a template without quotes, which ends with the text.
    pub(super) fn of_template(text: &'t str) -> Self {
        Self {
            modes: vec![Mode::Heredoc {
                name: 0..0,
                at_line_start: false,
            }],
            ..Self::new(text, Syntax::Native)
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn token(&mut self, kind: TokenKind, length: usize) -> Token {
        let start = self.at;
        self.at += length;
        Token {
            kind,
            span: start..self.at,
        }
    }

    /// A token of one character.
    fn char(&mut self, kind: TokenKind) -> Token {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        self.token(kind, length)
    }

    fn of_code(&mut self) -> Token {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        match (bytes[0], bytes.get(1)) {
            (b'\n', _) => self.token(TokenKind::Newline, 1),
            (b' ' | b'\t' | b'\r', _) => {
                let end = rest.find(|char| !matches!(char, ' ' | '\t' | '\r'));
                self.token(TokenKind::Blank, end.unwrap_or(rest.len()))
            }
            (0xef, _) if self.at == 0 && rest.starts_with('\u{feff}') => {
                self.token(TokenKind::Blank, 3)
            }
            (b'#', _) | (b'/', Some(b'/')) if self.syntax == Syntax::Native => {
                let end = rest.find('\n').unwrap_or(rest.len());
                // The `\r` of a line ending is not part of the comment.
                self.token(TokenKind::Comment, rest[..end].trim_end_matches('\r').len())
            }
            (b'/', Some(b'*')) if self.syntax == Syntax::Native => {
                let end = rest[2..].find("*/").map(|at| at + 4);
                self.token(TokenKind::Comment, end.unwrap_or(rest.len()))
            }
            (b'"', _) => {
                self.modes.push(Mode::Quoted);
                self.token(TokenKind::QuoteOpen, 1)
            }
            (b'<', Some(b'<')) => self.heredoc_open(),
            (b'-', Some(b'0'..=b'9')) if self.syntax == Syntax::Json => self.number(),
            (b'0'..=b'9', _) => self.number(),
            (b'(' | b'[' | b'{', _) => self.open(bytes[0]),
            (b')' | b']' | b'}', _) => self.close(bytes[0]),
            (b'~', Some(b'}')) if self.ends_template() => self.template_close(2),
            _ => self.word_or_symbol(),
        }
    }

    fn open(&mut self, byte: u8) -> Token {
        if let (b'{', Some(Mode::Code { n_braces })) = (byte, self.modes.last_mut()) {
            *n_braces += 1;
        }
        self.token(TokenKind::Open(byte), 1)
    }

    fn close(&mut self, byte: u8) -> Token {
        if byte == b'}' && self.ends_template() {
            return self.template_close(1);
        }
        if let (b'}', Some(Mode::Code { n_braces })) = (byte, self.modes.last_mut()) {
            *n_braces -= 1;
        }
        self.token(TokenKind::Close(byte), 1)
    }

    /// True if the next closing brace ends an interpolation.
    fn ends_template(&self) -> bool {
        matches!(self.modes.last(), Some(Mode::Code { n_braces: 0 }))
    }

    fn template_close(&mut self, length: usize) -> Token {
        self.modes.pop();
        self.token(TokenKind::TemplateClose, length)
    }

    fn number(&mut self) -> Token {
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| {
            let rest = bytes.get(from..).unwrap_or_default();
            from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let mut end = digits(usize::from(bytes[0] == b'-'));
        // `1.` is not a number: a dot needs digits after it.
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > end + 1 {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            if exponent > end + 1 + sign {
                end = exponent;
            }
        }
        self.token(TokenKind::Number, end)
    }

    fn word_or_symbol(&mut self) -> Token {
        let length = identifier(self.rest());
        if length > 0 {
            return self.token(TokenKind::Identifier, length);
        }
        let long = ["...", "==", "!=", "<=", ">=", "=>", "&&", "||", "::"];
        let rest = self.rest();
        match long.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => self.token(TokenKind::Symbol, symbol.len()),
            None => self.char(TokenKind::Symbol),
        }
    }

    fn heredoc_open(&mut self) -> Token {
        let rest = self.rest();
        let start = if rest[2..].starts_with('-') { 3 } else { 2 };
        let length = identifier(&rest[start..]);
        let behind = &rest[start + length..];
        let line = behind.find('\n').map(|end| &behind[..end]);
        let is_heredoc = length > 0 && line.is_some_and(|line| line.trim_end().is_empty());
        if self.syntax == Syntax::Json || !is_heredoc {
            return self.char(TokenKind::Symbol);
        }
        let name = self.at + start..self.at + start + length;
        self.modes.push(Mode::Heredoc {
            name,
            at_line_start: true,
        });
        let n_blanks = line.map_or(0, str::len);
        self.token(TokenKind::HeredocOpen, start + length + n_blanks + 1)
    }

    fn of_string(&mut self) -> Token {
        let rest = self.rest();
        match rest.as_bytes()[0] {
            b'"' => {
                self.modes.pop();
                self.token(TokenKind::QuoteClose, 1)
            }
            // An unclosed string ends here.
            b'\n' => {
                self.modes.pop();
                self.token(TokenKind::Newline, 1)
            }
            b'\\' => {
                let length = match rest.as_bytes().get(1) {
                    Some(b'u') => escape_length(rest, 4),
                    Some(b'U') if self.syntax == Syntax::Native => escape_length(rest, 8),
                    Some(byte) if byte.is_ascii_graphic() => 2,
                    _ => 1,
                };
                self.token(TokenKind::Escape, length)
            }
            _ => self.template_or_text(|char| matches!(char, '"' | '\n' | '\\')),
        }
    }

    fn of_heredoc(&mut self, name: Range<usize>, at_line_start: bool) -> Token {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or(rest);
        let name = &self.text[name];
        if at_line_start && !name.is_empty() && line.trim() == name {
            self.modes.pop();
            return self.token(TokenKind::HeredocClose, line.trim_end().len());
        }
        let token = if rest.starts_with('\n') {
            self.token(TokenKind::Text, 1)
        } else {
            self.template_or_text(|char| char == '\n')
        };
        let has_ended = token.kind == TokenKind::Text && self.rest().starts_with('\n');
        let span = if has_ended && self.text.as_bytes()[token.span.start] != b'\n' {
            self.at += 1;
            token.span.start..self.at
        } else {
            token.span
        };
        let is_line_end = token.kind == TokenKind::Text && self.text[span.clone()].ends_with('\n');
        // After `${` the innermost mode is the interpolation. The heredoc's line continues after it.
        let n_modes = self.modes.len();
        let own = if token.kind == TokenKind::TemplateOpen {
            n_modes.checked_sub(2)
        } else {
            n_modes.checked_sub(1)
        };
        if let Some(Mode::Heredoc { at_line_start, .. }) =
            own.and_then(|own| self.modes.get_mut(own))
        {
            *at_line_start = is_line_end;
        }
        Token {
            kind: token.kind,
            span,
        }
    }

    /// The next token of a string or a heredoc. A text stops at `ends`.
    fn template_or_text(&mut self, ends: impl Fn(char) -> bool) -> Token {
        let rest = self.rest();
        if self.syntax == Syntax::Native {
            if rest.starts_with("$${") || rest.starts_with("%%{") {
                return self.token(TokenKind::Escape, 3);
            }
            let opens = rest.starts_with("${") || rest.starts_with("%{");
            if opens && self.modes.len() < MAX_NESTING {
                self.modes.push(Mode::Code { n_braces: 0 });
                let is_trimmed = rest[2..].starts_with('~');
                return self.token(TokenKind::TemplateOpen, 2 + usize::from(is_trimmed));
            }
        }
        let is_template = |at: usize| {
            let rest = rest.as_bytes()[at..].iter();
            let mut rest = rest.skip_while(|byte| matches!(byte, b'$' | b'%'));
            self.syntax == Syntax::Native && rest.next() == Some(&b'{')
        };
        // The first character always belongs to the text.
        let mut chars = rest.char_indices().skip(1);
        let end =
            chars.find(|(at, char)| ends(*char) || matches!(char, '$' | '%') && is_template(*at));
        self.token(TokenKind::Text, end.map_or(rest.len(), |(at, _)| at))
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if self.at >= self.text.len() {
            return None;
        }
        Some(match self.modes.last() {
            None | Some(Mode::Code { .. }) => self.of_code(),
            Some(Mode::Quoted) => self.of_string(),
            Some(Mode::Heredoc {
                name,
                at_line_start,
            }) => {
                let (name, at_line_start) = (name.clone(), *at_line_start);
                self.of_heredoc(name, at_line_start)
            }
        })
    }
}

/// Length in bytes of the escape `\uXXXX` at the start of `text`, up to the last digit.
fn escape_length(text: &str, max_digits: usize) -> usize {
    let digits = text.as_bytes().iter().skip(2).take(max_digits);
    2 + digits.take_while(|byte| byte.is_ascii_hexdigit()).count()
}
