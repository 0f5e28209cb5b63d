//! Drawing a ripple: only the rows and the columns on the screen are laid out.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{RippleView, height, is_wide};
use crate::stack::Action;
use crate::stack::graph::Direction;
use crate::tui::changes::words;
use crate::tui::edges::why;
use crate::tui::overlays::{boxed, clear};
use crate::tui::panes::tree::{guides, short_type};
use crate::tui::ripple::layout::Subject;
use crate::tui::rows::{Span, shown};
use crate::tui::stacks::OtherEnd;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::scrollbar;
use crate::tui::widgets::text::{cells, count, fit, fit_middle, plural, width};

/// Maximum width of a resource in a column, in cells.
const MAX_NAME: usize = 46;

/// Maximum width of the text on an edge, in cells.
const MAX_REASON: usize = 30;

/// Width of the line before the text of an edge and of the arrow after it.
const ARROW: usize = 7;

/// Cells of the first line that its texts do not use: the corners, and the blanks around both texts.
const AROUND_HEAD: usize = 7;

/// Width of the title that the totals leave, in cells.
const MIN_TITLE: usize = 24;

/// A column on the screen.
struct Column {
    depth: usize,
    /// Width of the texts on the edges that lead here.
    reason: usize,
    /// Width of the resources.
    name: usize,
}

impl Column {
    fn width(&self) -> usize {
        let edge = if self.reason > 0 {
            self.reason + ARROW
        } else {
            0
        };
        edge + self.name + 1
    }
}

impl RippleView {
    /// Draws the ripple over the whole body.
    pub(super) fn draw(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        clear(body, buffer);
        let pane = boxed(body);
        let (title, totals) = self.head(usize::from(body.width).saturating_sub(AROUND_HEAD));
        let labels = Labels {
            title,
            status: self.status(),
            focused: true,
        };
        frame::draw(pane, &labels, theme, buffer);
        let head = Rect {
            x: body.x + 1,
            width: body.width.saturating_sub(2),
            ..body
        };
        let blank = [Span::new(" ", Role::Text)];
        let totals = [&blank[..], &totals, &blank].concat();
        Pen::new(buffer, theme, head, 0)
            .skip(width(&labels.title) + 2)
            .put_right(&totals);
        if is_wide(body) {
            self.draw_columns(theme, body, buffer);
        } else {
            self.draw_list(theme, body, buffer);
        }
        scrollbar::draw(buffer, theme, self.scrollbar(body), |_| None);
    }

    /// The resources on the screen, each with its place in the ripple.
    pub(super) fn places(&self, body: Rect) -> Vec<(Rect, usize)> {
        let area = boxed(body).inner;
        let top = self.place_on_screen(body).top;
        if !is_wide(body) {
            let lines = (0..area.height).zip(top..);
            let rows = lines.filter_map(|(line, row)| {
                let at = self.ripple.layout.on_line(row)?;
                Some((Rect::new(area.x, area.y + line, area.width, 1), at))
            });
            return rows.collect();
        }
        let mut rows = Vec::new();
        let mut x = 1;
        for (index, column) in self.columns(body).iter().enumerate() {
            let edge = edge_before(index, column);
            for at in self.in_rows(column.depth, top, body) {
                let line = 1 + cells(self.ripple.layout.places[at].row - top);
                let start = area.x.saturating_add(cells(x + edge));
                let name = Rect::new(start, area.y + line, cells(column.name), 1);
                rows.push((name.intersection(area), at));
            }
            x += edge + column.name + 1;
        }
        rows
    }

    /// The title and the totals in this many cells. The words of the title give way first, then the names of other stacks, then the
    /// middle of the name.
    fn head(&self, room: usize) -> (String, Vec<Span>) {
        let (before, what) = self.title();
        let mut totals = self.ripple.totals.clone();
        if let Some(last) = totals.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        let needed = width_of(&totals);
        if width(&before) + width(&what) + needed <= room {
            return (before + &what, totals);
        }
        let least = width(&what).min(MIN_TITLE);
        let mut left = room.saturating_sub(least);
        for span in &mut totals {
            span.text = fit(&span.text, left);
            left -= width(&span.text);
        }
        let of_title = room.saturating_sub(width_of(&totals));
        (fit_middle(&what, of_title), totals)
    }

