//! `deps` and `graph` of many stacks: edges inside each stack, and edges between them.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use super::super::args::{DepsArgs, GraphFormat};
use super::super::fleet::{self, Counted, Form, Printer, Reply};
use super::super::{Console, Failure};
use super::drawing::{self, Edge, Picture, Style, no_order};
use super::{MAX_WIDTH, as_json, as_text, edge_rows};
use crate::load::Document;
use crate::load::fleet::edges::{
    Sketch, Sketches, StackEdge, Ties, name_of, resolve, states_of_plans,
};
use crate::load::fleet::{Fleet, Member, Opened};
use crate::render::json;
use crate::render::plain::columns;
use crate::stack::graph::{Direction, Graph, Link};
use crate::stack::{EdgeKind, ResourceId};
use crate::text::{escaped, or_nearest};

/// A resource with the wanted name in one of the stacks.
struct Match {
    /// Its identity there, and with `--transitive` the identities of all that is connected to it.
    identities: HashSet<String>,
    reply: Reply,
}

/// A stack after it was asked.
type Known = (Member, Ties);

/// An edge to list, seen from one of its ends.
struct Row<'e> {
    edge: &'e StackEdge,
    depth: u32,
}

/// Prints the dependencies of a resource or of a stack, in its stack and in others.
pub(super) fn deps(
    fleet: &Fleet,
    wanted: &str,
    args: &DepsArgs,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let form = Form::of(args.json);
    let (stacks, edges, found_in) = read(fleet, console, &|document| {
        let found = document.stack.find(wanted);
        (!found.is_empty()).then(|| of_stack(document, &found, args))
    })?;
    let states = states_of_plans(&stacks);
    let is_named = |(member, ties): &Known| {
        member.name == wanted || format!("{}/{}", ties.project, ties.stack) == wanted
    };
    let mut printer = Printer::default();
    if let Some(stack) = stacks.iter().position(is_named) {
        let rows = of_whole(&edges, stack, direction(args), args.transitive);
        print(&stacks, &rows, direction(args), form, &mut printer, console)?;
        return Ok(0);
    }
    if found_in.is_empty() {
        let names = stacks.iter().map(|(member, _)| &*member.name);
        return Err(Failure::no(format!(
            "no stack and no resource has the name `{wanted}`{}",
            or_nearest(wanted, names)
        )));
    }
    for (stack, (member, _)) in stacks.iter().enumerate() {
        let Some(matched) = found_in.get(&stack) else {
            continue;
        };
        printer.print(member, &matched.reply, form, console)?;
        // A plan has the edges of its state.
        let rows = [Some(stack), states[stack]].into_iter().flatten();
        let rows = rows.flat_map(|it| across(&edges, it, &matched.identities, direction(args)));
        let rows: Vec<_> = rows.collect();
        print(&stacks, &rows, direction(args), form, &mut printer, console)?;
    }
    Ok(0)
}

/// All stacks, the edges between them, and the matches by the number of their stack.
type Read = (Vec<Known>, Vec<StackEdge>, HashMap<usize, Match>);

/// Reads every stack.
fn read(
    fleet: &Fleet,
    console: &mut Console<'_>,
    matched: &(dyn Fn(&Document) -> Option<Match> + Sync),
) -> Result<Read, Failure> {
    let mut sketches = Sketches::default();
    let mut found_in = HashMap::new();
    let work = |opened: &Opened<'_>, document: &Document| {
        let matched = matched(document);
        let reply = Reply {
            partial: matched.as_ref().and_then(|it| it.reply.partial.clone()),
            ..Reply::default()
        };
        Ok((reply, (Sketch::of(opened, document), matched)))
    };
    fleet::each(
        fleet,
        &Counted::All,
        console,
        &work,
        &mut |member, _, (sketch, matched), _| {
            found_in.extend(matched.map(|it| (sketches.members().len(), it)));
            sketches.push(member.clone(), sketch);
            Ok(())
        },
    )?;
    let never = AtomicBool::new(false);
    let stacks = sketches.complete(fleet, &never, &mut |_, _| {});
    let edges = resolve(&stacks, &never);
    Ok((stacks, edges, found_in))
}

fn direction(args: &DepsArgs) -> Direction {
    if args.reverse {
        Direction::UsedBy
    } else {
        Direction::DependsOn
    }
}

