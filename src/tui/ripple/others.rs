//! The ripple in other stacks: the resources there that read a changed output, or that name the id of a resource that changes.

use std::collections::HashSet;
use std::sync::Arc;

use super::RippleOrigin;
use super::layout::{Subject, WalkStep};
use crate::load::Document;
use crate::load::fleet::edges::outputs_with_id_of;
use crate::stack::{Action, ResourceId, Stack};
use crate::tui::changes::words;
use crate::tui::stacks::{OpenStack, OtherEnd};
use crate::tui::theme::Role;
use crate::tui::widgets::span::Span;
use crate::tui::widgets::text::{fit_middle, plural};

/// Maximum number of resources that are read for the outputs that have their ids and ARNs.
const MAX_READ: usize = 500;

/// Maximum number of ends in other stacks.
const MAX_ENDS: usize = 2_000;

/// Maximum number of stacks that are named.
const MAX_NAMED: usize = 3;

/// Maximum width of their names, in cells.
const MAX_NAME: usize = 24;

/// The reason for a resource that depends on one that reads another stack.
const DEPENDS: &str = "(dependency)";

/// The ends of edges in other stacks.
#[derive(Default)]
pub(super) struct Others {
    pub(super) ends: Vec<OtherEnd>,
    /// True if there are more.
    is_cut: bool,
    seen: HashSet<(Option<usize>, Option<Arc<str>>)>,
}

impl Others {
    /// Finds the ends at all resources of a walk, and adds their steps to it. Each end is at the nearest resource.
    pub(super) fn add(
        document: &Document,
        among: &OpenStack,
        origin: RippleOrigin,
        walk: &mut Vec<WalkStep>,
    ) -> Self {
        let stack = &document.stack;
        let mut others = Self::default();
        let cause = std::iter::once((origin.cause, 0));
        let own = walk
            .iter()
            .filter_map(|it| Some((it.subject.own()?, it.depth)));
        let own: Vec<(ResourceId, usize)> = cause.chain(own).collect();
        for (index, (id, depth)) in own.into_iter().enumerate() {
            if is_planned(stack) && words::action(stack, id).is_none() {
                continue;
            }
            let resource = (index < MAX_READ).then(|| document.resource(id).ok());
            let resource = resource.flatten();
            let outputs = || {
                let mut names = outputs_with_id_of(stack, id, resource.as_ref());
                names.retain(|name| may_change(stack, name));
                names
            };
            let ends = among.others_through(&stack.identity(id), outputs, origin.direction);
            for end in ends {
                others.push(end, Subject::Own(id), depth + 1, walk);
            }
        }
        others
    }

    /// Adds an end, and the resources there that depend on it.
    fn push(&mut self, end: OtherEnd, via: Subject, depth: usize, walk: &mut Vec<WalkStep>) {
        if self.ends.len() >= MAX_ENDS {
            self.is_cut = true;
            return;
        }
        if !self.seen.insert((end.stack, end.resource.clone())) {
            return;
        }
        let subject = Subject::Other(self.ends.len());
        walk.push(WalkStep {
            subject,
            via,
            depth,
        });
        let users = end.users.iter().map(|user| OtherEnd {
            resource: Some(Arc::clone(user)),
            why: DEPENDS.to_owned(),
            users: Vec::new(),
            ..end.clone()
        });
        let users: Vec<OtherEnd> = users.collect();
        self.ends.push(end);
        for user in users {
            self.push(user, subject, depth + 1, walk);
        }
    }

    /// The other stacks: `also in cluster, app (a guess)`.
    pub(super) fn total(&self) -> Option<Span> {
        let mut stacks: Vec<(&str, bool)> = Vec::new();
        for end in &self.ends {
            match stacks.iter_mut().find(|(name, _)| *name == end.name) {
                Some((_, is_guess)) => *is_guess &= end.is_guess,
                None => stacks.push((&end.name, end.is_guess)),
            }
        }
        // Edges that the files tell come before guesses.
        stacks.sort_by_key(|(_, is_guess)| *is_guess);
        let named = stacks.iter().take(MAX_NAMED).map(|(name, is_guess)| {
            let guess = if *is_guess { " (a guess)" } else { "" };
            format!("{}{guess}", fit_middle(name, MAX_NAME))
        });
        let named = named.collect::<Vec<_>>().join(", ");
        let n_more = stacks.len().saturating_sub(MAX_NAMED);
        let more = match (n_more, self.is_cut) {
            (0, false) => String::new(),
            (0, true) => ", …".to_owned(),
            (n, _) => format!(" and {}", plural(n, "more stack")),
        };
        let text = format!("also in {named}{more}");
        (!stacks.is_empty()).then(|| Span::new(text, Role::Badge))
    }
}

/// True for a plan: it says which resources and which outputs change.
fn is_planned(stack: &Stack) -> bool {
    stack.header.kind.has_changes()
}

/// False for an output that a plan keeps.
fn may_change(stack: &Stack, name: &str) -> bool {
    let output = stack.outputs.iter().find(|output| *output.name == *name);
    let action = output.and_then(|output| output.action);
    !is_planned(stack) || !matches!(action, Some(Action::Noop))
}
