//! The tree of resources, down into their properties.

mod draw;
mod props;

use std::collections::HashMap;
use std::ops::Range;

use super::Filter;
use crate::stack::{Flags, ResourceId, Stack};
use crate::tree::{Arrangement, Folds, Node, Order, RowPosition, Tree};
use crate::tui::rows::Row;
use crate::tui::widgets::cursor::{Cursor, Page, Scroll};

pub(in crate::modules::tui) use draw::{BadgeWords, badges, guides, provider_label, short_type};
use props::Props;

/// The tree and its cursor.
#[derive(Debug)]
pub struct TreePane {
    /// The rows.
    pub tree: Tree,
    /// The selected row.
    pub cursor: Cursor,
    /// The hierarchy that was chosen. The tree follows once it is arranged.
    pub arrangement: Arrangement,
    /// The order of siblings.
    pub order: Order,
    /// The filter of the tree, if one is set.
    pub filter: Option<Filter>,
    /// The node at the cursor, and the offset of the cursor's row below it. It is kept while rows come and go.
    at: Option<(Node, usize)>,
    /// Properties shown on rows of the tree, by the node they belong to.
    props: HashMap<Node, Props>,
    /// The resources that a search found, and the rows that show them, ascending.
    hits: Vec<ResourceId>,
    hit_rows: Vec<usize>,
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
            hits: Vec::new(),
            hit_rows: Vec::new(),
        }
    }
}

/// Maximum number of ancestors that stay on the screen above the rows.
const MAX_STICKY: usize = 3;

/// Maximum number of hits that the scrollbar marks. More would fill it.
const MAX_HITS: usize = 2000;

impl TreePane {
    /// The place of the cursor.
    pub fn place(&self) -> Option<RowPosition> {
        self.tree.at(self.cursor.row)
    }

    /// The node that the cursor is on or in.
    pub fn node(&self) -> Option<Node> {
        self.place().map(|place| place.node)
    }

    /// The resource that the cursor is on or in.
    pub fn resource(&self) -> Option<ResourceId> {
        self.node()?.resource()
    }

    /// The row of values at the cursor. `None` on the row of a node itself.
    pub fn row(&self) -> Option<&Row> {
        let place = self.place()?;
        self.props
            .get(&place.node)?
            .rows
            .get(place.offset.checked_sub(1)?)
    }

    /// True if the properties of this node are on rows, or would be if it were open.
    pub fn has_props(&self, node: Node) -> bool {
        self.props.contains_key(&node)
    }

    /// Moves the cursor by rows.
    pub fn step(&mut self, delta: isize, height: usize) {
        self.go(self.cursor.row.saturating_add_signed(delta), height);
    }

    /// Moves the cursor to a row.
    pub fn go(&mut self, row: usize, height: usize) {
        self.cursor.select(row);
        self.fit(height);
        self.note_place();
    }

    /// Takes the cursor after it moved.
    pub fn set_cursor(&mut self, cursor: Cursor, height: usize) {
        self.cursor = cursor;
        self.fit(height);
        self.note_place();
    }

    /// Moves the cursor to a node and opens the nodes around it. Returns false if it is not in the tree.
    pub fn select(&mut self, node: Node, height: usize) -> bool {
        if !self.tree.contains(node) {
            return false;
        }
        let n_rows = self.tree.len();
        self.tree.open_around(node);
        if self.tree.len() != n_rows {
            self.place_hits();
        }
        if let Some(row) = self.tree.row(node) {
            self.go(row, height);
        }
        true
    }

    /// Moves the cursor from the row of an open node to a row of its values.
    pub fn step_into(&mut self, offset: usize, height: usize) {
        let n_rows = self.node().and_then(|node| self.props.get(&node));
        let offset = offset.min(n_rows.map_or(0, |props| props.rows.len()));
        self.go(self.cursor.row + offset, height);
    }

    /// Scrolls without moving the cursor, as far as possible.
    pub fn scroll(&mut self, scroll: Scroll, height: usize) {
        self.cursor
            .scroll(scroll, Page::flat(self.tree.len(), height));
        // The first lines may show ancestors instead of rows.
        let n_hidden = self.sticky(height).len() + Cursor::margin(height);
        if self.cursor.top > 0 {
            self.cursor.row = self.cursor.row.max(self.cursor.top + n_hidden);
        }
        self.note_place();
    }

