//! Who depends on whom: what a resource needs at the left, itself in the middle, what needs it at the right.
//!
//! The graph knows who needs whom and by what kind of edge. Which property it is stands in the resource that needs: those of the
//! rows on the screen are read ([`DepsPane::unexplained`]), and each answer explains its rows ([`DepsPane::explain`]).

mod draw;

use std::sync::Arc;

use crate::stack::graph::{Direction, Reached};
use crate::stack::{EdgeKind, Resource, ResourceId, Stack};
use crate::tui::rows::shown;
use crate::tui::widgets::cursor::Cursor;

/// More than this are counted, not listed.
const MAX_LISTED: usize = 20_000;

/// A neighbor, or one that is tied through others.
#[derive(Clone, Debug)]
struct Entry {
    id: ResourceId,
    /// The other end of the edge that leads here: the middle, or the one before on the way from it.
    via: ResourceId,
    /// How many edges it is away from the middle.
    depth: u32,
    /// The properties that carry the edge, once the one that needs was read.
    properties: Option<Vec<String>>,
}

impl Entry {
    /// Who needs whom.
    fn edge(&self, direction: Direction) -> (ResourceId, ResourceId) {
        match direction {
            Direction::DependsOn => (self.via, self.id),
            Direction::UsedBy => (self.id, self.via),
        }
    }
}

/// One side: its neighbors and a cursor.
#[derive(Clone, Default, Debug)]
struct Side {
    entries: Vec<Entry>,
    /// How many there are, listed or not; `None` while those tied through others are counted.
    total: Option<usize>,
    /// Whether those are listed too that are tied to it through others.
    all: bool,
    cursor: Cursor,
    /// All that are tied to it, nearest first, once they are found.
    reached: Option<Arc<Vec<Reached>>>,
}

/// The three columns.
#[derive(Clone, Default, Debug)]
pub struct DepsPane {
    center: Option<ResourceId>,
    sides: [Side; 2],
    /// 0 is the left side, 1 the right one.
    side: usize,
    /// Which part of the file the edges of the middle are from.
    source: &'static str,
}

const DIRECTIONS: [Direction; 2] = [Direction::DependsOn, Direction::UsedBy];

impl DepsPane {
    /// The resource in the middle.
    pub fn center(&self) -> Option<ResourceId> {
        self.center
    }

    /// Puts a resource in the middle.
    pub fn set(&mut self, stack: &Stack, center: Option<ResourceId>) {
        if self.center != center {
            self.center = center;
            self.source = "";
            for side in &mut self.sides {
                *side = Side::default();
            }
        }
        for (side, direction) in self.sides.iter_mut().zip(DIRECTIONS) {
            (side.entries, side.total) = match (center, &side.reached) {
                (Some(id), _) if !side.all => direct(stack, id, direction),
                (Some(_), Some(reached)) => through(reached),
                _ => (Vec::new(), None),
            };
        }
    }

    /// Forgets the stack; the cursor stays on its side.
    pub fn clear(&mut self) {
        *self = Self {
            side: self.side,
            ..Self::default()
        };
    }

    /// Forgets what was found, because the file has more now.
    pub fn forget(&mut self) {
        for side in &mut self.sides {
            side.reached = None;
        }
    }

    /// Takes all that are tied to `id` in a direction, nearest first.
    pub fn set_reached(
        &mut self,
        stack: &Stack,
        id: ResourceId,
        direction: Direction,
        reached: Arc<Vec<Reached>>,
    ) {
        if self.center == Some(id) {
            self.sides[position(direction)].reached = Some(reached);
            self.set(stack, self.center);
        }
    }

    /// All that are tied to the middle in a direction, if they are found.
    pub fn reached(&self, direction: Direction) -> Option<&Arc<Vec<Reached>>> {
        self.sides[position(direction)].reached.as_ref()
    }

    /// The resources that tell why the rows on the screen are there, as far as that is not known.
    pub fn unexplained(&self, height: usize) -> Vec<ResourceId> {
        let mut found = Vec::new();
        for (side, direction) in self.sides.iter().zip(DIRECTIONS) {
            let rows = side.entries.iter().skip(side.cursor.top).take(height);
            for entry in rows.filter(|entry| entry.properties.is_none()) {
                let (needing, _) = entry.edge(direction);
                if !found.contains(&needing) {
                    found.push(needing);
                }
            }
        }
        found
    }

    /// Takes a resource: it tells which of its properties need others.
    pub fn explain(&mut self, stack: &Stack, id: ResourceId, resource: &Resource, height: usize) {
        if self.center == Some(id) {
            self.source = source(stack, resource);
        }
        for (side, direction) in self.sides.iter_mut().zip(DIRECTIONS) {
            let rows = side.entries.iter_mut().skip(side.cursor.top).take(height);
            for entry in rows.filter(|entry| entry.properties.is_none()) {
                let (needing, needed) = entry.edge(direction);
                if needing == id {
                    entry.properties = Some(properties(stack, needed, resource));
                }
            }
        }
    }

