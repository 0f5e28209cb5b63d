//! Drawing the three columns.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{DIRECTIONS, DepsView, Neighbor, NeighborColumn};
use crate::stack::graph::Direction;
use crate::stack::{Flags, ResourceId, Stack};
use crate::tui::changes::words;
use crate::tui::command::{Command, DepsCommand, FoldCommand, GoCommand, Side};
use crate::tui::edges::why;
use crate::tui::keymap;
use crate::tui::layout::{self, Pane};
use crate::tui::outline::{CURSOR, Laid, RowLine, Strip};
use crate::tui::panes::Ctx;
use crate::tui::panes::tree::short_type;
use crate::tui::rows::{Span, shown};
use crate::tui::stacks::OtherEnd;
use crate::tui::theme::Role;
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::text::{count, fit_middle, width, wrap_words};

/// Minimum number of cells of the name of the resource in the title of a narrow screen.
const MIN_NAME: usize = 12;

impl DepsView {
    /// Draws the columns. A narrow screen shows only the side with the cursor.
    pub(super) fn draw(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let Some([left, middle, right]) = self.columns(pane.outer) else {
            let (title, status) = self.narrow_labels(ctx.session.stack(), pane);
            self.draw_side(self.side, [title, status], ctx, pane, buffer);
            return;
        };
        let [needs, used] = [0, 1].map(|at| match self.center {
            Some(_) => self.side_title(at),
            None => side_name(DIRECTIONS[at]).to_owned(),
        });
        let [below, above] = [left, right].map(|pane| usize::from(pane.inner.height));
        let status = |at: usize, height| self.status(&self.sides[at], DIRECTIONS[at], height);
        self.draw_side(0, [needs, status(0, below)], ctx, left, buffer);
        self.draw_center(ctx, middle, buffer);
        self.draw_side(1, [used, status(1, above)], ctx, right, buffer);
    }

    /// The columns: the two sides with the middle between them. `None` on a narrow screen.
    pub(super) fn columns(&self, outer: Rect) -> Option<[Pane; 3]> {
        if outer.width < layout::TWO_PANES_FROM {
            return None;
        }
        // A side without neighbors leaves its width to the other one.
        let is_empty = |at: usize| self.sides[at].len() == 0;
        let left = match [is_empty(0), is_empty(1)] {
            [true, false] => 18,
            [false, true] => 54,
            [false, false] | [true, true] => 34,
        };
        let (left, middle) = (outer.width * left / 100, outer.width * 27 / 100);
        let column = |at: u16, width: u16| {
            layout::pane(Rect::new(outer.x + at, outer.y, width, outer.height))
        };
        let at = left + middle;
        Some([
            column(0, left),
            column(left, middle),
            column(at, outer.width - at),
        ])
    }

    /// The title and the status of the only side on the screen: `orders-db · depends on [5] · used by 3 · l other side`, with
    /// brackets around the side that is shown. On the smallest screens the key, the status and the other side give way: without
    /// the name nobody knows whose sides these are.
    fn narrow_labels(&self, stack: &Stack, pane: Pane) -> (String, String) {
        let height = usize::from(pane.inner.height);
        let status = self.status(&self.sides[self.side], DIRECTIONS[self.side], height);
        let [depends, used] = [0, 1].map(|at| {
            let side = &self.sides[at];
            let total = self.total(side);
            let through = if side.all { " in all" } else { "" };
            let number = if at == self.side {
                format!("[{total}{through}]")
            } else {
                total
            };
            format!("{} {number}", side_name(DIRECTIONS[at]))
        });
        let key = match DIRECTIONS[self.side] {
            Direction::DependsOn => Side::Right,
            Direction::UsedBy => Side::Left,
        };
        let other = format!("{} other side", keymap::key_of(Command::Side(key)));
        let both = format!("{depends} · {used}");
        let own = [depends, used][self.side].clone();
        let filter = self.filter_words();
        let filter = filter.map_or_else(String::new, |words| format!(" · {words}"));
        let Some(id) = self.center else {
            return (both, status);
        };
        let name = shown(&stack.placed_name(id));
        let least = width(&name).min(MIN_NAME);
        let room = |status: &str| {
            // The ends of the line, and the blanks around both texts.
            let taken = if status.is_empty() {
                6
            } else {
                width(status) + 8
            };
            usize::from(pane.outer.width).saturating_sub(taken)
        };
        let forms = [
            (format!("{both}{filter} · {other}"), &*status),
            (format!("{both}{filter}"), &status),
            (format!("{both}{filter}"), ""),
            (both, ""),
        ];
        let fits = |(sides, status): &(String, &str)| width(sides) + 3 + least <= room(status);
        let (sides, status) = forms.into_iter().find(fits).unwrap_or((own, ""));
        let name = fit_middle(&name, room(status).saturating_sub(width(&sides) + 3));
        (format!("{name} · {sides}"), status.to_owned())
    }

