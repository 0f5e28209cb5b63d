//! As much of HCL as an `encryption` block needs, and the same as JSON.
//!
//! Blocks, attributes, strings with escapes, heredocs, numbers, bools, lists, references (`key_provider.pbkdf2.main`), comments. No
//! functions, no operators, no templates: what is not understood is an error with its line.

use indexmap::IndexMap;
use zeroize::Zeroizing;

use crate::json::{Reader, Token};

/// How deep blocks and lists may nest.
const MAX_NESTING: usize = 32;

/// A part of the configuration. Texts may be secret: they are zeroed when dropped and do not print.
pub(super) enum Node {
    /// A string or a reference.
    Text(Zeroizing<String>),
    /// A number.
    Number(f64),
    /// Something that is neither and does not matter.
    Other,
    /// A list.
    List(Vec<Node>),
    /// A block, by labels, or an object.
    Body(Body),
}

/// Names to parts. A block with labels is a body in a body.
pub(super) type Body = IndexMap<String, Node>;

/// Where the text is not understood: the line, from 1.
pub(super) struct Misread {
    pub(super) line: usize,
    pub(super) expected: &'static str,
}

/// Reads HCL, or JSON if the text begins with `{`.
pub(super) fn read(text: &str) -> Result<Body, Misread> {
    if text.trim_start().starts_with('{') {
        return json(text);
    }
    let mut parser = Parser { text, at: 0 };
    let body = parser.body(0)?;
    parser.skip();
    if parser.at < text.len() {
        return Err(parser.misread("an attribute or a block"));
    }
    Ok(body)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn misread(&self, expected: &'static str) -> Misread {
        let line = self.text.as_bytes()[..self.at].iter();
        Misread {
            line: line
                .filter(|byte| **byte == b'\n')
                .fold(1, |line, _| line + 1),
            expected,
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Passes over white space, commas and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let space = rest.len()
                - rest
                    .trim_start_matches(|char: char| {
                        char.is_whitespace() || char == ',' || char == ';'
                    })
                    .len();
            let rest = &rest[space..];
            let comment = if rest.starts_with('#') || rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                0
            };
            self.at += space + comment;
            if space + comment == 0 {
                return;
            }
        }
    }

    fn take(&mut self, token: char) -> bool {
        self.skip();
        let found = self.rest().starts_with(token);
        self.at += if found { token.len_utf8() } else { 0 };
        found
    }

    fn word(&mut self) -> Option<&'t str> {
        self.skip();
        let rest = self.rest();
        let end = rest
            .find(|char: char| !(char.is_alphanumeric() || matches!(char, '_' | '-' | '.')))
            .unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| &rest[..end])
    }

    fn body(&mut self, depth: usize) -> Result<Body, Misread> {
        if depth > MAX_NESTING {
            return Err(self.misread("less nesting"));
        }
        let mut body = Body::new();
        loop {
            self.skip();
            if self.rest().is_empty() || self.rest().starts_with('}') {
                return Ok(body);
            }
            let name = if self.rest().starts_with('"') {
                self.string()?.to_string()
            } else {
                let word = self.word();
                word.ok_or_else(|| self.misread("a name"))?.to_owned()
            };
            if self.take('=') || self.take(':') {
                let node = self.expression(depth + 1)?;
                body.insert(name, node);
                continue;
            }
            let mut labels = vec![name];
            self.skip();
            while self.rest().starts_with('"') {
                labels.push(self.string()?.to_string());
                self.skip();
            }
            if !self.take('{') {
                return Err(self.misread("`=` or a block"));
            }
            let inner = self.body(depth + 1)?;
            if !self.take('}') {
                return Err(self.misread("`}`"));
            }
            put(&mut body, &labels, inner);
        }
    }

    fn expression(&mut self, depth: usize) -> Result<Node, Misread> {
        self.skip();
        if depth > MAX_NESTING {
            return Err(self.misread("less nesting"));
        }
        let rest = self.rest();
        if rest.starts_with('"') {
            return self.string().map(Node::Text);
        }
        if rest.starts_with("<<") {
            return self.heredoc().map(Node::Text);
        }
        if self.take('[') {
            let mut items = Vec::new();
            while !self.take(']') {
                items.push(self.expression(depth + 1)?);
            }
            return Ok(Node::List(items));
        }
        if self.take('{') {
            let body = self.body(depth + 1)?;
            return if self.take('}') {
                Ok(Node::Body(body))
            } else {
                Err(self.misread("`}`"))
            };
        }
        match self.word() {
            None => Err(self.misread("a value")),
            Some("true" | "false" | "null") => Ok(Node::Other),
            Some(word) => Ok(word.parse().map_or_else(
                |_| Node::Text(Zeroizing::new(word.to_owned())),
                Node::Number,
            )),
        }
    }

    /// A quoted string; the parser stands before its quote.
    fn string(&mut self) -> Result<Zeroizing<String>, Misread> {
        let mut text = Zeroizing::new(String::new());
        let mut chars = self.rest()[1..].char_indices();
        while let Some((at, char)) = chars.next() {
            match char {
                '"' => {
                    self.at += at + 2;
                    return Ok(text);
                }
                '\n' => break,
                '$' | '%' if self.rest()[at + 2..].starts_with('{') => {
                    // `$${` is the text `${`; any other template would be evaluated.
                    return Err(self.misread("a string without templates"));
                }
                '\\' => match chars.next().map(|(_, char)| char) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some(char @ ('"' | '\\')) => text.push(char),
                    Some(kind @ ('u' | 'U')) => {
                        let n_digits = if kind == 'u' { 4 } else { 8 };
                        let digits: String = chars
                            .by_ref()
                            .take(n_digits)
                            .map(|(_, char)| char)
                            .collect();
                        let char = u32::from_str_radix(&digits, 16)
                            .ok()
                            .and_then(char::from_u32);
                        text.push(char.ok_or_else(|| self.misread("a Unicode escape"))?);
                    }
                    _ => return Err(self.misread("an escape")),
                },
                char => text.push(char),
            }
        }
        Err(self.misread("the end of a string"))
    }

    /// `<<MARK` or `<<-MARK`, lines, `MARK`.
    fn heredoc(&mut self) -> Result<Zeroizing<String>, Misread> {
        let rest = self.rest()[2..].trim_start_matches('-');
        let (mark, lines) = rest
            .split_once('\n')
            .ok_or_else(|| self.misread("lines behind `<<`"))?;
        let mark = mark.trim();
        let mut text = Zeroizing::new(String::new());
        let mut n_passed = self.rest().len() - lines.len();
        for line in lines.split_inclusive('\n') {
            if line.trim() == mark {
                self.at += n_passed + line.trim_end_matches(['\r', '\n']).len();
                return Ok(text);
            }
            n_passed += line.len();
            text.push_str(line);
        }
        Err(self.misread("the end of a heredoc"))
    }
}