/// The edges inside the stack of each resource that was found.
fn of_stack(document: &Document, found: &[ResourceId], args: &DepsArgs) -> Match {
    let stack = &document.stack;
    let mut identities: HashSet<String> = HashSet::new();
    let mut reply = Reply {
        is_hit: true,
        ..Reply::default()
    };
    for id in found {
        identities.insert(stack.identity(*id));
        let rows = match edge_rows(document, *id, args) {
            Ok((rows, _)) => rows,
            Err(error) => {
                reply.partial = Some(error.to_string());
                continue;
            }
        };
        identities.extend(
            rows.iter()
                .filter_map(|row| row.id)
                .filter(|_| args.transitive)
                .map(|id| stack.identity(id)),
        );
        let lines: Vec<_> = rows
            .iter()
            .map(|row| as_text(stack, row, args.transitive))
            .collect();
        reply.text += &columns(&lines, MAX_WIDTH);
        reply
            .objects
            .extend(rows.iter().map(|row| as_json(stack, row)));
    }
    Match { identities, reply }
}

/// The edges of a whole stack; with `is_transitive` those of the stacks that they lead to as well.
fn of_whole(
    edges: &[StackEdge],
    stack: usize,
    direction: Direction,
    is_transitive: bool,
) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut seen = HashSet::from([stack]);
    let mut next = VecDeque::from([(stack, 1)]);
    while let Some((stack, depth)) = next.pop_front() {
        for edge in edges {
            let (here, there) = ends(edge, direction);
            if here == Some(stack) {
                rows.push(Row { edge, depth });
                if let Some(there) = there.filter(|_| is_transitive)
                    && seen.insert(there)
                {
                    next.push_back((there, depth + 1));
                }
            }
        }
    }
    rows
}

/// The edges between stacks at these resources of a stack.
fn across<'e>(
    edges: &'e [StackEdge],
    stack: usize,
    identities: &HashSet<String>,
    direction: Direction,
) -> Vec<Row<'e>> {
    let is_of = |edge: &&StackEdge| match direction {
        Direction::DependsOn => edge.from == stack && identities.contains(&*edge.resource),
        Direction::UsedBy => edge.to == Some(stack) && identities.contains(&*edge.target),
    };
    let edges = edges.iter().filter(is_of);
    edges.map(|edge| Row { edge, depth: 1 }).collect()
}

/// The end of an edge from which it is seen, and the other one.
fn ends(edge: &StackEdge, direction: Direction) -> (Option<usize>, Option<usize>) {
    match direction {
        Direction::DependsOn => (Some(edge.from), edge.to),
        Direction::UsedBy => (edge.to, Some(edge.from)),
    }
}

