//! Drawing the difference.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{DiffPane, LineRow, Row};
use crate::objchange::diff::Action;
use crate::render::lines::{self, Body, Line};
use crate::stack;
use crate::tui::layout::Pane;
use crate::tui::panes::{Ctx, draw_indent};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::text::{width, wrap};

/// From this many columns on there is room for two sides.
const SIDES_FROM: u16 = 60;

/// How much of a value must stay visible for a remark to stand beside it, in cells.
const MIN_VALUE: usize = 16;

/// A line of the pane.
#[derive(Clone, Copy)]
struct Place {
    /// The inside of the pane.
    area: Rect,
    /// The line, counted from the top of the area.
    at: u16,
    /// Whether the cursor is on it.
    is_selected: bool,
}

impl Place {
    fn pen<'a>(self, ctx: Ctx<'a>, buffer: &'a mut Buffer) -> Pen<'a> {
        let mut pen = Pen::new(buffer, ctx.theme, self.area, self.at);
        pen.put(if self.is_selected { "▶" } else { " " }, Role::Focus);
        pen
    }

    /// Writes further lines below the first one, `indent` cells to the right.
    fn below(self, pieces: &[&str], indent: usize, role: Role, ctx: Ctx<'_>, buffer: &mut Buffer) {
        for (line, piece) in (self.at + 1..self.area.height).zip(pieces) {
            let mut pen = Pen::new(buffer, ctx.theme, self.area, line);
            pen.skip(indent).put(piece, role);
        }
    }

    fn lines(self, wanted: usize) -> u16 {
        let room = self.area.height.saturating_sub(self.at);
        u16::try_from(wanted).unwrap_or(u16::MAX).min(room)
    }
}

impl DiffPane {
    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let has_sides = self.side_by_side && pane.inner.width >= SIDES_FROM;
        let labels = Labels {
            title: self.title(ctx),
            status: match self.position() {
                (_, 0) => String::new(),
                (at, all) => {
                    let layout = if has_sides { "side by side" } else { "unified" };
                    format!("change {at}/{all} · {layout}")
                }
            },
            focused: ctx.focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let area = pane.inner;
        let mut at = 0;
        for (position, row) in self.rows.iter().enumerate().skip(self.cursor.top) {
            if at >= area.height {
                break;
            }
            let is_selected = position == self.cursor.row;
            let place = Place {
                area,
                at,
                is_selected,
            };
            let n_lines = match row {
                Row::Remark(text, role) => self.draw_remark(ctx, text, *role, place, buffer),
                Row::Heading(name) => {
                    place.pen(ctx, buffer).put(name, Role::Title);
                    1
                }
                Row::Line(row) if has_sides => draw_sides(ctx, row, place, buffer),
                Row::Line(row) => self.draw_unified(ctx, row, place, buffer),
            };
            if is_selected {
                let lines = Rect::new(area.x, area.y + at, area.width, n_lines);
                let lines = lines.intersection(area).intersection(buffer.area);
                buffer.set_style(lines, ctx.theme.cursor(ctx.focused));
            }
            at += n_lines;
        }
    }

    fn title(&self, ctx: Ctx<'_>) -> String {
        let Some(id) = self.subject else {
            return "Difference".to_owned();
        };
        let action = ctx.stack.record(id).action.unwrap_or(stack::Action::Noop);
        let what = match action {
            stack::Action::Create => "will be created",
            stack::Action::Update => "will be updated in place",
            stack::Action::Replace => "must be replaced",
            stack::Action::Delete => "will be destroyed",
            stack::Action::Read => "will be read during apply",
            stack::Action::Import => "will be imported",
            stack::Action::Move => "has moved",
            stack::Action::Forget => "will be forgotten, not destroyed",
            stack::Action::Noop => "does not change",
        };
        let name = shown(ctx.stack.short_name(id));
        format!("{} {name} · {what}", action.sign())
    }

    fn draw_remark(
        &self,
        ctx: Ctx<'_>,
        text: &str,
        role: Role,
        place: Place,
        buffer: &mut Buffer,
    ) -> u16 {
        let room = usize::from(place.area.width).saturating_sub(3);
        let pieces = wrap(text, room);
        let is_whole = place.is_selected || self.wrap;
        let first = if is_whole {
            pieces.first().copied().unwrap_or_default()
        } else {
            text
        };
        place.pen(ctx, buffer).put(" ", role).put(first, role);
        if !is_whole {
            return 1;
        }
        place.below(pieces.get(1..).unwrap_or_default(), 2, role, ctx, buffer);
        place.lines(pieces.len())
    }