    /// Moves to a side, with all that are tied through others or only the direct ones.
    pub fn show(&mut self, direction: Direction, all: bool) {
        self.side = position(direction);
        let side = &mut self.sides[self.side];
        if side.all != all {
            side.all = all;
            side.cursor = Cursor::default();
        }
    }

    /// The side with the cursor.
    pub fn direction(&self) -> Direction {
        DIRECTIONS[self.side]
    }

    /// Whether the side with the cursor lists those tied through others.
    pub fn shows_all(&self) -> bool {
        self.sides[self.side].all
    }

    /// The neighbor at the cursor, else the resource in the middle.
    pub fn selected(&self) -> Option<ResourceId> {
        self.neighbor().or(self.center)
    }

    /// The neighbor at the cursor.
    pub fn neighbor(&self) -> Option<ResourceId> {
        let side = &self.sides[self.side];
        side.entries.get(side.cursor.row).map(|entry| entry.id)
    }

    /// How many rows the side with the cursor has.
    pub fn len(&self) -> usize {
        self.sides[self.side].entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cursor.
    pub fn cursor(&mut self) -> &mut Cursor {
        &mut self.sides[self.side].cursor
    }
}

fn position(direction: Direction) -> usize {
    usize::from(direction == Direction::UsedBy)
}

/// The neighbors, and how many there are.
fn direct(stack: &Stack, id: ResourceId, direction: Direction) -> (Vec<Entry>, Option<usize>) {
    let links = stack.graph.links(id, direction);
    let mut neighbors: Vec<Entry> = Vec::new();
    // Links of one resource are sorted by the other end.
    for link in links {
        if neighbors.len() >= MAX_LISTED {
            break;
        }
        if link.to != id && neighbors.last().is_none_or(|last| last.id != link.to) {
            neighbors.push(Entry {
                id: link.to,
                via: id,
                depth: 1,
                properties: None,
            });
        }
    }
    let total = match neighbors.len() {
        MAX_LISTED.. => stack.graph.n_direct(id, direction),
        fewer => fewer,
    };
    (neighbors, Some(total))
}

fn through(reached: &[Reached]) -> (Vec<Entry>, Option<usize>) {
    let entries = reached.iter().take(MAX_LISTED).map(|reached| Entry {
        id: reached.id,
        via: reached.via,
        depth: reached.depth,
        properties: None,
    });
    (entries.collect(), Some(reached.len()))
}

/// The properties of `resource` that need `to`, each with what it takes of it where the file says so.
pub fn properties(stack: &Stack, to: ResourceId, resource: &Resource) -> Vec<String> {
    let identity = stack.identity(to);
    let general = crate::terraform::address::config_address(&identity);
    let mut found: Vec<String> = Vec::new();
    for edge in &resource.edges {
        if edge.target != identity && edge.target != general {
            continue;
        }
        let Some(property) = &edge.property else {
            continue;
        };
        let dot = if property.to_string().starts_with('[') {
            ""
        } else {
            "."
        };
        let from = edge
            .attribute
            .as_ref()
            .map_or_else(String::new, |it| format!(" ← {it}"));
        let text = shown(&format!("{dot}{property}{from}"));
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// Why `needing` needs `needed`: the properties that say so, else the kinds of edges.
fn why(
    stack: &Stack,
    (needing, needed): (ResourceId, ResourceId),
    properties: Option<&[String]>,
) -> String {
    let properties = properties.unwrap_or_default();
    let links = stack.graph.depends_on(needing);
    // Links of one resource are sorted by the other end.
    let from = links.partition_point(|link| link.to < needed);
    let kinds = links[from..].iter().take_while(|link| link.to == needed);
    let mut words = properties.to_vec();
    for link in kinds {
        // A dependency that a property explains needs no second word.
        let is_told = !properties.is_empty()
            && matches!(link.kind, EdgeKind::Property | EdgeKind::Dependency);
        if !is_told {
            words.push(format!("({})", link.kind.name()));
        }
    }
    words.join(" ")
}

/// Which part of the file says what a resource needs.
fn source(stack: &Stack, resource: &Resource) -> &'static str {
    let is_pulumi = stack.header.kind.is_pulumi();
    let has_properties = resource.edges.iter().any(|edge| edge.property.is_some());
    match (has_properties, is_pulumi) {
        (true, true) => "propertyDependencies",
        (true, false) => "configuration",
        (false, _) if resource.edges.is_empty() => "",
        (false, _) => "dependencies",
    }
}