    /// Moves the rows on the screen so that they include the cursor, after the screen changed.
    pub fn fit(&mut self, height: usize) {
        self.cursor.fit(Page::flat(self.tree.len(), height));
        for _ in 0..MAX_STICKY {
            let n_hidden = self.sticky(height).len();
            let top = self
                .cursor
                .row
                .saturating_sub(Cursor::margin(height) + n_hidden);
            if self.cursor.top <= top {
                break;
            }
            self.cursor.top = top;
        }
    }

    /// The ancestors of the first rows, outermost first, if they are above the screen. They take the first lines, so the cursor keeps
    /// away from these.
    pub fn sticky(&self, height: usize) -> Vec<usize> {
        // Half of the lines are for rows.
        let most = MAX_STICKY.min((height / 2).saturating_sub(Cursor::margin(height)));
        for n_lines in 0..=most {
            let mut above = self.ancestors(self.cursor.top + n_lines, most);
            if above.len() <= n_lines || n_lines == most {
                above.reverse();
                return above;
            }
        }
        Vec::new()
    }

    /// The rows of the innermost ancestors of a row, innermost first.
    fn ancestors(&self, row: usize, most: usize) -> Vec<usize> {
        let Some(place) = self.tree.at(row) else {
            return Vec::new();
        };
        let mut next = if place.offset > 0 {
            Some(place.node)
        } else {
            self.tree.parent(place.node)
        };
        let mut rows = Vec::new();
        while let Some(node) = next.filter(|_| rows.len() < most) {
            rows.extend(self.tree.row(node));
            next = self.tree.parent(node);
        }
        rows
    }

    /// Marks the hits of a search in the scrollbar.
    pub fn set_hits(&mut self, hits: &[ResourceId]) {
        let hits = if hits.len() > MAX_HITS { &[] } else { hits };
        if self.hits != hits {
            self.hits = hits.to_vec();
            self.place_hits();
        }
    }

    fn place_hits(&mut self) {
        let rows = self.hits.iter();
        let rows = rows.filter_map(|id| self.tree.nearest_row(Node::Resource(*id)));
        self.hit_rows = rows.collect();
        self.hit_rows.sort_unstable();
    }

    /// True if one of the rows is a hit, or has one folded below it.
    fn has_hit(&self, rows: Range<usize>) -> bool {
        let next = self.hit_rows.partition_point(|row| *row < rows.start);
        self.hit_rows.get(next).is_some_and(|row| *row < rows.end)
    }

    fn note_place(&mut self) {
        self.at = self.place().map(|place| (place.node, place.offset));
    }

    /// Adjusts the cursor after rows came or went. It stays on its row, and that row keeps its place on the screen.
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
        self.fit(height);
        self.note_place();
        self.place_hits();
    }

    /// Puts the cursor on the first row, whatever that becomes.
    pub fn aim_at_top(&mut self) {
        self.at = None;
        self.cursor = Cursor::default();
    }

    /// Makes the cursor go to `node` when the next tree arrives. The nodes around it are opened then.
    pub fn aim(&mut self, node: Node) {
        if self.at.is_none_or(|(at, _)| at != node) {
            self.at = Some((node, 0));
        }
    }

    /// Replaces the tree by another one over the same stack. Open properties stay.
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
        self.hits.clear();
        self.hit_rows.clear();
    }

    /// Opens or closes a node.
    pub fn set_open(&mut self, node: Node, open: bool, height: usize) {
        self.tree.set_open(node, open);
        self.settle(height);
    }

    /// Moves to the surrounding row: the container, the node or the parent node. Returns false if there is none.
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

    /// Moves the cursor by `step` siblings.
    pub fn go_sibling(&mut self, step: isize, height: usize) {
        let Some(place) = self.place() else {
            return;
        };
        if place.offset > 0 {
            let rows = self.props.get(&place.node).map_or(&[][..], |it| &it.rows);
            let first = self.cursor.row + 1 - place.offset;
            let row = first + super::list::sibling(rows, place.offset - 1, step);
            self.go(row, height);
        } else if let Some(row) = self
            .tree
            .sibling(place.node, step)
            .and_then(|node| self.tree.row(node))
        {
            self.go(row, height);
        }
    }
}

/// True if a node without children has values to show.
pub(in crate::modules::tui) fn is_openable(stack: &Stack, node: Node) -> bool {
    match node {
        Node::Resource(id) => !stack.record(id).flags.contains(Flags::BROKEN),
        Node::Outputs => true,
        _ => false,
    }
}
