//! The panes: what they hold, how commands change them, how they are drawn. They do not know each other; the model routes.

pub mod changes;
pub mod deps;
pub mod detail;
pub mod diff;
pub mod list;
pub mod outputs;
pub mod problems;
pub mod tree;

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::rows::{Fold, Row, Span};
use super::theme::{Role, Theme};
use super::widgets::pen::{Pen, width_of, wrapped};
use super::widgets::text::{cells, width};
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
    /// Whether more of the file is still to come.
    pub loading: bool,
    /// Whether the pane gets the keys.
    pub focused: bool,
}

/// Narrower columns than this are no place for the lines of a long value: in cells.
const MIN_COLUMN: usize = 12;

/// How a row of values lies in its line.
struct Places {
    /// Blanks behind the label.
    padding: usize,
    /// What stands at the right end.
    remarks: Vec<Span>,
    /// Where the value begins.
    at: usize,
    /// How many cells it has.
    room: usize,
}

impl Places {
    fn new(row: &Row, room: usize, max_align: usize) -> Self {
        let mut at = (2 * row.depth).min(room / 3) + 2;
        at += if row.sign.is_some() { 2 } else { 0 };
        if is_heading(row) {
            at += width(&row.label);
            return Self {
                padding: 0,
                remarks: Vec::new(),
                at: at.min(room),
                room: room.saturating_sub(at),
            };
        }
        let mut padding = 0;
        if !row.label.is_empty() {
            let align = row.align.min(max_align);
            padding = align.saturating_sub(width(&row.label)) + 2;
            at += width(&row.label) + padding;
        }
        let left = room.saturating_sub(at);
        // Remarks give way to values: a link is worth more room than a hint.
        let wanted = width_of(&row.body) + 1;
        let links = with_gaps(row.remark.iter().filter(|it| it.role == Role::Reference));
        let all = with_gaps(row.remark.iter());
        let remarks = if width_of(&all) + wanted.min(24) <= left {
            all
        } else if width_of(&links) + wanted.min(16) <= left {
            links
        } else {
            Vec::new()
        };
        let taken = width_of(&remarks) + usize::from(!remarks.is_empty());
        Self {
            padding,
            remarks,
            at: at.min(room),
            room: left.saturating_sub(taken),
        }
    }

    /// The lines of the value, and where those behind the first begin; `None` if it fits in its line.
    fn wrapped(&self, row: &Row, room: usize, limit: usize) -> Option<(usize, Vec<Vec<Span>>)> {
        if width_of(&row.body) <= self.room {
            return None;
        }
        if self.room >= MIN_COLUMN {
            return Some((self.at, wrapped(&row.body, self.room, limit)));
        }
        // Beside a long label there is no column: the value begins below it.
        let at = (2 * row.depth + 4).min(room / 3);
        let mut lines = vec![Vec::new()];
        lines.extend(wrapped(&row.body, room.saturating_sub(at), limit));
        Some((at, lines))
    }
}

/// The heading of a part.
fn is_heading(row: &Row) -> bool {
    row.spot.path.0.is_empty() && row.spot.inside.is_none() && !row.label.is_empty()
}

/// Draws a row of values: fold, label, value, remarks at the right.
pub(super) fn draw_row(pen: &mut Pen<'_>, row: &Row, max_align: usize) {
    let places = Places::new(row, pen.room(), max_align);
    draw_head(pen, row, &places);
    pen.put_all(&row.body);
}

/// All of a row but its value.
fn draw_head(pen: &mut Pen<'_>, row: &Row, places: &Places) {
    draw_indent(pen, row.depth);
    pen.put(glyph(row.fold), Role::Dim);
    if let Some(sign) = &row.sign {
        pen.put(&sign.text, sign.role).put(" ", Role::Text);
    }
    let role = if is_heading(row) {
        Role::Title
    } else {
        Role::Key
    };
    pen.put(&row.label, role);
    pen.put(&" ".repeat(places.padding), Role::Text);
    pen.put_right(&places.remarks);
}

/// How many lines a row takes in `room` cells where long values go on in the next line; at most `limit`.
pub(super) fn n_lines_of_row(row: &Row, room: usize, max_align: usize, limit: usize) -> usize {
    let lines = Places::new(row, room, max_align).wrapped(row, room, limit);
    lines.map_or(1, |(_, lines)| lines.len().min(limit))
}

/// Where the lines of a row go.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    /// All that the pane has.
    pub(super) area: Rect,
    /// The first line, counted from the top of the area.
    pub(super) at: u16,
    /// Cells that stay free at the left.
    pub(super) indent: usize,
}

/// Draws a row of values, long values over several lines. Returns how many it took.
pub(super) fn draw_wrapped_row(
    row: &Row,
    theme: Theme,
    lines: Lines,
    max_align: usize,
    buffer: &mut Buffer,
) -> u16 {
    let Lines { area, at, indent } = lines;
    let room = usize::from(area.width).saturating_sub(indent);
    let limit = usize::from(area.height.saturating_sub(at));
    let places = Places::new(row, room, max_align);
    let mut pen = Pen::new(buffer, &theme, area, at);
    pen.skip(indent);
    draw_head(&mut pen, row, &places);
    let Some((start, lines)) = places.wrapped(row, room, limit) else {
        pen.put_all(&row.body);
        return 1;
    };
    pen.put_all(lines.first().map_or(&[][..], Vec::as_slice));
    let below = lines.get(1..).unwrap_or_default();
    for (line, spans) in (at + 1..area.height).zip(below) {
        let mut pen = Pen::new(buffer, &theme, area, line);
        pen.skip(indent + start).put_all(spans);
    }
    cells(lines.len().min(limit))
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
