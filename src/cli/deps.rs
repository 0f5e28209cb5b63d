//! `deps`: dependencies and their causes.

mod drawing;
pub(super) mod graph;
mod stacks;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::PathBuf;

use super::args::DepsArgs;
use super::fleet::{self, Form, Target};
use super::{Console, Failure, get, open};
use crate::change::causes::{Dependency, EdgesByTarget, dependencies, push_link};
use crate::load::Document;
use crate::render::json;
use crate::render::plain::columns_with;
use crate::stack::graph::{Direction, Reached};
use crate::stack::{Edge, EdgeKind, ResourceId, Stack};
use crate::text::escaped;
use crate::tui::theme::Role;
use crate::value::Value;

/// Maximum number of resources that are read to find dependencies missing from the file.
const MAX_READ: usize = 10_000;

/// Maximum number of rows with properties. Each instance can add a row per property, so a small file may have very
/// many rows. Further dependencies are listed once each.
const MAX_WITH_PROPERTIES: usize = 100_000;

/// Maximum width of a column of the list, in cells.
const MAX_WIDTH: usize = 100;

pub(super) fn run(args: &DepsArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let (places, wanted) = places(args)?;
    let file = match Target::of(places, &args.stacks, console)? {
        Target::One(file) => file,
        Target::Many(fleet) => return stacks::deps(&fleet, &wanted, args, console),
    };
    let document = open::document(&file, console)?;
    let id = get::choose(&document, &file, &wanted, console)?;
    let (rows, limit) = edge_rows(&document, id, args)?;
    if let Some(limit) = limit {
        console.remark(&limit);
    }
    let stack = &document.stack;
    let objects = rows.iter().map(|row| as_json(stack, row));
    console.rows((Form::of(args.json), 0), objects, |paint| {
        let cells = rows.iter().map(|row| as_text(stack, row, args.transitive));
        let cells: Vec<_> = cells.collect();
        columns_with(&cells, MAX_WIDTH, |_, column, cell| {
            paint.role([Role::Text, Role::Dim, Role::Key][column], cell)
        })
    })
}

/// The files and the resource of the arguments: the last word is the resource.
fn places(args: &DepsArgs) -> Result<(Vec<PathBuf>, String), Failure> {
    let mut words = fleet::words(args.file.as_ref(), &args.resource);
    let least = if args.stacks.from.is_some() { 1 } else { 2 };
    let wanted = words.pop().filter(|_| words.len() + 1 >= least);
    let Some(wanted) = wanted.and_then(OsStr::to_str) else {
        return Err(Failure::usage(
            "deps needs the name of a resource after the files",
        ));
    };
    Ok((
        words.into_iter().map(PathBuf::from).collect(),
        wanted.to_owned(),
    ))
}

/// The edges of a resource, and a remark if they are limited.
fn edge_rows(
    document: &Document,
    id: ResourceId,
    args: &DepsArgs,
) -> Result<(Vec<EdgeRow>, Option<String>), Failure> {
    let direction = if args.reverse {
        Direction::UsedBy
    } else {
        Direction::DependsOn
    };
    let (mut rows, limit) = if args.transitive {
        transitive(document, id, direction)
    } else {
        let rows = direct(document, id, direction)?;
        let is_limited = rows.len() >= MAX_WITH_PROPERTIES;
        let limit = is_limited.then(|| {
            format!(
                "properties are listed up to row {MAX_WITH_PROPERTIES}; each further dependency has one row"
            )
        });
        (rows, limit)
    };
    mark_cycles(&document.stack, id, direction, &mut rows);
    Ok((rows, limit))
}

/// A printed edge.
struct EdgeRow {
    /// The resource at the other end; `None` if it is not in the file.
    id: Option<ResourceId>,
    /// The name that the file uses for it, if it is not in the file.
    target: String,
    kind: EdgeKind,
    property: Option<String>,
    attribute: Option<String>,
    depth: u32,
    via: Option<ResourceId>,
    /// True if the two depend on each other, directly or indirectly.
    is_cycle: bool,
}

