//! The open stack among others: what its resources and outputs have to do with theirs.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::edges::{FleetEdges, Seen};
use crate::load::fleet::Place;
use crate::load::fleet::edges::{Tie, name_of, outputs_with_id_of};
use crate::stack::graph::Direction;
use crate::stack::{Action, Resource, ResourceId, Stack};
use crate::tui::command::View;
use crate::tui::rows::shown;

/// Maximum number of edges that are looked at.
const MAX_EDGES: usize = 1_000;

/// The open stack among others.
#[derive(Clone, Debug)]
pub struct OpenStack {
    /// Its place.
    pub place: Place,
    /// Its name in the list.
    pub name: String,
    /// The edges between the stacks, as far as they are known.
    pub edges: Arc<FleetEdges>,
    /// Its number among these stacks. `None` if it was not read for them.
    pub here: Option<usize>,
}

/// The other end of an edge to another stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherEnd {
    /// The stack; `None` if it is not in the list.
    pub stack: Option<usize>,
    /// Its name, escaped.
    pub name: String,
    /// The identity of the resource there; `None` for the outputs of the stack.
    pub resource: Option<Arc<str>>,
    /// The reason: `remote state`, `output vpc_id`, `equal id`.
    pub why: String,
    /// True if no file says so.
    pub is_guess: bool,
    /// The identities of the first resources there that depend on it.
    pub users: Vec<Arc<str>>,
}

impl OtherEnd {
    /// `cluster: aws_eks_cluster.main`.
    pub fn label(&self) -> String {
        match &self.resource {
            Some(resource) => format!("{}: {}", self.name, shown(name_of(resource))),
            None => self.name.clone(),
        }
    }

    /// The view that shows it in its stack.
    pub fn view(&self) -> View {
        match self.resource {
            Some(_) => View::Deps,
            None => View::Outputs,
        }
    }

    /// The reason, and whether it is uncertain.
    pub fn reason(&self) -> String {
        match (self.is_guess, self.stack) {
            (true, _) => format!("{}, a guess", self.why),
            (false, None) => format!("{}, not in the list", self.why),
            (false, Some(_)) => self.why.clone(),
        }
    }
}

impl OpenStack {
    /// The ends in other stacks of the edges at a resource. Those that the files tell come before guesses.
    pub fn others(
        &self,
        stack: &Stack,
        id: ResourceId,
        resource: Option<&Resource>,
        direction: Direction,
    ) -> Vec<OtherEnd> {
        let outputs = || outputs_with_id_of(stack, id, resource);
        self.others_through(&stack.identity(id), outputs, direction)
    }

    /// The other ends for a resource with this identity whose id or ARN these outputs have.
    pub fn others_through(
        &self,
        identity: &str,
        outputs: impl Fn() -> Vec<Arc<str>>,
        direction: Direction,
    ) -> Vec<OtherEnd> {
        let edges = &*self.edges;
        let mut others = Vec::new();
        if direction == Direction::UsedBy {
            let mut readers = self.at("", direction).peekable();
            if readers.peek().is_some() {
                let names = outputs();
                others.extend(readers.filter_map(|seen| reader(edges, seen, &names)));
            }
        }
        let at = self.at(identity, direction);
        others.extend(at.map(|seen| end(edges, seen, direction)));
        others.sort_by_key(|end| end.is_guess);
        others
    }

    /// The first edges at a resource, by its identity. "" stands for the outputs of the stack.
    fn at(&self, identity: &str, direction: Direction) -> impl Iterator<Item = Seen<'_>> {
        let at = self
            .here
            .map(|here| self.edges.at(here, identity, direction));
        at.into_iter().flatten().take(MAX_EDGES)
    }

    /// The stacks that read another one by what the files say, by their names.
    pub fn readers_of(&self, stack: usize) -> Vec<String> {
        let readers = self.edges.neighbors(stack, Direction::UsedBy).iter();
        let readers = readers.filter(|reader| !reader.is_guess);
        readers.map(|reader| shown(&reader.name)).collect()
    }

    /// Number of other stacks that read an output that a plan changes. Guesses do not count.
    pub fn n_readers_of_changes(&self, stack: &Stack) -> usize {
        let changes = stack.outputs.iter();
        let changes = changes.filter(|it| it.action.is_some_and(|it| it != Action::Noop));
        let changes: HashSet<&str> = changes.map(|it| &*it.name).collect();
        let readers = self.at("", Direction::UsedBy).filter(|seen| {
            let mut outputs = seen.edge.outputs.iter();
            !seen.edge.is_guess && outputs.any(|output| changes.contains(&**output))
        });
        let readers: HashSet<usize> = readers.map(|seen| seen.edge.from).collect();
        readers.len()
    }

    /// The stacks that read each output, by its name.
    pub fn readers(&self) -> BTreeMap<String, Vec<String>> {
        let mut readers: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for seen in self.at("", Direction::UsedBy) {
            let name = shown(self.edges.name(seen.edge.from));
            let name = if seen.edge.is_guess {
                format!("{name} (a guess)")
            } else {
                name
            };
            for output in &seen.edge.outputs {
                let names = readers.entry(output.clone()).or_default();
                if !names.contains(&name) {
                    names.push(name.clone());
                }
            }
        }
        readers
    }
}

fn end(edges: &FleetEdges, seen: Seen<'_>, direction: Direction) -> OtherEnd {
    let edge = seen.edge;
    let name = seen
        .stack
        .map_or(name_of(&edge.target), |stack| edges.name(stack));
    let resource = match (direction, edge.kind) {
        (Direction::UsedBy, _) => Some(Arc::clone(&edge.resource)),
        (Direction::DependsOn, Tie::EqualId) => Some(Arc::clone(&edge.target)),
        (Direction::DependsOn, Tie::StackReference | Tie::RemoteState) => None,
    };
    OtherEnd {
        stack: seen.stack,
        name: shown(name),
        resource,
        why: edge.kind.words().to_owned(),
        is_guess: edge.is_guess,
        users: edge.users.clone(),
    }
}

/// The resource of another stack that reads one of these outputs.
fn reader(edges: &FleetEdges, seen: Seen<'_>, names: &[Arc<str>]) -> Option<OtherEnd> {
    let mut read = names
        .iter()
        .filter(|name| seen.edge.outputs.iter().any(|it| **it == ***name));
    let first = read.next()?;
    let more = read.count();
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    Some(OtherEnd {
        why: format!("output {}{more}", shown(first)),
        ..end(edges, seen, Direction::UsedBy)
    })
}
