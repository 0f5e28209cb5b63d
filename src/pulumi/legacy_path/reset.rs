//! `reset`: the engine's `ignoreChanges`.

use std::sync::Arc;

use super::LegacySegment;
use crate::value::{Array, Map, Payload, Value};

/// `new` with the values at `path` taken from `old`; see [`super::LegacyPath::reset`].
pub(super) fn reset(path: &[LegacySegment], old: &Value, new: &Value) -> Option<Value> {
    let secrecy = Secrecy {
        old: false,
        new: false,
    };
    below(path, old, new, secrecy)
}

/// The change to a container of the new side.
enum Change {
    None,
    To(Payload),
}

/// For each side, true if a secret was looked through on the way.
#[derive(Clone, Copy)]
struct Secrecy {
    old: bool,
    new: bool,
}

impl Secrecy {
    /// A value of the old side as it is copied to the new side.
    fn copy(self, old: &Value) -> Value {
        if self.old && !self.new {
            old.clone().with_secret(true)
        } else {
            old.clone()
        }
    }
}

/// The container that `reset` sees in a value, through secrets but not through dependencies; null for anything else.
fn container(value: &Value) -> &Payload {
    match value.payload() {
        payload @ (Payload::Map(_) | Payload::Array(_)) if value.dependencies().is_empty() => {
            payload
        }
        _ => &Payload::Null,
    }
}

fn below(path: &[LegacySegment], old: &Value, new: &Value, secrecy: Secrecy) -> Option<Value> {
    let (first, rest) = path.split_first()?;
    let secrecy = Secrecy {
        old: secrecy.old || (old.is_secret() && old.dependencies().is_empty()),
        new: secrecy.new || (new.is_secret() && new.dependencies().is_empty()),
    };
    let (old_payload, new_payload) = (container(old), container(new));
    let change = match first {
        LegacySegment::Index(index) => {
            let at = usize::try_from(*index).ok()?;
            reset_element(at, rest, old_payload, new_payload, secrecy)?
        }
        LegacySegment::Key(key) if &**key == "*" && rest.is_empty() => {
            reset_all(old_payload, new_payload, secrecy)?
        }
        LegacySegment::Key(key) if &**key == "*" => {
            reset_below_all(rest, old_payload, new_payload, secrecy)?
        }
        LegacySegment::Key(key) => reset_key(key, rest, old_payload, new_payload, secrecy)?,
    };
    Some(match change {
        Change::To(payload) => new.clone().with_payload(payload),
        Change::None => new.clone(),
    })
}

/// The new container with one element reset; `Change::None` if there is nothing to do.
fn reset_element(
    at: usize,
    rest: &[LegacySegment],
    old: &Payload,
    new: &Payload,
    secrecy: Secrecy,
) -> Option<Change> {
    let (old, new) = match (old, new) {
        (Payload::Array(old), Payload::Array(new)) => (old, new),
        (Payload::Array(_), _) | (_, Payload::Array(_)) => return None,
        _ => return Some(Change::None),
    };
    let value = match (old.get(at), new.get(at)) {
        (None, None) if rest.is_empty() => return Some(Change::None),
        (Some(old), Some(_)) if rest.is_empty() => secrecy.copy(old),
        (Some(old), Some(new)) => below(rest, old, new, secrecy)?,
        _ => return None,
    };
    let items = new.clone().set(at, value)?;
    Some(Change::To(Payload::Array(items)))
}

/// The new container with one key reset; `Change::None` if there is nothing to do.
fn reset_key(
    key: &Arc<str>,
    rest: &[LegacySegment],
    old: &Payload,
    new: &Payload,
    secrecy: Secrecy,
) -> Option<Change> {
    let (old_map, new_map) = (as_map(old), as_map(new));
    if rest.is_empty() {
        let old = old_map.and_then(|map| map.get(key));
        return match (old, new_map) {
            (Some(old), Some(new)) => {
                let copied = new.clone().set(key.clone(), secrecy.copy(old));
                Some(Change::To(Payload::Map(copied)))
            }
            (Some(_), None) => None,
            (None, Some(new)) => Some(Change::To(Payload::Map(new.clone().delete(key)))),
            (None, None) => Some(Change::None),
        };
    }
    let (old, new) = match (old_map, new_map) {
        (Some(old), Some(new)) => (old, new),
        (None, None) => return Some(Change::None),
        _ => return None,
    };
    match (old.get(key), new.get(key)) {
        (Some(_), None) => None,
        (None, None) => Some(Change::None),
        (old, Some(value)) => {
            let value = below(rest, old.unwrap_or(&Value::NULL), value, secrecy)?;
            Some(Change::To(Payload::Map(
                new.clone().set(key.clone(), value),
            )))
        }
    }
}

/// The new container with everything in it reset; `Change::None` if there is nothing to do.
fn reset_all(old: &Payload, new: &Payload, secrecy: Secrecy) -> Option<Change> {
    match (old, new) {
        (Payload::Map(old), Payload::Map(new)) => {
            // In the order of the new side, then the keys that it lacks.
            let kept = new.keys().filter(|key| old.contains_key(key));
            let added = old.keys().filter(|key| !new.contains_key(key));
            let map = kept.chain(added).filter_map(|key| {
                let value = old.get(key)?;
                Some((key.clone(), secrecy.copy(value)))
            });
            Some(Change::To(Payload::Map(map.collect())))
        }
        (Payload::Array(old), Payload::Array(new)) => (old.len() == new.len()).then(|| {
            let items = old.iter().map(|value| secrecy.copy(value));
            Change::To(Payload::Array(items.collect()))
        }),
        (_, Payload::Map(_) | Payload::Array(_)) => Some(Change::None),
        _ => None,
    }
}

/// The new container with `rest` reset below each of the old side's steps.
fn reset_below_all(
    rest: &[LegacySegment],
    old: &Payload,
    new: &Payload,
    secrecy: Secrecy,
) -> Option<Change> {
    match (old, new) {
        (Payload::Map(old), Payload::Map(new)) => {
            let reset_one = |map: Map, (key, old): (&Arc<str>, &Value)| {
                let value = below(rest, old, new.get(key)?, secrecy)?;
                Some(map.set(key.clone(), value))
            };
            old.iter()
                .try_fold(new.clone(), reset_one)
                .map(|map| Change::To(Payload::Map(map)))
        }
        (Payload::Array(old), Payload::Array(new)) if old.len() == new.len() => {
            let pairs = old.iter().zip(new);
            let items = pairs.map(|(old, new)| below(rest, old, new, secrecy));
            let items = items.collect::<Option<Array>>()?;
            Some(Change::To(Payload::Array(items)))
        }
        _ => None,
    }
}

fn as_map(payload: &Payload) -> Option<&Map> {
    match payload {
        Payload::Map(map) => Some(map),
        _ => None,
    }
}
