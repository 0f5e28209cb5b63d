//! The order in which an apply takes its steps.
//!
//! 1. Resources that are destroyed before their replacement is created are destroyed first, dependents before what they need. So
//!    are the deleted resources that depend on them.
//! 2. Resources are created, updated and read after everything that they need.
//! 3. The other deleted and replaced resources are destroyed last, dependents first.
//!
//! The engines take independent steps at the same time. This is one of the orders that they may end up with. Steps that need each
//! other in a circle have no order.

use std::collections::HashSet;

use crate::stack::graph::Graph;
use crate::stack::{Action, ReplaceOrder, ResourceId, Stack};

/// A step of an apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ApplyStep {
    /// The resource.
    pub id: ResourceId,
    /// True if the step destroys or forgets it, or destroys the old object of a replacement.
    pub destroys: bool,
}

/// True if a replacement of the resource is created before the old object goes.
pub fn creates_first(stack: &Stack, id: ResourceId) -> bool {
    match ReplaceOrder::of(stack.record(id).flags) {
        Some(ReplaceOrder::CreateFirst | ReplaceOrder::CreateThenForget) => true,
        Some(ReplaceOrder::DestroyFirst | ReplaceOrder::ForgetThenCreate) => false,
        // Pulumi creates the new object first unless told otherwise. Terraform does not.
        None => stack.header.kind.is_pulumi(),
    }
}

/// True if the file says that a replacement of the resource is created before the old object goes.
pub fn is_known_to_create_first(stack: &Stack, id: ResourceId) -> bool {
    ReplaceOrder::of(stack.record(id).flags).is_some() && creates_first(stack, id)
}

/// Resources that have no order because they need each other in a circle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoOrder {
    /// Circles of resources that each need the next one; the last needs the first.
    pub circles: Vec<Vec<ResourceId>>,
}

/// All resources, each after those that it needs.
///
/// # Errors
///
/// If some need each other.
pub fn creation_order(stack: &Stack) -> Result<Vec<ResourceId>, NoOrder> {
    check(&stack.graph, |_| true)?;
    Ok(stack.graph.order())
}

/// Fails if resources that are to be ordered need each other.
fn check(graph: &Graph, is_ordered: impl Fn(ResourceId) -> bool) -> Result<(), NoOrder> {
    let needs_order = |members: &&Vec<ResourceId>| {
        let n_ordered = members.iter().filter(|id| is_ordered(**id)).count();
        n_ordered >= members.len().min(2)
    };
    let groups = graph.cycles();
    let groups = groups.iter().filter(needs_order);
    let circles: Vec<_> = groups.map(|members| graph.circle(members)).collect();
    if circles.is_empty() {
        Ok(())
    } else {
        Err(NoOrder { circles })
    }
}

/// The steps of the apply, first to last. A replaced resource has two, unless its old object is only forgotten.
///
/// # Errors
///
/// If resources that change need each other.
pub fn apply_order(stack: &Stack) -> Result<Vec<ApplyStep>, NoOrder> {
    let steps = possible_order(stack);
    let changing: HashSet<ResourceId> = steps.iter().map(|step| step.id).collect();
    check(&stack.graph, |id| changing.contains(&id))?;
    Ok(steps)
}

fn possible_order(stack: &Stack) -> Vec<ApplyStep> {
    let order = stack.graph.order();
    let (mut early, mut made, mut late) = (Vec::new(), Vec::new(), Vec::new());
    // True for each resource that needs one that is destroyed early.
    let mut is_above = vec![false; order.len()];
    let mut is_early = vec![false; order.len()];
    for id in &order {
        let needs = stack.graph.depends_on(*id).iter();
        let mut needs = needs.filter(|link| link.kind.is_ordered() && link.to != *id);
        is_above[id.index()] =
            needs.any(|link| is_early[link.to.index()] || is_above[link.to.index()]);
        let record = stack.record(*id);
        let replaced = ReplaceOrder::of(record.flags);
        let (creates, destroys) = match record.action {
            _ if record.flags.is_drift() => (false, None),
            None | Some(Action::Noop | Action::Move | Action::Defer) => (false, None),
            Some(Action::Create | Action::Update | Action::Read | Action::Import) => (true, None),
            Some(Action::Delete | Action::Forget) => (false, Some(is_above[id.index()])),
            Some(Action::Replace) => match replaced {
                Some(ReplaceOrder::CreateThenForget | ReplaceOrder::ForgetThenCreate) => {
                    (true, None)
                }
                Some(ReplaceOrder::DestroyFirst | ReplaceOrder::CreateFirst) | None => {
                    (true, Some(!creates_first(stack, *id)))
                }
            },
        };
        if creates {
            made.push(*id);
        }
        match destroys {
            Some(true) => {
                is_early[id.index()] = true;
                early.push(*id);
            }
            Some(false) => late.push(*id),
            None => {}
        }
    }
    let step = |destroys| move |id| ApplyStep { id, destroys };
    let early = early.into_iter().rev().map(step(true));
    let late = late.into_iter().rev().map(step(true));
    let made = made.into_iter().map(step(false));
    early.chain(made).chain(late).collect()
}
