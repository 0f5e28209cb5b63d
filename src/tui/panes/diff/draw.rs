//! Drawing the difference.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{DiffPane, DiffRow, LineRow};
use crate::change::difference::Action;
use crate::render::lines::{self, Body, Line};
use crate::stack;
use crate::tui::layout::Pane;
use crate::tui::panes::{Ctx, draw_indent};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, width_of, wrapped};
use crate::tui::widgets::text::{self, cells, width, wrap_words};

/// Minimum inner width of the pane for two sides, in cells.
pub const SIDES_FROM: u16 = 60;

/// Minimum width of a value beside a remark or a label, in cells.
const MIN_VALUE: usize = 16;

/// A line of the pane.
#[derive(Clone, Copy)]
struct DrawnLine {
    /// The inside of the pane.
    area: Rect,
    /// The line, counted from the top of the area.
    at: u16,
    /// True if the cursor is on the line.
    is_selected: bool,
}

impl DrawnLine {
    fn pen<'a>(self, ctx: Ctx<'a>, buffer: &'a mut Buffer) -> Pen<'a> {
        let mut pen = Pen::new(buffer, ctx.theme, self.area, self.at);
        pen.put(if self.is_selected { "▶" } else { " " }, Role::Focus);
        pen
    }

    /// Writes continuation lines below the first line, `indent` cells to the right.
    fn below(self, pieces: &[&str], indent: usize, role: Role, ctx: Ctx<'_>, buffer: &mut Buffer) {
        for (line, piece) in (self.at + 1..self.area.height).zip(pieces) {
            let mut pen = Pen::new(buffer, ctx.theme, self.area, line);
            pen.skip(indent).put(piece, role);
        }
    }

    fn within(self, area: Rect) -> Self {
        Self { area, ..self }
    }

    /// Number of lines that there is room for, at most `wanted`.
    fn lines(self, wanted: usize) -> u16 {
        let room = self.area.height.saturating_sub(self.at);
        u16::try_from(wanted).unwrap_or(u16::MAX).min(room)
    }
}

impl DiffPane {
    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let has_sides = self.has_sides(pane);
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
        let (len, height) = (self.rows.len(), usize::from(area.height));
        let top = self
            .cursor
            .top_of_lines(len, height, |row| self.n_lines(row, pane));
        let mut at = 0;
        for (position, row) in self.rows.iter().enumerate().skip(top) {
            if at >= area.height {
                break;
            }
            let is_selected = position == self.cursor.row;
            let place = DrawnLine {
                area,
                at,
                is_selected,
            };
            let n_lines = match row {
                DiffRow::Remark(text, role) => self.draw_remark(ctx, text, *role, place, buffer),
                DiffRow::Heading(name) => {
                    place.pen(ctx, buffer).put(name, Role::Title);
                    1
                }
                DiffRow::Line(row) if has_sides => self.draw_sides(ctx, row, place, buffer),
                DiffRow::Line(row) => {
                    let side = unified(row, usize::from(area.width));
                    self.draw_line(ctx, &row.line, &side, place, buffer)
                }
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
            let invoked = self
                .invocation
                .and_then(|it| ctx.session.stack().invocations.get(it));
            return match invoked {
                Some(invocation) => {
                    let what = match invocation.deferred {
                        Some(_) => "is deferred",
                        None => "will be invoked",
                    };
                    format!("» {} · {what}", shown(&invocation.address))
                }
                None => "Difference".to_owned(),
            };
        };
        let record = ctx.session.stack().record(id);
        let action = record.action.unwrap_or(stack::Action::Noop);
        let is_drift = record.flags.is_drift();
        let what = match action {
            _ if ctx.session.stack().is_comparison => action.compared(),
            stack::Action::Delete if is_drift => "was destroyed outside of the program",
            stack::Action::Delete if ctx.session.stack().is_old_copy(id) => {
                "an old copy will be destroyed"
            }
            _ if is_drift => "has changed outside of the program",
            stack::Action::Create => "will be created",
            stack::Action::Update => "will be updated in place",
            stack::Action::Replace => "must be replaced",
            stack::Action::Delete => "will be destroyed",
            stack::Action::Read => "will be read during apply",
            stack::Action::Import => "will be imported",
            stack::Action::Move => "has moved",
            stack::Action::Forget => "will be forgotten, not destroyed",
            stack::Action::Defer => "is deferred to a later run",
            stack::Action::Noop => "does not change",
        };
        let order = ctx
            .session
            .stack()
            .replace_order(id)
            .map(stack::ReplaceOrder::words);
        let also = ctx
            .session
            .stack()
            .actions(id)
            .skip(1)
            .map(|also| match also {
                stack::Action::Import => "imported",
                _ => "moved",
            });
        let words: Vec<&str> = [what].into_iter().chain(order).chain(also).collect();
        let name = shown(ctx.session.stack().short_name(id));
        format!("{} {name} · {}", action.sign(), words.join(", "))
    }

