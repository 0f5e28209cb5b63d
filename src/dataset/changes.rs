//! Changes as rows.

use super::{Cell, Rows, Table};
use crate::change::leaves::Leaf;
use crate::search::leaf;
use crate::stack::{Action, Output, Resource, ResourceId, Stack};
use crate::value::{Payload, Shown, Value};

/// One side of a change, as text.
struct Side {
    text: Option<String>,
    is_secret: bool,
    is_unknown: bool,
}

impl Side {
    fn of(value: &Value) -> Self {
        let text = match value.shown() {
            Shown::Secret(_) | Shown::Plain(Payload::Null | Payload::Computed(_)) => None,
            Shown::Plain(payload) => {
                let text = leaf(payload).map(std::borrow::Cow::into_owned);
                // A value with parts, in which secrets are masked.
                Some(text.unwrap_or_else(|| value.to_string()))
            }
        };
        Self {
            text,
            is_secret: value.is_secret(),
            is_unknown: value.is_computed() && !value.is_secret(),
        }
    }
}

/// A change as a whole, or one of its properties.
struct ChangeRow<'c> {
    resource: Option<ResourceId>,
    action: &'c str,
    is_drift: bool,
    own_words: Cell<'c>,
    order: Cell<'c>,
    reasons: Cell<'c>,
    replaces: bool,
}

impl Rows {
    /// Adds the change of a resource, and the properties that it changes. Nothing for a resource that does not change.
    pub fn add_change(
        &mut self,
        stack: &Stack,
        id: ResourceId,
        resource: Option<&Resource>,
        leaves: &[Leaf],
    ) {
        let is_drift = stack.record(id).flags.is_drift();
        let action = stack
            .effect(id)
            .filter(|action| *action != Action::Noop || is_drift);
        let Some(action) = action else {
            return;
        };
        let change = resource.and_then(|resource| resource.change.as_ref());
        let reasons = change.map(|change| change.reasons.join("; "));
        let row = ChangeRow {
            resource: Some(id),
            action: action.name(),
            is_drift,
            own_words: change.map(|change| &*change.own_words).into(),
            order: stack
                .replace_order(id)
                .map(crate::stack::ReplaceOrder::words)
                .into(),
            reasons: Cell::filled(reasons.as_deref().unwrap_or_default()),
            replaces: action == Action::Replace,
        };
        self.add_whole(&row);
        for leaf in leaves {
            let path = leaf.path.to_tolerant();
            let place = [leaf.section.name(), &path, leaf.action.name()];
            let row = ChangeRow {
                replaces: leaf.replaces,
                ..row
            };
            self.add_property(&row, place, &leaf.before, &leaf.after);
        }
    }

    /// Adds the change of an output.
    pub(super) fn add_output_change(&mut self, output: &Output, path: &str, action: Action) {
        if action == Action::Noop {
            return;
        }
        let row = ChangeRow {
            resource: None,
            action: action.name(),
            is_drift: false,
            own_words: Cell::Null,
            order: Cell::Null,
            reasons: Cell::Null,
            replaces: false,
        };
        self.add_whole(&row);
        let before = output.before.as_ref().unwrap_or(&Value::NULL);
        let place = ["outputs", path, action.name()];
        self.add_property(&row, place, before, &output.value);
    }

    fn add_whole(&mut self, row: &ChangeRow<'_>) {
        let places = [Cell::Null; 3];
        self.add_row(row, places, [Cell::Null; 2], [false; 2]);
    }

    fn add_property(
        &mut self,
        row: &ChangeRow<'_>,
        place: [&str; 3],
        before: &Value,
        after: &Value,
    ) {
        let (before, after) = (Side::of(before), Side::of(after));
        let is_secret = before.is_secret || after.is_secret;
        let texts = [&before, &after].map(|side| side.text.as_deref().into());
        self.add_row(
            row,
            place.map(Cell::from),
            texts,
            [is_secret, after.is_unknown],
        );
    }

    fn add_row(
        &mut self,
        row: &ChangeRow<'_>,
        [section, path, edit]: [Cell<'_>; 3],
        [before, after]: [Cell<'_>; 2],
        [is_secret, is_unknown]: [bool; 2],
    ) {
        self.push(
            Table::Changes,
            [
                row.resource
                    .map_or(Cell::Null, |id| Cell::count(id.0.into())),
                row.action.into(),
                row.is_drift.into(),
                row.own_words,
                row.order,
                row.reasons,
                section,
                path,
                edit,
                row.replaces.into(),
                before,
                after,
                is_secret.into(),
                is_unknown.into(),
            ],
        );
    }
}
