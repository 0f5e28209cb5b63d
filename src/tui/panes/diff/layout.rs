//! The screen lines of one row of the difference.
//!
//! Values come first. Old and new stand on one line where both fit, otherwise on two. A note (`forces replacement`, `← db.id`)
//! has its place at the end of the name's line and gives way to values: it moves up to the name, gets shorter, or is left out.

use super::LineRow;
use crate::render::lines::{self, Body};
use crate::tui::command::{Command, FoldCommand};
use crate::tui::keymap;
use crate::tui::outline::{RowLine, Strip, half};
use crate::tui::rows::{Span, Zone};
use crate::tui::theme::Role;
use crate::tui::widgets::elide::elided;
use crate::tui::widgets::pen::{width_of, wrapped};
use crate::tui::widgets::text::{fit_middle, width};

/// Minimum width of a value beside its label, in cells. A value with less room starts below the label.
const MIN_VALUE: usize = 16;

/// Minimum width of an old value beside `→ (known after apply)`, in cells.
const MIN_OLD: usize = 8;

/// Strip in which a shortened note can still be read.
const MIN_NOTE: usize = 14;

/// Blanks between a value and a note.
const GAP: usize = 2;

/// The room for a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Width in cells.
    pub(super) width: usize,
    /// Maximum number of lines.
    pub(super) limit: usize,
    /// True if long values wrap. Otherwise they are shortened in the middle.
    pub(super) wrap: bool,
}

impl Room {
    /// A value in lines of `width` cells.
    fn value(self, spans: &[Span], width: usize) -> Vec<Vec<Span>> {
        if self.wrap {
            wrapped(spans, width, self.limit)
        } else {
            vec![elided(spans, width)]
        }
    }
}

/// The lines of a row with old and new in one column.
pub(super) fn unified(row: &LineRow, room: Room) -> Vec<Strip> {
    let head = Head::new(row, room.width);
    let notes = notes(row);
    let body = row.body();
    let value = spans(&body.unified());
    let free = room.width.saturating_sub(head.value_at);
    let fits = |notes: &[Span]| {
        let gap = if notes.is_empty() { 0 } else { GAP };
        width_of(&value) + gap + width_of(notes) <= free
    };
    let tint = tint(body);
    let one_line = |value: &[Span], right: Vec<Span>| {
        vec![Strip::from(head.with(value)).ending(right).tinted(tint)]
    };
    if fits(&notes) {
        return one_line(&value, notes);
    }
    if let Body::Both { before, after } = body
        && is_unknown(after)
        && let Some((value, right)) = before_unknown(before, after, &notes, free)
    {
        return one_line(&value, right);
    }
    // The reasons for a replacement and links stay visible.
    let right = fitting(&notes, free.saturating_sub(width_of(&value)));
    let is_kept = |note: &Span| match note.role {
        Role::Danger => right.contains(note),
        Role::Reference => right.iter().any(|other| other.role == Role::Reference),
        _ => true,
    };
    if fits(&[]) && notes.iter().all(is_kept) {
        return one_line(&value, right);
    }
    if let Body::Both { before, after } = body {
        return stacked(&head, [before, after], &notes, room);
    }
    if notes.is_empty() && free >= MIN_VALUE {
        let mut pieces = room.value(&value, free).into_iter();
        let mut lines = one_line(&pieces.next().unwrap_or_default(), Vec::new());
        lines.extend(pieces.map(|it| Strip::from(it).indented(head.value_at).tinted(tint)));
        return lines;
    }
    let mut lines = Vec::new();
    if head.has_label || !notes.is_empty() {
        lines.push(head.line(&notes, room.width, tint));
    }
    let indent = head.below();
    let pieces = room
        .value(&value, room.width.saturating_sub(indent))
        .into_iter();
    lines.extend(pieces.map(|it| Strip::from(it).indented(indent).tinted(tint)));
    lines
}

/// `old → (known after apply)` in `free` cells, with a shortened old value, and the notes that fit beside it.
fn before_unknown(
    before: &[lines::Span],
    after: &[lines::Span],
    notes: &[Span],
    free: usize,
) -> Option<(Vec<Span>, Vec<Span>)> {
    let (old, new) = (spans(before), spans(after));
    let arrow = Span::new(" → ", Role::Dim);
    let fixed = width(&arrow.text) + width_of(&new);
    let least = fixed + width_of(&old).min(MIN_OLD);
    let right = fitting(notes, free.checked_sub(least)?);
    let gap = if right.is_empty() { 0 } else { GAP };
    let room = free.saturating_sub(fixed + width_of(&right) + gap);
    let mut value = elided(&old, room);
    value.push(arrow);
    value.extend(new);
    Some((value, right))
}

