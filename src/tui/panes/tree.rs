//! The tree of resources, down into their properties.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ratatui::buffer::Buffer;

use super::{Ctx, draw_indent, draw_row, glyph};
use crate::stack::{Action, Flags, Resource, ResourceId, Stack};
use crate::tree::{Arrangement, Folds, Node, Order, Place, Tree};
use crate::tui::layout::Pane;
use crate::tui::rows::{self, Fold, Look, Part, Row, Span, Spot};
use crate::tui::theme::Role;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::text::{count, fit, width};
use crate::urn;
use crate::value::Value;

/// A query that the tree is reduced to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    /// As it was typed.
    pub query: String,
    /// What it found, ascending.
    pub ids: Vec<ResourceId>,
}

/// The tree and its cursor.
#[derive(Debug)]
pub struct TreePane {
    /// The rows.
    pub tree: Tree,
    /// The selected row.
    pub cursor: Cursor,
    /// What lies below what; the tree follows when it is arranged.
    pub arrangement: Arrangement,
    /// In which order siblings stand.
    pub order: Order,
    /// What the tree is reduced to.
    pub filter: Option<Filter>,
    /// What the cursor is on: it stays there while rows come and go around it.
    at: Option<(Node, usize)>,
    /// Properties on rows of the tree, by the node that is open.
    props: HashMap<Node, Props>,
}

#[derive(Debug)]
struct Props {
    /// The values, by part.
    parts: Vec<(Part, Value)>,
    sources: HashMap<crate::path::Path, Vec<(String, String)>>,
    open: HashSet<Spot>,
    rows: Vec<Row>,
}

impl Default for TreePane {
    fn default() -> Self {
        Self {
            tree: Tree::empty(Arrangement::Parent, Folds::default()),
            cursor: Cursor::default(),
            arrangement: Arrangement::Parent,
            order: Order::Name,
            filter: None,
            at: None,
            props: HashMap::new(),
        }
    }
}

impl TreePane {
    /// What the cursor is on.
    pub fn place(&self) -> Option<Place> {
        self.tree.at(self.cursor.row)
    }

    /// The node that the cursor is on or in.
    pub fn node(&self) -> Option<Node> {
        self.place().map(|place| place.node)
    }

    /// The resource that the cursor is on or in.
    pub fn resource(&self) -> Option<ResourceId> {
        match self.node()? {
            Node::Resource(id) => Some(id),
            _ => None,
        }
    }

    /// The row of values that the cursor is on; `None` on the row of a node itself.
    pub fn row(&self) -> Option<&Row> {
        let place = self.place()?;
        self.props
            .get(&place.node)?
            .rows
            .get(place.offset.checked_sub(1)?)
    }

    /// Whether properties of this node are on rows, or would be if it were open.
    pub fn has_props(&self, node: Node) -> bool {
        self.props.contains_key(&node)
    }

    /// Moves the cursor by rows.
    pub fn step(&mut self, delta: isize, height: usize) {
        self.cursor.step(delta, self.tree.len(), height);
        self.note_place();
    }

    /// Moves the cursor to a row.
    pub fn go(&mut self, row: usize, height: usize) {
        self.cursor.go(row, self.tree.len(), height);
        self.note_place();
    }

    /// Moves the cursor to a node and opens what is around it. False if it is not in the tree.
    pub fn select(&mut self, node: Node, height: usize) -> bool {
        if !self.tree.contains(node) {
            return false;
        }
        self.tree.open_around(node);
        if let Some(row) = self.tree.row(node) {
            self.go(row, height);
        }
        true
    }

    /// Scrolls without moving the cursor, as far as that is possible.
    pub fn scroll(&mut self, delta: isize, height: usize) {
        self.cursor.scroll(delta, self.tree.len(), height);
        self.note_place();
    }

    fn note_place(&mut self) {
        self.at = self.place().map(|place| (place.node, place.offset));
    }

    /// After rows came or went: the cursor stays on its row, and that row where it is on the screen.
    pub fn settle(&mut self, height: usize) {
        if let Some((node, offset)) = self.at
            && let Some(row) = self.tree.nearest_row(node)
        {
            let on_screen = self.cursor.row.saturating_sub(self.cursor.top);
            let extra = self.props.get(&node).map_or(0, |props| props.rows.len());
            let is_open = self.tree.is_open(node) && self.tree.row(node).is_some();
            let offset = if is_open { offset.min(extra) } else { 0 };
            self.cursor.row = row + offset;
            self.cursor.top = self.cursor.row.saturating_sub(on_screen);
        }
        self.cursor.fit(self.tree.len(), height);
        self.note_place();
    }

    /// Lets the cursor be on the first row, whatever that will be.
    pub fn aim_at_top(&mut self) {
        self.at = None;
        self.cursor = Cursor::default();
    }

