//! The impact of a resource: everything that needs it, directly or through others. Found in the background.

use super::changes::words;
use super::edges::{properties, why};
use super::stacks::{OpenStack, OtherEnd};
use super::widgets::span::Span;
use crate::load::Document;
use crate::stack::graph::{Direction, Reached};
use crate::stack::{Action, ResourceId};

/// Maximum number of resources that are listed: more than any screen shows.
const MAX_LISTED: usize = 200;

/// Maximum number of resources that are read for the properties that need something.
const MAX_READ: usize = 50;

/// Maximum number of resources of other stacks that are listed.
const MAX_OTHERS: usize = 20;

/// Everything that needs a resource.
#[derive(Clone, Debug)]
pub struct Impact {
    /// The resource.
    pub cause: ResourceId,
    /// The nearest resources that need it, nearest first.
    pub nearest: Vec<Dependent>,
    /// Number of resources that need it directly.
    pub n_direct: usize,
    /// Number of resources that need it.
    pub n_all: usize,
    /// The first resources of other stacks that need it.
    pub others: Vec<OtherEnd>,
    /// Number of resources of other stacks that need it.
    pub n_others: usize,
    /// Number of these resources with each action: `2 replace`.
    pub totals: Vec<Span>,
}

/// A resource that needs another.
#[derive(Clone, Debug)]
pub struct Dependent {
    /// The resource.
    pub id: ResourceId,
    /// Number of edges to it, at least 1.
    pub depth: u32,
    /// The reason: the properties that say so, or the kinds of the edge.
    pub why: String,
}

impl Impact {
    /// Finds everything that needs a resource.
    pub fn find(document: &Document, cause: ResourceId, among: Option<&OpenStack>) -> Self {
        let stack = &document.stack;
        let reached = stack.graph.reach(cause, Direction::UsedBy);
        let is_change = |it: &&Reached| words::action(stack, it.id).is_some();
        let totals = Action::ALL.into_iter().filter_map(|action| {
            let changed = reached.iter().filter(is_change);
            let n = changed.filter(|it| stack.record(it.id).action == Some(action));
            let n = n.count();
            let text = format!("{n} {}", stack.word(action));
            (n > 0).then(|| Span::new(text, action.into()))
        });
        let nearest = reached.iter().take(MAX_LISTED).enumerate();
        let nearest = nearest.map(|(index, it)| {
            let read = (index < MAX_READ).then(|| document.resource(it.id).ok());
            let read = read.flatten();
            let found = read.map(|resource| properties(stack, it.via, &resource));
            Dependent {
                id: it.id,
                depth: it.depth,
                why: why(stack, (it.id, it.via), found.as_deref()),
            }
        });
        let mut others = among.map_or(Vec::new(), |among| {
            let resource = document.resource(cause).ok();
            among.others(stack, cause, resource.as_ref(), Direction::UsedBy)
        });
        let n_others = others.len();
        others.truncate(MAX_OTHERS);
        Self {
            cause,
            others,
            n_others,
            nearest: nearest.collect(),
            n_direct: reached.iter().take_while(|it| it.depth == 1).count(),
            n_all: reached.len(),
            totals: totals.collect(),
        }
    }
}
