//! `graph`: dependencies as a picture, or as an order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::io;

use super::super::args::{GraphArgs, GraphFormat};
use super::super::fleet::{self, Target};
use super::super::{Console, Failure, get, open};
use super::drawing::{DOT_START, MERMAID_START, circle_line, dot_quoted, mermaid_label, no_order};
use super::stacks;
use crate::change::apply_order::{ApplyStep, NoOrder, apply_order, creation_order};
use crate::render::plain::columns;
use crate::stack::graph::Direction;
use crate::stack::{Action, Mode, ResourceId, Stack};
use crate::text::{count, escaped, plural};

/// Maximum width of a column of the list, in cells.
const MAX_WIDTH: usize = 100;

/// Maximum number of resources in a picture of a part, unless another is wanted: what a person can read.
const MAX_NODES: usize = 200;

/// Maximum number of dependency cycles that are said beside a picture.
const MAX_CYCLES: usize = 3;

pub(in super::super) fn run(args: &GraphArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let words = args.files.iter().map(OsString::as_os_str);
    let (places, words) = fleet::split(words, &args.stacks)?;
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
            console.out.write_all(order.as_bytes())?;
            return Ok(0);
        }
    };
    let center = words.first();
    let center = center.map(|name| get::choose(&document, &file, name, console));
    let center = center.transpose()?;
    let drawn = drawn(stack, center, args, console);
    say_cycles(stack, &drawn, console);
    draw(&Picture::new(stack, center, drawn), console.out)?;
    Ok(0)
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
    let row = |(index, (id, word)): (usize, (ResourceId, String))| {
        [(index + 1).to_string(), escaped(&stack.identity(id)), word]
    };
    let rows: Vec<_> = rows.into_iter().enumerate().map(row).collect();
    Ok(columns(&rows, MAX_WIDTH))
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

/// The resources of a picture, and the edges between them.
struct Picture<'s> {
    stack: &'s Stack,
    /// The resource around which the picture is drawn; its frame is thick.
    center: Option<ResourceId>,
    /// The resources by their module or component, each in the order of the file. Without a name: those in none.
    clusters: BTreeMap<Option<String>, Vec<ResourceId>>,
    is_drawn: Vec<bool>,
}

impl<'s> Picture<'s> {
    fn new(stack: &'s Stack, center: Option<ResourceId>, mut drawn: Vec<ResourceId>) -> Self {
        drawn.sort_unstable();
        let mut is_drawn = vec![false; stack.graph.len()];
        let mut clusters: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for id in drawn {
            is_drawn[id.index()] = true;
            clusters.entry(cluster(stack, id)).or_default().push(id);
        }
        Self {
            stack,
            center,
            clusters,
            is_drawn,
        }
    }

    /// The edges. Several kinds between the same two resources become one edge.
    fn edges(&self) -> impl Iterator<Item = (ResourceId, ResourceId, Vec<&'static str>)> + use<'_> {
        let drawn = self.clusters.values().flatten();
        let links_of = |from: &ResourceId| {
            let from = *from;
            let links = self.stack.graph.depends_on(from);
            let of_two = links.chunk_by(|one, other| one.to == other.to);
            let shown = of_two.filter(|links| self.is_drawn[links[0].to.index()]);
            shown.map(move |links| {
                let kinds = links.iter().map(|link| link.kind.name()).collect();
                (from, links[0].to, kinds)
            })
        };
        drawn.flat_map(links_of)
    }

    fn dot(&self, out: &mut dyn io::Write) -> io::Result<()> {
        out.write_all(DOT_START)?;
        for (number, (cluster, ids)) in self.clusters.iter().enumerate() {
            if let Some(name) = cluster {
                let label = dot_quoted(name);
                writeln!(out, "  subgraph cluster_{number} {{ label = \"{label}\"")?;
            }
            for id in ids {
                let name = dot_quoted(&self.stack.identity(*id));
                let ty = dot_quoted(self.stack.ty(*id));
                let is_center = self.center == Some(*id);
                let width = if is_center { ", penwidth = 3" } else { "" };
                let number = id.0;
                writeln!(
                    out,
                    "  n{number} [label = \"{name}\", tooltip = \"{ty}\"{width}]"
                )?;
            }
            if cluster.is_some() {
                out.write_all(b"  }\n")?;
            }
        }
        for (from, to, kinds) in self.edges() {
            let style = match kinds[..] {
                ["parent"] => ", style = dashed",
                ["provider"] => ", style = dotted",
                _ => "",
            };
            let (from, to, label) = (from.0, to.0, kinds.join(", "));
            writeln!(out, "  n{from} -> n{to} [label = \"{label}\"{style}]")?;
        }
        out.write_all(b"}\n")
    }

    fn mermaid(&self, out: &mut dyn io::Write) -> io::Result<()> {
        out.write_all(MERMAID_START)?;
        for (number, (cluster, ids)) in self.clusters.iter().enumerate() {
            if let Some(name) = cluster {
                writeln!(out, "  subgraph g{number}[\"{}\"]", mermaid_label(name))?;
            }
            for id in ids {
                let label = mermaid_label(&self.stack.identity(*id));
                writeln!(out, "  n{}[\"{label}\"]", id.0)?;
            }
            if cluster.is_some() {
                out.write_all(b"  end\n")?;
            }
        }
        if let Some(center) = self.center {
            writeln!(out, "  style n{} stroke-width:3px", center.0)?;
        }
        for (from, to, kinds) in self.edges() {
            writeln!(out, "  n{} -->|{}| n{}", from.0, kinds.join(", "), to.0)?;
        }
        Ok(())
    }
}

/// The module or the component that a resource is in.
fn cluster(stack: &Stack, id: ResourceId) -> Option<String> {
    let parent = stack.record(id).parent;
    let is_component = |parent| matches!(stack.mode(parent), Mode::Component);
    if parent.is_some_and(|parent| !is_component(parent)) {
        return None;
    }
    stack.parent_name(id)
}