    /// Lets the cursor go to `node` with the next tree, whatever is around it.
    pub fn aim(&mut self, node: Node) {
        if self.at.is_none_or(|(at, _)| at != node) {
            self.at = Some((node, 0));
        }
    }

    /// Takes another tree over the same stack; open properties stay.
    pub fn set_tree(&mut self, tree: Tree, height: usize) {
        self.tree = tree;
        for (node, props) in &self.props {
            self.tree.set_extra(*node, props.rows.len());
        }
        if let Some((node, _)) = self.at {
            self.tree.open_around(node);
        }
        self.settle(height);
    }

    /// Forgets everything that belongs to a file.
    pub fn clear(&mut self, folds: Folds) {
        self.tree = Tree::empty(self.arrangement, folds);
        self.props.clear();
        self.at = None;
        self.cursor = Cursor::default();
    }

    /// Opens or closes a node.
    pub fn set_open(&mut self, node: Node, open: bool, height: usize) {
        self.tree.set_open(node, open);
        self.settle(height);
    }

    /// Puts the properties of a resource on rows below it.
    pub fn set_resource(&mut self, id: ResourceId, resource: &Resource, pulumi: bool) {
        let mut parts = Vec::new();
        if let Some(state) = resource.current() {
            for part in [Part::Inputs, Part::Outputs] {
                let value = part.section().and_then(|section| state.section(section));
                parts.extend(value.map(|value| (part, value.clone())));
            }
        }
        self.set_props(Node::Resource(id), parts, rows::sources(resource), pulumi);
    }

    /// Puts the outputs of the stack on rows.
    pub fn set_outputs(&mut self, outputs: Value, pulumi: bool) {
        let parts = vec![(Part::Outputs, outputs)];
        self.set_props(Node::Outputs, parts, HashMap::new(), pulumi);
    }

    fn set_props(
        &mut self,
        node: Node,
        parts: Vec<(Part, Value)>,
        sources: HashMap<crate::path::Path, Vec<(String, String)>>,
        pulumi: bool,
    ) {
        let open = self
            .props
            .remove(&node)
            .map(|props| props.open)
            .unwrap_or_default();
        let mut props = Props {
            parts,
            sources,
            open,
            rows: Vec::new(),
        };
        props.make_rows(None, pulumi);
        self.tree.set_extra(node, props.rows.len());
        self.props.insert(node, props);
    }

    /// Makes the rows of values again, after one was opened, closed, revealed or hidden.
    pub fn remake(&mut self, node: Node, revealed: Option<&Spot>, pulumi: bool, height: usize) {
        if let Some(props) = self.props.get_mut(&node) {
            props.make_rows(revealed, pulumi);
            self.tree.set_extra(node, props.rows.len());
        }
        self.settle(height);
    }

    /// Opens or closes the row of values that the cursor is on. False if it is a leaf or none.
    pub fn toggle_value(&mut self, revealed: Option<&Spot>, pulumi: bool, height: usize) -> bool {
        let Some(place) = self.place() else {
            return false;
        };
        let Some(row) = self.row().cloned() else {
            return false;
        };
        let Some(props) = self.props.get_mut(&place.node) else {
            return false;
        };
        match row.fold {
            Fold::Leaf => return false,
            Fold::Closed => props.open.insert(row.spot),
            Fold::Open => props.open.remove(&row.spot),
        };
        self.remake(place.node, revealed, pulumi, height);
        true
    }

    /// The row around the cursor: of the container, the node, the node above.
    pub fn go_around(&mut self, height: usize) -> bool {
        let Some(place) = self.place() else {
            return false;
        };
        let row = if place.offset > 0 {
            let rows = self.props.get(&place.node).map_or(&[][..], |it| &it.rows);
            let index = place.offset - 1;
            let depth = rows.get(index).map_or(0, |row| row.depth);
            let above = rows[..index.min(rows.len())]
                .iter()
                .rposition(|row| row.depth < depth);
            let back = above.map_or(place.offset, |above| index - above);
            Some(self.cursor.row - back)
        } else {
            self.tree
                .parent(place.node)
                .and_then(|it| self.tree.row(it))
        };
        if let Some(row) = row {
            self.go(row, height);
        }
        row.is_some()
    }

    /// Goes `step` siblings on.
    pub fn go_sibling(&mut self, step: isize, height: usize) {
        let Some(place) = self.place() else {
            return;
        };
        if place.offset > 0 {
            let rows = self.props.get(&place.node).map_or(&[][..], |it| &it.rows);
            let mut list = super::list::RowList {
                rows: rows.to_vec(),
                ..Default::default()
            };
            list.cursor.row = place.offset - 1;
            list.sibling(step, height);
            let row = self.cursor.row + list.cursor.row + 1 - place.offset;
            self.go(row, height);
        } else if let Some(row) = self
            .tree
            .sibling(place.node, step)
            .and_then(|node| self.tree.row(node))
        {
            self.go(row, height);
        }
    }

