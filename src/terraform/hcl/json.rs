//! Configurations in JSON, read into the same bodies as the native syntax. The blocks of the language are a fixed list, with the
//! number of labels of each. All other properties are attributes.

use std::borrow::Cow;
use std::ops::Range;

use super::expression::{of_template, of_text};
use super::literal::Form;
use super::{Attribute, Block, Body, Expression, File, Literal};
use crate::json::{ParseError, Reader, Token};

/// Maximum nesting depth of values.
const MAX_DEPTH: usize = 256;

/// The key of a comment, by convention.
const REMARK: &str = "//";

/// Attributes whose texts are expressions, not templates.
const OF_EXPRESSIONS: &[&str] = &[
    "depends_on",
    "provider",
    "providers",
    "ignore_changes",
    "replace_triggered_by",
    "from",
    "to",
    "type",
];

/// A value and its byte range, that of a string without its quotes.
struct Node<'t> {
    span: Range<usize>,
    value: Json<'t>,
}

enum Json<'t> {
    Object(Vec<Property<'t>>),
    Array(Vec<Node<'t>>),
    Literal(Form),
    Null,
}

struct Property<'t> {
    key: Cow<'t, str>,
    /// Byte offset of the start of the key.
    start: usize,
    node: Node<'t>,
}

/// Parses a file. If any of it cannot be parsed, the body is empty.
pub(super) fn file(text: &str) -> File<'_> {
    let mut reader = Reader::new(text.as_bytes());
    let read = document(&mut reader);
    let mut body = Body::default();
    let is_whole = read.is_ok();
    for object in read.map(objects).unwrap_or_default() {
        fill(text, object, top_labels, &mut body, 0);
    }
    File {
        body,
        is_whole,
        end: reader.offset(),
    }
}

fn document<'t>(reader: &mut Reader<'t>) -> Result<Node<'t>, ParseError> {
    let first = reader.next()?;
    let node = value(reader, first)?;
    reader.next()?;
    Ok(node)
}

fn value<'t>(reader: &mut Reader<'t>, token: Option<Token<'t>>) -> Result<Node<'t>, ParseError> {
    let start = reader.token_start();
    let error = |expected| Err(ParseError::at(reader.bytes(), start, expected));
    if reader.depth() > MAX_DEPTH {
        return error("at most 256 levels of nesting");
    }
    let value = match token {
        Some(Token::MapStart) => {
            let mut properties = Vec::new();
            while let Some(Token::Key(key)) = reader.next()? {
                let start = reader.token_start();
                let token = reader.next()?;
                properties.push(Property {
                    key: key.decode_lossy(),
                    start,
                    node: value(reader, token)?,
                });
            }
            Json::Object(properties)
        }
        Some(Token::ArrayStart) => {
            let mut items = Vec::new();
            loop {
                match reader.next()? {
                    Some(Token::ArrayEnd) => break Json::Array(items),
                    token => items.push(value(reader, token)?),
                }
            }
        }
        Some(Token::String(_)) => {
            return Ok(Node {
                span: start + 1..reader.offset() - 1,
                value: Json::Literal(Form::Json),
            });
        }
        Some(Token::Number(_)) => Json::Literal(Form::Number),
        Some(Token::Bool(_)) => Json::Literal(Form::Bool),
        Some(Token::Null) => Json::Null,
        Some(Token::Key(_) | Token::ArrayEnd | Token::MapEnd) | None => return error("a value"),
    };
    Ok(Node {
        span: start..reader.offset(),
        value,
    })
}