/// Puts `inner` below the labels; blocks of one name join.
fn put(body: &mut Body, labels: &[String], inner: Body) {
    let mut at = body;
    for label in labels {
        let node = at
            .entry(label.clone())
            .or_insert_with(|| Node::Body(Body::new()));
        if !matches!(node, Node::Body(_)) {
            *node = Node::Body(Body::new());
        }
        let Node::Body(below) = node else {
            return;
        };
        at = below;
    }
    at.extend(inner);
}

/// The same configuration as JSON. References may stand in `${…}`; a block in a list of one is that block.
fn json(text: &str) -> Result<Body, Misread> {
    let mut reader = Reader::new(text.as_bytes());
    let misread = |expected| Misread { line: 1, expected };
    let first = reader.next();
    match json_node(&mut reader, first, 0) {
        Ok(Node::Body(body)) => Ok(body),
        Ok(_) => Err(misread("a JSON object")),
        Err(line) => Err(Misread {
            line,
            expected: "JSON",
        }),
    }
}

type Next<'t> = Result<Option<Token<'t>>, crate::json::ParseError>;

/// The node that begins with `token`; the error is the line.
fn json_node<'t>(reader: &mut Reader<'t>, token: Next<'t>, depth: usize) -> Result<Node, usize> {
    let token = token.map_err(|err| err.line)?.ok_or(1usize)?;
    if depth > MAX_NESTING {
        return Err(1);
    }
    Ok(match token {
        Token::String(text) => {
            let text = Zeroizing::new(text.decode_lossy().into_owned());
            let inner = text
                .strip_prefix("${")
                .and_then(|rest| rest.strip_suffix('}'));
            match inner {
                Some(inner) => Node::Text(Zeroizing::new(inner.trim().to_owned())),
                None => Node::Text(text),
            }
        }
        Token::Number(text) => text.parse().map_or(Node::Other, Node::Number),
        Token::ArrayStart => {
            let mut items = Vec::new();
            loop {
                match reader.next() {
                    Ok(Some(Token::ArrayEnd)) => break,
                    token => items.push(json_node(reader, token, depth + 1)?),
                }
            }
            Node::List(items)
        }
        Token::MapStart => {
            let mut body = Body::new();
            loop {
                match reader.next() {
                    Ok(Some(Token::MapEnd)) => break,
                    Ok(Some(Token::Key(key))) => {
                        let key = key.decode_lossy().into_owned();
                        let token = reader.next();
                        let node = json_node(reader, token, depth + 1)?;
                        body.insert(key, single(node));
                    }
                    Err(err) => return Err(err.line),
                    Ok(_) => return Err(1),
                }
            }
            Node::Body(body)
        }
        _ => Node::Other,
    })
}

fn single(node: Node) -> Node {
    match node {
        Node::List(mut items) if items.len() == 1 && matches!(items[0], Node::Body(_)) => {
            items.swap_remove(0)
        }
        node => node,
    }
}
