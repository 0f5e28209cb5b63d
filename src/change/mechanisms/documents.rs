//! Values at places of a resource that may lead into the documents in its strings.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::change::decode::document;
use crate::path::Segment;
use crate::stack::{PropertySet, Resource};
use crate::value::Value;

/// The place of a string.
type Place = (PropertySet, Vec<Segment>);

/// By place: the document in the string, if it holds one.
type ByPlace = HashMap<Place, Option<Value>>;

/// The documents in the strings of one resource, each read once.
#[derive(Default, Debug)]
pub struct Documents {
    by_place: RefCell<ByPlace>,
}

impl Documents {
    /// The value at a place of the resource. `None` for a masked one.
    pub(super) fn value_at(
        &self,
        resource: &Resource,
        set: PropertySet,
        steps: &[Segment],
    ) -> Option<Value> {
        let open = |above: &[Segment], string: &Value| {
            let mut known = self.by_place.borrow_mut();
            let document = known
                .entry((set, above.to_vec()))
                .or_insert_with(|| document(string).map(|(_, document)| document));
            document.clone()
        };
        below(set.of(resource)?, steps, 0, &open)
    }
}

/// The value to which the steps after the first `n` lead from a value. `open` gives the document in a string, which the steps before it
/// lead to.
fn below(
    value: &Value,
    steps: &[Segment],
    n: usize,
    open: &dyn Fn(&[Segment], &Value) -> Option<Value>,
) -> Option<Value> {
    if value.is_secret() {
        return None;
    }
    let Some(step) = steps.get(n) else {
        return Some(value.clone());
    };
    let document = value.as_str().and_then(|_| open(&steps[..n], value));
    let value = document.as_ref().unwrap_or(value);
    let inner = match step {
        Segment::Key(key) => value.get(key)?,
        Segment::Index(index) => value.as_array()?.get(*index)?,
    };
    below(inner, steps, n + 1, open)
}
