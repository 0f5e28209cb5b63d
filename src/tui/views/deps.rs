//! The Deps view: the dependencies of a resource at the left, the resource in the middle, its dependents at the right.
//!
//! The graph knows which resource depends on which, and by what kind of edge. The property that carries an edge is stored in the
//! dependent resource. The dependents of the rows on the screen are read, and each answer explains its rows
//! ([`DepsView::explain`]).

mod draw;

use std::cell::OnceCell;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use super::{Ctx, NextFile, ViewState, Views, steer};
use crate::search::RowQuery;
use crate::stack::graph::{Direction, Reached};
use crate::stack::{EdgeKind, Resource, ResourceId, Stack};
use crate::tui::command::{Command, FoldCommand, Side};
use crate::tui::edges::{CarryingProperty, properties};
use crate::tui::jobs::deps::{Connected, Reach};
use crate::tui::keymap;
use crate::tui::layout::Pane;
use crate::tui::outline::Laid;
use crate::tui::overlays::Outcome;
use crate::tui::overlays::find_rows::RowTexts;
use crate::tui::row_key::{NeighborKey, RowKey};
use crate::tui::session::Session;
use crate::tui::stacks::OtherEnd;
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
    /// A direct neighbor that leads here too, if the edge may be no more than the record of that way.
    bridge: Option<ResourceId>,
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
    /// The ends of edges in other stacks. Their rows come after those of this stack.
    others: Vec<OtherEnd>,
    /// The rows as texts, once somebody searched them.
    texts: OnceCell<RowTexts>,
    /// All direct and transitive neighbors. `None` until they are found.
    connected: Option<Arc<Connected>>,
}

impl NeighborColumn {
    /// Number of rows.
    fn len(&self) -> usize {
        self.entries.len() + self.others.len()
    }

    fn key(&self, row: usize) -> Option<NeighborKey> {
        if let Some(entry) = self.entries.get(row) {
            return Some(NeighborKey::Own(entry.id));
        }
        let other = self.others.get(row - self.entries.len())?;
        Some(NeighborKey::Other(
            other.name.clone(),
            other.resource.clone(),
        ))
    }

    fn row_of(&self, key: &NeighborKey) -> Option<usize> {
        (0..self.len()).find(|row| self.key(*row).as_ref() == Some(key))
    }

    /// Notes which edges may be records of a longer way, and lists them last. Only a state without a configuration lists such edges.
    fn note_bridges(&mut self, stack: &Stack) {
        let is_recorded = !stack.header.kind.is_pulumi() && stack.expressions.is_empty();
        let Some(connected) = self.connected.as_ref().filter(|_| is_recorded && !self.all) else {
            return;
        };
        for entry in &mut self.entries {
            entry.bridge = connected.bridged.get(&entry.id).copied();
        }
        self.entries.sort_by_key(|entry| entry.bridge.is_some());
    }

    /// Number of neighbors whose edge may be the record of a longer way.
    fn n_bridged(&self) -> usize {
        let bridged = self.entries.iter();
        bridged.filter(|entry| entry.bridge.is_some()).count()
    }

    /// Changes the rows. The cursor stays on its row, and the row at its place on the screen.
    fn change(&mut self, act: impl FnOnce(&mut Self)) {
        let selected = self.key(self.cursor.row);
        act(self);
        if let Some(row) = selected.and_then(|key| self.row_of(&key)) {
            let top = (self.cursor.top + row).saturating_sub(self.cursor.row);
            self.cursor = Cursor::at(row, top);
        }
    }
}

/// The Deps view.
#[derive(Clone, Default, Debug)]
pub struct DepsView {
    /// The walks over the graph that are under way: each from a resource in a direction.
    walks: Vec<(ResourceId, Direction)>,
    center: Option<ResourceId>,
    sides: [NeighborColumn; 2],
    /// The side with the cursor: 0 is left, 1 is right.
    side: usize,
    /// True if the middle resource was read when the ends in other stacks were found.
    is_center_read: bool,
    /// True while other stacks are looked at.
    is_looking: bool,
    /// Name of the part of the file that the edges of the middle resource come from.
    source: &'static str,
    /// The query that the neighbors are narrowed to.
    pub filter: Option<RowQuery>,
}

const DIRECTIONS: [Direction; 2] = [Direction::DependsOn, Direction::UsedBy];

