//! Drawing the page of the brief.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{BriefView, Contents};
use crate::tui::brief::{Drawing, Lines, Listed, Row, Tally, change, counts};
use crate::tui::command::{Command, DepsCommand};
use crate::tui::keymap;
use crate::tui::layout::Pane;
use crate::tui::rows::{Span, Zone, shown};
use crate::tui::theme::Role;
use crate::tui::views::Ctx;
use crate::tui::widgets::cursor::{Page, ShownRow};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::scrollbar::{self, Bar};
use crate::tui::widgets::text::{cells, count, wrap_words};

impl BriefView {
    /// Draws the view.
    pub(super) fn draw(&self, ctx: &Ctx<'_>, tally: &Tally, pane: Pane, buffer: &mut Buffer) {
        let n_rows = self.n_rows();
        let status = if n_rows == 0 {
            String::new()
        } else {
            let [row, all] = [self.cursor.row + 1, n_rows].map(|n| count(n as u64));
            format!("{row} of {all}")
        };
        let ripple = keymap::key_of(Command::Deps(DepsCommand::Ripple));
        let status = match self.n_readers {
            0 => status,
            1 => format!("1 other stack reads outputs that change · {ripple} ripple · {status}"),
            n => {
                let n = count(n as u64);
                format!("{n} other stacks read outputs that change · {ripple} ripple · {status}")
            }
        };
        let labels = Labels {
            title: self.title(),
            status,
            focused: !ctx.screen.is_covered,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        if let Some(text) = warning(ctx) {
            put_above(ctx, pane.inner, &text, Role::Danger, buffer);
        }
        let mut area = rows_area(ctx, pane);
        let room = room_of(pane);
        let listed = match &self.contents {
            Contents::Known(listed) => listed,
            Contents::Awaited | Contents::Failed => {
                let stack = ctx.session.stack();
                if stack.holds_changes() {
                    let counts = counts(stack, &stack.changes());
                    area = put_lines(ctx, area, &[counts], buffer);
                }
                let (text, role) = match &self.contents {
                    Contents::Failed => ("the brief could not be made", Role::Danger),
                    Contents::Awaited | Contents::Known(_) if stack.holds_changes() => {
                        ("reading the changes…", Role::Dim)
                    }
                    Contents::Awaited | Contents::Known(_) => ("counting…", Role::Dim),
                };
                area = put_above(ctx, area, text, role, buffer);
                let first = tally
                    .first
                    .iter()
                    .map(|id| change(stack, &ctx.session.reviewed, *id, room));
                let first: Lines = [Vec::new()].into_iter().chain(first).collect();
                put_lines(ctx, area, &first, buffer);
                return;
            }
        };
        let column = column(ctx, pane);
        let drawing = drawing(listed, tally, ctx, pane);
        let n_lines = |row| drawing.lines(row).len();
        let rows = Page::of_lines(listed.n_rows(), usize::from(area.height), &n_lines);
        let bar = Bar::of(column, &self.cursor, rows);
        let shown = self.cursor.shown(rows);
        scrollbar::draw(buffer, ctx.theme, bar);
        for ShownRow {
            row,
            n_hidden,
            lines: place,
        } in shown
        {
            let lines = drawing.lines(row);
            // The blank line above a title does not belong to the selection.
            let n_blank = lines.iter().take_while(|line| line.is_empty()).count();
            let first = n_blank.max(n_hidden);
            let is_selected = row == self.cursor.row;
            for (at, (index, line)) in place.clone().zip(lines.iter().enumerate().skip(n_hidden)) {
                let mut pen = Pen::new(buffer, ctx.theme, area, cells(at));
                let is_cursor = is_selected && index == first;
                pen.put(if is_cursor { "▶" } else { " " }, Role::Focus);
                pen.put_all(line);
            }
            let [from, to] = [place.start, place.end].map(cells);
            if is_selected {
                let from = from.saturating_add(cells(first - n_hidden)).min(to);
                // The bar of the actions keeps its colors.
                let is_head = listed.row(row) == Some(Row::Head);
                let to = if is_head { to.min(from + 1) } else { to };
                let lines = Rect::new(area.x, area.y + from, area.width, to - from);
                ctx.theme.highlight(buffer, lines, !ctx.screen.is_covered);
            }
        }
    }

    /// The row at a position, and the part of it that lies there.
    pub(super) fn zone_at(&self, at: Position, ctx: &Ctx<'_>) -> Option<(usize, Zone)> {
        let (listed, pane) = (self.listed()?, ctx.screen.panes[0]);
        let area = rows_area(ctx, pane);
        let line = usize::from(at.y.checked_sub(area.y)?);
        let (row, index) = self.with_page(ctx, |page| self.cursor.at_line(line, page))?;
        let tally = Tally::default();
        let lines = drawing(listed, &tally, ctx, pane).lines(row);
        let mut pen = Pen::asking(ctx.theme, area, at);
        if let Some(line) = lines.get(index) {
            pen.skip(1).put_all(line);
        }
        Some((row, pen.zone()))
    }

    /// Does something with the rows as they stand on the screen.
    pub(super) fn with_page<T>(&self, ctx: &Ctx<'_>, act: impl FnOnce(Page<'_>) -> T) -> T {
        let pane = ctx.screen.panes[0];
        let height = usize::from(rows_area(ctx, pane).height);
        let Some(listed) = self.listed() else {
            return act(Page::flat(0, height));
        };
        let tally = Tally::default();
        let drawing = drawing(listed, &tally, ctx, pane);
        let n_lines = |row| drawing.lines(row).len();
        act(Page::of_lines(listed.n_rows(), height, &n_lines))
    }
}

