//! Who depends on whom: what a resource needs at the left, itself in the middle, what needs it at the right.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Ctx;
use crate::graph::Direction;
use crate::stack::{Action, EdgeKind, Resource, ResourceId, Stack};
use crate::tui::layout::{self, Pane};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::count;

/// More than this are counted, not listed.
const MAX_LISTED: usize = 20_000;

/// A neighbor, and why it is one.
#[derive(Clone, Debug)]
struct Entry {
    id: ResourceId,
    why: String,
}

/// One side: its neighbors and a cursor.
#[derive(Clone, Default, Debug)]
struct Side {
    entries: Vec<Entry>,
    total: usize,
    /// Whether those are listed too that are tied to it through others.
    all: bool,
    cursor: Cursor,
}

/// The three columns.
#[derive(Clone, Default, Debug)]
pub struct DepsPane {
    center: Option<ResourceId>,
    sides: [Side; 2],
    /// 0 is the left side, 1 the right one.
    side: usize,
}

impl DepsPane {
    /// The resource in the middle.
    pub fn center(&self) -> Option<ResourceId> {
        self.center
    }

    /// Puts a resource in the middle. What it is read from tells which of its properties need others.
    pub fn set(&mut self, stack: &Stack, center: Option<ResourceId>, resource: Option<&Resource>) {
        let is_other = self.center != center;
        self.center = center;
        let directions = [Direction::DependsOn, Direction::UsedBy];
        for (side, direction) in self.sides.iter_mut().zip(directions) {
            if is_other {
                side.cursor = Cursor::default();
                side.all = false;
            }
            (side.entries, side.total) = center.map_or_else(Default::default, |id| {
                entries(stack, id, direction, side.all, resource)
            });
        }
    }

    /// Moves to a side, with all that are tied through others or only the direct ones.
    pub fn show(&mut self, direction: Direction, all: bool) {
        self.side = usize::from(direction == Direction::UsedBy);
        self.sides[self.side].all = all;
    }

    /// The side with the cursor.
    pub fn direction(&self) -> Direction {
        if self.side == 0 {
            Direction::DependsOn
        } else {
            Direction::UsedBy
        }
    }

    /// The neighbor at the cursor, else the resource in the middle.
    pub fn selected(&self) -> Option<ResourceId> {
        self.neighbor().or(self.center)
    }

    /// The neighbor at the cursor.
    pub fn neighbor(&self) -> Option<ResourceId> {
        let side = &self.sides[self.side];
        side.entries.get(side.cursor.row).map(|entry| entry.id)
    }

    /// How many rows the side with the cursor has.
    pub fn len(&self) -> usize {
        self.sides[self.side].entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cursor.
    pub fn cursor(&mut self) -> &mut Cursor {
        &mut self.sides[self.side].cursor
    }

    /// Draws the columns; on a narrow screen only the side with the cursor.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let outer = pane.outer;
        if outer.width < layout::TWO_PANES_FROM {
            self.draw_side(self.side, ctx, pane, buffer);
            return;
        }
        let third = outer.width / 3;
        let column = |at: u16, width: u16| {
            layout::pane(Rect::new(outer.x + at, outer.y, width, outer.height))
        };
        self.draw_side(0, ctx, column(0, third), buffer);
        self.draw_center(ctx, column(third, third), buffer);
        self.draw_side(1, ctx, column(2 * third, outer.width - 2 * third), buffer);
    }

