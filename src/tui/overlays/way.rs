//! The page of the shortest dependency chain between two resources.

use super::text::{About, TextLine, TextView};
use crate::stack::graph::PathEdge;
use crate::stack::{ResourceId, Stack};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::text::plural;

/// The page of a chain with at least one step. Each line leads to its resource.
pub fn page(stack: &Stack, way: &[PathEdge]) -> TextView {
    let first = way
        .first()
        .map(|step| line(stack, step.from, String::new()));
    let steps = way
        .iter()
        .map(|PathEdge { to, kind, .. }| line(stack, *to, format!("  is its {}", kind.name())));
    let title = format!("The way, {}", plural(way.len(), "step"));
    let lines = first.into_iter().chain(steps).collect();
    TextView::of_lines(title, lines, About::Everything)
}

fn line(stack: &Stack, id: ResourceId, why: String) -> TextLine {
    let ty = format!("  {}", shown(stack.ty(id)));
    TextLine {
        spans: vec![
            Span::new(shown(stack.name(id)), Role::Reference),
            Span::new(ty, Role::Type),
            Span::new(why, Role::Dim),
        ],
        target: Some(id),
    }
}
