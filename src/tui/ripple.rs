//! The ripple of a change: everything that it reaches, as an indented list, with the order of the apply. Computed in the background.

pub(in crate::modules::tui) mod layout;
mod others;

use std::collections::{HashMap, HashSet};

use self::layout::{Line, Subject, WalkStep};
use self::others::Others;
use super::changes::words;
use super::rows::shown;
use super::stacks::{OpenStack, OtherEnd};
use super::theme::Role;
use super::widgets::span::Span;
use crate::change::apply_order::apply_order;
use crate::load::Document;
use crate::stack::graph::{Direction, Reached};
use crate::stack::{Action, ResourceId, Stack};

/// The walk of a ripple, and the resource selected in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RippleOrigin {
    /// The resource that changes.
    pub cause: ResourceId,
    /// Towards its dependents, or towards what it depends on.
    pub direction: Direction,
    /// The selected resource.
    pub selected: ResourceId,
}

/// Everything that a change reaches.
#[derive(Clone, Debug)]
pub struct Ripple {
    pub(in crate::modules::tui) stack: Box<Stack>,
    /// The walk.
    pub origin: RippleOrigin,
    /// The cause and the resources that it reaches.
    pub(in crate::modules::tui) lines: Vec<Line>,
    /// The ends of edges in other stacks.
    pub(in crate::modules::tui) others: Vec<OtherEnd>,
    /// The stack among others, if it is from a list.
    pub(in crate::modules::tui) among: Option<OpenStack>,
    /// The steps of an apply that change each resource: two for most replacements.
    pub(in crate::modules::tui) steps: HashMap<ResourceId, Vec<Numbered>>,
    /// Number of steps.
    pub(in crate::modules::tui) n_steps: usize,
    /// Number of resources with each action.
    pub(in crate::modules::tui) totals: Vec<Span>,
}

/// A step with its number.
#[derive(Clone, Copy, Debug)]
pub(in crate::modules::tui) struct Numbered {
    /// The number, from 1.
    pub number: usize,
    /// True if the step destroys the resource, or its old object.
    pub destroys: bool,
}

impl Ripple {
    /// Finds everything that a change of the cause reaches.
    pub fn find(document: &Document, origin: RippleOrigin, among: Option<OpenStack>) -> Box<Self> {
        let stack = Box::new(document.stack.clone());
        let RippleOrigin {
            cause, direction, ..
        } = origin;
        let reached = stack.graph.reach(cause, direction);
        let mut walk: Vec<WalkStep> = reached.iter().map(step).collect();
        let others = match &among {
            Some(among) => Others::add(document, among, origin, &mut walk),
            None => Others::default(),
        };
        let lines = layout::lines(cause, walk, |id| words::action(&stack, id).is_some());
        let mut steps: HashMap<_, Vec<Numbered>> = HashMap::new();
        let mut n_steps = 0;
        // Only a plan is still to be applied.
        let kind = stack.header.kind;
        if kind.has_changes() && !kind.is_log() && !stack.is_comparison {
            let members: HashSet<_> = lines.iter().filter_map(|it| it.subject.own()).collect();
            // Steps that need each other have no numbers.
            for step in apply_order(&stack).unwrap_or_default() {
                if members.contains(&step.id) {
                    n_steps += 1;
                    steps.entry(step.id).or_default().push(Numbered {
                        number: n_steps,
                        destroys: step.destroys,
                    });
                }
            }
        }
        Box::new(Self {
            origin,
            totals: totals(&stack, &lines, &others),
            stack,
            lines,
            steps,
            n_steps,
            others: others.ends,
            among,
        })
    }

    /// True if nothing but the cause is in it.
    pub fn is_empty(&self) -> bool {
        self.lines.len() == 1
    }

    /// Says that nothing but the cause is in it.
    pub fn nothing(&self) -> String {
        let name = shown(self.stack.short_name(self.origin.cause));
        let nothing = match self.origin.direction {
            Direction::UsedBy => format!("nothing uses {name}"),
            Direction::DependsOn => format!("{name} depends on nothing"),
        };
        match &self.among {
            Some(among) if !among.edges.is_whole => {
                format!("{nothing} so far · other stacks are still looked at")
            }
            Some(_) | None => nothing,
        }
    }
}

/// A step of a walk inside the stack.
fn step(reached: &Reached) -> WalkStep {
    WalkStep {
        subject: Subject::Own(reached.id),
        via: Subject::Own(reached.via),
        depth: reached.depth as usize,
    }
}

/// The numbers of resources: `2 replace  4 update`, then those that do not change.
fn totals(stack: &Stack, lines: &[Line], others: &Others) -> Vec<Span> {
    let mut spans = Vec::new();
    let own = || lines.iter().filter_map(|line| line.subject.own());
    let mut n_other = own().count();
    let changes = |id: &ResourceId| words::action(stack, *id).is_some();
    for action in Action::ALL {
        let ids = own().filter(changes);
        let n = ids.filter(|id| stack.record(*id).action == Some(action));
        let n = n.count();
        if n > 0 {
            n_other -= n;
            let text = format!("{n} {}  ", stack.word(action));
            spans.push(Span::new(text, action.into()));
        }
    }
    let what = if spans.is_empty() {
        "resources"
    } else {
        "unchanged"
    };
    if n_other > 0 {
        spans.push(Span::new(format!("{n_other} {what}  "), Role::Dim));
    }
    spans.extend(others.total());
    spans
}
