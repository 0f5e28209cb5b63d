//! Cycles: resources that need each other in a circle, which no engine can put in an order.

use crate::stack::graph::Graph;
use crate::stack::{Kind, Note, ResourceId, Severity, Stack};
use crate::text::plural;

/// Maximum number of circles that are listed; further ones are counted.
const MAX_CIRCLES: usize = 100;

/// Maximum number of resources of a circle that are named.
const MAX_NAMES: usize = 6;

/// The circles of a graph. The first hundred are listed and the rest are counted.
#[derive(Clone, Default, Debug)]
pub struct Cycles {
    /// Resources that each need the next one; the last needs the first.
    circles: Vec<Vec<ResourceId>>,
    n_more: usize,
}

impl Cycles {
    /// The circles of `graph`, which is of a file of this kind.
    pub(super) fn of(graph: &Graph, kind: Kind) -> Self {
        let mut groups = graph.cycles();
        if kind == Kind::PulumiState {
            // The integrity check of a deployment covers a resource that needs itself.
            groups.retain(|members| members.len() > 1);
        }
        let listed = groups.iter().take(MAX_CIRCLES);
        Self {
            circles: listed.map(|members| graph.circle(members)).collect(),
            n_more: groups.len().saturating_sub(MAX_CIRCLES),
        }
    }

    /// A note for each circle, at its first resource. `stack` has the names.
    pub(super) fn notes(&self, stack: &Stack) -> Vec<Note> {
        let known = self.circles.iter().filter(|circle| {
            // Resources of a file that was not loaded as a whole may be missing.
            circle.iter().all(|id| id.index() < stack.len()) && !circle.is_empty()
        });
        let mut notes: Vec<Note> = known.map(|circle| note(stack, circle)).collect();
        if self.n_more > 0 {
            notes.push(Note::new(
                Severity::Warning,
                "dependencies",
                format!("{} more cycles are not listed", self.n_more),
            ));
        }
        notes
    }
}

fn note(stack: &Stack, circle: &[ResourceId]) -> Note {
    let names = circle
        .iter()
        .take(MAX_NAMES)
        .map(|id| stack.short_name(*id));
    let mut way: Vec<&str> = names.collect();
    if circle.len() > MAX_NAMES {
        way.push("…");
    }
    way.push(stack.short_name(circle[0]));
    let of = plural(circle.len(), "resource");
    Note::new(
        Severity::Warning,
        stack.identity(circle[0]),
        format!("a dependency cycle of {of}: {}", way.join(" → ")),
    )
    .of(circle[0])
}