    /// `What happens when ` and `± orders-db is replaced`.
    fn title(&self) -> (String, String) {
        let stack = &*self.ripple.stack;
        let id = self.ripple.origin.cause;
        let name = shown(stack.short_name(id));
        let sign = words::action(stack, id).map_or(String::new(), |(sign, ..)| format!("{sign} "));
        if self.ripple.origin.direction == Direction::DependsOn {
            return ("What ".to_owned(), format!("{sign}{name} depends on"));
        }
        let record = stack.record(id);
        let is_planned = !stack.is_comparison && !record.flags.is_drift();
        let happens = match record.action.filter(|_| is_planned) {
            Some(Action::Replace) => "is replaced",
            Some(Action::Update) => "is updated",
            Some(Action::Delete) => "is destroyed",
            Some(Action::Create) => "is created",
            Some(Action::Import) => "is imported",
            Some(Action::Read | Action::Move | Action::Forget | Action::Defer | Action::Noop)
            | None => "changes",
        };
        let what = format!("{sign}{name} {happens}");
        ("What happens when ".to_owned(), what)
    }

    /// The selected resource: its type, the edge to it and its steps in the apply.
    fn status(&self) -> String {
        let stack = &*self.ripple.stack;
        let id = match self.place().subject {
            Subject::Own(id) => id,
            Subject::Other(index) => return self.status_of_other(&self.ripple.others[index]),
        };
        let mut parts = vec![shown(&stack.placed_name(id))];
        if let Some(steps) = self.ripple.steps.get(&id) {
            let steps = steps.iter().map(|step| match (steps.len(), step.destroys) {
                (1, _) => format!("step {}", step.number),
                (_, true) => format!("destroyed in step {}", step.number),
                (_, false) => format!("created in step {}", step.number),
            });
            let steps = steps.collect::<Vec<_>>().join(", ");
            parts.push(format!("{steps} of {}", self.ripple.n_steps));
        }
        if stack.address(id).is_none() {
            parts.push(short_type(stack, id));
        }
        parts.extend(self.edge(self.selected).map(|_| self.reason(self.selected)));
        parts.retain(|part| !part.is_empty());
        parts.join(" · ")
    }

    /// The end in another stack, the reason for it, and the stacks that read that one in turn.
    fn status_of_other(&self, end: &OtherEnd) -> String {
        let mut parts = vec![end.label(), end.reason()];
        let among = self.ripple.among.as_ref().zip(end.stack);
        let readers = among.map(|(among, stack)| among.readers_of(stack));
        let readers = readers.unwrap_or_default();
        if let [first, more @ ..] = &readers[..] {
            let more = match more.len() {
                0 => String::new(),
                n => format!(" and {}", plural(n, "more stack")),
            };
            parts.push(format!("{} is read by {first}{more}", end.name));
        }
        parts.join(" · ")
    }

    /// The reason for the edge to a place.
    fn reason(&self, at: usize) -> String {
        if let Some(end) = self.other(at) {
            return end.reason();
        }
        let known = self.reasons.get(&at).cloned();
        let edge = self.edge(at);
        known
            .or_else(|| Some(why(&self.ripple.stack, edge?, None)))
            .unwrap_or_default()
    }

    /// The role of the reason for the edge to a place: a guess stands out.
    fn reason_role(&self, at: usize) -> Role {
        match self.other(at) {
            Some(end) if end.is_guess => Role::Badge,
            Some(_) | None => Role::Reference,
        }
    }

