//! Values without a schema: their types follow from the values alone.

use std::sync::Arc;

use super::elements::Inside;
use super::pair::{After, Pair};
use super::{Action, Diff, DiffKind, MAX_DEPTH, list, text};
use crate::value::{Payload, Value};

/// The kind of type that a value shows.
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
        if matches!(diff.kind, DiffKind::Unknown { before: None }) && pair.prior().is_none() {
            diff.action = Action::Create;
        }
        return diff;
    }
    if pair.setting.depth > MAX_DEPTH {
        return pair.node(pair.action(), DiffKind::Leaf);
    }
    let (old, new) = (shape(pair.prior()), shape(pair.planned()));
    let is_created = old == Shape::Null && !pair.before.explicit;
    let is_deleted = new == Shape::Null && !pair.after.explicit;
    if old == new || is_created || is_deleted {
        let shape = if old == Shape::Null { new } else { old };
        return of_shape(pair, shape);
    }
    let kind = DiffKind::TypeChange {
        before: Box::new(of_shape(&pair.deleted(After::Known), old)),
        after: Box::new(of_shape(&pair.created(), new)),
    };
    pair.node(Action::Update, kind)
}

fn of_shape(pair: &Pair<'_>, shape: Shape) -> Diff {
    match shape {
        Shape::Null | Shape::Bool | Shape::Number | Shape::Other => {
            pair.node(pair.action(), DiffKind::Leaf)
        }
        Shape::String => text::text(pair),
        Shape::Array => list::list(pair, &Inside::Any),
        Shape::Map => {
            let (entries, action) = map(pair, plain);
            let kind = DiffKind::Object {
                entries,
                nested: false,
            };
            pair.node(action, kind)
        }
    }
}

/// The difference of two maps, key by key, and their action.
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
    let entries = pair.described_keys().into_iter().map(entry).collect();
    (entries, action)
}
