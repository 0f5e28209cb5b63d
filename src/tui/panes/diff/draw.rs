//! Drawing the difference.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::layout::{Room, sides, unified};
use super::{DiffPane, DiffRow, LineRow};
use crate::stack::{self, ChangeId, Invocation};
use crate::tui::changes::words;
use crate::tui::layout::Pane;
use crate::tui::outline::{CURSOR, Laid, RowLine, half};
use crate::tui::panes::Ctx;
use crate::tui::rows::shown;
use crate::tui::theme::Role;
use crate::tui::widgets::pen::{Pen, below};
use crate::tui::widgets::text::{cells, wrap_words};

/// Minimum inner width of the pane for two sides, in cells.
pub const SIDES_FROM: u16 = 60;

/// Maximum number of lines of one row.
const MAX_LINES: usize = 500;

/// Cells for the level of a finding, with the blanks after it.
const LEVEL: usize = 9;

impl DiffPane {
    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let has_sides = self.has_sides(pane);
        let status = match self.position() {
            (_, 0) => String::new(),
            (at, all) => {
                let layout = if has_sides { "side by side" } else { "unified" };
                format!("change {at} of {all} · {layout}")
            }
        };
        ctx.frame(pane, self.title(ctx), status, buffer);
        if has_sides {
            draw_heads(ctx, pane.inner, buffer);
        }
        self.laid(pane).draw(ctx.theme, ctx.focused, buffer);
    }

    /// The rows as they stand on the screen.
    pub fn laid(&self, pane: Pane) -> Laid<'_> {
        let make = move |row| self.lines_of(row, pane);
        Laid::new(
            pane,
            self.rows_area(pane),
            self.rows.len(),
            self.cursor,
            make,
        )
    }

    fn title(&self, ctx: Ctx<'_>) -> String {
        let stack = ctx.session.stack();
        let Some(id) = self.subject else {
            let title = match self.beside {
                Some(ChangeId::Output(at)) => title_of_output(ctx, at),
                Some(ChangeId::Invocation(at)) => {
                    stack.invocations.get(at).map(title_of_invocation)
                }
                Some(ChangeId::Resource(_)) | None => None,
            };
            return title.unwrap_or_else(|| "Difference".to_owned());
        };
        let sign = words::action(stack, id).map_or(" ", |(sign, ..)| sign);
        let happens = words::happens(stack, id);
        let what = if ctx.session.is_not_started(id) {
            "planned, not started"
        } else {
            &happens
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
        let note = note_on(ctx, ChangeId::Resource(id));
        format!("{sign} {name} · {}{note}", words.join(", "))
    }

    fn has_sides(&self, pane: Pane) -> bool {
        self.side_by_side && pane.inner.width >= SIDES_FROM
    }

    /// The area of the rows: below the heads, if there are two sides.
    fn rows_area(&self, pane: Pane) -> Rect {
        let has_heads = self.has_sides(pane) && pane.inner.height > 3;
        below(pane.inner, usize::from(has_heads))
    }

    fn room(&self, pane: Pane) -> Room {
        Room {
            width: usize::from(pane.inner.width.saturating_sub(CURSOR)),
            limit: MAX_LINES,
            wrap: self.wrap,
        }
    }

    /// The lines that a row takes.
    fn lines_of(&self, row: usize, pane: Pane) -> Vec<RowLine> {
        let Some(row) = self.rows.get(row) else {
            return Vec::new();
        };
        let room = self.room(pane);
        match row {
            DiffRow::Finding(finding) => {
                let says = room.width.saturating_sub(1 + LEVEL + 1);
                let pieces = wrap_words(&finding.says, says).into_iter().enumerate();
                let lines = pieces.map(|(index, piece)| {
                    let level = if index == 0 { finding.level.name() } else { "" };
                    RowLine::from(vec![
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
                    RowLine::from(vec![super::Span::new(
                        format!("{}{piece}", indent(index)),
                        *role,
                    )])
                });
                lines.collect()
            }
            DiffRow::Heading(name) => {
                vec![RowLine::from(vec![super::Span::new(*name, Role::Title)])]
            }
            DiffRow::Line(row) => lines_of(row, self.has_sides(pane), room),
        }
    }

    /// The title and the lines of the difference on the screen.
    pub fn drawn_area(&self, pane: Pane) -> Rect {
        let area = self.rows_area(pane);
        Rect {
            height: area.y + cells(self.laid(pane).n_drawn()) - pane.outer.y,
            ..pane.outer
        }
    }
}

fn lines_of(row: &LineRow, has_sides: bool, room: Room) -> Vec<RowLine> {
    if has_sides {
        sides(row, room)
    } else {
        let lines = unified(row, room).into_iter();
        lines.map(RowLine::from).collect()
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

fn title_of_output(ctx: Ctx<'_>, at: usize) -> Option<String> {
    let stack = ctx.session.stack();
    let output = stack.outputs.get(at)?;
    let action = output.action.unwrap_or(stack::Action::Noop);
    let (sign, word, name) = (action.sign(), stack.word(action), shown(&output.name));
    let note = note_on(ctx, ChangeId::Output(at));
    Some(format!("{sign} output {name} · {word}{note}"))
}

fn title_of_invocation(invocation: &Invocation) -> String {
    let what = match invocation.deferred {
        Some(_) => "is deferred",
        None => "will be invoked",
    };
    format!("» {} · {what}", shown(&invocation.address))
}

/// The note on a change, with what separates it from the words before it; "" if there is none.
fn note_on(ctx: Ctx<'_>, change: ChangeId) -> String {
    let note = ctx.session.review.note(change);
    note.map_or_else(String::new, |it| format!(" · note: {}", shown(&it)))
}
