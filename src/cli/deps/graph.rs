//! `graph`: dependencies as a picture, or as an order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::super::args::{GraphArgs, GraphFormat};
use super::super::fleet::{self, Target};
use super::super::{Console, Failure, get, open};
use super::drawing::{self, Edge, Picture, Style, circle_line, no_order};
use super::stacks;
use crate::change::apply_order::{ApplyStep, NoOrder, apply_order, creation_order};
use crate::stack::graph::Direction;
use crate::stack::{Action, EdgeKind, Mode, ResourceId, Stack};
use crate::text::{count, plural};

/// Maximum number of resources in a picture of a part, unless another is wanted: what a person can read.
const MAX_NODES: usize = 200;

/// Maximum number of dependency cycles that are said beside a picture.
const MAX_CYCLES: usize = 3;

pub(in super::super) fn run(args: &GraphArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let (places, words) = fleet::split(None, &args.files, &args.stacks)?;
    let is_part = !words.is_empty() || args.changes || args.nodes.is_some();
    if words.is_empty() && (args.up || args.down || args.depth.is_some()) {
        let message = "--up, --down and --depth need a resource after the file";
        return Err(Failure::usage(message));
    }
    if words.len() > 1 {
        let message =
            "graph takes one resource after the file; a file needs a dot or a slash in its name";
        return Err(Failure::usage(message));
    }
    let file = match Target::of(places, &args.stacks, console)? {
        Target::One(file) => file,
        Target::Many(_) if is_part => {
            let message = "a part of a graph is of one file; of many stacks all are drawn";
            return Err(Failure::usage(message));
        }
        Target::Many(fleet) => return stacks::graph(&fleet, args.format, console),
    };
    let document = open::document(&file, console)?;
    let stack = &document.stack;
    let draw = match args.format {
        GraphFormat::Dot => Picture::dot,
        GraphFormat::Mermaid => Picture::mermaid,
        GraphFormat::Order if is_part => {
            return Err(Failure::usage("an order is of all resources of a file"));
        }
        GraphFormat::Order => {
            let order = order(stack);
            let order = order.map_err(|none| no_order(&none.circles, |id| stack.identity(id)))?;
            return console.print(0, &order);
        }
    };
    let center = words.first();
    let center = center.map(|name| get::choose(&document, &file, name, console));
    let center = center.transpose()?;
    let mut drawn = drawn(stack, center, args, console);
    drawn.sort_unstable();
    say_cycles(stack, &drawn, console);
    let mut frames: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for id in drawn {
        frames.entry(frame(stack, id)).or_default().push(id);
    }
    let picture = Picture {
        name: &|id| stack.identity(id),
        tooltip: &|id| Some(stack.ty(id)),
        frames,
        center,
    };
    console.answer(0, |out| draw(&picture, &mut edges(stack, &picture), out))
}

/// The resources to draw. A remark says how many are left out.
fn drawn(
    stack: &Stack,
    center: Option<ResourceId>,
    args: &GraphArgs,
    console: &mut Console<'_>,
) -> Vec<ResourceId> {
    let is_change = |id: ResourceId| stack.effect(id).is_some_and(|it| it != Action::Noop);
    let mut ids = match center {
        Some(center) => around(stack, center, args),
        None => stack.ids().collect(),
    };
    if args.changes {
        ids.retain(|id| center == Some(*id) || is_change(*id));
    }
    let is_part = center.is_some() || args.changes;
    let limit = args.nodes.unwrap_or(if is_part { MAX_NODES } else { 0 });
    if limit == 0 || ids.len() <= limit {
        return ids;
    }
    if center.is_none() {
        let n_links = |id| {
            [Direction::DependsOn, Direction::UsedBy].map(|it| stack.graph.links(id, it).len())
        };
        ids.sort_by_key(|id| (!is_change(*id), Reverse(n_links(*id).iter().sum::<usize>())));
    }
    let (n_left, all) = (ids.len() - limit, plural(ids.len(), "resource"));
    console.remark(&format!(
        "{} of {all} are not drawn; --nodes 0 draws all",
        count(n_left as u64)
    ));
    ids.truncate(limit);
    ids
}

