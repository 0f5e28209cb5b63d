//! The dependency view: the dependencies of a resource at the left, the resource in the middle, its dependents at the right.
//!
//! The graph knows which resource depends on which, and by what kind of edge. The property that carries an edge is stored in the
//! dependent resource. The dependents of the rows on the screen are read ([`DepsPane::unexplained`]), and each answer explains
//! its rows ([`DepsPane::explain`]).

mod draw;

use std::sync::Arc;

use crate::stack::graph::{Direction, Reached};
use crate::stack::{EdgeKind, Resource, ResourceId, Stack};
use crate::tui::rows::shown;
use crate::tui::widgets::cursor::Cursor;

/// Maximum number of listed neighbors. Any further ones are only counted.
const MAX_LISTED: usize = 20_000;

/// A direct or transitive neighbor.
#[derive(Clone, Debug)]
struct Neighbor {
    id: ResourceId,
    /// The other end of the edge that leads here: the middle resource, or the previous resource on the way from it.
    via: ResourceId,
    /// Number of edges between this resource and the middle.
    depth: u32,
    /// The properties that carry the edge. `None` until the dependent resource is read.
    properties: Option<Vec<CarryingProperty>>,
}

impl Neighbor {
    /// The dependent resource and the resource that it depends on.
    fn edge(&self, direction: Direction) -> (ResourceId, ResourceId) {
        match direction {
            Direction::DependsOn => (self.via, self.id),
            Direction::UsedBy => (self.id, self.via),
        }
    }
}

/// One side: its neighbors and a cursor.
#[derive(Clone, Default, Debug)]
struct NeighborColumn {
    entries: Vec<Neighbor>,
    /// Number of neighbors, listed or not. `None` while transitive neighbors are counted.
    total: Option<usize>,
    /// True if transitive neighbors are listed too.
    all: bool,
    cursor: Cursor,
    /// All direct and transitive neighbors, nearest first. `None` until they are found.
    reached: Option<Arc<Vec<Reached>>>,
}

/// A walk over the graph, from a resource in a direction.
pub type Walk = (ResourceId, Direction);

/// The three columns.
#[derive(Clone, Default, Debug)]
pub struct DepsPane {
    /// The walks under way.
    pub walks: Vec<Walk>,
    center: Option<ResourceId>,
    sides: [NeighborColumn; 2],
    /// The side with the cursor: 0 is left, 1 is right.
    side: usize,
    /// Name of the part of the file that the edges of the middle resource come from.
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
                *side = NeighborColumn::default();
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

    /// Forgets the stack. The cursor stays on its side.
    pub fn clear(&mut self) {
        *self = Self {
            side: self.side,
            ..Self::default()
        };
    }

    /// Forgets the transitive neighbors and the walks to them, because more of the file was read.
    pub fn forget(&mut self) {
        self.walks.clear();
        for side in &mut self.sides {
            side.reached = None;
        }
    }

    /// Takes all direct and transitive neighbors of `id` in a direction, nearest first. Ignored unless `id` is in the middle.
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

    /// All direct and transitive neighbors of the middle resource in a direction. `None` until they are found.
    pub fn reached(&self, direction: Direction) -> Option<&Arc<Vec<Reached>>> {
        self.sides[position(direction)].reached.as_ref()
    }

    /// The resources to read in order to explain the rows on the screen that are not explained yet.
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

    /// Takes a resource that was read. Its properties explain the rows on the screen where it depends on another.
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

    /// Moves to the side that has neighbors of `id`, if the side with the cursor has none.
    pub fn leave_empty_side(&mut self, stack: &Stack, id: ResourceId) {
        let is_empty = |side: usize| stack.graph.n_direct(id, DIRECTIONS[side]) == 0;
        if is_empty(self.side) && !is_empty(1 - self.side) {
            self.side = 1 - self.side;
        }
    }

    /// Moves to a side and lists either all neighbors there or only the direct ones.
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

    /// True if the side with the cursor lists transitive neighbors too.
    pub fn shows_all(&self) -> bool {
        self.sides[self.side].all
    }

    /// The neighbor at the cursor, or the middle resource if there is none.
    pub fn selected(&self) -> Option<ResourceId> {
        self.neighbor().or(self.center)
    }

    /// The neighbors on the side with the cursor.
    pub fn neighbors(&self) -> impl Iterator<Item = ResourceId> {
        let entries = &self.sides[self.side].entries;
        entries.iter().map(|entry| entry.id)
    }

    /// The neighbor at the cursor.
    pub fn neighbor(&self) -> Option<ResourceId> {
        let side = &self.sides[self.side];
        side.entries.get(side.cursor.row).map(|entry| entry.id)
    }