/// Prints edges between stacks, each with the stack at its other end.
fn print(
    stacks: &[Known],
    rows: &[Row<'_>],
    direction: Direction,
    form: Form,
    printer: &mut Printer,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    for row in rows {
        let (here, there) = ends(row.edge, direction);
        // A stack that is not here is listed with the one that wants it.
        let Some(shown) = there.or(here) else {
            continue;
        };
        let of = here.map_or("", |here| stacks[here].0.name.as_str());
        let reply = reply(row, of, direction, there.is_none());
        printer.print(&stacks[shown].0, &reply, form, console)?;
    }
    Ok(())
}

/// An edge with the resource at its other end, and the one at this end, which is `of` a stack. Example: `network  stack_reference  of
/// net/prod, outputs vpcId, subnetId`.
fn reply(row: &Row<'_>, of: &str, direction: Direction, is_missing: bool) -> Reply {
    let edge = row.edge;
    let (resource, target) = (name_of(&edge.resource), name_of(&edge.target));
    let (there, here) = match direction {
        Direction::DependsOn => (target, resource),
        Direction::UsedBy => (resource, target),
    };
    let kind = edge.kind.name();
    let object = json::object(&[
        ("resource", &there),
        ("kind", &kind),
        ("depth", &row.depth),
        ("of_stack", &of),
        ("of_resource", &here),
        ("outputs", &edge.outputs),
        ("guess", &edge.is_guess.then_some(true)),
        ("missing", &is_missing.then_some(true)),
    ]);
    let [there, of, here] = [there, of, here].map(escaped);
    let mut text = format!("{there}  {kind}  of {of} {here}");
    // Writing to a string cannot fail.
    if !edge.outputs.is_empty() {
        let outputs: Vec<_> = edge.outputs.iter().map(|it| escaped(it)).collect();
        _ = write!(text, ", outputs {}", outputs.join(", "));
    }
    if row.depth > 1 {
        _ = write!(text, ", {} stacks away", row.depth);
    }
    if edge.is_guess {
        text += " (guess)";
    }
    if is_missing {
        text += " (not among these stacks)";
    }
    Reply {
        text,
        objects: vec![object],
        ..Reply::default()
    }
}

/// Prints the stacks with the edges between them.
pub(super) fn graph(
    fleet: &Fleet,
    format: GraphFormat,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let (stacks, edges, _) = read(fleet, console, &|_| None)?;
    let edges = merged(&edges);
    let name = |stack: ResourceId| stacks[stack.index()].0.name.clone();
    let draw = match format {
        GraphFormat::Dot => Picture::dot,
        GraphFormat::Mermaid => Picture::mermaid,
        GraphFormat::Order => {
            let sure = graph_of(
                stacks.len(),
                edges.iter().filter(|(.., is_guess)| !is_guess),
            );
            let circles = sure.cycles();
            let circles: Vec<_> = circles.iter().map(|it| sure.circle(it)).collect();
            if !circles.is_empty() {
                return Err(no_order(&circles, name));
            }
            let order = in_order(&sure, &graph_of(stacks.len(), edges.iter()));
            let steps = order.into_iter().map(|it| (name(it), String::new()));
            return console.print(0, &drawing::steps(steps));
        }
    };
    let picture = Picture {
        frames: BTreeMap::from([(None, (0..stacks.len()).map(id_of).collect())]),
        name: &name,
        tooltip: &|_| None,
        center: None,
    };
    let mut edges = edges.iter().map(|(from, to, kind, is_guess)| Edge {
        ends: (id_of(*from), id_of(*to)),
        label: (*kind).to_owned(),
        style: if *is_guess {
            Style::Guess
        } else {
            Style::Solid
        },
    });
    console.answer(0, |out| draw(&picture, &mut edges, out))
}

/// All stacks, each after those that it needs. Where a guess closes a circle, what is sure decides.
fn in_order(sure: &Graph, all: &Graph) -> Vec<ResourceId> {
    let mut order = all.order();
    let rank: HashMap<_, _> = sure.order().into_iter().zip(0..).collect();
    for circle in all.cycles() {
        // Its stacks stand beside each other.
        if let Some(at) = order.iter().position(|it| circle.contains(it)) {
            order[at..at + circle.len()].sort_by_key(|it| rank[it]);
        }
    }
    order
}

/// The number of a stack, as graphs have it.
fn id_of(stack: usize) -> ResourceId {
    ResourceId(u32::try_from(stack).unwrap_or(u32::MAX))
}

/// Edges between pairs of stacks: what the files say hides guesses.
fn merged(edges: &[StackEdge]) -> Vec<PairOfStacks> {
    let mut merged: Vec<PairOfStacks> = Vec::new();
    let mut seen = HashSet::new();
    let sure = edges.iter().filter(|edge| !edge.is_guess);
    for edge in sure.chain(edges.iter().filter(|edge| edge.is_guess)) {
        if let Some(to) = edge.to
            && seen.insert((edge.from, to))
        {
            merged.push((edge.from, to, edge.kind.name(), edge.is_guess));
        }
    }
    merged.sort_unstable();
    merged
}

/// Two stacks, the kind of the edge between them, and true if it is a guess.
type PairOfStacks = (usize, usize, &'static str, bool);

/// The stacks as a graph. None waits for itself.
fn graph_of<'e>(n_stacks: usize, edges: impl Iterator<Item = &'e PairOfStacks>) -> Graph {
    // They are sorted by their first stack.
    let mut edges = edges.filter(|(from, to, ..)| from != to).peekable();
    Graph::build(n_stacks, |stack, links| {
        while let Some((_, to, ..)) = edges.next_if(|(from, ..)| *from == stack.index()) {
            links.push(Link {
                to: id_of(*to),
                kind: EdgeKind::Dependency,
            });
        }
    })
}
