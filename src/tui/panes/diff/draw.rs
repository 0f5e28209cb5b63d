//! Drawing the difference.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::layout::{Cells, Room, ScreenLine, half, sides, unified};
use super::{DiffPane, DiffRow, LineRow};
use crate::stack;
use crate::tui::changes::words;
use crate::tui::layout::Pane;
use crate::tui::panes::Ctx;
use crate::tui::rows::{Zone, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::{Cursor, Page};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::scrollbar::{self, Bar};
use crate::tui::widgets::text::{cells, wrap_words};

/// Minimum inner width of the pane for two sides, in cells.
pub const SIDES_FROM: u16 = 60;

/// Maximum number of lines of one row.
const MAX_LINES: usize = 500;

/// Cells for the level of a finding, with the blanks after it.
const LEVEL: usize = 9;

/// Columns at the left for the cursor.
const CURSOR: u16 = 1;

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
                    format!("change {at} of {all} · {layout}")
                }
            },
            focused: ctx.focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        if has_sides {
            draw_heads(ctx, pane.inner, buffer);
        }
        let area = self.rows_area(pane);
        let (bar, rows) = self.with_page(pane, |page| {
            let bar = Bar::of(self.column(pane), &self.cursor, page);
            (bar, self.cursor.shown(page))
        });
        scrollbar::draw(buffer, ctx.theme, bar);
        for shown in rows {
            let lines = self.lines_of(shown.row, pane);
            let place = Rect {
                y: area.y + cells(shown.lines.start),
                height: cells(shown.lines.len()),
                ..area
            };
            for (at, line) in (0..place.height).zip(lines.iter().skip(shown.n_hidden)) {
                draw_line(ctx, line, place, at, buffer);
            }
            if shown.row == self.cursor.row {
                Pen::new(buffer, ctx.theme, place, 0).put("▶", Role::Focus);
                ctx.theme.highlight(buffer, place, ctx.focused);
            }
        }
    }

    /// Does something with the rows as they stand on the screen.
    fn with_page<T>(&self, pane: Pane, act: impl FnOnce(Page<'_>) -> T) -> T {
        let height = usize::from(self.rows_area(pane).height);
        let n_lines = |row| self.lines_of(row, pane).len();
        act(Page::of_lines(self.rows.len(), height, &n_lines))
    }

    /// Lets the cursor do something in the rows as they stand on the screen.
    pub fn with_cursor<T>(
        &mut self,
        pane: Pane,
        act: impl FnOnce(&mut Cursor, Page<'_>) -> T,
    ) -> T {
        let mut cursor = self.cursor;
        let done = self.with_page(pane, |page| act(&mut cursor, page));
        self.cursor = cursor;
        done
    }

    fn title(&self, ctx: Ctx<'_>) -> String {
        let stack = ctx.session.stack();
        let Some(id) = self.subject else {
            let invoked = self.invocation.and_then(|it| stack.invocations.get(it));
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
        let sign = words::action(stack, id).map_or(" ", |(sign, ..)| sign);
        let what = if ctx.session.is_not_started(id) {
            "planned, not started"
        } else {
            words::happens(stack, id)
        };
        let order = stack.replace_order(id).map(stack::ReplaceOrder::words);
        let also = stack.actions(id).skip(1).filter_map(|also| match also {
            stack::Action::Import => Some("imported"),
            stack::Action::Move => Some("moved"),
            stack::Action::Create
            | stack::Action::Update
            | stack::Action::Replace
            | stack::Action::Delete
            | stack::Action::Read
            | stack::Action::Forget
            | stack::Action::Defer
            | stack::Action::Noop => None,
        });
        let words: Vec<&str> = [what].into_iter().chain(order).chain(also).collect();
        let name = shown(stack.short_name(id));
        let note = ctx.session.review.note(id);
        let note = note.map_or_else(String::new, |it| format!(" · note: {}", shown(&it)));
        format!("{sign} {name} · {}{note}", words.join(", "))
    }

    fn has_sides(&self, pane: Pane) -> bool {
        self.side_by_side && pane.inner.width >= SIDES_FROM
    }

    /// The area of the rows: below the heads, if there are two sides.
    fn rows_area(&self, pane: Pane) -> Rect {
        let area = pane.inner;
        let heads = u16::from(self.has_sides(pane) && area.height > 3);
        Rect {
            y: area.y + heads,
            height: area.height - heads,
            ..area
        }
    }

    fn room(&self, pane: Pane) -> Room {
        Room {
            width: usize::from(pane.inner.width.saturating_sub(CURSOR)),
            limit: MAX_LINES,
            wrap: self.wrap,
        }
    }

    /// The lines that a row takes.
    fn lines_of(&self, row: usize, pane: Pane) -> Vec<ScreenLine> {
        let Some(row) = self.rows.get(row) else {
            return Vec::new();
        };
        let room = self.room(pane);
        let whole = |spans| {
            ScreenLine::Whole(Cells {
                spans,
                ..Cells::default()
            })
        };
        match row {
            DiffRow::Finding(finding) => {
                let says = room.width.saturating_sub(1 + LEVEL + 1);
                let pieces = wrap_words(&finding.says, says).into_iter().enumerate();
                let lines = pieces.map(|(index, piece)| {
                    let level = if index == 0 { finding.level.name() } else { "" };
                    whole(vec![
                        super::Span::new(format!(" {level:<LEVEL$}"), finding.level.into()),
                        super::Span::new(piece, Role::Text),
                    ])
                });
                lines.collect()
            }
            DiffRow::Remark(text, role) => {
                let pieces = wrap_words(text, room.width.saturating_sub(2));
                let indent = |index| if index == 0 { " " } else { "  " };
                let lines = pieces.into_iter().enumerate().map(|(index, piece)| {
                    whole(vec![super::Span::new(
                        format!("{}{piece}", indent(index)),
                        *role,
                    )])
                });
                lines.collect()
            }
            DiffRow::Heading(name) => vec![whole(vec![super::Span::new(*name, Role::Title)])],
            DiffRow::Line(row) => lines_of(row, self.has_sides(pane), room),
        }
    }

    /// The selected row on the screen.
    pub fn selected_area(&self, pane: Pane) -> Option<Rect> {
        let area = self.rows_area(pane);
        let lines = self.with_page(pane, |page| self.cursor.lines(page))?;
        let above = usize::from(area.y - pane.inner.y);
        Some(pane.lines(above + lines.start..above + lines.end))
    }

    /// The title and the lines of the difference on the screen.
    pub fn drawn_area(&self, pane: Pane) -> Rect {
        let area = self.rows_area(pane);
        let shown = self.with_page(pane, |page| self.cursor.shown(page));
        let n_lines = shown.last().map_or(0, |row| row.lines.end);
        Rect {
            height: area.y + cells(n_lines) - pane.outer.y,
            ..pane.outer
        }
    }

    /// The scrollbar.
    pub fn bar(&self, pane: Pane) -> Bar {
        let column = self.column(pane);
        self.with_page(pane, |page| Bar::of(column, &self.cursor, page))
    }

    fn column(&self, pane: Pane) -> Rect {
        let area = self.rows_area(pane);
        Rect {
            y: area.y,
            height: area.height,
            ..scrollbar::column(pane)
        }
    }

    /// The row at a position, and the part of it that lies there.
    pub fn zone_at(&self, at: Position, ctx: Ctx<'_>, pane: Pane) -> Option<(usize, Zone)> {
        let area = self.rows_area(pane);
        let line = usize::from(at.y.checked_sub(area.y)?);
        let (row, index) = self.with_page(pane, |page| self.cursor.at_line(line, page))?;
        let lines = self.lines_of(row, pane);
        let line = lines.get(index)?;
        let mut parts = line.parts(area).into_iter();
        let part = parts.find(|(area, _)| area.contains(at));
        let zone = part.map_or(Zone::Row, |(area, cells)| {
            let mut pen = Pen::asking(ctx.theme, area, at);
            cells.draw(&mut pen);
            pen.zone()
        });
        Some((row, zone))
    }
}

fn lines_of(row: &LineRow, has_sides: bool, room: Room) -> Vec<ScreenLine> {
    if has_sides {
        sides(row, room)
    } else {
        let lines = unified(row, room).into_iter();
        lines.map(ScreenLine::Whole).collect()
    }
}

/// The names of the two sides, above them.
fn draw_heads(ctx: Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let [before, after] = words::sides(ctx.session.stack());
    let half = half(usize::from(area.width.saturating_sub(CURSOR)));
    let mut pen = Pen::new(buffer, ctx.theme, area, 0);
    pen.put("   ", Role::Text).put(before, Role::Title);
    let mut pen = Pen::new(buffer, ctx.theme, area, 0);
    pen.skip(usize::from(CURSOR) + half)
        .put(" │ ", Role::Border)
        .put("  ", Role::Text)
        .put(after, Role::Title);
}

fn draw_line(ctx: Ctx<'_>, line: &ScreenLine, area: Rect, at: u16, buffer: &mut Buffer) {
    if let ScreenLine::Halves(_) = line {
        let inside = inside(area);
        let mut pen = Pen::new(buffer, ctx.theme, inside, at);
        pen.skip(half(usize::from(inside.width)))
            .put(" │ ", Role::Border);
    }
    for (area, cells) in line.parts(area) {
        draw_cells(ctx, cells, area, at, buffer);
    }
}

/// The area beside the column of the cursor.
fn inside(area: Rect) -> Rect {
    Rect {
        x: area.x + CURSOR.min(area.width),
        width: area.width.saturating_sub(CURSOR),
        ..area
    }
}

impl ScreenLine {
    /// The parts of the line, each with its place in the area of the rows.
    fn parts(&self, area: Rect) -> Vec<(Rect, &Cells)> {
        let inside = inside(area);
        match self {
            Self::Whole(whole) => vec![(inside, whole)],
            Self::Halves([before, after]) => {
                let width = cells(half(usize::from(inside.width)));
                let left = Rect { width, ..inside };
                let right = Rect {
                    x: inside.x + width + 3,
                    ..left
                };
                vec![(left, before), (right, after)]
            }
        }
    }
}

impl Cells {
    fn draw(&self, pen: &mut Pen<'_>) {
        pen.skip(self.indent)
            .put_right(&self.right)
            .put_all(&self.spans);
    }
}

fn draw_cells(ctx: Ctx<'_>, line: &Cells, area: Rect, at: u16, buffer: &mut Buffer) {
    line.draw(&mut Pen::new(buffer, ctx.theme, area, at));
    if let Some(role) = line.tint {
        let row = Rect {
            y: area.y + at,
            height: 1,
            ..area
        };
        ctx.theme.lay_tint(buffer, row.intersection(area), role);
    }
}
