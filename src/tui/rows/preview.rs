//! A value on one line: a leaf as it is, a container by its size and its first contents.

use super::{LINK, Span, shown, strings};
use crate::path::{self, Segment};
use crate::stack::Kind;
use crate::text::plural;
use crate::tui::theme::Role;
use crate::tui::widgets::text::width;
use crate::value::{Archive, Asset, Payload, Shown, Value};

/// Maximum width of the preview of a container, in cells: more than a wide screen shows.
const MAX_PREVIEW: usize = 240;

/// Maximum number of values in the preview of a container.
const MAX_CHILDREN: usize = 24;

/// The value part of a row.
pub fn body(value: &Value, open: bool, pulumi: bool) -> Vec<Span> {
    match value.shown() {
        Shown::Plain(Payload::Map(map)) if map.is_empty() => vec![Span::new("{}", Role::Container)],
        Shown::Plain(Payload::Array(array)) if array.is_empty() => {
            vec![Span::new("[]", Role::Container)]
        }
        Shown::Plain(Payload::Map(_) | Payload::Array(_)) => {
            let mut spans = vec![Span::new(size(value), Role::Container)];
            if !open {
                spans.extend(preview(value));
            }
            spans
        }
        _ => vec![leaf(value, pulumi)],
    }
}

fn size(value: &Value) -> String {
    match value.payload() {
        Payload::Map(map) => format!("{{{}}}", map.len()),
        Payload::Array(array) => format!("[{}]", array.len()),
        _ => String::new(),
    }
}

/// The first contents of a container, masked like everything else.
pub fn preview(value: &Value) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut room = MAX_PREVIEW;
    let mut add = |key: Option<&str>, value: &Value| {
        let key = key.map_or_else(String::new, |key| format!("{}=", shown(key)));
        let nested = matches!(
            value.shown(),
            Shown::Plain(Payload::Map(_) | Payload::Array(_))
        );
        let span = if nested {
            Span::new(size(value), Role::Container)
        } else {
            leaf(value, false)
        };
        let cost = width(&key) + width(&span.text) + 1;
        if cost > room {
            room = 0;
            return false;
        }
        room -= cost;
        spans.push(Span::new(format!(" {key}"), Role::Dim));
        spans.push(span);
        true
    };
    let is_plain = matches!(value.shown(), Shown::Plain(_));
    let mut children = path::children(value).filter(|_| is_plain);
    let mut first = children.by_ref().take(MAX_CHILDREN);
    let whole = first.all(|(segment, child)| match segment {
        Segment::Key(key) => add(Some(&key), child),
        Segment::Index(_) => add(None, child),
    });
    let whole = whole && children.next().is_none();
    if !whole {
        spans.push(Span::new(" …", Role::Dim));
    }
    spans
}

/// The text of a value without contents, or with opaque contents.
pub fn leaf(value: &Value, pulumi: bool) -> Span {
    let payload = match value.shown() {
        Shown::Secret(mask) => return Span::new(mask, Role::Secret),
        Shown::Plain(payload) => payload,
    };
    match payload {
        Payload::Null => Span::new("null", Role::Null),
        Payload::Bool(bool) => Span::new(bool.to_string(), Role::Bool),
        Payload::Number(number) => Span::new(number.to_string(), Role::Number),
        Payload::String(text) => strings::string(text),
        Payload::Array(_) | Payload::Map(_) => Span::new(size(value), Role::Container),
        Payload::Asset(asset) => Span::new(asset_text(asset), Role::Container),
        Payload::Archive(archive) => Span::new(archive_text(archive), Role::Container),
        Payload::Reference(reference) => {
            let urn = reference.urn.to_str_lossy();
            Span::new(
                format!("{LINK} {}", shown(super::urn_name(&urn))),
                Role::Reference,
            )
        }
        Payload::Computed(_) => Span::new(unknown(pulumi), Role::Unknown),
        Payload::Sealed(_) => Span::new("[secret]", Role::Secret),
    }
}

/// The notation of the file's tool for a value that is not known yet.
fn unknown(pulumi: bool) -> &'static str {
    if pulumi {
        Kind::PulumiState.unknown()
    } else {
        Kind::TerraformState.unknown()
    }
}

fn hash_text(hash: &crate::value::Text) -> String {
    let hash = hash.to_str_lossy();
    match hash.get(..12) {
        Some(start) => format!(" · sha256 {}…", shown(start)),
        None => String::new(),
    }
}

fn asset_text(asset: &Asset) -> String {
    let source = match &asset.text {
        Some(text) => format!("text, {}", strings::bytes(text.as_bytes().len())),
        None if asset.path.as_bytes().is_empty() => shown(&asset.uri.to_str_lossy()),
        None => shown(&asset.path.to_str_lossy()),
    };
    format!("<asset> {source}{}", hash_text(&asset.hash))
}

fn archive_text(archive: &Archive) -> String {
    let source = match &archive.assets {
        Some(assets) => plural(assets.len(), "member"),
        None if archive.path.as_bytes().is_empty() => shown(&archive.uri.to_str_lossy()),
        None => shown(&archive.path.to_str_lossy()),
    };
    format!("<archive> {source}{}", hash_text(&archive.hash))
}