/// The name on its line, then the old value and the new one.
fn stacked(head: &Head, sides: [&[lines::Span]; 2], notes: &[Span], room: Room) -> Vec<Strip> {
    let mut lines = Vec::new();
    if head.has_label || !notes.is_empty() {
        lines.push(head.line(notes, room.width, None));
    }
    let indent = head.values_at();
    let marks = [("- ", Role::Delete), ("+ ", Role::Create)];
    for (side, (mark, role)) in sides.into_iter().zip(marks) {
        let pieces = room.value(&spans(side), room.width.saturating_sub(indent + 2));
        for (index, piece) in pieces.into_iter().enumerate() {
            let mut spans = vec![Span::new(if index == 0 { mark } else { "  " }, role)];
            spans.extend(piece);
            lines.push(Strip::from(spans).indented(indent).tinted(Some(role)));
        }
    }
    lines
}

/// The lines of a row with the value before the change at the left and the value after it at the right. Notes are below.
pub(super) fn sides(row: &LineRow, room: Room) -> Vec<RowLine> {
    let half = half(room.width);
    let head = Head::new(row, half);
    let body = row.body();
    let is_change = row.line.is_change();
    let values: [Option<Vec<Span>>; 2] = match body {
        Body::Same(same) => [Some(spans(same)), Some(spans(same))],
        Body::Before(before) => [Some(spans(before)), None],
        Body::After(after) => [None, Some(spans(after))],
        Body::Both { before, after } => [Some(spans(before)), Some(spans(after))],
        Body::Folded { .. } | Body::More { .. } => {
            return unified(row, room).into_iter().map(RowLine::Whole).collect();
        }
    };
    let is_alone = values[0].is_none();
    let tints = [Role::Delete, Role::Create].map(|role| is_change.then_some(role));
    let width = |value: &Option<Vec<Span>>| value.as_deref().map_or(0, width_of);
    // The name is beside the first value that there is.
    let named = usize::from(is_alone);
    let starts = if is_alone {
        [0, head.value_at]
    } else {
        [head.value_at, head.at]
    };
    let mut lines = Vec::new();
    let has_room = (0..2).all(|side| starts[side] + width(&values[side]) <= half);
    let cells = |spans: Vec<Span>, indent: usize, side: usize| {
        let tint = tints[side].filter(|_| values[side].is_some());
        Strip::from(spans).indented(indent).tinted(tint)
    };
    if has_room {
        let halves = [0, 1].map(|side| match &values[side] {
            None => Strip::default(),
            Some(value) if side == named => cells(head.with(value), 0, side),
            Some(value) => cells(value.clone(), head.at, side),
        });
        lines.push(RowLine::Halves(halves));
    } else {
        if head.has_label {
            let mut halves = [Strip::default(), Strip::default()];
            halves[named] = cells(head.with(&[]), 0, named);
            lines.push(RowLine::Halves(halves));
        }
        let indent = head.values_at();
        let pieces = values.clone().map(|value| {
            value.map_or_else(Vec::new, |value| {
                room.value(&value, half.saturating_sub(indent))
            })
        });
        for index in 0..pieces[0].len().max(pieces[1].len()) {
            let at = |side: usize| {
                pieces[side]
                    .get(index)
                    .map_or_else(Strip::default, |piece| cells(piece.clone(), indent, side))
            };
            lines.push(RowLine::Halves([at(0), at(1)]));
        }
    }
    let notes = notes(row);
    if !notes.is_empty() {
        let mut spans = vec![Span::new("└ ", Role::Border)];
        spans.extend(notes);
        lines.push(Strip::from(spans).indented(head.at).into());
    }
    lines
}

/// The sign of the action, the indent and the label.
struct Head {
    spans: Vec<Span>,
    /// Column of the label.
    at: usize,
    /// Column of a value beside the label.
    value_at: usize,
    has_label: bool,
}