/// A resource and what it is connected to, the nearest first.
fn around(stack: &Stack, center: ResourceId, args: &GraphArgs) -> Vec<ResourceId> {
    let is_both = args.up == args.down;
    let directions = [
        (args.down, Direction::DependsOn),
        (args.up, Direction::UsedBy),
    ];
    let wanted = directions
        .into_iter()
        .filter(|(is_wanted, _)| *is_wanted || is_both);
    let reached = wanted.flat_map(|(_, direction)| stack.graph.reach(center, direction));
    let mut reached: Vec<_> = reached.map(|it| (it.depth, it.id)).collect();
    reached.retain(|(depth, _)| args.depth.is_none_or(|most| *depth <= most));
    reached.sort_unstable();
    let mut seen = HashSet::from([center]);
    let new = reached
        .into_iter()
        .map(|(_, id)| id)
        .filter(|id| seen.insert(*id));
    let new: Vec<_> = new.collect();
    [center].into_iter().chain(new).collect()
}

/// Says which of these resources need each other in a circle.
fn say_cycles(stack: &Stack, drawn: &[ResourceId], console: &mut Console<'_>) {
    let Err(NoOrder { circles }) = creation_order(stack) else {
        return;
    };
    let drawn: HashSet<_> = drawn.iter().copied().collect();
    let circles = circles
        .iter()
        .filter(|circle| circle.iter().all(|id| drawn.contains(id)));
    for (index, circle) in circles.enumerate() {
        if index == MAX_CYCLES {
            return console.remark("more cycles: --format order lists them");
        }
        console.remark(&format!(
            "a cycle: {}",
            circle_line(circle, |id| stack.identity(id))
        ));
    }
}

/// The steps of the apply, first to last. A file without actions lists all resources in the order in which they can be created.
fn order(stack: &Stack) -> Result<String, NoOrder> {
    let steps = apply_order(stack)?;
    let rows: Vec<_> = if steps.is_empty() {
        let order = creation_order(stack)?.into_iter();
        order.map(|id| (id, String::new())).collect()
    } else {
        let steps = steps.into_iter();
        steps.map(|step| (step.id, words(stack, step))).collect()
    };
    let rows = rows.into_iter();
    Ok(drawing::steps(
        rows.map(|(id, word)| (stack.identity(id), word)),
    ))
}

/// The word for a step. A replacement has two steps.
fn words(stack: &Stack, step: ApplyStep) -> String {
    let action = stack.effect(step.id);
    let word = action.map_or("", |action| stack.word(action));
    match (action, step.destroys) {
        (Some(Action::Replace), true) => format!("{word}: destroy the old one"),
        (Some(Action::Replace), false) => format!("{word}: create the new one"),
        (_, _) => word.to_owned(),
    }
}

/// The edges of a picture. Several kinds between the same two resources become one edge.
fn edges<'p>(stack: &'p Stack, picture: &'p Picture<'p>) -> impl Iterator<Item = Edge> + 'p {
    let mut is_drawn = vec![false; stack.graph.len()];
    for id in picture.frames.values().flatten() {
        is_drawn[id.index()] = true;
    }
    let links = picture.frames.values().flatten().flat_map(|from| {
        let links = stack.graph.depends_on(*from);
        let of_two = links.chunk_by(|one, other| one.to == other.to);
        of_two.map(|links| (*from, links))
    });
    let shown = links.filter(move |(_, links)| is_drawn[links[0].to.index()]);
    shown.map(|(from, links)| {
        let kinds: Vec<EdgeKind> = links.iter().map(|link| link.kind).collect();
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        Edge {
            ends: (from, links[0].to),
            label: names.join(", "),
            style: match kinds[..] {
                [EdgeKind::Parent] => Style::Parent,
                [EdgeKind::Provider] => Style::Provider,
                _ => Style::Solid,
            },
        }
    })
}

/// The module or the component that a resource is in.
fn frame(stack: &Stack, id: ResourceId) -> Option<String> {
    let parent = stack.record(id).parent;
    let is_component = |parent| matches!(stack.mode(parent), Mode::Component);
    if parent.is_some_and(|parent| !is_component(parent)) {
        return None;
    }
    stack.parent_name(id)
}