    fn draw_remark(
        &self,
        ctx: Ctx<'_>,
        text: &str,
        role: Role,
        place: DrawnLine,
        buffer: &mut Buffer,
    ) -> u16 {
        let room = usize::from(place.area.width).saturating_sub(3);
        let pieces = wrap_words(text, room);
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

    fn has_sides(&self, pane: Pane) -> bool {
        self.side_by_side && pane.inner.width >= SIDES_FROM
    }

    /// Number of lines of the pane that a row takes.
    fn n_lines(&self, row: usize, pane: Pane) -> usize {
        let area = pane.inner;
        let (room, limit) = (usize::from(area.width), usize::from(area.height));
        let n_lines = match self.rows.get(row) {
            Some(DiffRow::Remark(text, _)) if self.wrap || row == self.cursor.row => {
                wrap_words(text, room.saturating_sub(3)).len()
            }
            Some(DiffRow::Line(row)) if self.wrap && self.has_sides(pane) => {
                let n_lines = sides(row, room).map(|side| side.column.lines(limit).len());
                n_lines[0].max(n_lines[1])
            }
            Some(DiffRow::Line(row)) if self.wrap => unified(row, room).column.lines(limit).len(),
            _ => 1,
        };
        n_lines.min(limit)
    }

    /// The row on a line of the pane.
    pub fn row_of_line(&self, line: usize, pane: Pane) -> Option<usize> {
        let (len, height) = (self.rows.len(), usize::from(pane.inner.height));
        let n_lines = |row| self.n_lines(row, pane);
        self.cursor.row_of_line(line, len, height, n_lines)
    }

    fn draw_line(
        &self,
        ctx: Ctx<'_>,
        line: &Line,
        side: &DiffColumn,
        place: DrawnLine,
        buffer: &mut Buffer,
    ) -> u16 {
        let area = Rect {
            x: place.area.x + cells(side.from),
            width: cells(side.width),
            ..place.area
        };
        let mut pen = if side.from == 0 {
            place.within(area).pen(ctx, buffer)
        } else {
            Pen::new(buffer, ctx.theme, area, place.at)
        };
        if side.from > 0 {
            pen.put("│ ", Role::Border);
        }
        match &side.lead {
            Lead::Nothing => {}
            Lead::Sign => draw_sign(line, &mut pen),
            Lead::Label { padding } => draw_label(line, *padding, &mut pen),
        }
        pen.put_right(&side.remarks);
        if !self.wrap {
            pen.put_all(&side.column.spans);
            return 1;
        }
        let limit = usize::from(place.lines(usize::MAX));
        let lines = side.column.lines(limit);
        pen.put_all(lines.first().map_or(&[][..], Vec::as_slice));
        for (at, spans) in (place.at + 1..area.height).zip(lines.iter().skip(1)) {
            let mut pen = Pen::new(buffer, ctx.theme, area, at);
            pen.skip(side.column.indent()).put_all(spans);
        }
        place.lines(lines.len())
    }

    fn draw_sides(
        &self,
        ctx: Ctx<'_>,
        row: &LineRow,
        place: DrawnLine,
        buffer: &mut Buffer,
    ) -> u16 {
        let [left, right] = sides(row, usize::from(place.area.width));
        let before = self.draw_line(ctx, &row.line, &left, place, buffer);
        let after = self.draw_line(ctx, &row.line, &right, place, buffer);
        let n_lines = before.max(after);
        for at in place.at + 1..place.at + n_lines {
            let mut pen = Pen::new(buffer, ctx.theme, place.area, at);
            pen.skip(right.from).put("│", Role::Border);
        }
        n_lines
    }
}

/// The text in front of a value.
enum Lead {
    /// Nothing: this side has no value.
    Nothing,
    /// The sign of the action. The label is on the other side.
    Sign,
    /// The sign of the action, the label and `padding` blanks after it.
    Label { padding: usize },
}

/// A value and its place on a side.
struct Column {
    spans: Vec<Span>,
    /// Column where the value starts, counted from the left edge of its side.
    at: usize,
    /// Room for the value, in cells.
    room: usize,
    /// Column and room for a value that starts below its label, if `room` is too small.
    below: (usize, usize),
}

impl Column {
    /// Column where continuation lines start.
    fn indent(&self) -> usize {
        if self.room >= MIN_VALUE {
            self.at
        } else {
            self.below.0
        }
    }

