//! The lines of hits: name, matched path or type, and value, masked as it may be shown.

use crate::search::{At, Hit, Index, OutputHit};
use crate::stack::Stack;
use crate::tui::panes::outputs;
use crate::tui::rows::{Span, leaf, preview, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::{cut, width_of};
use crate::value::{Payload, Shown, Value};

/// A hit as it is drawn.
#[derive(Clone, Debug)]
pub struct Line {
    /// The name of the resource.
    pub name: Vec<Span>,
    /// The property, or the type of a resource as a whole.
    pub path: Vec<Span>,
    /// The value, as it may be shown.
    pub value: Vec<Span>,
}

impl Line {
    /// Its parts, the name and the path in columns of these widths.
    pub fn in_columns(&self, name: usize, path: usize) -> Vec<Span> {
        let [name, path] = [(&self.name, name), (&self.path, path)].map(|(spans, width)| {
            let mut column = column(spans, width);
            column.push(Span::new("  ", Role::Text));
            column
        });
        [name, path, self.value.clone()].concat()
    }
}

/// Spans in a column of this width: cut at its end, or with blanks after them.
pub fn column(spans: &[Span], width: usize) -> Vec<Span> {
    let mut spans = cut(spans, width);
    let left = width.saturating_sub(width_of(&spans));
    spans.push(Span::new(" ".repeat(left), Role::Text));
    spans
}

/// The line of a hit among the resources.
pub fn line(stack: &Stack, index: &Index, hit: &Hit, value: Option<&Value>) -> Line {
    let name = marked(stack.name(hit.resource), &hit.name, Role::Text);
    let ty = marked(stack.ty(hit.resource), &hit.ty, Role::Type);
    let path = |section: String, text: &str| {
        let mut spans = vec![Span::new(section, Role::Dim)];
        let dot = if text.starts_with('[') || text.is_empty() {
            ""
        } else {
            "."
        };
        spans.push(Span::new(dot, Role::Dim));
        spans.extend(marked(text, &hit.path, Role::Key));
        spans
    };
    let pulumi = stack.header.kind.is_pulumi();
    let value = value
        .map(|value| shown_value(value, pulumi))
        .unwrap_or_default();
    match &hit.at {
        At::Resource => Line {
            name,
            path: ty,
            value,
        },
        At::Indexed(id) => Line {
            name,
            path: path(index.section(*id).to_string(), index.path_text(*id)),
            value,
        },
        At::Property(place) => Line {
            name,
            path: path(place.section_word(), &place.path.to_string()),
            value,
        },
    }
}

/// The line of a hit among the outputs.
pub fn output_line(stack: &Stack, hit: &OutputHit) -> Line {
    let text = hit.place.path.to_string();
    let value = outputs::value(stack, hit.place.before, &hit.place.path);
    let section = if hit.place.before { "before." } else { "" };
    let mut path = vec![Span::new(section, Role::Dim)];
    path.extend(marked(&text, &hit.path, Role::Key));
    Line {
        name: vec![Span::new("output", Role::Type)],
        path,
        value: value
            .map(|value| shown_value(&value, stack.header.kind.is_pulumi()))
            .unwrap_or_default(),
    }
}

fn shown_value(value: &Value, pulumi: bool) -> Vec<Span> {
    match value.shown() {
        Shown::Plain(Payload::Map(_) | Payload::Array(_)) => preview(value),
        _ => vec![leaf(value, pulumi)],
    }
}

/// A text with the bytes of `ranges` highlighted. Each piece is escaped separately.
fn marked(text: &str, ranges: &[std::ops::Range<usize>], role: Role) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    let mut put = |piece: Option<&str>, role: Role| {
        if let Some(piece) = piece.filter(|piece| !piece.is_empty()) {
            spans.push(Span::new(shown(piece), role));
        }
    };
    for range in ranges {
        put(text.get(at..range.start), role);
        put(text.get(range.clone()), Role::Match);
        at = range.end.max(at);
    }
    put(text.get(at..), role);
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matched_letters_are_apart_and_escaped() {
        let spans = marked("or\u{1b}ders", &[0..2, 3..5], Role::Text);
        let parts: Vec<_> = spans
            .iter()
            .map(|span| (span.text.as_str(), span.role))
            .collect();
        assert_eq!(
            parts,
            [
                ("or", Role::Match),
                ("␛", Role::Text),
                ("de", Role::Match),
                ("rs", Role::Text)
            ]
        );
    }
}