impl DepsView {
    /// Goes to the selected neighbor, in this stack or in another one.
    pub fn enter(&self, ctx: &Ctx<'_>) -> Outcome {
        if let Some(id) = self.neighbor() {
            return Outcome::ShowDeps(id, self.direction());
        }
        let Some(other) = self.other() else {
            let sides = [Side::Left, Side::Right];
            let [left, right] = sides.map(|side| keymap::key_of(Command::Side(side)));
            return Outcome::Say(format!(
                "nothing on this side · {left} and {right} choose a side"
            ));
        };
        Outcome::open_other(other, ctx.session.among.as_ref())
    }

    /// Builds the columns again, after the middle or its data changed.
    pub fn remake(&mut self, ctx: &Ctx<'_>) -> Outcome {
        self.set(ctx.session, subject(ctx.session));
        self.fit(ctx);
        let mut outcomes = vec![self.explain_rows(ctx)];
        for (side, direction) in self.sides.iter().zip(DIRECTIONS) {
            let Some(id) = self.center.filter(|_| side.connected.is_none()) else {
                continue;
            };
            // Dependencies are unknown until the end of the file.
            if ctx.session.loading.is_none() && !self.walks.contains(&(id, direction)) {
                self.walks.push((id, direction));
                outcomes.push(Outcome::Start(Box::new(Reach {
                    graph: Arc::clone(&ctx.session.stack().graph),
                    id,
                    direction,
                })));
            }
        }
        Outcome::All(outcomes)
    }

    /// Adds the properties to the rows on the screen whose resources are loaded, and requests the other resources.
    fn explain_rows(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let mut missing = self.unexplained(ctx.height(0));
        missing.extend(self.center);
        let read = &ctx.session.resources;
        missing.retain(|id| !read.is_unreadable(*id) && !self.explain(*id, ctx));
        Outcome::All(missing.into_iter().map(Outcome::Read).collect())
    }