    fn draw_unified(&self, ctx: Ctx<'_>, row: &LineRow, place: Place, buffer: &mut Buffer) -> u16 {
        let line = &row.line;
        let mut pen = place.pen(ctx, buffer);
        draw_label(row, &mut pen);
        let mut remarks: Vec<Span> = line
            .remark()
            .map(|remark| remark_span(line, remark))
            .into_iter()
            .collect();
        if let Some(origin) = &row.origin {
            if !remarks.is_empty() {
                remarks.push(Span::new("  ", Role::Text));
            }
            remarks.push(Span::new(origin.as_str(), Role::Reference));
        }
        let spans = spans(&line.unified());
        if width_of(&remarks) + width_of(&spans).min(MIN_VALUE) >= pen.room() {
            remarks.truncate(1);
        }
        let indent = usize::from(place.area.width).saturating_sub(pen.room());
        pen.put_right(&remarks);
        let room = pen.room();
        if !self.wrap || width_of(&spans) <= room || room < MIN_VALUE {
            pen.put_all(&spans);
            return 1;
        }
        let text: String = spans.iter().map(|span| span.text.as_str()).collect();
        let role = spans.first().map_or(Role::Text, |span| span.role);
        let pieces = wrap(&text, room);
        pen.put(pieces.first().copied().unwrap_or_default(), role);
        place.below(
            pieces.get(1..).unwrap_or_default(),
            indent,
            role,
            ctx,
            buffer,
        );
        place.lines(pieces.len())
    }
}

/// The value before at the left, the value after at the right.
fn draw_sides(ctx: Ctx<'_>, row: &LineRow, place: Place, buffer: &mut Buffer) -> u16 {
    let (before, after) = row.line.sides();
    let has_before = before.is_some();
    let half = place.area.width / 2;
    let left = Place {
        area: Rect {
            width: half,
            ..place.area
        },
        ..place
    };
    let mut pen = left.pen(ctx, buffer);
    if let Some(before) = before {
        draw_label(row, &mut pen);
        pen.put_all(&spans(&before));
    }
    let right = Rect {
        x: place.area.x + half,
        width: place.area.width - half,
        ..place.area
    };
    let mut pen = Pen::new(buffer, ctx.theme, right, place.at);
    pen.put("│ ", Role::Border);
    let is_folded = matches!(row.line.body, Body::Folded { .. });
    if let Some(after) = after.filter(|_| !is_folded) {
        if row.line.forces_replacement {
            pen.put_right(&[Span::new("! forces", Role::Danger)]);
        }
        if has_before {
            // The label stands at the left.
            pen.put(sign(row.line.action), role(row.line.action))
                .put(" ", Role::Text);
            draw_indent(&mut pen, row.line.depth);
        } else {
            draw_label(row, &mut pen);
        }
        pen.put_all(&spans(&after));
    }
    1
}

fn draw_label(row: &LineRow, pen: &mut Pen<'_>) {
    let line = &row.line;
    pen.put(sign(line.action), role(line.action))
        .put(" ", Role::Text);
    draw_indent(pen, line.depth);
    let Some(label) = &line.label else { return };
    let key = if line.is_change() {
        Role::Key
    } else {
        Role::Dim
    };
    pen.put(label, key);
    let padding = row.align.saturating_sub(width(label));
    pen.put(&" ".repeat(padding + 2), Role::Text);
}

fn remark_span(line: &Line, remark: &str) -> Span {
    if line.forces_replacement {
        Span::new(format!("! {remark}"), Role::Danger)
    } else {
        Span::new(remark, Role::Badge)
    }
}

fn spans(parts: &[lines::Span]) -> Vec<Span> {
    let of_part = |part: &lines::Span| Span::new(part.text.clone(), part.role.into());
    parts.iter().map(of_part).collect()
}

pub(super) fn sign(action: Action) -> &'static str {
    match action {
        Action::Same => " ",
        Action::Create => "+",
        Action::Update => "~",
        Action::Delete => "-",
    }
}

fn role(action: Action) -> Role {
    match action {
        Action::Same => Role::Dim,
        Action::Create => Role::Create,
        Action::Update => Role::Update,
        Action::Delete => Role::Delete,
    }
}