    /// Draws the pane.
    pub fn view(&self, ctx: Ctx<'_>, pane: Pane, buffer: &mut Buffer) {
        let labels = Labels {
            title: self.title(),
            status: format!(
                "{}/{}",
                count(self.cursor.row as u64 + u64::from(!self.tree.is_empty())),
                count(self.tree.len() as u64)
            ),
            focused: ctx.focused,
        };
        frame::draw(pane, &labels, ctx.theme, buffer);
        let area = pane.inner;
        for line in 0..area.height {
            let row = self.cursor.top + usize::from(line);
            let Some(place) = self.tree.at(row) else {
                break;
            };
            let is_selected = row == self.cursor.row;
            let mut pen = Pen::new(buffer, ctx.theme, area, line);
            pen.put(if is_selected { "▶" } else { " " }, Role::Focus);
            self.draw(&mut pen, ctx, place);
            if is_selected {
                let line = ratatui::layout::Rect::new(area.x, area.y + line, area.width, 1);
                ctx.theme.highlight(buffer, line, ctx.focused);
            }
        }
    }

    fn title(&self) -> String {
        let mut title = "Resources".to_owned();
        if self.tree.arrangement() != Arrangement::Parent {
            title.push_str(" · ");
            title.push_str(self.tree.arrangement().name());
        }
        if self.order != Order::Name {
            title.push_str(" · by ");
            title.push_str(self.order.name());
        }
        if let Some(filter) = &self.filter {
            title.push_str(" · filter: ");
            title.push_str(&rows::shown(&filter.query));
        }
        title
    }

    fn draw(&self, pen: &mut Pen<'_>, ctx: Ctx<'_>, place: Place) {
        if let Some(index) = place.offset.checked_sub(1) {
            let row = self
                .props
                .get(&place.node)
                .and_then(|props| props.rows.get(index));
            if let Some(row) = row {
                pen.skip(1);
                draw_indent(pen, place.depth + 1);
                let row = Row {
                    remark: Vec::new(),
                    ..row.clone()
                };
                draw_row(pen, &row, 16);
            }
            return;
        }
        let is_marked = matches!(place.node, Node::Resource(id) if ctx.marks.contains(&id));
        pen.put(if is_marked { "●" } else { " " }, Role::Badge);
        draw_indent(pen, place.depth);
        let is_openable =
            self.tree.n_children(place.node) > 0 || is_openable(ctx.stack, place.node);
        let fold = match (is_openable, self.tree.is_open(place.node)) {
            (false, _) => Fold::Leaf,
            (true, false) => Fold::Closed,
            (true, true) => Fold::Open,
        };
        pen.put(glyph(fold), Role::Dim);
        match place.node {
            Node::Resource(id) => self.draw_resource(pen, ctx.stack, id, fold),
            Node::Group(group) => {
                let group = ctx.stack.tables.group(group);
                let above = group
                    .parent
                    .map_or("", |it| &ctx.stack.tables.group(it).path);
                let name = group.path.strip_prefix(above).unwrap_or(&group.path);
                pen.put_right(&[Span::new("module", Role::Type)]);
                let name = rows::shown(name.trim_start_matches('.'));
                pen.put(&name, Role::Title);
                self.draw_count(pen, place.node, fold);
            }
            Node::Type(prefix) => {
                let ty = ctx.stack.tables.prefix(prefix).ty();
                pen.put(&rows::shown(ty), Role::Title);
                self.draw_count(pen, place.node, fold);
            }
            Node::Providers => {
                pen.put_right(&[Span::new(". shows", Role::Dim)]);
                pen.put("providers", Role::Text);
                self.draw_count(pen, place.node, fold);
            }
            Node::Outputs => {
                pen.put("outputs", Role::Title);
                let n = ctx.stack.outputs.len();
                pen.put(&format!(" ({n})"), Role::Dim);
            }
        }
    }

    fn draw_count(&self, pen: &mut Pen<'_>, node: Node, fold: Fold) {
        if fold == Fold::Closed || !matches!(node, Node::Resource(_)) {
            let n = self.tree.n_resources(node);
            if n > 0 {
                pen.put(&format!(" ({})", count(n as u64)), Role::Dim);
            }
        }
    }