    /// The pane of a side, if it is on the screen.
    pub(super) fn pane_of(&self, side: usize, pane: Pane) -> Option<Pane> {
        match self.columns(pane.outer) {
            Some([left, _, right]) => Some([left, right][side]),
            None if side == self.side => Some(pane),
            None => None,
        }
    }

    /// The rows of a side as they stand in its pane.
    pub(super) fn rows<'a>(&'a self, at: usize, stack: &'a Stack, pane: Pane) -> Laid<'a> {
        let (side, direction) = (&self.sides[at], DIRECTIONS[at]);
        let room = usize::from(pane.inner.width).saturating_sub(usize::from(CURSOR) + 1);
        let make = move |row: usize| {
            let strip = match side.entries.get(row) {
                Some(entry) => entry_line(stack, entry, direction, room),
                None => other_line(&side.others[row - side.entries.len()], room),
            };
            vec![RowLine::from(strip)]
        };
        let laid = Laid::new(pane, pane.inner, side.len(), side.cursor, make).flat();
        if at == self.side {
            laid
        } else {
            laid.without_cursor()
        }
    }

    /// `depends on (5, transitive)`, `depends on (2 of 5) · filter: db`.
    fn side_title(&self, at: usize) -> String {
        let side = &self.sides[at];
        let through = if side.all { ", transitive" } else { "" };
        let name = side_name(DIRECTIONS[at]);
        let title = format!("{name} ({}{through})", self.total(side));
        let parts = std::iter::once(title).chain(self.filter_words());
        parts.collect::<Vec<_>>().join(" · ")
    }

    /// The number of neighbors on a side: `5`, `2 of 5`.
    fn total(&self, side: &NeighborColumn) -> String {
        let Some(total) = side.total else {
            return "…".to_owned();
        };
        let total = count(total as u64);
        let n_bridged = side.n_bridged();
        let total = match &self.filter {
            Some(_) => format!("{} of {total}", count(side.entries.len() as u64)),
            None if n_bridged > 0 => {
                let n_direct = side.entries.len() - n_bridged;
                let [direct, bridged] = [n_direct, n_bridged].map(|n| count(n as u64));
                format!("{direct} direct, {bridged} through them")
            }
            None => total,
        };
        match side.others.len() {
            0 if self.is_looking => format!("{total} · looking at other stacks …"),
            0 => total,
            n => format!("{total} + {} in other stacks", count(n as u64)),
        }
    }

    fn filter_words(&self) -> Option<String> {
        let filter = self.filter.as_ref()?;
        Some(format!("filter: {}", shown(&filter.text)))
    }