/// Everything connected to `id`, and the dependencies that are not in the file.
fn transitive(
    document: &Document,
    id: ResourceId,
    direction: Direction,
) -> (Vec<EdgeRow>, Option<String>) {
    let reached = document.stack.graph.reach(id, direction);
    let reached_row = |reached: &Reached| EdgeRow {
        depth: reached.depth,
        via: (reached.via != id).then_some(reached.via),
        ..row((reached.kind, Some(reached.id), None))
    };
    let mut rows: Vec<EdgeRow> = reached.iter().map(reached_row).collect();
    let mut limit = None;
    if direction == Direction::DependsOn {
        let needing = reached.iter().map(|it| (it.id, it.depth));
        for (needing, depth) in std::iter::once((id, 0)).chain(needing).take(MAX_READ) {
            // A resource that cannot be read does not hide the rest.
            let missing = direct(document, needing, direction).unwrap_or_default();
            let missing = missing.into_iter().filter(|row| row.id.is_none());
            rows.extend(missing.map(|row| EdgeRow {
                depth: depth + 1,
                via: (needing != id).then_some(needing),
                property: None,
                attribute: None,
                ..row
            }));
        }
        rows.sort_by_key(|row| row.depth);
        if reached.len() >= MAX_READ {
            limit = Some(format!(
                "only the {MAX_READ} nearest resources were searched for dependencies that are not in this file"
            ));
        }
    }
    (rows, limit)
}

/// Marks the rows whose resources form a cycle with `id`.
fn mark_cycles(stack: &Stack, id: ResourceId, direction: Direction, rows: &mut [EdgeRow]) {
    let back = match direction {
        Direction::DependsOn => Direction::UsedBy,
        Direction::UsedBy => Direction::DependsOn,
    };
    let reached = |direction| {
        let reached = stack.graph.reach_by(id, direction, EdgeKind::is_ordered);
        reached.into_iter().map(|it| it.id).collect::<HashSet<_>>()
    };
    // A resource that depends on itself is a cycle of one.
    let (there, back) = (reached(direction), reached(back));
    for row in rows {
        let is_ordered = row.kind.is_ordered();
        row.is_cycle = row.id.is_some_and(|other| {
            other == id && is_ordered || there.contains(&other) && back.contains(&other)
        });
    }
}

fn direct(
    document: &Document,
    id: ResourceId,
    direction: Direction,
) -> Result<Vec<EdgeRow>, Failure> {
    let stack = &document.stack;
    if direction == Direction::DependsOn {
        let resource = get::read(document, id)?;
        let edges: Vec<&Edge> = resource.edges.iter().collect();
        let found = dependencies(stack, id, &edges, MAX_WITH_PROPERTIES);
        return Ok(found.into_iter().map(row).collect());
    }
    let mut rows = Vec::new();
    for link in stack.graph.used_by(id) {
        // A user that cannot be read does not hide the rest.
        let Ok(user) = document.resource(link.to) else {
            rows.push(row((link.kind, Some(link.to), None)));
            continue;
        };
        let edges: Vec<&Edge> = user.edges.iter().collect();
        let leading = EdgesByTarget::new(&edges).leading_to(stack, id);
        let room = MAX_WITH_PROPERTIES.saturating_sub(rows.len());
        let mut found = Vec::new();
        push_link(&edges, &leading, link.kind, link.to, room, &mut found);
        rows.extend(found.into_iter().map(row));
    }
    Ok(rows)
}

fn row((kind, id, edge): Dependency<'_>) -> EdgeRow {
    EdgeRow {
        id,
        target: edge.map(|edge| edge.target.clone()).unwrap_or_default(),
        kind,
        property: edge.and_then(|edge| Some(edge.property.as_ref()?.to_string())),
        attribute: edge.and_then(|edge| edge.attribute.clone()),
        depth: 1,
        via: None,
        is_cycle: false,
    }
}

fn as_json(stack: &Stack, row: &EdgeRow) -> Value {
    let urn = row
        .id
        .map_or_else(|| row.target.clone(), |id| stack.urn(id));
    json::object(&[
        ("urn", &urn),
        ("address", &row.id.and_then(|id| stack.address(id))),
        ("type", &row.id.map(|id| stack.ty(id))),
        ("kind", &row.kind.name()),
        ("property", &row.property),
        ("attribute", &row.attribute),
        ("depth", &row.depth),
        ("via", &row.via.map(|via| stack.identity(via))),
        ("missing", &row.id.is_none().then_some(true)),
        ("cycle", &row.is_cycle.then_some(true)),
    ])
}

fn as_text(stack: &Stack, row: &EdgeRow, is_transitive: bool) -> [String; 3] {
    let name = match row.id {
        Some(id) => escaped(&stack.identity(id)),
        None => format!("{} (not in this file)", escaped(&row.target)),
    };
    let mut why = String::new();
    // Writing to a string cannot fail.
    if let Some(property) = &row.property {
        _ = write!(why, "{}", escaped(property));
    }
    if let Some(attribute) = &row.attribute {
        _ = write!(why, " ← {}", escaped(attribute));
    }
    if is_transitive {
        _ = write!(why, "{}", row.depth);
    }
    if let Some(via) = row.via {
        _ = write!(why, " via {}", escaped(&stack.identity(via)));
    }
    if row.is_cycle {
        why.push_str(" (cycle)");
    }
    [name, row.kind.name().to_owned(), why.trim().to_owned()]
}
