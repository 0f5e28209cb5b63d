//! The stacks that a stack reads, or that read it, to choose one.

use std::sync::Arc;

use super::popup::{Popup, RowUse, walk};
use super::{Outcome, boxed, framed, width_around};
use crate::stack::graph::Direction;
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::{Span, shown};
use crate::tui::stacks::{FleetEdges, Neighbor};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::text::{fit_middle, plural, width};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Maximum number of rows that are measured for the width of the popup.
const MAX_MEASURED: usize = 200;

/// Maximum width of the list, in cells.
const MAX_WIDTH: usize = 90;

/// The stacks to choose from.
#[derive(Clone, Debug)]
pub struct StackEdges {
    edges: Arc<FleetEdges>,
    stack: usize,
    direction: Direction,
    cursor: Cursor,
}

impl StackEdges {
    /// The stacks that this one reads, or that read it.
    pub fn new(edges: Arc<FleetEdges>, stack: usize, direction: Direction) -> Self {
        Self {
            edges,
            stack,
            direction,
            cursor: Cursor::default(),
        }
    }

    fn neighbors(&self) -> &[Neighbor] {
        self.edges.neighbors(self.stack, self.direction)
    }

    fn labels(&self) -> Labels {
        let name = fit_middle(&shown(self.edges.name(self.stack)), MAX_WIDTH / 2);
        let n = plural(self.neighbors().len(), "stack");
        let so_far = if self.edges.is_whole { "" } else { " so far" };
        Labels {
            title: match self.direction {
                Direction::DependsOn => format!("{name} reads {n}{so_far}"),
                Direction::UsedBy => format!("{n} read {name}{so_far}"),
            },
            status: keymap::hints(
                Scope::StackEdges,
                &[(Command::Accept, "go to it"), (Command::Cancel, "back")],
            ),
            focused: true,
        }
    }

    fn list_area(&self, stage: Stage) -> ListArea {
        ListArea::new(boxed(self.area(stage)).inner, self.neighbors().len())
    }
}

/// The kind of the edge, and the number of edges if there are several.
fn remark(neighbor: &Neighbor) -> Vec<Span> {
    let role = if neighbor.is_guess {
        Role::Badge
    } else {
        Role::Dim
    };
    let mut spans = vec![Span::new(neighbor.words(), role)];
    if neighbor.n_edges > 1 {
        let n = format!(" · {}", plural(neighbor.n_edges, "edge"));
        spans.push(Span::new(n, Role::Dim));
    }
    spans
}

impl Popup for StackEdges {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::StackEdges]
    }

    fn outlives_file(&mut self) -> bool {
        true
    }

    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        Some((self.list_area(stage), self.cursor))
    }

    fn cursor(&mut self) -> Option<&mut Cursor> {
        Some(&mut self.cursor)
    }

    fn row_use(&self, _: usize) -> RowUse {
        RowUse::Choose(Command::Accept)
    }

    fn area(&self, stage: Stage) -> Rect {
        let rows = self.neighbors().iter().take(MAX_MEASURED);
        let widths = rows.map(|it| width(&shown(&it.name)) + width_of(&remark(it)) + 4);
        let widest = widths.max().unwrap_or(0).min(MAX_WIDTH);
        let width = width_around(&self.labels(), widest);
        stage.beside(&Wanted {
            width,
            min_width: width.min(MAX_WIDTH / 2),
            height: |_| self.neighbors().len() + 2,
        })
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => walk(self, motion, stage),
            Command::Accept => {
                let Some(neighbor) = self.neighbors().get(self.cursor.row) else {
                    return Outcome::Close;
                };
                let Some(stack) = neighbor.stack else {
                    let name = shown(&neighbor.name);
                    return Outcome::Say(format!("{name} is not in this list"));
                };
                return Outcome::ShowStack(self.edges.place(stack).clone());
            }
            Command::Cancel => return Outcome::Close,
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        framed(self.area(stage), &self.labels(), theme, buffer);
        let list = self.list_area(stage);
        list.draw(self.cursor, theme, buffer, |buffer, area, row| {
            let neighbor = &self.neighbors()[row];
            let mut pen = Pen::new(buffer, theme, area, 0);
            let remark = remark(neighbor);
            pen.put_right(&remark);
            let room = pen.room().saturating_sub(1);
            pen.put(&fit_middle(&shown(&neighbor.name), room), Role::Text);
        });
    }
}