    /// The sign and the name of a resource, and its steps in the apply: `± orders-db  steps 1, 4`. In another stack its stack and its
    /// name.
    fn resource(&self, subject: Subject, room: usize) -> Vec<Span> {
        let id = match subject {
            Subject::Own(id) => id,
            Subject::Other(index) => {
                let label = self.ripple.others[index].label();
                return vec![Span::new(fit_middle(&label, room), Role::Container)];
            }
        };
        let stack = &*self.ripple.stack;
        let mut spans = Vec::new();
        if let Some((sign, _, role)) = words::action(stack, id) {
            spans.push(Span::new(format!("{sign} "), role));
        }
        let numbers = self.ripple.steps.get(&id).into_iter().flatten();
        let numbers: Vec<_> = numbers.map(|step| step.number.to_string()).collect();
        let steps = match &numbers[..] {
            [] => String::new(),
            [number] => format!("  step {number}"),
            several => format!("  steps {}", several.join(", ")),
        };
        let room = room.saturating_sub(width_of(&spans) + width(&steps));
        let name = fit_middle(&shown(&stack.placed_name(id)), room);
        spans.push(Span::new(name, Role::Text));
        spans.push(Span::new(steps, Role::Dim));
        spans
    }

    /// The places on the screen.
    pub(super) fn visible(&self, body: Rect) -> Vec<usize> {
        let top = self.place_on_screen(body).top;
        if !is_wide(body) {
            let lines = top..top + height(body);
            return lines
                .filter_map(|line| self.ripple.layout.on_line(line))
                .collect();
        }
        let columns = self.columns(body).into_iter();
        columns
            .flat_map(|it| self.in_rows(it.depth, top, body))
            .collect()
    }

    /// The places of a column in the rows on the screen.
    fn in_rows(&self, depth: usize, top: usize, body: Rect) -> Range<usize> {
        let column = self.ripple.layout.column(depth);
        let end = |row: usize| {
            let at = row.checked_sub(1);
            let at = at.and_then(|row| self.ripple.layout.at_or_above(depth, row));
            at.map_or(column.start, |at| at + 1)
        };
        end(top)..end(top + height(body))
    }

    /// The columns that fit on the screen, with the selected one and the one after it.
    fn columns(&self, body: Rect) -> Vec<Column> {
        let room = usize::from(boxed(body).inner.width).saturating_sub(1);
        let top = self.place_on_screen(body).top;
        let last = (self.place().depth + 1).min(self.ripple.layout.n_columns() - 1);
        // Only a few columns before the selected one can have room beside it.
        let first = self.place().depth.saturating_sub(8);
        let measured = first..self.ripple.layout.n_columns().min(first + 8 + room / ARROW);
        let all: Vec<Column> = measured
            .map(|depth| self.measured(depth, self.in_rows(depth, top, body)))
            .collect();
        let mut start = 0;
        loop {
            let mut used = 0;
            let fitting = all[start..]
                .iter()
                .enumerate()
                .take_while(|(index, column)| {
                    // The first column on the screen has no edges before it.
                    used += if *index == 0 {
                        column.name + 1
                    } else {
                        column.width()
                    };
                    used <= room || *index == 0
                });
            let n = fitting.count();
            let is_in_view = all[start..start + n].iter().any(|it| it.depth == last);
            if is_in_view || all[start].depth >= self.place().depth {
                return all.into_iter().skip(start).take(n).collect();
            }
            start += 1;
        }
    }

    fn measured(&self, depth: usize, places: Range<usize>) -> Column {
        let places = places.into_iter();
        let names = places.clone().map(|at| {
            let subject = self.ripple.layout.places[at].subject;
            width_of(&self.resource(subject, MAX_NAME))
        });
        let reasons = places.map(|at| width(&self.reason(at)));
        let heading = width(&self.heading(depth));
        Column {
            depth,
            name: names.max().unwrap_or(0).max(heading),
            reason: reasons.max().unwrap_or(0).min(MAX_REASON),
        }
    }

    /// `cause`, `1 step · 12`.
    fn heading(&self, depth: usize) -> String {
        if depth == 0 {
            return "cause".to_owned();
        }
        let n = count(self.ripple.layout.column(depth).len() as u64);
        format!("{} · {n}", plural(depth, "step"))
    }

