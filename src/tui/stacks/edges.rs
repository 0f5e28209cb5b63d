//! The edges between many stacks, ready to be looked up: which stacks one reads, and which read it. A job makes them.
//!
//! # Costs
//!
//! Looking up a stack costs nothing that grows with the fleet, and looking up a resource `log n` steps.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use crate::load::fleet::edges::{StackEdge, Tie, Ties, name_of, resolve, states_of_plans};
use crate::load::fleet::{Member, Place};
use crate::stack::graph::Direction;
use crate::tui::theme::Role;

/// The edges between the stacks that were read.
#[derive(Clone, Default, Debug)]
pub struct FleetEdges {
    /// True if all stacks were looked at.
    pub is_whole: bool,
    /// The place and the name of each stack.
    stacks: Vec<(Place, String)>,
    by_place: HashMap<Place, usize>,
    edges: Vec<StackEdge>,
    /// The edges of each stack in each direction, by the identity of the resource at its end.
    ends: [Vec<Vec<u32>>; 2],
    /// The other stacks of these edges.
    neighbors: [Vec<Vec<Neighbor>>; 2],
}

/// A stack that another one is connected to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbor {
    /// The stack; `None` if it is not among these.
    pub stack: Option<usize>,
    /// Its name. Of a stack that is not here, as the file names it.
    pub name: String,
    /// The kind of the edge.
    pub kind: Tie,
    /// True if no file says so.
    pub is_guess: bool,
    /// Number of edges.
    pub n_edges: usize,
}

impl Neighbor {
    /// The role of these words: a guess stands out.
    pub fn role(&self) -> Role {
        if self.is_guess {
            Role::Badge
        } else {
            Role::Dim
        }
    }

    /// The kind of the edge, and what is uncertain about it: `equal id, a guess`.
    pub fn words(&self) -> String {
        let kind = self.kind.words();
        match (self.is_guess, self.stack) {
            (true, _) => format!("{kind}, a guess"),
            (false, None) => format!("{kind}, not in this list"),
            (false, Some(_)) => kind.to_owned(),
        }
    }
}

/// An edge, seen from one of its stacks.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'e> {
    /// The edge.
    pub edge: &'e StackEdge,
    /// The other stack; `None` if it is not among these.
    pub stack: Option<usize>,
}

impl<'e> Seen<'e> {
    fn new(edge: &'e StackEdge, direction: Direction) -> Self {
        let stack = match direction {
            Direction::DependsOn => edge.to,
            Direction::UsedBy => Some(edge.from),
        };
        Self { edge, stack }
    }
}

/// The resource at the end of an edge where it is looked at. "" if all outputs of the stack are meant.
fn near(edge: &StackEdge, direction: Direction) -> &str {
    match (direction, edge.kind) {
        (Direction::DependsOn, _) => &edge.resource,
        (Direction::UsedBy, Tie::EqualId) => &edge.target,
        (Direction::UsedBy, Tie::StackReference | Tie::RemoteState) => "",
    }
}

fn position(direction: Direction) -> usize {
    usize::from(direction == Direction::UsedBy)
}

impl FleetEdges {
    /// The edges between these stacks. `cancel` ends it early.
    pub fn new(members: &[(Member, Ties)], cancel: &AtomicBool) -> Self {
        let stacks = members.iter().map(|(member, _)| member);
        let stacks = stacks.map(|member| (member.place.clone(), member.name.clone()));
        let stacks: Vec<_> = stacks.collect();
        let edges = resolve(members, cancel);
        let states = states_of_plans(members);
        let ends = [Direction::DependsOn, Direction::UsedBy]
            .map(|direction| ends(&edges, &states, direction));
        let mut new = Self {
            is_whole: false,
            by_place: stacks
                .iter()
                .map(|(place, _)| place.clone())
                .zip(0..)
                .collect(),
            stacks,
            edges,
            ends,
            neighbors: Default::default(),
        };
        new.neighbors = [Direction::DependsOn, Direction::UsedBy].map(|direction| {
            let stacks = 0..new.stacks.len();
            stacks.map(|stack| new.merged(stack, direction)).collect()
        });
        new
    }

    /// The stack at a place; `None` if it was not read.
    pub fn stack(&self, place: &Place) -> Option<usize> {
        self.by_place.get(place).copied()
    }

    /// The place of a stack.
    pub fn place(&self, stack: usize) -> &Place {
        &self.stacks[stack].0
    }

    /// The name of a stack.
    pub fn name(&self, stack: usize) -> &str {
        &self.stacks[stack].1
    }

    /// The stacks that a stack reads, or that read it: those first that the files name.
    pub fn neighbors(&self, stack: usize, direction: Direction) -> &[Neighbor] {
        &self.neighbors[position(direction)][stack]
    }

    /// The edges at a resource of a stack, by its identity. "" stands for the outputs of the stack.
    pub fn at<'e>(
        &'e self,
        stack: usize,
        identity: &str,
        direction: Direction,
    ) -> impl Iterator<Item = Seen<'e>> + use<'e> {
        let ends = &self.ends[position(direction)][stack];
        let of = |edge: &u32| near(&self.edges[*edge as usize], direction);
        let from = ends.partition_point(|edge| of(edge) < identity);
        let n = ends[from..].partition_point(|edge| of(edge) == identity);
        let edges = ends[from..from + n].iter();
        edges.map(move |edge| Seen::new(&self.edges[*edge as usize], direction))
    }

    /// The edges of a stack as one for each other stack. A file that says so hides guesses.
    fn merged(&self, stack: usize, direction: Direction) -> Vec<Neighbor> {
        let mut neighbors: Vec<Neighbor> = Vec::new();
        let mut known: HashMap<(Option<usize>, String), usize> = HashMap::new();
        for end in &self.ends[position(direction)][stack] {
            let Seen { edge, stack } = Seen::new(&self.edges[*end as usize], direction);
            let name = stack.map_or_else(
                || name_of(&edge.target).to_owned(),
                |stack| self.name(stack).to_owned(),
            );
            let at = *known.entry((stack, name.clone())).or_insert_with(|| {
                neighbors.push(Neighbor {
                    stack,
                    name,
                    kind: edge.kind,
                    is_guess: edge.is_guess,
                    n_edges: 0,
                });
                neighbors.len() - 1
            });
            let neighbor = &mut neighbors[at];
            neighbor.n_edges += 1;
            let better = (edge.is_guess, edge.kind);
            (neighbor.is_guess, neighbor.kind) = better.min((neighbor.is_guess, neighbor.kind));
        }
        neighbors.sort_by(|one, other| {
            let key = |it: &Neighbor| (it.is_guess, it.stack.is_none());
            (key(one), &one.name).cmp(&(key(other), &other.name))
        });
        neighbors
    }
}

/// The edges of each stack. A plan has those of its state too.
fn ends(edges: &[StackEdge], states: &[Option<usize>], direction: Direction) -> Vec<Vec<u32>> {
    let mut ends: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
    for (edge, number) in edges.iter().zip(0..) {
        let here = match direction {
            Direction::DependsOn => Some(edge.from),
            Direction::UsedBy => edge.to,
        };
        if let Some(here) = here {
            ends[here].push(number);
        }
    }
    for (plan, state) in states.iter().enumerate() {
        if let Some(state) = state {
            let of_state = ends[*state].clone();
            ends[plan].extend(of_state);
        }
    }
    for ends in &mut ends {
        ends.sort_by_key(|edge| near(&edges[*edge as usize], direction));
    }
    ends
}
