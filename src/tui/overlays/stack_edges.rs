//! The stacks that a stack reads, or that read it, to choose one.

use std::sync::Arc;

use super::Outcome;
use super::menu::{Menu, MenuPopup};
use crate::stack::graph::Direction;
use crate::tui::keymap::{self, Scope};
use crate::tui::outline::Strip;
use crate::tui::rows::{Span, shown};
use crate::tui::stacks::{FleetEdges, Neighbor};
use crate::tui::theme::Role;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::width_of;
use crate::tui::widgets::text::{fit_middle, plural};

/// Maximum width of the list, in cells.
const MAX_WIDTH: usize = 90;

/// The stacks to choose from.
#[derive(Clone, Debug)]
pub struct StackEdges {
    edges: Arc<FleetEdges>,
    stack: usize,
    direction: Direction,
}

impl StackEdges {
    /// Lists the stacks that this one reads, or that read it. If there are none, says so of the stack `name`.
    pub fn open(
        edges: &Arc<FleetEdges>,
        stack: usize,
        direction: Direction,
        name: &str,
    ) -> Outcome {
        match (edges.neighbors(stack, direction), direction) {
            ([], Direction::DependsOn) => Outcome::Say(format!("{name} reads no other stack")),
            ([], Direction::UsedBy) => Outcome::Say(format!("no other stack reads {name}")),
            ([_, ..], _) => Outcome::Open(Box::new(MenuPopup::new(Self {
                edges: Arc::clone(edges),
                stack,
                direction,
            }))),
        }
    }

    fn neighbors(&self) -> &[Neighbor] {
        self.edges.neighbors(self.stack, self.direction)
    }
}

/// The kind of the edge, and the number of edges if there are several.
fn remark(neighbor: &Neighbor) -> Vec<Span> {
    let mut spans = vec![Span::new(neighbor.words(), neighbor.role())];
    if neighbor.n_edges > 1 {
        let n = format!(" · {}", plural(neighbor.n_edges, "edge"));
        spans.push(Span::new(n, Role::Dim));
    }
    spans
}

impl Menu for StackEdges {
    const SCOPES: &'static [Scope] = &[Scope::List];
    const MAX_WIDTH: usize = MAX_WIDTH;
    const MIN_WIDTH: usize = MAX_WIDTH / 2;

    fn labels(&self) -> Labels {
        let name = fit_middle(&shown(self.edges.name(self.stack)), MAX_WIDTH / 2);
        let n = plural(self.neighbors().len(), "stack");
        let so_far = if self.edges.is_whole { "" } else { " so far" };
        Labels::of(
            match self.direction {
                Direction::DependsOn => format!("{name} reads {n}{so_far}"),
                Direction::UsedBy => format!("{n} read {name}{so_far}"),
            },
            keymap::choices(Scope::List, "go to it"),
        )
    }

    fn n_rows(&self) -> usize {
        self.neighbors().len()
    }

    fn line(&self, row: usize, room: usize) -> Strip {
        let neighbor = &self.neighbors()[row];
        let right = remark(neighbor);
        let left = room.saturating_sub(width_of(&right) + 1);
        let name = fit_middle(&shown(&neighbor.name), left);
        Strip::from(vec![Span::new(name, Role::Text)]).ending(right)
    }

    fn choose(&mut self, row: usize) -> Outcome {
        let neighbor = &self.neighbors()[row];
        let Some(stack) = neighbor.stack else {
            let name = shown(&neighbor.name);
            return Outcome::Say(format!("{name} is not in this list"));
        };
        Outcome::ShowStack(self.edges.place(stack).clone())
    }
}
