//! Values as rows.

use super::{Cell, Rows, Table};
use crate::path::Segment;
use crate::search::leaf;
use crate::stack::{ResourceId, Section};
use crate::value::{Payload, Shown, Value};

/// Numbers of rows of properties.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Counts {
    /// All.
    pub(super) n_rows: u64,
    /// Those that are masked.
    pub(super) n_masked: u64,
}

/// The word for a section.
pub(super) fn section(is_before: bool, section: Section) -> &'static str {
    match (is_before, section) {
        (false, section) => section.name(),
        (true, Section::Inputs) => "before.inputs",
        (true, Section::Outputs) => "before.outputs",
        (true, Section::Options) => "before.options",
    }
}

/// The place of the values that are added.
struct Place {
    resource: Option<ResourceId>,
    section: &'static str,
    path: String,
}

impl Rows {
    /// Adds the values without parts of `value`, which is at `path`.
    pub(super) fn add_values(
        &mut self,
        resource: Option<ResourceId>,
        section: &'static str,
        path: String,
        value: &Value,
    ) -> Counts {
        let mut counts = Counts::default();
        let mut place = Place {
            resource,
            section,
            path,
        };
        self.add_below(&mut place, value, &mut counts);
        counts
    }

    fn add_below(&mut self, place: &mut Place, value: &Value, counts: &mut Counts) {
        let Shown::Plain(payload) = value.shown() else {
            counts.n_masked += 1;
            let kind = if value.is_likely_secret() {
                "likely_secret"
            } else {
                "secret"
            };
            return self.add_value(place, counts, kind, [Cell::Null; 3]);
        };
        let n_before = place.path.len();
        let mut below = |rows: &mut Self, segment: Segment, value: &Value| {
            segment.push_onto(&mut place.path);
            rows.add_below(place, value, counts);
            place.path.truncate(n_before);
        };
        match payload {
            Payload::Map(map) if !map.is_empty() => {
                for (key, value) in map {
                    below(self, Segment::Key(key.clone()), value);
                }
            }
            Payload::Array(array) if !array.is_empty() => {
                for (index, value) in array.iter().enumerate() {
                    below(self, Segment::Index(index), value);
                }
            }
            Payload::String(text) if value.is_covered() => {
                counts.n_masked += 1;
                let cells = [text.as_str().into(), Cell::Null, Cell::Null];
                self.add_value(place, counts, "likely_secret", cells);
            }
            payload => self.add_leaf(place, counts, payload),
        }
    }

    fn add_leaf(&mut self, place: &Place, counts: &mut Counts, payload: &Payload) {
        let text = leaf(payload);
        let text = Cell::from(text.as_deref());
        let null = Cell::Null;
        let (kind, cells) = match payload {
            Payload::Null => ("null", [null; 3]),
            Payload::Bool(is) => ("boolean", [text, null, Cell::Boolean(*is)]),
            Payload::Number(number) => ("number", [text, Cell::Double(number.to_f64()), null]),
            Payload::String(_) => ("string", [text, null, null]),
            Payload::Array(_) => ("list", [null; 3]),
            Payload::Map(_) => ("map", [null; 3]),
            Payload::Asset(_) => ("asset", [text, null, null]),
            Payload::Archive(_) => ("archive", [text, null, null]),
            Payload::Reference(_) => ("reference", [text, null, null]),
            Payload::Computed(_) => ("unknown", [null; 3]),
            Payload::Sealed(_) => ("secret", [null; 3]),
        };
        self.add_value(place, counts, kind, cells);
    }

    fn add_value(&mut self, place: &Place, counts: &mut Counts, kind: &str, cells: [Cell<'_>; 3]) {
        counts.n_rows += 1;
        let [text, number, boolean] = cells;
        let path = if place.path.is_empty() {
            "root"
        } else {
            &place.path
        };
        self.push(
            Table::Properties,
            [
                place
                    .resource
                    .map_or(Cell::Null, |id| Cell::count(id.0.into())),
                place.section.into(),
                path.into(),
                kind.into(),
                text,
                number,
                boolean,
            ],
        );
    }
}
