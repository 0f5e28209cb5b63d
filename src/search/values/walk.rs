//! Walks through the values of a resource that stop at every mask.

use std::borrow::Cow;

use crate::path::{self, Path, Segment, children};
use crate::stack::{PropertySet, Resource, Section, When};
use crate::value::{Payload, Shown, Text, Value};

/// The text of a value without parts, as it may be shown.
pub(crate) fn leaf(payload: &Payload) -> Option<Cow<'_, str>> {
    match payload {
        Payload::Null => Some("null".into()),
        Payload::Bool(bool) => Some(if *bool { "true" } else { "false" }.into()),
        Payload::Number(number) => Some(number.to_string().into()),
        Payload::String(text) => Some(text.to_str_lossy()),
        Payload::Asset(asset) => Some(source(&asset.path, &asset.uri)),
        Payload::Archive(archive) => Some(source(&archive.path, &archive.uri)),
        Payload::Reference(reference) => Some(reference.urn.to_str_lossy()),
        Payload::Array(_) | Payload::Map(_) | Payload::Computed(_) | Payload::Sealed(_) => None,
    }
}

/// True for a value of which a search compares a part. Numbers and words are compared as a whole.
pub(super) fn is_text(payload: &Payload) -> bool {
    matches!(
        payload,
        Payload::String(_) | Payload::Asset(_) | Payload::Archive(_) | Payload::Reference(_)
    )
}

fn source<'t>(path: &'t Text, uri: &'t Text) -> Cow<'t, str> {
    if path.as_bytes().is_empty() {
        uri.to_str_lossy()
    } else {
        path.to_str_lossy()
    }
}

/// The property sets of a resource as they may be shown, current ones first.
pub(crate) fn sections(resource: &Resource) -> impl Iterator<Item = (bool, Section, Value)> {
    [(false, When::After), (true, When::Before)]
        .into_iter()
        .flat_map(|(before, when)| {
            [Section::Inputs, Section::Outputs].map(|section| (before, when, section))
        })
        .filter_map(|(before, when, section)| {
            let value = PropertySet { when, section }.shown_of(resource)?;
            Some((before, section, value))
        })
}

/// Calls `found` with the path and payload of everything without parts below `value` that may be shown.
pub(super) fn walk(value: &Value, found: &mut dyn FnMut(&Path, &Payload)) {
    path::walk(value, &mut Path::root(), &mut |path, value| {
        match value.shown() {
            Shown::Plain(Payload::Map(_) | Payload::Array(_)) => return true,
            Shown::Plain(payload) => found(path, payload),
            Shown::Secret(_) => {}
        }
        false
    });
}

/// Calls `found` with each path below `value` that matches `segments`; `None` is every key or element. Stops at every mask.
pub(super) fn spread(
    value: &Value,
    segments: &[Option<&Segment>],
    path: &mut Path,
    found: &mut dyn FnMut(&Path),
) {
    let Some((segment, rest)) = segments.split_first() else {
        found(path);
        return;
    };
    if value.is_secret() {
        return;
    }
    let mut step = |segment: Segment, value: &Value| {
        path.0.push(segment);
        spread(value, rest, path, found);
        path.0.pop();
    };
    match segment {
        Some(segment) => {
            if let Ok(below) = segment.step(value) {
                step((*segment).clone(), below);
            }
        }
        None => children(value).for_each(|(segment, below)| step(segment, below)),
    }
}
