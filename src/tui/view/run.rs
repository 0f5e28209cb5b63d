//! The progress of a run: a bar, the numbers of changes, and the time. At the end, the outcome against the plan.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::app::App;
use crate::tui::rows::Span;
use crate::tui::session::Progress;
use crate::tui::theme::Role;
use crate::tui::widgets::pen::{Pen, joined, width_of};
use crate::tui::widgets::text::{count, plural, time};

/// Maximum width of the bar, in cells.
const BAR: usize = 30;

/// Minimum width of the bar, in cells. In less room there is none.
const MIN_BAR: usize = 8;

/// Draws the strip.
pub(super) fn run(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let session = &app.session;
    let run = session.progress;
    let numbers = numbers(run, session.is_run_over());
    let elapsed = session.elapsed().map(time).unwrap_or_default();
    let mut pen = Pen::new(buffer, &app.theme, area, 0);
    pen.put_right(&[Span::new(format!("{elapsed} "), Role::Title)])
        .skip(1);
    let room = pen.room().saturating_sub(width_of(&numbers) + 3).min(BAR);
    if room >= MIN_BAR {
        pen.put_all(&bar(run, room)).skip(2);
    }
    pen.put_all(&numbers);
    app.theme.lay_bar(buffer, area);
}

/// `21 changes · 12 done · 1 failed · 3 running · 5 waiting`, and of a run that is over
/// `planned 21 · done 12 · failed 1 · not started 8`.
fn numbers(run: Progress, is_over: bool) -> Vec<Span> {
    let parts = if is_over {
        [
            (run.done, "done", Role::Good),
            (run.failed, "failed", Role::Danger),
            (run.unfinished, "unfinished", Role::Danger),
            (run.running, "running", Role::Badge),
            (run.waiting, "not started", Role::Badge),
        ]
    } else {
        [
            (run.done, "done", Role::Good),
            (run.failed, "failed", Role::Danger),
            (run.running, "running", Role::Badge),
            (run.unfinished, "unfinished", Role::Danger),
            (run.waiting, "waiting", Role::Dim),
        ]
    };
    let text = |n: usize, word: &str| {
        if is_over {
            format!("{word} {}", count(n as u64))
        } else {
            format!("{} {word}", count(n as u64))
        }
    };
    let total = if is_over {
        format!("planned {}", count(run.total() as u64))
    } else {
        plural(run.total(), "change")
    };
    let parts = parts.into_iter().filter(|(n, ..)| *n > 0);
    let parts = parts.map(|(n, word, role)| Span::new(text(n, word), role));
    joined(
        [Span::new(total, Role::Title)].into_iter().chain(parts),
        " · ",
    )
}

/// The bar: done, failed, running, and the rest. Every number that is not 0 has a cell where there is room.
fn bar(run: Progress, room: usize) -> Vec<Span> {
    let total = run.total().max(1);
    let mut left = room;
    let mut cells = |n: usize| {
        let wanted = (n * room / total).max(usize::from(n > 0)).min(left);
        left -= wanted;
        wanted
    };
    let [failed, running] = [run.failed + run.unfinished, run.running].map(&mut cells);
    let done = cells(run.done);
    [
        (done, "█", Role::Good),
        (failed, "▒", Role::Danger),
        (running, "▓", Role::Badge),
        (room - done - failed - running, "░", Role::Dim),
    ]
    .map(|(n, sign, role)| Span::new(sign.repeat(n), role))
    .into()
}