    fn draw_side(
        &self,
        at: usize,
        [title, status]: [String; 2],
        ctx: Ctx<'_>,
        pane: Pane,
        buffer: &mut Buffer,
    ) {
        let side = &self.sides[at];
        let focused = ctx.focused && at == self.side;
        Ctx { focused, ..ctx }.frame(pane, title, status, buffer);
        self.rows(at, ctx.session.stack(), pane)
            .draw(ctx.theme, ctx.focused, buffer);
        if side.len() == 0 && self.center.is_some() {
            let text = match side.total {
                Some(_) if self.filter.is_some() => "nothing matches the filter",
                Some(_) => "nothing",
                None => "looking …",
            };
            Pen::new(buffer, ctx.theme, pane.inner, 0)
                .skip(2)
                .put(text, Role::Dim);
        }
    }

    /// Number of rows below the screen, then the source of the edges in the file or the number of transitive neighbors.
    fn status(&self, side: &NeighborColumn, direction: Direction, height: usize) -> String {
        let total = side.total.unwrap_or_default();
        let n_listed = side.others.len()
            + match &self.filter {
                Some(_) => side.entries.len(),
                None => total,
            };
        let below = n_listed.saturating_sub(side.cursor.top + height);
        let mut parts = Vec::new();
        if below > 0 {
            parts.push(format!("+{} more", count(below as u64)));
        }
        match &side.connected {
            _ if direction == Direction::DependsOn && !self.source.is_empty() => {
                parts.push(self.source.to_owned());
            }
            Some(connected) if !side.all && connected.reached.len() > total => {
                let n = count(connected.reached.len() as u64);
                parts.push(format!("{n} transitively"));
            }
            _ => {}
        }
        parts.join(" · ")
    }

    fn draw_center(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let title = self.center.map_or_else(
            || "no resource".to_owned(),
            |id| {
                let name = shown(&ctx.session.stack().placed_name(id));
                // The address already contains the type.
                match ctx.session.stack().address(id) {
                    Some(_) => name,
                    None => format!("{name} · {}", short_type(ctx.session.stack(), id)),
                }
            },
        );
        let focused = false;
        Ctx { focused, ..ctx }.frame(pane, title, "", buffer);
        let mut line = 0;
        let room = usize::from(pane.inner.width).saturating_sub(1);
        for (text, role) in self.center_lines(ctx.session.stack()) {
            for piece in wrap_words(&text, room) {
                if line >= pane.inner.height {
                    return;
                }
                Pen::new(buffer, ctx.theme, pane.inner, line)
                    .skip(1)
                    .put(piece, role);
                line += 1;
            }
        }
    }

    fn center_lines(&self, stack: &Stack) -> Vec<(String, Role)> {
        let Some(id) = self.center else {
            return vec![("select a resource in view 1".to_owned(), Role::Dim)];
        };
        let mut lines = Vec::new();
        let provider_id = stack.provider_id(id);
        if !provider_id.is_empty() {
            lines.push((format!("id {}", shown(provider_id)), Role::Text));
        }
        match words::action(stack, id) {
            Some((sign, word, role)) => lines.push((format!("{sign} {word}"), role)),
            None if stack.header.kind.has_changes() => {
                let what = if stack.header.kind.is_pulumi() {
                    "preview"
                } else {
                    "plan"
                };
                lines.push((format!("no change in this {what}"), Role::Dim));
            }
            None => {}
        }
        if stack.record(id).flags.contains(Flags::DRIFTED) {
            lines.push(("drifted".to_owned(), Role::Badge));
        }
        if self.sides.iter().any(|side| side.n_bridged() > 0) {
            let words = "the state records all that a resource needs, so what is listed through another one may be direct or not";
            lines.push((words.to_owned(), Role::Dim));
        }
        let key = keymap::key_of;
        let open = key(Command::Fold(FoldCommand::Activate));
        let [left, right] = [Side::Left, Side::Right].map(|side| key(Command::Side(side)));
        let [needs, used, ripple] = [
            DepsCommand::DependsOnAll,
            DepsCommand::UsedByAll,
            DepsCommand::Ripple,
        ]
        .map(|command| key(Command::Deps(command)));
        let back = key(Command::Go(GoCommand::Back));
        for hint in [
            format!("{open} go to · {left} {right} sides"),
            format!("{needs} {used} transitive"),
            format!("{ripple} ripple · {back} back"),
        ] {
            lines.push((hint, Role::Dim));
        }
        lines
    }
}

