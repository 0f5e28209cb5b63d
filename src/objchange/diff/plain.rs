//! Values without a schema: what they show is all that is known of their types.

use std::sync::Arc;

use super::align::{align, is_by_index};
use super::pair::{After, Pair};
use super::same::numbered;
use super::{Action, Diff, Element, Kind, MAX_DEPTH, text};
use crate::value::{Payload, Value};

/// What a value shows of its type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Null,
    Bool,
    Number,
    String,
    Array,
    Map,
    Other,
}

fn shape(value: Option<&Value>) -> Shape {
    match value.map(Value::payload) {
        None | Some(Payload::Null) => Shape::Null,
        Some(Payload::Bool(_)) => Shape::Bool,
        Some(Payload::Number(_)) => Shape::Number,
        Some(Payload::String(_)) => Shape::String,
        Some(Payload::Array(_)) => Shape::Array,
        Some(Payload::Map(_)) => Shape::Map,
        Some(_) => Shape::Other,
    }
}

/// The difference of two values of any type.
pub(super) fn plain(pair: &Pair<'_>) -> Diff {
    if let Some(diff) = pair.sensitive(false, plain) {
        return diff;
    }
    if let Some(mut diff) = pair.unknown(After::Known, plain) {
        if matches!(diff.kind, Kind::Unknown { before: None }) && pair.prior().is_none() {
            diff.action = Action::Create;
        }
        return diff;
    }
    if pair.depth > MAX_DEPTH {
        return pair.node(pair.action(), Kind::Leaf);
    }
    let (old, new) = (shape(pair.prior()), shape(pair.planned()));
    let is_created = old == Shape::Null && !pair.before.explicit;
    let is_deleted = new == Shape::Null && !pair.after.explicit;
    if old == new || is_created || is_deleted {
        let shape = if old == Shape::Null { new } else { old };
        return of_shape(pair, shape);
    }
    let kind = Kind::TypeChange {
        before: Box::new(of_shape(&pair.deleted(After::Known), old)),
        after: Box::new(of_shape(&pair.created(), new)),
    };
    pair.node(Action::Update, kind)
}

fn of_shape(pair: &Pair<'_>, shape: Shape) -> Diff {
    match shape {
        Shape::Null | Shape::Bool | Shape::Number | Shape::Other => {
            pair.node(pair.action(), Kind::Leaf)
        }
        Shape::String => text::text(pair),
        Shape::Array => {
            let is_map = |value: &Value| matches!(value.payload(), Payload::Map(_));
            list(
                pair,
                |old, new| is_map(old) && is_map(new),
                |pair, is_untouched| {
                    if is_untouched && pair.planned().is_some_and(has_inside) {
                        pair.node(Action::Same, Kind::Whole { depth: pair.depth })
                    } else {
                        plain(pair)
                    }
                },
            )
        }
        Shape::Map => {
            let (attributes, action) = map(pair, plain);
            let kind = Kind::Object {
                attributes,
                nested: false,
            };
            pair.node(action, kind)
        }
    }
}

/// Whether there may be places below a value.
fn has_inside(value: &Value) -> bool {
    matches!(
        value.payload(),
        Payload::Map(_) | Payload::Array(_) | Payload::String(_)
    )
}

/// A list whose elements are aligned; two that face each other and `may_pair` are told as one.
///
/// `describe` is told whether both sides are the same throughout, without markers and unknowns.
pub(super) fn list(
    pair: &Pair<'_>,
    may_pair: impl Fn(&Value, &Value) -> bool,
    describe: impl Fn(&Pair<'_>, bool) -> Diff,
) -> Diff {
    let (before, after) = (pair.elements_before(), pair.elements_after());
    let mut action = pair.start();
    let [old_list, new_list] = numbered([before, after]);
    let (old_numbers, new_numbers) = (&old_list.numbers, &new_list.numbers);
    let is_untouched = |old: usize, new: usize| {
        old_numbers[old] == new_numbers[new] && old_list.is_bare[old] && new_list.is_bare[new]
    };
    let told = if is_by_index(old_numbers, new_numbers) {
        (0..before.len())
            .map(|index| (Some(index), Some(index)))
            .collect()
    } else {
        align(old_numbers, new_numbers, |old, new| {
            may_pair(&before[old], &after[new])
        })
    };
    let element = |(old, new): (Option<usize>, Option<usize>)| {
        let is_untouched = old
            .zip(new)
            .is_some_and(|(old, new)| is_untouched(old, new));
        let diff = describe(&pair.index(old, new).all_of_interest(), is_untouched);
        action = action.with_child(diff.action);
        Element { old, new, diff }
    };
    let elements = told.into_iter().map(element).collect();
    let kind = Kind::List {
        elements,
        nested: false,
    };
    pair.node(action, kind)
}

/// A map, key by key.
pub(super) fn map(
    pair: &Pair<'_>,
    describe: impl Fn(&Pair<'_>) -> Diff,
) -> (Vec<(Arc<str>, Diff)>, Action) {
    let mut action = pair.start();
    let entry = |key: Arc<str>| {
        let diff = describe(&pair.key(&key).of_interest());
        action = action.with_child(diff.action);
        (key, diff)
    };
    let entries = pair.keys().into_iter().map(entry).collect();
    (entries, action)
}