impl Head {
    fn new(row: &LineRow, room: usize) -> Self {
        let line = &row.line;
        let indent = (2 * line.depth).min(room.saturating_sub(2) / 3);
        let mut spans = vec![
            Span::new(line.action.sign(), Role::from(line.action)),
            Span::new(" ".repeat(1 + indent), Role::Text),
        ];
        let at = width(line.action.sign()) + 1 + indent;
        let mut value_at = at;
        let has_label = line.label.is_some();
        if let Some(label) = &line.label {
            let key = if line.is_change() {
                Role::Key
            } else {
                Role::Dim
            };
            let label = if at + width(label) > room {
                fit_middle(label, room.saturating_sub(at))
            } else {
                label.clone()
            };
            value_at += width(&label).max(row.align) + GAP;
            spans.push(Span::new(label, key));
        }
        Self {
            spans,
            at,
            value_at: value_at.min(room),
            has_label,
        }
    }

    /// Column of a value below the label.
    fn below(&self) -> usize {
        self.at + 2
    }

    /// Column of the two values of a change on lines of their own.
    fn values_at(&self) -> usize {
        if self.has_label {
            self.below()
        } else {
            self.at
        }
    }

    /// The head with a value beside it.
    fn with(&self, value: &[Span]) -> Vec<Span> {
        let mut spans = self.spans.clone();
        if !value.is_empty() {
            let padding = self.value_at.saturating_sub(width_of(&self.spans));
            spans.push(Span::new(" ".repeat(padding), Role::Text));
            spans.extend(value.iter().cloned());
        }
        spans
    }

    /// The head alone with notes at the end of the line.
    fn line(&self, notes: &[Span], room: usize, tint: Option<Role>) -> Strip {
        let right = fitting(notes, room.saturating_sub(width_of(&self.spans)));
        Strip::from(self.spans.clone()).ending(right).tinted(tint)
    }
}

/// The notes of a row: why the place counts as changed, and the cause of the change.
fn notes(row: &LineRow) -> Vec<Span> {
    let line = &row.line;
    let mut notes = Vec::new();
    if let Some(remark) = line.remark() {
        notes.push(if line.forces_replacement {
            Span::new(format!("! {remark}"), Role::Danger)
        } else {
            Span::new(remark, Role::Badge)
        });
    }
    if matches!(line.body, Body::More { .. }) {
        notes.push(Span::new(
            format!(
                "{} show more",
                keymap::key_of(Command::Fold(FoldCommand::Activate))
            ),
            Role::Badge,
        ));
    }
    if let Some(origin) = &row.origin {
        if !notes.is_empty() {
            notes.push(Span::new("  ", Role::Text));
        }
        // Only a resource can be followed.
        notes.push(if row.targets.is_empty() {
            Span::new(origin.as_str(), Role::Dim)
        } else {
            Span::new(origin.as_str(), Role::Reference).of(Zone::Link)
        });
    }
    notes
}

/// The notes that fit in `room` cells after a gap: all of them, the first one, or a shortened first one if it is about danger or
/// is a link.
fn fitting(notes: &[Span], room: usize) -> Vec<Span> {
    let Some(first) = notes.first() else {
        return Vec::new();
    };
    let room = room.saturating_sub(GAP);
    if width_of(notes) <= room {
        return notes.to_vec();
    }
    if width(&first.text) <= room {
        let rest = notes.get(2).map(|last| {
            let room = room.saturating_sub(width(&first.text) + GAP);
            (last, room)
        });
        let mut fitting = vec![first.clone()];
        if let Some((last, room)) = rest.filter(|(_, room)| *room >= MIN_NOTE) {
            fitting.push(Span::new("  ", Role::Text));
            fitting.push(last.with_text(fit_middle(&last.text, room)));
        }
        return fitting;
    }
    match first.role {
        Role::Danger => {
            let ends = first.text.match_indices(' ').map(|(end, _)| end).rev();
            let mut forms = ends.map(|end| &first.text[..end]);
            let form = forms.find(|form| width(form) <= room);
            form.map(|form| Span::new(form, first.role))
                .into_iter()
                .collect()
        }
        Role::Reference if room >= MIN_NOTE => {
            vec![first.with_text(fit_middle(&first.text, room))]
        }
        _ => Vec::new(),
    }
}

fn is_unknown(spans: &[lines::Span]) -> bool {
    matches!(spans, [only] if only.role == lines::Role::Unknown)
}

fn tint(body: &Body) -> Option<Role> {
    match body {
        Body::Before(_) => Some(Role::Delete),
        Body::After(_) => Some(Role::Create),
        Body::Same(_) | Body::Both { .. } | Body::Folded { .. } | Body::More { .. } => None,
    }
}

fn spans(parts: &[lines::Span]) -> Vec<Span> {
    parts.iter().map(Span::from).collect()
}
