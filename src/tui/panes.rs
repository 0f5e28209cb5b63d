//! The panes: what they hold, how commands change them, how they are drawn. They do not know each other; the model routes.

pub mod changes;
pub mod deps;
pub mod detail;
pub mod diff;
pub mod list;
pub mod problems;
pub mod tree;

use std::collections::BTreeSet;

use super::rows::{Fold, Row, Span};
use super::theme::{Role, Theme};
use super::widgets::pen::{Pen, width_of};
use super::widgets::text::width;
use crate::stack::{ResourceId, Stack};

/// What a pane may see besides its own state.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    /// The stack.
    pub stack: &'a Stack,
    /// The look.
    pub theme: &'a Theme,
    /// Resources that are marked.
    pub marks: &'a BTreeSet<ResourceId>,
    /// Whether the pane gets the keys.
    pub focused: bool,
}

/// Draws a row of values: fold, label, value, remarks at the right.
pub(super) fn draw_row(pen: &mut Pen<'_>, row: &Row, max_align: usize) {
    draw_indent(pen, row.depth);
    pen.put(glyph(row.fold), Role::Dim);
    if row.spot.path.0.is_empty() && row.spot.inside.is_none() && !row.label.is_empty() {
        // The heading of a part.
        pen.put(&row.label, Role::Title);
        pen.put_all(&row.body);
        return;
    }
    let align = row.align.min(max_align);
    let padding = align.saturating_sub(width(&row.label));
    if !row.label.is_empty() {
        pen.put(&row.label, Role::Key);
        pen.put(&" ".repeat(padding + 2), Role::Text);
    }
    // Remarks give way to values: a link is worth more room than a hint.
    let wanted = width_of(&row.body) + 1;
    let links: Vec<Span> = with_gaps(row.remark.iter().filter(|it| it.role == Role::Reference));
    let all: Vec<Span> = with_gaps(row.remark.iter());
    if width_of(&all) + wanted.min(24) <= pen.room() {
        pen.put_right(&all);
    } else if width_of(&links) + wanted.min(16) <= pen.room() {
        pen.put_right(&links);
    }
    pen.put_all(&row.body);
}

fn with_gaps<'a>(spans: impl Iterator<Item = &'a Span>) -> Vec<Span> {
    let mut all = Vec::new();
    for span in spans {
        if !all.is_empty() {
            all.push(Span::new("  ", Role::Text));
        }
        all.push(span.clone());
    }
    all
}

/// Two cells for each level, but never more than a third of the room.
pub(super) fn draw_indent(pen: &mut Pen<'_>, depth: usize) {
    let indent = (2 * depth).min(pen.room() / 3);
    pen.skip(indent);
}

/// The sign in front of something that folds.
pub(super) fn glyph(fold: Fold) -> &'static str {
    match fold {
        Fold::Leaf => "  ",
        Fold::Closed => "▸ ",
        Fold::Open => "▾ ",
    }
}
