//! The dataset of `stacklens export`: its tables, and the rows of a stack.
//!
//! [`Table`] has the columns. A [`Rows`] takes the rows of one version of a stack, resource by resource; `load::export` writes them into
//! Parquet files. Nothing here knows files.
//!
//! # Laws
//!
//! 1. **Masked values are no rows' text.** A value that is secret, that holds no more than a mask, or that is secret by its form has a row
//!    with its kind alone.
//! 2. **Everything else is exact.** `text` is the whole text of a value, and the decimal digits of a number as the file has them.
//! 3. **One row for each value without parts.** Empty maps and lists are such values; others are only in the paths of what they hold.
//!
//! # Example
//!
//! ```
//! use stacklens::dataset::{Rows, Table};
//! use stacklens::load::{Input, load};
//!
//! let state = br#"{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "outputs": {}, "resources": [
//!     {"mode": "managed", "type": "db", "name": "main", "provider": "provider[\"example.com/acme/db\"]", "instances": [
//!         {"schema_version": 0, "attributes": {"size": 3, "tags": {}}}]}]}"#;
//! let document = load(&Input::bytes("terraform.tfstate", &state[..])).unwrap();
//! let mut rows = Rows::new("v1");
//! for id in document.stack.ids() {
//!     rows.add_resource(&document.stack, id, document.resource(id).ok().as_ref());
//! }
//! assert_eq!(rows.of(Table::Resources).len(), 1);
//! assert_eq!(rows.of(Table::Properties).len(), 2);
//! ```

mod buffer;
mod changes;
mod properties;
mod tables;

pub use buffer::{Buffer, Cell, ColumnBuffer, Values};
pub use tables::{Column, ColumnType, Table};

use crate::change::causes::dependencies;
use crate::path::Path;
use crate::search::sections;
use crate::stack::{Edge, Flags, Output, Resource, ResourceId, Stack};
use crate::value::Value;

/// Maximum number of dependencies of a resource that say their property.
const MAX_WITH_PROPERTIES: usize = 100_000;

/// Rows of all tables, of one version of a stack.
#[derive(Clone, Debug)]
pub struct Rows {
    version: String,
    buffers: [Buffer; Table::COUNT],
}

/// A finding, of whatever made it.
#[derive(Clone, Copy, Debug)]
pub struct FindingRow<'f> {
    /// The part of the program that made it.
    pub source: &'f str,
    /// Its kind, the id of a rule, or the name of a mechanism.
    pub rule: &'f str,
    /// The severity or level.
    pub severity: &'f str,
    /// The resource, if it is one.
    pub resource: Option<ResourceId>,
    /// The address of the resource, or the place in other words.
    pub address: &'f str,
    /// The property; the top if it is about the whole.
    pub path: &'f Path,
    /// The sentence.
    pub message: &'f str,
}

/// A resource that reads the outputs of another stack.
#[derive(Clone, Copy, Debug)]
pub struct ReadingRow<'r> {
    /// The resource.
    pub resource: ResourceId,
    /// The word for the kind of edge.
    pub kind: &'r str,
    /// The stack, as the file names it.
    pub target: &'r str,
    /// The stack, as [`Table::Stacks`] refers to it.
    pub target_stack: &'r str,
}

impl Rows {
    /// No rows yet of this version.
    pub fn new(version: impl Into<String>) -> Self {
        Self {
            version: version.into(),
            buffers: Table::ALL.map(Buffer::new),
        }
    }

    /// The rows of a table.
    #[cfg(any(test, feature = "internals"))]
    pub fn of(&self, table: Table) -> &Buffer {
        &self.buffers[table.position()]
    }

    /// The rows of all tables, in the order of [`Table::ALL`].
    pub fn buffers_mut(&mut self) -> &mut [Buffer; Table::COUNT] {
        &mut self.buffers
    }

    /// The memory that the rows take, in bytes.
    pub fn n_bytes(&self) -> usize {
        self.buffers.iter().map(Buffer::n_bytes).sum()
    }

    /// Adds all rows of another version.
    pub fn append(&mut self, other: &Self) {
        for (own, more) in self.buffers.iter_mut().zip(&other.buffers) {
            own.append(more);
        }
    }

