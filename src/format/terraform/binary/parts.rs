//! Values of a plan file in the form of `show -json`: a value and a mask of its unknown parts.

use crate::value::{Map, Payload, Value};

/// A value and the mask of its unknown parts.
#[derive(Clone, Default)]
pub(super) struct Parts {
    /// The value. Unknown parts are left out of objects and null in lists.
    pub(super) value: Value,
    /// The mask of the unknown parts.
    pub(super) unknown: Value,
}

impl Parts {
    /// Separates the unknown parts from the value.
    pub(super) fn of(value: Value) -> Self {
        split(value)
    }
}

fn split(value: Value) -> Parts {
    let (value, unknown) = match value.into_payload() {
        Payload::Computed(_) => (Value::NULL, Value::from(true)),
        Payload::Array(items) => {
            let parts = items.iter().cloned().map(split);
            let (values, masks): (Vec<_>, Vec<_>) = parts.map(|it| (it.value, it.unknown)).unzip();
            (values.into(), masks.into())
        }
        Payload::Map(map) => {
            let (mut values, mut masks) = (Vec::new(), Vec::new());
            for (key, inner) in &map {
                let inner = split(inner.clone());
                match inner.unknown.as_bool() {
                    Some(true) => {}
                    _ => values.push((key.clone(), inner.value)),
                }
                if inner.unknown.as_bool() != Some(false) {
                    masks.push((key.clone(), inner.unknown));
                }
            }
            let (values, masks): (Map, Map) = (Map::from_iter(values), Map::from_iter(masks));
            (values.into(), masks.into())
        }
        payload => (Value::new(payload), Value::from(false)),
    };
    Parts { value, unknown }
}