    /// Number of rows on the side with the cursor.
    pub fn row_count(&self) -> usize {
        self.sides[self.side].entries.len()
    }

    /// The cursor of the side that has it.
    pub fn cursor(&mut self) -> &mut Cursor {
        &mut self.sides[self.side].cursor
    }
}

fn position(direction: Direction) -> usize {
    usize::from(direction == Direction::UsedBy)
}

/// The direct neighbors to list, and the number of all of them.
fn direct(stack: &Stack, id: ResourceId, direction: Direction) -> (Vec<Neighbor>, Option<usize>) {
    let links = stack.graph.links(id, direction);
    let mut neighbors: Vec<Neighbor> = Vec::new();
    // Links of one resource are sorted by their other end.
    for link in links {
        if neighbors.len() >= MAX_LISTED {
            break;
        }
        if link.to != id && neighbors.last().is_none_or(|last| last.id != link.to) {
            neighbors.push(Neighbor {
                id: link.to,
                via: id,
                depth: 1,
                properties: None,
            });
        }
    }
    // The resources that only group or manage the middle one come last.
    let is_frame = |other: ResourceId| {
        let from = links.partition_point(|link| link.to < other);
        let mut kinds = links[from..].iter().take_while(|link| link.to == other);
        kinds.all(|link| matches!(link.kind, EdgeKind::Parent | EdgeKind::Provider))
    };
    neighbors.sort_by_key(|neighbor| is_frame(neighbor.id));
    let total = match neighbors.len() {
        MAX_LISTED.. => stack.graph.n_direct(id, direction),
        fewer => fewer,
    };
    (neighbors, Some(total))
}

fn through(reached: &[Reached]) -> (Vec<Neighbor>, Option<usize>) {
    let entries = reached.iter().take(MAX_LISTED).map(|reached| Neighbor {
        id: reached.id,
        via: reached.via,
        depth: reached.depth,
        properties: None,
    });
    (entries.collect(), Some(reached.len()))
}

/// A property that carries an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CarryingProperty {
    /// The property of the dependent resource, escaped: `.vpcId`.
    property: String,
    /// The attribute of the dependency that it takes, escaped, if the file names it: `id`.
    attribute: Option<String>,
}

impl CarryingProperty {
    /// The property and where it comes from: `.vpcId ← id`.
    fn text(&self) -> String {
        match &self.attribute {
            Some(attribute) => format!("{} ← {attribute}", self.property),
            None => self.property.clone(),
        }
    }
}

/// The properties of `resource` that depend on `to`.
pub fn properties(stack: &Stack, to: ResourceId, resource: &Resource) -> Vec<CarryingProperty> {
    let identity = stack.identity(to);
    let general = crate::terraform::address::config_address(&identity);
    let mut found: Vec<CarryingProperty> = Vec::new();
    for edge in &resource.edges {
        if edge.target != identity && edge.target != general {
            continue;
        }
        let Some(property) = &edge.property else {
            continue;
        };
        let property = property.to_string();
        let dot = if property.starts_with('[') { "" } else { "." };
        let carrying = CarryingProperty {
            property: shown(&format!("{dot}{property}")),
            attribute: edge.attribute.as_deref().map(shown),
        };
        if !found.contains(&carrying) {
            found.push(carrying);
        }
    }
    found
}

/// The reason why `needing` needs `needed`: the properties that say so, then the kinds of edges that these do not explain.
pub fn why(
    stack: &Stack,
    (needing, needed): (ResourceId, ResourceId),
    properties: Option<&[CarryingProperty]>,
) -> String {
    let properties = properties.unwrap_or_default();
    let links = stack.graph.depends_on(needing);
    // Links of one resource are sorted by their other end.
    let from = links.partition_point(|link| link.to < needed);
    let kinds = links[from..].iter().take_while(|link| link.to == needed);
    let mut words: Vec<String> = properties.iter().map(CarryingProperty::text).collect();
    for link in kinds {
        // A dependency that a property explains needs no second word.
        let is_explained = !properties.is_empty()
            && matches!(link.kind, EdgeKind::Property | EdgeKind::Dependency);
        if !is_explained {
            words.push(format!("({})", link.kind.name()));
        }
    }
    words.join(" ")
}

/// Name of the part of the file that lists the dependencies of a resource. Empty if it has none.
fn source(stack: &Stack, resource: &Resource) -> &'static str {
    let is_pulumi = stack.header.kind.is_pulumi();
    let has_properties = resource.edges.iter().any(|edge| edge.property.is_some());
    match (has_properties, is_pulumi) {
        (true, true) => "from the program",
        (true, false) => "from the configuration",
        (false, _) if resource.edges.is_empty() => "",
        (false, _) => "as recorded",
    }
}
