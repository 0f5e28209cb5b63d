//! The timeline: the updates of a stack, oldest at the left, and the record of the update that is shown.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::load::timeline::Record;
use crate::render::plain::utc;
use crate::tui::app::{App, Timeline};
use crate::tui::command::{Command, UpdatesCommand};
use crate::tui::keymap::{self, Scope};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::n_of;

/// Width of an update on the line, in cells.
const STEP: usize = 3;

/// Draws the strip.
pub(super) fn timeline(app: &App, area: Rect, buffer: &mut Buffer) {
    let Some(timeline) = app.timeline.as_ref().filter(|_| !area.is_empty()) else {
        return;
    };
    let mut pen = Pen::new(buffer, &app.theme, area, 0);
    let n = timeline.history.updates.len();
    pen.put(" history ", Role::Title);
    let at = n_of(timeline.at + 1, n);
    pen.put_right(&[
        Span::new(
            format!("{} {at} ", timeline.history.kind.noun()),
            Role::Title,
        ),
        Span::new(format!("· {} ", hints()), Role::Dim),
    ]);
    let n_fit = (pen.room().saturating_sub(4) / STEP).max(1);
    // The selected update is in the middle, except near the ends.
    let first = timeline
        .at
        .saturating_sub(n_fit / 2)
        .min(n.saturating_sub(n_fit));
    pen.put(if first > 0 { "…" } else { " " }, Role::Dim);
    for index in first..n.min(first + n_fit) {
        let (sign, role) = sign(timeline, index);
        if index == timeline.at {
            pen.put("[", Role::Focus)
                .put(sign, role)
                .put("]", Role::Focus);
        } else {
            pen.put("─", Role::Dim).put(sign, role).put("─", Role::Dim);
        }
    }
    pen.put(if first + n_fit < n { "…" } else { " " }, Role::Dim);
    let mut pen = Pen::new(buffer, &app.theme, area, 1);
    let update = &timeline.history.updates[timeline.at.min(n - 1)];
    let time = match update.nanos {
        Some(nanos) => format!(" {} UTC", utc(nanos / 1_000_000_000)),
        None => " time not known".to_owned(),
    };
    pen.put(&time, Role::Text);
    match &timeline.records[timeline.at.min(n - 1)] {
        Some(Ok(record)) => describe(record, &mut pen),
        Some(Err(error)) => {
            pen.put(" · ", Role::Dim).put(&shown(error), Role::Danger);
        }
        None => {}
    }
}

/// The result of an update as a sign, because color must not be the only clue.
fn sign(timeline: &Timeline, index: usize) -> (&'static str, Role) {
    match &timeline.records[index] {
        Some(Ok(record)) => match record.result.as_str() {
            "" if record.serial.is_some() => ("●", Role::Text),
            "succeeded" => ("●", Role::Good),
            "failed" => ("✗", Role::Danger),
            _ => ("○", Role::Badge),
        },
        Some(Err(_)) => ("?", Role::Danger),
        None => ("○", Role::Dim),
    }
}

fn describe(record: &Record, pen: &mut Pen<'_>) {
    let role = match record.result.as_str() {
        "succeeded" => Role::Good,
        "failed" => Role::Danger,
        _ => Role::Badge,
    };
    if let Some(serial) = record.serial {
        pen.put(" · ", Role::Dim)
            .put(&format!("serial {serial}"), Role::Title);
    }
    for (text, role) in [(&record.kind, Role::Title), (&record.result, role)] {
        if !text.is_empty() {
            pen.put(" · ", Role::Dim).put(&shown(text), role);
        }
    }
    if let Some(seconds) = record.seconds {
        pen.put(" · ", Role::Dim)
            .put(&format!("{seconds} s"), Role::Text);
    }
    let changes = record
        .changes
        .iter()
        .filter(|(op, n)| op != "same" && *n > 0);
    let changes: Vec<_> = changes
        .map(|(op, n)| format!("{n} {}", shown(op)))
        .collect();
    if !changes.is_empty() {
        pen.put(" · ", Role::Dim)
            .put(&changes.join(", "), Role::Text);
    }
    if !record.message.is_empty() {
        pen.put(" · ", Role::Dim)
            .put(&shown(&record.message), Role::Dim);
    }
}

/// The keys that step through the updates.
fn hints() -> String {
    let words = [
        (Command::Updates(UpdatesCommand::Older), "older"),
        (Command::Updates(UpdatesCommand::Newer), "newer"),
    ];
    keymap::hints(Scope::Timeline, &words)
}