fn drawing<'a>(listed: &'a Listed, tally: &'a Tally, ctx: &Ctx<'a>, pane: Pane) -> Drawing<'a> {
    let of_file = (ctx.session.stack(), &ctx.session.reviewed);
    Drawing::new(listed, of_file, tally, ctx.theme, room_of(pane))
}

/// Cells of a line of the page, without the cursor.
fn room_of(pane: Pane) -> usize {
    usize::from(pane.inner.width).saturating_sub(2)
}

/// The warning above the page of a damaged file.
fn warning(ctx: &Ctx<'_>) -> Option<String> {
    let damage = ctx.session.stack().damage.as_ref()?;
    let title = shown(&damage.title);
    Some(format!(
        "⚠ {title}: this page covers the part that was read"
    ))
}

/// The area of the rows: below the warning.
pub(super) fn rows_area(ctx: &Ctx<'_>, pane: Pane) -> Rect {
    let text = warning(ctx);
    let n = text.map_or(0, |text| wrap_words(&text, room_of(pane)).len());
    let n = cells(n).min(pane.inner.height);
    Rect {
        y: pane.inner.y + n,
        height: pane.inner.height - n,
        ..pane.inner
    }
}

/// The column of the scrollbar.
pub(super) fn column(ctx: &Ctx<'_>, pane: Pane) -> Rect {
    let area = rows_area(ctx, pane);
    Rect {
        y: area.y,
        height: area.height,
        ..scrollbar::column(pane)
    }
}

impl BriefView {
    /// The title of the pane. It says how far the page is.
    fn title(&self) -> String {
        let (Some(n_read), Some(listed)) = (self.n_read, self.listed()) else {
            return "Brief".to_owned();
        };
        let [n_read, all] = [n_read, listed.page.n_changes()].map(|n| count(n as u64));
        format!("Brief · reading: {n_read} of {all} changes")
    }
}

/// Writes a text and returns the area below it.
fn put_above(ctx: &Ctx<'_>, area: Rect, text: &str, role: Role, buffer: &mut Buffer) -> Rect {
    let room = usize::from(area.width).saturating_sub(2);
    let lines = wrap_words(text, room).into_iter();
    let lines: Lines = lines.map(|line| vec![Span::new(line, role)]).collect();
    put_lines(ctx, area, &lines, buffer)
}

fn put_lines(ctx: &Ctx<'_>, area: Rect, lines: &[Vec<Span>], buffer: &mut Buffer) -> Rect {
    let mut n = 0;
    for (at, line) in (0..area.height).zip(lines) {
        let mut pen = Pen::new(buffer, ctx.theme, area, at);
        pen.skip(1).put_all(line);
        n = at + 1;
    }
    Rect::new(area.x, area.y + n, area.width, area.height - n)
}