fn side_name(direction: Direction) -> &'static str {
    match direction {
        Direction::DependsOn => "depends on",
        Direction::UsedBy => "used by",
    }
}

/// A neighbor: its sign, its name and the reason for the edge, then what has room at the right: drift and the type.
fn entry_line(stack: &Stack, entry: &Neighbor, direction: Direction, room: usize) -> Strip {
    let name = fit_middle(&shown(&stack.placed_name(entry.id)), room * 3 / 5);
    let reason = reason(stack, entry, direction);
    let sign =
        words::action(stack, entry.id).map_or((" ", Role::Text), |(sign, _, role)| (sign, role));
    let mut spans = Vec::new();
    // A file without changes needs no column for their signs.
    if stack.header.kind.has_changes() || stack.is_comparison {
        spans.extend([Span::new(sign.0, sign.1), Span::new(" ", Role::Text)]);
    }
    spans.push(Span::new(name, Role::Text));
    spans.push(Span::new("  ", Role::Text));
    spans.extend(reason);
    let mut right = Vec::new();
    if entry.depth > 1 {
        right.push(Span::new(format!("{} away", entry.depth), Role::Dim));
    }
    if stack.record(entry.id).flags.contains(Flags::DRIFTED) {
        right.push(Span::new(" drifted", Role::Badge));
    }
    let left = room.saturating_sub(width_of(&spans) + width_of(&right) + 2);
    let ty = type_within(stack, entry.id, left);
    if !ty.is_empty() {
        right.push(Span::new(format!(" {ty}"), Role::Type));
    }
    Strip::from(spans).ending(right).indented(1)
}

/// An end in another stack: its stack, its resource and the reason for the edge.
fn other_line(other: &OtherEnd, room: usize) -> Strip {
    let reason = other.reason();
    let left = room.saturating_sub(width(&reason) + 2).max(room * 3 / 5);
    let role = if other.is_guess {
        Role::Badge
    } else {
        Role::Reference
    };
    let spans = vec![
        Span::new(fit_middle(&other.label(), left), Role::Container),
        Span::new("  ", Role::Text),
        Span::new(reason, role),
    ];
    Strip::from(spans).indented(1)
}

/// The type of a resource, or its last part, in at most `room` cells. Empty if neither fits, or if the name contains the type.
fn type_within(stack: &Stack, id: ResourceId, room: usize) -> String {
    if stack.address(id).is_some() {
        return String::new();
    }
    let ty = short_type(stack, id);
    let last = ty.rsplit(':').next().unwrap_or_default();
    let mut forms = [&*ty, last].into_iter();
    let fitting = forms.find(|form| width(form) <= room);
    fitting.unwrap_or_default().to_owned()
}

/// The reason for the edge that leads to a neighbor.
fn reason(stack: &Stack, entry: &Neighbor, direction: Direction) -> Vec<Span> {
    let why = why(stack, entry.edge(direction), entry.properties.as_deref());
    let why = Span::new(why, Role::Reference);
    if let Some(bridge) = entry.bridge {
        let bridge = shown(&stack.placed_name(bridge));
        return vec![Span::new(format!("through {bridge}"), Role::Dim)];
    }
    if entry.depth <= 1 {
        return vec![why];
    }
    let through = format!("through {}", shown(&stack.placed_name(entry.via)));
    let (through, blank) = (Span::new(through, Role::Dim), Span::new(" ", Role::Text));
    // The property belongs to the dependent resource. That is the one between at the left, and the listed one at the right.
    match direction {
        Direction::DependsOn => vec![through, blank, why],
        Direction::UsedBy => vec![why, blank, through],
    }
}