/// The objects in a value: the value itself, or those in an array; empty for anything else.
fn objects(node: Node<'_>) -> Vec<Vec<Property<'_>>> {
    match node.value {
        Json::Object(properties) => vec![properties],
        Json::Array(items) => items.into_iter().flat_map(objects).collect(),
        Json::Literal(_) | Json::Null => Vec::new(),
    }
}

/// Number of labels of a top-level block; `None` if this is not a block type.
fn top_labels(kind: &str) -> Option<usize> {
    match kind {
        "resource" | "data" | "ephemeral" => Some(2),
        "module" | "variable" | "output" | "provider" | "check" => Some(1),
        "terraform" | "locals" | "moved" | "removed" | "import" => Some(0),
        _ => None,
    }
}

/// Number of labels of a block inside a block; `None` if this is not a block type.
fn inner_labels(kind: &str) -> Option<usize> {
    match kind {
        "lifecycle" | "connection" | "required_providers" | "cloud" | "timeouts" => Some(0),
        "backend" | "provisioner" | "dynamic" => Some(1),
        _ => None,
    }
}

/// The block types allowed in a block of this type, with their labels. In `locals`, `required_providers`,
/// `variable` and `output` everything is an attribute.
fn labels_in(kind: &str) -> fn(&str) -> Option<usize> {
    match kind {
        "locals" | "required_providers" | "variable" | "output" => |_| None,
        _ => inner_labels,
    }
}

fn fill<'t>(
    text: &'t str,
    object: Vec<Property<'t>>,
    labels: fn(&str) -> Option<usize>,
    into: &mut Body<'t>,
    depth: usize,
) {
    for property in object.into_iter().filter(|it| it.key != REMARK) {
        match labels(&property.key) {
            Some(n_labels) if depth < MAX_DEPTH => {
                let mut header = Header {
                    kind: property.key,
                    labels: Vec::new(),
                    n_labels,
                    start: property.start,
                };
                blocks(text, &mut header, property.node, into, depth);
            }
            _ => into.attributes.push(attribute(text, property)),
        }
    }
}

/// The type and the labels of a block.
struct Header<'t> {
    kind: Cow<'t, str>,
    labels: Vec<Cow<'t, str>>,
    n_labels: usize,
    /// Byte offset of the start of the last label.
    start: usize,
}

/// Adds the blocks in a value. The labels are nested keys, and below them is one object or an array of objects.
fn blocks<'t>(
    text: &'t str,
    header: &mut Header<'t>,
    node: Node<'t>,
    into: &mut Body<'t>,
    depth: usize,
) {
    match node.value {
        Json::Array(items) => {
            for item in items {
                // Several blocks under one name each start at their object.
                if matches!(item.value, Json::Object(_)) {
                    header.start = item.span.start;
                }
                blocks(text, header, item, into, depth);
            }
        }
        Json::Object(properties) if header.labels.len() < header.n_labels => {
            for property in properties.into_iter().filter(|it| it.key != REMARK) {
                header.labels.push(property.key);
                header.start = property.start;
                blocks(text, header, property.node, into, depth);
                header.labels.pop();
            }
        }
        Json::Object(properties) => {
            let mut body = Body::default();
            let labels = labels_in(&header.kind);
            fill(text, properties, labels, &mut body, depth + 1);
            into.blocks.push(Block {
                kind: header.kind.clone(),
                labels: header.labels.clone(),
                span: header.start..node.span.end,
                body,
            });
        }
        Json::Literal(_) | Json::Null => {}
    }
}

fn attribute<'t>(text: &'t str, property: Property<'t>) -> Attribute<'t> {
    let Property { key, start, node } = property;
    let quotes = usize::from(matches!(node.value, Json::Literal(Form::Json)));
    let span = node.span.start - quotes..node.span.end + quotes;
    let mut expression = Expression {
        text: &text[span.clone()],
        ..Expression::default()
    };
    let of_expression = OF_EXPRESSIONS.contains(&&*key);
    gather(text, &node, of_expression, None, &mut expression);
    Attribute {
        name: key,
        span: start..span.end,
        expression,
    }
}

/// Collects the references and literals in a value.
fn gather<'t>(
    text: &'t str,
    node: &Node<'t>,
    of_expression: bool,
    key: Option<&Cow<'t, str>>,
    into: &mut Expression<'t>,
) {
    match &node.value {
        Json::Object(properties) => {
            for property in properties.iter().filter(|it| it.key != REMARK) {
                let own = Some(&property.key);
                gather(text, &property.node, of_expression, own, into);
            }
        }
        Json::Array(items) => {
            for item in items {
                gather(text, item, of_expression, key, into);
            }
        }
        Json::Literal(form) => {
            let literal = Literal {
                key: key.cloned(),
                ..Literal::new(text, node.span.clone(), *form)
            };
            if *form == Form::Json {
                let decoded = literal.decode();
                let references = if of_expression {
                    of_text(&decoded)
                } else {
                    of_template(&decoded)
                };
                let owned = references.into_iter().map(super::Traversal::into_owned);
                into.references.extend(owned);
            }
            into.literals.push(literal);
        }
        Json::Null => {}
    }
}