    fn draw_side(&self, at: usize, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let side = &self.sides[at];
        let is_focused = ctx.focused && at == self.side;
        let name = if at == 0 { "depends on" } else { "used by" };
        let through = if side.all { ", through others too" } else { "" };
        let more = side.total - side.entries.len();
        let labels = Labels {
            title: format!("{name} ({}{through})", count(side.total as u64)),
            status: if more > 0 {
                format!("{} more", count(more as u64))
            } else {
                String::new()
            },
            focused: is_focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let rows = side.entries.iter().enumerate().skip(side.cursor.top);
        for (line, (row, entry)) in (0..pane.inner.height).zip(rows) {
            let is_selected = row == side.cursor.row && at == self.side;
            let mut pen = Pen::new(buffer, ctx.theme, pane.inner, line);
            pen.put(if is_selected { "▶ " } else { "  " }, Role::Focus);
            let action = ctx
                .stack
                .record(entry.id)
                .action
                .filter(|it| *it != Action::Noop);
            if let Some(action) = action {
                let text = format!("{} {}", action.sign(), action.name());
                pen.put_right(&[Span::new(text, Role::from(action))]);
            }
            pen.put(&shown(ctx.stack.short_name(entry.id)), Role::Text);
            pen.put("  ", Role::Text).put(&entry.why, Role::Reference);
            if is_selected {
                let line = Rect::new(pane.inner.x, pane.inner.y + line, pane.inner.width, 1);
                buffer.set_style(
                    line.intersection(buffer.area),
                    ctx.theme.cursor(ctx.focused),
                );
            }
        }
        if side.entries.is_empty() {
            Pen::new(buffer, ctx.theme, pane.inner, 0)
                .skip(2)
                .put("nothing", Role::Dim);
        }
    }

    fn draw_center(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let title = self.center.map_or_else(
            || "no resource".to_owned(),
            |id| shown(ctx.stack.short_name(id)),
        );
        let labels = Labels {
            title,
            status: String::new(),
            focused: false,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let Some(id) = self.center else {
            let mut pen = Pen::new(buffer, ctx.theme, pane.inner, 0);
            pen.skip(1).put("select a resource in view 1", Role::Dim);
            return;
        };
        let action = ctx.stack.record(id).action.filter(|it| *it != Action::Noop);
        let change = action.map_or_else(
            || ("no change in this file".to_owned(), Role::Dim),
            |action| {
                (
                    format!("{} {}", action.sign(), action.name()),
                    Role::from(action),
                )
            },
        );
        let lines = [
            (shown(ctx.stack.ty(id)), Role::Type),
            (
                format!("id {}", shown(ctx.stack.provider_id(id))),
                Role::Text,
            ),
            change,
            ("Enter goes to the middle · h l sides".to_owned(), Role::Dim),
            ("D U through others · gi impact list".to_owned(), Role::Dim),
        ];
        for (line, (text, role)) in (0..pane.inner.height).zip(&lines) {
            let mut pen = Pen::new(buffer, ctx.theme, pane.inner, line);
            pen.skip(1).put(text, *role);
        }
    }
}

fn entries(
    stack: &Stack,
    id: ResourceId,
    direction: Direction,
    all: bool,
    resource: Option<&Resource>,
) -> (Vec<Entry>, usize) {
    if all {
        let reached = stack.graph.reach(id, direction);
        let listed = reached.iter().take(MAX_LISTED).map(|reached| Entry {
            id: reached.id,
            why: if reached.depth == 1 {
                format!("({})", reached.kind.name())
            } else {
                format!(
                    "{} away, by {}",
                    reached.depth,
                    shown(stack.short_name(reached.via))
                )
            },
        });
        return (listed.collect(), reached.len());
    }
    let groups = stack
        .graph
        .links(id, direction)
        .chunk_by(|one, other| one.to == other.to);
    let mut listed = Vec::new();
    let mut total = 0;
    for links in groups.filter(|links| links[0].to != id) {
        total += 1;
        if listed.len() < MAX_LISTED {
            let to = links[0].to;
            let properties = match (direction, resource) {
                (Direction::DependsOn, Some(resource)) => properties(stack, to, resource),
                _ => Vec::new(),
            };
            let kinds = links.iter().map(|link| link.kind);
            listed.push(Entry {
                id: to,
                why: why(&properties, kinds),
            });
        }
    }
    (listed, total)
}

/// The properties of `resource` that need `to`.
fn properties(stack: &Stack, to: ResourceId, resource: &Resource) -> Vec<String> {
    let identity = stack.identity(to);
    let general = crate::address::config_address(&identity);
    let edges = resource.edges.iter();
    edges
        .filter(|edge| edge.target == identity || edge.target == general)
        .filter_map(|edge| {
            let property = edge.property.as_ref()?;
            let from = edge
                .attribute
                .as_ref()
                .map_or_else(String::new, |it| format!(" ← {it}"));
            Some(shown(&format!(".{property}{from}")))
        })
        .collect()
}

fn why(properties: &[String], kinds: impl Iterator<Item = EdgeKind>) -> String {
    let mut words = properties.to_vec();
    for kind in kinds {
        // A dependency that a property explains needs no second word.
        let is_told =
            !properties.is_empty() && matches!(kind, EdgeKind::Property | EdgeKind::Dependency);
        if !is_told {
            words.push(format!("({})", kind.name()));
        }
    }
    words.join(" ")
}