    fn draw_resource(&self, pen: &mut Pen<'_>, stack: &Stack, id: ResourceId, fold: Fold) {
        let record = stack.record(id);
        if let Some(action) = record.action
            && action != Action::Noop
        {
            pen.put(action.sign(), Role::from(action))
                .put(" ", Role::Text);
        }
        let name = match self.tree.arrangement() {
            Arrangement::Parent => stack.short_name(id),
            Arrangement::Flat | Arrangement::Type => stack.name(id),
        };
        let name = rows::shown(name);
        let mut right = badges(record.flags);
        let n_below = self.tree.n_resources(Node::Resource(id));
        let needed = width(&name) + if n_below > 0 { 8 } else { 1 };
        let room = pen.room().saturating_sub(needed + width_of(&right) + 1);
        // An address has the type in it.
        if self.tree.arrangement() != Arrangement::Type && stack.address(id).is_none() {
            let ty = short_type(stack, id);
            if room >= 6 {
                if !right.is_empty() {
                    right.push(Span::new(" ", Role::Text));
                }
                right.push(Span::new(fit(&ty, room), Role::Type));
            }
        }
        pen.put_right(&right);
        let role = if record.flags.contains(Flags::BROKEN) {
            Role::Danger
        } else {
            Role::Text
        };
        pen.put(&name, role);
        self.draw_count(pen, Node::Resource(id), fold);
    }
}

impl Props {
    fn make_rows(&mut self, revealed: Option<&Spot>, pulumi: bool) {
        let look = Look {
            open: &self.open,
            revealed,
            sources: &self.sources,
            pulumi,
        };
        let mut all = Vec::new();
        let is_alone = self.parts.len() == 1;
        for (part, value) in &self.parts {
            let top = Spot::top(*part);
            let mut depth = 0;
            if !is_alone {
                let open = self.open.contains(&top);
                all.push(heading(*part, value, open));
                if !open {
                    continue;
                }
                depth = 1;
            }
            all.extend(rows::rows_below(value, &top, depth, look));
        }
        self.rows = all;
    }
}

/// The row above the values of a part.
pub(super) fn heading(part: Part, value: &Value, open: bool) -> Row {
    let n = value.as_map().map_or(0, crate::value::Map::len);
    Row {
        depth: 0,
        fold: if open { Fold::Open } else { Fold::Closed },
        label: part.name().to_owned(),
        align: 0,
        body: vec![Span::new(format!(" ({n})"), Role::Dim)],
        remark: Vec::new(),
        spot: Spot::top(part),
        leads: rows::Leads::Nowhere,
        secret: false,
    }
}

/// Whether a node without children has something of its own to show.
pub(in crate::tui) fn is_openable(stack: &Stack, node: Node) -> bool {
    match node {
        Node::Resource(id) => !stack.record(id).flags.contains(Flags::BROKEN),
        Node::Outputs => true,
        _ => false,
    }
}

/// The type as rows show it: without what says nothing.
pub(in crate::tui) fn short_type(stack: &Stack, id: ResourceId) -> String {
    let ty = stack.ty(id);
    if !stack.header.kind.is_pulumi() {
        return rows::shown(ty);
    }
    let ty = urn::display_type(ty);
    let parts: Vec<&str> = ty.split(':').collect();
    match parts[..] {
        [package, module, name] if module == "index" || module == package => {
            rows::shown(&format!("{package}:{name}"))
        }
        _ => rows::shown(&ty),
    }
}

/// What one should know of a resource before looking at it.
pub(in crate::tui) fn badges(flags: Flags) -> Vec<Span> {
    const BADGES: [(Flags, &str, Role); 13] = [
        (Flags::BROKEN, "unreadable!", Role::Danger),
        (Flags::PENDING_DELETE, "pending delete!", Role::Danger),
        (Flags::DEPOSED, "deposed!", Role::Danger),
        (Flags::TAINTED, "tainted!", Role::Danger),
        (Flags::PENDING_REPLACEMENT, "pending replace!", Role::Danger),
        (Flags::PENDING_OPERATION, "operation pending!", Role::Danger),
        (Flags::INIT_ERRORS, "init errors!", Role::Danger),
        (Flags::DRIFTED, "drifted", Role::Badge),
        (Flags::DEFERRED, "deferred", Role::Badge),
        (Flags::EXTERNAL, "external", Role::Badge),
        (Flags::PROTECTED, "protected", Role::Badge),
        (Flags::RETAIN_ON_DELETE, "retained", Role::Badge),
        (Flags::DATA, "data", Role::Badge),
    ];
    let mut spans = Vec::new();
    for (flag, text, role) in BADGES {
        let is_said_by_other = flag == Flags::EXTERNAL && flags.contains(Flags::DATA);
        if flags.contains(flag) && !is_said_by_other {
            if !spans.is_empty() {
                spans.push(Span::new(" ", Role::Text));
            }
            spans.push(Span::new(text, role));
        }
    }
    spans
}

/// The values of the outputs of the stack as one map.
pub fn outputs_map(stack: &Stack) -> Value {
    let entries = stack.outputs.iter();
    Value::from(
        entries
            .map(|output| (Arc::clone(&output.name), output.value.clone()))
            .collect::<crate::value::Map>(),
    )
}