    /// Adds a row. The version is not among its cells.
    fn push<const N: usize>(&mut self, table: Table, cells: [Cell<'_>; N]) {
        self.buffers[table.position()].push((&*self.version).into(), &cells);
    }

    /// Adds a resource with its properties and dependencies; `None` if it could not be read.
    pub fn add_resource(&mut self, stack: &Stack, id: ResourceId, resource: Option<&Resource>) {
        let (mut n_rows, mut n_masked) = (0, 0);
        for (is_before, section, value) in resource.into_iter().flat_map(sections) {
            let section = properties::section(is_before, section);
            let counts = self.add_values(Some(id), section, String::new(), &value);
            n_rows += counts.n_rows;
            n_masked += counts.n_masked;
        }
        let record = stack.record(id);
        let mut flags = ",".to_owned();
        let words = record.flags.names();
        words.for_each(|word| flags.extend([word, ","]));
        let parent = stack.parent_name(id);
        let provider = stack.provider(id);
        let module = stack.module_call(id);
        self.push(
            Table::Resources,
            [
                Cell::count(id.0.into()),
                (&*stack.identity(id)).into(),
                (&*stack.urn(id)).into(),
                stack.ty(id).into(),
                stack.short_name(id).into(),
                provider_id(stack, id, resource).as_deref().into(),
                stack.mode(id).name().into(),
                record.flags.contains(Flags::CUSTOM).into(),
                stack.modules(id).as_deref().into(),
                module.map(|module| &*module.source).into(),
                module.map_or(Cell::Null, |module| Cell::filled(&module.version)),
                parent.as_deref().into(),
                Cell::filled(provider),
                stack.header.locked_version(provider).into(),
                (&*flags).into(),
                stack.effect(id).map(crate::stack::Action::name).into(),
                record.flags.contains(Flags::DRIFT_ENTRY).into(),
                Cell::count(record.span.len.into()),
                Cell::count(n_rows),
                Cell::count(n_masked),
            ],
        );
        if let Some(resource) = resource {
            self.add_dependencies(stack, id, resource);
        }
    }

    fn add_dependencies(&mut self, stack: &Stack, id: ResourceId, resource: &Resource) {
        let edges: Vec<&Edge> = resource.edges.iter().collect();
        if edges.is_empty() && stack.graph.depends_on(id).is_empty() {
            return;
        }
        for (kind, to, edge) in dependencies(stack, id, &edges, MAX_WITH_PROPERTIES) {
            let property = edge.and_then(|edge| Some(edge.property.as_ref()?.to_tolerant()));
            let named = || to.map_or_else(String::new, |to| stack.identity(to));
            let target = edge.map_or_else(named, |edge| edge.target.clone());
            self.push(
                Table::Dependencies,
                [
                    Cell::count(id.0.into()),
                    kind.name().into(),
                    (&*target).into(),
                    to.map_or(Cell::Null, |to| Cell::count(to.0.into())),
                    Cell::Null,
                    property.as_deref().into(),
                    edge.and_then(|edge| edge.attribute.as_deref()).into(),
                ],
            );
        }
    }

    /// Adds an edge to another stack.
    pub fn add_reading(&mut self, row: &ReadingRow<'_>) {
        self.push(
            Table::Dependencies,
            [
                Cell::count(row.resource.0.into()),
                row.kind.into(),
                row.target.into(),
                Cell::Null,
                row.target_stack.into(),
                Cell::Null,
                Cell::Null,
            ],
        );
    }

    /// Adds an output of the stack, with its change in a plan.
    pub fn add_output(&mut self, output: &Output) {
        // A value that is secret on one side of a change is masked on both.
        let output = output.clone().with_mirrored_masks();
        let mut start = String::new();
        crate::path::Segment::Key(output.name.clone()).push_onto(&mut start);
        self.add_values(None, "outputs", start.clone(), &output.value);
        if let Some(before) = &output.before {
            self.add_values(None, "before.outputs", start.clone(), before);
        }
        if let Some(action) = output.action {
            self.add_output_change(&output, &start, action);
        }
    }

    /// Adds a finding.
    pub fn add_finding(&mut self, row: &FindingRow<'_>) {
        let path = (!row.path.0.is_empty()).then(|| row.path.to_tolerant());
        self.push(
            Table::Findings,
            [
                row.source.into(),
                row.rule.into(),
                row.severity.into(),
                row.resource
                    .map_or(Cell::Null, |id| Cell::count(id.0.into())),
                Cell::filled(row.address),
                path.as_deref().into(),
                row.message.into(),
            ],
        );
    }
}

/// The id at the provider, unless it is masked or not known.
fn provider_id(stack: &Stack, id: ResourceId, resource: Option<&Resource>) -> Option<String> {
    let text = stack.provider_id(id);
    let of_resource = resource.and_then(|resource| resource.id.as_ref());
    let is_plain = !text.is_empty() && !of_resource.is_some_and(Value::is_masked);
    is_plain.then(|| text.to_owned())
}
