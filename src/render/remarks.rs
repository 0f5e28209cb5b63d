//! Remarks on the change of a resource as a whole, in addition to its reasons and its properties.

use std::fmt::Display;

use crate::change::provider_diff::{Effect, Kept, ReportedProperty, kept, n_unread, statements};
use crate::change::review::SectionDiff;
use crate::stack::{Flags, ReplaceOrder, Resource, why_deferred};
use crate::text::count;
use crate::value::Value;

/// Maximum number of lines about single properties on a screen.
const MAX_PROPERTIES: usize = 12;
/// Number of characters of a value or a path in such a line.
const MAX_VALUE: usize = 60;

/// The line that declares a resource, in words. Texts of the file are not escaped.
pub fn declared(resource: &Resource) -> Option<String> {
    let position = resource.position.as_ref();
    position.map(|position| format!("declared at {position}"))
}

/// The move, the import and the deferral of a resource, in words. Also the remarks of the engine and the provider on its
/// properties that are not in the difference `parts`. Texts of the file are not escaped.
pub fn remarks(resource: &Resource, parts: &[SectionDiff]) -> Vec<String> {
    let mut remarks = of_change(resource);
    let mut properties = of_properties(resource, parts);
    if properties.len() > MAX_PROPERTIES {
        let n_more = properties.len() - MAX_PROPERTIES;
        properties.truncate(MAX_PROPERTIES);
        properties.push(format!(
            "and {} more remarks on properties",
            count(n_more as u64)
        ));
    }
    remarks.extend(properties);
    remarks
}

/// The move, the import and the deferral of a resource, in words. Texts of the file are not escaped.
pub fn of_change(resource: &Resource) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(change) = &resource.change {
        if let Some(previous) = &change.previous_address {
            remarks.push(format!("moved from {previous}"));
        }
        if let Some(id) = &change.importing {
            remarks.push(format!("imported from {id}"));
        }
        if change.order.is_some_and(ReplaceOrder::forgets) {
            remarks.push("the old object will be forgotten, not deleted".to_owned());
        }
    }
    if let Some(lost) = lost(resource) {
        remarks.push(lost);
    }
    if let Some(reason) = deferred(resource) {
        let words = why_deferred(reason).unwrap_or("for an unknown reason");
        remarks.push(format!("deferred: {words}"));
    }
    remarks
}

/// Says that a replacement ended after the old object was deleted.
fn lost(resource: &Resource) -> Option<String> {
    let flags = resource.flags;
    let is_over = flags.intersects(Flags::FAILED | Flags::PENDING_OPERATION);
    if resource.change.is_none() || !is_over || !flags.contains(Flags::PENDING_REPLACEMENT) {
        return None;
    }
    let id = resource.id.as_ref().filter(|id| !id.is_secret());
    let id = id.and_then(Value::as_str).filter(|id| !id.is_empty());
    let id = id.map_or_else(String::new, |id| format!(" {id}"));
    Some(format!(
        "the old object{id} is deleted already, and there is no new one"
    ))
}

/// All remarks of the engine and the provider on properties that are not in the difference `parts`. Texts of the file are not
/// escaped.
pub fn of_properties(resource: &Resource, parts: &[SectionDiff]) -> Vec<String> {
    let statements = statements(resource, parts);
    let mut lines: Vec<String> = statements.reported.iter().map(by_provider).collect();
    let keys = statements.keys.iter();
    lines.extend(keys.map(|key| {
        let key = short(key);
        format!("engine: {key} differs, the file does not say how")
    }));
    let hidden = statements.hidden.iter();
    lines.extend(hidden.map(|path| {
        let path = short(path);
        format!("hideDiff: {path} changes; Pulumi does not show it")
    }));
    lines.extend(kept(resource, parts).iter().map(ignored));
    let n_unread = n_unread(resource);
    if n_unread > 0 {
        lines.push(format!(
            "{} more remarks in the file are not read",
            count(n_unread as u64)
        ));
    }
    lines
}

/// `provider: size 3 → 5, forces replacement`.
fn by_provider(reported: &ReportedProperty) -> String {
    let path = short(&reported.path);
    let words = match (&reported.old, &reported.new) {
        (None, Some(new)) => format!("adds {path} {}", short(new)),
        (Some(old), None) => format!("deletes {path} {}", short(old)),
        (Some(old), Some(new)) => format!("updates {path} {} → {}", short(old), short(new)),
        (None, None) => format!("updates {path}"),
    };
    let forces = if reported.replaces {
        ", forces replacement"
    } else {
        ""
    };
    format!("provider: {words}{forces}")
}

/// `ignoreChanges: tags.Owner keeps "ops"`.
fn ignored(kept: &Kept) -> String {
    let path = short(&kept.path);
    let old = match &kept.old {
        Some(old) => short(old),
        None => "its old value".to_owned(),
    };
    match kept.effect {
        Effect::Kept => format!("ignoreChanges: {path} keeps {old}"),
        Effect::Differs => format!("ignoreChanges: {path} differs; an update keeps {old}"),
        Effect::Drifted => format!("ignoreChanges: {path} drifted; an update does not set it back"),
        Effect::Impossible => {
            format!("ignoreChanges: {path} cannot be kept, it exists on one side only")
        }
    }
}

/// A masked value or a path in one line, cut.
fn short(shown: &dyn Display) -> String {
    let text = shown.to_string();
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The reason for putting a change off to a later plan, in the words of the file; `None` if it is not put off.
pub fn deferred(resource: &Resource) -> Option<&str> {
    if !resource.flags.contains(Flags::DEFERRED) {
        return None;
    }
    let reason = resource.fields.iter().find(|(key, _)| &**key == "reason");
    let reason = reason.and_then(|(_, reason)| reason.as_str());
    Some(reason.unwrap_or_default())
}
