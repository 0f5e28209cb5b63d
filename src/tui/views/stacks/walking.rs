//! Walking from a stack of the list to those that it reads, and to those that read it.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::StacksView;
use crate::load::fleet::{Fleet, Place};
use crate::stack::graph::Direction;
use crate::tui::any_job::AnyJob;
use crate::tui::command::{Command, DepsCommand};
use crate::tui::jobs::stacks::{TieStacks, Tied};
use crate::tui::keymap::{self, Scope};
use crate::tui::overlays::Outcome;
use crate::tui::overlays::stack_edges::StackEdges;
use crate::tui::rows::{Span, shown};
use crate::tui::stacks::{FleetEdges, Key, Neighbor};
use crate::tui::theme::{Role, Theme};
use crate::tui::views::Ctx;
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::text::{count, fit_middle, n_of};

/// Number of lines about the selected stack, one for each direction.
pub(super) const N_LINES: u16 = 2;

/// Minimum height of the list for these lines.
const MIN_HEIGHT: u16 = 12;

/// Maximum width of a name on these lines, in cells.
const MAX_NAME: usize = 40;

/// The edges between the stacks, and the way that was walked along them.
#[derive(Default, Debug)]
pub(super) struct Walking {
    /// True once the job that finds the edges was started.
    is_started: bool,
    /// The edges as far as they are known.
    edges: Arc<FleetEdges>,
    /// Number of members that were read for them.
    n_read: usize,
}

impl Walking {
    /// The job that finds the edges. It is started once.
    pub(super) fn next_job(&mut self, fleet: &Fleet) -> Option<Box<dyn AnyJob>> {
        let is_started = std::mem::replace(&mut self.is_started, true);
        (!is_started).then(|| Box::new(TieStacks(fleet.clone())) as Box<dyn AnyJob>)
    }
}

impl StacksView {
    /// Takes edges, or the number of members that were read.
    pub fn take_tied(&mut self, tied: Tied) {
        self.walking.n_read = tied.n_read;
        if let Some(edges) = tied.edges {
            self.walking.edges = edges;
        }
    }

    /// Takes the end of a job that failed: there will be no more edges.
    pub fn forget_tying(&mut self) {
        Arc::make_mut(&mut self.walking.edges).is_whole = true;
    }

    /// The edges as far as they are known.
    pub fn edges(&self) -> &Arc<FleetEdges> {
        &self.walking.edges
    }

    /// The edges, and the selected stack among them.
    fn selected_stack(&self) -> Option<(&Arc<FleetEdges>, usize)> {
        let (row, _) = self.member()?;
        let edges = &self.walking.edges;
        Some((edges, edges.stack(&row.member.place)?))
    }

    /// Goes to the stack that the selected one reads, or that reads it. Of several the person chooses.
    pub(super) fn walk_edges(&self, direction: Direction) -> Outcome {
        let Some((row, _)) = self.member() else {
            return Outcome::Complain("select a stack first".to_owned());
        };
        let name = shown(&row.member.name);
        let Some((edges, stack)) = self.selected_stack() else {
            return Outcome::Say(if self.walking.edges.is_whole {
                format!("{name} was not read")
            } else {
                self.progress()
            });
        };
        match edges.neighbors(stack, direction) {
            [] if !edges.is_whole => Outcome::Say(self.progress()),
            [only] => match only.stack {
                Some(other) => Outcome::ShowStack(edges.place(other).clone()),
                None => Outcome::Say(format!("{} is not in this list", shown(&only.name))),
            },
            [] | [_, _, ..] => StackEdges::open(edges, stack, direction, &name),
        }
    }

    /// Selects a stack as soon as it is listed. Opens the headings around it, and clears a filter that hides it.
    pub(super) fn reveal(&mut self, place: Place, ctx: &Ctx<'_>) {
        let row = self.by_place.get(&place).copied();
        let at = row.and_then(|row| self.arranged.of_key.get(&Key::Row(row)).copied());
        let Some(at) = at else {
            self.wanted = Some(place);
            if !self.filter.is_empty() {
                self.search(String::new());
            }
            return;
        };
        self.has_chosen = true;
        let around = self.arranged.groups.around(at).collect();
        self.choose_open(around, true);
        self.go_to_branch(at, ctx);
    }

    /// Number of lines about the selected stack.
    pub(super) fn n_edge_lines(&self, inner: Rect) -> u16 {
        if inner.height >= MIN_HEIGHT && self.rows.len() > 1 {
            N_LINES
        } else {
            0
        }
    }

    /// `looking for edges between stacks: 12 of 30 read`.
    fn progress(&self) -> String {
        let read = n_of(self.walking.n_read, self.rows.len());
        format!("looking for edges between stacks: {read} read")
    }

    /// Draws the stacks that the selected one reads, and those that read it.
    pub(super) fn draw_edges(&self, theme: &Theme, area: Rect, buffer: &mut Buffer) {
        let Some((row, _)) = self.member() else {
            return;
        };
        let lines = [
            (Direction::DependsOn, DepsCommand::DependsOn, "reads   "),
            (Direction::UsedBy, DepsCommand::UsedBy, "read by "),
        ];
        let known = self.selected_stack();
        let is_looking = !self.walking.edges.is_whole;
        for (line, (direction, command, label)) in (0..area.height).zip(lines) {
            let mut pen = Pen::new(buffer, theme, area, line);
            let key = keymap::key_in(Scope::Stacks, Command::Deps(command));
            pen.skip(1).put(&key, Role::Hint).skip(1);
            pen.put(label, Role::Dim).skip(1);
            let neighbors = known.map(|(edges, stack)| edges.neighbors(stack, direction));
            put_neighbors(&mut pen, neighbors.unwrap_or_default());
            let is_first = line == 0;
            let remark = match neighbors {
                Some([]) | None if is_looking && is_first => self.progress(),
                Some([]) if !is_looking => "no other stack".to_owned(),
                None if !is_looking && is_first && !row.is_original() => {
                    "a copy is not looked at".to_owned()
                }
                Some(_) | None => String::new(),
            };
            pen.put(&remark, Role::Dim);
        }
    }
}

/// Puts as many stacks as have room, and the number of the others.
fn put_neighbors(pen: &mut Pen<'_>, neighbors: &[Neighbor]) {
    for (at, neighbor) in neighbors.iter().enumerate() {
        let mut spans = Vec::new();
        if at > 0 {
            spans.push(Span::new(" · ", Role::Border));
        }
        let name = fit_middle(&shown(&neighbor.name), MAX_NAME);
        spans.push(Span::new(name, Role::Text));
        spans.push(Span::new(
            format!(" ({})", neighbor.words()),
            neighbor.role(),
        ));
        let n_left = neighbors.len() - at;
        let more = format!(" · +{} more", count(n_left as u64));
        // The last one needs no room for the number of those after it.
        let needed = width_of(&spans) + if n_left > 1 { more.len() } else { 0 };
        if at > 0 && needed > pen.room() {
            pen.put(&more, Role::Dim);
            return;
        }
        pen.put_all(&spans);
    }
}