    fn draw_columns(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let area = boxed(body).inner;
        let top = self.place_on_screen(body).top;
        let mut at = 1;
        let columns = self.columns(body);
        let n_shown = columns.last().map_or(0, |it| it.depth + 1);
        let n_more = self.ripple.layout.n_columns().saturating_sub(n_shown);
        if n_more > 0 {
            let more = format!("{} more ▸", plural(n_more, "column"));
            Pen::new(buffer, theme, area, 0).put_right(&[Span::new(more, Role::Dim)]);
        }
        for (index, column) in columns.iter().enumerate() {
            let edge = edge_before(index, column);
            Pen::new(buffer, theme, area, 0)
                .skip(at + edge)
                .put(&self.heading(column.depth), Role::Dim);
            for (line, row) in (1..area.height).zip(top..) {
                let Some(above) = self.ripple.layout.at_or_above(column.depth, row) else {
                    continue;
                };
                let place = self.ripple.layout.places[above];
                let mut pen = Pen::new(buffer, theme, area, line);
                pen.skip(at);
                if place.row != row {
                    if edge > 0 && !place.is_last {
                        pen.put("│", Role::Border);
                    }
                    continue;
                }
                if edge > 0 {
                    let parent = self.ripple.layout.places[place.parent];
                    let start = match (parent.row == row, place.is_last) {
                        (true, true) => "── ",
                        (true, false) => "┬─ ",
                        (false, true) => "└─ ",
                        (false, false) => "├─ ",
                    };
                    let reason = fit_middle(&self.reason(above), edge - ARROW);
                    let role = self.reason_role(above);
                    let line = "─".repeat(edge + 1 - ARROW - width(&reason));
                    pen.put(start, Role::Border).put(&reason, role);
                    let blank = if reason.is_empty() { "─" } else { " " };
                    pen.put(&format!("{blank}{line}▶"), Role::Border).skip(1);
                }
                pen.put_all(&self.resource(place.subject, column.name));
                if above == self.selected {
                    let (start, width) = (at + edge, column.name);
                    highlight(theme, area, (start, width), line, buffer);
                }
            }
            at += edge + column.name + 1;
        }
    }

    fn draw_list(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let mut area = boxed(body).inner;
        area.width = area
            .width
            .saturating_sub(u16::from(self.scrollbar(body).is_shown()));
        for (line, row) in (0..area.height).zip(self.place_on_screen(body).top..) {
            let Some(at) = self.ripple.layout.on_line(row) else {
                return;
            };
            let place = self.ripple.layout.places[at];
            let mut pen = Pen::new(buffer, theme, area, line);
            let mark = if at == self.selected { "▶ " } else { "  " };
            pen.put(mark, Role::Focus);
            let distance = match place.depth {
                0 => "cause".to_owned(),
                depth => plural(depth, "step"),
            };
            pen.put_right(&[Span::new(distance, Role::Dim)]);
            let (guide, _) = guides(place.depth, usize::from(area.width) / 3);
            pen.put(&guide, Role::Border);
            let room = pen.room();
            pen.put_all(&self.resource(place.subject, room));
            let reason = self.reason(at);
            pen.put("  ", Role::Text).put(&reason, self.reason_role(at));
            if at == self.selected {
                highlight(theme, area, (0, usize::from(area.width)), line, buffer);
            }
        }
    }
}

/// Width of the edges before the column number `index` on the screen. The first one has none.
fn edge_before(index: usize, column: &Column) -> usize {
    match index {
        0 => 0,
        _ => column.width() - column.name - 1,
    }
}

/// Highlights `width` cells of a line from cell `start` on.
fn highlight(
    theme: &Theme,
    area: Rect,
    (start, width): (usize, usize),
    line: u16,
    buffer: &mut Buffer,
) {
    let [start, width] = [start, width].map(cells);
    let selected = Rect::new(area.x.saturating_add(start), area.y + line, width, 1);
    theme.highlight(buffer, selected.intersection(area), true);
}