    /// Adds the properties of a resource to the rows on the screen where it depends on another. False if it was not read yet.
    pub fn explain(&mut self, id: ResourceId, ctx: &Ctx<'_>) -> bool {
        let Some(resource) = ctx.session.resources.get(id) else {
            return false;
        };
        let (stack, height) = (ctx.session.stack(), ctx.height(0));
        if self.center == Some(id) {
            self.source = source(stack, resource);
            if !self.is_center_read {
                self.set_others(ctx.session);
            }
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
        true
    }

    /// The resource in the middle.
    pub fn center(&self) -> Option<ResourceId> {
        self.center
    }

    /// Puts a resource in the middle.
    fn set(&mut self, session: &Session, center: Option<ResourceId>) {
        let stack = session.stack();
        if self.center != center {
            // After a reload there is no center, and the filter stays.
            self.filter.take_if(|_| self.center.is_some());
            self.center = center;
            self.source = "";
            for side in &mut self.sides {
                *side = NeighborColumn::default();
            }
        }
        for (side, direction) in self.sides.iter_mut().zip(DIRECTIONS) {
            side.change(|side| {
                side.texts = OnceCell::new();
                (side.entries, side.total) = match (center, &side.connected) {
                    (Some(id), _) if !side.all => direct(stack, id, direction),
                    (Some(_), Some(connected)) => through(&connected.reached),
                    (Some(_), None) | (None, _) => (Vec::new(), None),
                };
                side.note_bridges(stack);
                if let Some(filter) = &self.filter {
                    side.entries
                        .retain(|entry| filter.matches(&row_text(stack, entry.id), None));
                }
            });
        }
        self.set_others(session);
    }

    /// Finds the ends of edges in other stacks. The ids of the middle resource are all known once it is read.
    fn set_others(&mut self, session: &Session) {
        let Some((id, among)) = self.center.zip(session.among.as_ref()) else {
            return;
        };
        let (stack, resource) = (session.stack(), session.resources.get(id).map(|it| &**it));
        self.is_center_read = resource.is_some();
        self.is_looking = !among.edges.is_whole;
        for (side, direction) in self.sides.iter_mut().zip(DIRECTIONS) {
            side.change(|side| {
                side.texts = OnceCell::new();
                side.others = among.others(stack, id, resource, direction);
                if let Some(filter) = &self.filter {
                    side.others
                        .retain(|other| filter.matches(&other.label(), None));
                }
            });
        }
    }

    /// The selected row of the side with the cursor.
    pub fn row(&self) -> usize {
        self.sides[self.side].cursor.row
    }

    /// Forgets the transitive neighbors and the walks to them, because more of the file was read.
    pub fn forget(&mut self) {
        self.walks.clear();
        for side in &mut self.sides {
            side.connected = None;
        }
    }

    /// Takes all direct and transitive neighbors of `id` in a direction, nearest first. Ignored unless `id` is in the middle.
    pub fn take_reached(
        &mut self,
        id: ResourceId,
        direction: Direction,
        connected: Arc<Connected>,
        ctx: &Ctx<'_>,
    ) {
        self.walks.retain(|walk| *walk != (id, direction));
        if self.center == Some(id) {
            self.sides[position(direction)].connected = Some(connected);
            let at = position(direction);
            let is_untouched = self.sides[at].cursor == Cursor::default();
            self.set(ctx.session, self.center);
            if is_untouched {
                self.sides[at].cursor = Cursor::default();
            }
        }
        self.fit(ctx);
    }

    /// The resources to read in order to explain the rows on the screen that are not explained yet.
    fn unexplained(&self, height: usize) -> Vec<ResourceId> {
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

    /// Moves to the side that has neighbors of `id`, if the side with the cursor has none.
    pub fn leave_empty_side(&mut self, stack: &Stack, id: ResourceId) {
        let is_empty = |side: usize| stack.graph.n_direct(id, DIRECTIONS[side]) == 0;
        if is_empty(self.side) && !is_empty(1 - self.side) {
            self.side = 1 - self.side;
        }
    }

    /// Moves to a side and lists either all neighbors there or only the direct ones.
    pub fn show_side(&mut self, direction: Direction, all: bool, ctx: &Ctx<'_>) -> Outcome {
        let was_side = std::mem::replace(&mut self.side, position(direction));
        let side = &mut self.sides[self.side];
        if was_side == self.side && side.all == all {
            return Outcome::Nothing;
        }
        if side.all != all {
            side.all = all;
            side.cursor = Cursor::default();
        }
        self.remake(ctx)
    }

    /// The side with the cursor.
    pub fn direction(&self) -> Direction {
        DIRECTIONS[self.side]
    }

    /// True if the side with the cursor lists transitive neighbors too.
    pub fn shows_all(&self) -> bool {
        self.sides[self.side].all
    }

    fn entries(&self) -> &[Neighbor] {
        &self.sides[self.side].entries
    }

    /// The neighbors on the side with the cursor.
    pub fn neighbors(&self) -> impl Iterator<Item = ResourceId> {
        self.entries().iter().map(|entry| entry.id)
    }

    /// The neighbor at the cursor.
    pub fn neighbor(&self) -> Option<ResourceId> {
        self.entries().get(self.row()).map(|entry| entry.id)
    }

    /// The end in another stack at the cursor.
    pub fn other(&self) -> Option<&OtherEnd> {
        let side = &self.sides[self.side];
        let at = side.cursor.row.checked_sub(side.entries.len())?;
        side.others.get(at)
    }
}

impl ViewState for DepsView {
    fn fold(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        if command == FoldCommand::Activate {
            self.enter(ctx)
        } else {
            Outcome::Nothing
        }
    }

    fn go_to_side(&mut self, side: Side, ctx: &Ctx<'_>) -> Outcome {
        if self.center.is_none() {
            return Outcome::Complain("select a resource first".to_owned());
        }
        let direction = match side {
            Side::Left => Direction::DependsOn,
            Side::Right => Direction::UsedBy,
        };
        self.show_side(direction, false, ctx)
    }

    fn go_to_other_pane(&mut self, ctx: &Ctx<'_>) -> Outcome {
        let other = [Side::Right, Side::Left][self.side];
        self.go_to_side(other, ctx)
    }

    fn laid<'a>(&'a self, part: usize, ctx: &Ctx<'a>) -> Option<Laid<'a>> {
        let pane = self.pane_of(part, ctx.screen.panes[0])?;
        Some(self.rows(part, ctx.session.stack(), pane))
    }

    fn set_cursor(&mut self, part: usize, cursor: Cursor, _ctx: &Ctx<'_>) {
        self.sides[part].cursor = cursor;
    }

    fn view(&self, _all: &Views, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
        self.draw(ctx.of_pane(0), panes[0], buffer);
    }

    fn follow(&mut self, ctx: &Ctx<'_>) -> Outcome {
        if self.center != subject(ctx.session) {
            return self.remake(ctx);
        }
        self.explain_rows(ctx)
    }

    fn part_at(&self, at: Position, ctx: &Ctx<'_>) -> Option<usize> {
        let pane = ctx.screen.panes[0];
        (0..2).find(|side| {
            let pane = self.pane_of(*side, pane);
            pane.is_some_and(|pane| pane.outer.contains(at))
        })
    }

    fn click(&mut self, at: Position, had_focus: bool, ctx: &Ctx<'_>) -> Outcome {
        let pane = ctx.screen.panes[0];
        let (was_side, was_row) = (self.side, self.row());
        if let Some([left, middle, _]) = self.columns(pane.outer) {
            if middle.outer.contains(at) {
                return Outcome::Done;
            }
            self.side = usize::from(!left.outer.contains(at));
        }
        let laid = self.laid(self.side, ctx);
        if let Some((row, _)) = laid.and_then(|laid| laid.zone_at(at, ctx.theme)) {
            steer(self, self.side, ctx, |cursor, page| {
                cursor.point_at(row, page);
            });
            if had_focus && (self.side, row) == (was_side, was_row) {
                return self.enter(ctx);
            }
        }
        Outcome::Done
    }

    fn rows_about(&self, found: &[ResourceId], _session: &Session) -> Option<Vec<usize>> {
        let entries = self.entries().iter().enumerate();
        let entries = entries.filter(|(_, entry)| found.binary_search(&entry.id).is_ok());
        Some(entries.map(|(row, _)| row).collect())
    }

    fn focus(&self, _ctx: &Ctx<'_>) -> usize {
        self.side
    }

    fn row_texts(&self, session: &Session) -> Option<RowTexts> {
        let side = &self.sides[self.side];
        let rows = side.texts.get_or_init(|| {
            let neighbors = self.neighbors().map(|id| row_text(session.stack(), id));
            let texts = neighbors.chain(side.others.iter().map(OtherEnd::label));
            let keys = (0..side.len()).filter_map(|row| side.key(row));
            RowTexts {
                texts: Arc::new(texts.collect()),
                keys: Arc::new(keys.map(RowKey::Neighbor).collect()),
                ..RowTexts::default()
            }
        });
        Some(RowTexts {
            at: self.row(),
            ..rows.clone()
        })
    }

    fn go_to_key(&mut self, key: &RowKey, ctx: &Ctx<'_>) {
        let RowKey::Neighbor(key) = key else { return };
        if let Some(row) = self.sides[self.side].row_of(key) {
            steer(self, self.side, ctx, |cursor, page| cursor.go(row, page));
        }
    }

    fn cursors(&self) -> [Cursor; 2] {
        [self.sides[0].cursor, self.sides[1].cursor]
    }

    fn clear(&mut self, next: NextFile) {
        *self = Self {
            side: self.side,
            filter: self.filter.take().filter(|_| next == NextFile::Same),
            ..Self::default()
        };
    }

    fn selected(&self, _session: &Session) -> Option<ResourceId> {
        self.neighbor().or(self.center)
    }

    fn show(&mut self, id: ResourceId, ctx: &Ctx<'_>) -> Outcome {
        let stack = ctx.session.stack();
        self.leave_empty_side(stack, stack.own_record(id));
        Outcome::Done
    }

    fn selected_key(&self) -> Option<RowKey> {
        let key = self.sides[self.side].key(self.row());
        key.map(RowKey::Neighbor)
    }

    fn row_filter(&self) -> Option<&RowQuery> {
        self.filter.as_ref()
    }

    fn narrow(&mut self, filter: Option<RowQuery>, ctx: &Ctx<'_>) -> Outcome {
        self.filter = filter;
        self.remake(ctx)
    }

    fn listed(&self, _session: &Session, limit: usize) -> Option<Vec<ResourceId>> {
        Some(self.neighbors().take(limit).collect())
    }
}

/// The name and the type of a neighbor.
fn row_text(stack: &Stack, id: ResourceId) -> String {
    format!("{} {}", stack.placed_name(id), stack.ty(id))
}

/// The resource to put in the middle.
fn subject(session: &Session) -> Option<ResourceId> {
    Some(session.stack().own_record(session.current?))
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
                bridge: None,
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
        bridge: None,
        properties: None,
    });
    (entries.collect(), Some(reached.len()))
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
