//! The index of a preview's steps, from their tapes.
//!
//! Steps of replacements, refreshes and imports are read whole: their rows depend on more than one state says.

use crate::format::pulumi::resource::walk::{self as resource, ElementFields, Row, known};
use crate::index::indexer::Indexer;
use crate::index::scan::Element;
use crate::index::walk::{self, Odd, Text, text};
use crate::json::tape::Cursor;
use crate::pulumi::wire;
use crate::stack::{Action, Flags};

/// The fields of a step that the index reads.
#[derive(Default)]
struct StepFields<'a> {
    op: Text<'a>,
    urn: Text<'a>,
    provider: Text<'a>,
    old: Option<ElementFields<'a>>,
    new: Option<ElementFields<'a>>,
}

/// Adds the step at `cursor`. Fails with [`Odd`] if something is unusual.
pub(super) fn of_step(
    element: &Element,
    cursor: &mut Cursor<'_>,
    indexer: &mut Indexer,
) -> Result<(), Odd> {
    if wire::may_be_blinded(cursor.text()) {
        return Err(Odd);
    }
    let mut found = StepFields::default();
    walk::fields(cursor, |key, cursor| {
        match key {
            b"op" => found.op = text(cursor)?,
            b"urn" => found.urn = text(cursor)?,
            b"provider" => found.provider = text(cursor)?,
            b"oldState" => found.old = state(cursor, indexer)?,
            b"newState" => found.new = state(cursor, indexer)?,
            _ => _ = walk::skip(cursor)?,
        }
        Ok(())
    })?;
    let action = action(&found)?;
    push(element, found, action, indexer)
}

/// The state at `cursor`; `None` for null. One with secrets is odd.
fn state<'a>(
    cursor: &mut Cursor<'a>,
    indexer: &mut Indexer,
) -> Result<Option<ElementFields<'a>>, Odd> {
    let start = cursor.start();
    if cursor.text().get(start) == Some(&b'n') {
        cursor.skip()?;
        return Ok(None);
    }
    let found = resource::read(cursor, indexer)?;
    let is_plain = found.seen.secrets == 0 && found.seen.hidden.is_empty();
    is_plain.then_some(Some(found)).ok_or(Odd)
}

/// The action of the step alone.
fn action(found: &StepFields<'_>) -> Result<Action, Odd> {
    match (&*found.op, &found.old, &found.new) {
        // A step that changes no property may change an option.
        ("same", Some(old), Some(new)) if old.has_options_of(new) => Ok(Action::Noop),
        ("update", Some(_), Some(_)) => Ok(Action::Update),
        ("create", None, Some(_)) => Ok(Action::Create),
        ("delete", Some(_), None) => Ok(Action::Delete),
        _ => Err(Odd),
    }
}

fn push(
    element: &Element,
    found: StepFields<'_>,
    action: Action,
    indexer: &mut Indexer,
) -> Result<(), Odd> {
    let states = || [&found.old, &found.new].into_iter().flatten();
    let id = states()
        .map(|state| &*state.id)
        .find(|id| !id.is_empty())
        .unwrap_or_default();
    let is_marked = |state: &ElementFields<'_>| state.flags.contains(Flags::PENDING_DELETE);
    let is_copy = found.old.as_ref().is_some_and(is_marked) && states().all(is_marked);
    indexer.object(&found.urn, id, is_copy);
    indexer.word(&found.op, 1);
    let old_id = found.old.as_ref().map(|old| old.id.clone());
    let is_unknown = states().any(|state| state.seen.unknown);
    let mut shown = found.new.or(found.old).ok_or(Odd)?;
    if *shown.urn != *found.urn {
        return Err(Odd);
    }
    shown.seen.unknown = is_unknown;
    resource::edges(&mut shown, indexer);
    let old_id = old_id.as_deref().unwrap_or_default();
    let row = Row {
        id: match known(&shown.id) {
            "" => known(old_id),
            id => id,
        },
        provider: match &*found.provider {
            "" => &shown.provider,
            provider => provider,
        },
        action: Some(action),
        may_hide: true,
    };
    resource::push(element, &shown, &row, indexer);
    Ok(())
}
