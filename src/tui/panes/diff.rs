//! The difference of the selected change: lines below each other, or the two sides beside each other.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Ctx;
use crate::format::ReadError;
use crate::objchange::diff::Action;
use crate::objchange::review::{Part, review};
use crate::objchange::why::{Origin, plain_words};
use crate::path::Path;
use crate::render::lines::{self, Body, Line, Options};
use crate::stack::{self, Resource, ResourceId};
use crate::tui::layout::Pane;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::text::{width, wrap};

/// Wider labels than this are not aligned with the others.
const MAX_ALIGN: usize = 24;

/// From this many columns on there is room for two sides.
const SIDES_FROM: u16 = 60;

/// One row of the pane.
#[derive(Clone, Debug)]
enum Row {
    /// A remark about the whole resource.
    Remark(String, Role),
    /// The name of a set of properties, where several are told.
    Heading(&'static str),
    /// A line of the difference, and where its value comes from.
    Line(Line, Option<String>),
}

/// The difference of the selected change.
#[derive(Clone, Default, Debug)]
pub struct DiffPane {
    /// The resource it is of.
    pub subject: Option<ResourceId>,
    /// The selected row.
    pub cursor: Cursor,
    /// Whether the two sides stand beside each other.
    pub side_by_side: bool,
    /// How many unchanged neighbors of a change are shown.
    pub context: usize,
    /// Whether everything is shown, changed or not.
    pub show_all: bool,
    /// Whether long values go on in the next line.
    pub wrap: bool,
    rows: Vec<Row>,
    parts: Vec<Part>,
    remarks: Vec<(String, Role)>,
    origins: Vec<(Origin, String)>,
    align: usize,
}

impl DiffPane {
    /// Is about another resource from now on, which is not read yet.
    pub fn show(&mut self, subject: Option<ResourceId>) {
        let Self {
            side_by_side,
            context,
            show_all,
            wrap,
            ..
        } = *self;
        *self = Self {
            subject,
            side_by_side,
            context,
            show_all,
            wrap,
            ..Self::default()
        };
    }

    /// Takes the resource.
    pub fn set(
        &mut self,
        resource: &Result<Arc<Resource>, ReadError>,
        origins: Vec<(Origin, String)>,
        height: usize,
    ) {
        self.origins = origins;
        match resource {
            Ok(resource) => {
                self.parts = review(resource);
                self.remarks = remarks(resource, &self.parts);
            }
            Err(error) => {
                self.parts.clear();
                self.remarks = vec![(shown(&error.to_string()), Role::Danger)];
            }
        }
        self.remake(height);
    }

    /// Makes the rows anew, after what is shown changed.
    pub fn remake(&mut self, height: usize) {
        let options = if self.show_all {
            Options::ALL
        } else {
            Options {
                context: self.context,
                show_noise: false,
            }
        };
        self.rows.clear();
        for (text, role) in &self.remarks {
            self.rows.push(Row::Remark(text.clone(), *role));
        }
        for part in &self.parts {
            if self.parts.len() > 1 {
                self.rows.push(Row::Heading(part.section.name()));
            }
            for line in lines::lines(&part.diff, options) {
                let origin = self.origin(&line);
                self.rows.push(Row::Line(line, origin));
            }
        }
        let labels = self.rows.iter().filter_map(|row| match row {
            Row::Line(line, _) => line.label.as_ref().map(|label| width(label)),
            _ => None,
        });
        self.align = labels
            .filter(|width| *width <= MAX_ALIGN)
            .max()
            .unwrap_or(0);
        self.cursor.fit(self.rows.len(), height);
    }

