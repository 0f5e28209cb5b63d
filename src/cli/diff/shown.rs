//! A change as JSON for a page in a browser: lines with classes, as the explorer's pane shows them.

use super::{Reading, ResourceChange};
use crate::render::json::object;
use crate::render::lines::{Body, Line, Options, Role, lines};
use crate::stack::{Action, ResourceId};
use crate::text::escaped;
use crate::value::{Number, Value};

impl Reading<'_> {
    /// The change of a resource. All texts are escaped, and secrets are masked.
    pub(in crate::modules::cli) fn shown(&self, id: ResourceId, action: Action) -> Value {
        let entry = self.entry(id, action);
        let options = Options {
            unknown: self.document.stack.header.kind.unknown(),
            most: Options::SCREENFUL,
            ..Options::default()
        };
        let parts = entry.parts.iter().map(|part| {
            let lines = lines(&part.diff, options);
            pair((
                part.section.name(),
                lines.iter().map(line).collect::<Vec<_>>(),
            ))
        });
        object(&[
            ("name", &escaped(&entry.identity())),
            ("type", &escaped(entry.stack.ty(id))),
            ("action", &action.name()),
            ("why", &why(&entry)),
            ("parts", &parts.collect::<Vec<_>>()),
        ])
    }
}

/// The details of the action, its reasons and remarks, or the reason that the resource could not be read.
fn why(entry: &ResourceChange<'_>) -> Vec<String> {
    let aside = entry.aside();
    let aside = Some(aside.trim_start_matches(", ")).filter(|it| !it.is_empty());
    let error = entry.resource.as_ref().err();
    let error = error.map(|it| format!("could not be read: {it}"));
    let texts = aside.map(str::to_owned).into_iter();
    let texts = texts.chain(entry.why()).chain(error);
    texts.map(|text| escaped(&text)).collect()
}

/// A list of two.
pub(in crate::modules::cli) fn pair((first, second): (&str, impl Into<Value>)) -> Value {
    vec![first.into(), second.into()].into()
}

/// Depth, sign, label, texts with their roles, remark.
fn line(line: &Line) -> Value {
    let spans = line.unified().into_iter();
    let spans: Vec<Value> = spans.map(|it| pair((class(it.role), it.text))).collect();
    let mut label = line.label.clone().unwrap_or_default();
    // A folded line only counts its leaves.
    let is_folded = matches!(line.body, Body::Folded { .. } | Body::More { .. });
    if !label.is_empty() && !is_folded {
        label.push(':');
    }
    vec![
        Number::from(line.depth as u64).into(),
        line.action.sign().trim().into(),
        label.into(),
        spans.into(),
        line.remark().unwrap_or_default().into(),
    ]
    .into()
}

/// The class of the style.
fn class(role: Role) -> &'static str {
    match role {
        Role::String => "s",
        Role::Changed => "c",
        Role::Number => "n",
        Role::Bool | Role::Null => "b",
        Role::Container => "o",
        Role::Secret => "x",
        Role::Unknown => "u",
        Role::Other => "",
        Role::Note => "d",
    }
}
