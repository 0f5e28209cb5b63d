//! Drawing the page of the brief.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::BriefView;
use crate::tui::brief::{Drawing, Lines, Row, change, counts};
use crate::tui::command::{Command, DepsCommand};
use crate::tui::keymap;
use crate::tui::layout::Pane;
use crate::tui::outline::Laid;
use crate::tui::panes::changes::ChangesPane;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::views::Ctx;
use crate::tui::widgets::pen::{Pen, below, put_text};
use crate::tui::widgets::text::{count, n_of, wrap_words};

impl BriefView {
    /// Draws the view. While there is no page, it shows the first changes of the list.
    pub(super) fn draw(&self, ctx: &Ctx<'_>, list: &ChangesPane, pane: Pane, buffer: &mut Buffer) {
        let status = self.cursor.words(self.n_rows());
        let ripple = keymap::key_of(Command::Deps(DepsCommand::Ripple));
        let status = match self.n_readers {
            0 => status,
            1 => format!("1 other stack reads outputs that change · {ripple} ripple · {status}"),
            n => {
                let n = count(n as u64);
                format!("{n} other stacks read outputs that change · {ripple} ripple · {status}")
            }
        };
        ctx.of_pane(0).frame(pane, self.title(), status, buffer);
        if self.page.is_some() {
            return self.draw_rows(ctx, list, pane, buffer);
        }
        let (stack, reviewed) = (ctx.session.stack(), &ctx.session.reviewed);
        let (text, role) = match stack.holds_changes() {
            _ if self.has_failed => ("the brief could not be made", Role::Danger),
            true => ("reading the changes…", Role::Dim),
            false => ("counting…", Role::Dim),
        };
        put_warning(ctx, pane, buffer);
        let mut area = rows_area(ctx, pane);
        if stack.holds_changes() {
            let counts = counts(stack, &stack.changes());
            area = put_lines(ctx, area, &[counts], buffer);
        }
        area = put_text(text, role, ctx.theme, area, buffer);
        let room = room_of(pane);
        let first = list.ids(0..usize::from(area.height));
        let first = first.map(|id| change(stack, reviewed, id, room));
        let first: Lines = [Vec::new()].into_iter().chain(first).collect();
        put_lines(ctx, area, &first, buffer);
    }

    /// Draws the rows of the page.
    pub fn draw_rows(&self, ctx: &Ctx<'_>, list: &ChangesPane, pane: Pane, buffer: &mut Buffer) {
        put_warning(ctx, pane, buffer);
        let (n_reviewed, n_to_review) = list.progress(ctx.session.stack(), &ctx.session.reviewed);
        let rows = self.rows(ctx, [n_reviewed, n_to_review], pane);
        rows.draw(ctx.theme, ctx.of_pane(0).focused, buffer);
    }

    /// The rows as they stand on the screen, with the progress of the review.
    pub(super) fn rows<'a>(&'a self, ctx: &Ctx<'a>, progress: [usize; 2], pane: Pane) -> Laid<'a> {
        let listed = self.page.as_ref();
        let (room, session) = (room_of(pane), ctx.session);
        let of_file = (session.stack(), &session.reviewed);
        let since = session.since.as_ref();
        let drawing = listed.map(|it| Drawing::new(it, of_file, since, progress, ctx.theme, room));
        let make = move |row| drawing.as_ref().map_or_else(Vec::new, |it| it.lines(row));
        Laid::new(pane, rows_area(ctx, pane), self.n_rows(), self.cursor, make)
    }
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

fn put_warning(ctx: &Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
    if let Some(text) = warning(ctx) {
        put_text(&text, Role::Danger, ctx.theme, pane.inner, buffer);
    }
}

/// The area of the rows: below the warning.
pub(super) fn rows_area(ctx: &Ctx<'_>, pane: Pane) -> Rect {
    let text = warning(ctx);
    let n = text.map_or(0, |text| wrap_words(&text, room_of(pane)).len());
    below(pane.inner, n)
}

impl BriefView {
    /// The title of the pane. It says how far the page is, and which section the first row on the screen is in.
    fn title(&self) -> String {
        let Some(page) = &self.page else {
            return "Brief".to_owned();
        };
        if let Some(n_read) = self.n_read {
            let read = n_of(n_read, page.page.n_changes());
            return format!("Brief · reading: {read} changes");
        }
        let top = self.cursor.top;
        let is_inside = !matches!(page.row(top), Some(Row::Title(_)));
        match page.part_of(top).filter(|_| is_inside) {
            Some(part) => format!("Brief · {}", part.title.heading()),
            None => "Brief".to_owned(),
        }
    }
}

fn put_lines(ctx: &Ctx<'_>, area: Rect, lines: &[Vec<Span>], buffer: &mut Buffer) -> Rect {
    for (at, line) in (0..area.height).zip(lines) {
        let mut pen = Pen::new(buffer, ctx.theme, area, at);
        pen.skip(1).put_all(line);
    }
    below(area, lines.len())
}