    /// Where the value of a line comes from, as far as the file tells.
    fn origin(&self, line: &Line) -> Option<String> {
        if !line.is_change() || matches!(line.body, Body::Before(_) | Body::Folded { .. }) {
            return None;
        }
        let starts = |path: &Path| line.path == *path;
        let sources: Vec<&str> = self
            .origins
            .iter()
            .filter(|(origin, _)| starts(&origin.property))
            .map(|(_, name)| name.as_str())
            .collect();
        (!sources.is_empty()).then(|| format!("← {}", sources.join(", ")))
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The path of the selected row.
    pub fn path(&self) -> Option<&Path> {
        match self.rows.get(self.cursor.row)? {
            Row::Line(line, _) => Some(&line.path),
            _ => None,
        }
    }

    /// The difference at the cursor and below it, as it is drawn; the whole of it from a row that is no change.
    pub fn hunk(&self) -> Option<String> {
        let at = self.cursor.row;
        let (from, depth) = match self.rows.get(at)? {
            Row::Line(line, _) if line.is_change() => (at, Some(line.depth)),
            _ => (0, None),
        };
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate().skip(from) {
            let Row::Line(line, _) = row else { continue };
            if index > from && depth.is_some_and(|depth| line.depth <= depth) {
                break;
            }
            let indent = "  ".repeat(line.depth - depth.unwrap_or(0).min(line.depth));
            let sign = sign(line.action);
            let label = line.label.as_deref().unwrap_or_default();
            let gap = if label.is_empty() { "" } else { " " };
            let value: String = line.unified().into_iter().map(|span| span.text).collect();
            let remark = line
                .remark()
                .map(|remark| format!("  # {remark}"))
                .unwrap_or_default();
            let whole = format!("{sign} {indent}{label}{gap}{value}{remark}");
            text.push_str(whole.trim_end());
            text.push('\n');
        }
        (!text.is_empty()).then(|| text.trim_end().to_owned())
    }

    /// The set of properties that the selected row is of.
    pub fn section(&self) -> Option<stack::Section> {
        self.parts.first().map(|part| part.section)
    }

    /// Goes to the next change (or, with -1, the one before); false if there is none.
    pub fn go_change(&mut self, step: isize, height: usize) -> bool {
        let mut row = self.cursor.row;
        loop {
            row = match row.checked_add_signed(step) {
                Some(row) if row < self.rows.len() => row,
                _ => return false,
            };
            if self.starts_change(row) {
                self.cursor.go(row, self.rows.len(), height);
                return true;
            }
        }
    }

    /// Whether a change begins at a row: a place where something happens that does not only lie inside another such place.
    fn starts_change(&self, row: usize) -> bool {
        let Some(Row::Line(line, _)) = self.rows.get(row) else {
            return false;
        };
        let is_leaf = match self.rows.get(row + 1) {
            Some(Row::Line(next, _)) => next.depth <= line.depth,
            _ => true,
        };
        line.action != Action::Same && (is_leaf || line.action != Action::Update)
    }

    fn position(&self) -> (usize, usize) {
        let changes = (0..self.rows.len()).filter(|row| self.starts_change(*row));
        let (mut before, mut all) = (0, 0);
        for row in changes {
            all += 1;
            before += usize::from(row <= self.cursor.row);
        }
        (before.max(1).min(all), all)
    }

    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let sides = self.side_by_side && pane.inner.width >= SIDES_FROM;
        let labels = Labels {
            title: self.title(ctx),
            status: match self.position() {
                (_, 0) => String::new(),
                (at, all) => {
                    let layout = if sides { "side by side" } else { "unified" };
                    format!("change {at}/{all} · {layout}")
                }
            },
            focused: ctx.focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let area = pane.inner;
        let mut line = 0;
        for (position, row) in self.rows.iter().enumerate().skip(self.cursor.top) {
            if line >= area.height {
                break;
            }
            let is_selected = position == self.cursor.row;
            let start = line;
            line += self.draw_row(ctx, row, is_selected, sides, area, line, buffer);
            if is_selected {
                let lines = Rect::new(area.x, area.y + start, area.width, line - start);
                let lines = lines.intersection(area).intersection(buffer.area);
                buffer.set_style(lines, ctx.theme.cursor(ctx.focused));
            }
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
        format!(
            "{} {} · {what}",
            action.sign(),
            shown(ctx.stack.short_name(id))
        )
    }

    #[expect(clippy::too_many_arguments, reason = "where and how one row is drawn")]
    fn draw_row(
        &self,
        ctx: Ctx<'_>,
        row: &Row,
        is_selected: bool,
        sides: bool,
        area: Rect,
        at: u16,
        buffer: &mut Buffer,
    ) -> u16 {
        let mut pen = Pen::new(buffer, ctx.theme, area, at);
        let cursor = if is_selected { "▶" } else { " " };
        match row {
            Row::Remark(text, role) => {
                let room = usize::from(area.width).saturating_sub(2);
                let pieces = if is_selected || self.wrap {
                    wrap(text, room)
                } else {
                    vec![text.as_str()]
                };
                let n_lines = pieces.len();
                for (line, piece) in (at..area.height).zip(pieces) {
                    let mut pen = Pen::new(buffer, ctx.theme, area, line);
                    pen.put(if line == at { cursor } else { " " }, Role::Focus);
                    pen.put(piece, *role);
                }
                u16::try_from(n_lines)
                    .unwrap_or(u16::MAX)
                    .min(area.height - at)
            }
            Row::Heading(name) => {
                pen.put(cursor, Role::Focus).put(name, Role::Title);
                1
            }
            Row::Line(line, _) if sides => {
                self.draw_sides(ctx, line, cursor, area, at, buffer);
                1
            }
            Row::Line(line, origin) => {
                self.draw_unified(ctx, line, origin.as_deref(), cursor, area, at, buffer)
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "where and how one row is drawn")]
    fn draw_unified(
        &self,
        ctx: Ctx<'_>,
        line: &Line,
        origin: Option<&str>,
        cursor: &str,
        area: Rect,
        at: u16,
        buffer: &mut Buffer,
    ) -> u16 {
        let mut pen = Pen::new(buffer, ctx.theme, area, at);
        pen.put(cursor, Role::Focus);
        self.draw_label(line, &mut pen);
        let mut remarks = Vec::new();
        if let Some(remark) = line.remark() {
            remarks.push(remark_span(line, remark));
        }
        if let Some(origin) = origin {
            let gap = if remarks.is_empty() { "" } else { "  " };
            remarks.push(Span::new(format!("{gap}{origin}"), Role::Reference));
        }
        let spans: Vec<Span> = spans(&line.unified());
        if width_of(&remarks) + width_of(&spans).min(16) < pen.room() {
            pen.put_right(&remarks);
        } else if let Some(first) = remarks.first() {
            pen.put_right(std::slice::from_ref(first));
        }
        let room = pen.room();
        if !self.wrap || width_of(&spans) <= room || room < 8 {
            pen.put_all(&spans);
            return 1;
        }
        let indent = usize::from(area.width).saturating_sub(room + width_of(&remarks) + 1);
        let text: String = spans.iter().map(|span| span.text.as_str()).collect();
        let role = spans.first().map_or(Role::Text, |span| span.role);
        let pieces = wrap(&text, room);
        let lines = (at..area.height).zip(&pieces);
        for (line, piece) in lines {
            let mut pen = Pen::new(buffer, ctx.theme, area, line);
            pen.skip(indent).put(piece, role);
        }
        u16::try_from(pieces.len())
            .unwrap_or(u16::MAX)
            .min(area.height - at)
    }

    fn draw_label(&self, line: &Line, pen: &mut Pen<'_>) {
        pen.put(sign(line.action), role(line.action))
            .put(" ", Role::Text);
        super::draw_indent(pen, line.depth);
        let Some(label) = &line.label else { return };
        let key = if line.is_change() {
            Role::Key
        } else {
            Role::Dim
        };
        pen.put(label, key);
        let padding = if line.depth == 0 {
            self.align.saturating_sub(width(label))
        } else {
            0
        };
        pen.put(&" ".repeat(padding + 2), Role::Text);
    }

    fn draw_sides(
        &self,
        ctx: Ctx<'_>,
        line: &Line,
        cursor: &str,
        area: Rect,
        at: u16,
        buffer: &mut Buffer,
    ) {
        let half = area.width / 2;
        let (before, after) = line.sides();
        let [left, right] = [
            Rect::new(area.x, area.y, half, area.height),
            Rect::new(area.x + half, area.y, area.width - half, area.height),
        ];
        let mut pen = Pen::new(buffer, ctx.theme, left, at);
        pen.put(cursor, Role::Focus);
        if let Some(before) = before {
            self.draw_label(line, &mut pen);
            pen.put_all(&spans(&before));
        }
        let mut pen = Pen::new(buffer, ctx.theme, right, at);
        pen.put("│ ", Role::Border);
        if let Some(after) = after {
            if let Some(remark) = line.remark() {
                pen.put_right(&[remark_span(line, remark)]);
            }
            self.draw_label(line, &mut pen);
            pen.put_all(&spans(&after));
        }
    }
}

fn remark_span(line: &Line, remark: &str) -> Span {
    if line.forces_replacement {
        Span::new(format!("! {remark}"), Role::Danger)
    } else {
        Span::new(remark, Role::Badge)
    }
}

fn spans(parts: &[lines::Span]) -> Vec<Span> {
    parts
        .iter()
        .map(|part| Span::new(part.text.clone(), part.role.into()))
        .collect()
}

fn sign(action: Action) -> &'static str {
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

/// What is to be said of the whole resource before its properties.
fn remarks(resource: &Resource, parts: &[Part]) -> Vec<(String, Role)> {
    let mut remarks = Vec::new();
    let Some(change) = &resource.change else {
        return remarks;
    };
    for words in plain_words(&change.reasons, &[]) {
        remarks.push((format!("because {}", shown(&words)), Role::Badge));
    }
    if let Some(previous) = &change.previous_address {
        remarks.push((format!("moved from {}", shown(previous)), Role::Other));
    }
    if let Some(id) = &change.importing {
        remarks.push((format!("imported from {id}"), Role::Other));
    }
    if parts.is_empty() {
        let text = match change.action {
            stack::Action::Noop => "nothing changes",
            _ => "no property differs in what the file shows",
        };
        remarks.push((text.to_owned(), Role::Dim));
    }
    remarks
}
