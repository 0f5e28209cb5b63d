//! The properties of open nodes, on rows of the tree.

use std::collections::{HashMap, HashSet};

use super::TreePane;
use crate::path::Path;
use crate::stack::{Resource, ResourceId, Stack};
use crate::tree::Node;
use crate::tui::rows::{self, Fold, Look, Part, Row, Spot};
use crate::value::Value;

#[derive(Debug)]
pub(super) struct Props {
    /// The values, by part.
    parts: Vec<(Part, Value)>,
    sources: HashMap<Path, Vec<(String, String)>>,
    open: HashSet<Spot>,
    pub(super) rows: Vec<Row>,
}

impl TreePane {
    /// Puts the properties of a resource on rows below it.
    pub fn set_resource(&mut self, id: ResourceId, resource: &Resource, stack: &Stack) {
        let mut parts = rows::parts(resource);
        parts.retain(|(part, _)| !part.starts_closed());
        self.set_props(Node::Resource(id), parts, rows::sources(resource), stack);
    }

    /// Puts the outputs of the stack on rows.
    pub fn set_outputs(&mut self, outputs: Value, stack: &Stack) {
        let parts = vec![(Part::Outputs, outputs)];
        self.set_props(Node::Outputs, parts, HashMap::new(), stack);
    }

    fn set_props(
        &mut self,
        node: Node,
        parts: Vec<(Part, Value)>,
        sources: HashMap<Path, Vec<(String, String)>>,
        stack: &Stack,
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
        props.make_rows(None, stack);
        self.tree.set_extra(node, props.rows.len());
        self.props.insert(node, props);
    }

    /// Rebuilds the rows of values after one was opened, closed, revealed or hidden.
    pub fn remake(&mut self, node: Node, revealed: Option<&Spot>, stack: &Stack, height: usize) {
        if let Some(props) = self.props.get_mut(&node) {
            props.make_rows(revealed, stack);
            self.tree.set_extra(node, props.rows.len());
        }
        self.settle(height);
    }

    /// Opens or closes the row of values at the cursor. Returns false if it is a leaf or if the cursor is not on a row of values.
    pub fn toggle_value(&mut self, revealed: Option<&Spot>, stack: &Stack, height: usize) -> bool {
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
        self.remake(place.node, revealed, stack, height);
        true
    }
}

impl Props {
    fn make_rows(&mut self, revealed: Option<&Spot>, stack: &Stack) {
        let look = Look {
            open: &self.open,
            revealed,
            sources: &self.sources,
            stack,
        };
        let has_headings = self.parts.len() != 1;
        self.rows = rows::rows_of_parts(&self.parts, look, |part| {
            has_headings.then(|| self.open.contains(&Spot::top(part)))
        });
    }
}
