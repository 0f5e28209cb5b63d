//! Expressions: where one ends, and what it refers to. Values are passed over.

use super::traversal::{Step, Traversal};

/// How deep brackets and templates may nest.
const MAX_DEPTH: usize = 256;

/// An expression.
pub(super) struct Expression<'t> {
    /// Its text.
    pub(super) text: &'t str,
    /// What it refers to, in order.
    pub(super) references: Vec<Traversal<'t>>,
}

/// A text that is read from front to back.
pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
    references: Vec<Traversal<'t>>,
    /// Names that `for` binds, innermost last.
    bound: Vec<&'t str>,
    depth: usize,
}

/// How many steps of a reference are told.
const MAX_STEPS: usize = 64;

/// What ends a stretch of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The end of the line, or a bracket that closes the block.
    Line,
    /// This bracket.
    Bracket(u8),
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            references: Vec::new(),
            bound: Vec::new(),
            depth: 0,
        }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Goes on by bytes that are known to be ASCII.
    pub(super) fn bump(&mut self, n_bytes: usize) {
        self.at += n_bytes;
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Goes on to just behind `mark`, or to the end.
    fn skip_past(&mut self, mark: &str) {
        let rest = self.rest();
        self.at += rest
            .find(mark)
            .map_or(rest.len(), |found| found + mark.len());
    }

    /// Passes over blanks and comments within a line.
    pub(super) fn skip_space(&mut self) {
        loop {
            match (self.peek(), self.peek_at(1)) {
                (Some(b' ' | b'\t' | b'\r'), _) => self.at += 1,
                (Some(b'/'), Some(b'*')) => self.skip_past("*/"),
                (Some(b'#'), _) | (Some(b'/'), Some(b'/')) => {
                    let rest = self.rest();
                    self.at += rest.find('\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Passes over blanks, comments and ends of lines.
    pub(super) fn skip_lines(&mut self) {
        self.skip_space();
        while self.peek() == Some(b'\n') {
            self.at += 1;
            self.skip_space();
        }
    }

    /// An identifier.
    pub(super) fn identifier(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
        let end = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
        let first = rest.chars().next()?;
        if end == 0 || first.is_numeric() || first == '-' {
            return None;
        }
        self.at += end;
        Some(&rest[..end])
    }

    /// The label of a block: an identifier, or a string that is nothing but text.
    pub(super) fn label(&mut self) -> Option<String> {
        if self.peek() != Some(b'"') {
            return self.identifier().map(str::to_owned);
        }
        self.plain_string().map(str::to_owned)
    }

    /// A string without escapes and interpolations, which none of the names here have.
    fn plain_string(&mut self) -> Option<&'t str> {
        let inner = self.rest().strip_prefix('"')?;
        let end = inner.find(['"', '\\', '\n'])?;
        let text = &inner[..end];
        let is_plain =
            inner.as_bytes()[end] == b'"' && !text.contains("${") && !text.contains("%{");
        if !is_plain {
            return None;
        }
        self.at += end + 2;
        Some(text)
    }

    /// An expression up to the end of its line; `None` where it is not understood.
    pub(super) fn expression(&mut self) -> Option<Expression<'t>> {
        let start = self.at;
        self.references.clear();
        self.bound.clear();
        self.depth = 0;
        self.stretch(End::Line)?;
        Some(Expression {
            text: &self.text[start..self.at],
            references: std::mem::take(&mut self.references),
        })
    }

    /// Reads up to `end`, which is passed over if it is a bracket.
    fn stretch(&mut self, end: End) -> Option<()> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let n_bound = self.bound.len();
        // How many `?` wait for their `:`, which is no end of a key then.
        let mut n_conditions = 0_usize;
        let mut is_first = true;
        loop {
            self.skip_space();
            match self.peek() {
                None | Some(b'\n' | b'}') if end == End::Line => break,
                Some(b'\n') => self.at += 1,
                Some(byte) if end == End::Bracket(byte) => {
                    self.at += 1;
                    break;
                }
                None | Some(b')' | b']' | b'}') => return None,
                Some(open @ (b'(' | b'[' | b'{')) => {
                    self.at += 1;
                    self.stretch(End::Bracket(closing(open)))?;
                    self.behind_value();
                }
                Some(b'"') => {
                    self.at += 1;
                    self.template("\"")?;
                    self.behind_value();
                }
                Some(b'<') if self.rest().starts_with("<<") => self.heredoc()?,
                Some(b'0'..=b'9') => self.number(),
                Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 => {
                    self.word(end, is_first, n_conditions > 0)?;
                }
                Some(byte) => {
                    match byte {
                        b'?' => n_conditions += 1,
                        b':' => n_conditions = n_conditions.saturating_sub(1),
                        _ => {}
                    }
                    self.at += 1;
                    // What follows `.` behind a bracket is an attribute of its value; see `behind_value`.
                }
            }
            is_first = false;
        }
        self.bound.truncate(n_bound);
        self.depth -= 1;
        Some(())
    }

    /// A name: a word of the language, a key, a function, or the root of a reference.
    fn word(&mut self, end: End, is_first: bool, in_condition: bool) -> Option<()> {
        let Some(name) = self.identifier() else {
            // A character that no name begins with.
            self.at += self.rest().chars().next()?.len_utf8();
            return Some(());
        };
        if name == "for" && is_first && matches!(end, End::Bracket(b']' | b'}')) {
            return self.binding();
        }
        if matches!(name, "true" | "false" | "null" | "in" | "if") {
            return Some(());
        }
        let behind = self.rest().trim_start_matches([' ', '\t']);
        if behind.starts_with('(') || behind.starts_with("::") {
            return Some(());
        }
        if end == End::Bracket(b'}') {
            let is_assigned =
                behind.starts_with('=') && !behind.starts_with("==") && !behind.starts_with("=>");
            let is_key = is_assigned || behind.starts_with(':') && !in_condition;
            if is_key && !self.bound.contains(&name) {
                return Some(());
            }
        }
        let mut traversal = Traversal {
            root: name,
            steps: Vec::new(),
        };
        self.steps(&mut traversal)?;
        traversal.steps.truncate(MAX_STEPS);
        if !self.bound.contains(&name) && !traversal.steps.is_empty() {
            self.references.push(traversal);
        }
        Some(())
    }

    /// The names that a `for` binds: `for key, value in`.
    fn binding(&mut self) -> Option<()> {
        loop {
            self.skip_lines();
            let name = self.identifier()?;
            self.bound.push(name);
            self.skip_lines();
            if self.peek() != Some(b',') {
                break;
            }
            self.at += 1;
        }
        (self.identifier()? == "in").then_some(())
    }

    /// The steps behind the root of a reference.
    fn steps(&mut self, traversal: &mut Traversal<'t>) -> Option<()> {
        loop {
            match (self.peek(), self.peek_at(1)) {
                (Some(b'.'), Some(b'0'..=b'9')) => {
                    self.at += 1;
                    let start = self.at;
                    while matches!(self.peek(), Some(b'0'..=b'9')) {
                        self.at += 1;
                    }
                    traversal
                        .steps
                        .push(Step::Number(&self.text[start..self.at]));
                }
                (Some(b'.'), Some(b'*' | b'.')) => {
                    self.behind_value();
                    return Some(());
                }
                (Some(b'.'), _) => {
                    self.at += 1;
                    traversal.steps.push(Step::Attribute(self.identifier()?));
                }
                (Some(b'['), _) => {
                    let Some(step) = self.constant_index() else {
                        self.at += 1;
                        self.stretch(End::Bracket(b']'))?;
                        self.behind_value();
                        return Some(());
                    };
                    traversal.steps.push(step);
                }
                _ => return Some(()),
            }
        }
    }

    /// `[0]` or `["key"]`; leaves the place as it is if it is something else.
    fn constant_index(&mut self) -> Option<Step<'t>> {
        let start = self.at;
        self.at += 1;
        let step = if self.peek() == Some(b'"') {
            self.plain_string().map(Step::Key)
        } else {
            let digits = self.rest();
            let end = digits
                .find(|char: char| !char.is_ascii_digit())
                .unwrap_or(0);
            self.at += end;
            (end > 0).then(|| Step::Number(&digits[..end]))
        };
        if step.is_some() && self.peek() == Some(b']') {
            self.at += 1;
            return step;
        }
        self.at = start;
        None
    }

    /// Passes over the attributes of a value that has no name: `(…).id`, `…[*].id`.
    fn behind_value(&mut self) {
        loop {
            match (self.peek(), self.peek_at(1)) {
                (Some(b'.'), Some(b'*')) => self.at += 2,
                (Some(b'.'), Some(b'.')) => return,
                (Some(b'.'), _) => {
                    self.at += 1;
                    if self.identifier().is_none() {
                        return;
                    }
                }
                _ => return,
            }
        }
    }

    fn number(&mut self) {
        let rest = self.rest();
        let is_part = |char: char| char.is_ascii_alphanumeric() || char == '.';
        self.at += rest.find(|char| !is_part(char)).unwrap_or(rest.len());
    }

    /// The rest of a template that ends with `end`.
    fn template(&mut self, end: &str) -> Option<()> {
        loop {
            let rest = self.rest();
            if rest.starts_with(end) {
                self.at += end.len();
                return Some(());
            }
            if rest.starts_with("$${") || rest.starts_with("%%{") {
                self.at += 3;
            } else if rest.starts_with("${") || rest.starts_with("%{") {
                self.at += 2;
                self.directive()?;
            } else if rest.starts_with('\\') && end == "\"" {
                self.at += 1 + rest[1..].chars().next()?.len_utf8();
            } else {
                self.at += rest.chars().next()?.len_utf8();
            }
        }
    }

    /// What stands in `${…}` and `%{…}`; the names that `%{ for … }` binds stay bound for the rest of the expression.
    fn directive(&mut self) -> Option<()> {
        if self.peek() == Some(b'~') {
            self.at += 1;
        }
        self.skip_lines();
        let start = self.at;
        match self.identifier() {
            Some("for") => self.binding()?,
            Some("if" | "else" | "endif" | "endfor") => {}
            _ => self.at = start,
        }
        self.stretch(End::Bracket(b'}'))
    }

    fn heredoc(&mut self) -> Option<()> {
        self.at += 2;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let marker = self.identifier()?;
        self.skip_past("\n");
        loop {
            let rest = self.rest();
            let line = rest.lines().next()?;
            if line.trim() == marker {
                // The end of the line is that of the expression.
                self.at += line.len();
                return Some(());
            }
            let line_end = self.at + line.len();
            while self.at < line_end {
                let rest = self.rest();
                if rest.starts_with("$${") || rest.starts_with("%%{") {
                    self.at += 3;
                } else if rest.starts_with("${") || rest.starts_with("%{") {
                    self.at += 2;
                    self.directive()?;
                } else {
                    self.at += rest.chars().next()?.len_utf8();
                }
            }
            self.skip_past("\n");
        }
    }
}

fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}
