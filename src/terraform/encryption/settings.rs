//! The settings of an `encryption` block: HCL as read by [`crate::terraform::hcl`], or JSON, as one tree.
//!
//! Only literal texts and references are read. Nothing is evaluated.

use indexmap::IndexMap;
use zeroize::Zeroizing;

use crate::json::{self, Numbers};
use crate::terraform::hcl::{self, Expression, Form, Syntax, Traverser};
use crate::value::{Payload, Value};

/// Maximum nesting depth of blocks and lists.
const MAX_NESTING: usize = 32;

/// A part of the settings. Texts may be secret: they are zeroed when dropped and have no debug output.
pub(super) enum Setting {
    /// A string.
    Text(Zeroizing<String>),
    /// A reference: `key_provider.pbkdf2.main`.
    Reference(String),
    /// A list of numbers.
    Numbers(Vec<f64>),
    /// Something else.
    Other,
    /// A block with its labels, or a JSON object.
    Body(Body),
}

/// Parts by name. A block with labels is a body inside a body.
pub(super) type Body = IndexMap<String, Setting>;

/// A parse error. The line is counted from 1.
pub(super) struct Misread {
    pub(super) line: usize,
    pub(super) expected: &'static str,
}

/// Reads HCL, or JSON if the text begins with `{`.
pub(super) fn read(text: &str) -> Result<Body, Misread> {
    if text.trim_start().starts_with('{') {
        return of_json(text);
    }
    let file = hcl::read(text, Syntax::Native);
    if !file.is_whole {
        let behind = text.get(..file.end).unwrap_or(text);
        return Err(Misread {
            line: 1 + behind.matches('\n').count(),
            expected: "an attribute or a block",
        });
    }
    Ok(body(&file.body, 0))
}

fn body(read: &hcl::Body<'_>, depth: usize) -> Body {
    let mut body = Body::new();
    for attribute in &read.attributes {
        let node = expression(&attribute.expression);
        body.insert(attribute.name.to_string(), node);
    }
    for block in read.blocks.iter().filter(|_| depth < MAX_NESTING) {
        let inner = self::body(&block.body, depth + 1);
        let labels = std::iter::once(&block.kind).chain(&block.labels);
        put(&mut body, labels.map(|label| &**label), inner);
    }
    body
}

/// Inserts `inner` under the labels. Blocks with the same name are merged.
fn put<'l>(body: &mut Body, labels: impl Iterator<Item = &'l str>, inner: Body) {
    let mut at = body;
    for label in labels {
        let node = at
            .entry(label.to_owned())
            .or_insert_with(|| Setting::Body(Body::new()));
        if !matches!(node, Setting::Body(_)) {
            *node = Setting::Body(Body::new());
        }
        let Setting::Body(below) = node else {
            return;
        };
        at = below;
    }
    at.extend(inner);
}

fn expression(read: &Expression<'_>) -> Setting {
    if let Some(text) = read.constant_text() {
        return Setting::Text(Zeroizing::new(text));
    }
    match (&*read.references, &*read.literals) {
        ([only], []) => {
            let steps = only.steps.iter().map(|step| match step {
                Traverser::Attribute(name) => Some(&**name),
                _ => None,
            });
            let names: Option<Vec<&str>> =
                std::iter::once(Some(&*only.root)).chain(steps).collect();
            match names.map(|names| names.join(".")) {
                Some(name) if name == read.text.trim() => Setting::Reference(name),
                _ => Setting::Other,
            }
        }
        ([], literals) if read.text.trim().starts_with('[') => {
            let number = |literal: &hcl::Literal<'_>| {
                let is_number = literal.form == Form::Number;
                literal.text.parse().ok().filter(|_| is_number)
            };
            let numbers: Option<Vec<f64>> = literals.iter().map(number).collect();
            numbers.map_or(Setting::Other, Setting::Numbers)
        }
        _ => Setting::Other,
    }
}

/// Reads settings from JSON. References may be written as `${…}`. A list of one block is the same as that block.
fn of_json(text: &str) -> Result<Body, Misread> {
    let parsed = json::parse(text.as_bytes(), Numbers::Double).map_err(|error| Misread {
        line: error.line,
        expected: "JSON",
    })?;
    match node(&parsed.value.into_wiped(), 0) {
        Setting::Body(body) => Ok(body),
        _ => Err(Misread {
            line: 1,
            expected: "a JSON object",
        }),
    }
}

fn node(value: &Value, depth: usize) -> Setting {
    match value.payload() {
        _ if depth > MAX_NESTING => Setting::Other,
        Payload::String(text) => template(&text.to_str_lossy()),
        Payload::Map(map) => {
            let entries = map.iter();
            let entries = entries.map(|(key, value)| (key.to_string(), node(value, depth + 1)));
            Setting::Body(entries.collect())
        }
        Payload::Array(items) => match items.as_slice() {
            [only] if only.as_map().is_some() => node(only, depth + 1),
            items => {
                let numbers = items
                    .iter()
                    .map(|item| item.as_number()?.to_string().parse().ok());
                let numbers: Option<Vec<f64>> = numbers.collect();
                numbers.map_or(Setting::Other, Setting::Numbers)
            }
        },
        _ => Setting::Other,
    }
}

/// A JSON string, which is a template.
fn template(text: &str) -> Setting {
    let inner = text
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'));
    if let Some(inner) = inner.filter(|inner| !inner.contains(['{', '}'])) {
        return Setting::Reference(inner.trim().to_owned());
    }
    let bare = text.replace("$${", "").replace("%%{", "");
    if bare.contains("${") || bare.contains("%{") {
        return Setting::Other;
    }
    let meant = text.replace("$${", "${").replace("%%{", "%{");
    Setting::Text(Zeroizing::new(meant))
}