    /// The lines of the value, at most `limit`.
    fn lines(&self, limit: usize) -> Vec<Vec<Span>> {
        if width_of(&self.spans) <= self.room {
            return vec![self.spans.clone()];
        }
        if self.room >= MIN_VALUE {
            return wrapped(&self.spans, self.room, limit);
        }
        // There is no room for a column beside a long label, so the value starts below it.
        let mut lines = vec![Vec::new()];
        lines.extend(wrapped(&self.spans, self.below.1, limit));
        lines
    }
}

/// One line of the difference, or one of its two sides.
struct DiffColumn {
    /// Left edge, in cells from the left of the pane.
    from: usize,
    width: usize,
    lead: Lead,
    column: Column,
    /// Spans at the right end.
    remarks: Vec<Span>,
}

impl DiffColumn {
    fn new(
        row: &LineRow,
        place: (usize, usize),
        lead: Lead,
        spans: Vec<Span>,
        remarks: Vec<Span>,
    ) -> Self {
        let (from, width) = place;
        let mut at = if from == 0 { 1 } else { 2 };
        if !matches!(lead, Lead::Nothing) {
            at += 2;
            at += (2 * row.line.depth).min(width.saturating_sub(at) / 3);
        }
        let below = (at + 2).min(width / 2);
        if let (Lead::Label { padding }, Some(label)) = (&lead, &row.line.label) {
            at += text::width(label) + padding;
        }
        let at = at.min(width);
        let left = width - at;
        let remarks = fitting(remarks, &spans, left);
        let taken = width_of(&remarks) + usize::from(!remarks.is_empty());
        let room = left.saturating_sub(taken);
        Self {
            from,
            width,
            lead,
            column: Column {
                spans,
                at,
                room,
                below: (below, width - below),
            },
            remarks,
        }
    }
}

/// The remarks that leave enough room for the value: all of them, or the first one. A first remark about danger may be
/// cut to fewer words, down to its sign. Empty if nothing fits.
fn fitting(remarks: Vec<Span>, spans: &[Span], room: usize) -> Vec<Span> {
    let fits = |remarks: &[Span]| width_of(remarks) + width_of(spans).min(MIN_VALUE) < room;
    let Some(first) = remarks.first().cloned() else {
        return remarks;
    };
    let words = first.text.match_indices(' ').map(|(end, _)| end);
    let shorter: Vec<_> = words
        .map(|end| vec![Span::new(&first.text[..end], first.role)])
        .collect();
    let is_danger = first.role == Role::Danger;
    let mut forms = [remarks, vec![first]]
        .into_iter()
        .chain(shorter.into_iter().rev().filter(|_| is_danger));
    forms.find(|form| fits(form)).unwrap_or_default()
}

fn label_of(row: &LineRow) -> Lead {
    let own = row.line.label.as_deref().map(width);
    Lead::Label {
        padding: own.map_or(0, |own| row.align.saturating_sub(own) + 2),
    }
}

/// Both values on one line, the old one first.
fn unified(row: &LineRow, room: usize) -> DiffColumn {
    let line = &row.drawn();
    let mut remarks: Vec<Span> = line
        .remark()
        .map(|remark| remark_span(line, remark))
        .into_iter()
        .collect();
    if matches!(line.body, Body::More { .. }) {
        remarks.push(Span::new("Enter show more", Role::Badge));
    }
    if let Some(origin) = &row.origin {
        if !remarks.is_empty() {
            remarks.push(Span::new("  ", Role::Text));
        }
        // Only a resource can be followed.
        let role = if row.targets.is_empty() {
            Role::Dim
        } else {
            Role::Reference
        };
        remarks.push(Span::new(origin.as_str(), role));
    }
    DiffColumn::new(
        row,
        (0, room),
        label_of(row),
        spans(&line.unified()),
        remarks,
    )
}

/// The value before the change at the left, the value after it at the right.
fn sides(row: &LineRow, room: usize) -> [DiffColumn; 2] {
    let (before, after) = row.drawn().sides();
    let half = room / 2;
    let is_folded = matches!(row.line.body, Body::Folded { .. } | Body::More { .. });
    let after = after.filter(|_| !is_folded);
    let left = match &before {
        Some(_) => label_of(row),
        None => Lead::Nothing,
    };
    let right = match (&before, &after) {
        (_, None) => Lead::Nothing,
        (Some(_), Some(_)) => Lead::Sign,
        (None, Some(_)) => label_of(row),
    };
    let forces = after.is_some() && row.line.forces_replacement;
    let remarks = forces.then(|| Span::new("! forces", Role::Danger));
    let spans = |parts: Option<Vec<lines::Span>>| spans(&parts.unwrap_or_default());
    [
        DiffColumn::new(row, (0, half), left, spans(before), Vec::new()),
        DiffColumn::new(
            row,
            (half, room - half),
            right,
            spans(after),
            remarks.into_iter().collect(),
        ),
    ]
}

/// Draws the sign of the action, then the indent.
fn draw_sign(line: &Line, pen: &mut Pen<'_>) {
    pen.put(line.action.sign(), role(line.action))
        .put(" ", Role::Text);
    draw_indent(pen, line.depth);
}

fn draw_label(line: &Line, padding: usize, pen: &mut Pen<'_>) {
    draw_sign(line, pen);
    let Some(label) = &line.label else { return };
    let key = if line.is_change() {
        Role::Key
    } else {
        Role::Dim
    };
    pen.put(label, key);
    pen.put(&" ".repeat(padding), Role::Text);
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

fn role(action: Action) -> Role {
    match action {
        Action::Same => Role::Dim,
        Action::Create => Role::Create,
        Action::Update => Role::Update,
        Action::Delete => Role::Delete,
    }
}
